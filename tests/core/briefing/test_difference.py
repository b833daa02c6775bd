"""Two briefings beside each other: what is gone, what is new, and what both have."""

from core.service.views import BriefingView, Change, ReadLine, difference


def view(*lines: ReadLine) -> BriefingView:
    return BriefingView((), lines, sum(line.tokens for line in lines), ())


def line(text: str, item: str | None = None, part: str = "lessons") -> ReadLine:
    return ReadLine(text, "", 1, item, part=part)


def test_lines_of_both_are_the_same_and_those_of_one_are_gone_or_new() -> None:
    changed = difference(view(line("a"), line("b"), line("d")), view(line("a"), line("c"), line("d")))
    assert [(one.line.text, one.change) for one in changed] == [
        ("a", Change.SAME),
        ("b", Change.GONE),
        ("c", Change.NEW),
        ("d", Change.SAME),
    ]


def test_another_number_of_the_same_procedure_is_no_difference() -> None:
    before = view(line("1. A\n   x", "P-1", "procedures"), line("2. B\n   y", "P-2", "procedures"))
    after = view(line("1. B\n   y", "P-2", "procedures"))
    assert [(one.line.item, one.change) for one in difference(before, after)] == [
        ("P-1", Change.GONE),
        ("P-2", Change.SAME),
    ]


def test_tokens_are_counted_by_part() -> None:
    made = view(line("a", part="base"), line("b"), line("c"))
    assert made.tokens_by_part == {"base": 1, "lessons": 2}
