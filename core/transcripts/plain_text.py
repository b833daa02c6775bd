"""Reader for plain text with ``USER:`` and ``ASSISTANT:``; one file is one session.

First station of the flow.
"""

from datetime import tzinfo

from core.errors import BadRecord
from core.transcripts.chat_message import says_error
from core.transcripts.document import Document
from core.transcripts.fields import Flaw
from core.transcripts.formats import Format
from core.transcripts.message import Message, Transcript
from core.transcripts.reader import Reader, Taken
from core.transcripts.session import SessionDraft
from core.transcripts.spoken_lines import begins_with_speaker, spoken_turns
from core.vocabulary import Role


def _sign(document: Document) -> str | None:
    return "its first line begins with a speaker" if begins_with_speaker(document.text) else None


def _take(document: Document, zone: tzinfo) -> Taken:
    """The one session; with a line that is no text it is left out as a whole, for a turn of it would be missing."""
    if document.bad_lines:
        return Taken(errors=tuple(BadRecord(line, why) for line, why in document.bad_lines.items()))
    try:
        turns = list(spoken_turns(document.text))
    except Flaw as flaw:
        return Taken(errors=(BadRecord(1, str(flaw)),))
    messages = tuple(
        Message(role=turn.role, content=turn.text, failed=turn.role is Role.TOOL and says_error(turn.text))
        for turn in turns
    )
    return Taken((SessionDraft(Transcript(messages=messages), place=turns[0].line),))


READER = Reader(Format.PLAIN_TEXT, _sign, _take)
