"""Which words turn a sentence round.

Evidence. A negation is never folded away, never guessed, and never hidden by an ellipsis without a person being told.
The list holds the everyday negations of the languages that support transcripts are written in. Accents count: the
Vietnamese “nó” is not the English “no”.
"""

import re

from core.evidence.characters import folded

_ENGLISH = (
    "not no never none nor neither nobody nothing nowhere cannot without hardly scarcely barely unless except non "
    "dont cant wont isnt arent wasnt werent doesnt didnt havent hasnt hadnt shouldnt wouldnt couldnt mustnt neednt aint"
)
_GERMANIC = (
    "nicht kein keine keinen keinem keiner keines nie niemals ohne nichts niemand weder "
    "niet geen nooit zonder ikke aldri uten inte aldrig utan"
)
_ROMANCE = (
    "ne pas jamais sans aucun aucune nunca jamás jamas sin nada nadie tampoco ningún ninguno ninguna "
    "senza nessun nessuno nessuna não nao sem nem nenhum nenhuma"
)
_OTHERS = (
    "nigdy nelze nikdy ніколи ei eivät älä না নয় নেই "
    "nie bez değil hayır yok asla nahi nahin không chẳng chưa đừng tidak bukan jangan tanpa "
    "не нет ни никогда без нельзя नहीं नही मत ना बिना لا لم لن ليس غير بدون לא אין בלי 안 못 없이 δεν μην χωρίς"
)
WORDS = frozenset(folded(" ".join((_ENGLISH, _GERMANIC, _ROMANCE, _OTHERS))).split())

_INSIDE = re.compile(
    folded(
        "不|没|沒|無|无|未|非(?!常)|(?<![特分区區类類级級个個])[别別](?![的人])|勿|莫|ない|なし|なかっ|ません|ずに|なく|않|없|못|ไม่|ห้าม"
    )
)


def is_negation(key: str) -> bool:
    """Whether a folded word (see ``characters.folded``) negates."""
    return key in WORDS or key.endswith("n't") or (not key.isascii() and holds_negation(key))


def holds_negation(key: str) -> bool:
    """Whether folded text of a script without spaces, or of one that glues endings on, holds a negation."""
    return bool(_INSIDE.search(key))
