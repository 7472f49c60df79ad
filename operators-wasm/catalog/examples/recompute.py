#!/usr/bin/env python3
"""Recomputes every worked example of the catalogue, apart from the compiler.

    python3 recompute.py              check all .op files of the catalogue
    python3 recompute.py FILE...      check these files
    python3 recompute.py --show ...   also print each recomputed value

It reads the .op files only for the ids, the units and the numbers; the
formulas are its own (folder formulas). It exits with 1 where a value differs by
more than 1e-9, where an operator has no formula or fewer than two examples, or
where a formula belongs to no operator.
"""

import sys

sys.dont_write_bytecode = True  # a check leaves no files behind

from decimal import Decimal as D
from decimal import DecimalException
from pathlib import Path

import catalogue
import formulas

TOLERANCE = D("1e-9")
CATALOGUE = Path(__file__).resolve().parent.parent


def recompute(operator, example, formula):
    """The output of an example in the unit in which it is stated."""
    given = {**operator.defaults, **example.inputs}
    # lambda is a word of Python
    arguments = {("lambda_" if name == "lambda" else name): value for name, value in given.items()}
    value = formula(**arguments)
    return (value - example.offset) / example.scale


def agrees(stated, computed):
    return abs(stated - computed) <= TOLERANCE * abs(computed)


def check(operators, table, show=False):
    """Returns (number of examples, list of mistakes)."""
    count, mistakes = 0, []
    for op in operators:
        if op.id not in table:
            mistakes.append(f"{op.place}: {op.id} has no formula in examples/formulas")
            continue
        if len(op.examples) < 2:
            mistakes.append(f"{op.place}: {op.id} has fewer than two examples")
        for example in op.examples:
            count += 1
            try:
                computed = recompute(op, example, table[op.id])
            except (TypeError, ArithmeticError, DecimalException, ValueError) as err:
                mistakes.append(f"{example.place}: {op.id}: {err}")
                continue
            if show:
                print(f"{example.place}: {op.id} {computed:.12g}")
            if not agrees(example.stated, computed):
                mistakes.append(f"{example.place}: {op.id} states {example.stated}, recomputed {computed:.12g}")
    return count, mistakes


def main(arguments):
    show = "--show" in arguments
    paths = [Path(a) for a in arguments if a != "--show"]
    whole = not paths
    operators, mistakes = [], []
    for path in paths or sorted(CATALOGUE.glob("*.op")):
        try:
            operators += catalogue.read(path)
        except ValueError as err:
            mistakes.append(str(err))
    table = formulas.by_id()
    count, wrong = check(operators, table, show)
    mistakes += wrong
    if whole:
        known = {op.id for op in operators}
        mistakes += [f"formula {key} belongs to no operator" for key in table if key not in known]
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    print(f"{count} examples recomputed, {len(mistakes)} wrong")
    return 1 if mistakes or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
