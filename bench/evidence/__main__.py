"""``python -m bench.evidence``: speed, accuracy, and what becomes of the quotes that real models wrote."""

import argparse

from bench.evidence import accuracy, comparison, corpus, others, quotes, speed


def main() -> None:
    """Print every report; the real transcripts are those of ``TUTELAGE_CORPUS``."""
    asked = argparse.ArgumentParser(prog="python -m bench.evidence", description=__doc__)
    asked.add_argument("--only", choices=("speed", "peers", "accuracy", "others", "quotes"), help="print one report")
    asked.add_argument("--each", type=int, default=100, help="labelled quotes of each class")
    asked.add_argument("--differences", type=int, default=0, help="disagreements with the plain check to list")
    asked.add_argument("--mistakes", type=int, default=3, help="wrong answers of each class to list")
    options = asked.parse_args()
    transcripts = list(corpus.transcripts())
    if not transcripts:
        asked.exit(1, "No transcripts. TUTELAGE_CORPUS names the folder that holds them.\n")
    if options.only in (None, "speed"):
        print(*speed.report(transcripts), sep="\n")
    if options.only in (None, "peers"):
        print(*comparison.report(transcripts), sep="\n")
    if options.only in (None, "accuracy"):
        print(*accuracy.report(transcripts, options.each, options.mistakes), sep="\n")
    if options.only in (None, "others"):
        print(*others.report(options.each, options.mistakes), sep="\n")
    if options.only in (None, "quotes"):
        for name in ("quotes-spiral", "quotes-sobotkova2024"):
            print(*quotes.report(name, options.differences), sep="\n")


if __name__ == "__main__":
    main()
