"""``python -m bench.checks``: what the checks find in real sessions, at what cost, and where people saw mistakes."""

import argparse

from bench.checks import findings, labelled, tampering
from bench.checks.sessions import real_sessions
from core.checks import CHECKS


def main() -> None:
    """Print the reports; the real sessions are those of ``TUTELAGE_CORPUS``."""
    asked = argparse.ArgumentParser(prog="python -m bench.checks", description=__doc__)
    asked.add_argument("--only", choices=("findings", "tampering", "labelled"), help="print one report")
    asked.add_argument(
        "--show", choices=tuple(CHECKS), metavar="CHECK", help="list the findings of one check, to be read and judged"
    )
    options = asked.parse_args()
    sessions = list(real_sessions())
    if not sessions:
        asked.exit(1, "No sessions. TUTELAGE_CORPUS names the folder that holds them.\n")
    if options.show:
        print(*findings.shown(options.show, sessions), sep="\n")
        return
    if options.only in (None, "findings"):
        print(*findings.report(sessions), sep="\n")
    if options.only in (None, "tampering"):
        print(*tampering.report(sessions), sep="\n")
    if options.only in (None, "labelled"):
        print(*labelled.report(), sep="\n")


if __name__ == "__main__":
    main()
