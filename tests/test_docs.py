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


def test_every_make_target_that_a_document_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for path in DOCUMENTS:
        for target in re.findall(r"`make (\w+)`", path.read_text()):
            assert re.search(rf"^{target}:", makefile, re.M), f"{path.name}: make {target}"
