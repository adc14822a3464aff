#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints where time goes, as shares of the parts of the models.

    scripts/bench --shares [--samples N] [--functions N] [--list] [ROW...]

In:  names of rows, as in scripts/bench --compare; without names, all rows are measured. bench/shares.txt maps source
     files to columns.
Out: a table with a row for each workload. Each row sums to 100. With --functions, the N functions with most samples follow each row.

The programs are built in build/shares, as a release with debug information. `perf record` samples the processor time of
all threads 2,000 times a second; a row is repeated until it has 4,000 samples, which bounds the error of a share to
about two points. A sample belongs to the source file of the function that contains it. A function that the compiler
inlined counts as a part of its caller: without link-time optimization, only functions of headers are inlined into
another file. Samples in drivers, libraries and the kernel belong to "host, other"."""
import argparse
import collections
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import compare

TOP = pathlib.Path(__file__).resolve().parents[1]
BUILD = TOP / "build/shares"
RATE, SAMPLES, MOST_RUNS = 2000, 4000, 20
OTHER = "host, other"
PAGE = 4096


def patterns():
    """Returns [(pattern, column)] of bench/shares.txt."""
    lines = (TOP / "bench/shares.txt").read_text().splitlines()
    return [(line.split()[-1], line.rsplit(None, 1)[0]) for line in lines if line and not line.startswith("#")]


def columns(table):
    return [*dict.fromkeys(column for _, column in table), OTHER]


def column_of(path, table):
    """Returns the column of a path in src/."""
    found = [(len(pattern), column) for pattern, column in table if fnmatch.fnmatchcase(path, pattern)]
    return max(found)[1] if found else OTHER


def build():
    """Builds the working tree with debug information."""
    if not (BUILD / "build.ninja").is_file():
        given = [option for option in compare.options() if not option.startswith(("-Dbuildtype", "-Ddebug"))]
        compare.must("cannot configure", "meson", "setup", BUILD, TOP, "-Dtests=disabled", "--buildtype=release", "-Ddebug=true", *given,
                     env=compare.environment())
    compare.must("cannot build", "ninja", "-C", BUILD)


class Program:
    """The functions of a program or library that was built."""

    def __init__(self, path):
        self.path, self.places, self.files = path, collections.defaultdict(list), {}
        listed = subprocess.run(["nm", path], check=True, stdout=subprocess.PIPE, text=True).stdout
        for address, name in re.findall(r"^([0-9a-f]+) [tTwWiI] (\S+)$", listed, re.MULTILINE):
            self.places[name].append(int(address, 16))

    def address(self, name, loaded):
        """Returns the address in the file of a function that is loaded at another page."""
        return next((place for place in self.places[name] if (place - loaded) % PAGE == 0), None)

    def find_files(self, addresses):
        """Finds the files of functions. A function may begin with inlined code; the last line about an address is that of
        the function itself."""
        wanted = sorted(addresses - self.files.keys())
        if wanted:
            text = subprocess.run(["addr2line", "-a", "-i", "-e", self.path, *map(hex, wanted)], check=True, stdout=subprocess.PIPE, text=True).stdout
            for address, lines in re.findall(r"^0x([0-9a-f]+)\n((?:(?!0x).*\n)+)", text, re.MULTILINE):
                self.files[int(address, 16)] = lines.splitlines()[-1].rsplit(":", 1)[0]


class Profile:
    """Samples by source file, and by file and function."""

    def __init__(self):
        self.programs, self.files, self.functions, self.samples = {}, collections.Counter(), collections.Counter(), 0

    def program(self, name):
        path = pathlib.Path(name)
        if path not in self.programs:
            self.programs[path] = Program(path) if BUILD in path.parents else None
        return self.programs[path]

    def add(self, text):
        """Adds samples from the output of perf script."""
        found = collections.Counter(re.findall(r"^ *([0-9a-f]+) (\S+)\+0x([0-9a-f]+) \((.*)\)$", text, re.MULTILINE))
        self.samples += len(text.splitlines())
        places = collections.Counter()
        for (ip, name, offset, path), count in found.items():
            program = self.program(path)
            address = program and program.address(name, int(ip, 16) - int(offset, 16))
            if address is None:
                self.functions[path, name] += count
            else:
                places[program, address, name] += count
        for program in {program for program, _, _ in places}:
            program.find_files({address for each, address, _ in places if each is program})
        for (program, address, name), count in places.items():
            self.files[program.files[address]] += count
            self.functions[program.files[address], name] += count

    def record(self, command, folder):
        data = pathlib.Path(folder, "perf.data")
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-o", data, "--", *command], check=True, cwd=folder,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.add(subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym,symoff,dso", "--no-inline"], check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True).stdout.replace("\n\n", "\n"))

    def shares(self, table):
        """Returns the samples of each column."""
        found = dict.fromkeys(columns(table), 0)
        for file, count in self.files.items():
            found[column_of(in_src(file), table)] += count
        found[OTHER] += self.samples - sum(found.values())
        return found


def in_src(file):
    """Returns the path of a file in src/, or the whole path of another file."""
    return os.path.normpath(file).removeprefix(f"{TOP}/src/")


def per_cent(samples):
    """Returns whole per cents that sum to 100: the largest remainders are rounded up."""
    total = sum(samples.values()) or 1
    exact = {name: 100 * count / total for name, count in samples.items()}
    up = sorted(exact, key=lambda name: int(exact[name]) - exact[name])[:100 - sum(map(int, exact.values()))]
    return {name: int(value) + (name in up) for name, value in exact.items()}


def measure(bench, wanted):
    profile = Profile()
    side = compare.Side("working tree", BUILD, set())
    with tempfile.TemporaryDirectory() as folder:
        command = compare.command_of(bench, side, folder)
        for _ in range(MOST_RUNS):
            profile.record(command, folder)
            if profile.samples >= wanted:
                break
    return profile


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench --shares", description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"number of samples of a row; default {SAMPLES}")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="also print the N functions with most samples")
    parser.add_argument("--list", action="store_true", help="print the names of the rows, and end")
    parser.add_argument("rows", nargs="*", metavar="ROW")
    given = parser.parse_intermixed_args()
    chosen = [bench for bench in compare.benches() if compare.selected(bench, given.rows)]
    if given.list:
        print(*[bench.name for bench in chosen], sep="\n")
        return 0
    if not shutil.which("perf"):
        sys.exit("shares: no perf; install Debian's package linux-perf")
    table = patterns()
    build()
    print("| | " + " | ".join(columns(table)) + " | samples |")
    print("| --- |" + " --- |" * (len(columns(table)) + 1))
    for bench in chosen:
        profile = measure(bench, given.samples)
        print(f"| {bench.name} | " + " | ".join(f"{share:d}" for share in per_cent(profile.shares(table)).values()) + f" | {profile.samples} |", flush=True)
        for (file, name), count in profile.functions.most_common(given.functions):
            print(f"{100 * count / profile.samples:6.1f} % {name} ({in_src(file)}): {column_of(in_src(file), table)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
