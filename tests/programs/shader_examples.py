#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks each program of a machine's examples, and runs the program as its README describes, without findings.
programs/gp_pictures.c or programs/a2xx_pictures.c compares the resulting tables and pictures.

    shader_examples.py TESSERA PICTURES gp|a2xx"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
FOLDERS = {"gp": "utgard", "a2xx": "a2xx"}


def is_silent(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    silent = done.returncode == 0 and not re.search(r": (error|warning): ", done.stdout)  # notes are allowed
    print(" ".join(map(str, command[1:])), "" if silent else f"{done.returncode}\n{done.stdout}", flush=True)
    return silent


def run_example(program, machine, example, folder):
    """Runs the commands in a folder with the example's files. Returns true if all of them succeed."""
    for file in example.iterdir():
        shutil.copy(file, folder)
    good = all([is_silent([program, "check", "-m", machine, source.name], folder) for source in sorted(example.glob(f"*.{machine}"))])
    commands = re.findall(r"^    tessera (run .*)", (example / "README.md").read_text(), re.M)
    for command in commands:
        verb, *rest = command.split()
        good &= is_silent([program, verb, "--strict", *rest], folder)
    return good and bool(commands)


def main():
    program, pictures = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    machine = sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        examples = sorted(path.parent for path in (EXAMPLES / FOLDERS[machine]).glob("*/README.md"))
        good = all([run_example(program, machine, example, folder) for example in examples])
        good &= subprocess.run([pictures, folder]).returncode == 0
    return 0 if good and examples else 1


if __name__ == "__main__":
    sys.exit(main())
