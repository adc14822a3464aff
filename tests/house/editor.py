#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the editor support: the grammar gives the right scopes to a sample, and the patterns for jumping to diagnostics
match what the program really prints.

    editor.py TESSERA

The tokenizer below does what TextMate's does, for grammars like ours: patterns are tried at each place of a line, the
leftmost match wins, the first pattern of several. Its regular expressions are Python's; the grammar keeps to what both
engines mean alike."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editor/vscode"

# Lines, and for each the words whose scope is tested, with the scope without ".qpu", ".gp" or ".a2xx".
SAMPLE = [
    ("# mov r0, r1", {"mov": "comment.line.number-sign"}),
    ("mov r0, unif // rest", {"mov": "support.function.opcode", "r0": "variable.language.register",
                              "unif": "variable.language.register", "rest": "comment.line.double-slash"}),
    ("/* one", {"one": "comment.block"}),
    ("two */ nop", {"two": "comment.block", "nop": "support.function.opcode"}),
    ('.include "vc4.qinc"', {".include": "keyword.control.directive", "vc4.qinc": "string.quoted.double"}),
    (".include <vc4.qinc>", {".include": "keyword.control.directive", "<vc4.qinc>": "string.quoted.other"}),
    ('.ascii "a\\"b"; nop', {"b": "string.quoted.double", '\\"': "constant.character.escape",
                             "nop": "support.function.opcode"}),
    (".set width, 0x280", {".set": "keyword.control.directive", "width": "variable.other.constant",
                           "0x280": "constant.numeric.hex"}),
    (".macro blend, a", {".macro": "keyword.control.directive", "blend": "entity.name.function"}),
    (".if ra5 == 3", {".if": "keyword.control.directive", "==": "keyword.operator", "3": "constant.numeric.integer"}),
    (":loop", {":loop": "entity.name.label"}),
    ("loop: nop", {"loop:": "entity.name.label", "nop": "support.function.opcode"}),
    ("brr.allnz -, :loop", {"brr": "support.function.opcode", ".allnz": "storage.modifier",
                            ":loop": "variable.other.label"}),
    ("brr -, r:loop", {"r:loop": "variable.other.label"}),
    ("brr.anyz -, 1b", {"1b": "variable.other.label"}),
    ("add.setf.ifz ra31.16a, r0, 7", {"add": "support.function.opcode", ".setf": "storage.modifier",
                                      ".ifz": "storage.modifier", "ra31": "variable.language.register",
                                      ".16a": "storage.modifier", "7": "constant.numeric.integer"}),
    ("fmul r1.8as, 0.5, rb7; ldtmu0", {".8as": "storage.modifier", "0.5": "constant.numeric.float",
                                       ";": "punctuation.separator.instruction", "ldtmu0": "keyword.other.signal"}),
    ("fadd ra63, r0, ra64", {"ra63": "variable.language.register", "ra64": None}),
    ("nop; thrend", {"nop": "support.function.opcode", "thrend": "keyword.other.signal"}),
    (".float 1e3, .5, 0b101", {".float": "keyword.control.directive", "1e3": "constant.numeric.float",
                               ".5": "constant.numeric.float", "0b101": "constant.numeric.binary"}),
    ("cl.clip_window width=640, height=r_y", {"cl.clip_window": "support.function.record",
                                              "width": "variable.parameter.field",
                                              "640": "constant.numeric.integer",
                                              "height": "variable.parameter.field", "r_y": None}),
    ("shl r0, r1, 'a'", {"'a'": "string.quoted.single"}),
    ("addition mover.foo", {"addition": None, "mover": None}),
]

GP_SAMPLE = [
    ("# mul0.mov attr.x", {"mul0.mov": "comment.line.number-sign"}),
    (".uniform mvp, 4", {".uniform": "keyword.control.directive", "mvp": "variable.other.constant",
                         "4": "constant.numeric.integer"}),
    (".constant limits, -1e10, 1e10", {".constant": "keyword.control.directive", "limits": "variable.other.constant",
                                       "1e10": "constant.numeric.float"}),
    (".include <gp.inc>", {".include": "keyword.control.directive", "<gp.inc>": "string.quoted.other"}),
    ("main: load.attr position", {"main:": "entity.name.label", "load.attr": "support.function.opcode", "position": None}),
    ("; mul0.mul attr.x, -unif.y", {";": "punctuation.separator.instruction", "mul0.mul": "support.function.opcode",
                                    "attr.x": "variable.language.register", "-": "keyword.operator",
                                    "unif.y": "variable.language.register"}),
    ("acc1.floor acc0[-2]; complex.rsqrt attr[-1].w", {"acc1.floor": "support.function.opcode",
                                                       "acc0[-2]": "variable.language.register",
                                                       "complex.rsqrt": "support.function.opcode",
                                                       "attr[-1].w": "variable.language.register"}),
    ("store1.varying 3, _, pass; load.unif row + 1, addr2", {"store1.varying": "support.function.opcode",
                                                             "_": "variable.language.register",
                                                             "pass": "variable.language.register",
                                                             "row": None, "addr2": "variable.language.register"}),
    ("branch loop; field.unknown_1 13", {"branch": "support.function.opcode", "loop": None,
                                         "field.unknown_1": "variable.parameter.field",
                                         "13": "constant.numeric.integer"}),
    ("mul1.select a, b, c", {"mul1.select": None}),
]

