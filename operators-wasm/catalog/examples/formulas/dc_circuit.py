"""Direct-current circuits."""

from decimal import Decimal as D

from constants import E_CHARGE


def parallel(*resistances):
    """Conductances add."""
    return 1 / sum(1 / r for r in resistances)


def bridge(V, R1, R2, R3, R4):
    """Difference of the potentials of both middle points, from the branch currents."""
    first = V / (R1 + R2)
    second = V / (R3 + R4)
    return first * R2 - second * R4


def terminal_resistance(R_L, r):
    """Power in the load over the power of the source, at one ampere."""
    current = D(1)
    load, lost = current**2 * R_L, current**2 * r
    return load / (load + lost)


def star_leg(R1, R2, R3):
    """Half of (R between corner and end 1) + (corner and end 2) - (ends 1 and 2)."""
    corner_end1 = parallel(R1, R2 + R3)
    corner_end2 = parallel(R2, R1 + R3)
    ends = parallel(R3, R1 + R2)
    return (corner_end1 + corner_end2 - ends) / 2


def two_sources(V1, R1, V2, R2):
    """Current round the loop from the first into the second source."""
    current = (V1 - V2) / (R1 + R2)
    return V1 - current * R1


FORMULAS = {
    "KO1087": lambda I, R1: R1 * I,
    "KO1088": lambda V, I: I * V,
    "KO1089": lambda I, R1: (I * R1) * I,
    "KO1090": lambda V, R1: V * (V / R1),
    "KO1091": lambda R1, R2, R3: sum((R1, R2, R3)),
    "KO1092": lambda R1, R2: parallel(R1, R2),
    # current of the unloaded divider times its second resistor
    "KO1093": lambda V, R1, R2: V / (R1 + R2) * R2,
    # common voltage over the own resistance
    "KO1094": lambda I, R1, R2: I * parallel(R1, R2) / R1,
    "KO1095": lambda rho, l, A: l / (A / rho),
    "KO1096": lambda R0, alpha, T, T0: R0 + R0 * alpha * (T - T0),
    "KO1097": lambda V_emf, I, r: V_emf - r * I,
    "KO1098": lambda V_emf, R_L, r: V_emf / (r + R_L),
    # half of the voltage on a load of r
    "KO1099": lambda V_emf, r: (V_emf / 2) ** 2 / r,
    "KO1100": terminal_resistance,
    "KO1101": lambda I, t: t * I,
    "KO1102": lambda V, I, t: (I * t) * V,
    "KO1103": lambda R1: D(1) / R1,
    "KO1104": bridge,
    "KO1105": lambda R1, R2, R3: R2 / R1 * R3,
    "KO1106": star_leg,
    # sum of products over the opposite leg
    "KO1107": lambda R1, R2, R3: (R1 * R2 + R2 * R3 + R3 * R1) / R3,
    "KO1108": two_sources,
    # charge per length of wire, then length per time
    "KO1109": lambda I, n, A: I / (n * A * E_CHARGE),
}
