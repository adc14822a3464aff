#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives tessera pi --gdb by gdb's remote protocol over a socket, and by gdb-multiarch if it is installed. Usage:
pi_gdb.py TESSERA. The kernel is that of tests/board/machine/kernel.h."""

import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

TESSERA = sys.argv[1]
KERNEL = pathlib.Path(__file__).parent.parent / "board" / "machine" / "kernel.h"
START, HANDLER, COUNT, VECTOR = 0x8000, 0x80D4, 0x808C, 0x18
SKIPPED = 77


def kernel_words():
    text = KERNEL.read_text()
    return [int(word, 16) for word in re.findall(r"0x[0-9a-f]{8}(?=,)", text[text.index("kernel_words[]"):])]


class Server:
    """A started tessera pi --gdb, and a connection to it."""

    def __init__(self, kernel, *options):
        self.process = subprocess.Popen([TESSERA, "pi", "--gdb", "0", "--quiet", *options, str(kernel)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        if "libtessera-arm.so is missing" in line:
            print("the engine of ARM cores is not built")
            sys.exit(SKIPPED)
        found = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line)
        assert found, line
        self.port = int(found[1])

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        self.pending = b""
        return self

    def end(self):
        self.socket.close()
        output, errors = self.process.communicate(timeout=120)
        return output, errors

    def byte(self):
        while not self.pending:
            self.pending = self.socket.recv(65536)
            assert self.pending, "the connection has ended"
        first, self.pending = self.pending[:1], self.pending[1:]
        return first

    def receive(self):
        """Returns the next packet's text."""
        byte = self.byte()
        while byte != b"$":
            assert byte == b"+", byte
            byte = self.byte()
        text = b""
        while (byte := self.byte()) != b"#":
            text += byte
        checksum = int(self.byte() + self.byte(), 16)
        assert sum(text) % 256 == checksum
        self.socket.sendall(b"+")
        return re.sub(rb"}(.)", lambda match: bytes([match[1][0] ^ 0x20]), text, flags=re.S).decode()

    def send(self, text):
        data = text.encode()
        self.socket.sendall(b"$" + data + b"#%02x" % (sum(data) % 256))

    def ask(self, text):
        self.send(text)
        return self.receive()

    def registers(self):
        return struct.unpack("<17I", bytes.fromhex(self.ask("g")))

    def pc(self):
        return struct.unpack("<I", bytes.fromhex(self.ask("pf")))[0]

    def monitor(self, command):
        return bytes.fromhex(self.ask("qRcmd," + command.encode().hex())).decode()


def check(is_, expected):
    if is_ != expected:
        raise AssertionError(f"is {is_!r}, expected {expected!r}")


def check_queries(server):
    supported = server.ask("qSupported:swbreak+").split(";")
    for feature in ("PacketSize=1000", "qXfer:features:read+", "swbreak+", "ReverseStep+", "ReverseContinue+"):
        assert feature in supported, supported
    text, at = "", 0
    while True:
        part = server.ask(f"qXfer:features:read:target.xml:{at:x},100")
        text += part[1:]
        at = len(text)
        if part[0] == "l":
            break
    assert '<feature name="org.gnu.gdb.arm.core">' in text and text.count("<reg ") == 17, text
    check(server.ask("qfThreadInfo"), "m1")
    check(server.ask("qsThreadInfo"), "l")
    check(bytes.fromhex(server.ask("qThreadExtraInfo,1")), b"core 0, runs")
    check(server.ask("T1"), "OK")
    check(server.ask("T2"), "E01")
    check(server.ask("Hg1"), "OK")
    check(server.ask("Hg9"), "E01")
    check(server.ask("vCont?"), "vCont;c;C;s;S")
    check(server.ask("qUnknown"), "")
    check(server.ask("?"), "T05thread:1;")


def check_data(server):
    registers = server.registers()
    check(registers[15], START)
    check(registers[16] & 0x1F, 0x13)  # SVC mode
    check(server.ask("P1=78563412"), "OK")
    check(server.registers()[1], 0x12345678)
    check(server.ask("P99=00000000"), "E01")
    check(server.ask(f"m{START:x},8"), struct.pack("<2I", *kernel_words()[:2]).hex())
    check(server.ask("m20200000,4"), "E01")  # a peripheral
    check(server.ask("M100,3:a1b2c3"), "OK")
    check(server.ask("m100,4"), "a1b2c300")
    check(server.ask("M100,3:a1"), "E01")
    whole = server.ask("g")
    check(server.ask("G" + whole), "OK")
    check(server.ask("g"), whole)


