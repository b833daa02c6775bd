"""The Beliefs page: the tree down to the words, stale ones, acts on episodes, questions, sums, hostile texts."""

import pytest
from sqlmodel import select

from core.governance.people import current_person, set_person
from core.governance.sign_ins import sign_in
from core.service.consolidation.sums import admit
from core.service.episode_views import EpisodesAsked
from core.service.episodes import restore_episode, withdraw_episode
from core.service.views.beliefs import BeliefsAsked
from core.store.clock import now
from core.store.memory_records import Consolidation, Episode
from core.store.records import Agent
from core.vocabulary import Duty
from tests.desk import OPERATOR, START
from tests.pages.reading import aim, all_words, button, drawn, words
from tests.remembered import QUOTE, active, belief, episode, place, withdrawn
from ui.belief_acts import ASKED
from ui.beliefs_desk import EXPORTED, _all_rows
from ui.episodes_desk import all_rows
from ui.frame import Desk
from ui.tree import elements, text_of

LEDGER = "Before a refund this user wants the ledger read aloud."
LETTER = "Letters to this user name the course and its price."


@pytest.fixture(name="ids")
def _ids(empty_db) -> list[int]:
    return [episode(empty_db, f"The user asked, time {one}.", ref=f"R-{one}", days=one) for one in range(4)]


def pressed(page, key: str) -> set[str]:
    """What can be pressed in a drawing."""
    tree = drawn(page, key)
    return {one[1]["data-press"] for look in ("link", "quote", "item") for one in elements(tree, look)
            if "data-press" in one[1]}  # fmt: skip


def test_an_empty_desk_says_what_to_wait_for(empty_db, open_page):
    assert "Nothing is believed of anybody yet." in all_words(open_page("beliefs"))


def test_the_way_leads_from_a_belief_through_its_episodes_to_the_words(empty_db, ids, open_page):
    active(empty_db, LEDGER, *ids[:2])
    belief(empty_db, LETTER, *ids[2:])
    page = open_page("beliefs", belief="B-0002")
    tree = words(page, "belief-tree")
    assert LETTER in tree
    assert "The user asked, time 2." in tree
    assert "E-0003 · importance 0.80" in tree
    assert "true from 4 Nov 2026 · known from 4 Nov 2026 (UTC)" in tree
    assert QUOTE["quote"] in tree
    assert "quote found" in tree
    assert "R-2" in words(page, "belief-words")
    [lit] = elements(drawn(page, "belief-words"), "ev")
    assert text_of(lit) == QUOTE["quote"]
    assert aim(page, "belief-words")["light"] == 1
    assert "quote:2" in pressed(page, "belief-tree")
    assert page.query_params["belief"] == "B-0002"


def test_the_address_leads_to_one_quote_in_its_session(empty_db, ids, open_page):
    belief(empty_db, LETTER, *ids[:3])
    page = open_page("beliefs", belief="B-0001", quote="3")
    assert aim(page, "belief-words")["light"] == 3
    assert "R-2" in words(page, "belief-words")


def test_a_stale_belief_names_what_withdrew_it_in_words_and_its_episode_is_struck_through(empty_db, ids, open_page):
    low = active(empty_db, LEDGER, *ids[:2])
    belief(empty_db, LETTER, place(empty_db, low), *ids[2:])
    with_lead(empty_db, ids[0], "it was another student")
    page = open_page("beliefs", belief="B-0001")
    tree = drawn(page, "belief-tree")
    assert "Stale: it left the briefing, or waits" in text_of(tree)
    assert "E-0001 was withdrawn: it was another student" in text_of(tree)
    [gone] = elements(tree, "gone")
    assert "withdrawn: it was another student" in text_of(gone)
    assert any(one[0] == "del" for one in walk(gone))
    assert f"restore:{ids[0]}" in pressed(page, "belief-tree")
    assert "stale, suspended" in words(page, "beliefs-list")
    assert "1 of 2 sources stand" in words(page, "beliefs-list")
    above = open_page("beliefs", belief="B-0002", beliefs_state="stale")
    assert "B-0001 went stale" in words(above, "belief-tree")


