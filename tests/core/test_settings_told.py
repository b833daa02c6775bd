"""Nothing can be moved without being told what it is, in which unit, within which bounds, and where it is from."""

import pytest

from core.settings import DEFAULTS, Settings
from core.settings_told import OURS, TOLD, Form, setting, settings_told


def test_everything_is_told_of_every_setting_and_of_nothing_else() -> None:
    assert set(TOLD) == set(Settings.model_fields)
    for one in settings_told():
        assert all((one.label, one.rule, one.unit, one.source, one.bounds)), one.name
        assert one.line.endswith("."), one.name
        assert "Source:" not in one.line, one.name
        assert (one.low is not None and one.high is not None) or one.words, one.name
        assert one.default == getattr(DEFAULTS, one.name)


def test_every_default_lies_within_its_bounds_and_on_a_step() -> None:
    for one in settings_told():
        if one.low is not None and one.high is not None:
            assert one.low <= one.default <= one.high, one.name
            assert one.default % one.step == 0, one.name


def test_no_two_settings_have_one_name() -> None:
    labels = [one.label for one in settings_told()]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("name", "bounds", "source", "form"),
    [
        ("procedure_threshold", "0.00 to 1.00", "Procedural memory", Form.HUNDREDTHS),
        ("import_bytes", "1,000 to 10,000,000,000", OURS, Form.WHOLE),
        ("grounded_notes", "all or looked at", "Self-reflection memory", Form.WORD),
        ("self_review_checks_suffice", "no or yes", OURS, Form.YES_OR_NO),
    ],
)
def test_bounds_source_and_form_are_read_from_the_field(name: str, bounds: str, source: str, form: Form) -> None:
    one = setting(name)
    assert (one.bounds, one.source, one.form) == (bounds, source, form)
