"""Quantum mechanics."""

from constants import C, H, HBAR
from precise import PI, cos, exp, sin, sqrt


def accelerated(m, q, V):
    """Momentum from the kinetic energy q V, then h/p."""
    momentum = sqrt(2 * m * (q * V))
    return H / momentum


def standing_wave(n, m, L):
    """n half waves fit: p = h/(2 L/n), E = p^2/(2 m)."""
    momentum = H / (2 * L / n)
    return momentum**2 / (2 * m)


def tunnel(m, E, U, L):
    """1/(1 + (k^2 + K^2)^2 sinh^2(K L)/(4 k^2 K^2)) from both wave numbers."""
    outside = sqrt(2 * m * E) / HBAR
    inside = sqrt(2 * m * (U - E)) / HBAR
    sinh = (exp(inside * L) - exp(-inside * L)) / 2
    return 1 / (1 + ((outside**2 + inside**2) * sinh / (2 * outside * inside)) ** 2)


def step(E, U):
    """1 - T with T = 4 k1 k2/(k1 + k2)^2."""
    k1, k2 = sqrt(E), sqrt(E - U)
    return 1 - 4 * k1 * k2 / (k1 + k2) ** 2


def inside_box(x, L, n):
    """Integral of 2/L sin^2(n pi y/L) from 0 to x by 2 sin^2 = 1 - cos(2 ...)."""
    k = n * PI / L
    return (x - sin(k * x) * cos(k * x) / k) / L


def spread(s0, m, t):
    """Variances add: s0^2 and (momentum spread/m * t)^2."""
    velocity_spread = HBAR / (2 * s0) / m
    return sqrt(s0**2 + (velocity_spread * t) ** 2)


def rabi(omega1, delta, t):
    """(w1/W)^2 (1 - cos(W t))/2."""
    total = sqrt(omega1**2 + delta**2)
    return (omega1 / total) ** 2 * (1 - cos(total * t)) / 2


FORMULAS = {
    "KO1379": lambda f: 2 * PI * HBAR * f,
    "KO1380": lambda lambda_: H * (C / lambda_),
    "KO1381": lambda p: 2 * PI / (p / HBAR),
    "KO1382": lambda m, v: H / m / v,
    "KO1383": accelerated,
    "KO1384": lambda f, W: HBAR * (2 * PI * f) - W,
    "KO1385": lambda dx: H / (4 * PI * dx),
    "KO1386": lambda dt: H / (4 * PI * dt),
    "KO1387": standing_wave,
    "KO1388": lambda n_x, n_y, n_z, m, L_x, L_y, L_z: (
        standing_wave(n_x, m, L_x) + standing_wave(n_y, m, L_y) + standing_wave(n_z, m, L_z)
    ),
    "KO1389": lambda n, omega: (2 * n + 1) * H * omega / (4 * PI),
    "KO1390": lambda J, I_m: H**2 * J * (J + 1) / (8 * PI**2 * I_m),
    "KO1391": lambda l: sqrt(l**2 + l) * H / (2 * PI),
    "KO1392": lambda theta, m: H / (m * C) * (1 - cos(theta)),
    "KO1393": tunnel,
    "KO1394": step,
    "KO1395": inside_box,
    "KO1396": lambda k, m: (HBAR * k) ** 2 / m / 2,
    "KO1397": lambda E2, E1: E2 / H - E1 / H,
    "KO1398": spread,
    "KO1399": rabi,
}
