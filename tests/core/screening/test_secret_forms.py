"""Secrets in the forms that people write them in: broken lines, national forms, other languages, tables, sentences."""

import base64

import pytest

from core.screening.checksums import luhn
from core.screening.secrets import find_secrets
from core.screening.unknown_tokens import unknown_tokens
from tests.core.screening.test_secrets import drawn, hexadecimal


def card():
    """A number that no issuer gave out, with the right check digit."""
    return next(f"532917840036215{digit}" for digit in range(10) if luhn(f"532917840036215{digit}"))


def iban(country, account):
    """An account with the right check digits."""
    rest = int("".join(str(int(character, 36)) for character in f"{account}{country}00"))
    return f"{country}{98 - rest % 97:02d}{account}"


def fours(text, mark=" "):
    return mark.join(text[place : place + 4] for place in range(0, len(text), 4))


GERMAN, BRITISH = iban("DE", "370400440532013777"), iban("GB", "NWBK60161331926777")

CARDS = (
    f"The card {fours(card()[:8])}\n{fours(card()[8:])} was declined.",
    f"Charge {fours(card(), '.')} again.",
    f"Card {fours(card()[:12], '-')}-\n{card()[12:]}",
    f"card {fours(card(), '/')}",
    f"Card {card()[:8]} {card()[8:]}",
    f"Card number: {' '.join(card())}",
)
ACCOUNTS = (
    f"Pay to {fours(GERMAN)} please",
    f"IBAN {fours(GERMAN, '.')}",
    f"IBAN {GERMAN[:12]}\n{GERMAN[12:]}",
    f"IBAN: {fours(BRITISH, '-')}",
)
PHONES = (
    "Ruf 0171 2345678 an, wenn der Gast wartet.",
    "Appelle le 06.12.34.56.78 avant midi.",
    "Numéro : 01 42 68 53 00",
    "Llama al 612 345 678 por la tarde.",
    "Chiama il 347 1234567 domani.",
    "Ring 07700.900.123",
    "Bel 06-12345678 bij vragen.",
    "Ligue para (11) 98765-4321.",
    "Позвоните 8 (912) 345-67-89",
    "请拨打 138 0013 8000",
    "電話は 090-1234-5678 です",
    "Send the code to +49 171 2345678.",
)
CODES = (
    "The code for the gate is 8841.",
    "Enter 7735 as the door code.",
    "Type 4417 at the keypad to get in.",
    "The back door opens with 4471#.",
    "The passcode for the safe: 33-17-42",
    "der Code lautet 8841",
    "Your code is 663-201",
    "the sms code 663201 came late",
)
PASSWORDS = (
    "Use tiger-Moth-2093 as the password",
    "le mot de passe du portail est brumeval77",
    "le mot de passe est Brume-77-val",
    "Utilise brume77Val comme mot de passe",
    "Usa Niebla77 como contraseña",
    "La clave del wifi es niebla77val",
    "La parola d'ordine è Nebbia-77",
    "密码是 Wu77shan",
    "パスワードは Kiri77 です",
    "비밀번호는 Angae77",
    "Log in with bob and Winter77!",
    "username bob / pass Winter77!",
    "Enter Moss-Kettle-42 when it asks for the password.",
    "When the portal asks for a password, type Moss-Kettle-42.",
    "Wi-Fi: Guest / Moss-Kettle-42",
    "wifi guest pass moss42kettle",
    "**Password:** `moss42kettle`",
    "password: |\n  moss42kettle",
    "Password\n\nmoss42kettle",
    "Пароль от портала: moss42kettle",
    "пароль — moss42kettle",
    "كلمة المرور هي moss42kettle",
    "sshpass -p tiger77 ssh host",
    '{"user":"bob","pass":"tiger77"}',
    "<password>tiger77</password>",
    "| user | password |\n|---|---|\n| bob | Tiger-77 |",
    "user,password\nbob,Tiger-77",
    "user;pin\nbob;4471",
)
BIRTHS = (
    "geb. am 23.08.1981",
    "Geburtsdatum: 23. August 1981",
    "date de naissance : 4 mai 1980",
    "Fecha de nacimiento: 4 de mayo de 1980",
    "nata il 4 maggio 1980",
    "nascido em 4 de maio de 1980",
    "дата рождения 04.05.1980",
    "生年月日 1980年5月4日",
    "She was born on the 4th of May 1980",
)
TOKENS = (
    "AKID" + drawn(32),
    "EAAA" + drawn(60),
    "tskey-" + drawn(24),
    "CCIPAT_" + drawn(40),
    "phx_" + drawn(43),
    "shippo_live_" + hexadecimal(40),
    f"Use {drawn(36)} when the tool asks.",
    base64.b64encode(f"pay with {card()} 08/28".encode()).decode(),
    "mia.berg(at)example.org",
)

ORDINARY = (
    "Tell the caller that a PIN has four digits.",
    "Your code is 4471 lines long.",
    "When a guest asks for the password, type nothing and send the reset link.",
    "The password - reset only on the portal.",
    "Use form 8841 for the gate.",
    "Enter the amount 7735 as the total.",
    "Type 4417 words at most.",
    "Le mot de passe est réinitialisé par l'utilisateur lui-même.",
    "La contraseña es obligatoria.",
    "Das Passwort ist falsch.",
    "la password è sbagliata",
    "パスワードは必要です",
    "密码是必填项",
    "| field | password |\n|---|---|\n| length | at least 12 |",
    "name,pin\nhelp,required",
    "A season pass: $120",
    "git@gitlab.example.org:team/app.git is the remote.",
    "deploy@host.example.com:/srv/app is the target",
    "Set the ladder to 220-470-1000 ohms.",
    "Model 415.555.0132 is sold out.",
    "the sequence 01 02 03 04 05",
    "The file has 612 345 678 rows.",
    "The contract was signed on 4 May 1980.",
    "sha512-" + base64.b64encode(drawn(64).encode()).decode(),
    "https://docs.example.com/document/d/" + drawn(44) + "/edit",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "useGetUserAccountSettingsByIdV2Query",
    "test_customer_pays_fee_when_order_is_late",
    "call_" + drawn(24),
)


@pytest.mark.parametrize("text", CARDS + ACCOUNTS + PHONES + CODES + PASSWORDS + BIRTHS + TOKENS)
def test_the_form_hides_no_secret(text):
    assert find_secrets(text, personal=True)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_looks_like_one_passes(text):
    assert find_secrets(text, personal=True) == ()


def test_a_token_of_an_unknown_maker_counts_in_a_draft_and_stays_in_a_transcript():
    text = f"The answer held {drawn(36)} somewhere."
    assert [secret.code for secret in find_secrets(text, personal=True)] == ["unknown_token"]
    assert find_secrets(text, personal=False) == ()


def test_a_hash_is_no_token():
    assert list(unknown_tokens(f"Pin it to {hexadecimal(40)}.")) == []


def test_only_the_cell_of_a_table_is_secret():
    text = "| user | password |\n|---|---|\n| bob | Tiger-77 |"
    (secret,) = find_secrets(text, personal=False)
    assert text[secret.start : secret.end] == "Tiger-77"


def test_a_card_over_two_lines_counts_only_with_one_break():
    assert find_secrets("\n".join(card()[place : place + 4] for place in range(0, 16, 4)), personal=True) == ()
