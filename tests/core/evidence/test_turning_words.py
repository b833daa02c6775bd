"""What turns a meaning: hidden in a gap it holds a quote, beside a quote it is flagged, in every language listed."""

import pytest

from core.evidence.languages import language_data, likely_languages, listed
from core.evidence.negation import Turning, is_negation, may_turn
from core.evidence.tokens import tokens
from core.evidence.turns import hides_negation
from core.vocabulary import Verdict
from tests.core.evidence.spoken import asked


def _hidden(parted: str) -> bool:
    before, gap, after = parted.split("|")
    return hides_negation(before + gap + after, len(before), len(before) + len(gap))


@pytest.mark.parametrize(
    "parted",
    [
        "Il rimborso del biglietto non viene |mai| concesso ai clienti che lo chiedono",
        "Il rimborso viene concesso |senza| alcun costo aggiuntivo per il cliente",
        "Di questi clienti |nessuno| riceve il rimborso del biglietto",
        "Lütfen bu ödemeyi |yapmayın| hesabınızdan bugün",
        "Bu ücreti size |iade etmiyoruz| ve hesabınızı kapatıyoruz",
        "Ücretin iadesi bu pakette |olmaz| dedi müşteri temsilcisi",
        "Paketinizi |iadesiz| olarak satın aldınız bugün için",
        "Bu tutar size ait |değil| hesap numarası için",
        "Wir erstatten Ihnen |keinesfalls| die volle Gebühr zurück",
        "Wir erstatten Ihnen |keineswegs| die volle Gebühr zurück",
        "Wir zahlen alles |außer| den Versandkosten an Sie",
        "Eine Erstattung ist |ausgeschlossen| wenn der Kunde zahlt",
        "Devolvemos todo el importe |excepto| los gastos de envío",
        "Devolvemos todo el importe |salvo| los gastos de envío",
        "No se reembolsa |jamás| el importe del billete",
        "Puede usted cancelar |ni| hoy ni mañana su pedido de la tienda",
        "Reembolsamos o valor |exceto| o frete do seu pedido",
        "Nous remboursons la totalité |sauf| les frais de port",
        "Nous n'acceptons |aucun| remboursement de votre commande",
        "Nous remboursons |guère| les frais de port à nos clients",
        "Le client |ni| la banque ne paie les frais pour vous",
        "Comanda dumneavoastră |nu| va fi rambursată de bancă",
        "Banii se returnează |fără| taxe suplimentare pentru client",
        "Rambursarea |niciodată| se face în numerar la noi",
        "Повернення коштів |немає| у цьому тарифі для вас",
        "Гроші повертаємо |крім| вартості доставки для вас",
        "Гроші повертаємо |без| комісії для вас",
        "Возврата денег |нет| в этом тарифе для вас",
        "Мы возвращаем всё |кроме| доставки для вас",
        "Деньги вернуть |нельзя| по этому тарифу",
        "Zwrotu pieniędzy |brak| w tym planie dla klienta się",
        "Klient otrzyma zwrot |bez| opłaty i się to jest",
        "Vaše peníze |nevrátíme| protože je to po lhůtě, dříve",
        "Uw geld krijgt u |nooit| terug van de bank",
        "Vi betalar tillbaka allt |utom| frakten för dig och det är",
        "Επιστρέφουμε τα χρήματα |χωρίς| τα έξοδα αποστολής",
        "Επιστρέφουμε τα πάντα |εκτός| από τα έξοδα",
        "سوف نعيد لك |كل شيء إلا| رسوم الشحن",
        "هذا الطلب |لن| يتم رده اليوم",
        "الرسوم |غير| قابلة للاسترداد اليوم",
        "אנחנו |לא| נחזיר לך את הכסף",
        "אנחנו מחזירים |בלי| עמלה את הכסף",
        "यह शुल्क |वापस नहीं| किया जाएगा आपको",
        "कृपया |मत| करें यह भुगतान",
        "我们会退还费用|除非|您已经使用服务",
        "我们会退款|除了|运费以外的费用",
        "您的费用|无法|退还给您的账户",
        "手数料は|返金しません|のでご了承ください",
        "手数料は確認|せずに|返金いたしますので",
        "返金は|行わず|交換いたします",
        "수수료는 |환불되지 않|으며 교환만 됩니다",
        "수수료는 |안| 돌려드립니다 고객님",
        "환불은 |불가|하며 교환만 가능합니다",
        "We refund the fee |only if| you ask within a week",
        "We pay |only| if you ask within a week",
        "We refund the fee |unless| you used it",
        "Our agents |rarely| refund the fee",
        "We were |unable| to refund the fee",
        "The bank has |refused to| refund the fee",
        "We |failed to| check your account",
        "It is |far from| certain that you pay",
        "We exchange it |instead of| refunding the fee",
        "We |no longer| refund the fee",
        "Nenhum valor é devolvido |nunca| ao cliente para você",
        "Không hoàn phí |trừ khi| bạn gọi cho chúng tôi",
        "Kami |tidak| mengembalikan biaya itu kepada anda",
        "ما |نمی‌توانیم| این هزینه را برای شما برگردانیم",
        "Müşterilerimiz bu kampanyada |kesinlikle indirimsiz| fiyatı ödemek zorunda kalır",
        "เราจะคืนเงินให้คุณ |ยกเว้น|ค่าจัดส่งสินค้าทั้งหมดค่ะ",
        "آپ کی رقم آج واپس |نہیں کی| جائے گی اور یہ آخری ہے",
        "Nem térítjük |vissza soha| a pénzt önnek, és ez végleges",
    ],
)
def test_a_gap_that_turns_the_meaning_is_known(parted: str) -> None:
    assert _hidden(parted)


