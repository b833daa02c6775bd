"""The code checks on a draft: only what is wrong in its own words, and all of that at once."""

from core.checks import Policy
from core.checks.before_sending import findings_on_draft
from core.vocabulary import Role

POLICY = Policy(
    id="no-promises", title="No promises", owner="o", version=1, date="2026-01-01", text="", words=("I guarantee",)
)


def test_a_promise_that_a_tool_refused_is_found_in_the_draft(talk, words) -> None:
    case = talk.user("Can I have my money back?").tool("refund", {"status": "rejected"}, failed=True)
    case = case.agent("I have processed your refund.").case()
    (finding,) = findings_on_draft(case)
    assert finding.check == "claimed_not_done"
    assert words(case, finding)[0] == "I have processed your refund."


def test_what_is_wrong_before_the_draft_is_not_its_fault(talk) -> None:
    case = talk.user("It cost ₹731, I think.").tool("order", "nothing found").agent("I will look it up.").case()
    assert findings_on_draft(case) == []


def test_every_sentence_that_breaks_a_policy_is_named(talk, words) -> None:
    draft = "I guarantee that you will pass the exam. The rest is easy. I guarantee a place in the next course."
    case = talk.user("Will I pass?").agent(draft).case(policies=(POLICY,))
    found = findings_on_draft(case)
    assert [finding.check for finding in found] == ["policy_words", "policy_words"]
    assert all(words(case, finding)[0] in draft for finding in found)
    assert len({words(case, finding)[0] for finding in found}) == 2


def test_a_feeling_that_the_draft_passes_over_is_found_once_with_the_words_of_the_draft_first(talk) -> None:
    case = talk.user("I am so frustrated with this.").agent("Your order is on its way. It comes soon.").case()
    found = findings_on_draft(case)
    assert [finding.check for finding in found] == ["missed_signals"]
    assert [case.transcript.messages[span.turn].role for span in found[0].spans] == [Role.ASSISTANT, Role.USER]


def test_a_draft_full_of_faults_ends(talk) -> None:
    draft = " ".join(f"I guarantee result number {number} for you." for number in range(40))
    assert 1 < len(findings_on_draft(talk.user("Well?").agent(draft).case(policies=(POLICY,)))) < 10
