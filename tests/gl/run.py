#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py - runs one of these test programs on Mesa's vc4: run.py TESSERA PROGRAM [ARGUMENT]...

The exit status is that of `tessera gl`. It is 77 (skipped) only if `tessera gl --list` finds no Mesa with vc4."""
import json
import os
import subprocess
import sys

TESSERA, PROGRAM = os.path.abspath(sys.argv[1]), sys.argv[2]
SKIPPED = 77


def driver_is_there():
    listed = subprocess.run([TESSERA, "gl", "--list", "--json"], capture_output=True, text=True, check=False)
    return bool(listed.stdout) and any(mesa["used"] for mesa in json.loads(listed.stdout)["mesas"])


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TESSERA_") or name in ("TESSERA_MESA", "TESSERA_SHIM")}
    kept["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"  # leaks in the program and in Mesa are not tested
    return kept


def main():
    if not driver_is_there():
        print("no Mesa with vc4: scripts/mesa-vc4 builds one")
        return SKIPPED
    command = [TESSERA, "gl", "--", PROGRAM, "--renderer", "VC4", *sys.argv[3:]]
    status = subprocess.run(command, env=environment(), check=False).returncode
    return 1 if status == SKIPPED else status  # if there is a driver, no test may be skipped


if __name__ == "__main__":
    sys.exit(main())
