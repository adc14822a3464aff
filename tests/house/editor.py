#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the editor support: the grammar assigns the right scopes to a sample, and the patterns for jumping to
diagnostics match the program's messages.

    editor.py TESSERA

The tokenizer below works like TextMate's for grammars of this kind: patterns are tried at each position of a line,
the leftmost match wins, and of several the first pattern. Its regular expressions are Python's. The grammar uses
only constructs with the same meaning in both engines."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import editors  # noqa: E402
EDITOR = pathlib.Path(sys.argv[1]).resolve().parent / "editor"  # in the build folder
EXTENSION = EDITOR / "vscode"

# Lines, with the expected scopes of some of their words. The suffix (".qpu", ".gp", ".a2xx") is left out.
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
        self.stack = []  # rules of the blocks that are open

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
        """Returns the scope of each character."""
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
    """Yields every regular expression of a grammar or configuration."""
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
    """Yields Vim's formats and Emacs' expression from docs/editors.md, converted to Python's syntax."""
    page = (ROOT / "docs/editors.md").read_text()
    vim = re.search(r"errorformat=((?:\\ |\S)+)", page)[1].replace("\\ ", " ").replace("\\,", "\0").split(",")
    percent = {"%f": r"(?P<file>.+?)", "%l": r"(?P<line>\d+)", "%c": r"(?P<column>\d+)", "%m": r"(?P<text>.*)",
               "%t": r"\w"}
    for one in vim:
        yield "Vim", "".join(percent.get(part, re.escape(part)) for part in re.split(r"(%\w)", one) if part)
    lisp = re.search(r'"(\^.*?[^\\])"', page)[1].replace("\\\\", "\\")
    swapped = re.sub(r"\\?[(){}|]", lambda m: m[0][1:] if m[0][0] == "\\" else "\\" + m[0], lisp)
    yield "Emacs", swapped


# For each dialect, a source that does not assemble, and a source that breaks a rule.
WRONG = {
    ".qasm": ("frobnicate r0\n    mov r0, ra99\n.set a\n", "mov ra1, unif\nmov r0, ra1\nnop; thrend\nnop\nnop\n"),
    ".gp": ("frobnicate attr.x\n    mul0.mov attr.q\n", "load.attr 0; acc0.mov attr.x; store0.reg 3, acc0, _\n"
                                                        "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _\n"),
    ".a2xx": ("EXEC\n      ALU: FROBv R1 = R1, C0\n", "EXEC\n      ALU:    ADDv    R1 = R1, C0\nALLOC COORD SIZE(0x0)\nEXEC\n"
                                                       "      ALU:    MAXv    export62 = R1, R1\n"),
}


def messages(tessera):
    """Runs the commands of the tasks on wrong programs. Yields the first line of each diagnostic."""
    tasks = json.loads((EXTENSION / "tasks.json").read_text())["tasks"]
    with tempfile.TemporaryDirectory() as folder:
        for ending, texts in WRONG.items():
            for number, text in enumerate(texts):
                path = pathlib.Path(folder, f"wrong{number}{ending}")
                path.write_text(text)
                elf = path.with_suffix(".elf")
                yield from task_messages(tessera, tasks, path)
                if number and elf.exists():  # machine code has lines, but no columns
                    yield from output_lines([tessera, "check", elf], path)
                path.unlink()
                elf.unlink(missing_ok=True)


def task_messages(tessera, tasks, path):
    names = {"${file}": str(path), "${fileDirname}": str(path.parent), "${fileBasenameNoExtension}": path.stem,
             "${workspaceFolder}": str(path.parent)}
    for task in tasks:
        words = task["args"]
        for name, value in names.items():
            words = [word.replace(name, value) for word in words]
        if task["problemMatcher"] != "$tessera" or task["command"] != "tessera":
            yield f"the task {task['label']!r} has no matcher", str(path)
        if words[0] != "run" or path.stem == "wrong0":  # a file that is not a scene has no line number
            yield from output_lines([tessera, *words], path)


def output_lines(command, path):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    lines = [line for line in done.stdout.splitlines() if re.search(r": (error|warning|note): ", line)]
    if not lines:
        yield f"{command} says nothing: {done.stdout}", str(path)
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


# --- Vim and Emacs ---

# Prints the highlight group of each column of each line.
VIM = r"""
set nocompatible nomore
let &runtimepath = $EDITOR . "/vim," . $VIMRUNTIME
syntax on
filetype plugin on
execute "edit" $SAMPLE
let rows = ["filetype " . &filetype, "makeprg " . &makeprg, "errorformat " . &errorformat]
for l in range(1, line("$"))
  call add(rows, join(map(range(1, max([1, col([l, "$"]) - 1])), 'synIDattr(synID(l, v:val, 1), "name")'), ","))
endfor
call writefile(rows, $OUT)
qall!
"""
# Prints the face of each character of each line.
EMACS = r"""
(progn
  (load (concat (getenv "EDITOR") "/emacs/tessera.el") nil t)
  (find-file (getenv "SAMPLE"))
  (font-lock-mode 1)
  (font-lock-ensure)
  (let ((rows (list (symbol-name major-mode))))
    (goto-char (point-min))
    (while (not (eobp))
      (let ((row nil))
        (while (not (eolp))
          (push (format "%s" (or (get-text-property (point) (quote face)) "-")) row)
          (forward-char))
        (push (mapconcat (quote identity) (nreverse row) ",") rows))
      (forward-line 1))
    (write-region (concat (mapconcat (quote identity) (nreverse rows) "\n") "\n") nil (getenv "OUT") nil 0)))
"""


