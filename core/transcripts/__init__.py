"""Transcripts: what came in, verbatim."""

from core.transcripts.message import Message, ToolCall, Transcript
from core.transcripts.session import AgentDraft, FactDraft, FeedbackDraft, SessionDraft

__all__ = ["AgentDraft", "FactDraft", "FeedbackDraft", "Message", "SessionDraft", "ToolCall", "Transcript"]
