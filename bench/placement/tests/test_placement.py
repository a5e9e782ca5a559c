import unittest

from moving import greedily, moved
from placing import PLACINGS, by_hash, by_rendezvous, fullest, loads, to_the_emptier_of_two
from tables import report, told
from workspaces import MEDIAN_BYTES, MONTHS, workspaces

WORLDS = [workspaces(2000, 0.8, seed) for seed in range(3)]


def held(world, place, clusters):
    return loads(world, place, clusters, MONTHS)


class Sizes(unittest.TestCase):
    def test_ranks_decide_and_seeds_only_shuffle(self):
        ordered = [sorted((one.bytes for one in world), reverse=True) for world in WORLDS]
        self.assertTrue(ordered[0] == ordered[1] == ordered[2])
        self.assertAlmostEqual(ordered[0][0] / ordered[0][999], 1000**0.8, delta=0.1)
        self.assertAlmostEqual(ordered[0][999], MEDIAN_BYTES, delta=1)
        self.assertNotEqual(WORLDS[0], WORLDS[1])

    def test_the_same_seed_is_the_same_world(self):
        self.assertEqual(WORLDS[1], workspaces(2000, 0.8, 1))


class Placing(unittest.TestCase):
    def test_every_workspace_is_in_one_cluster_and_every_byte_is_there(self):
        for place in (*PLACINGS.values(), by_rendezvous):
            for seed, world in enumerate(WORLDS):
                placed = place(world, 8, seed)
                self.assertEqual(set(placed), {one.name for one in world})
                self.assertTrue(set(placed.values()) <= set(range(8)))
                self.assertAlmostEqual(
                    sum(held(world, placed, 8)) / sum(one.bytes for one in world), 1
                )

    def test_nobody_knows_what_comes_later(self):
        world = WORLDS[0]
        for place in PLACINGS.values():
            whole, half = place(world, 8, 7), place(world[:1000], 8, 7)
            self.assertEqual({name: whole[name] for name in half}, half)


class Adding(unittest.TestCase):
    def test_rendezvous_moves_to_new_clusters_only(self):
        before, after = (by_rendezvous(WORLDS[0], clusters, 1) for clusters in (8, 9))
        went = {after[name] for name in before if before[name] != after[name]}
        self.assertEqual(went, {8})

    def test_what_moved_is_what_is_elsewhere(self):
        world = WORLDS[0][:3]
        told = moved(world, {0: 1, 1: 1, 2: 1}, {0: 2, 1: 1, 2: 0})
        sizes = [world[0].bytes, world[2].bytes]
        self.assertEqual((told.workspaces, told.bytes, told.largest), (2, sum(sizes), max(sizes)))

    def test_greed_loses_nothing_keeps_its_bounds_and_makes_nothing_worse(self):
        for seed, world in enumerate(WORLDS):
            before = by_hash(world, 8, seed)
            total = sum(one.bytes for one in world)
            for clusters, share, largest in [(8, 0.01, total), (9, 0.05, 10**8), (16, 0.6, total)]:
                after = greedily(world, before, clusters, int(share * total), largest)
                self.assertEqual(set(after), set(before))
                self.assertTrue(set(after.values()) <= set(range(clusters)))
                went = moved(world, before, after)
                self.assertLessEqual(went.bytes, share * total)
                self.assertLessEqual(went.largest, largest)
                self.assertGreater(went.workspaces, 0)
                held_by = max(held(world, after, clusters))
                self.assertLessEqual(held_by, max(held(world, before, clusters)) * 1.000001)

    def test_greed_with_room_to_move_evens_out(self):
        world = WORLDS[0]
        before = to_the_emptier_of_two(world, 8, 0)
        after = greedily(world, before, 9, sum(one.bytes for one in world))
        self.assertLess(fullest(held(world, after, 9)), 1.03)

    def test_greed_moves_nothing_where_all_is_even(self):
        world = WORLDS[0]
        even = greedily(world, by_hash(world, 8, 0), 8, sum(one.bytes for one in world))
        self.assertEqual(greedily(world, even, 8, 10**15), even)


class Telling(unittest.TestCase):
    def test_a_figure_has_its_extremes_where_there_are_any(self):
        self.assertEqual(told([3, 1, 2]), "2.00 (1.00 to 3.00)")
        self.assertEqual(told([2, 2]), "2.00")

    def test_the_report_has_a_row_for_each_way(self):
        text = "\n".join(report(300, 0.8, 2))
        for name in ("hash", "emptiest", "emptier of two", "rendezvous", "greedy"):
            self.assertIn(f"| {name}", text)