A2XX_SAMPLE = [
    ("; EXEC", {"EXEC": "comment.line.semicolon"}),
    ("@attribute(R1-R2) position ; MAXv", {"@attribute": "keyword.control.directive", "(R1-R2)": "variable.language.register",
                                           "position": "variable.other.constant", "MAXv": "comment.line.semicolon"}),
    ("@const(C11) 2.0, -5", {"@const": "keyword.control.directive", "2.0": "constant.numeric.float",
                             "5": "constant.numeric.integer"}),
    ("loop: EXEC_END ADDR(0x3)", {"loop:": "entity.name.label", "EXEC_END": "keyword.control.flow",
                                  "ADDR": "variable.parameter.field", "0x3": "constant.numeric.hex"}),
    ("ALLOC PARAM/PIXEL SIZE(0)", {"ALLOC": "keyword.control.flow", "PARAM/PIXEL": "variable.parameter.field",
                                   "SIZE": "variable.parameter.field"}),
    ("(S)FETCH: VERTEXEQ R1.xyz1 = R0.x FMT_8_8_8_8 SIGNED", {"(S)": "storage.type", "FETCH:": "storage.type",
                                                              "VERTEXEQ": "support.function.opcode",
                                                              "R1": "variable.language.register", ".xyz1": "storage.modifier",
                                                              "FMT_8_8_8_8": "support.type", "SIGNED": "variable.parameter.field"}),
    ("ALU: MULADDv export62 = C[a0+5], -R0, C4 CLAMP", {"ALU:": "storage.type", "MULADDv": "support.function.opcode",
                                                        "export62": "variable.language.register",
                                                        "C": "variable.language.register", "a0": "variable.language.register",
                                                        "C4": "variable.language.register",
                                                        "CLAMP": "variable.parameter.field"}),
    ("RSQ R0.___w = R4.xyzx", {"RSQ": "support.function.opcode", ".___w": "storage.modifier"}),
    (".idle zero", {".idle": "keyword.control.directive"}),
    ("COND_JMP ADDR(loop) BOOL_ADDR(1)", {"COND_JMP": "keyword.control.flow", "loop": None,
                                          "BOOL_ADDR": "variable.parameter.field"}),
]


class Tokenizer:
    def __init__(self, grammar):
        self.repository = grammar["repository"]
        self.patterns = grammar["patterns"]
        self.stack = []  # the rules of open blocks

    def flat(self, patterns):
        for rule in patterns:
            if "include" in rule:
                rule = self.repository[rule["include"].lstrip("#")]
            if "match" in rule or "begin" in rule:
                yield rule
            else:
                yield from self.flat(rule["patterns"])

    def next_match(self, line, at):
        best, chosen, ends = None, None, False
        if self.stack:
            best, ends = re.compile(self.stack[-1]["end"]).search(line, at), True
        inner = self.stack[-1].get("patterns", []) if self.stack else self.patterns
        for rule in self.flat(inner):
            found = re.compile(rule.get("match") or rule["begin"]).search(line, at)
            if found and (not best or found.start() < best.start()):
                best, chosen, ends = found, rule, False
        return best, chosen, ends

    def line(self, text):
        """The scope of each character."""
        scopes = [self.stack[-1].get("name") if self.stack else None] * len(text)
        at = 0
        while at <= len(text):
            found, rule, ends = self.next_match(text, at)
            if not found:
                break
            name = self.stack.pop().get("name") if ends else rule.get("name")
            scopes[found.start():found.end()] = [name] * len(found[0])
            for group, capture in (rule or {}).get("captures", {}).items():
                scopes[found.start(int(group)):found.end(int(group))] = [capture["name"]] * len(found[int(group)])
            if rule and "begin" in rule:
                self.stack.append(rule)
                scopes[found.end():] = [rule.get("name")] * (len(text) - found.end())
            elif ends:
                scopes[found.end():] = [None] * (len(text) - found.end())
            at = max(found.end(), at + (found.end() == found.start()))
        return scopes


