"""The ideal gas and its kinetic theory."""

from constants import GAS, K_B, N_A
from precise import PI, exp, ln, power, sqrt


def combined(p1, V1, V2, T1, T2):
    """The same amount of gas before and after."""
    amount = p1 * V1 / (GAS * T1)
    return amount * GAS * T2 / V2


def isentropic_pressure(T1, p1, p2, gamma):
    """Equal entropy: C_p ln(T2/T1) = R ln(p2/p1)."""
    cp_over_r = gamma / (gamma - 1)
    return T1 * exp(ln(p2 / p1) / cp_over_r)


def expansion_without_heat(p1, V1, p2, V2, gamma):
    """Loss of internal energy C_v (T1 - T2) with n R T = p V."""
    cv_over_r = 1 / (gamma - 1)
    return cv_over_r * p1 * V1 - cv_over_r * p2 * V2


def wall_flux(p, m, T):
    """A quarter of density times mean speed."""
    density = p / (K_B * T)
    mean_speed = sqrt(8 * K_B * T / (PI * m))
    return density * mean_speed / 4


def entropy(n, C_v, T1, T2, V1, V2):
    return n * (C_v * (ln(T2) - ln(T1)) + GAS * (ln(V2) - ln(V1)))


FORMULAS = {
    # molecules instead of moles
    "KO777": lambda n, T, V: n * N_A * K_B * T / V,
    # moles per volume
    "KO778": lambda p, T: p / (GAS * T) * N_A,
    "KO779": lambda p, M, T: p / (GAS * T) * M,
    "KO780": combined,
    # m <v^2> = 3 k T for one molecule
    "KO781": lambda T, M: sqrt(3 * K_B * T / (M / N_A)),
    "KO782": lambda T, M: sqrt(8 / PI) * sqrt(K_B * T / (M / N_A)),
    "KO783": lambda T, M: sqrt(2) * sqrt(K_B * T / (M / N_A)),
    # p V = 2/3 N E
    "KO784": lambda T: K_B * T * 3 / 2,
    # f/2 k T for each molecule
    "KO785": lambda f, n, T: n * N_A * (f / 2) * K_B * T,
    # 1/(sqrt(2) sigma n)
    "KO786": lambda T, d, p: 1 / (sqrt(2) * (PI * d * d) * (p / (K_B * T))),
    "KO787": lambda x_i, p: p * x_i,
    "KO788": lambda C_v: C_v + K_B * N_A,
    # (f/2 + 1) / (f/2)
    "KO789": lambda f: (f / 2 + 1) / (f / 2),
    "KO790": lambda p1, V1, V2, gamma: exp(ln(p1) + gamma * (ln(V1) - ln(V2))),
    "KO791": lambda T1, V1, V2, gamma: T1 * power(V1, gamma - 1) / power(V2, gamma - 1),
    "KO792": isentropic_pressure,
    "KO793": lambda n, T, V1, V2: GAS * n * T * (ln(V2) - ln(V1)),
    "KO794": lambda p, V1, V2: p * V2 - p * V1,
    "KO795": expansion_without_heat,
    # sqrt(gamma p/rho)
    "KO796": lambda gamma, T, M: sqrt(gamma * (K_B * T) / (M / N_A)),
    "KO797": lambda rho, v_rms: rho * (v_rms**2 / 3),
    "KO798": wall_flux,
    "KO799": entropy,
    "KO800": lambda M1, M2: sqrt(M2) / sqrt(M1),
}
