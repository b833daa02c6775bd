"""Times with their zone, charts in the order of time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from tests.ui import samples
from ui.chart import LIMIT, confidence_figure, series, spark
from ui.times import age, moment, short_moment, stamp


def test_the_zone_always_stands_beside_the_time():
    at = datetime(2026, 11, 27, 15, 8, 9, tzinfo=UTC)
    assert moment(at) == "27 Nov 2026, 15:08 UTC"
    assert moment(at, seconds=True) == "27 Nov 2026, 15:08:09 UTC"
    assert short_moment(at, samples.NOW) == "27 Nov 15:08"
    assert short_moment(at.replace(year=2025), samples.NOW) == "27 Nov 2025 15:08"


def test_the_hour_that_happens_twice_is_told_apart_by_its_offset():
    first, second = (datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1))
    shown = [stamp(first, "Europe/Berlin"), stamp(second, "Europe/Berlin")]
    assert shown == ["2026-10-25 02:30 +02:00", "2026-10-25 02:30 +01:00"]


@pytest.mark.parametrize("zone", [None, "", "Not/AZone", "../etc/passwd"])
def test_an_unknown_zone_is_shown_as_utc(zone):
    assert stamp(datetime(2026, 1, 1, tzinfo=UTC), zone) == "2026-01-01 00:00 +00:00"


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "now"),
        (timedelta(minutes=12), "12 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(days=4), "4 d"),
        (timedelta(days=200), "6 mo"),
        (timedelta(hours=-2), "now"),
    ],
)
def test_an_age_has_one_unit(ago, words):
    assert age(samples.NOW - ago, samples.NOW) == words


def test_a_path_is_in_the_order_of_time_with_a_gap_where_no_outcome_came():
    row = samples.procedure()
    shuffled = type(row)(**{**row.__dict__, "path": tuple(reversed(row.path))})
    line = series(shuffled)
    assert list(line.x) == sorted(line.x)
    assert line.y == (0.6, 0.68, 0.53, None, 0.61)
    assert line.active == (True, True, False, False, True)


def test_events_of_one_moment_stand_in_their_own_order_whatever_the_order_of_the_rows():
    row = samples.procedure()
    day = row.path[0].at
    path = tuple(replace(point, at=day, place=place) for place, point in enumerate(row.path))
    for points in (path, path[::-1], (path[3], path[1], path[4], path[0], path[2])):
        line = series(replace(row, path=points))
        assert line.y == (0.6, 0.68, 0.53, None, 0.61)
        assert line.what == ("start", "success", "failure", "no outcome", "success")


def test_the_line_is_never_drawn_across_a_gap():
    figure = confidence_figure([samples.procedure()], Decimal("0.55"), dark=False)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert [trace.connectgaps for trace in lines] == [False]
    assert None in lines[0].y
    assert lines[0].line.shape == "hv"


def test_a_mark_carries_the_session_behind_it():
    figure = confidence_figure([samples.procedure()], Decimal("0.55"), dark=True)
    marks = next(trace for trace in figure.data if trace.mode == "markers")
    assert list(marks.customdata) == ["", "S-0001", "S-0002", "S-0003", "S-0004"]
    assert list(marks.marker.symbol) == ["square-open", "circle", "x-thin", "circle-open", "circle"]


def test_the_threshold_and_the_decisions_stand_in_words():
    figure = confidence_figure([samples.procedure()], Decimal("0.55"), dark=False)
    texts = [annotation.text for annotation in figure.layout.annotations]
    assert "0.55 · read from here up" in texts
    assert any("approved by Meera" in text for text in texts)


def test_a_title_with_markup_is_shown_as_it_is_written():
    row = samples.procedure()
    hostile = type(row)(**{**row.__dict__, "title": "<b>Worst</b> & first"})
    figure = confidence_figure([hostile], Decimal("0.55"), dark=False)
    shown = [annotation.text for annotation in figure.layout.annotations]
    shown += [text for trace in figure.data for text in trace.text or ()]
    assert not [text for text in shown if "<b>" in text]


def test_no_more_lines_than_can_be_told_apart():
    figure = confidence_figure([samples.procedure()] * 14, Decimal("0.55"), dark=False)
    assert sum(trace.mode == "lines" for trace in figure.data) == LIMIT


def test_the_hour_that_happens_twice_gives_two_points_one_hour_apart():
    row = samples.procedure()
    at = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]
    points = tuple(type(row.path[0])(when, "success", Decimal("0.68"), True, 1, "S-1") for when in at)
    line = series(type(row)(**{**row.__dict__, "path": points}))
    assert line.x[1] - line.x[0] == timedelta(hours=1)


def test_a_small_line_lifts_its_pen_at_a_gap():
    tree = spark(samples.procedure(), Decimal("0.55"))
    path = next(child for child in tree[2:] if child[0] == "path")
    assert path[1]["d"].count("M") == 2
