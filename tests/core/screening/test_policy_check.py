"""Each policy stands beside a text with the sentence that may clash with it, and with no more than that."""

from core.checks.policies import FOLDER, load_policies
from core.screening.contract import PolicyText
from core.screening.policy_check import look_at_policies

POLICIES = tuple(PolicyText(p.id, p.title, p.version, p.text, p.words) for p in load_policies(FOLDER))
REFUND = tuple(one for one in POLICIES if one.id == "campus-refund-window")


def test_what_clashes_stands_first_with_the_sentence_and_how_it_clashes() -> None:
    first, *others = look_at_policies("Promise a refund within 30 days of the purchase.", POLICIES)
    assert (first.policy, first.version) == ("campus-refund-window", 5)
    assert first.sentence.startswith("A course is refunded in full within 7 days of purchase")
    assert first.finding is not None
    assert first.finding.code == "against_policy:number"
    assert all(one.finding is None for one in others)


def test_the_shared_words_are_those_of_the_sentence_as_they_stand_in_it() -> None:
    (look,) = look_at_policies("Promise a REFUND within 30 days of the purchase.", REFUND)
    assert look.shared == ("refunded", "days", "purchase")
    assert all(word in look.sentence for word in look.shared)


def test_where_nothing_clashes_the_sentence_with_most_words_in_common_is_shown() -> None:
    (look,) = look_at_policies("Tell the student how to reach Student Services.", REFUND)
    assert look.finding is None
    assert look.sentence.endswith("passes the case to Student Services.")


def test_a_policy_that_speaks_of_something_else_says_so() -> None:
    (look,) = look_at_policies("Greet the caller by name.", REFUND)
    assert (look.speaks_of_it, look.sentence, look.shared) == (False, "", ())


def test_words_without_weight_are_not_shared_words() -> None:
    (look,) = look_at_policies("Until the end of the call, be of help and in time.", REFUND)
    assert not look.speaks_of_it


def test_one_common_word_that_is_shared_says_nothing_and_two_words_do() -> None:
    policy = PolicyText("delays", "Late parcels", 1, "The courier gives a new day. Nobody names an hour.", ())
    (alone,) = look_at_policies("Thank whoever gives you praise.", (policy,))
    assert not alone.speaks_of_it
    (two,) = look_at_policies("Give the day at once.", (policy,))
    assert two.shared == ("gives", "day")


def test_one_word_that_is_not_common_says_what_a_policy_speaks_of() -> None:
    (look,) = look_at_policies("Thank the courier.", (PolicyText("delays", "Late", 1, "The courier gives a day.", ()),))
    assert look.shared == ("courier",)


def test_a_verb_of_the_title_says_what_a_policy_speaks_of() -> None:
    (look,) = look_at_policies("Refund at the counter.", REFUND)
    assert look.speaks_of_it


def test_another_text_of_the_item_counts_where_it_clashes() -> None:
    quiet = "Greet the caller by name."
    (look,) = look_at_policies(quiet, REFUND, ("Refund within 30 days of the purchase",))
    assert look.finding is not None


def test_no_policy_no_look() -> None:
    assert look_at_policies("Promise a refund.", ()) == ()
