import unittest

from contenders.lyceum import course_id
from seeds import ASKED_FOR, asked_for, seeds


class Seeds(unittest.TestCase):
    def test_ids_of_ours_look_as_real_ones_and_sort_as_they_were_made(self):
        ids = [course_id(n) for n in range(100)]
        self.assertEqual(ids, sorted(ids))
        self.assertRegex(ids[0], "^crs_[0-7][0-9a-hjkmnp-tv-z]{25}$")

    def test_the_same_two_thousand_are_asked_for_in_every_run(self):
        asked = asked_for(seeds(str))
        self.assertEqual(len({seed.id for seed in asked}), ASKED_FOR)
        self.assertEqual(asked, asked_for(seeds(str)))


if __name__ == "__main__":
    unittest.main()
