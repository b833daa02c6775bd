"""Column types that keep what they are given: aware times in UTC, exact hundredths, values of a closed set.

SQLite forgets zones and has no decimals; PostgreSQL does neither. These types make both answer the same. Constraints
are named by one convention, so that migrations can speak of them.
"""

from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    MetaData,
    String,
    TypeDecorator,
)
from sqlalchemy.ext.mutable import MutableList
from sqlmodel import SQLModel

SQLModel.metadata.naming_convention = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
).naming_convention


class UtcTime(TypeDecorator[datetime]):
    """An aware time, stored and returned in UTC. A time without a zone is refused with ``ValueError``."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn a time to UTC on its way in."""
        if value is not None and value.tzinfo is None:
            raise ValueError(f"The time {value.isoformat()} has no zone; name one, such as +00:00.")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back an aware time."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Hundredths(TypeDecorator[Decimal]):
    """A number of exact hundredths, stored as a whole number. 0.555 is refused with ``ValueError``."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Turn a decimal into hundredths."""
        if value is None:
            return None
        scaled = Decimal(str(value)) * 100
        if scaled != scaled.to_integral_value():
            raise ValueError(f"{value} has more than two decimals.")
        return int(scaled)

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """Turn hundredths into a decimal with two places."""
        return None if value is None else (Decimal(value) / 100).quantize(Decimal("0.01"))


CHECK = "check"


def hold_checks(metadata: MetaData) -> None:
    """Give every table the checks that its columns ask for, where migrations see them too."""
    for table in metadata.tables.values():
        for column in table.columns:
            if CHECK in column.info:
                name, condition = column.info.pop(CHECK)
                table.append_constraint(CheckConstraint(condition, name=name))


def chosen(name: str, values: type[StrEnum], *, nullable: bool = False) -> "Column[Any]":
    """A column that takes the values of a closed set, as they are exported, and nothing else."""
    listed = ", ".join(f"'{value}'" for value in values)
    check = (f"{name}_known", f"{name} IN ({listed})")
    return Column(name, String(40), nullable=nullable, info={CHECK: check})


def share(name: str, *, nullable: bool = False) -> "Column[Any]":
    """A column of exact hundredths from 0 to 1."""
    check = (f"{name}_share", f"{name} BETWEEN 0 AND 100")
    return Column(name, Hundredths, nullable=nullable, info={CHECK: check})


def counted(name: str, least: int) -> "Column[Any]":
    """A column for a whole number from ``least`` on."""
    return Column(name, Integer, nullable=False, info={CHECK: (f"{name}_counts", f"{name} >= {least}")})


def day(name: str, *, primary_key: bool = False) -> "Column[Any]":
    """A column for a day as it is written in a file, ``2026-11-01``."""
    check = (f"{name}_day", f"{name} LIKE '____-__-__'")
    return Column(name, String(10), nullable=False, primary_key=primary_key, info={CHECK: check})


def listed(name: str, *, empty: bool = False) -> "Column[Any]":
    """A list column that notices when it is changed in place; ``empty`` where a row begins without saying so."""
    return Column(name, MutableList.as_mutable(JSON()), nullable=False, server_default="[]" if empty else None)


def when(name: str, *, nullable: bool = False, index: bool = False) -> "Column[Any]":
    """A column for an aware time."""
    return Column(name, UtcTime, nullable=nullable, index=index)


def points_to(name: str, target: str, *, nullable: bool = False, primary_key: bool = False) -> "Column[Any]":
    """A foreign key; the row that it names must exist, and cannot go while this one stands."""
    return Column(name, ForeignKey(target), nullable=nullable, primary_key=primary_key, index=not primary_key)
