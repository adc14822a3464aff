# SPDX-License-Identifier: MIT
"""explained.py - the wrong and the corrected programs of "tessera help ID", for the tests that run them."""
import json
import subprocess

BETWEEN = "...\n"  # a line between two pieces of an excerpt


def explanation(tessera, verb, ident):
    """Returns the output of "tessera VERB --explain ID --json", or None on failure."""
    done = subprocess.run([tessera, verb, "--explain", ident, "--json"], capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def corrected(program, found):
    """Returns a finding's program with the right side in place of the wrong side, or None if the program does not
    contain the wrong side exactly once."""
    excerpt = found["kind"] == "excerpt"
    wrong = found["wrong"].split(BETWEEN) if excerpt else [found["wrong"]]
    right = found["right"].split(BETWEEN) if excerpt else [found["right"]]
    if len(wrong) != len(right):
        return None
    for old, new in zip(wrong, right):
        if program.count(old) != 1:
            return None
        program = program.replace(old, new)
    return program
