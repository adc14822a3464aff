#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lima.py TESSERA REFERENCE [NAME...] - tests GLSL shaders that Mesa's offline compiler compiles
(docs/utgard/mesa.md). REFERENCE is the program of tests/programs/glsl.c.

TESSERA_LIMA_COMPILER names Mesa's compiler, lima_compiler. Without it the exit status is 77. Each shader of glsl/, or
each NAME, is compiled. The steps for each shader are:
  text      the words disassemble without a raw field, and assemble to the same bits
  mesa      the Mesa-style listing equals the compiler's own listing
  check     the checker reports nothing
  run       REFERENCE finds that all fields are known, and that the outputs are those of the GLSL
TESSERA_LIMA_KEEP names a folder for the programs. A shader that the compiler refuses is listed, but is not a failure
as long as the compiler compiles 60."""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS = 60
FEWEST = 60
SHADERS = pathlib.Path(__file__).resolve().parent / "glsl"
SCALARS = {"float": 1, "int": 1, "bool": 1}

# Sections in the output of lima_compiler. First comes the shader in Mesa's NIR, three times, the last time in the form
# that is compiled. Nodes follow, in the order of the NIR, and then the constant nodes that are placed in uniforms, in
# the order of their places. The words and their listing come last.
WORDS = re.compile(r"^\d{3}: ((?:[0-9a-f]{8} ){4})$", re.MULTILINE)
DECLARATION = re.compile(r"^decl_var (uniform|shader_in|shader_out) \w+ (?:(?:high|medium|low)p )?(\S+) (\w+) \(\S+ (\d+), \d+\)$",
                         re.MULTILINE)
UNIFORM_ROWS = re.compile(r"^uniforms: (\d+)$", re.MULTILINE)
CONSTANT = re.compile(r"= load_const \(0x([0-9a-f]{8}) ")
NODES = "======== node prog seq ========\n"
CONSTANT_NODE = re.compile(r"^\d{3}: const (\d+) ", re.MULTILINE)
PLACED = re.compile(r"lower const create uniform \d+ for const (\d+)$", re.MULTILINE)
VIEWPORT = "gl_mali_ViewportTransform"  # two rows that follow the uniforms


class Compiled:
    """The parsed output of lima_compiler."""

    def __init__(self, text):
        self.words = [line.split() for line in WORDS.findall(text)]
        self.listing = text[[match.end() for match in WORDS.finditer(text)][-1] + 1:] if self.words else ""
        self.nir = text.split("\nshader: MESA_SHADER_VERTEX\n")[-1].split(NODES)[0]
        self.text = text

    def interface(self):
        """Returns source lines that declare the attributes, uniforms and varyings of the compiled words."""
        lines, uniforms = [], []
        for mode, kind, name, place in DECLARATION.findall(self.nir):
            if mode == "uniform":
                uniforms.append((int(place), name))
            else:
                lines.append(f".{'attribute' if mode == 'shader_in' else 'varying'} {name}, {place}, {SCALARS.get(kind) or kind[-1]}")
        uniforms.sort()
        rows = int(UNIFORM_ROWS.search(self.nir).group(1))
        for (row, name), following in zip(uniforms, [row for row, _ in uniforms[1:]] + [rows]):
            lines.append(f".uniform {name}, {following - row}, {row}")
        lines.append(f".uniform {VIEWPORT}, 2, {rows}")
        constants = self.constants()
        for number, values in enumerate(constants[i:i + 4] for i in range(0, len(constants), 4)):
            lines.append(f".constant constants_{number}, " + ", ".join(values))
        return lines

    def constants(self):
        """Returns the constants in the rows after the viewport. A node that is not in the NIR was created later, and
        its value is 1."""
        values = dict(zip(CONSTANT_NODE.findall(self.text.split(NODES)[1]), CONSTANT.findall(self.nir)))
        return [number(values[node]) if node in values else "1.0" for node in PLACED.findall(self.text)]


def number(bits):
    """Returns a float's exact value, in decimal."""
    return repr(struct.unpack(">f", bytes.fromhex(bits))[0])