def run_editor(command, folder, name, text):
    """Returns the lines that an editor's script writes about a file."""
    sample, out = pathlib.Path(folder, name), pathlib.Path(folder, "out")
    sample.write_text(text)
    out.unlink(missing_ok=True)
    environment = dict(os.environ, EDITOR=str(EDITOR), SAMPLE=str(sample), OUT=str(out), HOME=folder, TERM="dumb")
    done = subprocess.run(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False)
    return out.read_text().splitlines() if out.exists() else [f"{command[0]} says {done.stdout}"]


def check_vim(sample, language, ending):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "script.vim").write_text(VIM)
        first, make, form, *rows = run_editor(["vim", "-Nes", "-u", "NONE", "-i", "NONE", "-S", folder + "/script.vim"], folder,
                                              "sample" + ending, "\n".join(text for text, _ in sample) + "\n") + ["", ""]
    if first != f"filetype tessera{language}" or "tessera check" not in make or "%f:%l:%c:" not in form:
        yield f"Vim: {first}; {make}; {form}"
    for (text, wanted), row in zip(sample, rows):
        groups = row.split(",")
        for word, scope in wanted.items():
            at = text.index(word)
            full = editors.group_name(f"{scope}.{language}") if scope else ""
            if set(groups[at:at + len(word)]) != {full}:
                yield f"Vim: {text!r}: {word!r} is {set(groups[at:at + len(word)])}, not {full!r}"


def check_emacs(sample, language, ending):
    with tempfile.TemporaryDirectory() as folder:
        mode, *rows = run_editor(["emacs", "-Q", "--batch", "--eval", EMACS], folder, "sample" + ending,
                                 "\n".join(text for text, _ in sample) + "\n")
    if mode != f"tessera-{language}-mode":
        yield f"Emacs: {mode}"
    for (text, wanted), row in zip(sample, rows):
        faces = row.split(",")
        for word, scope in wanted.items():
            at = text.index(word)
            face = (editors.look(f"{scope}.", 1) if scope else None) or "-"
            found = set(faces[at:at + len(word)]) - {"font-lock-comment-delimiter-face"}
            if found != {face}:
                yield f"Emacs: {text!r}: {word!r} is {found}, not {face}"


def check_quickfix(lines):
    """Checks Vim's quickfix list, which the compiler file sets up."""
    script = r'''
let &runtimepath = $EDITOR . "/vim," . $VIMRUNTIME
compiler tessera
execute "cgetfile" $SAMPLE
call writefile(map(filter(getqflist(), "v:val.valid"), 'bufname(v:val.bufnr) . ":" . v:val.lnum . ":" . v:val.col . ":" . v:val.type'), $OUT)
qall!
'''
    wanted = []
    for line in lines:
        found = re.match(r"(.+?):(\d+):(?:(\d+):)? (\w)", line)
        wanted.append(f"{found[1]}:{found[2]}:{found[3] or 0}:{found[4]}" if found else line)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "script.vim").write_text(script)
        places = run_editor(["vim", "-Nes", "-u", "NONE", "-i", "NONE", "-S", folder + "/script.vim"], folder, "errors.txt",
                            "\n".join(lines) + "\n")
    if places != wanted:
        yield f"Vim's places are {places}, not {wanted}"


def balanced(text):
    """Returns true if the parentheses of Lisp code are balanced, ignoring strings and comments."""
    bare = re.sub(r'\?\\?.|"(?:\\.|[^"\\])*"|;.*', "", text)
    return bare.count("(") == bare.count(")")


def check_editors():
    samples = {"qpu": (SAMPLE, ".qasm"), "gp": (GP_SAMPLE, ".gp"), "a2xx": (A2XX_SAMPLE, ".a2xx")}
    if not balanced((EDITOR / "emacs/tessera.el").read_text()):
        yield "editor/emacs/tessera.el: parentheses do not match"
    for language, (sample, ending) in samples.items():
        if shutil.which("vim"):
            yield from check_vim(sample, language, ending)
        if shutil.which("emacs"):
            yield from check_emacs(sample, language, ending)


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
    wrong += check_editors()
    if shutil.which("vim"):
        wrong += check_quickfix([line for line, _ in messages(sys.argv[1])])
    print("\n".join(wrong) or f"{len(SAMPLE) + len(GP_SAMPLE) + len(A2XX_SAMPLE)} lines have their scopes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
