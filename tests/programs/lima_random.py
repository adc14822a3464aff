#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lima_random.py TESSERA [SHADERS [SEED]] - random vertex shaders, compiled by Mesa's offline compiler, compute the
expected results.

Like lima.py, but the shaders are generated here, in GLSL and in Python at once: expressions, if and else, loops with
break and continue. Each runs over random vertices (tessera run -m gp). The reference is evaluated several times in
float64, with small errors in every operation. If the evaluations differ, for example because two compared values are
nearly equal, rounding decides, and the output is not compared."""
import collections
import csv
import io
import itertools
import math
import os
import pathlib
import random
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
from lima import SKIPPED, Program, compile_file, compiler_path  # noqa: E402

VERTICES = 48
EVALUATIONS = 8
NOISE = 2e-7      # about three roundings of a float
STEADY = 1e-3     # an output is not compared if its evaluations differ by more
TOLERANCE = 2e-5  # added to the difference of the evaluations; relative to max(1, |value|)
FEW = 0.05        # share of outputs that may be wrong; some evaluations agree by chance
INPUTS = ("a", "b", "k", "l", "n")
OUTPUTS = [f"{varying}_{component}" for varying in "vw" for component in "xyzw"]

# Weight, GLSL text, Python text. {0} and {1} are operands, and {c} is a condition. Bounds keep values small. The
# operand of a minus is also bounded, even after constant folding, because the compiler loses the sign of a selection
# (docs/utgard/mesa.md).
Operation = collections.namedtuple("Operation", "weight glsl python")
OPERATIONS = [
    Operation(4, "({0} + {1})", "r({0} + {1})"),
    Operation(2, "({0} - bound({1}))", "r({0} - bound({1}))"),
    Operation(3, "(bound({0}) * bound({1}))", "r(bound({0}) * bound({1}))"),
    Operation(1, "(1.0 / (1.0 + {0} * {0}))", "r(1 / (1 + {0} * {0}))"),
    Operation(1, "sqrt(abs({0}) + 0.125)", "r(math.sqrt(abs({0}) + 0.125))"),
    Operation(1, "inversesqrt(abs({0}) + 0.5)", "r(1 / math.sqrt(abs({0}) + 0.5))"),
    Operation(1, "exp2(bound({0}))", "r(2 ** bound({0}))"),
    Operation(1, "log2(abs({0}) + 0.25)", "r(math.log2(abs({0}) + 0.25))"),
    Operation(1, "min({0}, {1})", "min({0}, {1})"),
    Operation(1, "max({0}, -bound({1}))", "max({0}, -bound({1}))"),
    Operation(1, "abs({0})", "abs({0})"),
    Operation(1, "(-bound({0}))", "(-bound({0}))"),
    Operation(1, "floor({0})", "math.floor({0})"),
    Operation(2, "({c} ? {0} : {1})", "({0} if {c} else {1})"),
]
CONDITIONS = [
    Operation(4, "({0} < {1})", "({0} < {1})"),
    Operation(2, "({0} >= {1})", "({0} >= {1})"),
    Operation(1, "({0} < {1} && {1} > 0.25)", "({0} < {1} and {1} > 0.25)"),
    Operation(1, "({0} > {1} || {0} < -0.5)", "({0} > {1} or {0} < -0.5)"),
    Operation(1, "(!({0} > {1}))", "(not {0} > {1})"),
]
GLSL = """#version 100
attribute vec4 position, a, b;
uniform vec4 k, l, n;
varying vec4 v, w;

float bound(float x)
{{
    return clamp(x, -4.0, 4.0);
}}

