#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the QPU instructions per second of compute programs, and compares their times with those of the chip.

    compute.py TESSERA SGEMM [HELLO_FFT [QPULIB...]]

In:  the program tessera; examples/compute/sgemm; GPU_FFT's hello_fft, or ''; programs built from compute_qpulib.cpp.
Out: for sgemm, and for GPU_FFT at each length, the best time with one host thread and with two, and the QPU
     instructions per second; for GPU_FFT, also the ratio to the chip's published time; then the output of the QPULib
     programs, and the ratio of Tessera's rates on sgemm and GPU_FFT to the rates of QPULib's emulator. Runs with one
     and two threads alternate.
Source of the chip's times: gpu_fft.txt of raspberrypi/userland, one transform on a BCM2835 at 250 MHz."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

THREADS = (1, 2)
TRIES = 5
SGEMM_SIZE = "384"
CHIP_MS = dict(zip(range(8, 23), (0.033, 0.049, 0.070, 0.12, 0.25, 0.61, 1.2, 3.5, 7.0, 17, 43, 97, 194, 388, 786)))
A_WHILE_MS = 200  # duration of the transforms in one run of GPU_FFT


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def instructions(tessera, program):
    """Returns the number of QPU instructions that the program executes, or None if no statistics were written."""
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place, "stats.json")
        run([tessera, "qpu", "--json", f"--stats={file}", "--", *program])
        return json.loads(file.read_text())["instructions"] if file.exists() else None


def best_ms(tessera, program, times_of):
    """Runs the program several times. Returns {threads: best time in ms}, from the times in the program's output."""
    best = {threads: [] for threads in THREADS}
    for _ in range(TRIES):
        for threads in THREADS:
            best[threads] += times_of(run([tessera, "qpu", "--threads", str(threads), "--", *program]))
    return {threads: min(times) for threads, times in best.items()}


def rates_text(ms, count):
    rates = {threads: count / ms[threads] / 1e3 if count else float("nan") for threads in THREADS}
    text = ", ".join(f"{threads} thread{'s' * (threads > 1)} {ms[threads]:9.3f} ms {rates[threads]:6.1f} M/s" for threads in THREADS)
    return text, rates


def measure_sgemm(tessera, sgemm):
    program = [sgemm, *[SGEMM_SIZE] * 3]
    ms = best_ms(tessera, program, lambda text: [float(time) for time in re.findall(r"([\d.]+) ms", text)])
    text, rates = rates_text(ms, instructions(tessera, program))
    print(f"sgemm {SGEMM_SIZE}: {text}")
    return rates[1]


def measure_fft(tessera, fft):
    rate = 0
    for length, chip in CHIP_MS.items():
        loops = max(2, min(200, int(A_WHILE_MS / chip / 2)))
        ms = best_ms(tessera, [fft, str(length), "1", str(loops)],
                     lambda text: [int(time) / 1000 for time in re.findall(r"usecs = (\d+)", text)])
        text, rates = rates_text(ms, instructions(tessera, [fft, str(length), "1", "1"]))
        rate = max(rate, rates[1])
        ratios = " and ".join(f"{ms[threads] / chip:5.2f}" for threads in THREADS)
        print(f"GPU_FFT 2^{length:<2}: {text}, {ratios} times the chip's {chip} ms", flush=True)
    return rate


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tessera, sgemm, *peers = sys.argv[1:]
    rates = {"sgemm": measure_sgemm(tessera, sgemm)}
    if peers and peers[0]:
        rates["GPU_FFT, best length"] = measure_fft(tessera, peers[0])
    for program in peers[1:]:
        text = run([program])
        print(text, end="")
        for name, peer, rate in re.findall(r"^(\w+).*?: (QPULib.*?) +([\d.]+) M/s", text, re.MULTILINE):
            print(f"{peer} on its {name}: " + ", ".join(f"{ours} {value / float(rate):.1f} times that" for ours, value in rates.items()))
    return 0


sys.exit(main())
