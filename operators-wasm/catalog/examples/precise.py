"""Decimal arithmetic to 50 digits, with the functions that `decimal` lacks.

Everything is built on Decimal's own sqrt, exp and ln and on plain series, so
that nothing here shares code with the compiler, with Go's math or with C's.
Angles are in radians.
"""

from decimal import Decimal as D
from decimal import getcontext

DIGITS = 50
getcontext().prec = DIGITS + 14  # guard digits
_TINY = D(10) ** -(DIGITS + 10)


def _atan_series(x):
    """Gregory's series, for abs(x) well below 1."""
    term, total, n, square = x, x, 1, x * x
    while term and abs(term) > _TINY * abs(total):
        term = -term * square
        n += 2
        total += term / n
    return total


# Machin's formula.
PI = 16 * _atan_series(D(1) / 5) - 4 * _atan_series(D(1) / 239)


def sqrt(x):
    return D(x).sqrt()


def exp(x):
    return D(x).exp()


def ln(x):
    return D(x).ln()


def power(x, y):
    """x to the y for x > 0, or x = 0 with y > 0."""
    return D(0) if x == 0 and y > 0 else exp(y * ln(x))


def sin(x):
    """Taylor's series after taking off whole turns and tripling."""
    x = D(x) % (2 * PI)
    x /= 81
    term, total, n = x, x, 1
    while term and abs(term) > _TINY * abs(total):
        term = -term * x * x / ((n + 1) * (n + 2))
        n += 2
        total += term
    for _ in range(4):  # sin(3x) = 3 sin(x) - 4 sin(x)^3
        total = 3 * total - 4 * total**3
    return total


def cos(x):
    return sin(D(x) + PI / 2)


def atan(x):
    """Halves the argument until the series converges fast."""
    x, doublings = D(x), 0
    while abs(x) > D("0.05"):
        x = x / (1 + sqrt(1 + x * x))
        doublings += 1
    return _atan_series(x) * 2**doublings


def atan2(y, x):
    y, x = D(y), D(x)
    if x > 0:
        return atan(y / x)
    if x < 0:
        return atan(y / x) + (PI if y >= 0 else -PI)
    if y == 0:
        raise ValueError("atan2(0, 0) has no value")
    return PI / 2 if y > 0 else -PI / 2


def acos(x):
    x = D(x)
    return atan2(sqrt(1 - x * x), x)


def tanh(x):
    grown = exp(2 * D(x))
    return (grown - 1) / (grown + 1)
