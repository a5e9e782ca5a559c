"""Child processes that do not outlive the bench, and the processor time of all that they start."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
STOPPING = 20


class Failed(Exception):
    """Something that was run said no; the reason is for people to read."""


def without_settings(*prefixes):
    """Our environment without the settings of whoever runs the bench."""
    return {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}


def output(arguments, input=None, **options):
    """Runs a command to its end; what it printed, or Failed with what it complained of."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    child = subprocess.Popen(arguments, text=True, start_new_session=True, **pipes, **options)
    try:
        printed, complaint = child.communicate(input or "")
    except BaseException:
        # What an installation has started goes with it.
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        raise
    if child.returncode != 0:
        name = Path(arguments[0]).name
        raise Failed(f"{name} failed: {gist(complaint.strip() or printed)}")
    return printed


def gist(text):
    """Of what a program complained of the last lines, without where in its code it was."""
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line.strip() for line in lines if not re.match(r"\s+(at |File )", line)]
    return " | ".join(telling[-3:])[-300:]


def bound_to_us(signal_name):
    """What stands before a command whose process is to get this signal when the bench dies."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", signal_name] if setpriv else []


class Process:
    """A running program with all that it starts, in a session of its own: Ctrl-C is ours to hand on."""

    def __init__(self, arguments, log, stop_signal=signal.SIGTERM, **options):
        self.log, self.stop_signal = Path(log), stop_signal
        with self.log.open("ab") as file:
            self.child = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                **options,
            )

    def is_alive(self):
        return self.child.poll() is None

    def cpu_seconds(self):
        return cpu_seconds(self.child.pid)

    def last_words(self):
        """The end of what it printed."""
        return gist(self.log.read_text(errors="replace"))

    def stop(self):
        """Asks it to end; what has not after a while, it or what it started, is killed."""
        if self.is_alive():
            self.child.send_signal(self.stop_signal)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(STOPPING)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        # Whom it started is not ours to wait for, and is gone a moment later.
        while any(
            one.is_running and one.group == self.child.pid for one in all_processes().values()
        ):
            time.sleep(0.01)


def wait_until(is_ready, process, what, seconds=60):
    """Waits until something that was started is ready, as long as it lives."""
    until = time.monotonic() + seconds
    while not is_ready():
        if not process.is_alive() or time.monotonic() > until:
            raise Failed(f"{what} did not start: {process.last_words()}")
        time.sleep(0.05)


@dataclass(frozen=True)
class Stat:
    """What the system says of a process."""

    parent: int
    group: int
    #: Not only waiting for somebody to hear that it has ended.
    is_running: bool
    #: Of the process, and of those it started that have ended.
    ticks: int


def cpu_seconds(root):
    """Processor time of a process and of all below it, also of those below that have ended."""
    found = all_processes()
    family = {root}
    grown = True
    while grown:
        more = {pid for pid, one in found.items() if one.parent in family} - family
        family |= more
        grown = bool(more)
    return sum(found[pid].ticks for pid in family if pid in found) / TICKS_PER_SECOND


def all_processes():
    """Each process there is, by its id."""
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            # It may have ended since it was listed.
            with contextlib.suppress(OSError):
                found[int(entry.name)] = parsed(Path(entry.path, "stat").read_text())
    return found


def parsed(stat):
    """A line of /proc/<pid>/stat; the second field, the name, may itself hold spaces and brackets."""
    state, parent, group, *fields = stat.rpartition(")")[2].split()
    ticks = sum(int(field) for field in fields[8:12])
    return Stat(int(parent), int(group), state not in "ZX", ticks)
