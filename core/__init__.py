"""The core of Tutelage: everything below the pages, with no user interface in it.

The folders stand in the order in which data flows: transcripts, checks, evidence, screening, memory, governance,
briefing, effects; ``store`` keeps it, ``service`` opens it to people and agents. Imports go down only.
"""

__version__ = "0.1.0"
