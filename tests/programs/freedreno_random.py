#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""freedreno_random.py TESSERA [PROGRAMS [SEED]] - compares listings of random words by Mesa's disassembler and by
Tessera's (docs/a2xx/mesa.md).

TESSERA_FREEDRENO names the folder where Mesa is installed. Without it the exit status is 77. Each program is one
clause of six instructions, all of whose bits are random, except for operations, formats and filters without a name.
Comments about exports are not compared: they depend on the stage, which random words do not have."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import freedreno_peer

SKIPPED = 77
COUNT = 6
END = 2 << 44  # the word of EXEC_END
FETCHES = (0, 1, 16, 17, 18, 19, 24, 25, 26)
VECTORS, SCALARS = range(30), [code for code in range(51) if code != 41]
FORMATS = (2, 6, 10, 24, 25, 26, 33, 34, 35, 36, 37, 38, 57)
FILTERS = (0, 1, 2, 3, 4, 5, 7)  # values of the anisotropic and the arbitrary filter without a name


def put(word, shift, bits, value):
    return word & ~((1 << bits) - 1 << shift) | value << shift


def fetch(words, numbers):
    words[0] = put(words[0], 0, 5, numbers.choice(FETCHES))
    if words[0] & 31:
        words[1] = put(put(words[1], 18, 3, numbers.choice(FILTERS)), 21, 3, numbers.choice(FILTERS))
    else:
        words[1] = put(words[1], 16, 6, numbers.choice(FORMATS))
    return words


def alu(words, numbers):
    words[0] = put(words[0], 26, 6, numbers.choice(SCALARS))
    words[2] = put(words[2], 24, 5, numbers.choice(VECTORS))
    return words


def program(numbers):
    clause = put(put(numbers.getrandbits(44), 0, 12, 1), 12, 3, COUNT) | END
    words = [clause & 0xFFFFFFFF, clause >> 32, 0]
    for i in range(COUNT):
        is_fetch = clause >> 16 + 2 * i & 1
        words += (fetch if is_fetch else alu)([numbers.getrandbits(32) for _ in range(3)], numbers)
    return words


def without_comments(lines):
    return [freedreno_peer.as_mesa(line.partition("\t;")[0]) for line in lines]


def main():
    tessera = os.path.abspath(sys.argv[1])
    count, seed = (int(word) for word in (sys.argv[2:] + ["200", "11"][len(sys.argv) - 2:])[:2])
    mesa, numbers, good = freedreno_peer.mesa(), random.Random(seed), 0
    if not mesa:
        return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        file = pathlib.Path(temporary) / "random.hex"
        for _ in range(count):
            words = program(numbers)
            file.write_text(freedreno_peer.hex_lines(words))
            done = subprocess.run([tessera, "dis", "-m", "a2xx", "--style=mesa", str(file)], capture_output=True, text=True,
                                  timeout=60, check=False)
            found, wanted = without_comments(done.stdout.splitlines()), without_comments(mesa.listing(words, 0))
            good += found == wanted
            if found != wanted:
                print(freedreno_peer.hex_lines(words) + done.stderr)
                print(*[f"{one!r} where Mesa prints {other!r}" for one, other in zip(found, wanted) if one != other], sep="\n")
    print(f"{good} of {count} random programs of {COUNT} instructions are listed alike; seed {seed}")
    return 0 if good == count else 1


if __name__ == "__main__":
    sys.exit(main())
