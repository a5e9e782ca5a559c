import unittest

from load import figures
from processes import Failed


class Figures(unittest.TestCase):
    def test_are_found_among_the_words(self):
        printed = (
            "Running 1s test @ http://127.0.0.1:1/\n  1 threads\n"
            '{"requests":200,"micros":1000000,"p50":0.5,"p90":1,"p99":2.25,"bytes":4,"refused":1,"broken":0}\n'
        )
        told = figures(printed)
        self.assertEqual((told["requests"], told["p99"], told["refused"]), (200, 2.25, 1))

    def test_what_wrk_complains_of_is_told(self):
        with self.assertRaisesRegex(Failed, "unable to connect"):
            figures("unable to connect to 127.0.0.1:1\n")


if __name__ == "__main__":
    unittest.main()
