"""Motion along a line and in a plane."""

from precise import PI, atan2, sqrt


def stopping(v0, t_r, a_b):
    """Thinking distance, then the mean speed v0/2 over the time v0/a of braking."""
    braking_time = v0 / a_b
    return v0 * t_r + v0 / 2 * braking_time


def equal_halves(v1, v2):
    """A way of two units of length over the sum of both times."""
    return 2 / (1 / v1 + 1 / v2)


FORMULAS = {
    # mean velocity times time
    "KO1": lambda x0, v0, a, t: x0 + (v0 + (v0 + a * t)) / 2 * t,
    "KO2": lambda v0, a, t: v0 + t * a,
    # gain of kinetic energy per mass = work per mass
    "KO3": lambda v0, a, s: sqrt(2 * (v0 * v0 / 2 + a * s)),
    # v0 t + a t^2/2 with a = (v - v0)/t
    "KO4": lambda v0, v, t: v0 * t + (v - v0) / t * t * t / 2,
    "KO5": lambda s, t: s / t,
    "KO6": lambda z, g: g * sqrt(z / g * 2),
    "KO7": lambda z, g: sqrt(2 * g * z) / g,
    "KO8": stopping,
    "KO9": lambda v_x, v_y: sqrt(v_x**2 + v_y**2),
    "KO10": lambda v_x, v_y: atan2(v_y, v_x),
    # omega^2 r
    "KO11": lambda v, r: (v / r) ** 2 * r,
    "KO12": lambda a_t, v, r: sqrt(a_t * a_t + v**4 / r**2),
    "KO13": lambda d, v1, v2: 1 / (v1 / d + v2 / d),
    "KO14": lambda v_rel, u: u + v_rel,
    "KO15": lambda r, T: r * (2 * PI / T),
    "KO16": equal_halves,
}
