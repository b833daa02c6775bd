"""Small transcripts for the tests of evidence, and what a grounding lights up in them."""

from core.evidence import Grounding, ground
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role


def transcript_of(*turns: tuple[str, str]) -> Transcript:
    """A transcript of (role, text) pairs."""
    return Transcript(messages=tuple(Message(role=Role(role), content=content) for role, content in turns))


def said(content: str) -> Transcript:
    """A transcript in which the agent says one thing."""
    return transcript_of(("assistant", content))


def lit(grounding: Grounding, transcript: Transcript) -> list[str]:
    """The words that the spans light up."""
    return [transcript.messages[span.turn].content[span.start : span.end] for span in grounding.spans]


def asked(content: str, evidence: str) -> tuple[Grounding, list[str]]:
    """The answer to a quote of one message of the agent, and the words lit."""
    transcript = said(content)
    grounding = ground(evidence, transcript, speaker=Role.ASSISTANT)
    return grounding, lit(grounding, transcript)
