#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpgpu.py TESSERA [PROJECT...] - runs unmodified public GPGPU programs for a Raspberry Pi under "tessera qpu"
(docs/gpgpu.md).

The programs are not part of this project. Environment variables name the folders where they were built. If a
project's variable is not set, the project is skipped. If no variable is set, the exit status is 77.

  TESSERA_HELLO_FFT     raspberrypi/userland's hello_fft, with hello_fft.bin and hello_fft_2d.bin: GPU_FFT
  TESSERA_PY_VIDEOCORE  nineties/py-videocore: its tests and sgemm examples
  TESSERA_QPULIB        mn416/QPULib's Tests, built with QPU=1
  TESSERA_SHA256        elorimer/rpi-playground's QPU/SHA-256/final, with sha256 and sha256.bin
  TESSERA_PI_GEMM       jetpacapp/pi-gemm, with gemm
  TESSERA_QMKL          Idein/qmkl's test, with scopy and sgemm
  TESSERA_FFT_LENGTHS   lengths of hello_fft, as logarithms: default "8 9 10 11 12 13 14 15 16 17 18"
  TESSERA_PYTHON        the Python for py-videocore, with numpy and nose: default python3
  TESSERA_QPU_OPTIONS   options for "tessera qpu", for example --board pi3

Each program's own check must pass. Its results are also compared with a computation in this script."""
import hashlib
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS = 600

# Relative rms errors in ppm, from 2^8 on, from the table of GPU_FFT's author (hello_fft/gpu_fft.txt).
PUBLISHED = dict(enumerate("0.33 0.46 0.52 0.59 0.78 0.83 0.92 0.98 1.0 1.3 1.3 1.4 1.5 1.5 1.5".split(), 8))

# Code that runs before py-videocore, which is from 2017 and was used with 32-bit Python. It adds features that
# py-videocore's modules expect and today's Python lacks: inspect.getargspec, and an L of four bytes in formats. It
# makes random numbers the same each time, because the tests of LOG require relative errors below 1e-2. The SFU's
# absolute error of 1e-4 exceeds this for one number in a hundred.
STARTUP = """
import inspect, random, struct, sys
import numpy
numpy.random.seed(1)
random.seed(1)
if not hasattr(inspect, "getargspec"):
    inspect.getargspec = lambda function: inspect.getfullargspec(function)[:4]
def of_32_bits(plain):
    def wrapped(form, *values):
        caller = sys._getframe(1).f_globals.get("__name__", "")
        ours = caller.startswith(("videocore", "test_")) or caller == "__main__"
        return plain("=" + form if ours and form[:1] not in "=<>!" else form, *values)
    return wrapped
if struct.calcsize("L") != 4:
    struct.calcsize, struct.pack, struct.unpack = map(of_32_bits, (struct.calcsize, struct.pack, struct.unpack))
"""


class Failure(Exception):
    """Raised when a program's result is wrong."""


def expect(found, wanted, what):
    if found != wanted:
        raise Failure(f"{what}: {found!r}, expected {wanted!r}")


