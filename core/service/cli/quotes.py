"""The command that says where quoted words stand."""

from pathlib import Path

import click

from core.errors import BadInput
from core.evidence import prepare
from core.service.cli.words import print_json, says_why
from core.service.grounding import answer
from core.settings import DEFAULTS
from core.transcripts import SessionDraft
from core.transcripts.read import Reading, read


@click.command("ground")
@click.option("--transcript", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--evidence", required=True, help="The quoted words.")
@click.option("--speaker", help="Who is said to have said them: a role such as assistant, or a name.")
@click.option("--turn", type=click.IntRange(min=1), help="In which turn, counted from 1.")
@click.option("--session", help="Which session of the file, by its id, where it holds several.")
@says_why
def ground_quote(transcript: Path, evidence: str, speaker: str | None, turn: int | None, session: str | None) -> None:
    """Say where quoted words stand in a transcript, as JSON."""
    reading = read(transcript.read_bytes(), transcript.name, limit=DEFAULTS.import_bytes)
    chosen = _one_session(reading, transcript.name, session)
    print_json(answer(prepare(chosen.transcript), evidence, speaker=speaker, turn=turn))


def _one_session(reading: Reading, name: str, wanted: str | None) -> SessionDraft:
    """The session of a file that a quote is looked for in; with several it must be named."""
    if not reading.sessions:
        raise BadInput(f"“{name}” holds no session that can be read: {'; '.join(map(str, reading.errors))}")
    named = [one for one in reading.sessions if wanted is None or one.external_id == wanted]
    if len(named) == 1:
        return named[0]
    ids = ", ".join(str(one.external_id or f"record {one.place}") for one in reading.sessions[:20])
    raise BadInput(f"“{name}” holds {len(reading.sessions)} sessions; name one with --session: {ids}.")


COMMANDS = (ground_quote,)
