"""CODATA 2022 values in coherent SI, typed here a second time on purpose."""

from decimal import Decimal as D

from precise import PI

C = D(299792458)
H = D("6.62607015e-34")
HBAR = H / (2 * PI)
K_B = D("1.380649e-23")
N_A = D("6.02214076e23")
GAS = K_B * N_A
E_CHARGE = D("1.602176634e-19")
M_E = D("9.1093837139e-31")