class Runner:
    """Runs programs under "tessera qpu"."""

    def __init__(self, tessera, scratch):
        self.command = [tessera, "qpu", *os.environ.get("TESSERA_QPU_OPTIONS", "").split(), "--"]
        self.scratch = scratch

    def __call__(self, *arguments, folder=None, **variables):
        """Returns the program's standard output. The program must exit with status 0, which also means that no
        finding is an error."""
        done = subprocess.run([*self.command, *map(str, arguments)], cwd=folder or self.scratch, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", errors="replace", timeout=SECONDS, check=False,
                              env={**os.environ, **variables})
        if done.returncode != 0:
            raise Failure(f"exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout


def hello_fft(run, folder):
    """The printed digits must be the published ones. The second program writes a bitmap, which is a sum of two
    exponentials."""
    for length in map(int, os.environ.get("TESSERA_FFT_LENGTHS", "8 9 10 11 12 13 14 15 16 17 18").split()):
        text = run(folder / "hello_fft.bin", length)
        error = float(re.search(r"rel_rms_err = (\S+),", text).group(1))
        expect(f"{error * 1e6:.2g}", f"{float(PUBLISHED[length]):.2g}", f"error in ppm at 2^{length}")
        yield f"2^{length}"
    errors = [float(one) for one in re.findall(r"rel_rms_err = (\S+),", run(folder / "hello_fft.bin", 10, 20, 2))]
    if len(errors) != 2 or max(errors) > 0.52e-6:  # this program transforms other frequencies
        raise Failure(f"errors of batches of 20: {errors}")
    yield "batches"
    run(folder / "hello_fft_2d.bin")
    bitmap = (run.scratch / "hello_fft_2d.bmp").read_bytes()
    side, start = 512, int.from_bytes(bitmap[10:14], "little")
    for y in range(side):
        for x in range(side):
            wanted = 128 + 120 * math.cos(2 * math.pi * (2 * x + 2 * y) / side)
            if abs(bitmap[start + 3 * (y * side + x)] - wanted) > 1.01:  # the program truncates to bytes
                raise Failure(f"pixel {x}, {y} of the bitmap: {bitmap[start + 3 * (y * side + x)]}, expected {wanted}")
    yield "2D"


def py_videocore(run, folder):
    """Runs py-videocore's tests, which must pass, and its sgemm examples, which print their difference from numpy."""
    python = os.environ.get("TESSERA_PYTHON", "python3")
    (run.scratch / "sitecustomize.py").write_text(STARTUP, encoding="utf-8")
    path = os.pathsep.join([str(folder), str(run.scratch), os.environ.get("PYTHONPATH", "")])
    text = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", folder=folder, PYTHONPATH=path,
               PYTHONDONTWRITEBYTECODE="1")
    yield re.search(r"\d+ passed", text).group(0)
    for name in ("sgemm", "sgemm_1thread"):
        text = run(python, folder / "examples" / f"{name}.py", PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1")
        error = float(re.search(r"maximum absolute error: (\S+)", text).group(1))
        if error > 2e-3:  # 363 partial sums, each truncated to 24 bits: less than 363 * 2^-18
            raise Failure(f"{name}: off by {error}")
        yield name


def numbered(text):
    """Returns the values of output lines "I: VALUE"."""
    return [int(value) for _, value in re.findall(r"^(\d+): (-?\d+)$", text, re.MULTILINE)]


def qpulib(run, folder):
    """Compares each example's output with the same arithmetic in Python."""
    triangle = [n * (n + 1) // 2 for n in range(64)]
    for name, wanted in (("Hello", [1] * 16), ("ID", [number for number in range(12) for _ in range(16)]), ("Tri", triangle[:16]),
                         ("MultiTri", triangle), ("OET", list(range(69, 101))), ("ReqRecv", list(range(16, 48, 2)))):
        expect(numbered(run(folder / name)), wanted, name)
        yield name
    found = re.findall(r"gcd\((\d+), (\d+)\) = (\d+)", run(folder / "GCD"))
    expect([int(gcd) for _, _, gcd in found], [math.gcd(int(a), int(b)) for a, b, _ in found], "GCD")
    expect(len(found), 16, "results of GCD")
    yield "GCD"
    for name in ("Rot3D", "Print"):
        run(folder / name)
        yield name
    expect("OK, passed 10000 tests" in run(folder / "AutoTest"), True, "AutoTest")
    yield "AutoTest"


def sha256(run, folder):
    """Compares the QPU path of the program with its CPU path. Each path hashes each line 20,000 times. The CPU path
    is compared with hashlib for one iteration."""
    data = folder / "test-data.bin"

    def hashes(*arguments):
        return re.findall(r"SHA-256: ((?:[0-9a-f]{8} ){8})", run("./sha256", data, *arguments, folder=folder))

    once = hashes(1)
    for line, found in zip(data.read_text(encoding="ascii").splitlines(keepends=True), once):
        expect(found.replace(" ", ""), hashlib.sha256(line.encode()).hexdigest(), repr(line))
    expect(hashes(1, "-qpu"), hashes(20000), "hashes")
    yield f"{len(once)} hashes"


def pi_gemm(run, folder):
    """The program prints its mean difference from BLAS. The results are sums of 363 products of numbers from 0 to 1,
    so they are about 90."""
    done = run("sh", "-c", "./gemm 2>&1", folder=folder)
    means = [float(mean) for mean in re.findall(r"mean delta = (\S+)", done)]
    if not means or max(means) > 90 * 363 * 2.0 ** -24:
        raise Failure(f"mean differences {means}\n{done[-1000:]}")
    yield f"mean difference {max(means)}"


def qmkl(run, folder):
    """The programs print the differences from the CPU's results."""
    text = run(folder / "scopy")
    if "differ" in text:
        raise Failure(text)
    yield "scopy"
    text = run(folder / "sgemm")
    error = float(re.search(r"Maximum absolute error: (\S+)", text).group(1))
    if error > 2e-3:
        raise Failure(f"sgemm: off by {error}")
    yield "sgemm"


PROJECTS = (("TESSERA_HELLO_FFT", hello_fft), ("TESSERA_PY_VIDEOCORE", py_videocore), ("TESSERA_QPULIB", qpulib),
            ("TESSERA_SHA256", sha256), ("TESSERA_PI_GEMM", pi_gemm), ("TESSERA_QMKL", qmkl))


def main():
    tessera, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    chosen = [(pathlib.Path(os.environ[variable]).absolute(), check) for variable, check in PROJECTS
              if os.environ.get(variable) and (not names or check.__name__ in names)]
    if not chosen:
        print("no variable names a built program: see docs/gpgpu.md")
        return SKIPPED
    failures = 0
    for folder, check in chosen:
        with tempfile.TemporaryDirectory() as scratch:
            done = []
            try:
                done.extend(check(Runner(tessera, pathlib.Path(scratch)), folder))
            except (Failure, OSError, subprocess.TimeoutExpired, AttributeError) as wrong:
                failures += 1
                print(f"{check.__name__}: {wrong}")
            print(f"{check.__name__}:", ", ".join(done) or "nothing")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
