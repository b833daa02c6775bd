"""What the documents say is what the product does."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from core import settings_told
from core.governance import debriefs, revisions
from core.governance.picture import picture, who_may
from core.service.cli import main
from core.store.database import ROOT
from core.vocabulary import Kind

DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("kind", list(Kind))
def test_the_pictures_of_the_lifecycle_are_those_of_the_table(kind: Kind) -> None:
    text = (ROOT / "docs/governance.md").read_text()
    assert picture(kind) in text
    assert who_may(kind) in text


def test_the_tables_of_the_settings_are_those_of_the_code() -> None:
    assert settings_told.drawn() in (ROOT / "docs/settings.md").read_text()


def test_the_picture_of_a_debrief_is_that_of_its_table() -> None:
    assert debriefs.picture() in (ROOT / "docs/critic.md").read_text()


def test_the_picture_of_a_self_review_is_that_of_its_table() -> None:
    assert revisions.picture() in (ROOT / "docs/self-review.md").read_text()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_points_to_is_there(path: Path) -> None:
    text = path.read_text()
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", prose):
        assert (path.parent / target).exists(), target
    for named in re.findall(r"`((?:core|ui|pages|tests|docs|bench|data)/[\w./-]+\.\w+)(?<!\.db)`", text):
        assert (ROOT / named).exists(), named


def test_every_command_that_a_document_shows_is_known_with_its_options() -> None:
    named = re.compile(r"python -m core ([\w-]+)((?: [^\n`#]*)?)")
    shown = [found for path in DOCUMENTS for found in named.findall(path.read_text())]
    assert shown
    for command, words in shown:
        inner = words.split()[:1] if isinstance(main.commands[command], click.Group) else []
        told = CliRunner().invoke(main, [command, *inner, "--help"])
        assert told.exit_code == 0, command
        for option in re.findall(r"(--[\w-]+)", words):
            assert option in told.output, f"{command} {option}"


def test_every_command_that_a_document_shows_to_be_typed_names_what_it_needs() -> None:
    missing = []
    for path in DOCUMENTS:
        for block in re.findall(r"```(?:sh|bash|console)?\n(.*?)```", path.read_text().replace("\\\n", " "), re.S):
            for words in re.findall(r"python -m core ([^\n#|]+)", block):
                missing += [f"{path.name}: {words.strip()} needs {name}" for name in needed(words.split())]
    assert missing == []


def needed(words: list[str]) -> list[str]:
    """The options that a command cannot do without and that do not stand among its words."""
    found: click.Command = main
    while isinstance(found, click.Group) and words and words[0] in found.commands:
        found, words = found.commands[words[0]], words[1:]
    given = {word.partition("=")[0] for word in words}
    options = [one for one in found.params if isinstance(one, click.Option) and one.required]
    return [max(one.opts, key=len) for one in options if not given & set(one.opts)]


def test_an_option_that_a_command_needs_is_missed_where_it_is_not_named() -> None:
    assert needed(["numbers", "back", "3"]) == ["--reason"]
    assert needed(["numbers", "back", "3", "--reason", '"why"']) == []


def test_every_make_target_that_a_document_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for path in DOCUMENTS:
        for target in re.findall(r"`make (\w+)`", path.read_text()):
            assert re.search(rf"^{target}:", makefile, re.M), f"{path.name}: make {target}"
