"""Names that must not be stored as they are stay apart all the same."""

from core.screening.named import name_kept


def test_an_ordinary_name_is_kept_to_the_character() -> None:
    for name in ("asha", "asha ", "Asha", "student 4417", "a@b.example", "", "आशा"):
        assert name_kept(name) == name


def test_two_names_that_are_card_numbers_stay_two_and_hold_no_number() -> None:
    one, other = name_kept("4111111111111111"), name_kept("5500005555555559")
    assert one != other
    assert not any(digits in one + other for digits in ("4111", "5500"))
    assert name_kept("4111111111111111") == one


def test_a_name_that_was_kept_before_stays_as_it_is() -> None:
    assert name_kept(name_kept("4111111111111111")) == name_kept("4111111111111111")
