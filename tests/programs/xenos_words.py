#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""xenos_words.py TESSERA - tests shaders that Microsoft's compiler has generated for the Xenos (docs/a2xx/mesa.md).

TESSERA_XENOS names a folder. Without it the exit status is 77. The test parses each shader container in the folder's
files. A container is in bytes (*.psu, *.vsu) or in words of a C header (*.h). The steps for each microcode are:
  text      the words disassemble (--variant=xenos), and the text assembles to the same bits
  check     the checker reports neither errors nor warnings
  listing   the operations are those of the compiler's own listing, in the same order, if the file contains a listing

A container consists of words, with the highest byte first. It begins with 0x102A1100 (pixel) or 0x102A1101 (vertex),
and the offset and size of the data. At offset 24 is the offset of a header {bytes of constants,
bytes of microcode, ...}. The data consist of the constants and then the microcode. This layout was derived from the
files themselves."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import freedreno_peer

SKIPPED = 77
MAGIC = (0x102A1100, 0x102A1101)
ARRAY = re.compile(r"=\s*\{([^}]*)\}", re.DOTALL)
INSTRUCTION = re.compile(r"^    (?:\+ ?)?([a-z]\w*)", re.MULTILINE)
# The compiler's names and Tessera's names of the operations in these files. Control flow is not listed, because its
# notation differs.
NAMES = {"mov": "MAXv", "mul": "MULv", "mad": "MULADDv", "dp3": "DOT3v", "dp4": "DOT4v", "vfetch": "VERTEX", "tfetch2D": "SAMPLE"}
OURS = re.compile(r"^ +(?:\(S\))?(?:FETCH|ALU): +([A-Z]\w+)", re.MULTILINE)


def containers(path):
    """Returns the words of each container in a file, and the listing that the compiler wrote."""
    if path.suffix in (".psu", ".vsu"):
        data = path.read_bytes()
        yield list(struct.unpack(f">{len(data) // 4}I", data[:len(data) & ~3])), ""
        return
    text = path.read_text(errors="replace")
    for array in ARRAY.findall(text):
        words = [int(word, 0) for word in re.findall(r"0x[0-9a-fA-F]{8}", array)]
        if words and words[0] in MAGIC:
            yield words, text.split("#endif")[0]


def microcode(words):
    data, header = words[1] // 4, words[6] // 4
    constants, size = words[header] // 4, words[header + 1] // 4
    return words[data + constants:data + constants + size]


def call(*arguments):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, (done.stderr + done.stdout).strip()


def text_step(tessera, file, words, _):
    """A slot of zeros follows each program. It has no text form."""
    return freedreno_peer.round_trip(call, tessera, file, words, "--variant=xenos", raw=1)


def check_step(tessera, file, *_):
    return freedreno_peer.check(call, tessera, file, (), "--variant=xenos")


def listing_step(tessera, file, _, listing):
    wanted = [NAMES[name] for name in INSTRUCTION.findall(listing) if name in NAMES]
    found = OURS.findall(call(tessera, "dis", "-m", "a2xx", "--variant=xenos", file)[1])
    return "" if not listing or found == wanted else f"{found} where the compiler lists {wanted}"


STEPS = {"text": text_step, "check": check_step, "listing": listing_step}


def main():
    tessera, folder = os.path.abspath(sys.argv[1]), os.environ.get("TESSERA_XENOS", "")
    files = sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix in (".psu", ".vsu", ".h")) if folder else []
    found = [(path, *one) for path in files for one in containers(path)]
    if not found:
        print("TESSERA_XENOS names no folder with shaders: see docs/a2xx/mesa.md")
        return SKIPPED
    passed = dict.fromkeys(STEPS, 0)
    with tempfile.TemporaryDirectory() as temporary:
        file = pathlib.Path(temporary) / "shader.hex"
        for path, words, listing in found:
            code = microcode(words)
            file.write_text(freedreno_peer.hex_lines(code))
            for name, step in STEPS.items():
                wrong = step(tessera, file, code, listing)
                passed[name] += not wrong
                if wrong:
                    print(f"{path.name}: {name}: {wrong}")
    print(f"{len(found)} shaders;", ", ".join(f"{name} {count}" for name, count in passed.items()))
    return 0 if all(count == len(found) for count in passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