def check_runs(server):
    """The kernel counts timer interrupts in r4, after each of them."""
    stop = "T05thread:1;swbreak:;"
    check(server.ask("vCont;s:1"), "T05thread:1;")
    check(server.pc(), START + 4)
    check(server.registers()[8], 0x20000000)  # mov r8, #0x20000000
    check(server.ask("s"), "T05thread:1;")
    check(server.registers()[13], 0x8000)
    check(server.ask(f"Z0,{HANDLER:x},4"), "OK")
    seen = []
    for count in range(4):
        check(server.ask("c"), stop)
        check(server.pc(), HANDLER)
        check(server.registers()[4], count)
        seen.append(server.ask("g"))
    for count in (2, 1, 0):
        check(server.ask("bc"), stop)
        check(server.ask("g"), seen[count])
    check(server.ask("c"), stop)
    check(server.ask("g"), seen[1])
    check(server.ask(f"z0,{HANDLER:x},4"), "OK")
    return seen[1]


def check_steps_back(server, handler):
    path = [handler]
    for _ in range(12):  # push to subs, and the instructions to which it returns
        check(server.ask("vCont;s:1"), "T05thread:1;")
        path.append(server.ask("g"))
    for registers in reversed(path[:-1]):
        check(server.ask("bs"), "T05thread:1;")
        check(server.ask("g"), registers)
    # The vector branches to the handler. In front of the interrupt is the wait for it.
    check(server.ask("bs"), "T05thread:1;")
    check(server.pc(), VECTOR)
    check(server.ask("bs"), "T05thread:1;")
    assert server.pc() in (COUNT - 4, COUNT), hex(server.pc())
    check(server.ask("bc"), "T05thread:1;replaylog:begin;")
    check(server.pc(), START)


def check_changes(server):
    """A changed register is not lost when the program goes back to a later time."""
    stop = "T05thread:1;swbreak:;"
    check(server.ask(f"Z1,{COUNT:x},4"), "OK")
    check(server.ask("c"), stop)
    check(server.ask("P4=64000000"), "OK")
    check(server.ask("c"), stop)
    check(server.registers()[4], 101)
    check(server.ask("c"), stop)
    check(server.registers()[4], 102)
    check(server.ask("bc"), stop)
    check(server.registers()[4], 101)
    check(server.ask(f"z1,{COUNT:x},4"), "OK")


def check_watch(server):
    """The handler pushes r1 at 0x6ff4, which changes from interrupt to interrupt."""
    check(server.ask("Z5,6ff4,4"), "")
    check(server.ask("Z2,6ff4,4"), "OK")
    check(server.ask("c"), "T05thread:1;watch:6ff4;")
    check(server.pc(), HANDLER + 4)
    pushed = server.ask("m6ff4,4")
    check(server.ask("c"), "T05thread:1;watch:6ff4;")
    # Backwards, the program stops before the two instructions that push.
    check(server.ask("bc"), "T05thread:1;watch:6ff4;")
    check(server.pc(), HANDLER)
    check(server.ask("m6ff4,4"), pushed)
    check(server.ask("bc"), "T05thread:1;watch:6ff4;")
    check(server.pc(), HANDLER)
    assert server.ask("m6ff4,4") != pushed
    check(server.ask("s"), "T05thread:1;watch:6ff4;")
    check(server.ask("m6ff4,4"), pushed)
    # A breakpoint after the first push is nearer.
    check(server.ask("c"), "T05thread:1;watch:6ff4;")
    check(server.ask(f"Z1,{HANDLER + 8:x},4"), "OK")
    check(server.ask("s"), "T05thread:1;")
    check(server.ask("s"), "T05thread:1;")
    check(server.ask("bc"), "T05thread:1;swbreak:;")
    check(server.pc(), HANDLER + 8)
    check(server.ask(f"z1,{HANDLER + 8:x},4"), "OK")
    check(server.ask("z2,6ff4,4"), "OK")


