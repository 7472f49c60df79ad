"""Reference values of the elementary functions, by mpmath (python3-mpmath).

    python3 libm.py > libm.tsv

One line for each point: function, arguments and correctly rounded result, as
hexadecimal floats. mpmath computes with 1300 bits, enough to reduce the
largest double modulo pi; the rounding to double goes through an exact
fraction, so that it is correct for subnormal results too. Where IEEE 754 and
ECMAScript differ (pow with a base of one and an exponent that is no number or
infinite) no point is listed: a formula should not answer there.
"""

import math
import random
import struct
from fractions import Fraction

from mpmath import mp, mpf

mp.prec = 1300
INF, NAN = math.inf, math.nan
TINY, MIN, MAX, EPS = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 2.0**-52
COMMON = [0.0, -0.0, INF, -INF, NAN, TINY, -TINY, MIN, 1.0, -1.0, 0.5, -0.5, 2.0, EPS, -EPS, 1e-8, -1e-8, MAX, -MAX]


def rounded(value):
    """The double nearest to an mpmath number."""
    if mp.isnan(value):
        return NAN
    if mp.isinf(value):
        return INF if value > 0 else -INF
    sign, mantissa, exponent, _ = value._mpf_
    exact = Fraction(int(mantissa)) * Fraction(2) ** exponent
    try:
        result = float(exact)
    except OverflowError:
        result = INF
    return -result if sign else result


def odd(function):
    """Keeps the zero's sign, which mpmath does not know."""
    return lambda x: x if x == 0 else rounded(function(mpf(x)))


def within(function, low, high, ends=None):
    """NaN outside [low, high]; ends gives values that are limits."""

    def f(x):
        if ends and x in ends:
            return ends[x]
        if not low <= x <= high:
            return NAN
        return rounded(function(mpf(x)))

    return f


def no_infinity(function):
    return lambda x: NAN if math.isinf(x) or math.isnan(x) else function(x)


def limits(function, low, high):
    """An odd or whole function with given values at the infinities."""

    def f(x):
        if math.isnan(x):
            return NAN
        if math.isinf(x):
            return high if x > 0 else low
        return function(x)

    return f


def large(function):
    """exp, sinh and cosh overflow: keep mpmath from writing out the digits."""

    def f(x):
        if abs(x) > 2000:
            x = math.copysign(2000.0, x)
        return rounded(function(mpf(x)))

    return f


def odd_large(function):
    f = large(function)
    return lambda x: x if x == 0 else f(x)


def power(x, y):
    if math.isnan(x) or math.isnan(y):
        return 1.0 if y == 0 else NAN
    if x == 0 or math.isinf(x) or math.isinf(y) or y == 0:
        try:
            return math.pow(x, y)  # the C library on exact special cases
        except ValueError:
            return INF if not (x < 0 or math.copysign(1, x) < 0) or y != math.floor(y) or y % 2 == 0 else -INF
    if x < 0 and y != math.floor(y):
        return NAN
    magnitude = mp.log(abs(mpf(x))) * mpf(y)
    if abs(magnitude) > 2000:
        magnitude = mpf(2000 if magnitude > 0 else -2000)
    result = rounded(mp.exp(magnitude))
    return -result if x < 0 and y % 2 == 1 else result


def arc(y, x):
    if math.isnan(x) or math.isnan(y):
        return NAN
    if math.isinf(x) or math.isinf(y) or x == 0 or y == 0:
        quarter = {True: 0.0, False: 1.0}  # in units of pi, before the sign of y
        if math.isinf(x) and math.isinf(y):
            turns = mpf(1) / 4 if x > 0 else mpf(3) / 4
        elif y == 0 or (math.isinf(x) and not math.isinf(y)):
            turns = mpf(quarter[math.copysign(1, x) > 0])
        else:
            turns = mpf(1) / 2
        return math.copysign(rounded(turns * mp.pi), y)
    return rounded(mp.atan2(mpf(y), mpf(x)))


def hypotenuse(x, y):
    if math.isinf(x) or math.isinf(y):
        return INF
    if math.isnan(x) or math.isnan(y):
        return NAN
    return rounded(mp.sqrt(mpf(x) ** 2 + mpf(y) ** 2))


rng = random.Random(777)


def spread(count, low, high, signed=True):
    """Numbers spread evenly over powers of ten."""
    return [(rng.choice([-1, 1]) if signed else 1) * 10 ** rng.uniform(low, high) for _ in range(count)]


def even(count, low, high):
    return [rng.uniform(low, high) for _ in range(count)]