@pytest.mark.parametrize(
    "parted",
    [
        "Wir sehen uns |im Mai| und zahlen die Gebühr an Sie",
        "Vă rugăm să |mai| așteptați până la plata comenzii din cont",
        "Vi skickar det |nu| och du får det i morgon",
        "Lütfen |ödeme| işlemini tamamlayın ve bize yazın",
        "Bu |ödemeyi| almanız için lütfen bize yazın",
        "Tamam, |tamam| hemen iade ediyoruz bu tutarı",
        "Fransız |müşteri| için bu ücretsiz bir hizmet",
        "We fold a sense |of ease and| sin into it for you",
        "The |new and near| network is ready for you",
        "请您|非常|放心我们会退款",
        "本次退款将在三天内|以外币|原路退回您的账户",
        "เราจะคืนเงินให้คุณ|อย่างรวดเร็ว|ภายในสามวัน",
        "我们|未来|会退还费用给您",
        "まず|必ず|返金いたしますのでお待ちください",
        "すみません|すみません|返金いたします",
        "고객님 |안내| 드리겠습니다 지금",
        "ご|無料|で返金いたしますので",
        "Jag vet att |ni| får pengarna i morgon på er konto",
        "Le client est nu |et| il paie pour vous",
        "V neděli |nebo| v pondělí vám to vrátíme, děkujeme",
        "Je te zien |even| voor de deur van het huis",
        "Tak, |tak| pan dostanie zwrot w poniedziałek",
        "אני |מלא| הערכה אליך",
        "كل |شيء| على ما يرام اليوم",
        "हम |आपको| पैसे वापस करेंगे",
    ],
)
def test_a_word_that_negates_in_another_language_only_holds_nothing(parted: str) -> None:
    assert not _hidden(parted)


def _flags(parted: str) -> list[str]:
    """The flags of a quote that ends or begins at the bar; the side with more words is quoted."""
    before, after = parted.split("|")
    quote = max(before, after, key=lambda side: (len(side.split()), len(side))).strip()
    grounding, _ = asked(before + after, quote)
    assert grounding.verdict in (Verdict.EXACT, Verdict.FOLDED)
    return [flag.code for flag in grounding.flags]


@pytest.mark.parametrize(
    "parted",
    [
        "You must never, under any circumstances, |approve the refund of this order by hand",
        "Never, under any circumstances, |approve the refund of this order by hand",
        "We will not (as a rule) |refund the fee of a used ticket",
        "We will not – as things are – |refund the fee of a used ticket today",
        "We are unable to |refund the fee to you",
        "The bank refused to |refund the fee to you today",
        "It is not true that |we refund the fee to you today",
        "I won't be able to |cancel the whole booking for you",
        "Never—and I mean that—|share the code with anyone else",
        "You cannot, I am afraid, |get the whole fee of the ticket back",
        "Not a single |refund of the fee was made",
        "I do not think that |we refund the fee to you today",
        "Wir können keinesfalls |die volle Gebühr heute erstatten",
        "Non potete mai |chiedere il rimborso del biglietto",
        "Vous ne pouvez sans accord |obtenir le remboursement de la commande",
        "Lütfen siz asla |bu ücreti hemen iade edin",
        "Мы никогда вам |не возвращали эти деньги за заказ",
        "您不可以|在今天之内退还全部费用",
        "We must not\n|swap every seat of the train at once",
        "The line goes on to the margin of the page, and we will never\n"
        "|Swap a seat of the train at our desk at any hour of the day",
        "It is <b>not</b> |refundable after the first of June",
        "❌ |Swaps are free for all the seats",
        "- ❌ **|Swaps are free** for all the seats",
        "👎🏽 |换座对所有乘客都是免费的",
    ],
)
def test_a_quote_that_starts_after_its_negation_is_flagged(parted: str) -> None:
    assert "negation_before_quote" in _flags(parted)


