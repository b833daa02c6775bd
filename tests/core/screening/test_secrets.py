"""Credentials and personal data are found in every shape they come in, masked on import, and never repeated."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.screening.secrets import find_secrets, mask, secret_findings, stand_in


def drawn(length: int) -> str:
    """Letters and digits as a machine draws them."""
    return ("aB3dE5fG7hJ9kLmNpQrStUvWxYz2468" * 20)[:length]


def hexadecimal(length: int) -> str:
    return ("9f3c1a7be4d2058a6c" * 10)[:length]


HELD = (
    "Use key sk-test-EXAMPLEexampleEXAMPLE1234 when the gateway fails.",
    "my card is 4111 1111 1111 1111, please use it",
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "The AWS secret is wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.",
    "The password is hunter2",
    "the wifi password is sunflower.",
    "The password for the staging server is Winter2024!",
    "password: Tr0ub4dor&3",
    "Log in as admin / Winter2024! when SSO is down",
    "postgres://app:s3cr3t@db.internal:5432/app",
    "Server=db;User Id=sa;Password=Pa55word;Encrypt=true",
    "export OPENAI_API_KEY=abcd1234efgh5678ijkl9012",
    "Authorization: Bearer abcdef1234567890abcdef",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "-----BEGIN RSA PRIVATE KEY----- MIIEpAIBAAKCAQEA75MK",
    "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx",
    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
    "the pin is 4821",
    "OTP 482913 was sent",
    "CVV 123",
    "IBAN DE89 3704 0044 0532 0130 00",
    "Aadhaar 2341 2341 2346",
    "PAN ABCPE1234F",
    "SSN 123-45-6789",
    "Call her on 98765 43210",
    "call me at +91 98765 43210",
    "asha.rao@example.com",
    "asha dot rao at gmail dot com",
    "la contraseña es Girasol2024",
    "das Passwort lautet Sommer2023",
    "the passphrase is correct horse battery staple",
    "seed phrase: witch collapse practice feed shame open despair creek road again ice least",
    "her number is (415) 555-0132",
    "the master password is 'sunflower'",
    "born on 12 March 1984",
    "set the password to Qwerty99",
    "key: d41d8cd98f00b204e9800998ecf8427e",
    "mongodb+srv://root:hunter2@cluster0.mongodb.net",
    "curl -u admin:hunter2 https://x",
    "pa\u200bssword is hun\u200bter2",
    "card 4111-1111-1111-1111",
    "amex 3782 822463 10005",
    "sk-ant-api03-abcdefghijklmnop-qrs",
    "AIzaSyA1234567890abcdefghijklmnopqrstuvw",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "пароль: Qwerty123",
    "upi asha@okhdfcbank",
    "Authenticate with ghp_" + drawn(36) + " against the repository.",
    "glpat-" + drawn(20),
    "The npm token npm_" + drawn(36) + " expires in May.",
    "stripe secret: sk_live_" + drawn(24),
    "xapp-1-A012345-" + hexadecimal(20),
    "https://hooks.slack.com/services/T00000000/B00000000/" + drawn(24),
    "SG." + drawn(22) + "." + drawn(43),
    "AC" + hexadecimal(32) + " is the Twilio account",
    "hf_" + ("abcdefghijklmnopqrstuvwxyzABCDEFGH"),
    "gsk_" + drawn(52),
    "Set GOOGLE_API_KEY to AIza" + drawn(35),
    "ya29." + drawn(60),
    "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + drawn(86) + "==;EndpointSuffix=core.windows.net",
    "client_secret: abc8Q~" + drawn(34),
    "The bot answers with 7123456789:AAE" + drawn(32),
    "pypi-AgEIcHlwaS5vcmc" + drawn(60),
    "redis://:p4ssw0rd@10.0.0.5:6379/0",
    "amqp://svc:Xy7!kd@mq.internal",
    "Use https://bob:tiger99@files.example.net/report.csv to download.",
    "jdbc:postgresql://db:5432/app?user=app&password=Zx9kQw2",
    "The gateway's password was changed to Blue-Kite-77.",
    "For the demo account, the password is Lotus#9912",
    "export DB_PASSWORD=hunter22",
    '{"password": "tr33house"}',
    "passphrase: 'mango river'",
    "My PIN is 7731, don't tell anyone.",
    "The customer's OTP was 339201.",
    "The CVC on the back is 884.",
    "Security code: 4412",
    "card no 5500 0055 5555 5559 exp 09/27",
    "He paid with 6011000990139424.",
    "Amex 371449635398431",
    "GB29 NWBK 6016 1331 9268 19",
    "pay to FR1420041010050500013M02606",
    "Her Aadhaar number is 4991 1866 5246",
    "PAN: BNZPM2501F",
    "his ssn is 219 09 9999",
    "The NI number QQ123456C".replace("QQ", "AB"),
    "NHS number 943 476 5919",
    "DNI 12345678Z",
    "CPF 529.982.247-25",
    "passport no. K1234567",
    "NRIC S1234567D",
    "Call +44 20 7946 0958 after six.",
    "text him at 415-555-0199",
    "mobile 9876543210",
    "reach me on (0)30 1234567",
    "write to m.rossi@posta.it",
    "the customer's e-mail is lena_k+shop@mail.example.org",
    "UPI id ravi.k@ybl",
    "DOB: 04/11/1987",
    "Authorization: token " + hexadecimal(40),
    "x-api-key: " + drawn(32),
    "eyJhbGciOiJSUzI1NiJ9." + drawn(40) + "." + drawn(60),
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE "
    "KEY-----",
    "The encryption key is " + hexadecimal(64),
    "refresh_token=" + drawn(40),
    "shpat_" + hexadecimal(32),
    "dapi" + hexadecimal(32),
    "AZURE_OPENAI_API_KEY=" + hexadecimal(32),
    "The login is maria / Frosch!77",
    "Sign in as root:Toor123!",
    "el pin es 4432",
    "mot de passe : Soleil!88",
    "The admin's password, for reference, is Kiwi2020",
    "use Kiwi2020 as the password",
    "When the portal asks, type the password Kiwi2020.",
    "the API key (staging) is " + drawn(28),
    "the wifi key is GreenHouse22",
    "ssh with password: letmein",
    "His account number is 00123456789 at HDFC, IFSC HDFC0000123",
    "4111.1111.1111.1111",
    "４１１１ １１１１ １１１１ １１１１",
    "sk-proj-" + drawn(48) + ".",
    "The key: " + "sk-ant-api03-" + drawn(80) + "-AA",
    "mongodb://admin:adm1n@localhost",
    "rk_live_" + drawn(24),
    "AWS keys ASIA" + "QWERTYUIOP123456",
    "Tell them the alarm code 4519",
    "The door code is 9081#",
    "security answer is Fluffy",
    "His mother's maiden name is Kowalski",
    "The token is " + drawn(24),
    "cookie: sessionid=" + drawn(32),
    "-u deploy:s3cr3tPass",
)

ORDINARY = (
    "Ask the customer to reset the password.",
    "The password is wrong.",
    "The password is at least 12 characters long.",
    "password must have 8 characters and a digit",
    "Never ask for a password or PIN.",
    "The token count is 1536.",
    "order #W2378156 was returned",
    "tool call call_abc123def456",
    "reservation ZFA04Y",
    "550e8400-e29b-41d4-a716-446655440000",
    "commit 9f8d7c6b5a4e3d2c1b0a9f8d7c6b5a4e3d2c1b0a",
    "The price is $1,299.00 for 2 seats",
    "credit_card_7815826",
    "card ending in 4242",
    "flight HAT170 on 2024-05-15",
    "Reset the password if the login fails three times.",
    "The password is case-sensitive.",
    "password reset email",
    "PIN code 560034",
    "The PIN is 4 digits.",
    "api key is missing",
    "the session id abc",
    "The user's secret question is their pet.",
    "idempotency key 550e8400-e29b-41d4-a716-446655440000",
    "sk-learn pipelines, task-force",
    "tracking number 9400111899223197428490",
    "ISBN 978-3-16-148410-0",
    "The model was set to gpt-4o-mini",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "The secret is to answer quickly.",
    "the key is under the mat",
    "Check the access code before opening.",
    'Use password "<password>" as placeholder',
    "password=${DB_PASSWORD}",
    "Error code 401 means the token is expired",
    "version 1.2.3.4",
    "call 3 times",
    "The hotline is open 9:00-17:00",
    "Product 9523456873 item 6086499569",
    "Explain that passwords expire after 90 days.",
    "Verify the security code has 3 digits.",
    "contact support within 30 days",
    "the bearer of this card",
    "Login with Google / Apple is available",
    "user: Hello / hi",
    "credentials: name / address",
    "Password: required",
    "Passwords are hashed with bcrypt.",
    "Their password is theirs.",
    "Ask the caller to type the password themselves.",
    "Passwords must have at least 12 characters, one digit and one symbol.",
    "A password is never asked for over chat.",
    "Explain how to reset a forgotten password.",
    "The password field is empty.",
    "If the password is incorrect three times, lock the account.",
    "Tell users that the password expires every 90 days.",
    "The password was changed yesterday.",
    "The token has expired; ask for a new login.",
    "The response used 1,024 tokens.",
    "max_tokens=4096 and temperature=0.2",
    "Set the key to the customer's id.",
    "The secret to good answers is short sentences.",
    "The PIN must have 4 digits.",
    "The OTP expires after 10 minutes.",
    "Never read a CVV aloud.",
    "Cards ending in 4242 are test cards.",
    "Order 4111-2222 was shipped on 2024-05-12.",
    "Order number 4929381332664298 is delayed.",
    "Tracking number 1Z999AA10123456784",
    "Invoice INV-2024-000123 over 12,500.00 EUR",
    "Flight LH 1234 leaves at 14:35 from gate B22.",
    "Reservation 4WQ150 has two passengers.",
    "UUID 123e4567-e89b-12d3-a456-426614174000",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b fixes it",
    "call_9aBcD3fGhIjKlMnOpQrStUvW",
    "toolu_01A09q90qw90lq917835lq9",
    "chatcmpl-8yX2kd93kd0dk3kd93kd",
    "The price is 1 299 999 rupees.",
    "It costs $4,111.11 in total.",
    "The lot of 2023-11-05 has 1234567 units.",
    "IP 192.168.100.12 port 8080",
    "version 10.15.7 build 19H2",
    "lat 12.9715987, lon 77.5945627",
    "The bearer of the ticket may board.",
    "basic economy tickets cannot be changed",
    "Authorization is needed from a supervisor.",
    "API keys are managed in the settings page.",
    "Do not paste an API key into a ticket.",
    "api_key=<your key>",
    "password: ********",
    "Authorization: Bearer <token>",
    "postgres://user:${DB_PASS}@host/db",
    "ISBN 9783161484100",
    "The IBAN has 22 characters in Germany.",
    "PAN and Aadhaar are needed for KYC.",
    "Phone numbers have 10 digits in India.",
    "Contact support within 7 days.",
    "The 800 number is free of charge.",
    "Section 80C allows 1,50,000 rupees.",
    "HTTP 404 means the page is gone.",
    "@mention the on-call engineer",
    "Use decorators such as @app.route",
    "2 x 4 = 8 and 12 / 4 = 3",
    "Model claude-3-5-sonnet-20241022 or gpt-4o-2024-08-06",
    "The user id mia_li_3668 is valid.",
    "credit_card_4421486 and gift_card_1234567",
    "The product key feature is the zoom.",
    "Key: value pairs are separated by a colon.",
    "Secret Santa gifts are not refundable.",
    "The session token is stored in a cookie.",
    "Use the password manager.",
    "the access code is on the letter",
    "verification code is sent by SMS",
    "PIN code 110001 is in Delhi",
    "a 16-digit card number",
    "ticket 9400110200881234567890",
    "timestamp 1700000000000 and 1715601234",
    "#W6247578 and #W9077205",
    "item 1725100896, product 7996920482",
    "Login failed: user not found / wrong tenant",
    "login page / settings",
    "seat 12A, row 30",
    "The bank is closed on 15/08/2024.",
    "He was born in 1987.",
    "Password reset links are valid for 24h.",
    "MFA codes refresh every 30 seconds",
    "passcode policy v2",
    "Use OAuth2 for the token.",
    "token: 42",
    "secret sauce recipe",
    "credentials are checked by the gateway",
    "Ask for the last four digits of the SSN.",
    "The key difference is 20 %.",
    "The code 4711 means lost parcel.",
    "coupon code SUMMER24",
    "discount code WELCOME10 gives 10 %",
    "error code E-4012",
    "zip code 94103",
    "area code 415",
    "The session key phrase",
    "keyword: refund",
    "Keyboard shortcut Ctrl-K",
    "passenger: 2 adults",
    "bypass the queue",
    "compass heading 270",
    "base64 is not encryption",
)


@pytest.mark.parametrize("text", HELD)
def test_what_is_secret_is_found(text):
    assert find_secrets(text, personal=True)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_sentences_pass(text):
    found = find_secrets(text, personal=True)
    assert not found, [(text[each.start : each.end], each.code) for each in found]


@pytest.mark.parametrize("text", HELD)
def test_a_finding_says_kind_and_place_and_never_the_words(text):
    (first, *_) = find_secrets(text, personal=True)
    secret = text[first.start : first.end]
    for finding in secret_findings(text):
        assert finding.words == ""
        assert finding.code.startswith("contains_secret:")
        assert secret not in repr(finding) or secret.isdigit()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("card 4111 1111 1111 1111", "card_number"),
        ("IBAN DE89 3704 0044 0532 0130 00", "iban"),
        ("Aadhaar 2341 2341 2346", "aadhaar"),
        ("the password is hunter2", "password"),
        ("postgres://app:s3cr3t@db/x", "password_in_url"),
        ("my key AKIAIOSFODNN7EXAMPLE", "aws_access_key"),
    ],
)
def test_the_kind_is_named(text, code):
    assert [found.code for found in find_secrets(text, personal=True)] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",
        "IBAN DE89 3704 0044 0532 0130 01",
        "Aadhaar 2341 2341 2345",
        "CPF 529.982.247-26",
        "DNI 12345678A",
        "NHS number 943 476 5918",
        "NRIC S1234567A",
    ],
)
def test_a_wrong_check_digit_is_no_number_of_that_kind(text):
    assert not find_secrets(text, personal=False)


def test_contact_details_stay_in_a_transcript_and_count_in_a_draft():
    text = "Write to asha.rao@example.com or call +91 98765 43210."
    assert not find_secrets(text, personal=False)
    assert [found.code for found in find_secrets(text, personal=True)] == ["mail_address", "phone_number"]


def test_a_secret_that_hides_behind_invisible_characters_is_found_in_the_original():
    text = "Use s\u200bk_live_" + "\u200b".join(drawn(24)) + " now"
    (found,) = find_secrets(text, personal=False)
    assert text[: found.start] == "Use "
    assert text[found.end :] == " now"


def test_a_secret_in_base64_is_found():
    import base64

    text = f"Decode {base64.b64encode(b'the password is hunter2 today').decode()} first."
    assert find_secrets(text, personal=False)


def test_a_mask_keeps_everything_else_and_leads_offsets_along():
    text = "My card is 4111 1111 1111 1111 and the order is #W2378156."
    masked = mask(text)
    assert masked.text == "My card is [card number removed] and the order is #W2378156."
    start = text.index("the order")
    moved = masked.moved_span(start, start + len("the order"))
    assert moved is not None
    assert masked.text[slice(*moved)] == "the order"
    assert masked.moved_span(0, 20) is None
    assert "4111" not in repr(masked)


def test_a_masked_text_holds_nothing_more_to_mask():
    for text in HELD:
        once = mask(text).text
        assert mask(once).text == once, once


LETTERS = st.text(alphabet=string.ascii_letters + string.digits + " .,:;=@/-_#\n'\"é₹\u200b०", max_size=200)


@given(LETTERS, LETTERS)
def test_every_character_outside_a_secret_survives_masking_at_its_moved_place(before, after):
    text = before + " 4111 1111 1111 1111 " + after
    masked = mask(text)
    covered = {place for each in masked.removed for place in range(each.start, each.end)}
    for place, character in enumerate(text):
        if place not in covered:
            assert masked.text[masked.moved(place)] == character
    assert all(stand_in(each.code) in masked.text for each in masked.removed)


@given(st.text(max_size=300))
def test_places_are_inside_the_text_in_order_and_apart(text):
    found = find_secrets(text, personal=True)
    edges = [edge for each in found for edge in (each.start, each.end)]
    assert edges == sorted(edges)
    assert all(0 <= each.start < each.end <= len(text) for each in found)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "password ",
        "sk-",
        "1 ",
        "@",
        "://a:",
        "eyJ",
        "-----BEGIN PRIVATE KEY-----",
        "A1",
        "4111-",
        'token: "',
        "DE89 ",
        "a.",
        "call 1-",
        "user,password\n",
        "the code for the gate ",
        "use 4417 at ",
        "login and user with ",
        "<token>",
        "mysql x ",
        "born 4 may ",
        "1 2\n",
        "aB3/",
        "wort de passe du ",
    ],
)
def test_hostile_text_is_answered_with_places_in_order_inside_it(piece):
    """How long it takes is for ``bench.screening`` to say."""
    text = (piece * (32_000 // len(piece) + 1))[:32_000]
    ends = [
        0,
        *(edge for secret in find_secrets(text, personal=True) for edge in (secret.start, secret.end)),
        len(text),
    ]
    assert ends == sorted(ends)