void main()
{{
{}
    gl_Position = position;
}}
"""


class Shader:
    """Generates lines in both languages. An expression is a pair of texts."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables, self.loops, self.depth = [], 0, 1
        self.glsl, self.python = [], []
        for _ in range(self.random.randint(4, 20)):
            self.statement(2)
        for name in OUTPUTS:
            glsl, python = self.expression(2)
            self.line(f"{name.replace('_', '.')} = {glsl};", f"{name} = {python}")

    def line(self, glsl, python):
        if glsl:
            self.glsl.append("    " * self.depth + glsl)
        self.python.append("    " * self.depth + python)

    def leaf(self):
        kind = self.random.random()
        if self.variables and kind < 0.5:
            name = self.random.choice(self.variables)
            return name, name
        if kind < 0.85:
            name, component = self.random.choice("abkl"), self.random.choice("xyzw")
            return f"{name}.{component}", f"{name}_{component}"
        constant = self.random.choice(("0.125", "0.25", "0.5", "1.0", "2.0", "3.0"))
        return constant, constant

    def pick(self, operations, depth):
        operation = self.random.choices(operations, [one.weight for one in operations])[0]
        first, second = self.expression(depth), self.expression(depth)
        condition = self.pick(CONDITIONS, 0) if "{c}" in operation.glsl else ("", "")
        return (operation.glsl.format(first[0], second[0], c=condition[0]),
                operation.python.format(first[1], second[1], c=condition[1]))

    def expression(self, depth):
        return self.leaf() if depth == 0 or self.random.random() < 0.12 else self.pick(OPERATIONS, depth - 1)

    def statement(self, depth):
        kind = self.random.random()
        if kind < 0.7 or depth == 0:
            self.assignment()
        elif kind < 0.88:
            self.choice(depth)
        elif self.loops < 2:
            self.loop(depth)

    def assignment(self):
        glsl, python = self.expression(self.random.randint(1, 3))
        new = not self.variables or self.random.random() < 0.6
        name = f"t{len(self.glsl)}" if new else self.random.choice(self.variables)
        self.line(f"{'float ' if new else ''}{name} = bound({glsl});", f"{name} = bound({python})")
        if new:
            self.variables.append(name)

    def block(self, depth, statements):
        """Generates the statements of a scope. Variables declared in the scope end with it."""
        known = list(self.variables)
        self.depth += 1
        self.line("", "pass")
        for _ in range(statements):
            self.statement(depth - 1)
        self.depth -= 1
        self.variables = known

    def choice(self, depth):
        glsl, python = self.pick(CONDITIONS, 1)
        self.line(f"if {glsl} {{", f"if {python}:")
        self.block(depth, self.random.randint(1, 5))
        if self.random.random() < 0.6:
            self.line("} else {", "else:")
            self.block(depth, self.random.randint(1, 5))
        self.glsl.append("    " * self.depth + "}")

    def loop(self, depth):
        self.loops += 1
        counter, bound = f"i{self.loops}", self.random.choice("xy")
        self.line(f"for (float {counter} = 0.0; {counter} < n.{bound}; {counter} += 1.0) {{",
                  f"for {counter} in range(int(n_{bound})):")
        self.block(depth, self.random.randint(1, 4))
        self.depth += 1
        if self.random.random() < 0.4:
            (glsl, python), leave = self.pick(CONDITIONS, 0), self.random.choice(("break", "continue"))
            self.line(f"if {glsl}", f"if {python}:")
            self.depth += 1
            self.line(f"{leave};", leave)
            self.depth -= 1
        self.depth -= 1
        self.block(depth, self.random.randint(0, 2))
        self.glsl.append("    " * self.depth + "}")

    def text(self):
        return GLSL.format("\n".join(self.glsl))

    def function(self, noise):
        """Returns the Python function of the shader. Its arguments are the components of all inputs."""
        arguments = ", ".join(f"{name}_{component}" for name in INPUTS for component in "xyzw")
        text = f"def shade({arguments}):\n" + "\n".join(self.python) + f"\n    return ({', '.join(OUTPUTS)})\n"
        names = {"math": math, "bound": lambda x: min(max(x, -4), 4), "r": lambda x: x * (1 + noise.uniform(-NOISE, NOISE))}
        exec(text, names)  # pylint: disable=exec-used
        return names["shade"]


def as_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def vector(source):
    return [as_float(source.uniform(-2, 2)) for _ in range(4)]


def outputs(program, attributes, uniforms):
    """Runs the program. Returns the rows of its results, and its messages."""
    table = program.elf.with_suffix(".csv")
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(f"{name}.{component}" for name in ("position", "a", "b") for component in "xyzw")
        writer.writerows([0, 0, 0, 1, *map(repr, a), *map(repr, b)] for a, b in attributes)
    settings = dict(uniforms, **{"gl_mali_ViewportTransform": [1] * 8})
    arguments = [f"--uniform={name}={','.join(map(repr, values))}" for name, values in settings.items() if program.has(name)]
    status, text, messages = program.call(program.tessera, "run", "-m", "gp", "--strict", "--quiet", "--attributes", table,
                                          *arguments, program.elf)
    return ([], messages) if status else (list(csv.DictReader(io.StringIO(text))), "")


def off(rows, evaluations):
    """Returns the number of wrong outputs, and a description of the first."""
    wrong, first, judged = 0, "", 0
    for (vertex, row), values in zip(enumerate(rows), evaluations):
        for name, several in zip(OUTPUTS, zip(*values)):
            low, high = min(several), max(several)
            if high - low > STEADY:
                continue
            judged += 1
            want, got = (low + high) / 2, float(row[name.replace("_", ".")])
            if not abs(got - want) <= high - low + TOLERANCE * max(1, abs(want)):
                wrong += 1
                first = first or f"vertex {vertex}: {name.replace('_', '.')} is {got:.9g}, but GLSL says {want:.9g}"
    return first if wrong > FEW * judged else ""


def run(program, shader, source):
    noise = random.Random(1)
    shade = shader.function(noise)
    uniforms = {"k": vector(source), "l": vector(source), "n": [float(source.randint(0, 4)) for _ in range(4)]}
    attributes = [(vector(source), vector(source)) for _ in range(VERTICES)]
    rows, messages = outputs(program, attributes, uniforms)
    evaluations = [[shade(*itertools.chain(a, b, *uniforms.values())) for _ in range(EVALUATIONS)] for a, b in attributes]
    return messages or ("no output" if len(rows) != VERTICES else off(rows, evaluations))


def main():
    tessera = os.path.abspath(sys.argv[1])
    shaders, seed = [*map(int, sys.argv[2:]), *(50, 1)[len(sys.argv) - 2:]]
    compiler = compiler_path()
    if not compiler:
        return SKIPPED
    failed = compiled = instructions = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.environ.get("TESSERA_LIMA_KEEP", name))
        for number in range(shaders):
            shader, path = Shader(f"{seed} {number}"), folder / f"random{number}.vert"
            path.write_text(shader.text())
            output = compile_file(compiler, path)
            if not output:
                continue
            compiled += 1
            instructions += len(output.words)
            program = Program(tessera, None, path.stem, output, folder)
            wrong = program.text() or program.mesa() or program.check() or run(program, shader, random.Random(number))
            if wrong:
                print(f"{path.stem}: {wrong}")
                failed += 1
    print(f"seed {seed}: {compiled} of {shaders} shaders compile, {instructions} instructions; {failed} fail")
    return 1 if failed or compiled < 0.9 * shaders else 0


if __name__ == "__main__":
    sys.exit(main())
