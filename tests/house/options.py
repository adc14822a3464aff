#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that `tessera VERB --help`, the man page and the shell completion name the same verbs and options.

    options.py TESSERA"""
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def help_text(program, *verb):
    return subprocess.run([program, *verb, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


def help_options(program, verb):
    """The options at the beginning of the lines of the help."""
    lines = re.findall(r"^ +((?:-\w, )? *--[\w-]+)", help_text(program, verb), re.MULTILINE)
    return {option for line in lines for option in re.findall(r"--?\w[\w-]*", line)}


def man_options(synopses, verb):
    """The options in the verb's part of the man page's synopsis."""
    part = re.search(rf"^\.Cm {verb}\n(.*?)^\.Nm", synopses, re.MULTILINE | re.DOTALL)
    names = re.findall(r"\bFl (\S+)", part[1]) if part else []
    return {"-" + name for name in names} | {"--help"}


def completion_options(script, verb):
    match = re.search(rf"^ +{verb}\) options='([^']*)'", script, re.MULTILINE)
    return set(match[1].split()) if match else set()


def compare(what, wanted, found):
    for name in sorted(wanted - found):
        print(f"{what}: {name} is missing")
    for name in sorted(found - wanted):
        print(f"{what}: {name} is not in the help")
    return wanted == found


def main():
    program = sys.argv[1]
    man = (DOCS / "tessera.1").read_text()
    completion = (DOCS / "completion/tessera.bash").read_text()
    synopses, description = man.split(".Sh DESCRIPTION")
    verbs = re.findall(r"^  (\w+) ", help_text(program), re.MULTILINE)

    good = compare("man page", set(verbs), set(re.findall(r"^\.It Cm (\w+)", description, re.MULTILINE)))
    for verb in verbs:
        wanted = help_options(program, verb)
        long = {name for name in wanted if name.startswith("--")}
        short = {name for name in wanted if not name.startswith("--")}
        alias = {name for line in re.findall(r"-\w, --[\w-]+", help_text(program, verb))
                 for name in [line.split(", ")[1]]}
        # The synopsis names an option once, by its letter if it has one.
        good &= compare(f"man page, {verb}", (long - alias) | short, man_options(synopses, verb))
        good &= compare(f"completion, {verb}", wanted, completion_options(completion, verb))
        for name in wanted - {"--help"}:
            if not re.search(rf"^\.It Fl .*{re.escape(name[1:])}\b", description, re.MULTILINE):
                print(f"man page, {verb}: {name} is not explained")
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