class Program:
    """A shader in the test. Each step returns "" or an error message."""

    def __init__(self, tessera, reference, name, compiled, folder):
        self.tessera, self.reference, self.name, self.compiled = tessera, reference, name, compiled
        self.hex, self.source, self.elf = (folder / (name + ending) for ending in (".hex", ".gp", ".elf"))
        self.hex.write_text("".join(" ".join("0x" + word for word in words) + "\n" for words in compiled.words))

    def call(self, *arguments):
        done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, timeout=SECONDS,
                              check=False)
        return done.returncode, done.stdout, (done.stderr + done.stdout).strip()

    def text(self):
        status, text, messages = self.call(self.tessera, "dis", "-m", "gp", self.hex)
        if status:
            return messages
        raw = re.search(r".*(field\.|src\().*", text)
        if raw:
            return raw.group(0).strip()
        self.source.write_text("\n".join(self.compiled.interface()) + "\n\n" + text)
        for form, target in (("bin", self.elf.with_suffix(".bin")), ("elf", self.elf)):
            status, _, messages = self.call(self.tessera, "asm", "-m", "gp", "--no-check", "-f", form, "-o", target, self.source)
            if status:
                return messages
        wanted = b"".join(int(word, 16).to_bytes(4, "little") for words in self.compiled.words for word in words)
        return "" if self.elf.with_suffix(".bin").read_bytes() == wanted else "other bits"

    def mesa(self):
        status, text, messages = self.call(self.tessera, "dis", "-m", "gp", "--mesa", self.hex)
        if status:
            return messages
        for wanted, found in zip(self.compiled.listing.splitlines(), text.splitlines()):
            if wanted.rstrip() != found.rstrip():
                return f"{found!r} where Mesa prints {wanted!r}"
        return "" if len(text.splitlines()) == len(self.compiled.listing.splitlines()) else "another number of lines"

    def has(self, uniform):
        """True if the program declares the uniform."""
        return re.search(rf"^\.uniform {uniform},", self.source.read_text(), re.MULTILINE) is not None

    def check(self):
        """Notes are ignored, because two branches may have targets that are 256 instructions apart."""
        status, text, messages = self.call(self.tessera, "check", "-m", "gp", "--json", self.elf)
        if status > 1:
            return messages
        return "; ".join(f"{one['text']} [{one['rule']}]" for one in json.loads(text)["findings"] if one["level"] != "note")

    def run(self):
        status, _, messages = self.call(self.reference, self.name, self.elf)
        return "" if status == 0 else messages or f"exit status {status}"


STEPS = ("text", "mesa", "check", "run")


def compiler_path():
    """Returns the path of the compiler, or None after printing the reason."""
    compiler = shutil.which(os.environ.get("TESSERA_LIMA_COMPILER", ""))
    if not compiler:
        print("TESSERA_LIMA_COMPILER names no program: see docs/utgard/mesa.md")
    return compiler and os.path.abspath(compiler)


def compile_file(compiler, path):
    """Returns the compiled shader, or None if the compiler refuses it."""
    done = subprocess.run([compiler, path.name], cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          timeout=SECONDS, check=False)
    compiled = Compiled(done.stdout)
    return compiled if compiled.words else None


def main():
    tessera, reference, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    compiler = compiler_path()
    if not compiler:
        return SKIPPED
    names = names or sorted(path.stem for path in SHADERS.glob("*.vert"))
    passed, refused = dict.fromkeys(STEPS, 0), []
    with tempfile.TemporaryDirectory() as folder:
        keep = pathlib.Path(os.environ.get("TESSERA_LIMA_KEEP", folder))
        for name in names:
            compiled = compile_file(compiler, SHADERS / f"{name}.vert")
            if not compiled:
                refused.append(name)
                continue
            program = Program(tessera, reference, name, compiled, keep)
            for step in STEPS:
                wrong = getattr(program, step)()
                passed[step] += not wrong
                if wrong:
                    print(f"{name}: {step}: {wrong}")
    total = len(names) - len(refused)
    if refused:
        print("the compiler refuses", ", ".join(refused))
    print(f"{total} of {len(names)} shaders compile;", ", ".join(f"{step} {count}" for step, count in passed.items()))
    return 0 if all(count == total for count in passed.values()) and total >= min(FEWEST, len(names)) else 1


if __name__ == "__main__":
    sys.exit(main())