# The last is the double that comes closest to a multiple of pi/2.
ANGLES = [math.pi, -math.pi / 2, math.pi / 4, 3 * math.pi / 4, 1e22, -1e22, 2.0**1000, 355.0, 0.785, 6381956970095103 * 2.0**797]
NEAR_ONE = [1 - EPS / 2, 1 + EPS, 1 - 1e-8, 1 + 1e-8, 0.99, 1.01, 1 - 1e-4, 1 + 1e-4]
ONE = {
    "exp": (limits(large(mp.exp), 0.0, INF), [709.78271289338397, 709.79, -745.1, -745.2, -708.5] + even(20, -700, 700) + spread(10, -10, 0)),
    "ln": (within(mp.log, 0, MAX, {0.0: -INF, INF: INF}), NEAR_ONE + spread(25, -300, 300, False)),
    "log10": (within(mp.log10, 0, MAX, {0.0: -INF, INF: INF}), NEAR_ONE + [10.0, 100.0, 1e15, 1e-5] + spread(20, -300, 300, False)),
    "log2": (within(lambda x: mp.log(x, 2), 0, MAX, {0.0: -INF, INF: INF}), NEAR_ONE + [8.0, 2.0**-100, 3.0] + spread(20, -300, 300, False)),
    "cbrt": (limits(odd(lambda x: mp.sign(x) * mp.cbrt(abs(x))), -INF, INF), [8.0, -27.0, 1e-300] + spread(25, -300, 300)),
    "sin": (no_infinity(odd(mp.sin)), ANGLES + even(20, -10, 10) + spread(10, -5, 20)),
    "cos": (no_infinity(lambda x: rounded(mp.cos(mpf(x)))), ANGLES + even(20, -10, 10) + spread(10, -5, 20)),
    "tan": (no_infinity(odd(mp.tan)), ANGLES + even(20, -10, 10) + spread(10, -5, 20)),
    "asin": (lambda x: x if x == 0 else within(mp.asin, -1, 1)(x), [1 - EPS / 2, -1 + EPS / 2, 0.99, 1 + EPS] + even(25, -1, 1)),
    "acos": (within(mp.acos, -1, 1), [1 - EPS / 2, -1 + EPS / 2, 0.99, 1 + EPS] + even(25, -1, 1)),
    "atan": (limits(odd(mp.atan), rounded(-mp.pi / 2), rounded(mp.pi / 2)), [0.4375, 0.6875, 1.1875, 2.4375] + spread(25, -10, 10)),
    "sinh": (limits(odd_large(mp.sinh), -INF, INF), [710.4, 710.5, 22.0] + even(20, -700, 700) + spread(15, -9, 1)),
    "cosh": (limits(large(mp.cosh), INF, INF), [710.4, 710.5, 22.0] + even(20, -700, 700) + spread(15, -9, 1)),
    "tanh": (limits(odd_large(mp.tanh), -1.0, 1.0), [22.0, 0.55, 0.25] + even(15, -20, 20) + spread(15, -9, 1)),
    "asinh": (limits(odd(mp.asinh), -INF, INF), spread(15, -9, 0) + spread(15, 0, 300)),
    "acosh": (within(mp.acosh, 1, MAX, {INF: INF}), [1 + EPS, 1 + 1e-8, 1.01, 1.5] + spread(25, 0, 300, False)),
    "atanh": (lambda x: x if x == 0 else within(mp.atanh, -1, 1, {1.0: INF, -1.0: -INF})(x), [1 - EPS / 2, 0.99] + even(20, -1, 1) + spread(10, -9, -1)),
}
PAIRS = [(0.0, 0.0), (-0.0, 1.0), (0.0, -1.0), (INF, 1.0), (1.0, INF), (-INF, 2.0), (INF, INF), (-INF, -INF), (NAN, 1.0), (2.0, NAN), (3.0, 4.0), (1e300, 1e300), (1e-300, 1e-300), (MIN, 1.0)]
TWO = {
    "pow": (power, PAIRS + [(-8.0, 1 / 3), (-2.0, 3.0), (-2.0, 4.0), (0.0, -1.0), (-0.0, -3.0), (2.0, 1023.5), (2.0, -1074.0), (2.0, 1024.0), (1 + EPS, 1e16), (10.0, 308.0), (0.9, 7000.0), (NAN, 0.0)]
            + list(zip(spread(25, -20, 20, False), even(25, -14, 14)))),
    "atan2": (arc, PAIRS + [(0.0, -0.0), (-1.0, -0.0), (1.0, 0.0), (1.0, -1.0), (-1.0, -1.0)] + list(zip(spread(25, -10, 10), spread(25, -10, 10)))),
    "hypot": (hypotenuse, PAIRS + [(NAN, INF), (MAX, 1.0)] + list(zip(spread(30, -200, 200), spread(15, -200, 200))) + [(x, x * y) for x, y in zip(spread(15, -200, 200), even(15, -3, 3))]),
}


def row(name, arguments, result):
    print("\t".join([name] + [float.hex(value) if not math.isnan(value) else "nan" for value in (*arguments, result)]))


def bits(x):
    return struct.pack("<d", x)


for name, (function, points) in ONE.items():
    seen = set()
    for x in COMMON + points:
        if bits(x) not in seen:
            seen.add(bits(x))
            row(name, (x,), NAN if math.isnan(x) else function(x))
for name, (function, points) in TWO.items():
    for x, y in points:
        if name == "pow" and abs(x) == 1 and not math.isfinite(y):
            continue
        row(name, (x, y), function(x, y))
