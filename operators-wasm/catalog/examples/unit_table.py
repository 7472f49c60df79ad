"""Units of the examples: text -> (scale to coherent SI, offset), as Decimals."""

import re
from decimal import Decimal as D

from precise import PI

PREFIXES = {
    "a": -18, "f": -15, "p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1,
    "h": 2, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15,
}

# Units that take a prefix.
METRIC = {
    "m": D(1), "g": D("0.001"), "s": D(1), "A": D(1), "K": D(1), "mol": D(1), "rad": D(1),
    "N": D(1), "Pa": D(1), "J": D(1), "W": D(1), "C": D(1), "V": D(1), "ohm": D(1), "S": D(1),
    "Hz": D(1), "L": D("0.001"), "bar": D(100000), "eV": D("1.602176634e-19"),
}

# Units that take none.
PLAIN = {
    "min": D(60), "h": D(3600), "d": D(86400), "deg": PI / 180, "atm": D(101325), "1": D(1),
}

_TOKEN = re.compile(r"\s*(?:([A-Za-z]+|1)|([*/^()])|(-?\d+))")


def parse(text):
    """Returns (scale, offset) of a unit; the empty text is dimensionless.

    Raises ValueError for a unit that the table does not know.
    """
    text = text.strip()
    if text == "":
        return D(1), D(0)
    if text == "degC":
        return D(1), D("273.15")
    tokens, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            raise ValueError(f"unit {text!r}: unexpected {text[at:]!r}")
        tokens.append(found.group().strip())
        at = found.end()
    scale = _product(tokens)
    if tokens:
        raise ValueError(f"unit {text!r}: unexpected {tokens[0]!r}")
    return scale, D(0)


def _product(tokens):
    scale = _factor(tokens)
    while tokens and tokens[0] in "*/":
        if tokens.pop(0) == "*":
            scale *= _factor(tokens)
        else:
            scale /= _factor(tokens)
    return scale


def _factor(tokens):
    if not tokens:
        raise ValueError("a unit ends too early")
    word = tokens.pop(0)
    if word == "(":
        scale = _product(tokens)
        if not tokens or tokens.pop(0) != ")":
            raise ValueError("a parenthesis of a unit is not closed")
    else:
        scale = _symbol(word)
    if tokens and tokens[0] == "^":
        tokens.pop(0)
        scale **= int(tokens.pop(0))
    return scale


def _symbol(word):
    if word in PLAIN:
        return PLAIN[word]
    if word in METRIC:
        return METRIC[word]
    if word[:1] in PREFIXES and word[1:] in METRIC:
        return METRIC[word[1:]].scaleb(PREFIXES[word[0]])
    raise ValueError(f"unknown unit {word!r}")
