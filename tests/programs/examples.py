#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles and runs each scene of examples/vc4 with the program, as a user does, and compares the pictures by
programs/pictures.c.

    examples.py TESSERA PICTURES"""
import pathlib
import subprocess
import sys
import tempfile

SHORTENED = {"spinning-teapot": ["-D", "FRAMES=3"]}  # the same names as in pictures.c
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def main():
    program, pictures = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(EXAMPLES.glob("vc4/*/*.qasm")):
            scene = f"{source.stem}.elf"
            defines = SHORTENED.get(source.stem, [])
            done = all(subprocess.run([program, *verb], cwd=folder).returncode == 0
                       for verb in (["asm", "-m", "qpu", "-f", "elf", "-o", scene, *defines, source], ["run", scene]))
            print(source.relative_to(EXAMPLES), "ran" if done else "FAILED", flush=True)
            failed += not done
        failed += subprocess.run([pictures, folder]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
