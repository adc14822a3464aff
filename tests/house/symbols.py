#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the shared and the static library export exactly the functions that the public headers declare.

    symbols.py SHARED STATIC NM

The functions of arm.h are in a library of their own."""
import pathlib
import re
import subprocess
import sys

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "include/tessera"
FUNCTION = re.compile(r"^TESS_API\b[^;(]*?\b(\w+)\(", re.MULTILINE)


def exported(nm, *arguments):
    """Returns the global names that a library defines."""
    table = subprocess.run([nm, *arguments, "--defined-only", "--format=posix"], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = (line.split() for line in table.splitlines())
    return {row[0].split("@")[0] for row in rows if len(row) > 1}


def main():
    shared, static, nm = sys.argv[1:]
    declared = {name for header in HEADERS.glob("*.h") if header.name != "arm.h" for name in FUNCTION.findall(header.read_text())}
    libraries = {"shared": exported(nm, "--dynamic", shared), "static": exported(nm, "--extern-only", static)}
    for library, names in libraries.items():
        for name in sorted(names - declared):
            print(f"exported by the {library} library, but in no public header: {name}")
        for name in sorted(declared - names):
            print(f"declared, but not exported by the {library} library: {name}")
    for name in sorted(name for name in declared if not name.startswith("tess_")):
        print(f"no tess_ in front: {name}")
    print(f"{len(declared)} declared")
    return 0 if all(names == declared for names in libraries.values()) and all(name.startswith("tess_") for name in declared) else 1


if __name__ == "__main__":
    sys.exit(main())
