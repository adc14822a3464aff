# SPDX-License-Identifier: MIT
"""explained.py - extracts the wrong and the corrected program from "tessera help ID", for the tests that run them."""
import json
import subprocess

BETWEEN = "...\n"  # separates two pieces of an excerpt


def explanation(tessera, verb, ident):
    """Returns the output of "tessera VERB --explain ID --json", or None on failure."""
    done = subprocess.run([tessera, verb, "--explain", ident, "--json"], capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def corrected(program, found):
    """Returns a finding's program after the wrong side of the explanation is replaced by the right side. Returns
    None unless the program contains the wrong side exactly once."""
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
