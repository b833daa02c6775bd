"""The transcript in a browser: every word verbatim and harmless, evidence first, links, keys, search, names."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from tests.browser import transcripts
from tests.browser.conftest import Served, served, settled
from tests.browser.transcripts import HOSTILE, TURNS

pytestmark = pytest.mark.browser

# Looks into the shadow root of every drawing.
DRAWN = """() => {
    const roots = [...document.querySelectorAll("*")].map(one => one.shadowRoot).filter(Boolean);
    const all = selector => roots.flatMap(root => [...root.querySelectorAll(selector)]);
    const one = selector => all(selector)[0];
    const top = element => Math.round(element.getBoundingClientRect().top);
    %s
}"""
HOLD_BACK = "window.held = []; window.requestIdleCallback = work => window.held.push(work);"
LET_GO = """() => { while (held.length) held.shift()({ timeRemaining: () => 50 }); }"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One desk for all tests here; none of them decides anything."""
    with served(tmp_path_factory.mktemp("desk"), samples=False) as running:
        transcripts.fill(running.database)
        yield running


def look(page: Any, script: str) -> Any:
    return page.evaluate(DRAWN % script)


def until(page: Any, script: str) -> None:
    page.wait_for_function(DRAWN % script)


def open_session(desk: Served, page: Any, ref: str, more: str = "") -> None:
    page.goto(f"{desk.address}/sessions?session={ref}{more}")
    settled(page)
    until(page, "return one('.turn')")


def count(page: Any) -> str:
    return str(look(page, "return one('.count span').textContent"))


def test_the_text_of_a_turn_is_the_message_and_does_nothing(desk: Served, page: Any) -> None:
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    open_session(desk, page, "HOSTILE-1")
    until(page, f"return all('.turn').length === {len(HOSTILE)}")
    assert look(page, "return all('.speech').map(one => one.textContent)") == transcripts.said(
        desk.database, "HOSTILE-1"
    )
    assert page.evaluate("() => window.hacked") is None
    assert look(page, "return all('.speech img, .speech svg, .speech script, .speech a, .katex').length") == 0
    assert not [url for url in asked if not url.startswith((desk.address, "data:", "blob:"))]
    assert not [text for text in said if "Content Security Policy" in text]
    assert look(page, "return one('mark').textContent") == "I will refund <b>you</b> & close it"


def test_signs_that_turn_or_hide_words_are_named_and_turn_nothing(desk: Served, page: Any) -> None:
    open_session(desk, page, "HOSTILE-1")
    signs = look(page, "return all('.sign').map(one => one.dataset.sign)")
    assert {"U+202E", "U+202C", "U+0007", "U+001B"} <= set(signs)
    order = look(
        page,
        """const text = all('.sign')[0].nextSibling, range = document.createRange();
        return [0, 1, 2].map(at => {
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return range.getBoundingClientRect().left;
        });""",
    )
    assert order == sorted(order)


def test_a_long_transcript_shows_the_lit_words_first_and_holds_still_while_the_rest_follows(
    desk: Served, page: Any
) -> None:
    page.add_init_script(HOLD_BACK)
    open_session(desk, page, "LONG-1")
    until(page, "return one('mark.now') && top(one('mark.now')) > 100 && top(one('mark.now')) < 800")
    assert look(page, "return all('.turn').length") < TURNS / 10
    page.wait_for_timeout(300)
    before = look(page, "return top(one('mark.now'))")
    page.evaluate(LET_GO)
    until(page, f"return all('.turn').length === {TURNS}")
    page.wait_for_timeout(300)
    assert abs(look(page, "return top(one('mark.now'))") - before) <= 1


def test_a_turn_that_is_not_yet_there_is_built_where_the_reader_goes(desk: Served, page: Any) -> None:
    page.add_init_script(HOLD_BACK)
    open_session(desk, page, "LONG-1", "&turn=777")
    until(page, "return one('.turn.here') && top(one('.turn.here')) > 100 && top(one('.turn.here')) < 800")
    assert look(page, "return one('.turn.here').getAttribute('aria-label')") == "turn 777, User"
    page.keyboard.press("n")
    until(page, "return one('mark.now')?.textContent.includes('parcel number 20 ') && top(one('mark.now')) > 0")
    page.locator(".words .scroll").press("End")
    until(page, f"return one('[data-anchor=t{TURNS}]')")
    assert look(page, "return all('.turn').length") < TURNS / 2


