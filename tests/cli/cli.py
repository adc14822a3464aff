#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cli.py - tests the tessera program on the command line: cli.py TESSERA. The tests cover wrong usage, unreadable
and invalid input, and unwritable outputs. Exit statuses are those of docs/run.md: 0 for success, 1 if the program
under test is wrong, 2 for wrong usage or unreadable input. No command may crash (a negative status here), hang, or
fail without a message."""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv.pop(1))
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FRAME = os.path.join(TESTS, "..", "fuzz", "frame.qasm")
PROGRAMS = os.path.join(TESTS, "programs")
VERBS = ("asm", "dis", "check", "run", "decode")
SECONDS = 60
DONE, WRONG, USAGE = 0, 1, 2


def loaded(elf):
    """Returns the address and the stored bytes of each segment of an ELF file."""
    offset, count = struct.unpack_from("<I", elf, 28)[0], struct.unpack_from("<H", elf, 44)[0]
    headers = [struct.unpack_from("<5I", elf, offset + 32 * i) for i in range(count)]
    return [(address, elf[at:at + size]) for _, at, address, _, size in headers if size]


class Result:
    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout or b""
        self.err = done.stderr.decode("utf-8")  # diagnostics must always be valid UTF-8


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def tessera(self, *arguments, stdin=b"", stdout=subprocess.PIPE):
        return Result(subprocess.run([TESSERA, *arguments], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                                     cwd=self.folder, timeout=SECONDS, check=False))

    def expect(self, status, *arguments, says=None, **more):
        result = self.tessera(*arguments, **more)
        self.assertEqual(result.status, status, (arguments, result.err))
        if status != DONE:
            self.assertNotEqual(result.err, "", arguments)
        if says:
            self.assertIn(says, result.err)
        return result

    def scene(self):
        path = self.path("frame.elf")
        self.expect(DONE, "asm", "-o", path, FRAME)
        return path


class Sanitizer(Case):
    # The top of frame.inc's triangle is in column 64. The triangle's last rows extend to column 4.
    SHADER = """.include "frame.inc"
        .macro part_shader
            mov r1, vary
            mov r2, x_coord
            sub.setf -, r2, 15
            mov%s r0, -1
            nop
            mov tlbc, r0
            nop; nop; thrend
            nop
            nop; nop; sbdone
        .endm
        frame
        """

    def run_shader(self, status, condition):
        source = self.path("shader.qasm", self.SHADER % condition)
        self.expect(DONE, "asm", "--no-check", "-I", PROGRAMS, "-o", "shader.elf", source)
        return self.expect(status, "run", "--strict", "shader.elf")

    def test_later_runs_of_a_shader(self):
        """The first run of a shader causes no finding. The sanitizer must still watch later runs if a condition can
        make them different."""
        self.assertEqual(self.run_shader(DONE, "").err, "wrote out.png (128x64)\n")
        self.assertIn("tile 0,0", self.run_shader(WRONG, ".ifnn").err)
        self.assertIn("[qpu-uninitialised]", self.run_shader(WRONG, ".ifnn").err)


class Usage(Case):
    def test_help(self):
        self.assertIn(b"Usage:", self.expect(DONE, "--help").out)
        for verb in VERBS:
            result = self.expect(DONE, verb, "--help")
            self.assertTrue(result.out.startswith(b"Usage: tessera " + verb.encode()))
            self.assertEqual(result.err, "")

    def test_version(self):
        self.assertRegex(self.expect(DONE, "--version").out, rb"^tessera \d+\.\d+\.\d+\n$")

    def test_nothing_and_nonsense(self):
        self.expect(USAGE, says="Usage:")
        self.expect(USAGE, "", says="unknown verb ''")
        self.expect(USAGE, "frobnicate", says="Try 'tessera --help'")
        self.expect(USAGE, "x" * 5000, says="unknown verb")

    def test_every_verb_wants_a_file(self):
        for verb in VERBS:
            self.expect(USAGE, verb, says="Try 'tessera %s --help'" % verb)

    def test_wrong_options(self):
        for verb in VERBS:
            for option in (["--frobnicate"], ["-o"], ["-Z"]):
                self.expect(USAGE, verb, *option, says="Try 'tessera %s --help'" % verb)
        self.expect(USAGE, "asm", "-f", "png", "x", says="unknown format 'png'")
        self.expect(USAGE, "asm", "-m", "z80", "x", says="unknown machine 'z80'")
        self.expect(USAGE, "dis", "-m", "z80", "x", says="unknown machine 'z80'")
        self.expect(USAGE, "run", "a", "b", says="more than one")

    def test_numbers(self):
        for number in ("0", "-1", "1.5", "", "x", "0x", "1k", " 1", "18446744073709551616", "9" * 400):
            for option in ("--max-records", "--max-instructions", "--max-total-instructions"):
                self.expect(USAGE, "run", option, number, "x", says="expected 1 to 18446744073709551615")
                self.expect(USAGE, "decode", option, number, "x", says="expected 1 to 18446744073709551615")
        for address in ("-1", "0x100000000", "9" * 400, "here"):
            self.expect(USAGE, "dis", "--address", address, "x", says="invalid address")
            self.expect(USAGE, "dis", "--base", address, "x", says="invalid address")
        for text in ("1", "1-", "-2", "2-1", "1-1", "1-2-3", "0-0x100000001", "a-b"):
            self.expect(USAGE, "dis", "--data=" + text, "x", says="invalid address range")
            self.expect(USAGE, "dis", "--code=" + text, "x", says="invalid address range")
        self.expect(WRONG, "run", "--max-total-instructions", "5", self.scene(), says="5 instructions in this run")
        self.expect(WRONG, "decode", "--max-total-instructions", "5", self.scene(), says="5 instructions in this run")
        self.expect(DONE, "run", "--max-records", "18446744073709551615", "--max-instructions", "0xffffffff",
                    "--threads", "64", "--qpus", "16", self.scene())
        for verb in ("run", "decode"):
            for threads in ("0", "65", "-1", "two", "", "99999999999999999999"):
                self.expect(USAGE, verb, "--threads", threads, "x", says="1 to 64")
            for qpus in ("0", "13", "-12", "twelve", ""):
                self.expect(USAGE, verb, "--qpus", qpus, "x", says="12 or 16")

    def test_strict(self):
        """If a list ends without a flush, a warning is printed (docs/scene.md). With --strict the warning is an
        error."""
        source = b".org 0\nlist: .byte 1\nend:\n.scene bin list end\n"
        self.expect(DONE, "asm", "-f", "elf", "-o", "short.elf", "-", stdin=source)
        for verb in ("run", "decode"):
            self.assertIn("warning: ", self.expect(DONE, verb, "short.elf").err)
            self.assertIn("error: ", self.expect(WRONG, verb, "--strict", "short.elf", says="list-not-flushed").err)
            self.expect(DONE, verb, "--no-sanitize", "short.elf")
            self.expect(DONE, verb, "--sanitize", "short.elf")



class Check(Case):
    LATE = "mov ra1, unif\nmov r0, ra1\nnop; thrend\nnop\nnop\n"

    def test_status(self):
        late, fine = self.path("late.qasm", self.LATE), self.path("fine.qasm", "nop; thrend\nnop\nnop\n")
        self.assertIn(b"qpu-read-after-write", self.expect(WRONG, "check", late, says="1 error").out)
        self.assertEqual(self.expect(DONE, "check", fine).out, b"")
        self.expect(WRONG, "check", fine, late)
        self.expect(DONE, "check", "-W", "qpu-read-after-write=note", late)
        self.expect(DONE, "check", "-W", "all=off", late)
        self.expect(USAGE, "check", "-W", "none=note", late, says="unknown rule")
        self.expect(USAGE, "check", "-W", "all=loud", late)
        self.expect(USAGE, "check", "-k", "pixle", late)
        self.expect(USAGE, "check", "-e", "nowhere", late, says="nowhere")
        self.expect(USAGE, "check", self.path("none.qasm"))
        self.expect(DONE, "asm", "-f", "hex", late, says="qpu-read-after-write")
        self.assertEqual(self.expect(DONE, "asm", "--no-check", "-f", "hex", late).err, "")

    def test_documents(self):
        late = self.path("late.qasm", self.LATE)
        finding = json.loads(self.expect(WRONG, "check", "--json", late).out)["findings"][0]
        self.assertEqual((finding["rule"], finding["line"], finding["distance"]), ("qpu-read-after-write", 2, 1))
        self.assertEqual((finding["other"]["line"], finding["address"]), (1, "0x00000008"))
        log = json.loads(self.expect(WRONG, "check", "--sarif", late).out)
        run = log["runs"][0]
        rules, result = run["tool"]["driver"]["rules"], run["results"][0]
        self.assertEqual(log["version"], "2.1.0")
        self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        self.assertEqual(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2)
        self.assertEqual(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 1)
        rules = json.loads(self.expect(DONE, "check", "--list-rules", "--json").out)["rules"]
        self.assertEqual(rules[0]["id"], "qpu-read-after-write")
        self.assertIn(b"qpu-end-rules", self.expect(DONE, "check", "--list-rules").out)
        self.assertIn(b"Instead:", self.expect(DONE, "check", "--explain", "qpu-end-rules").out)
        self.assertEqual(json.loads(self.expect(DONE, "check", "--explain", "qpu-end-rules", "--json").out)["level"], "error")
        self.expect(USAGE, "check", "--explain", "none", says="unknown rule")

    def test_gp(self):
        early = self.path("early.gp", "load.unif 0; acc0.mov unif.x; store0.reg 3, acc0, _\n"
                                      "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _\n")
        self.assertIn(b"[gp-register-early]", self.expect(WRONG, "check", "-m", "gp", early, says="1 warning").out)
        self.expect(DONE, "check", "-m", "gp", "-W", "gp-register-early=note", early)
        finding = json.loads(self.expect(WRONG, "check", "-m", "gp", "--json", early).out)["findings"][0]
        self.assertEqual(finding["instruction"], "0x000ad5004007fc000f800ab5b00ad6b5")
        self.assertEqual(finding["disassembly"], "load.reg0 3; acc0.mov reg0.x; store0.varying 0, acc0, _")
        run = json.loads(self.expect(WRONG, "check", "-m", "gp", "--sarif", early).out)["runs"][0]
        rules, result = run["tool"]["driver"]["rules"], run["results"][0]
        self.assertEqual(rules[result["ruleIndex"]]["id"], "gp-register-early")
        self.assertEqual(result["locations"][0]["physicalLocation"]["address"]["length"], 16)
        lists = [self.expect(DONE, "check", "-m", machine, "--list-rules").out for machine in ("qpu", "gp")]
        for own, other, ident in (0, 1, b"qpu-end-rules"), (1, 0, b"gp-flags"):
            self.assertIn(ident, lists[own])
            self.assertNotIn(ident, lists[other])
        for text in lists:
            self.assertIn(b"unused-suppression", text)
        self.assertIn(b"Instead:", self.expect(DONE, "check", "--explain", "gp-flags").out)
        self.expect(DONE, "asm", "-m", "gp", "-f", "hex", early, says="gp-register-early")

class Input(Case):
    def verbs(self):
        return ([verb] for verb in VERBS)

    def test_missing_file_and_directory(self):
        for verb in self.verbs():
            self.expect(USAGE, *verb, "nowhere", says="No such file")
            self.expect(USAGE, *verb, self.folder, says="no programs found in" if verb == ["check"] else "Is a directory")
            self.expect(USAGE, *verb, "")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_file(self):
        os.chmod(self.path("secret", "x"), 0)
        for verb in self.verbs():
            self.expect(USAGE, *verb, "secret", says="Permission denied")

    def test_endless_file(self):
        for verb in self.verbs():
            self.expect(USAGE, *verb, "/dev/zero", says="File too large")

    def test_closed_standard_input(self):
        for verb in self.verbs():
            done = subprocess.run(["sh", "-c", '"$0" "$@" <&-', TESSERA, *verb, "-"], capture_output=True,
                                  timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, USAGE, verb)
            self.assertIn(b"<stdin>", done.stderr, verb)

    def test_empty_file(self):
        self.path("empty", "")
        self.assertEqual(self.expect(DONE, "asm", "empty").out, b"")
        self.assertEqual(self.expect(DONE, "dis", "-m", "qpu", "empty").out, b"")
        self.expect(USAGE, "run", "empty", says="an empty file, not a scene")
        self.expect(USAGE, "decode", "empty", says="an empty file, not a scene")
        self.expect(USAGE, "check", "empty", says="an empty file")

    def test_garbage(self):
        garbage = bytes((i * i * 7 + i // 3) & 0xff for i in range(8192)) + b"\x1b[31m\x9b\n"
        self.path("garbage", garbage)
        result = self.expect(WRONG, "asm", "garbage")
        self.assertNotIn("\x1b", result.err)
        self.assertLess(max(map(len, result.err.splitlines())), 400)
        self.expect(USAGE, "run", "garbage", says="elf-magic")
        self.expect(USAGE, "decode", "garbage", says="elf-magic")
        source = self.expect(DONE, "dis", "-m", "qpu", "garbage").out
        self.assertEqual(self.expect(DONE, "asm", "-", stdin=source).out, garbage)

    def test_standard_input(self):
        with open(self.scene(), "rb") as file:
            scene = file.read()
        self.expect(DONE, "run", "-", stdin=scene)
        self.assertIn(b"Start Tile Binning", self.expect(DONE, "decode", "-", stdin=scene).out)
        self.assertEqual(self.expect(DONE, "asm", "-", stdin=b".byte 1, 2\n").out, b"\1\2")
        self.assertIn(b"nop", self.expect(DONE, "dis", "-", stdin=b"0x009e7000, 0x100009e7\n").out)

    def test_crlf_source(self):
        unix = b".macro two, a\n.byte a, 2\n.endm\n/* a\nb */ two 1 # c\nnop; nop; thrend\n.align 4\n"
        dos = unix.replace(b"\n", b"\r\n")
        unix, dos = (self.expect(DONE, "asm", "-", stdin=text.replace(b"two 1", b"two 1\n.align 8")).out
                     for text in (unix, dos))
        self.assertEqual(unix, dos)

    def test_last_line_without_newline(self):
        self.assertEqual(self.expect(DONE, "asm", "-", stdin=b".byte 7").out, b"\7")

    def test_sources_that_include_themselves_or_grow(self):
        self.path("loop", '.include "loop"\n')
        self.expect(WRONG, "asm", "loop")
        self.expect(WRONG, "asm", "-", stdin=b".macro m\nm\nm\n.endm\nm\n")
        self.expect(WRONG, "asm", "-", stdin=b".rept 1 << 60\nnop\n.endr\n")
        self.expect(WRONG, "asm", "-", stdin=b".space 1 << 40\n")
        self.expect(WRONG, "asm", "-", stdin=b'.incbin "/dev/zero"\n')
        self.expect(WRONG, "asm", "-", stdin=b".set a, " + b"(" * 100000 + b"\n")

    def test_disassembling_a_scene(self):
        source = self.expect(DONE, "dis", "-m", "qpu", self.scene()).out
        with open(self.scene(), "rb") as file:
            scene = file.read()
        again = self.expect(DONE, "asm", "-f", "elf", "-", stdin=source).out
        self.assertEqual(loaded(again), loaded(scene))
        self.expect(USAGE, "dis", "-f", "elf", "-", stdin=scene[:100], says="code-elf")

    def test_disassembling_text(self):
        self.expect(USAGE, "dis", "-m", "qpu", "-", stdin=b"hello\n", says="expected a hexadecimal word")
        self.expect(USAGE, "dis", "-m", "qpu", "-", stdin=b"0x12345678123456781\n", says="expected a hexadecimal word")
        self.expect(USAGE, "dis", "-m", "qpu", "-", stdin=b"{" * 2000000 + b"/", says="expected a number")
        self.expect(USAGE, "dis", "-f", "c", "-", stdin=b"0x1", says="no array")
        self.expect(USAGE, "dis", "-f", "png", "-", stdin=b"0x1", says="unknown format 'png'")
        self.assertIn(b".int 0x12345678 ", self.expect(DONE, "dis", "-", stdin=b"0x12345678\n").out)
        self.assertIn(b".byte 0x30 ", self.expect(DONE, "dis", "-f", "raw", "-", stdin=b"0").out)

    def test_disassembling_as_asked(self):
        nops = b"0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7\n"
        self.assertEqual(self.expect(DONE, "dis", "--base", "0x100", "-", stdin=nops).out.split(b"\n")[0], b".org 0x00000100")
        out = self.expect(DONE, "dis", "--data", "0-16", "--code", "8-16", "-", stdin=nops).out
        self.assertEqual([line.split()[0] for line in out.splitlines()], [b".int", b"nop"])
        odd = b"0x15c27df7, 0x10020027\n"
        self.assertTrue(self.expect(DONE, "dis", "-", stdin=odd).out.startswith(b".int 0x15c27df7, 0x10020027 # unused mul_b"))
        self.assertTrue(self.expect(DONE, "dis", "--nearest", "-", stdin=odd).out.startswith(b"or ra0, vpm, rb39 "))
        self.assertIn(b"add pipe: Bitwise OR", self.expect(DONE, "dis", "--explain", "-", stdin=odd).out)
        self.expect(USAGE, "dis", "--explain", "--json", "-", stdin=odd, says="mutually exclusive")

    def test_disassembling_gp_programs(self):
        words = b"ad4ad42c 478142b5 0007ff80 000ad500  ad4ad6b5 038002b5 0007ffe0 03d65500"
        code = struct.pack("<8I", *(int(word, 16) for word in words.split()))
        chunk = lambda tag, content: tag + struct.pack("<I", len(content)) + content
        mbs = chunk(b"MBS1", chunk(b"CVER", struct.pack("<I", 6) + chunk(b"DBIN", code)))
        source = self.expect(DONE, "dis", "-m", "gp", "-", stdin=words).out
        self.assertTrue(source.startswith(b"load.attr 1; load.unif 5; mul0.mul unif.x, attr.y "), source)
        self.assertEqual(self.expect(DONE, "asm", "-m", "gp", "-f", "bin", "--no-check", "-", stdin=source).out, code)
        for form in (["-f", "raw"], ["-f", "auto"]):
            self.assertEqual(self.expect(DONE, "dis", "-m", "gp", *form, "-", stdin=code).out, source)
        for form in (["-f", "mbs"], []):
            self.assertEqual(self.expect(DONE, "dis", "-m", "gp", *form, "-", stdin=mbs).out, source)
        listing = self.expect(DONE, "dis", "-m", "gp", "--mesa", "-", stdin=mbs).out
        self.assertEqual(listing, b"000:\tmul.m0 ^2 t[5].x a1.y\n001:\tmov.p ^10 t[0].x\n\tbranch ^10 003\n\tunknown_1 13\n")
        self.assertIn(b"\nmul0: row[5].x * attribute[1].y\n", self.expect(DONE, "dis", "-m", "gp", "--explain", "-", stdin=words).out)
        first, branch = json.loads(self.expect(DONE, "dis", "-m", "gp", "--json", "-", stdin=words).out)["items"]
        self.assertEqual(first["words"], ["0xad4ad42c", "0x478142b5", "0x0007ff80", "0x000ad500"])
        self.assertEqual(sum(field["value"] << field["low"] for field in first["fields"]), int.from_bytes(code[:16], "little"))
        self.assertEqual(first["slots"], [{"slot": "mul0", "operation": "mul", "code": 0, "operands": ["row[5].x", "attribute[1].y"],
                                           "negated": False, "stores": []}])
        self.assertEqual(branch["target"], {"address": "0x00000030", "label": None})
        self.expect(USAGE, "dis", "--mesa", "-", stdin=words, says="needs -m gp or -m a2xx")
        self.assertEqual(self.expect(DONE, "dis", "-", stdin=mbs).out, source)
        self.expect(USAGE, "dis", "-m", "qpu", "-", stdin=mbs, says="-m gp")
        self.expect(USAGE, "dis", "-m", "gp", "-", stdin=mbs[:-1], says="code-mbs")
        self.expect(USAGE, "dis", "-m", "gp", "--mesa", "--json", "-", stdin=words, says="mutually exclusive")

    def test_disassembling_a2xx_programs(self):
        # The first listing of docs/hardware/a2xx.md, section 19, and the output of Mesa's printer for it.
        words = b"""00031003 00001000 c2000000 00001004 00001000 c4000000 00000005 00002000 00000000
                    08a81000 00392a88 0000000c 140f803e 00000000 e2010100"""
        code = struct.pack("<15I", *(int(word, 16) for word in words.split()))
        source = self.expect(DONE, "dis", "-m", "a2xx", "-", stdin=words).out
        self.assertEqual(source.split(b"\n")[1].split(b" ;")[0].split(),
                         b"(S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10, 0)".split())
        self.assertEqual(self.expect(DONE, "asm", "-m", "a2xx", "-f", "bin", "--no-check", "-", stdin=source).out, code)
        self.assertEqual(self.expect(DONE, "dis", "-m", "a2xx", "-f", "raw", "-", stdin=code).out, source)
        listing = self.expect(DONE, "dis", "-m", "a2xx", "--style=mesa", "-", stdin=words).out.split(b"\n")
        self.assertEqual(listing[4], b"\t      ALU:\tMAXv\texport62 = R1, R1\t; gl_Position")
        self.assertEqual(self.expect(DONE, "dis", "-m", "a2xx", "--mesa", "-", stdin=words).out.split(b"\n"), listing)
        # Format 16 has another name on the Xenos (xenia, src/xenia/gpu/xenos.h).
        fetch = words.replace(b"00392a88", b"00102a88")
        for variant, name in (("adreno", b" FMT_8_8_8 "), ("xenos", b" FMT_10_11_11 ")):
            self.assertIn(name, self.expect(DONE, "dis", "-m", "a2xx", "--variant", variant, "-", stdin=fetch).out)
        raw = b"\t    0000 0000 2000            \tEXEC_END ADDR(0x0) CNT(0x0)\n"
        for form in ([], ["-f", "listing"]):
            self.assertIn(b"EXEC_END ", self.expect(DONE, "dis", "-m", "a2xx", *form, "-", stdin=raw).out)
        self.expect(USAGE, "dis", "-m", "gp", "-", stdin=raw, says="code-listing")
        self.expect(USAGE, "dis", "-m", "a2xx", "-f", "listing", "-", stdin=b"EXEC\n", says="no line of the listing")
        self.expect(USAGE, "dis", "-m", "a2xx", "--style=vc4", "-", stdin=words, says="unknown style 'vc4'")
        self.expect(USAGE, "dis", "-m", "a2xx", "--variant=r600", "-", stdin=words, says="unknown variant 'r600'")
        self.expect(USAGE, "dis", "--style=mesa", "-", stdin=words, says="-m gp or -m a2xx")
        self.assertEqual(self.expect(DONE, "dis", "-m", "a2xx", "-", stdin=b"").out, b"")

    def test_disassembling_to_json(self):
        document = json.loads(self.expect(DONE, "dis", "--json", "-",
                                          stdin=b"0x15c27df7, 0x10020027, 0xffffffe0, 0xf0f809e7, 0x00000001").out)
        self.assertEqual((document["machine"], document["input"]), ("qpu", "hex"))
        odd, branch, data = document["items"]
        self.assertEqual((odd["reassembles"], odd["text"]), (False, "or ra0, vpm, rb39"))
        self.assertEqual(odd["differences"], [{"field": "mul_b", "value": 7, "written": 0},
                                              {"field": "mul_a", "value": 6, "written": 0}])
        self.assertEqual((odd["reads"], odd["writes"]), (["vpm"], ["ra0"]))
        self.assertEqual(odd["words"], ["0x15c27df7", "0x10020027"])
        word = sum(field["value"] << field["low"] for field in odd["fields"])
        self.assertEqual(word, 0x1002002715c27df7)
        self.assertEqual((branch["labels"], branch["target"]), (["L_0008"], {"address": "0x00000008", "label": "L_0008"}))
        self.assertEqual((data["kind"], data["address"], data["bytes"]), ("data", "0x00000010", "01000000"))

    def test_truncated_scenes(self):
        with open(self.scene(), "rb") as file:
            scene = file.read()
        for size in list(range(0, 200)) + list(range(200, len(scene), 97)):
            result = self.tessera("run", "-", stdin=scene[:size])
            self.assertIn(result.status, (DONE, WRONG, USAGE), (size, result.err))


class Output(Case):
    def test_missing_directory(self):
        scene = self.scene()
        self.path("source", "nop\n")
        self.path("code", "0x009e7000, 0x100009e7\n")
        for command in (["asm", "source"], ["dis", "-m", "qpu", "code"], ["run", scene], ["decode", scene]):
            self.expect(USAGE, *command, "-o", "nowhere/out", says="No such file")
            self.expect(USAGE, *command, "-o", self.folder, says="Is a directory")
            self.expect(DONE, *command, "-o", "/dev/null")

    def test_full_device(self):
        scene = self.scene()
        self.path("source", "nop\n")
        self.path("code", "0x009e7000, 0x100009e7\n")
        for command in (["asm", "source"], ["dis", "-m", "qpu", "code"], ["run", scene], ["decode", scene]):
            self.expect(USAGE, *command, "-o", "/dev/full", says="No space left")
        commands = [["--help"], ["--version"], ["asm", "-f", "hex", "source"], ["dis", "-m", "qpu", "code"],
                    ["run", "--stats", scene], ["run", "--stats", "--json", scene], ["run", "-o", "-", scene],
                    ["decode", scene], ["decode", "--json", scene]]
        for command in commands + [[verb, "--help"] for verb in VERBS]:
            with open("/dev/full", "wb") as full:
                self.expect(USAGE, *command, stdout=full, says="No space left")

    def test_failed_assembly_leaves_old_output(self):
        old = self.path("out", "old")
        self.path("bad", "this is no instruction\n")
        self.expect(WRONG, "asm", "-o", old, "bad")
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"old")

    def test_failed_picture_leaves_others(self):
        """If the first of two pictures cannot be written, the second must not be written either."""
        source = ('.include "%s"\n.scene image framebuffer 8 8 rgba8888 raster nowhere/x.png\n'
                  ".scene image framebuffer 8 8 rgba8888 raster good.png\n" % FRAME)
        self.path("two", source)
        self.expect(DONE, "asm", "-o", "two.elf", "two")
        self.expect(USAGE, "run", "two.elf", says="nowhere/x.png")
        self.assertEqual(sorted(os.listdir(self.folder)), ["two", "two.elf"])

    def test_picture_on_standard_output(self):
        self.assertEqual(self.expect(DONE, "run", "-o", "-", self.scene()).out[:4], b"\x89PNG")

    def test_old_picture_is_replaced(self):
        self.path("frame.png", "x" * 100000)
        self.expect(DONE, "run", self.scene())
        with open(self.path("frame.png"), "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")
        self.assertEqual(sorted(os.listdir(self.folder)), ["frame.elf", "frame.png"])


class Frames(Case):
    def scene(self, count=3):
        steps = "".join(".scene image framebuffer 128 8 rgba8888 raster x/%d.png\n" % i for i in range(count))
        with open(FRAME, encoding="utf-8") as file:
            source = "".join(line for line in file if ".scene image" not in line)
        path = self.path("frames.elf")
        self.expect(DONE, "asm", "-o", path, self.path("frames.qasm", source + steps))
        return path

    def pictures(self):
        return sorted(name for _, _, names in os.walk(self.folder) for name in names if name.endswith(".png"))

    def test_names(self):
        scene = self.scene()
        self.expect(DONE, "run", "-o", "a%03d%%.png", scene)
        self.assertEqual(self.pictures(), ["a001%.png", "a002%.png", "a003%.png"])
        os.mkdir(self.path("dir"))
        self.expect(DONE, "run", "-o", "dir/", scene)
        self.assertEqual(sorted(os.listdir(self.path("dir"))), ["0.png", "1.png", "2.png"])
        self.expect(USAGE, "run", "-o", "none/", scene, says="No such file")
        self.expect(USAGE, "run", "-o", "one.png", scene, says="cannot write 3 pictures to one file, 'one.png'")
        for pattern in ("%s", "%", "%99d", "%-3d", "a%", "%03", "%%%"):
            self.expect(USAGE, "run", "-o", pattern, scene, says="invalid conversion")
        self.expect(DONE, "run", "-o", "%d-%2d.png", scene)
        self.assertIn("1- 1.png", self.pictures())
        self.assertEqual(self.expect(DONE, "run", "-o", "-", scene).out.count(b"\x89PNG"), 3)

    def test_ranges(self):
        scene = self.scene()
        for text, names in (("2", ["2.png"]), ("2-", ["2.png", "3.png"]), ("-1", ["1.png"]),
                            ("2-2", ["2.png"]), ("1-3", ["1.png", "2.png", "3.png"])):
            self.expect(DONE, "run", "--frames=" + text, "-o", "%d.png", scene)
            self.assertEqual(self.pictures(), names, text)
            for name in names:
                os.remove(self.path(name))
        self.expect(DONE, "run", "--frames", "2-2", "-o", "one.png", scene)
        for text in ("", "-", "0", "a", "1-b", "2-1", "1-2-3", "--1", "1 2", "4294967296", "0-1", "9" * 30):
            self.expect(USAGE, "run", "--frames=" + text, scene, says="invalid frame range")
        self.expect(USAGE, "run", "--frames", "4", scene, says="3 frames")
        self.expect(USAGE, "run", "--frames", "1-4", scene, says="3 frames")
        self.expect(USAGE, "run", "--frames", "1", self.scene(0), says="no pictures")

    def test_progress(self):
        self.assertIn("\r\033[Kframe 1 of 3, ", self.expect(DONE, "run", "--progress", "-o", "%d.png", self.scene()).err)
        self.assertEqual(self.expect(DONE, "run", "-o", "%d.png", self.scene()).err,
                         "".join(f"wrote {number}.png (128x8)\n" for number in (1, 2, 3)))
        self.expect(DONE, "run", "--capture", "one.elf", "-o", "%d.png", self.scene())
        self.assertEqual(self.expect(DONE, "run", "--quiet", "-o", "%d.png", "one.elf").err, "")


class Addresses(Case):
    SOURCE = (".org 0x1000\nlist: .byte 16\n.int 0x5000\nend:\nlast: .space 64\n.scene bin list end\n")

    def test_nearest_symbol(self):
        """The list branches to the unmapped address 0x5000, which is 0x3ffb after the last symbol at 0x1005."""
        self.expect(DONE, "asm", "-f", "elf", "-o", "far.elf", self.path("far.qasm", self.SOURCE))
        result = self.expect(WRONG, "run", "far.elf", says="last+0x3ffb, past its end>")
        finding = json.loads(self.expect(WRONG, "run", "--json", "far.elf").err.splitlines()[0])
        self.assertEqual((finding["address_symbol"], finding["address_offset"], finding["address_past_end"]),
                         ("last", 0x3ffb, True), result.err)

    def test_registers(self):
        source = self.SOURCE.replace("bin list end", "write V3D_IDENT0 1\n.scene write 0xabc 1")
        self.expect(DONE, "asm", "-f", "elf", "-o", "register.elf", self.path("register.qasm", source))
        result = self.expect(WRONG, "run", "register.elf", says="at register V3D_IDENT0")
        self.assertIn("at register offset 0xabc", result.err)
        findings = [json.loads(line) for line in self.expect(WRONG, "run", "--json", "register.elf").err.splitlines()]
        self.assertEqual([finding.get("register_name") for finding in findings], ["V3D_IDENT0", None])

    def test_findings_are_explained(self):
        for finding in "cl-truncated", "pi-execute-timeout":
            self.assertIn(b"Instead:", self.expect(DONE, "run", "--explain", finding).out)
        self.expect(USAGE, "run", "--explain", "none", says="docs/pi-findings.md")


class Captures(Case):
    def test_threads_do_not_matter(self):
        scene = self.scene()
        for threads in ("1", "4"):
            self.expect(DONE, "run", "--threads", threads, "--capture", threads + ".elf", scene)
            self.expect(DONE, "run", "--threads", threads, "1.elf", says="expect-met")
        with open(self.path("1.elf"), "rb") as one, open(self.path("4.elf"), "rb") as four:
            self.assertEqual(one.read(), four.read())

    def test_a_capture_replays(self):
        scene = self.scene()
        self.assertEqual(self.expect(DONE, "run", "--quiet", "--capture", "one.elf", scene).err, "")
        with open(self.path("frame.png"), "rb") as file:
            picture = file.read()
        os.remove(self.path("frame.png"))
        self.expect(DONE, "run", "--capture", "two.elf", "one.elf")
        self.assertIn("expect-met", self.expect(DONE, "run", "one.elf").err)
        self.assertEqual(json.loads(self.expect(DONE, "run", "--json", "one.elf").err)["severity"], "note")
        with open(self.path("frame.png"), "rb") as file:
            self.assertEqual(file.read(), picture)
        with open(self.path("one.elf"), "rb") as one, open(self.path("two.elf"), "rb") as two:
            self.assertEqual(one.read(), two.read())
        first, second = (self.expect(DONE, "decode", name).out.split(b"\n", 3)[3] for name in (scene, "one.elf"))
        self.assertEqual(first.replace(b"Line 2", b"Line 3"), second)

    def test_other_bytes_are_wrong(self):
        self.expect(DONE, "run", "--capture", "one.elf", self.scene())
        with open(self.path("one.elf"), "rb") as file:
            capture = file.read()
        at = capture.rindex(b"expect ") + len("expect 0x")
        at = capture.index(b"0x", at) + 2  # the hash of the capture
        wrong = capture[:at] + bytes([capture[at] ^ 1]) + capture[at + 1:]
        self.expect(WRONG, "run", self.path("wrong.elf", wrong), says="expect-differs")

    def test_where_it_cannot_be_written(self):
        self.expect(USAGE, "run", "--capture", "nowhere/one.elf", self.scene(), says="No such file")
        self.expect(USAGE, "run", "--capture", "/dev/full", self.scene(), says="No space left")
        self.expect(USAGE, "decode", "--capture", "one.elf", self.scene())


class Json(Case):
    def lines(self, result):
        return [json.loads(line) for line in result.err.splitlines()]

    def test_statistics(self):
        result = self.expect(DONE, "run", "--stats", "--json", self.scene())
        self.assertEqual(json.loads(result.out)["primitives_binned"], 1)
        self.assertEqual(self.lines(result), [])
        document = json.loads(result.out)
        self.assertEqual([counter["id"] for counter in document["counters"]], list(range(30)))
        self.assertEqual(sum(row["instructions"] for row in document["shaders"]), document["instructions"])
        self.assertEqual(sum(row["runs"] for row in document["shaders"]), document["shader_runs"])
        self.assertIn(b"\nfragment    0x", self.expect(DONE, "run", "--stats", self.scene()).out)

    def test_hot_instructions(self):
        document = json.loads(self.expect(DONE, "run", "--stats", "--json", self.scene()).out)
        for shader in document["shaders"]:
            self.assertEqual(sum(row["executed"] for row in shader["hot"]), shader["instructions"])
            self.assertEqual(sum(row["cycles"] for row in shader["hot"]), shader["cycles"])
            for cause in shader["stalls"]:
                self.assertEqual(sum(row["stalls"].get(cause, 0) for row in shader["hot"]), shader["stalls"][cause])
            self.assertEqual([row["address"] for row in shader["hot"]], sorted(row["address"] for row in shader["hot"]))
        text = self.expect(DONE, "run", "--stats", self.scene()).out.decode()
        self.assertIn("\nhot instructions of the fragment program at 0x", text)

    def test_hot_instructions_have_lines(self):
        source = (b".org 0x1000\n:start\nmov r0, 7\n:again\nsub.setf r0, r0, 1\nbrr.anynz -, :again\nnop\nnop\nnop\n"
                  b"thrend\nnop\nnop\n.scene qpu start 0 1\n")
        self.expect(DONE, "asm", "-f", "elf", "-o", "loop.elf", self.path("loop.qasm", source))
        document = json.loads(self.expect(DONE, "run", "--stats", "--json", "loop.elf").out)
        rows = {row["line"]: row for row in document["shaders"][0]["hot"]}
        self.assertEqual([(line, rows[line]["executed"]) for line in sorted(rows)],
                         [(3, 1), (5, 7), (6, 7), (7, 7), (8, 7), (9, 7), (10, 1), (11, 1), (12, 1)])
        self.assertEqual((rows[5]["symbol"], rows[5]["offset"], rows[5]["text"]), ("again", 0, "sub.setf r0, r0, 1"))
        self.assertTrue(rows[5]["file"].endswith("loop.qasm"))
        self.assertIn(" again, loop.qasm:5 ", self.expect(DONE, "run", "--stats", "loop.elf").out.decode())

    def test_trace(self):
        source = (b".org 0x1000\n:start\nmov r0, 7\n:again\nsub.setf r0, r0, 7\nmov.ifz ra3, elem_num\nsrel -, 2\n"
                  b"thrend\nnop\nnop\n.scene qpu start 0 1\n")
        self.expect(DONE, "asm", "-f", "elf", "-o", "loop.elf", self.path("loop.qasm", source))
        lines = self.expect(DONE, "run", "--trace", "-", "loop.elf").out.decode().splitlines()
        self.assertEqual([line for line in lines if line.startswith("#")][1], "# QPU 0 begins the user program at 0x00001000")
        steps = [line for line in lines if not line.startswith("#")]
        self.assertEqual(len(steps), 7)
        self.assertRegex(steps[1], r"^ 0 +\d+  0x00001008  again, loop.qasm:5 +sub.setf r0, r0, 7 +r0=0x0  z=ffff n=0000 c=0000$")
        self.assertIn("ra3=[0 1 2 3 4 5 6 7 8 9 a b c d e f]", steps[2])
        self.assertTrue(steps[3].endswith("{semaphore release 2: 0x1}"))
        self.assertTrue(steps[6].endswith("{end}"))
        self.expect(DONE, "run", "--json", "--trace", "steps", "loop.elf")
        with open(self.path("steps"), encoding="utf-8") as file:
            steps = [json.loads(line) for line in file]
        self.assertEqual([step["number"] for step in steps], list(range(7)))
        self.assertEqual([step["line"] for step in steps], list(range(3, 4)) + list(range(5, 11)))
        self.assertEqual(steps[2]["written"], [{"register": "ra3", "lanes": 65535, "values": list(range(16))}])
        self.assertEqual(steps[1]["operands"], [{"register": "r0", "lanes": 65535, "values": [7] * 16}])
        self.assertEqual(steps[2]["operands"], [{"register": "elem_num", "lanes": 65535, "values": list(range(16))}])
        self.assertEqual(steps[3]["events"], [{"kind": "semaphore release", "number": 2, "values": [1] * 16}])
        self.expect(USAGE, "run", "--trace", "no/folder", "loop.elf")

    def test_trace_is_the_same_whatever_else(self):
        traces = []
        for more in [], ["--threads", "4"], ["--no-sanitize"], ["--stats"]:
            self.expect(DONE, "run", "--trace", "steps", *more, self.scene())
            with open(self.path("steps"), "rb") as file:
                traces.append(file.read())
        self.assertEqual(len(set(traces)), 1)
        self.assertGreater(len(traces[0]), 1000)

    def test_caches(self):
        document = json.loads(self.expect(DONE, "run", "--stats", "--json", self.scene()).out)
        counters = [counter["value"] for counter in document["counters"]]
        caches = {cache["name"]: (cache["hits"], cache["misses"]) for cache in document["caches"]}
        self.assertEqual(list(caches), ["instructions", "uniforms", "textures", "level 2"])
        self.assertEqual(caches["instructions"], (counters[20], counters[21]))
        self.assertEqual(caches["textures"], (document["texture_words"] - counters[25], counters[25]))
        self.assertEqual(sum(caches["level 2"]), sum(caches[name][1] for name in list(caches)[:3]))
        for name, of in ("instruction", "instructions"), ("uniform", "uniforms"), ("texture", "texture_words"):
            self.assertEqual(sum(row[name + "_misses"] for row in document["shaders"]),
                             counters[{"instruction": 21, "uniform": 23, "texture": 25}[name]])
            self.assertTrue(all(row[name + "_misses"] <= row[of] for row in document["shaders"]))
        self.assertEqual(sum(row["cycles"] for row in document["shaders"]) + counters[13], 12 * document["clocks"])

    def test_statistics_are_tables(self):
        lines = self.expect(DONE, "run", "--stats", self.scene()).out.decode().splitlines()
        tables = [at for at, line in enumerate(lines) if line.startswith(("kind ", "cache "))]
        self.assertEqual(len(tables), 3)
        for at in tables:
            self.assertEqual(len(lines[at]), len(lines[at + 1]))
        alone = self.expect(DONE, "run", "--stats", "--no-sanitize", "--threads", "3", self.scene()).out.decode()
        self.assertEqual(alone.splitlines(), lines)

    def test_listing(self):
        kinds = [step["kind"] for step in json.loads(self.expect(DONE, "decode", "--json", self.scene()).out)["steps"]]
        self.assertEqual(kinds, ["bin", "render"])

    def test_diagnostics(self):
        source = b'nop \xff "\\\x01 \xc3\xa4 \xed\xa0\x80\n.error\n'
        result = self.expect(WRONG, "asm", "--json", "-", stdin=source)
        self.assertTrue(all(line["severity"] == "error" and line["rule"] for line in self.lines(result)))
        result = self.expect(USAGE, "run", "--json", self.path("not \xe4n \"elf\"\n", b"\0\1"))
        self.assertEqual(self.lines(result)[0]["rule"], "elf-magic")
        self.assertTrue(self.lines(result)[0]["file"].endswith('not \xe4n "elf"\n'))

    def test_wrong_scene(self):
        source = b".org 0\nlist: .byte 255\nend:\n.scene bin list end\n"
        self.expect(DONE, "asm", "-f", "elf", "-o", "wrong.elf", "-", stdin=source)
        result = self.expect(WRONG, "run", "--json", "wrong.elf")
        self.assertEqual(self.lines(result)[0]["rule"], "cl-unknown-record")
        self.assertEqual(self.lines(result)[0]["list_symbol"], "list")
        result = self.expect(WRONG, "decode", "--json", "wrong.elf")
        self.assertEqual(len(json.loads(result.out)["steps"]), 1)


class Source(Case):
    """The caret must be under the reported column, whatever characters the line contains."""

    def caret(self, line):
        result = self.expect(WRONG, "asm", "-", stdin=line.encode() + b"\n")
        at, source, caret = result.err.splitlines()[:3]
        return at, source, caret

    def test_short_line(self):
        _, source, caret = self.caret("\tnop; fropp r0")
        self.assertEqual(source, "    \tnop; fropp r0")
        self.assertEqual(caret.rstrip("^").count("\t"), 1)
        self.assertEqual(source[len(caret) - 1:][:5], "fropp")

    def test_letters_of_two_bytes(self):
        _, source, caret = self.caret("/* \xe4\xf6\xfc */ fropp r0")
        self.assertEqual(source[len(caret) - 1:][:5], "fropp")

    def test_long_line(self):
        _, source, caret = self.caret("/*" + "x" * 5000 + "*/ fropp r0" + " " * 3000)
        self.assertLess(len(source), 200)
        self.assertEqual(source[len(caret) - 1:][:5], "fropp")


unittest.main()
