# SPDX-License-Identifier: MIT
"""Runs of tessera whose results must be the same on every host: cases, their results, and what differs between two
results. scripts/test-load and scripts/same-results use this module."""
import collections
import difflib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = TOP / "examples"
TICK = 10  # seconds between lines of progress
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100000))\n"
SHOWN = 20  # differences of a file

# Output that depends on the host: the process's number, and times (examples/compute/README.md, GPU_FFT, pytest).
OF_HOST = [(re.compile(rb"statistics of process \d+"), b"statistics of process ..."), (re.compile(rb"[\d.]+ (ms|GFLOPS)"), rb"... \1"),
           (re.compile(rb"usecs = \d+"), b"usecs = ..."), (re.compile(rb"passed in [\d.]+s"), b"passed in ...")]

COMPUTE = {
    "vector-add": "1000 --qpus 5",
    "dot-product": "1001 --qpus 7",
    "sgemm": "33 50 7 -2 0 --qpus 5",
    "mandelbrot": "65 31 100 out.png",
    "fft": "11 3 --qpus 5",
    "prefix-sum": "1000 --qpus 3",
}

# name; the folder whose files the command needs, or None; the command, in which {tessera} is the program and {threads}
# the number of threads; variables of the environment.
Case = collections.namedtuple("Case", "name source command variables", defaults=({},))

RUN = ["--threads", "{threads}", "--stats", "--findings", "findings", "--format", "json"]
QPU = ["{tessera}", "qpu", "--threads", "{threads}", "--stats=statistics"]


def scenes():
    for source in sorted(EXAMPLES.glob("vc4/*/*.qasm")):
        yield Case(f"vc4/{source.stem}", source.parent, ["{tessera}", "run", *RUN, "-o", "pictures/", source.name])


def shaders():
    for readme in sorted([*EXAMPLES.glob("utgard/*/README.md"), *EXAMPLES.glob("a2xx/*/README.md")]):
        for number, line in enumerate(re.findall(r"^    tessera (run .*)", readme.read_text(), re.M), 1):
            yield Case(f"{readme.parent.parent.name}/{readme.parent.name} {number}", readme.parent, ["{tessera}", *line.split(), *RUN])


def programs(build):
    for name, arguments in COMPUTE.items():
        for how in ([], ["--direct"]):
            yield Case(" ".join([f"compute/{name}", *how]), None,
                       [*QPU, "--sanitize", "--", build / f"examples/compute/{name}", *how, *arguments.split()])


def examples(build):
    return [*programs(build), *scenes(), *shaders()]


def without_host(data):
    for pattern, instead in OF_HOST:
        data = pattern.sub(instead, data)
    return data


def outcome(case, tessera, threads, limit, variables=None):
    """Returns the results of a run, by name. A run that does not end has its results up to then."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        given = shutil.copytree(case.source, folder, dirs_exist_ok=True) and set(os.listdir(folder)) if case.source else set()
        (folder / "pictures").mkdir()
        words = {"{threads}": str(threads), "{tessera}": str(tessera)}
        command = [words.get(str(part), str(part)) for part in case.command]
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, env=dict(os.environ, **case.variables, **(variables or {})))
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return {"end": b"none in %d seconds\n" % limit, "standard output": out, "standard error": err}
        made = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in given}
        found = {"status": b"%d\n" % process.returncode, "standard output": out, "standard error": err, **made}
        return {name: without_host(data) for name, data in found.items()}


def text_of(data):
    return data.decode(errors="replace").splitlines()


def of_json(data):
    """Returns the value of a JSON document, or None."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def values_that_differ(one, two, path=""):
    """Returns lines for the values of two JSON documents that differ."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted(one.keys() | two.keys()):
            yield from values_that_differ(one.get(key), two.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(two, list):
        for i, (a, b) in enumerate(itertools.zip_longest(one, two)):
            yield from values_that_differ(a, b, f"{path}[{i}]")
    elif one != two:
        yield f"{path.removeprefix('.')}: {json.dumps(one)}, {json.dumps(two)}"


def bytes_that_differ(one, two):
    places = [i for i, (a, b) in enumerate(zip(one, two)) if a != b]
    first = f", first at offset {places[0]}: {one[places[0]]:#04x}, {two[places[0]]:#04x}" if places else ""
    yield f"sizes {len(one)}, {len(two)} bytes; {len(places)} bytes differ{first}"


def of_file(one, two):
    """Returns lines that say how two files differ."""
    if b"\0" in one + two:
        return bytes_that_differ(one, two)
    if of_json(one) is not None and of_json(two) is not None:
        return values_that_differ(of_json(one), of_json(two))
    return difflib.unified_diff(text_of(one), text_of(two), "first", "this", lineterm="", n=0)


def differences(first, other):
    for name in sorted(first.keys() | other.keys()):
        one, two = first.get(name), other.get(name)
        if one is None or two is None:
            yield f"  {name}: only in the {'first' if two is None else 'other'} run"
        elif one != two:
            yield f"  {name}:"
            yield from ["    " + line for line in itertools.islice(of_file(one, two), SHOWN)]


def wrongs(first, got):
    """Returns lines that say what is wrong with a run."""
    if got != first:
        yield from differences(first, got)
    else:
        yield "  " + " ".join(text_of(got.get("end") or b"status " + got["status"]) + text_of(got["standard error"])[:3])


class Progress:
    """Prints a line every ten seconds during the whole test."""

    def __init__(self):
        self.text, self.begun, self.over = "", time.monotonic(), threading.Event()
        threading.Thread(target=self.tick, daemon=True).start()

    def seconds(self):
        return time.monotonic() - self.begun

    def tick(self):
        while not self.over.wait(TICK):
            print(f"{self.seconds():6.0f} s: {self.text}", flush=True)


class Load:
    """Runs busy loops, two for each processor."""

    def __enter__(self):
        count = 2 * (os.cpu_count() or 1)
        self.loops = [subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.DEVNULL) for _ in range(count)]
        return self

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()