def test_the_number_of_a_turn_puts_itself_into_the_address_which_leads_back_to_it(desk: Served, page: Any) -> None:
    open_session(desk, page, "LONG-1", "&turn=300")
    until(page, "return one('.turn.here')")
    link = page.locator('[data-anchor="t302"] .gutter a')
    assert link.get_attribute("href") == "sessions?session=LONG-1&turn=302"
    link.click()
    page.wait_for_function("() => location.search.includes('turn=302')")
    page.reload()
    settled(page)
    until(page, "return one('.turn.here')?.dataset.anchor === 't302' && top(one('.turn.here')) < 800")
    page.get_by_role("button", name="Back to the list").click()
    page.wait_for_function("() => !location.search.includes('turn')")


def test_moving_the_light_does_not_send_the_transcript_again(desk: Served, page: Any) -> None:
    frames: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(len(data))))
    open_session(desk, page, "LONG-1", "&turn=300")
    until(page, f"return all('.turn').length === {TURNS}")
    page.wait_for_timeout(500)
    assert max(frames) > 200_000
    frames.clear()
    page.locator('[data-anchor="t301"] .gutter a').click()
    page.wait_for_function("() => location.search.includes('turn=301')")
    settled(page)
    page.wait_for_timeout(500)
    assert max(frames) < 10_000
    assert look(page, f"return all('.turn').length === {TURNS} && one('.turn.here').dataset.anchor") == "t301"


def test_words_lead_to_their_notes_and_notes_to_their_words_where_two_share_them(desk: Served, page: Any) -> None:
    open_session(desk, page, "TWO-1")
    until(page, "return one('mark.shared')")
    assert look(page, "return all('.turn .ring').map(one => one.textContent)") == ["1", "2"]
    shared = page.locator("mark.shared")
    assert shared.get_attribute("aria-description") == "Evidence 1 of N-0004, 2 of N-0005"
    current = "return all('.found[aria-current=true]').map(one => one.getAttribute('aria-label'))"
    assert look(page, current) == ["note N-0004"]
    shared.click()
    until(page, "return one('.found[aria-current=true]').ariaLabel === 'note N-0005'")
    assert count(page) == "Evidence 2 of 2"
    shared.press("Enter")
    until(page, "return one('.found[aria-current=true]').ariaLabel === 'note N-0004'")
    page.get_by_role("button", name="No rule was named.").click()
    until(page, "return all('mark.now').length === 2")
    assert count(page) == "Evidence 2 of 2"


def test_words_bring_up_their_note_in_a_list_of_many(desk: Served, page: Any) -> None:
    open_session(desk, page, "MANY-1")
    until(page, "return all('.found').length === 60")
    assert look(page, "return one('.turn.lit .rings').textContent") == "123456+54"
    page.locator("mark", has_text="promise number 49").click()
    until(page, "return top(one('.found.now')) > 0 && top(one('.found.now')) < innerHeight")
    assert look(page, "return one('.found.now .headline').textContent") == "Promise 49 is not kept."


@pytest.mark.parametrize("address", ["sessions?session=LONG-1", "critical_notes?note=N-0060", "sessions?session=TWO-1"])
def test_n_and_shift_n_walk_the_evidence(desk: Served, page: Any, address: str) -> None:
    page.goto(f"{desk.address}/{address}&state=all")
    settled(page)
    until(page, "return one('mark.now') && all('.turn').length")
    first = look(page, "return one('mark.now').textContent")
    page.keyboard.press("n")
    page.keyboard.press("Shift+N")
    until(page, "return top(one('[data-anchor] mark.now')) > 0 && top(one('[data-anchor] mark.now')) < innerHeight")
    assert look(page, "return one('mark.now').textContent") == first


@pytest.mark.parametrize(
    ("words", "opened"), [("marzipan", [True, False]), ("a needle in what was cut", [False, True])]
)
def test_the_search_of_the_browser_opens_what_is_folded_and_cut(
    desk: Served, page: Any, words: str, opened: list[bool]
) -> None:
    open_session(desk, page, "FOLDS-1", f"#:~:text={words.replace(' ', '%20')}")
    until(page, "return all('details').some(one => one.open)")
    assert look(page, "return all('details').map(one => one.open)") == opened
    if opened[1]:
        until(page, "return all('.rest[hidden], .more').length === 0")


def test_show_more_shows_the_rest_and_changes_no_word(desk: Served, page: Any) -> None:
    open_session(desk, page, "FOLDS-1")
    page.locator(".tool summary").press("Enter")
    more = page.get_by_role("button", name="more characters")
    assert look(page, "return one('.tool pre').textContent") == transcripts.OUTPUT
    more.press("Enter")
    until(page, "return !one('.more') && !one('.rest[hidden]')")
    assert look(page, "return one('.tool pre').textContent") == transcripts.OUTPUT
    assert "said nothing" in look(page, "return all('.turn').at(-1).textContent")


