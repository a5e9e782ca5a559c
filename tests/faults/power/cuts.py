"""Cuts the power of a disk under a service that is written to, again and again.

    cuts.py LYCEUM [ROUNDS]

Writers make courses; then the disk forgets what was not synced (lossy_disk.py) and the service is killed. After each cut
the service starts on what is left: every course that was acknowledged, in this round or before, must be there, and
`lyceum fsck` clean. At the end the same on a disk that lies about syncs: if nothing is lost there, this test sees
nothing. Ends with 1 where a promise is broken.
"""

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

BINARY = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
WRITERS = 4
LOSSY_DISK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lossy_disk.py")
# The Python that Debian's fusepy is for.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable


class Damaged(Exception):
    """The service does not start on what is left."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class School:
    """A service, its data, and what it acknowledged."""

    def __init__(self, root):
        self.disk, self.mount = os.path.join(root, "disk"), os.path.join(root, "mount")
        os.mkdir(self.disk)
        os.mkdir(self.mount)
        self.output = os.path.join(root, "output")
        self.port, self.key, self.acknowledged = free_port(), "", []
        # The first key is made on a disk that keeps it.
        self.stop(self.start(self.disk))

    def environment(self, folder):
        return {
            "PATH": os.environ["PATH"],
            "LYCEUM_DATA_DIR": folder,
            "LYCEUM_DATA_ON_NETWORK": "allow",
            "LYCEUM_LISTEN": f"127.0.0.1:{self.port}",
            "LYCEUM_MIN_FREE_MIB": "0",
            "LYCEUM_RESERVE_MIB": "0",
        }

    def call(self, method, path, body=None):
        headers = {
            "x-api-key": self.key,
            "X-Learning-Platform-Code": "main",
            "Content-Type": "application/json",
        }
        data = json.dumps(body).encode() if body else None
        url = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(url, method=method, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def start(self, folder):
        with open(self.output, "a") as output:
            service = subprocess.Popen(
                [BINARY, "serve"], env=self.environment(folder), stdout=output, stderr=output
            )
        until = time.monotonic() + 60
        while time.monotonic() < until and service.poll() is None:
            with contextlib.suppress(OSError):
                self.call("GET", "/readyz")
                if not self.key:
                    self.key = re.search(r"lyc_k[\w-]+", open(self.output).read()).group(0)
                return service
            time.sleep(0.1)
        service.kill()
        service.wait()
        raise Damaged

    @staticmethod
    def stop(service):
        service.terminate()
        assert service.wait(60) == 0

    def cut(self, *how):
        """Writes for a while, and cuts the power."""
        disk = subprocess.Popen([PYTHON, LOSSY_DISK, self.disk, self.mount, *how])
        while not os.path.ismount(self.mount):
            assert disk.poll() is None, "the lossy disk cannot be mounted"
            time.sleep(0.05)
        service, ended = self.start(self.mount), threading.Event()

        def write():
            while not ended.is_set():
                try:
                    made = self.call("POST", "/v1/courses", {"name": "C", "language": "en"})
                    self.acknowledged.append(made["id"])
                except OSError:
                    time.sleep(0.02)

        writers = [threading.Thread(target=write) for _ in range(WRITERS)]
        for writer in writers:
            writer.start()
        time.sleep(random.uniform(0.5, 3))
        disk.send_signal(signal.SIGUSR1)
        disk.wait()
        service.kill()
        service.wait()
        ended.set()
        for writer in writers:
            writer.join()
        subprocess.run(["fusermount3", "-uz", self.mount], check=True)

    def lost(self):
        """How many acknowledged courses are not there, and whether the rest keeps its promises."""
        service, lost = self.start(self.disk), 0
        for course in self.acknowledged:
            try:
                self.call("GET", f"/v1/courses/{course}")
            except urllib.error.HTTPError:
                lost += 1
        self.stop(service)
        checked = subprocess.run(
            [BINARY, "fsck", "--stopped"], env=self.environment(self.disk), capture_output=True
        )
        return lost, checked.returncode == 0


def main():
    with tempfile.TemporaryDirectory(prefix="lyceum-power-") as root:
        school = School(root)
        for number in range(1, ROUNDS + 1):
            school.cut()
            lost, clean = school.lost()
            told = len(school.acknowledged)
            print(f"cut {number}: {lost} of {told} lost, fsck {'clean' if clean else 'not clean'}", flush=True)
            if lost or not clean:
                return 1
    with tempfile.TemporaryDirectory(prefix="lyceum-power-") as root:
        school = School(root)
        for _ in range(5):
            try:
                school.cut("--lie")
                lost, clean = school.lost()
            except Damaged:
                lost, clean = 0, False
            if lost or not clean:
                print("on a disk that lies it is noticed")
                return 0
    print("on a disk that lies nothing was noticed: this test sees nothing")
    return 1


if __name__ == "__main__":
    sys.exit(main())
