"""Special relativity; most of it by way of the rapidity or the Lorentz factor."""

from constants import C
from precise import acos, cos, exp, ln, sqrt


def lorentz(v):
    """C over the root of (C - v)(C + v)."""
    return C / sqrt((C - v) * (C + v))


def rapidity(v):
    return (ln(C + v) - ln(C - v)) / 2


def add(v_rel, u):
    """Rapidities add; the velocity is C tanh of the sum."""
    grown = exp(2 * (rapidity(v_rel) + rapidity(u)))
    return C * (grown - 1) / (grown + 1)


def total_energy(p, m):
    return C * sqrt(p * p + m * m * C * C)


def doppler(f0, v):
    """exp(-rapidity)."""
    return f0 * exp(-rapidity(v))


def doppler_angle(f0, v, theta):
    """Slow clock of the source, then the classical effect of its recession."""
    slow = f0 / lorentz(v)
    return slow / (1 + v / C * cos(theta))


def aberration(theta, v):
    """cos' = (cos + beta)/(1 + beta cos)."""
    beta = v / C
    return acos((cos(theta) + beta) / (1 + beta * cos(theta)))


def rocket_distance(a, t):
    """x = c^2/a (sqrt(1 + (a t/c)^2) - 1)."""
    return C * C / a * (sqrt(1 + (a * t / C) ** 2) - 1)


def rocket_time(a, t):
    """c/a asinh(a t/c) by the logarithm."""
    u = a * t / C
    return C / a * ln(u + sqrt(u * u + 1))


def rocket_speed(a, t):
    """dp/dt = m a: momentum over mass is a t, velocity from momentum."""
    w = a * t
    return C * w / sqrt(C * C + w * w)


FORMULAS = {
    "KO486": lorentz,
    "KO487": lambda t0, v: t0 * lorentz(v),
    "KO488": lambda l0, v: l0 / lorentz(v),
    "KO489": add,
    "KO490": lambda m: total_energy(0, m),
    "KO491": lambda m, v: total_energy(lorentz(v) * m * v, m),
    "KO492": lambda m, v: (lorentz(v) - 1) * m * C * C,
    "KO493": lambda m, v: lorentz(v) * m * v,
    "KO494": total_energy,
    "KO495": doppler,
    "KO496": doppler_angle,
    "KO497": rapidity,
    "KO498": lambda t, x, v: lorentz(v) * (t - v / C * x / C),
    "KO499": lambda x, t, v: lorentz(v) * (x - v * t),
    # time dilation of the clock that goes from one event to the other
    "KO500": lambda t, x: t / lorentz(x / t),
    "KO501": aberration,
    "KO502": rocket_speed,
    "KO503": rocket_distance,
    "KO504": rocket_time,
}
