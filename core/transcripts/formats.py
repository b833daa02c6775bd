"""The file formats that transcripts come in.

First station of the flow. A format's value is stored; its label is what people read.
"""

from enum import StrEnum


class Format(StrEnum):
    """A kind of file that a reader knows."""

    OPENAI_CHAT = "openai_chat"
    SHAREGPT = "sharegpt"
    CHATGPT_EXPORT = "chatgpt_export"
    TAU_BENCH = "tau_bench"
    TAU2_BENCH = "tau2_bench"
    TAU_FEW_SHOT = "tau_few_shot"
    CSV = "csv"
    PLAIN_TEXT = "plain_text"

    @property
    def label(self) -> str:
        """The name that people read, with what marks the format."""
        return _LABELS[self]


_LABELS = {
    Format.OPENAI_CHAT: "OpenAI chat messages (JSON or JSONL with “messages”)",
    Format.SHAREGPT: "ShareGPT (JSON or JSONL with “conversations”)",
    Format.CHATGPT_EXPORT: "ChatGPT export (JSON with “mapping”)",
    Format.TAU_BENCH: "τ-bench results (JSON with “traj” and “reward”)",
    Format.TAU2_BENCH: "τ²-bench results (JSON with “simulations” and “tasks”)",
    Format.TAU_FEW_SHOT: "τ-bench examples (JSONL with “messages_display”)",
    Format.CSV: "CSV with one message a row (columns session, role, content)",
    Format.PLAIN_TEXT: "plain text with USER: and ASSISTANT: at the start of a line",
}
EXTENSIONS = frozenset({"", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".md", ".log"})
"""Endings of file names that are accepted; a name without one is judged by its content alone."""
