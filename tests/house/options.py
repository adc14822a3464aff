#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the man pages and the completions in the build folder. Each option of "tessera VERB --help" must be in the
verb's man page and in each completion. The man pages must have no syntax errors. Each environment variable that the
program reads must be documented, and each page that a message names must exist.

    options.py TESSERA"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = pathlib.Path(sys.argv[1]).resolve().parent / "docs"
MAN = BUILT / "man1"
COMPLETIONS = ("tessera", "_tessera", "tessera.fish")
# Environment variables that other software defines.
STANDARD = {"PATH", "HOME", "LD_PRELOAD", "LD_LIBRARY_PATH"}


def help_text(program, *verb):
    return subprocess.run([program, *verb, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


def help_options(program, verb):
    """Returns the options at the starts of the help's lines."""
    lines = re.findall(r"^ +((?:-\w, )? *--[\w-]+)", help_text(program, verb), re.MULTILINE)
    return {option for line in lines for option in re.findall(r"--?\w[\w-]*", line)}


def man_options(verb):
    page = (MAN / f"tessera-{verb}.1").read_text()
    return {"-" + name for line in re.findall(r"^\.It (Fl .*)", page, re.MULTILINE) for name in re.findall(r"\bFl (\S+)", line)}


def completion_part(name, verb):
    """Returns the part of a completion that has a verb's options."""
    text = (BUILT / name).read_text()
    part = {
        "tessera": rf"^ +{verb}\) options='([^']*)'",
        "_tessera": rf"^    {verb}\)\n(.*?)^        ;;",
        "tessera.fish": rf"^# {verb}\n(.*?)(?:^$|\Z)",
    }[name]
    found = re.search(part, text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def has_option(name, part, option):
    if name == "tessera.fish":
        return re.search(rf" {'-l' if option.startswith('--') else '-s'} {re.escape(option.lstrip('-'))} ", part)
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", part)


def options(program, verb):
    wanted, found = help_options(program, verb), man_options(verb)
    yield from (f"man page of {verb}: {option} is missing" for option in sorted(wanted - found))
    yield from (f"man page of {verb}: {option} is not in the help" for option in sorted(found - wanted))
    for name in COMPLETIONS:
        part = completion_part(name, verb)
        yield from (f"{name}, {verb}: {option} is missing" for option in sorted(wanted) if not has_option(name, part, option))


def examples(program, verb):
    """Checks that the options in a man page's examples are options of the verb."""
    page = (MAN / f"tessera-{verb}.1").read_text()
    commands = re.findall(r"^\.Dl (.*)$", page.split(".Sh EXAMPLES")[1], re.MULTILINE)
    if not commands:
        yield f"man page of {verb}: there are no examples"
    for command in commands:
        for part in re.findall(r"\btessera (\w+)([^|]*)", command):
            known = help_options(program, part[0])
            for option in re.findall(r"(?<= )--?[\w-]+", part[1].split(" -- ")[0]):
                if option not in known and option != "-":
                    yield f"man page of {verb}: {command}: {option} is not an option of {part[0]}"


def lint():
    for page in sorted(MAN.glob("*.1")):
        checks = [["mandoc", "-Tlint", "-Wwarning", str(page)]] if shutil.which("mandoc") else []
        if shutil.which("man") and shutil.which("groff"):
            checks.append(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)])
        for command in checks:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            said = done.stderr + (done.stdout if command[0] == "mandoc" else "")
            if said.strip():
                yield f"{command[0]}: {said.strip()}"


def sources(*endings):
    return [path for folder in ("src", "include", "share") for path in sorted((ROOT / folder).rglob("*")) if path.suffix in endings]


def environment():
    read = {name for path in sources(".c", ".h", ".def") for name in
            re.findall(r'(?:\bgetenv\(|\bsetting_\w+\(|\benvironment_\w+\([^"]*?|\bVARIABLE\w*\()"([A-Z][A-Z_]+)"', path.read_text())} - STANDARD
    pages = {path.name: path.read_text() for path in MAN.glob("*.1")}
    for name in sorted(read):
        if f".It Ev {name}\n" not in pages["tessera.1"]:
            yield f"{name} is not in tessera.1"
        if name.startswith("TESSERA") and not any(f".It Ev {name}\n" in text for page, text in pages.items() if page != "tessera.1"):
            yield f"{name} is in no man page of a verb"


def named_pages():
    for path in sources(".c", ".h", ".def", ".inc", ".qinc"):
        for name in re.findall(r"\bdocs/[\w/.-]+\.md\b", path.read_text()):
            if not (ROOT / name).is_file():
                yield f"{path.relative_to(ROOT)}: there is no {name}"


def main():
    program = sys.argv[1]
    verbs = re.findall(r"^  (\w+) ", help_text(program), re.MULTILINE)
    wrong = [*lint(), *environment(), *named_pages()]
    for verb in verbs:
        wrong += [*options(program, verb), *examples(program, verb)]
        if f".It Cm {verb}\n" not in (MAN / "tessera.1").read_text():
            wrong.append(f"tessera.1 has no {verb}")
    print("\n".join(wrong) or f"{len(verbs)} verbs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
