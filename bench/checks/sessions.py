"""Real sessions as cases for the checks, corpus by corpus, from the folder that ``TUTELAGE_CORPUS`` names.

Files that the desk's own readers know are read by them. STAR, Taskmaster, ABCD, CuCom, Hermes and the sessions of
coding agents have small adapters here or in ``bench.evidence``; every text is taken over as it stands.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.evidence.adapters import star
from bench.evidence.corpus import quote_sets, root
from core.checks import Case
from core.transcripts.message import Message, ToolCall, Transcript
from core.transcripts.read import read
from core.vocabulary import Role

_SPEAKERS = {"agent": Role.ASSISTANT, "assistant": Role.ASSISTANT, "customer": Role.USER, "user": Role.USER}
_LABELS = {Role.USER: "User: ", Role.ASSISTANT: "Assistant: "}


@dataclass(frozen=True)
class RealSession:
    """One session of a corpus; ``name`` is stable from run to run."""

    corpus: str
    name: str
    case: Case

    @property
    def kept_back(self) -> bool:
        """Whether it belongs to the half on which nothing was tuned, by the hash of its name."""
        return sha256(f"{self.corpus}/{self.name}".encode()).digest()[0] % 2 == 1


def real_sessions() -> Iterator[RealSession]:
    """Every session of every corpus, in a fixed order, no transcript twice."""
    folder, seen = root(), set[str]()
    if folder is None:
        return
    for corpus, cases in _CORPORA.items():
        for name, case in cases(folder):
            if len(case.transcript.messages) > 1 and case.transcript.sha256 not in seen:
                seen.add(case.transcript.sha256)
                yield RealSession(corpus, name, case)


def _read(paths: Iterable[Path], prompt: str = "") -> Iterator[tuple[str, Case]]:
    """The sessions of files that the desk's readers know."""
    for path in paths:
        for number, draft in enumerate(read(path.read_bytes(), path.name).sessions):
            name = f"{path.parent.parent.name}/{path.stem}#{number}"
            yield name, Case(draft.transcript, prompt or draft.agent_record.base_prompt)


def _tau2(folder: Path) -> Iterator[tuple[str, Case]]:
    prompt = (folder / "tau2-bench" / "policy_airline_policy.md").read_text(encoding="utf-8")
    return _read(sorted((folder / "tau2-bench").glob("*.json")), prompt)


def _few_shot(domain: str) -> Callable[[Path], Iterator[tuple[str, Case]]]:
    def cases(folder: Path) -> Iterator[tuple[str, Case]]:
        prompt = (folder / "tau-bench" / f"policy_{domain}_wiki.md").read_text(encoding="utf-8")
        return _read([folder / "tau-bench" / f"few_shot_{domain}.jsonl"], prompt)

    return cases


def _activegraph(folder: Path) -> Iterator[tuple[str, Case]]:
    return _read(sorted((folder / "tau2-activegraph").glob("*/tau2_output/results.json")))


def _small_model(folder: Path) -> Iterator[tuple[str, Case]]:
    return _read(sorted((folder / "tau-bench-qwen-ck496" / "trajectories").glob("*/*.json")))


def _star(folder: Path) -> Iterator[tuple[str, Case]]:
    """The guide, who tells the user what to ask for, is heard by nobody else and left out."""
    for number, transcript in enumerate(star()):
        heard = tuple(message for message in transcript.messages if message.role is not Role.OTHER)
        yield str(number), Case(Transcript(messages=heard))


def _taskmaster(folder: Path) -> Iterator[tuple[str, Case]]:
    rows = json.loads((folder / "taskmaster" / "tm4_reward_06.json").read_text(encoding="utf-8"))
    for number, row in enumerate(rows):
        steps = [*json.loads(row["context"]), json.loads(row["generation"])]
        yield str(number), Case(Transcript(messages=tuple(message for step in steps for message in _steps(step))))


def _steps(step: dict[str, Any]) -> Iterator[Message]:
    if step["role"] == "api":
        for name, answer in step["response"].items():
            yield Message(role=Role.TOOL, content=json.dumps(answer, ensure_ascii=False), name=name)
    else:
        calls = tuple(ToolCall(name=name, arguments=asked) for name, asked in (step.get("api") or {}).items())
        yield Message(role=_SPEAKERS[step["role"]], content=step.get("text"), tool_calls=calls)


