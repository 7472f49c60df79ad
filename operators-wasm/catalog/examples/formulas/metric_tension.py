"""Metric tension of the pulse."""

from decimal import Decimal as D

from precise import PI, sin, tanh

ALPHA = D("1e-9")
RHO = D("0.5")
SIGMA = D("0.010")
CYCLE = D("0.777")
GOLDEN = D("0.6180339887498949")


def tension(svcond, dt):
    wave = sin(2 * PI * ((GOLDEN * svcond) % 1))
    return ALPHA * ((1 - RHO) * wave + RHO * tanh((dt - CYCLE) / SIGMA))


FORMULAS = {"KO42": tension}
