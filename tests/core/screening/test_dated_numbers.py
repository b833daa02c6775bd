"""A number of a person that reads like a date is masked where it is called one, and not as the name of a run."""

import pytest

from core.screening.secrets import find_secrets, mask

RUNS = (
    "the blob starts with “seed=20240517-0917” and goes on with zeros",
    "run 20240517-0917 failed",
    "restored the copy of 240517-1436",
    "build_id = '850709-9805'",
    "config['salt'] = 19850709-9805",
    "nonce=850101-1234567",
)
PERSONS = (
    "my number is 850709-9805",
    "Kund: 20240517-0917",
    "personnummer=20240517-0917",
    "social security: 240517-1436",
    "resident_number = 850101-1234567",
)


@pytest.mark.parametrize("text", RUNS)
def test_the_name_of_a_run_stays(text):
    assert mask(text).text == text


@pytest.mark.parametrize("text", PERSONS)
def test_the_number_of_a_person_is_masked(text):
    assert [secret.code for secret in find_secrets(text, personal=False)]
