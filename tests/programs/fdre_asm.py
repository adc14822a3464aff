#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fdre_asm.py TESSERA - compares the A2xx's assembler with freedreno's own (docs/isa/a2xx.md).

TESSERA_FDRE names a checkout of freedreno/freedreno, whose fdre-a2xx/asm is built with flex, bison and cc in a
temporary folder. Without the checkout or these tools the exit status is 77. Both assemblers assemble the .asm files
of fdre-a2xx/asm/tests, every shader in the strings of fdre-a2xx/tests/*.c and fdre-a2xx/freedreno.c, and random
programs of that grammar, and must write the same bytes. Random programs leave out known errors of freedreno's
assembler: the sign of "-|R1|", the constant of SAMPLE, the sources of DOT2ADDv."""
import ast
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
RANDOM = 200
LIMIT = 5  # Maximum number of instructions of a clause. Addresses in freedreno's assembler end at 31.
STRINGS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
VECTORS = ("ADDv MULv MAXv MINv SETEv SETGTv SETGTEv SETNEv DOT4v DOT3v CUBEv PRED_SETE_PUSHv PRED_SETNE_PUSHv PRED_SETGT_PUSHv "
           "PRED_SETGTE_PUSHv KILLEv KILLGTv KILLGTEv KILLNEv DSTv").split()
SCALARS = ("ADDs ADD_PREVs MULs MUL_PREVs MUL_PREV2s MAXs MINs SETEs SETGTs SETGTEs SETNEs FRACs TRUNCs FLOORs EXP_IEEE LOG_CLAMP "
           "LOG_IEEE RECIP_CLAMP RECIP_FF RECIP_IEEE RECIPSQ_CLAMP RECIPSQ_FF RECIPSQ_IEEE MOVAs MOVA_FLOORs SUBs SUB_PREVs "
           "PRED_SETEs PRED_SETNEs PRED_SETGTs PRED_SETGTEs PRED_SET_INVs PRED_SET_POPs PRED_SET_CLRs PRED_SET_RESTOREs KILLEs "
           "KILLGTs KILLGTEs KILLNEs KILLONEs SQRT_IEEE MUL_CONST_0 MUL_CONST_1 ADD_CONST_0 ADD_CONST_1 SUB_CONST_0 SUB_CONST_1 "
           "SIN COS RETAIN_PREV").split()
FORMATS = ("1_REVERSE 32_FLOAT 32_32_FLOAT 32_32_32_FLOAT 32_32_32_32_FLOAT 16 16_16 16_16_16_16 8 8_8 8_8_8_8 32 32_32 "
           "32_32_32_32").split()


def build(checkout, folder):
    """Builds freedreno's assembler. Returns its path, or None if it cannot be built here."""
    source = checkout / "fdre-a2xx/asm"
    program = folder / "fdasm"
    steps = (["bison", "-d", "-p", "asm_yy", "-o", folder / "parser.c", source / "parser.y"], ["flex", "-o", folder / "lexer.c", source / "lexer.l"],
             ["cc", "-w", f"-I{folder}", f"-I{source}", f"-I{checkout}/fdre-a2xx", f"-I{checkout}/includes", "-o", program,
              folder / "parser.c", folder / "lexer.c", source / "ir.c", source / "main.c"])
    if not all(shutil.which(step[0]) for step in steps):
        return None
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{step[0]}: {done.stderr}")
    return program


def shaders(checkout):
    fdre = checkout / "fdre-a2xx"
    for path in sorted(fdre.glob("asm/tests/*.asm")):
        yield path.name, path.read_text()
    for path in [*sorted(fdre.glob("tests/*.c")), fdre / "freedreno.c"]:
        code = re.sub(r"/\*.*?\*/", "", path.read_text(errors="replace"), flags=re.DOTALL)
        for number, strings in enumerate(STRINGS.findall(code)):
            text = "".join(map(ast.literal_eval, STRING.findall(strings)))
            if "EXEC" in text:
                yield f"{path.name}:{number}", text


