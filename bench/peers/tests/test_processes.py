import tempfile
import unittest
from pathlib import Path

from processes import Process, Stat, all_processes, cpu_seconds, gist, parsed, wait_until


class Processes(unittest.TestCase):
    def test_a_name_with_brackets_is_passed_over(self):
        stat = "17 (a) b) S 5 17 17 0 -1 4194560 1 0 0 0 250 50 10 5 20 0 4 0 99 1 1"
        self.assertEqual(parsed(stat), Stat(5, 17, True, 315))

    def test_a_reason_is_what_was_said_and_not_where(self):
        said = "starting\nError: no folder\n    at init (/a/b.js:1:2)\n    at async load (/a/c.js:3:4)\n\n"
        self.assertEqual(gist(said), "starting | Error: no folder")

    def test_what_is_started_below_counts_and_ends_too(self):
        busy = 'sh -c "while :; do :; done" & trap "" TERM; echo $!; wait'
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            process = Process(["sh", "-c", busy], log)
            try:
                wait_until(lambda: cpu_seconds(process.child.pid) > 0.1, process, "sh")
            finally:
                process.child.kill()
                process.stop()
            below = int(log.read_text())
        found = all_processes().get(below)
        self.assertFalse(found and found.is_running)


if __name__ == "__main__":
    unittest.main()