@pytest.mark.parametrize(
    "parted",
    [
        "To refund the fee of a used ticket |is not allowed",
        "We refund the fee of a used ticket |only if you ask",
        "Refunds of the fee of a ticket will |under no circumstances be made",
        "Es heißt, dass wir die Gebühr |nicht erstatten",
        "Wir erstatten Ihnen heute die Gebühr |leider nicht",
        "お客様の返金を本日承認|しません",
        "お客様の返金を本日承認|することはできません",
        "고객님의 환불을 오늘 승인하지 |않습니다",
        "고객님의 환불을 오늘 해 드릴 수 |없습니다",
        "Bu ücreti bugün size iade |etmiyoruz",
        "हम आज आपका शुल्क वापस |नहीं करेंगे",
        "在今天之内退还全部费用|是不允许的",
        "Swaps are free for all the seats| ❌\nMeals are free ✅",
        "Swaps for all of the seats|: ❌",
    ],
)
def test_a_quote_that_ends_before_its_negation_is_flagged(parted: str) -> None:
    assert "negation_after_quote" in _flags(parted)


@pytest.mark.parametrize(
    "parted",
    [
        "No, |we refund the fee of your ticket",
        "No, I think, |we refund the fee of your ticket",
        "Please do not hesitate to |call us about the refund",
        "N'hésitez pas à |nous appeler dès demain matin",
        "Не стесняйтесь |звонить нам в любое время дня",
        "I have no doubt that |we refund the whole fee",
        "We not only |refund the fee of your ticket today",
        "If they don't, or if you feel unwell, |we refund the fee",
        "We must not.\n\n|Refund the fee of your ticket",
        "We refund the fee of your ticket|. Not today",
        "We refund the fee of your ticket|, not the tax",
        "We refund the fee of your ticket |but not the tax",
        "We refund the fee of your ticket |without delay",
        "We refund the fee of a ticket |that's not used",
        "Bu iadeyi sizin bugün onaylamanız gerekir |ama asla kendiniz yapmayın",
        "نعيد لك الرسوم كلها اليوم |ولا نعيد الشحن",
        "אנחנו מחזירים לך את כל העמלה |אבל לא את המשלוח",
        "本日中に返金を承認します|。手数料はかかりません",
        "我们今天会退还全部费用|,但不退运费",
        "Wir zahlen im Mai |die Gebühr für Sie zurück",
        "What we do not\n|We swap every seat at once today",
        "**Things We Never Did**\n\n|You may swap every seat of the train",
        "<span style='display:none'>|not refundable after the first of June</span>",
        "✅ |Swaps are free for all the seats",
        "Swaps are free for all the seats |❌ Meals are not",
        "It is done. ❌\n|Swaps are free for all the seats",
    ],
)
def test_a_negation_of_another_clause_turns_no_quote(parted: str) -> None:
    assert _flags(parted) == []


def test_a_phrase_counts_where_its_beginning_is_hidden() -> None:
    grounding, words = asked("We will pay it only if you ask us.", "We will pay it ... if you ask us")
    assert grounding.verdict is Verdict.ELISION_HIDES_NEGATION
    assert words == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Il rimborso è sul conto e ci vuole un giorno", "it"),
        ("Bu ücret için bir iade var", "tr"),
        ("Die Gebühr ist auf dem Weg", "de"),
        ("Vă trimitem banii în cont", "ro"),
    ],
)
def test_everyday_words_tell_the_language(text: str, language: str) -> None:
    assert likely_languages(text) == {language}


def test_a_text_that_tells_too_little_may_be_in_any_language() -> None:
    assert likely_languages("10 kg") == frozenset(language_data())


def test_no_everyday_word_of_a_language_counts_as_a_negation_of_all() -> None:
    for language in language_data():
        everyday = listed(language, "telling")
        own = {*listed(language, "negations"), *listed(language, "own")}
        assert not [word for word in everyday if is_negation(word) and word not in own]


@pytest.mark.parametrize("language", language_data())
@pytest.mark.parametrize("kind", ["negations", "own", "turning"])
def test_the_quick_look_overlooks_no_entry_of_the_lists_that_turns_a_text(language: str, kind: str) -> None:
    for entry in listed(language, kind):
        text = f"{entry.replace('*', 'ed')} — 5 € •"
        keys = [token.key for token in tokens(text)]
        assert may_turn(text) or not any(Turning(lambda text=text: text).places(keys)), entry
