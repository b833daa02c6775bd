"""Sources in other scripts and with letters that fold oddly: true classes. The sentences were made up for this."""

import json
import random
import re
from collections.abc import Callable, Sequence

from bench.evidence.noise import Noise, written
from bench.evidence.samples import Labelled, Passage, with_message
from core.evidence.contract import Span
from core.vocabulary import Role

_CHINESE = (
    "您好，退款会在五个工作日内原路退回到您的银行卡，请您留意短信通知。",
    "如果包裹在运输途中破损，我们会为您免费重新寄送同款商品，并承担全部运费。",
)
_JAPANESE = (
    "ご注文の商品は明日の午前中にお届けする予定ですので、配達状況をご確認ください。",
    "返金の手続きは本日中に完了し、カード会社から三日以内に通知が届きます。",
)
_KOREAN = ("환불은 영업일 기준 오일 이내에 처음 결제하신 카드로 처리되며 문자로 알려 드립니다.",)
_THAI = ("ทางเราจะคืนเงินเข้าบัญชีของลูกค้าภายในห้าวันทำการและจะส่งข้อความแจ้งให้ทราบ",)
_ARABIC = ("سيتم تحويل المبلغ المسترد إلى بطاقتكم البنكية خلال خمسة أيام عمل من اليوم.",)
_HEBREW = ("ההחזר הכספי יועבר לכרטיס האשראי שלכם תוך חמישה ימי עסקים מהיום.",)
_HINDI = ("आपका पैसा पाँच कार्य दिवसों के भीतर उसी बैंक खाते में वापस भेज दिया जाएगा।",)
_TURKISH = ("İade tutarı İstanbul şubesinden aynı karta beş iş günü içinde yatırılır dedim.",)
_GREEK = ("Ο πελάτης μας ζήτησε επιστροφή χρημάτων και ο υπεύθυνος ενέκρινε τις αλλαγές της παραγγελίας.",)
_GERMAN = ("Die große Straße schließt draußen außerdem zum Spaß um sechzehn Uhr dreißig.",)


def _clause(sentences: Sequence[str], fewest: int = 10) -> Noise:
    """Some characters on end of a script without spaces, marks and all."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        sentence = chance.choice(sentences)
        start = chance.randrange(len(sentence) - fewest)
        end = chance.randint(start + fewest, len(sentence))
        return _said(found, sentence, start, end, str)

    return made


def _words(sentences: Sequence[str], change: Callable[[str], str], fewest: int = 5) -> Noise:
    """Some words of a sentence, typed otherwise."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        sentence = chance.choice(sentences)
        words = list(re.finditer(r"\S+", sentence))
        first = chance.randrange(len(words) - fewest + 1)
        last = chance.randint(first + fewest, len(words)) - 1
        return _said(found, sentence, words[first].start(), words[last].end(), change)

    return made


def _said(found: Passage, sentence: str, start: int, end: int, change: Callable[[str], str]) -> Labelled:
    transcript = with_message(found.transcript, Role.ASSISTANT, sentence)
    return Labelled(change(sentence[start:end]), transcript, (Span(len(transcript.messages) - 1, start, end),))


def _directed(text: str) -> str:
    """The text between marks that set its direction, as it is copied out of a page."""
    return f"\u2067{text}\u2069\u200f"


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


SCRIPTS: dict[str, Noise] = {
    "source with ß": written(lambda text: re.sub(r"ss(?![A-Z])", "ß", text)),
    "ß in the source, ss in the quote": _words(_GERMAN, lambda text: text.replace("ß", "ss")),
    "ß in the source, capitals": _words(_GERMAN, str.upper),
    "İ in the source, lower case": _words(_TURKISH, str.lower),
    "İ in the source, NFD": _words(_TURKISH, lambda text: text.replace("İ", "I\u0307")),
    "final sigma, capitals": _words(_GREEK, str.upper),
    "Chinese": _clause(_CHINESE),
    "Chinese, marks dropped": _words(_CHINESE, lambda text: re.sub("[，。]", "", text), 1),
    "Chinese, ASCII marks": _words(_CHINESE, lambda text: text.replace("，", ", ").replace("。", "."), 1),
    "Chinese, wrapped lines": _words(_CHINESE, lambda text: re.sub("(.{8})", r"\1\n", text), 1),
    "Japanese": _clause(_JAPANESE),
    "Japanese, half width": _words(_JAPANESE, lambda text: text.replace("カード", "ｶｰﾄﾞ"), 1),
    "Korean": _words(_KOREAN, str),
    "Thai": _words(_THAI, str, 1),
    "Arabic": _words(_ARABIC, str),
    "Arabic between direction marks": _words(_ARABIC, _directed),
    "Hebrew": _words(_HEBREW, str),
    "Hebrew between direction marks": _words(_HEBREW, _directed),
    "Hindi": _words(_HINDI, str),
    "a path, JSON-escaped": _words((r"Please open C:\Users\anna\notes.txt and look at \epsilon there.",), _escaped),
}
