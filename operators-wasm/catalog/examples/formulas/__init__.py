"""One formula in Python for each operator, written from the physics.

None of them is taken from the equation in the .op file: where the relation
allows it the same law is reached by another way (by way of mean velocities,
the Lorentz factor, conserved quantities, ...), so that a slip in one form does
not repeat in the other. Arguments and results are in coherent SI.
"""

from formulas import (
    dc_circuit,
    fluid_dynamics,
    ideal_gas,
    kinematic,
    metric_tension,
    quantum,
    relativity,
    work_energy,
)

CATEGORIES = (
    dc_circuit, fluid_dynamics, ideal_gas, kinematic, metric_tension, quantum, relativity, work_energy,
)


def by_id():
    """All formulas by operator id; raises ValueError where an id stands twice."""
    table = {}
    for category in CATEGORIES:
        for key, formula in category.FORMULAS.items():
            if key in table:
                raise ValueError(f"{key} has two formulas")
            table[key] = formula
    return table