def _abcd(folder: Path) -> Iterator[tuple[str, Case]]:
    """What the agent did at the desk stands as the answer of a tool without a name."""
    for row in json.loads((folder / "abcd" / "abcd_sample.json").read_text(encoding="utf-8")):
        said = (Message(role=_SPEAKERS.get(who, Role.TOOL), content=text) for who, text in row["original"])
        yield str(row["convo_id"]), Case(Transcript(messages=tuple(said)))


def _cucom(folder: Path) -> Iterator[tuple[str, Case]]:
    for line in (folder / "cucom" / "sample_banking.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        said = (Message(role=_SPEAKERS[turn["role"].lower()], content=turn["content"]) for turn in row["turns"])
        yield row["id"], Case(Transcript(messages=tuple(said)))


def _hermes(folder: Path) -> Iterator[tuple[str, Case]]:
    for path in sorted((folder / "hermes-session").glob("*.txt")):
        for number, line in enumerate(filter(str.strip, path.read_text(encoding="utf-8").splitlines())):
            for messages in _lists(json.loads(line)):
                said = (_unlabelled(each) for each in messages)
                yield f"{path.stem}#{number}", Case(Transcript(messages=tuple(said)))


def _lists(node: list[Any]) -> Iterator[list[dict[str, Any]]]:
    if node and isinstance(node[0], dict):
        yield node
    else:
        for each in node:
            yield from _lists(each)


def _unlabelled(fields: dict[str, Any]) -> Message:
    role = _SPEAKERS[fields["role"]]
    return Message(role=role, content=fields["content"].removeprefix(_LABELS[role]))


def _chats(folder: Path) -> Iterator[tuple[str, Case]]:
    """Role play of mental-health talks, whose judges' quotes the evidence is measured on."""
    for chat in quote_sets("quotes-spiral"):
        yield chat.name, Case(chat.transcript)


def _coding(folder: Path) -> Iterator[tuple[str, Case]]:
    for path in sorted((folder / "coding-agent-sessions").rglob("*.jsonl")):
        rows = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
        said = tuple(message for row in rows if isinstance(row, dict) for message in _coding_row(row))
        yield str(path.relative_to(folder)), Case(Transcript(messages=said))


def _coding_row(row: dict[str, Any]) -> Iterator[Message]:
    """The messages of one line of a session of Claude Code or of Codex."""
    if row.get("type") in ("user", "assistant") and isinstance(row.get("message"), dict):
        yield from _parts(row["message"].get("role"), row["message"].get("content"))
    payload = row.get("payload") if row.get("type") == "response_item" else None
    if isinstance(payload, dict):
        match payload.get("type"):
            case "message":
                yield from _parts(payload.get("role"), payload.get("content"))
            case "function_call":
                yield Message(role=Role.ASSISTANT, tool_calls=(_call(payload["name"], payload["arguments"], payload),))
            case "function_call_output":
                yield Message(role=Role.TOOL, content=str(payload["output"]), tool_call_id=payload.get("call_id"))


def _parts(role: Any, content: Any) -> Iterator[Message]:
    speaker = {**_SPEAKERS, "developer": Role.DEVELOPER, "system": Role.SYSTEM}.get(str(role))
    if speaker is None:
        return
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content or ():
        match part.get("type") if isinstance(part, dict) else None:
            case "text" | "input_text" | "output_text":
                yield Message(role=speaker, content=part["text"])
            case "tool_use":
                yield Message(role=speaker, tool_calls=(_call(part["name"], part["input"], part),))
            case "tool_result":
                text = part.get("content")
                told = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
                yield Message(role=Role.TOOL, content=told, tool_call_id=part.get("tool_use_id"))


def _call(name: str, arguments: Any, fields: dict[str, Any]) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, id=fields.get("call_id") or fields.get("id"))


_CORPORA: dict[str, Callable[[Path], Iterator[tuple[str, Case]]]] = {
    "τ² airline": _tau2,
    "τ-bench few-shot, airline": _few_shot("airline"),
    "τ-bench few-shot, retail": _few_shot("retail"),
    "τ² activegraph": _activegraph,
    "τ-bench, a small model": _small_model,
    "STAR": _star,
    "Taskmaster": _taskmaster,
    "ABCD": _abcd,
    "CuCom banking": _cucom,
    "Hermes": _hermes,
    "mental-health chats": _chats,
    "coding agents": _coding,
}