def test_what_went_stale_is_stale_in_list_tree_and_export_though_its_source_stands_again(empty_db, ids, open_page):
    active(empty_db, LEDGER, *ids[:2])
    with_lead(empty_db, ids[0], "it was another student")
    restore_episode(empty_db, ids[0], text="the mail was found", person=OPERATOR)
    page = open_page("beliefs", beliefs_state="stale")
    assert "stale, suspended" in words(page, "beliefs-list")
    assert "stale, suspended" in words(page, "belief-tree")
    names, [row] = _all_rows(Desk(empty_db, current_person(empty_db), now()), BeliefsAsked())
    said = dict(zip(names, row, strict=True))
    assert (said["stale"], said["sources_gone"]) == (True, "")


def walk(tree):
    if isinstance(tree, str):
        return
    yield tree
    for child in tree[2:]:
        yield from walk(child)


def with_lead(db, episode_id: int, reason: str) -> None:
    withdraw_episode(db, episode_id, reason=reason, person=OPERATOR)


def test_a_lead_withdraws_an_episode_with_a_reason_and_restores_it(empty_db, ids, open_page):
    active(empty_db, LEDGER, *ids[:3])
    page = open_page("beliefs")
    page.session_state[ASKED] = ("withdraw", ids[0])
    page.run()
    button(page, "do-withdraw").click().run()
    assert "a reason must be written" in all_words(page)
    assert withdrawn(empty_db, ids[0]) is None
    page.text_input(key=f"draft-withdraw-{ids[0]}").input("It was another student")
    button(page, "do-withdraw").click().run()
    assert withdrawn(empty_db, ids[0]) == f"It was another student (by {OPERATOR})"
    assert "E-0001 is withdrawn; B-0001 went stale." in all_words(page)
    assert [one.key for one in page.button if str(one.key).startswith("do-")] == []
    page.session_state[ASKED] = ("restore", ids[0])
    page.run()
    page.text_input(key=f"draft-restore-{ids[0]}").input("The mail was found")
    button(page, "do-restore").click().run()
    assert withdrawn(empty_db, ids[0]) is None


def test_an_act_that_empties_the_list_is_answered_beside_what_the_empty_list_says(empty_db, ids, open_page):
    active(empty_db, LEDGER, *ids[:2])
    page = open_page("beliefs", beliefs_state="in force")
    page.session_state[ASKED] = ("withdraw", ids[0])
    page.run()
    page.text_input(key=f"draft-withdraw-{ids[0]}").input("It was another student")
    button(page, "do-withdraw").click().run()
    assert "No belief fits these filters." in all_words(page)
    assert words(page, "answer-line") == "E-0001 is withdrawn; B-0001 went stale."


def test_an_episode_that_is_held_is_released_by_a_lead(empty_db, open_page):
    held = episode(empty_db, "A held one.", ref="R-9", held="No words are quoted, so nothing proves it.", quotes=[])
    ids = [episode(empty_db, f"It rang, time {one}.", ref=f"R-{one}") for one in range(2)]
    belief(empty_db, LEDGER, held, *ids)
    page = open_page("beliefs")
    assert f"release:{held}" in pressed(page, "belief-tree")
    assert "held: No words are quoted" in words(page, "belief-tree")
    page.session_state[ASKED] = ("release", held)
    page.run()
    page.text_input(key=f"draft-release-{held}").input("The mail proves it")
    button(page, "do-release").click().run()
    with empty_db.reading() as db:
        assert db.get_one(Episode, held).held is None


