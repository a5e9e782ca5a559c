import unittest
from types import SimpleNamespace

from figures import Measured, ratios, spread
from load import WORKS
from report import as_json, as_text, number, row, table
from rounds import turns


def measured(rate, database_cpu=None):
    return Measured(rate, 1.0, 2.0, 50.0, database_cpu)


def report():
    """Two peers that were measured, one of which cannot create, and one that is not there."""
    ours, theirs = [measured(100), measured(300)], [measured(10), measured(20)]
    rounds = SimpleNamespace(
        measured={work.name: {"Lyceum": ours, "Other": theirs} for work in WORKS},
        failures={("create", "Other"): "of 3 answers 1 was a refusal"},
    )
    names = ("Lyceum", "Other", "Absent")
    peers = [SimpleNamespace(name=name, version="1") for name in names]
    return as_json(rounds, peers, {"Absent": "it could not be installed"}, {"rounds": 2})


class Figures(unittest.TestCase):
    def test_ratios_are_taken_round_by_round(self):
        ratio = ratios([measured(100), measured(300)], [measured(10), measured(20)])
        self.assertEqual((ratio.median, ratio.least, ratio.most), (12.5, 10, 15))

    def test_a_spread_has_its_extremes(self):
        self.assertEqual(spread([3, 1, 2]).__dict__, {"median": 2, "least": 1, "most": 3})

    def test_each_round_begins_with_another_peer(self):
        begun = [turns(["a", "b", "c"], number) for number in range(4)]
        self.assertEqual(
            begun, [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "b", "c"]]
        )


class Report(unittest.TestCase):
    def test_a_goal_is_met_by_the_median_of_the_ratios(self):
        got = report()["works"]["get"]["Other"]
        self.assertEqual((got["ratio"]["median"], got["goal"], got["is_met"]), (12.5, 10, True))

    def test_what_failed_or_is_absent_says_why(self):
        created = report()["works"]["create"]
        self.assertEqual(created["Other"], {"not_measured": "of 3 answers 1 was a refusal"})
        self.assertEqual(created["Absent"], {"not_measured": "it could not be installed"})

    def test_nobody_is_held_against_what_could_not_be_measured(self):
        self.assertNotIn("ratio", report()["works"]["get"]["Lyceum"])

    def test_the_text_has_a_table_for_each_work_and_the_versions(self):
        text = as_text(report())
        self.assertEqual(text.count("| met |"), 3)
        self.assertIn("| 12.5 (10.0–15.0) | ≥ 10 | yes |", text)
        self.assertIn("not measured: it could not be installed", text)
        self.assertTrue(text.endswith("Lyceum 1, Other 1, Absent 1"))

    def test_a_reason_cannot_break_the_table(self):
        cells = row("Other", {"not_measured": "failed: a | b"})
        self.assertEqual(cells[:2], ("Other", "not measured: failed: a / b"))
        self.assertNotIn("|", "".join(cells))

    def test_columns_are_as_wide_as_their_cells(self):
        lines = table([("a", "long head"), ("long cell", "b")]).splitlines()
        self.assertEqual(len({len(line) for line in lines}), 1)

    def test_thousands_stand_apart(self):
        self.assertEqual((number(12345.6, 0), number(1.25, 1)), ("12 346", "1.2"))


if __name__ == "__main__":
    unittest.main()
