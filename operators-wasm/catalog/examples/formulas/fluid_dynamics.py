"""Flow of liquids and gases."""

from decimal import Decimal as D

from precise import PI, sqrt


def bernoulli(p1, rho, v1, v2, z1, z2, g):
    """Energy per volume is the same at both points."""
    total = p1 + rho * v1 * v1 / 2 + rho * g * z1
    return total - rho * v2 * v2 / 2 - rho * g * z2


def poiseuille(r, dp, mu, l):
    """Mean speed of the parabola, half of the greatest, times the area."""
    greatest = dp / l * r**2 / (4 * mu)
    return greatest / 2 * (PI * r**2)


def settling(rho_s, rho_f, g, r, mu):
    """Weight less buoyancy over 6 pi mu r."""
    volume = D(4) / 3 * PI * r**3
    return (rho_s - rho_f) * volume * g / (6 * PI * mu * r)


def jet(rho, A, v):
    """Mass flow times change of speed."""
    return (rho * A * v) * v


def sudden_expansion(rho, v1, v2):
    """Loss of kinetic energy per volume less the recovered pressure rho v2 (v1 - v2)."""
    recovered = rho * v2 * (v1 - v2)
    return rho * (v1**2 - v2**2) / 2 - recovered


FORMULAS = {
    "KO548": lambda v1, A1, A2: A1 * v1 / A2,
    "KO549": lambda A, v: v * A,
    "KO550": lambda rho, A, v: (A * v) * rho,
    "KO551": bernoulli,
    "KO552": lambda rho, v: rho * v * v * D("0.5"),
    "KO553": lambda C_v, z, g: C_v * sqrt(2) * sqrt(g) * sqrt(z),
    # speed times length over the kinematic viscosity
    "KO554": lambda rho, v, L, mu: v * L / (mu / rho),
    "KO555": poiseuille,
    "KO556": lambda v, r, r_w: 2 * v * (r_w - r) * (r_w + r) / r_w**2,
    "KO557": lambda mu, r, v: 6 * PI * (mu * v) * r,
    "KO558": settling,
    "KO559": lambda mu, v, d: v / d * mu,
    "KO560": lambda mu, rho: mu / rho,
    # weight per time times height
    "KO561": lambda rho, g, Q, z: (rho * Q) * g * z,
    "KO562": jet,
    "KO563": lambda mdot, v1, v2: mdot * v2 - mdot * v1,
    # 4.91 x/sqrt(Re)
    "KO564": lambda nu, x, v: D("4.91") * x / sqrt(v * x / nu),
    "KO565": lambda Re_x: D("0.664") / sqrt(Re_x),
    "KO566": sudden_expansion,
    "KO567": lambda p, p0, rho, v: (p - p0) / (rho * v * v / 2),
}
