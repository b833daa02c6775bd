"""The fields of the critic's settings: how each is asked for, read back, and named in the list of versions.

An empty field is not chosen: the default holds, and for an agent what the desk has.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import streamlit as st

from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import Effort
from core.critic.writing import DEBRIEFING
from core.errors import BadInput
from core.vocabulary import Writer
from ui.critic_words import WRITERS

TEXT, WHOLE, NUMBER, EFFORT, CHECK, WHICH, WARMTH = "text", "whole", "number", "effort", "check", "which", "warmth"
DEFAULTS = CriticSettings()
WHAT_IT_WRITES = "What it writes"
INHERITED, ON, OFF = "as the desk", "on", "off"


_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_LARGEST = Decimal(10) ** 12


@dataclass(frozen=True)
class Field:
    """One setting: its name in core, its label, how it is asked for, and what an empty field means for the desk."""

    name: str
    label: str
    kind: str = WHOLE
    empty: str = ""
    help: str | None = None


GROUPS: tuple[tuple[str, tuple[Field, ...]], ...] = (
    (
        "Model",
        (
            Field("model", "Model", TEXT, "OPENAI_MODEL"),
            Field("temperature", "Temperature, 0 to 2", WARMTH, "the server's own"),
            Field("reasoning_effort", "Reasoning effort", EFFORT),
            Field("token_cap", "Tokens a reply"),
            Field("largest_token_cap", "Tokens, second try", help="Of the one repetition of a reply that was cut."),
            Field("context_tokens", "Context of the model", help="A longer transcript is reviewed in parts."),
            Field("overlap_turns", "Turns that parts share"),
            Field("most_requests", "Requests, a debrief", help="From so many on nothing is parted further."),
            Field("earlier_tokens", "Tokens of earlier sessions", help="At most, of what is known of that user."),
            Field("timeout", "Give up after, s", NUMBER, help="Seconds without a byte from the server."),
            Field("longest_request", "Longest request, s", NUMBER, help="Given up then, though bytes still come."),
            Field("tries", "Tries, busy server"),
            Field("longest_wait", "Longest wait, s", NUMBER),
        ),
    ),
    (
        WHAT_IT_WRITES,
        (
            Field("writers", "Writers", WHICH),
            Field("second_opinion", "Ask for a second opinion on each quote", CHECK),
            Field("only_suspicious", "Only sessions in which a check found something, or that went wrong", CHECK),
        ),
    ),
    (
        "Prices of a million tokens",
        (
            Field("price_prompt", "Price, prompt", NUMBER, "not known"),
            Field("price_cached", "Price, cached prompt", NUMBER, "as the prompt"),
            Field("price_completion", "Price, reply", NUMBER, "not known"),
            Field("currency", "Currency", TEXT),
        ),
    ),
    (
        "Caps of a day (UTC)",
        (Field("daily_cost", "Cap, cost", NUMBER, "no cap"), Field("daily_tokens", "Cap, tokens", WHOLE, "no cap")),
    ),
    (
        "Pace",
        (
            Field("debriefs_at_once", "Debriefs at once, a worker"),
            Field("requests_at_once", "Requests at once"),
            Field("requests_per_minute", "Requests a minute", WHOLE, "no limit"),
        ),
    ),
)
FIELDS = {field.name: field for _, fields in GROUPS for field in fields}

_FRACTIONS = ("temperature", "timeout", "longest_request", "longest_wait")
"""Settings that are stored as numbers with a fraction; prices are stored as written."""


def field_shown(field: Field, agent: str | None, stored: Mapping[str, Any], desk: CriticSettings, *, off: bool) -> None:
    """The widget of one setting, filled with what is stored; ``desk`` is what holds where an agent has nothing."""
    key = _key(field.name, agent)
    inherited = getattr(desk if agent else DEFAULTS, field.name)
    if field.kind == WHICH:
        _writers_shown(agent, stored, inherited, off=off)
    elif field.kind == CHECK:
        _check_shown(field, agent, stored, inherited, off=off)
    elif field.kind == EFFORT:
        options = ["", *(str(one) for one in Effort)]
        at = options.index(str(stored.get(field.name) or ""))
        none = _in_words(inherited) if inherited else "none is sent"
        st.selectbox(
            field.label, options, at, key=key, disabled=off, width=170, format_func=lambda one: one or f"{none} (empty)"
        )
    else:
        is_empty = inherited is None or (field.kind == WARMTH and agent is None)
        st.text_input(
            field.label,
            _text(field, agent, stored),
            key=key,
            placeholder=field.empty if is_empty else _in_words(inherited),
            help=field.help,
            disabled=off,
            width=240 if field.name == "model" else 170,
        )
        if field.kind == WARMTH and agent:
            own = "temperature" in stored and stored["temperature"] is None
            st.checkbox("the server's own temperature", own, key=_key("temperature-own", agent), disabled=off)


def _text(field: Field, agent: str | None, stored: Mapping[str, Any]) -> str:
    value = stored.get(field.name)
    if field.kind == WARMTH and agent is None and field.name not in stored:
        value = DEFAULTS.temperature
    return "" if value is None else _in_words(value)


def _check_shown(field: Field, agent: str | None, stored: Mapping[str, Any], inherited: bool, *, off: bool) -> None:
    key = _key(field.name, agent)
    if agent is None:
        st.checkbox(field.label, bool(stored.get(field.name, inherited)), key=key, disabled=off)
        return
    options = [INHERITED, ON, OFF]
    at = 0 if field.name not in stored else 1 if stored[field.name] else 2
    words = {INHERITED: f"{INHERITED}: {ON if inherited else OFF}"}
    st.selectbox(
        field.label, options, at, key=key, disabled=off, width=420, format_func=lambda one: words.get(one, one)
    )


def _writers_shown(agent: str | None, stored: Mapping[str, Any], inherited: tuple[Writer, ...], *, off: bool) -> None:
    has_own = agent is None or "writers" in stored
    if agent is not None:
        said = ", ".join(WRITERS[one].lower() for one in inherited)
        has_own = st.checkbox(
            f"Its own choice of writers; the desk has {said}", has_own, key=_key("writers-own", agent), disabled=off
        )
    ticked = [str(one) for one in stored.get("writers", inherited)]
    with st.container(horizontal=True):
        for writer in DEBRIEFING:
            key = _key(f"writer-{writer}", agent)
            st.checkbox(WRITERS[writer], str(writer) in ticked, key=key, disabled=off or not has_own)


def chosen_in_form(agent: str | None) -> dict[str, Any]:
    """What the form chooses; what is empty is left out. Raises ``BadInput`` for what is no number."""
    return dict(_chosen(agent))


def _chosen(agent: str | None) -> Iterator[tuple[str, Any]]:
    state = st.session_state
    for field in FIELDS.values():
        key = _key(field.name, agent)
        if field.kind == WHICH:
            if agent is None or state.get(_key("writers-own", agent)):
                yield field.name, [str(one) for one in DEBRIEFING if state.get(_key(f"writer-{one}", agent))]
        elif key not in state:
            continue
        elif field.kind == CHECK:
            value = state[key]
            if value != INHERITED:
                yield field.name, value if isinstance(value, bool) else value == ON
        elif field.kind == WARMTH and _is_the_servers(agent):
            yield field.name, None
        elif said := str(state[key] or "").strip():
            value = _read(field, said)
            if agent is not None or value != DEFAULTS.temperature or field.kind != WARMTH:
                yield field.name, value


def _is_the_servers(agent: str | None) -> bool:
    if agent is not None:
        return bool(st.session_state.get(_key("temperature-own", agent)))
    return not str(st.session_state.get(_key("temperature", None)) or "").strip()


def _read(field: Field, said: str) -> Any:
    if field.kind in (TEXT, EFFORT):
        return said
    try:
        grouped = field.kind == WHOLE and _GROUPED.fullmatch(said)
        number = Decimal(said.replace(",", "") if grouped else said)
        if not number.is_finite() or abs(number) > _LARGEST:
            raise InvalidOperation
        if field.kind == WHOLE:
            if number != int(number):
                raise InvalidOperation
            return int(number)
        return float(number) if field.name in _FRACTIONS else str(number)
    except (InvalidOperation, ValueError, OverflowError):
        what = "no whole number" if field.kind == WHOLE else "no number"
        raise BadInput(f"“{said}” is {what}, so {field.label} cannot be set to it. Nothing was saved.") from None


def changes(before: Mapping[str, Any], after: Mapping[str, Any], agent: str | None) -> list[str]:
    """What one version changes, each as ``Prompt: not chosen → 1.5``."""
    names = [name for name in FIELDS if before.get(name, INHERITED) != after.get(name, INHERITED)]
    return [f"{FIELDS[name].label}: {_said(name, before, agent)} → {_said(name, after, agent)}" for name in names]


def _said(name: str, chosen: Mapping[str, Any], agent: str | None) -> str:
    if name in chosen:
        return "the server's own" if name == "temperature" and chosen[name] is None else _in_words(chosen[name])
    return INHERITED if agent else "default"


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return ON if value else OFF
    if isinstance(value, list | tuple):
        return ", ".join(WRITERS[Writer(one)].lower() for one in value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value}"


def drawn_for(version: int) -> None:
    """Which saved version the form shows: fields of another one are other fields, so that none is saved over it."""
    st.session_state["critic-form-version"] = version


def version_drawn() -> int:
    """The version that the form shows."""
    return int(st.session_state.get("critic-form-version", 0))


def _key(name: str, agent: str | None) -> str:
    return f"critic-{agent or ''}-{version_drawn()}-{name}"
