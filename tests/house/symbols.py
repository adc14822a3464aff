#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the shared library exports exactly the functions that the public headers declare.

    symbols.py LIBRARY NM

The functions of arm.h are in a library of their own."""
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "include/tessera"
FUNCTION = re.compile(r"^TESS_API\b[^;(]*?\b(\w+)\(", re.MULTILINE)


def main():
    library, nm = sys.argv[1:]
    table = subprocess.run([nm, "--dynamic", "--defined-only", "--format=posix", library], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    exported = {line.split()[0].split("@")[0] for line in table.splitlines()}
    declared = {name for header in HEADERS.glob("*.h") if header.name != "arm.h" for name in FUNCTION.findall(header.read_text())}
    for name in sorted(exported - declared):
        print(f"exported, but in no public header: {name}")
    for name in sorted(declared - exported):
        print(f"declared, but not exported: {name}")
    for name in sorted(name for name in declared if not name.startswith("tess_")):
        print(f"no tess_ in front: {name}")
    print(f"{len(exported)} exported, {len(declared)} declared")
    return 0 if exported == declared and all(name.startswith("tess_") for name in declared) else 1


if __name__ == "__main__":
    sys.exit(main())