def test_everything_is_reached_by_tab_and_has_a_name(desk: Served, page: Any) -> None:
    open_session(desk, page, "TWO-1")
    until(page, "return one('mark')")
    reached = set()
    page.locator(".words .scroll").focus()
    for _ in range(9):
        reached.add(
            look(page, "const at = roots.map(root => root.activeElement).find(Boolean); return at && at.tagName")
        )
        page.keyboard.press("Tab")
    assert {"DIV", "A", "BUTTON", "MARK"} <= reached
    nameless = look(
        page,
        """return all('button, a, [role=button], [role=region], article').filter(
            one => !(one.getAttribute('aria-label') || one.textContent).trim()).length""",
    )
    assert nameless == 0
    assert look(page, "return all('.turn').map(one => one.getAttribute('aria-label'))") == [
        "turn 1, User",
        "turn 2, Agent",
        "turn 3, User",
    ]
    assert page.locator("mark[aria-current=true]").count() == 1


@pytest.mark.parametrize("address", ["review", "critical_notes", "sessions?session=TWO-1"])
def test_headings_skip_no_level(desk: Served, page: Any, address: str) -> None:
    page.goto(f"{desk.address}/{address}")
    settled(page)
    until(page, "return one('.drawing')")
    levels = [int(one.evaluate("one => one.tagName.slice(1)")) for one in page.locator("h1, h2, h3, h4").all()]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_session_without_evidence_and_one_of_a_single_turn_say_so(desk: Served, page: Any) -> None:
    open_session(desk, page, "ONE-1")
    assert count(page) == "no evidence in this session"
    assert look(page, "return all('.turn').length") == 1
    page.keyboard.press("n")
    assert "Nothing was found in this session." in look(page, "return one('.side').textContent")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 768, 1440, 2560])
def test_no_transcript_scrolls_sideways_at_any_width(desk: Served, browser: Any, width: int, dark: bool) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
    page = context.new_page()
    for ref in ("HOSTILE-1", "FOLDS-1", "MANY-1"):
        open_session(desk, page, ref)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), ref
        assert look(page, "return all('.scroll').every(one => one.scrollWidth <= one.clientWidth)"), ref
    context.close()


def test_on_review_a_turn_in_the_address_belongs_to_the_item_that_is_up(desk: Served, page: Any) -> None:
    page.goto(f"{desk.address}/review?item=L-0001&turn=3")
    settled(page)
    until(page, "return one('.turn.here')?.dataset.anchor === 't3'")
    page.locator('.words [data-anchor="t1"] .gutter a').click()
    page.wait_for_function("() => location.search.includes('turn=1')")
    page.keyboard.press("j")
    page.wait_for_function("() => !location.search.includes('turn') && location.search.includes('L-0002')")


def test_a_number_that_is_pressed_again_brings_up_its_next_place(desk: Served, page: Any) -> None:
    open_session(desk, page, "TWICE-1")
    in_sight = "return top(one('[data-anchor=\"t{0}\"]')) > 0 && top(one('[data-anchor=\"t{0}\"]')) < innerHeight"
    until(page, in_sight.format(22))
    page.get_by_role("button", name="Evidence 1 of").first.click()
    until(page, in_sight.format(102))
    page.get_by_role("button", name="Evidence 1 of").first.click()
    until(page, in_sight.format(22))


def test_on_a_narrow_screen_notes_and_words_bring_up_each_other(desk: Served, page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    open_session(desk, page, "LONG-1")
    until(page, "return one('mark.now') && top(one('mark.now')) > 0 && top(one('mark.now')) < innerHeight")
    page.locator("mark.now").click()
    until(page, "return top(one('.found.now')) > 0 && top(one('.found.now')) < innerHeight")
    page.get_by_role("button", name="Nor was that one.").click()
    until(page, "return one('mark.now').textContent.includes('number 20 ')")
    until(page, "return top(one('mark.now')) > 60 && top(one('mark.now')) < innerHeight")


def test_on_critical_notes_a_turn_in_the_address_belongs_to_the_note_that_is_up(desk: Served, page: Any) -> None:
    page.goto(f"{desk.address}/critical_notes?note=N-0060&state=all")
    settled(page)
    page.locator('.excerpt [data-anchor="t1"] .gutter a').click()
    page.wait_for_function("() => location.search.includes('turn=1') && location.search.includes('N-0060')")
    until(page, "return one('.turn.here')?.dataset.anchor === 't1'")
    page.locator("tr", has_text="N-0061").first.click()
    page.wait_for_function("() => !location.search.includes('turn') && location.search.includes('N-0061')")