def test_whoever_is_no_lead_sees_the_tree_and_no_act(empty_db, ids, open_page):
    belief(empty_db, LEDGER, *ids[:2])
    set_person(empty_db, "Ada", {Duty.ADMIN, Duty.LEAD})
    set_person(empty_db, "Aud", {Duty.AUDITOR})
    page = open_page("beliefs", be=sign_in(empty_db, "Aud"))
    assert LEDGER in words(page, "belief-tree")
    assert [one for one in pressed(page, "belief-tree") if one.startswith("withdraw")] == []
    page.session_state[ASKED] = ("withdraw", ids[0])
    page.run()
    assert [one.key for one in page.button if str(one.key).startswith("do-")] == []
    sums = open_page("beliefs", be=sign_in(empty_db, "Aud"), beliefs_part="Sums and runs")
    assert [one.key for one in sums.button if one.key == "draw-beliefs"] == []


def test_filters_stand_in_the_address_and_say_when_nothing_fits(empty_db, ids, open_page):
    active(empty_db, LEDGER, *ids[:2])
    belief(empty_db, LETTER, *ids[2:])
    page = open_page("beliefs", beliefs_state="in force")
    assert LETTER not in words(page, "beliefs-list")
    assert LETTER in words(open_page("beliefs", beliefs_words="course"), "beliefs-list")
    of_user = open_page("beliefs", beliefs_agent="Campus Desk", beliefs_user="student 1")
    assert "2 in this list" in all_words(of_user)
    nobody = open_page("beliefs", beliefs_agent="Campus Desk", beliefs_user="nobody in particular")
    assert "No belief fits these filters." in all_words(nobody)
    assert LEDGER in all_words(open_page("beliefs", beliefs_true="2026-11-02"))
    assert "No belief fits" in all_words(open_page("beliefs", beliefs_known="2026-11-01"))


def test_an_address_that_names_no_belief_says_so_and_shows_the_first(empty_db, ids, open_page):
    belief(empty_db, LEDGER, *ids[:2])
    for ref in ("B-0099", "L-0001", "nonsense"):
        page = open_page("beliefs", belief=ref)
        assert "The first belief of the list is shown." in all_words(page), ref
        assert LEDGER in words(page, "belief-tree")


def test_beliefs_on_beliefs_unfold_and_name_what_rests_on_them(empty_db, ids, open_page):
    low = active(empty_db, LEDGER, *ids[:2])
    active(empty_db, LETTER, place(empty_db, low), ids[2])
    page = open_page("beliefs", belief="B-0002")
    tree = words(page, "belief-tree")
    assert "Belief B-0002 v1 · on beliefs" in tree
    assert "The user asked, time 0." in tree
    assert "belief:B-0001" in pressed(page, "belief-tree")
    below = open_page("beliefs", belief="B-0001")
    assert "Rests on it" in words(below, "belief-tree")
    assert "belief:B-0002" in pressed(below, "belief-tree")


def test_the_export_holds_every_row_of_the_list(empty_db, ids, open_page):
    belief(empty_db, LEDGER, *ids[:2])
    names, rows = _all_rows(Desk(empty_db, current_person(empty_db), now()), BeliefsAsked())
    assert names == EXPORTED
    assert [(row[0], row[5], row[11]) for row in rows] == [("B-0001", LEDGER, 2)]
    assert all(len(row) == len(EXPORTED) for row in rows)


def test_a_question_about_a_pattern_is_answered_by_beliefs_and_one_about_an_event_by_episodes(empty_db, ids, open_page):
    active(empty_db, LEDGER, *ids[:2])
    of = {"beliefs_part": "Ask", "beliefs_of": "Campus Desk", "beliefs_for": "student 1"}
    page = open_page("beliefs", **of, beliefs_question="What does she usually want?")
    answer = drawn(page, "belief-answers")
    assert "Beliefs answer, with their episodes. It asks about a pattern: “usually”" in text_of(answer)
    assert LEDGER in text_of(answer)
    assert "The user asked, time 1." in text_of(answer)
    assert "What does she usually want" in [text_of(one) for one in walk(answer) if one[0] == "b"]
    event = open_page("beliefs", **of, beliefs_question="When did the user ask last?")
    said = words(event, "belief-answers")
    assert "Episodes answer. It asks about one event: “When did”" in said
    assert "recency" in said
    assert LEDGER not in said
    other = open_page("beliefs", **{**of, "beliefs_for": "nobody in particular"}, beliefs_question="What usually?")
    assert "Nothing that is remembered answers it." in words(other, "belief-answers")


