"""Every error of the tree survives being pickled, as the engine of jobs does with what a step raises."""

import inspect
import pickle
from collections.abc import Iterator

import pytest

from core.errors import BadRecord, ModelBusy, TutelageError


def tree(kind: type[TutelageError] = TutelageError) -> Iterator[type[TutelageError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from tree(each)


def made(kind: type[TutelageError]) -> TutelageError:
    """An error of this kind, with a fact for each parameter of its constructor."""
    if kind.__init__ is Exception.__init__:
        return kind("text")
    facts = {"accepted": ("a", "b"), "attempts": 2, "place": 7, "retry_in": 3.5}
    names = list(inspect.signature(kind.__init__).parameters)[1:]
    return kind(**{name: facts.get(name, name) for name in names})


@pytest.mark.parametrize("kind", list(tree()), ids=lambda kind: kind.__name__)
def test_every_error_is_the_same_after_it_was_pickled(kind):
    error = made(kind)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_facts_that_were_added_later_are_kept():
    error = ModelBusy("server", "said", 2, 7.0)
    error.tried = ("an attempt",)
    assert pickle.loads(pickle.dumps(error)).tried == ("an attempt",)
    assert pickle.loads(pickle.dumps(BadRecord(3, "broken", "record"))).unit == "record"