def check_read_watch(server):
    """The handler's tenth instruction pops r1 from 0x6ff4."""
    check(server.ask("Z3,6ff4,4"), "OK")
    check(server.ask("c"), "T05thread:1;rwatch:6ff4;")
    check(server.pc(), HANDLER + 40)
    check(server.ask("bc"), "T05thread:1;rwatch:6ff4;")
    check(server.pc(), HANDLER + 36)
    check(server.ask("c"), "T05thread:1;rwatch:6ff4;")
    check(server.pc(), HANDLER + 40)
    check(server.ask("z3,6ff4,4"), "OK")
    check(server.ask("Z4,6ff7,1"), "OK")
    check(server.ask("c"), "T05thread:1;awatch:6ff7;")
    check(server.pc(), HANDLER + 4)
    check(server.ask("bc"), "T05thread:1;awatch:6ff7;")
    check(server.pc(), HANDLER)
    check(server.ask("z4,6ff7,1"), "OK")


def check_monitor(server):
    text = server.monitor("v3d")
    assert re.search(r"^V3D_IDENT0 +0x02443356$", text, re.M), text
    assert "QPU 3: idle" in server.monitor("qpu 3")
    assert "0 to 15" in server.monitor("qpu 16")
    check(server.monitor("qpu").count("idle"), 16)
    check(len(server.monitor("list").splitlines()), 2)
    assert server.monitor("time").startswith("time 0.0")
    assert "monitor qpu N" in server.monitor("help")
    assert "monitor help" in server.monitor("nothing")


def check_interrupt(server):
    server.send("c")
    server.socket.sendall(b"\x03")
    check(server.receive(), "T02thread:1;")


def check_damage(server):
    server.socket.sendall(b"$g#00")
    check(server.byte(), b"-")
    server.socket.sendall(b"garbage$" + b"m" * 10000 + b"#" + b"%02x" % (ord("m") * 10000 % 256))
    check(server.byte(), b"-")
    check(server.ask("m"), "E01")
    check(server.ask("Z0"), "E01")


def check_detach(kernel):
    """The output after going back and after detaching is that of a run without gdb."""
    plain = subprocess.run([TESSERA, "pi", "--quiet", "--until", "time:0.05", str(kernel)], capture_output=True, text=True,
                           timeout=120)
    server = Server(kernel, "--until", "time:0.05").connect()
    check(server.ask(f"Z0,{HANDLER:x},4"), "OK")
    for _ in range(20):
        server.ask("c")
    for _ in range(10):
        server.ask("bc")
    check(server.ask(f"z0,{HANDLER:x},4"), "OK")
    check(server.ask("c"), "W00")
    check(server.ask("D"), "OK")
    output, _ = server.end()
    check(output, plain.stdout)


def check_gdb(kernel):
    """A session of gdb itself."""
    gdb = shutil.which("gdb-multiarch")
    if not gdb:
        print("without gdb-multiarch")
        return
    server = Server(kernel)
    commands = ["set confirm off", "set architecture armv6", f"target remote 127.0.0.1:{server.port}", "info threads",
                f"break *{HANDLER:#x}", "continue", "continue", "printf \"counted %d\\n\", $r4", "stepi",
                "printf \"at %x\\n\", $pc", "reverse-stepi", "printf \"back at %x\\n\", $pc", "reverse-continue",
                "printf \"counted %d\\n\", $r4", "monitor v3d", "kill"]
    arguments = [word for command in commands for word in ("-ex", command)]
    result = subprocess.run([gdb, "-nx", "-batch", *arguments], capture_output=True, text=True, timeout=120)
    server.process.communicate(timeout=120)
    # gdb prints answers of "monitor" on standard error.
    for text in ("Thread 1 (core 0, runs)", "counted 1", f"at {HANDLER + 4:x}", f"back at {HANDLER:x}", "counted 0",
                 "V3D_IDENT0     0x02443356"):
        assert text in result.stdout + result.stderr, f"{text!r} is missing in {result.stdout!r} {result.stderr!r}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        kernel = pathlib.Path(folder) / "kernel.img"
        words = kernel_words()
        kernel.write_bytes(struct.pack(f"<{len(words)}I", *words))
        server = Server(kernel).connect()
        check_queries(server)
        check_data(server)
        handler = check_runs(server)
        check_steps_back(server, handler)
        check_changes(server)
        check_watch(server)
        check_read_watch(server)
        check_monitor(server)
        check_interrupt(server)
        check_damage(server)
        server.send("k")
        server.end()
        check_detach(kernel)
        check_gdb(kernel)


main()