def test_sums_say_how_far_each_user_is_and_without_a_model_nothing_is_drawn(empty_db, ids, open_page):
    with empty_db.writing() as db:
        admit(db, [db.get_one(Episode, one) for one in ids], environ={})
    page = open_page("beliefs", beliefs_part="Sums and runs")
    assert "3.20 of 15.00" in words(page, "belief-sums")
    assert "4 of 50" in words(page, "belief-sums")
    assert "No run has drawn beliefs yet." in words(page, "belief-runs")
    button(page, "draw-beliefs").click().run()
    assert "model" in words(page, "answer-line")
    with empty_db.reading() as db:
        assert db.exec(select(Consolidation)).all() == []


def test_a_run_is_shown_with_what_was_dropped_and_why(empty_db, ids, open_page):
    with empty_db.writing() as db:
        admit(db, [db.get_one(Episode, one) for one in ids], environ={})
        agent = db.exec(select(Agent.id)).first()
        shown = {"id": ids[0], "recency": 0.5, "importance": 0.8, "similarity": 0.25, "score": 0.1}
        db.add(
            Consolidation(
                memory="beliefs",
                agent_id=agent or 0,
                user_key="student 1",
                state="done",
                by="importance of episodes",
                hundredths=1500,
                queued_at=now(),
                material={"questions": [{"question": "What is <b>so</b>?", "skipped": "", "episodes": [shown]}]},
                found={"questions": 1, "beliefs": 2, "dropped": {"one citation": 1, "repeats a source": 2}},
            )
        )
    page = open_page("beliefs", beliefs_part="Sums and runs", run="1")
    runs = words(page, "belief-runs")
    assert "2 new beliefs · 1 dropped: one citation · 2 dropped: repeats a source" in runs
    run = words(page, "belief-run")
    assert "What is <b>so</b>?" in run
    assert "0.250" in run
    assert "The user asked, time 0." in run


def test_runs_are_shown_where_no_episode_is_counted(empty_db, ids, open_page):
    of = {"beliefs_part": "Sums and runs"}
    assert "No episode has been counted yet." in all_words(open_page("beliefs", **of))
    with empty_db.writing() as db:
        admit(db, [db.get_one(Episode, one) for one in ids], environ={})
        agent = db.exec(select(Agent.id)).first() or 0
        run = {"memory": "beliefs", "agent_id": agent, "user_key": "", "state": "done", "by": "Ada", "queued_at": now()}
        db.add(Consolidation(**run))
    page = open_page("beliefs", **of, beliefs_agent="Campus Desk", beliefs_user="nobody in particular", run="1")
    assert "No episode has been counted for this agent and user yet." in all_words(page)
    assert "Ada" in words(page, "belief-runs")
    assert "It came to no question." in words(page, "belief-run")


HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$ :red[no] ![p](http://example.org/a.png)"


def test_hostile_texts_are_shown_as_they_were_written(empty_db, open_page):
    ids = [episode(empty_db, f"{HOSTILE} {one}", ref=f"<b>R-{one}</b>", user="<i>cleo</i>") for one in range(2)]
    belief(empty_db, f"This user writes {HOSTILE}", *ids, user="<i>cleo</i>")
    page = open_page("beliefs")
    tree = words(page, "belief-tree")
    assert f"This user writes {HOSTILE}" in tree
    assert f"{HOSTILE} 0" in tree
    assert f"This user writes {HOSTILE}" in words(page, "beliefs-list")
    assert not [one for one in page.markdown if "onerror" in one.value]
    of = {"beliefs_part": "Ask", "beliefs_of": "Campus Desk", "beliefs_for": "<i>cleo</i>"}
    asked = open_page("beliefs", **of, beliefs_question=f"What does she usually say to {HOSTILE}?")
    assert HOSTILE in words(asked, "belief-answers")


def test_signs_that_turn_the_writing_are_named_and_turn_nothing(empty_db, open_page):
    turned = "The user wrote \u202eesrever\u202c in the mail."
    ids = [episode(empty_db, f"{turned} {one}", ref=f"R-{one}") for one in range(2)]
    belief(empty_db, LEDGER, *ids)
    tree = words(open_page("beliefs"), "belief-tree")
    assert "\u202e" not in tree
    assert "esrever" in tree


def test_episodes_are_listed_and_one_that_nothing_rests_on_is_released_there(empty_db, open_page):
    episode(empty_db, f"It rang {HOSTILE}", ref="R-1")
    held = episode(empty_db, "A held one.", ref="R-2", held="Its importance is doubtful.", days=1)
    of = {"beliefs_part": "Episodes"}
    page = open_page("beliefs", **of)
    assert f"It rang {HOSTILE}" in words(page, "episodes-table")
    assert "Its importance is doubtful." in words(page, "episodes-table")
    only = open_page("beliefs", **of, episodes_standing="held")
    assert "It rang" not in words(only, "episodes-table")
    button(only, f"ask-release-{held}").click().run()
    only.text_input(key=f"draft-release-{held}").input("The mail proves it")
    button(only, "do-release").click().run()
    with empty_db.reading() as db:
        assert db.get_one(Episode, held).held is None
    assert "No episode fits these filters." in all_words(only)
    assert "E-0002 is released and counts from now on." in words(only, "answer-line")


def test_an_episode_that_the_address_names_is_chosen_though_the_filters_leave_it_out(empty_db, ids, open_page):
    of = {"beliefs_part": "Episodes", "episodes_standing": "stands"}
    with_lead(empty_db, ids[1], "it was another student")
    page = open_page("beliefs", **of, episode="E-0002")
    assert "E-0002 is chosen and stands above them" in words(page, "episodes-table")
    assert button(page, "ask-").label == "Restore E-0002…"
    assert page.query_params["episode"] == "E-0002"
    inside = open_page("beliefs", **of, episode="E-0001")
    assert button(inside, "ask-").label == "Withdraw E-0001…"
    assert "stands above" not in words(inside, "episodes-table")


@pytest.mark.parametrize("name", ["E-0099", "nonsense", "E-" + "9" * 40])
def test_an_address_that_names_no_episode_says_so_and_shows_the_first(empty_db, ids, open_page, name):
    page = open_page("beliefs", beliefs_part="Episodes", episode=name)
    assert words(page, "answer-line") == f"There is no episode {name}. The first one of the list is shown."
    assert button(page, "ask-").label == "Withdraw E-0004…"


def test_episodes_are_listed_as_of_two_days(empty_db, ids, open_page):
    of = {"beliefs_part": "Episodes"}
    first = words(open_page("beliefs", **of, beliefs_true=START.date().isoformat()), "episodes-table")
    assert "E-0001" in first
    assert "E-0004" not in first
    assert "No episode fits these filters." in all_words(open_page("beliefs", **of, beliefs_known="2020-01-01"))


def test_an_episode_that_nobody_chose_does_not_stay_when_the_list_is_narrowed(empty_db, ids, open_page):
    page = open_page("beliefs", beliefs_part="Episodes")
    assert "E-0004" in words(page, "episodes-table")
    page.date_input(key="beliefs_true").set_value(START.date()).run()
    assert "E-0004" not in words(page, "episodes-table")


def test_the_export_of_episodes_names_the_beliefs_on_each(empty_db, ids, open_page):
    belief(empty_db, LEDGER, *ids[:2])
    names, rows = all_rows(Desk(empty_db, current_person(empty_db), now()), EpisodesAsked())
    assert names[0] == "episode"
    assert [(row[0], row[-1]) for row in rows] == [
        ("E-0004", ""), ("E-0003", ""), ("E-0002", "B-0001"), ("E-0001", "B-0001"),
    ]  # fmt: skip
