"""The transcript drawn by the desk; a button moves the light to the next quote."""

from bench.transcript_view import sample
from ui.drawing import WALK, bring_code, draw
from ui.transcript import transcript_tree

said, quotes, light = sample.opened()
bring_code()
stops = [(quote.number, "") for quote in quotes]
tree = transcript_tree(sample.SESSION, said, quotes)
draw(tree, key="words", place="S-0001", light=light, stops=stops, keys=WALK)
