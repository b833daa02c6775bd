"""Check digits of card, account and identity numbers.

Screening, secrets. Each function takes the number without spaces and says whether its check digits are right. Sources:
ISO/IEC 7812 (Luhn), ISO 7064 and ISO 13616 (mod 97), Verhoeff's table, and the issuing states' own descriptions.
"""

_TIMES = (
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
)
"""Multiplication in the dihedral group of order ten."""

_TURNS = (
    "0123456789",
    "1576283094",
    "5803796142",
    "8916043527",
    "9453126870",
    "4286573901",
    "2793806415",
    "7046913258",
)
_SPANISH_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_ITALIAN_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_GSTIN_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SINGAPORE = {
    "S": (0, "JZIHGFEDCBA"),
    "T": (4, "JZIHGFEDCBA"),
    "F": (0, "XWUTRQPNMLK"),
    "G": (4, "XWUTRQPNMLK"),
    "M": (3, "KLJNPQRTUWX"),
}


def weighted(digits: str, weights: tuple[int, ...]) -> int:
    """The digits times their weights, added up."""
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def luhn(digits: str) -> bool:
    """Cards, Canadian SIN, Swedish personnummer."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def verhoeff(digits: str) -> bool:
    """Aadhaar."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_TIMES[check][int(_TURNS[place % 8][int(digit)])])
    return check == 0


def iban(text: str) -> bool:
    """ISO 13616: the first four characters move to the end, letters count from 10, and the rest by 97 is 1."""
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 == 1


def nhs(digits: str) -> bool:
    """United Kingdom, National Health Service."""
    return (weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2, 1))) % 11 == 0


def dni(text: str) -> bool:
    """Spain, DNI and NIE: the number by 23 names the letter."""
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and _SPANISH_LETTERS[int(number) % 23] == text[-1]


def nir(digits: str) -> bool:
    """France: 13 digits and 97 less their remainder."""
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def codice_fiscale(text: str) -> bool:
    """Italy: odd and even places count differently, the sum by 26 names the last letter."""
    values = [int(character) if character.isdigit() else ord(character) - 65 for character in text[:15]]
    total = sum(_ITALIAN_ODD[value] if place % 2 == 0 else value for place, value in enumerate(values))
    return chr(65 + total % 26) == text[15]


def cpf(digits: str) -> bool:
    """Brazil: two check digits by 11."""
    first = weighted(digits, tuple(range(10, 1, -1))) * 10 % 11 % 10
    second = weighted(digits, tuple(range(11, 1, -1))) * 10 % 11 % 10
    return digits[9:] == f"{first}{second}" and len(set(digits)) > 1


def bsn(digits: str) -> bool:
    """Netherlands: the eleven test."""
    return weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def pesel(digits: str) -> bool:
    """Poland."""
    return weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def chinese_id(text: str) -> bool:
    """China: 17 digits and one of ISO 7064 mod 11-2."""
    total = weighted(text[:17], (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2))
    return "10X98765432"[total % 11] == text[17]


def tax_id_germany(digits: str) -> bool:
    """Germany, Steuer-ID: ISO 7064 mod 11, 10."""
    product = 10
    for digit in digits[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[10])


def tax_file_number(digits: str) -> bool:
    """Australia."""
    return weighted(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def nric(text: str) -> bool:
    """Singapore: the first letter says which row of check letters counts."""
    offset, letters = _SINGAPORE[text[0]]
    return letters[(weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + offset) % 11] == text[8]


def gstin(text: str) -> bool:
    """India, goods and services tax: base 36, every second value doubled."""
    products = (_GSTIN_DIGITS.index(character) * (1 + place % 2) for place, character in enumerate(text[:14]))
    total = sum(product // 36 + product % 36 for product in products)
    return _GSTIN_DIGITS[-total % 36] == text[14]


def turkish_id(digits: str) -> bool:
    """Turkey: two check digits."""
    first = (sum(map(int, digits[0:9:2])) * 7 - sum(map(int, digits[1:8:2]))) % 10
    return digits[9:] == f"{first}{(sum(map(int, digits[:9])) + first) % 10}"