class Program:
    """Returns a random program in the grammar of freedreno's assembler."""
    def __init__(self, seed):
        self.choose = random.Random(seed)
        self.first = True

    def blank(self):
        return self.choose.choice([" ", "  ", "\t", "\n", " ; comment\n"])

    def letters(self, words, count=4):
        return "".join(self.choose.choice(words) for _ in range(count))

    def maybe(self, text):
        return text if self.choose.random() < 0.6 else ""

    def source(self):
        constant, negative = self.choose.random() < 0.4, self.choose.random() < 0.4
        absolute = not constant and not negative and self.choose.random() < 0.3
        return ("-" * negative + "|" * absolute + "RC"[constant] + str(self.choose.randrange(64)) +
                self.maybe("." + self.letters("xyzw")))

    def result(self, exported):
        name = f"export{self.choose.choice([0, 1, 62, 63])}" if exported else f"R{self.choose.randrange(64)}"
        return name + self.maybe("." + "".join(self.choose.choice([letter, "_"]) for letter in "xyzw"))

    def alu(self):
        exported = self.choose.random() < 0.2
        if self.choose.random() < 0.3:
            return f"ALU:{self.blank()}MULADDv {self.result(exported)} = {self.source()},{self.blank()}{self.source()}, {self.source()}"
        text = f"ALU:{self.blank()}{self.choose.choice(VECTORS)} {self.result(exported)} ={self.blank()}{self.source()},{self.source()}"
        scalar = f"{self.blank()}{self.choose.choice(SCALARS)} {self.result(exported)} = {self.source()}"
        return text + self.maybe(scalar)

    def fetch(self, vertex):
        start = f"R{self.choose.randrange(64)}{self.maybe('.' + self.letters('xyzw01_'))} = R{self.choose.randrange(64)}."
        if not vertex:
            return f"FETCH: SAMPLE{self.blank()}{start}{self.letters('xyzw', 3)} CONST(0)"
        return (f"FETCH:{self.blank()}VERTEX {start}{self.letters('xyzw', 1)} FMT_{self.choose.choice(FORMATS)} "
                f"{self.choose.choice(['SIGNED', 'UNSIGNED'])} STRIDE({self.choose.randrange(256):#x}) "
                f"CONST({self.choose.randrange(32)}, {self.choose.randrange(4)})")

    def clause(self):
        """Freedreno's assembler treats the first instruction as the first fetch, and Tessera the first vertex fetch.
        In these programs the first instruction is a vertex fetch."""
        text = self.choose.choice(["EXEC", "EXEC_END"])
        for _ in range(self.choose.randint(1, LIMIT)):
            fetch = self.first or self.choose.random() < 0.3
            insn = self.fetch(self.first or self.choose.random() < 0.5) if fetch else self.alu()
            text += self.blank() + self.maybe("(S)") + insn
            self.first = False
        return text

    def text(self):
        kinds = (lambda: "NOP", lambda: f"ALLOC {self.choose.choice(['POSITION', 'PARAM/PIXEL'])} SIZE({self.choose.randrange(16)})",
                 self.clause, self.clause)
        parts = [self.choose.choice(kinds)() for _ in range(self.choose.randint(1, 5))]
        return self.blank().join([*parts, "EXEC_END", ""])


def main():
    checkout = os.environ.get("TESSERA_FDRE")
    if not checkout:
        return SKIPPED
    tessera, checkout = os.path.abspath(sys.argv[1]), pathlib.Path(checkout)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        peer = build(checkout, folder)
        if not peer:
            return SKIPPED
        programs = [*shaders(checkout)]
        written = len(programs)
        programs += [(f"random {seed}", Program(seed).text()) for seed in range(RANDOM)]
        source, ours, theirs = folder / "a.a2xx", folder / "ours", folder / "theirs"
        passed = 0
        for name, text in programs:
            source.write_text(text)
            subprocess.run([peer, source, theirs], check=True, capture_output=True, timeout=60)
            done = subprocess.run([tessera, "asm", "--no-check", "-f", "bin", "-o", ours, source], capture_output=True, text=True, check=False)
            if done.returncode == 0 and ours.read_bytes() == theirs.read_bytes():
                passed += 1
            else:
                print(f"{name}: other bytes\n{done.stderr}{text}")
    print(f"{passed}/{len(programs)}, {written} of them written by freedreno's authors")
    return 0 if passed == len(programs) and written else 1


if __name__ == "__main__":
    sys.exit(main())
