#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""freedreno_notes.py TESSERA - tests shaders that the vendor's compiler has generated for the Adreno A2xx
(docs/a2xx/mesa.md).

TESSERA_FREEDRENO_SOURCES names a checkout of freedreno/freedreno. Without it the exit status is 77. The file
shaders/NOTES of the checkout contains the words of programs, some with marks between them. The steps for each program:
  text      the words disassemble, and the text assembles to the same bits
  mesa      the Mesa-style listing equals the output of Mesa's disassembler, if TESSERA_FREEDRENO names a Mesa
  check     the checker reports neither errors nor warnings"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import freedreno_peer
import freedreno_rd as rd

SKIPPED = 77
# A heading with the number of bytes that follow. The first eight words are not part of the program.
HEADING = re.compile(r"^######## (FS|VS)\d+ SHADER: \(size=(\d+)\)$", re.MULTILINE)
WORD = re.compile(r"[0-9a-f]{8}")
BEFORE = 8


def programs(text):
    """Returns (stage, words) of each program, without repetitions."""
    found = []
    for heading in HEADING.finditer(text):
        count = int(heading.group(2)) // 4
        words = [int(word, 16) for word in WORD.findall(text[heading.end():])[BEFORE:count]]
        one = (rd.VERTEX if heading.group(1) == "VS" else rd.PIXEL, words)
        if one not in found:
            found.append(one)
    return found


def call(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, (done.stderr + done.stdout).strip()


def main():
    tessera = os.path.abspath(sys.argv[1])
    notes = pathlib.Path(os.environ.get("TESSERA_FREEDRENO_SOURCES", "")) / "shaders" / "NOTES"
    if not notes.exists():
        print("TESSERA_FREEDRENO_SOURCES names no checkout of freedreno: see docs/a2xx/mesa.md")
        return SKIPPED
    found, mesa = programs(notes.read_text()), freedreno_peer.mesa()
    passed = {"text": 0, "check": 0} | ({"mesa": 0} if mesa else {})
    with tempfile.TemporaryDirectory() as temporary:
        file = pathlib.Path(temporary) / "shader.hex"
        for number, (stage, words) in enumerate(found):
            file.write_text(freedreno_peer.hex_lines(words))
            wrong = {"text": freedreno_peer.round_trip(call, tessera, file, words),
                     "check": freedreno_peer.check(call, tessera, file)}
            if mesa:
                wrong["mesa"] = freedreno_peer.compare_lines(call, tessera, file, mesa.listing(words, stage))
            for step, message in wrong.items():
                passed[step] += not message
                if message:
                    print(f"program {number}: {step}: {message}")
    print(f"{len(found)} programs;", ", ".join(f"{name} {count}" for name, count in passed.items()))
    return 0 if found and all(count == len(found) for count in passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
