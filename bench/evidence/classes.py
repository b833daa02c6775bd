"""All classes of labelled quotes: the true ones, which must be found where they stand, the false ones, which must not,
and those of which nothing is promised."""

from bench.evidence.attributions import ATTRIBUTIONS
from bench.evidence.cuts import CUTS
from bench.evidence.falsehoods import CHANGES, Falsehood
from bench.evidence.joins import JOINS
from bench.evidence.layouts import LAYOUTS, OPEN_LAYOUTS
from bench.evidence.noise import RETYPED, Noise
from bench.evidence.scripts import SCRIPTS

TRUE_CLASSES: dict[str, Noise] = {**RETYPED, **LAYOUTS, **SCRIPTS}
FALSE_CLASSES: dict[str, Falsehood] = {**CHANGES, **ATTRIBUTIONS, **CUTS, **JOINS}
OPEN_CLASSES: dict[str, Noise] = {**OPEN_LAYOUTS}
