"""Work, energy and power."""

from decimal import Decimal as D

from precise import PI, cos, sin

FORMULAS = {
    # half of momentum times velocity
    "KO84": lambda m, v: D("0.5") * (m * v) * v,
    "KO85": lambda m, z, g: (m * g) * z,
    "KO86": lambda F1, s, phi: s * F1 * sin(PI / 2 - phi),
    # mean force times way
    "KO87": lambda k, x: (k * x) / 2 * x,
    "KO88": lambda W, t: W / t,
    "KO89": lambda F1, v, phi: (F1 * cos(phi)) * v,
    # impulse times mean velocity
    "KO90": lambda m, v1, v2: (m * v2 - m * v1) * ((v1 + v2) / 2),
    "KO91": lambda P_out, P_in: 1 - (P_in - P_out) / P_in,
}