def expressions(node):
    """Every regular expression of a grammar or configuration."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("match", "begin", "end", "regexp") or key.endswith("Pattern"):
                if isinstance(value, str):
                    yield value
                    continue
            yield from expressions(value)
    elif isinstance(node, list):
        for value in node:
            yield from expressions(value)


def check_scopes(grammar, sample, language):
    tokenizer = Tokenizer(grammar)
    for text, wanted in sample:
        scopes = tokenizer.line(text)
        for word, scope in wanted.items():
            at = text.index(word)
            full = f"{scope}.{language}" if scope else None
            found = set(scopes[at:at + len(word)])
            if found != {full}:
                yield f"{text!r}: {word!r} is {found}, not {full}"


def patterns_of_page():
    """Vim's formats and Emacs' expression, as docs/editors.md has them, as Python's."""
    page = (ROOT / "docs/editors.md").read_text()
    vim = re.search(r"errorformat=((?:\\ |\S)+)", page)[1].replace("\\ ", " ").replace("\\,", "\0").split(",")
    percent = {"%f": r"(?P<file>.+?)", "%l": r"(?P<line>\d+)", "%c": r"(?P<column>\d+)", "%m": r"(?P<text>.*)",
               "%t": r"\w"}
    for one in vim:
        yield "Vim", "".join(percent.get(part, re.escape(part)) for part in re.split(r"(%\w)", one) if part)
    lisp = re.search(r'"(\^.*?[^\\])"', page)[1].replace("\\\\", "\\")
    swapped = re.sub(r"\\?[(){}|]", lambda m: m[0][1:] if m[0][0] == "\\" else "\\" + m[0], lisp)
    yield "Emacs", swapped


def messages(tessera):
    """First lines of diagnostics, from wrong programs."""
    verbs = subprocess.run([tessera, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    sources = {"asm": "frobnicate r0\n    mov r0, ra99\n.set a\n",
               "check": "mov ra1, unif\nmov r0, ra1\nnop; thrend\nnop\nnop\n"}
    with tempfile.TemporaryDirectory() as folder:
        for verb, text in sources.items():
            if not re.search(rf"^  {verb} ", verbs, re.MULTILINE):
                continue
            path = pathlib.Path(folder, verb + ".qasm")
            path.write_text(text)
            output = ["-f", "bin", "-o", "/dev/null"] if verb == "asm" else []
            done = subprocess.run([tessera, verb, "-m", "qpu", *output, path], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            lines = [line for line in done.stdout.splitlines() if re.search(r": (error|warning|note): ", line)]
            if not lines:
                yield f"{verb} says nothing", str(path)
            for line in lines:
                yield line, str(path)


def check_matchers(tessera, package):
    pattern = package["contributes"]["problemMatchers"][0]["pattern"]
    others = list(patterns_of_page())
    for line, path in messages(tessera):
        found = re.search(pattern["regexp"], line)
        if not found or found[pattern["file"]] != path or not found[pattern["line"]].isdigit():
            yield f"the problem matcher misses: {line}"
        elif not found[pattern["code"]]:
            yield f"the problem matcher finds no rule: {line}"
        for editor in ("Vim", "Emacs"):
            found = [re.match(text, line) for name, text in others if name == editor]
            if not any(match and match[1] == path and match[2].isdigit() for match in found):
                yield f"{editor} misses: {line}"


def main():
    files = {name: json.loads((EXTENSION / name).read_text()) for name in
             ("package.json", "language-configuration.json", "tasks.json", "syntaxes/qpu.tmLanguage.json",
              "syntaxes/gp.tmLanguage.json", "syntaxes/a2xx.tmLanguage.json")}
    wrong = []
    for name, tree in files.items():
        for text in expressions(tree):
            try:
                re.compile(text)
            except re.error as error:
                wrong.append(f"{name}: {text!r}: {error}")
    wrong += check_scopes(files["syntaxes/qpu.tmLanguage.json"], SAMPLE, "qpu")
    wrong += check_scopes(files["syntaxes/gp.tmLanguage.json"], GP_SAMPLE, "gp")
    wrong += check_scopes(files["syntaxes/a2xx.tmLanguage.json"], A2XX_SAMPLE, "a2xx")
    wrong += check_matchers(sys.argv[1], files["package.json"])
    print("\n".join(wrong) or f"{len(SAMPLE) + len(GP_SAMPLE) + len(A2XX_SAMPLE)} lines have their scopes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
