#!/usr/bin/env python3
"""Tests of the recomputation itself: python3 test_recompute.py"""

import sys

sys.dont_write_bytecode = True

import unittest
from decimal import Decimal as D
from pathlib import Path

import catalogue
import formulas
import precise
import recompute
import unit_table

TESTDATA = Path(__file__).resolve().parent / "testdata"


class Precise(unittest.TestCase):
    """Against published digits and identities that the code does not use."""

    def near(self, got, want, tolerance="1e-48"):
        self.assertLess(abs(got - D(want)), D(tolerance) * max(1, abs(D(want))))

    def test_published_digits(self):
        self.near(precise.PI, "3.14159265358979323846264338327950288419716939937511")
        self.near(precise.exp(1), "2.71828182845904523536028747135266249775724709369996")
        self.near(precise.ln(2), "0.69314718055994530941723212145817656807550013436026")
        self.near(precise.sqrt(2), "1.41421356237309504880168872420969807856967187537695")

    def test_angles(self):
        self.near(precise.sin(precise.PI / 6), "0.5")
        self.near(precise.cos(precise.PI / 3), "0.5")
        self.near(precise.cos(precise.PI), -1)
        self.near(precise.sin(D(-1000)) ** 2 + precise.cos(D(-1000)) ** 2, 1)
        self.near(precise.atan(D(1)), precise.PI / 4)
        self.near(precise.acos(D("-0.5")), precise.PI * 2 / 3)
        for degrees in (-179, -91, -45, 30, 89, 91, 179):
            angle = precise.PI * degrees / 180
            self.near(precise.atan2(precise.sin(angle), precise.cos(angle)), angle, "1e-45")

    def test_tanh(self):
        self.near(precise.tanh(precise.ln(D(3))), "0.8")


class Units(unittest.TestCase):
    def test_scales(self):
        for text, scale in {
            "": "1", "km/h": D(1000) / 3600, "mm^2": "1e-6", "J/(mol*K)": "1", "1/nm": "1e9",
            "kg*m/s": "1", "mmol/L": "1", "ms": "0.001", "m*s": "1", "mS": "0.001", "degC": "1",
        }.items():
            self.assertEqual(unit_table.parse(text)[0], D(scale), text)
        self.assertEqual(unit_table.parse("degC")[1], D("273.15"))

    def test_refused(self):
        for text in ("furlong", "m/", "J/(mol*K", "m)", "kdegC", "kmin", "m^x"):
            with self.assertRaises(ValueError, msg=text):
                unit_table.parse(text)


class Anchors(unittest.TestCase):
    """Formulas against values that tables publish, to their last digit."""

    def test_published_values(self):
        eV, m_p = D("1.602176634e-19"), D("1.67262192595e-27")
        air, cold = D("0.0289644"), D("288.15")
        anchors = {
            "Loschmidt constant at 100 kPa": ("KO778", (D(100000), D("273.15")), "2.651645804e25", "1e-9"),
            "proton rest energy": ("KO490", (m_p,), D("938.27208943e6") * eV, "1e-10"),
            "Compton wavelength": ("KO1392", (precise.PI / 2, D("9.1093837139e-31")), "2.42631023538e-12", "1e-11"),
            "density of the standard atmosphere": ("KO779", (D(101325), air, cold), "1.225", "1e-4"),
            "speed of sound of the standard atmosphere": ("KO796", (D("1.4"), cold, air), "340.294", "1e-5"),
            "wavelength of 100 V electrons": ("KO1383", (D("9.1093837139e-31"), eV, D(100)), "1.2264e-10", "3e-5"),
            "molar volume, as a pressure": ("KO777", (D(1), D("273.15"), D("22.41396954e-3")), "101325", "1e-9"),
        }
        table = formulas.by_id()
        for name, (key, arguments, published, tolerance) in anchors.items():
            got = table[key](*arguments)
            self.assertLess(abs(got / D(published) - 1), D(tolerance), name)


class Check(unittest.TestCase):
    def run_on(self, name):
        return recompute.check(catalogue.read(TESTDATA / name), formulas.by_id())

    def test_good(self):
        self.assertEqual(self.run_on("good.op"), (2, []))

    def test_every_mistake_is_found(self):
        count, mistakes = self.run_on("wrong.op")
        self.assertEqual(count, 3)
        expected = (
            "wrong.op:7: KO2 states 19.00000002",
            "wrong.op:8: KO2: ",  # an input is missing
            "wrong.op:10: KO5 has fewer than two examples",
            "wrong.op:15: KO9999 has no formula",
        )
        self.assertEqual(len(mistakes), len(expected), mistakes)
        for start, mistake in zip(expected, mistakes):
            self.assertTrue(mistake.startswith(start), mistake)

    def test_unknown_unit(self):
        with self.assertRaisesRegex(ValueError, "unknown_unit.op:4: unknown unit 'furlong'"):
            catalogue.read(TESTDATA / "unknown_unit.op")


if __name__ == "__main__":
    unittest.main()
