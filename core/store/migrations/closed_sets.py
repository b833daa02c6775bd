"""Other values in the closed set of a column, on both databases."""

from collections.abc import Iterable

from alembic import op


def checks(changes: Iterable[tuple[str, str, str, str]]) -> None:
    """Other values in the CHECK of a column: table, column, the values before and after, as they stand in SQL.

    SQLite keeps the words of a table, which may be changed where the stored rows stay as they are.
    """
    if op.get_bind().dialect.name == "sqlite":
        in_the_schema(
            [(table, f"{column} IN ({before})", f"{column} IN ({after})") for table, column, before, after in changes]
        )
        return
    for table, column, _, after in changes:
        op.execute(f"ALTER TABLE {table} DROP CONSTRAINT ck_{table}_{column}_known")
        op.execute(f"ALTER TABLE {table} ADD CONSTRAINT ck_{table}_{column}_known CHECK ({column} IN ({after}))")


def in_the_schema(changes: Iterable[tuple[str, str, str]]) -> None:
    """https://sqlite.org/lang_altertable.html, section 7: such changes leave what is stored as it is."""
    connection = op.get_bind()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    for table, before, after in changes:
        words = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        ).scalar_one()
        if before not in words:
            raise RuntimeError(f"the table {table} does not say {before}")
        connection.exec_driver_sql(
            "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?", (words.replace(before, after), table)
        )
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")
