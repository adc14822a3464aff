#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the time to assemble the GPU_FFT sources with Tessera and, if given, with vc4asm.

    assemble.py TESSERA LIBRARY SOURCES [VC4ASM]

In:  the program tessera; the folder of its vc4.qinc; a folder with gpu_fft_*.qasm (hello_fft of
     raspberrypi/userland, or vc4asm's test folder); optionally, the program vc4asm.
Out: for the source with the longest code, the best and median elapsed time of both assemblers, from start to exit of
     the process, and the ratio; for all sources, the worst ratio. The runs of both assemblers alternate, so that other
     load on the machine affects both."""
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

RUNS, RUNS_OF_ALL = 41, 15


def sizes_of(command, folder):
    """Returns {source: size of the assembled code in bytes}. Omits sources that do not assemble."""
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place, "out.bin")

        def size(source):
            done = subprocess.run([*command, out, source], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return out.stat().st_size if done.returncode == 0 else 0

        sizes = {source: size(source) for source in sorted(folder.glob("gpu_fft_*.qasm"))}
    return {source: size for source, size in sizes.items() if size}


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return time.perf_counter() - start


def measure(commands, source, runs):
    """Runs the commands alternately. Returns {name: [elapsed seconds of each run]}."""
    times = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(seconds([*command, source]))
    return times


def ratio(times, of):
    return of(times["tessera"]) / of(times["vc4asm"])


def main():
    if len(sys.argv) < 4:
        print("skipped: give the folder of the GPU_FFT sources (and vc4asm's program), see docs/speed.md")
        return 0
    tessera, library, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    peer = shutil.which(sys.argv[4]) if len(sys.argv) > 4 else None
    ours = [tessera, "asm", "-m", "qpu", "-f", "bin", "-I", library, "-i", "vc4.qinc", "-o"]
    sizes = sizes_of(ours, folder)
    if not sizes:
        print(f"skipped: no gpu_fft_*.qasm in {folder} assembles")
        return 0
    commands = {"tessera": [*ours, "/dev/null"]}
    if peer:
        commands["vc4asm"] = [peer, f"-I{library}", "-i", "vc4.qinc", "-o/dev/null"]
    source = max(sizes, key=sizes.get)
    times = measure(commands, source, RUNS)
    print(f"{source.name}, {sizes[source]} bytes of code, {RUNS} runs")
    for name, values in times.items():
        print(f"{name:8}  best {min(values) * 1e3:7.2f} ms  median {statistics.median(values) * 1e3:7.2f} ms")
    if peer:
        print(f"tessera/vc4asm: {ratio(times, min):.2f} best, {ratio(times, statistics.median):.2f} median")
        medians = {each: ratio(measure(commands, each, RUNS_OF_ALL), statistics.median) for each in sizes}
        worst = max(medians, key=medians.get)
        print(f"{len(sizes)} sources, {RUNS_OF_ALL} runs each: median ratio at most {medians[worst]:.2f} ({worst.name})")
    else:
        print("vc4asm: skipped, its program was not given")
    return 0


if __name__ == "__main__":
    sys.exit(main())
