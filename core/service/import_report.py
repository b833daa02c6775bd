"""What became of a file that was brought in, record by record."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ImportRow:
    """What became of one record: ``new``, ``known``, ``extended``, ``corrected``, ``older`` or ``failed``."""

    place: int
    what: str
    ref: str
    detail: str = ""


@dataclass(frozen=True)
class ImportReport:
    """What became of a file."""

    file: str
    format: str
    rows: tuple[ImportRow, ...]
    errors: tuple[str, ...]
    blank: int = 0
    dry_run: bool = False

    @property
    def new(self) -> int:
        """Sessions that came in."""
        return self._count("new")

    @property
    def known(self) -> int:
        """Sessions that were here already, in this or a longer version."""
        return self._count("known") + self._count("older")

    @property
    def extended(self) -> int:
        """Known sessions that got further turns."""
        return self._count("extended")

    @property
    def corrected(self) -> int:
        """Known sessions whose words were put in the place of other ones."""
        return self._count("corrected")

    @property
    def failed(self) -> int:
        """Records that could not be read or stored."""
        return len(self.errors)

    @property
    def summary(self) -> str:
        """One sentence for people."""
        said = [f"{self.new} would come in" if self.dry_run else f"{self.new} imported"]
        said += [f"{self.extended} extended"] if self.extended else []
        said += [f"{self.corrected} {'would be ' if self.dry_run else ''}corrected"] if self.corrected else []
        said += [f"{self.known} already there"] if self.known else []
        said += [f"{self.failed} failed ({'; '.join(self.errors[:3])})"] if self.errors else []
        return ", ".join(said) + f" · {self.format}"

    def _count(self, what: str) -> int:
        return sum(row.what == what for row in self.rows)
