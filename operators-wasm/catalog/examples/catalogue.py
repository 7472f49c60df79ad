"""Reads ids, defaults and examples from a catalogue file, and nothing else."""

import re
from decimal import Decimal as D
from typing import NamedTuple

import unit_table

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_ASSIGNMENT = re.compile(rf"\s*(\w+)\s*=\s*({_NUMBER})(?:\s+(\S.*?))?\s*$")
_INPUT = re.compile(r"(\w+)\s*:\s*\w+\s*\[([^\]]*)\]\s*\"[^\"]*\"(.*)$")
_DEFAULT = re.compile(rf"=\s*({_NUMBER})")


class Example(NamedTuple):
    place: str
    inputs: dict  # coherent SI, by symbol
    stated: D  # output in its own unit
    scale: D  # of that unit
    offset: D


class Operator(NamedTuple):
    id: str
    place: str
    defaults: dict  # coherent SI, by symbol
    examples: list


def assignment(text, place):
    """symbol, number, (scale, offset) of "x = 1.5 km"."""
    found = _ASSIGNMENT.match(text)
    if not found:
        raise ValueError(f"{place}: not of the form x = 1 m: {text!r}")
    try:
        unit = unit_table.parse(found[3] or "")
    except ValueError as err:
        raise ValueError(f"{place}: {err}") from err
    return found[1], D(found[2]), unit


def _example(text, place):
    given, arrow, result = text.partition("->")
    if not arrow:
        raise ValueError(f"{place}: the example has no result")
    inputs = {}
    for part in given.split(","):
        symbol, number, (scale, offset) = assignment(part, place)
        inputs[symbol] = number * scale + offset
    _, stated, (scale, offset) = assignment(result, place)
    return Example(place, inputs, stated, scale, offset)


def _input(text, defaults, place):
    found = _INPUT.match(text)
    if not found:
        raise ValueError(f"{place}: not an input: {text!r}")
    default = _DEFAULT.search(found[3])
    if default:
        scale, offset = unit_table.parse(found[2])
        defaults[found[1]] = D(default[1]) * scale + offset


_FIELDS = (
    "category", "operator", "name", "alias", "description", "output", "input",
    "equation", "validity", "require", "reference", "example",
)
_COMMENT = re.compile(r"(^|\s)#.*")


def _fields(path):
    """(place, keyword, text) of each field, continuation lines joined."""
    fields = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = _COMMENT.sub("", line).strip()
        key, _, rest = text.partition(" ")
        if key in _FIELDS:
            fields.append((f"{path.name}:{number}", key, rest.strip()))
        elif text and fields:
            place, key, before = fields[-1]
            fields[-1] = (place, key, f"{before} {text}")
    return fields


def read(path):
    """The operators of a file; raises ValueError with file and line."""
    operators = []
    for place, key, text in _fields(path):
        if key == "operator":
            operators.append(Operator(text, place, {}, []))
        elif key == "input" and operators:
            _input(text, operators[-1].defaults, place)
        elif key == "example" and operators:
            operators[-1].examples.append(_example(text, place))
    return operators
