#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program of examples/compute on each board, with one and two host threads, started by mailbox and by registers.
The program checks its own results, which must be correct. Tessera must report nothing. The output, except for times,
must be the same in every run, and statistics must be the same for any number of threads. The captures of a run must
replay.

    compute.py TESSERA PROGRAM         runs the example PROGRAM, which is already built
    compute.py TESSERA --broken CC...  builds each example with a mistake by its Makefile; the example must detect it"""
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/compute"
BOARDS = ("pi1", "pi2", "pi3")
LAUNCHES = ([], ["--direct"])

# Arguments of each example: about the default sizes, for all boards; the smallest sizes, for one board; and sizes that
# are not multiples of a vector, for another board.
RUNS = {
    "vector-add": (["20000"], ["1"], ["1000", "--qpus", "5"]),
    "dot-product": (["20000"], ["1"], ["1001", "--qpus", "7"]),
    "sgemm": (["96", "96", "64"], ["1", "1", "1"], ["33", "50", "7", "-2", "0", "--qpus", "5"]),
    "mandelbrot": (["128", "96", "50", "out.png"], ["1", "1", "1", "out.png"],
                   ["65", "31", "100", "out.png", "-0.745", "0.11", "0.01", "--qpus", "3"]),
    "fft": (["15"], ["8"], ["11", "3", "--qpus", "5"]),
    "prefix-sum": (["20000"], ["1"], ["1000", "--qpus", "3"]),
}

# A piece of each example's kernel, and a replacement with a plausible mistake.
MISTAKES = {
    "vector-add": ("fadd vpm, r0, r4", "fsub vpm, r0, r4"),
    "dot-product": (".foreach distance, 8, 4, 2, 1", ".foreach distance, 8, 4, 2"),
    "sgemm": ("fadd sum(30), sum(30), r0", "fadd sum(30), sum(30), r1"),
    "mandelbrot": ("fsub.setf -, r2, 4.0", "fsub.setf -, r2, 2.0"),
    "fft": ("fsub re(d), r2, r0", "fadd re(d), r2, r0"),
    "prefix-sum": ("add.ifnn r0, r0, r2", "add r0, r0, r2"),
}


def run(command, folder):
    return subprocess.run(list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)


def without_times(text):
    return re.sub(r"[\d.]+ (ms|GFLOPS)", r"... \1", text)


def result(folder):
    """Returns the file that a run has written, and deletes it."""
    path = folder / "out.png"
    data = path.read_bytes() if path.exists() else b""
    path.unlink(missing_ok=True)
    return data


def statistics(folder):
    """Returns the statistics of a run, without the process id."""
    return (folder / "statistics").read_text().split("\n", 1)[1]


def check_run(tessera, program, arguments, boards, folder):
    """Runs an example with these arguments. Returns the error messages."""
    first, counts = None, {}
    for board, launch, threads in itertools.product(boards, LAUNCHES, (1, 2)):
        how = ["--board", board, "--threads", threads]
        done = run([tessera, "qpu", "--strict", "--stats=statistics", *how, "--", program, *launch, *arguments], folder)
        what = " ".join(map(str, (program.name, *arguments, *launch, *how)))
        if statistics(folder) != counts.setdefault((board, *launch), statistics(folder)):
            yield f"{what}: statistics differ:\n{statistics(folder)}"
        got = done.returncode, done.stderr, without_times(done.stdout), result(folder)
        if got[:2] != (0, ""):
            yield f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}"
        elif got != (first := first or got):
            yield f"{what}: {got[2]}differs from\n{first[2]}"


def check_capture(tessera, program, folder):
    run([tessera, "qpu", "--capture", "capture.elf", "--", program, *RUNS[program.name][0]], folder)
    done = run([tessera, "run", "--threads", 2, "capture.elf"], folder)
    if done.returncode or "[expect-met]" not in done.stderr:
        yield f"{program.name}: the capture does not replay: {done.stdout}{done.stderr}"


def check_usage(program, folder):
    for arguments, status in ((["--help"], 0), (["-1"], 2), (["1x"], 2), (["--no-such-option"], 2), (["--qpus", "13"], 2), (["1"] * 9, 2)):
        done = run([program, *arguments], folder)
        if done.returncode != status or (program.name in done.stdout + done.stderr) is False:
            yield f"{program.name} {arguments}: status {done.returncode}, not {status}"


def check_kernel(tessera, program):
    done = run([tessera, "check", EXAMPLES / program.name / f"{program.name}.qasm"], None)
    if done.returncode or done.stdout or done.stderr:
        yield f"tessera check: {done.stdout}{done.stderr}"


def check_example(tessera, program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        yield from check_kernel(tessera, program)
        yield from check_usage(program, folder)
        yield from check_capture(tessera, program, folder)
        for arguments, boards in zip(RUNS[program.name], (BOARDS, BOARDS[:1], BOARDS[-1:])):
            yield from check_run(tessera, program, arguments, boards, folder)


def check_broken(tessera, compiler):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "compute"
        shutil.copytree(EXAMPLES, folder)
        for example, (good, bad) in MISTAKES.items():
            source = folder / example / f"{example}.qasm"
            text = source.read_text()
            assert text.count(good) == 1, f"{example}: {good}"
            source.write_text(text.replace(good, bad))
        made = run(["make", "-j2", f"TESSERA={tessera}", f"CC={' '.join(compiler)}", "CFLAGS=-O1 -Wall -Wextra -Werror"], folder)
        if made.returncode:
            yield f"make: {made.stdout}{made.stderr}"
            return
        for example in MISTAKES:
            done = run([tessera, "qpu", "--", folder / example / example, *RUNS[example][0]], folder)
            if done.returncode != 1 or "results are wrong" not in done.stdout:
                yield f"{example} does not notice that it is wrong: status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    tessera = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2] == "--broken":
        wrong = list(check_broken(tessera, sys.argv[3:]))
    else:
        wrong = list(check_example(tessera, pathlib.Path(sys.argv[2]).resolve()))
    print("\n".join(wrong) or "right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
