# SPDX-License-Identifier: MIT
"""freedreno_rd - reads captures of a driver's commands to an Adreno A2xx: freedreno's .rd files, and their commands.

In:      sections {type, size, bytes}; docs/hardware/a2xx.md, section 28: 3 address and size, 12 contents, 6 address
         of commands.
Out:     the state of the chip at each draw: programs, constants, registers, and the contents of memory.
Source:  docs/hardware/a2xx.md, section 22, for the commands; Mesa 22.3.6, src/freedreno/.gitlab-ci/traces, has a
         capture from silicon."""
import gzip
import pathlib
import struct

ADDRESS, COMMANDS_AT, CONTENTS = 3, 6, 12

NOP, DRAW, DRAW_BINNED, LOAD, CONSTANT, BUFFER, BUFFER_PREFETCHED = 0x10, 0x22, 0x34, 0x2B, 0x2D, 0x3F, 0x37
FLOATS, FETCHES, BOOLS, LOOPS, REGISTERS = range(5)  # kinds of constants
SIZES = {FLOATS: 2048, FETCHES: 192, BOOLS: 8, LOOPS: 32, REGISTERS: 0x1000}
VERTEX, PIXEL = 0, 1  # stages
PROGRAM_CNTL, CONTEXT_MISC = 0x180, 0x181  # number of registers, which begin at 0x2000
DEPTH = 8  # maximum nesting of command buffers


class Draw:
    """The state at a draw."""

    def __init__(self, state, primitive):
        self.programs = dict(state.programs)
        self.constants = {kind: list(words) for kind, words in state.constants.items()}
        self.memory = state.memory
        self.primitive = primitive

    def is_binning(self):
        """True if the draw numbers its vertices. Only memory exports need the numbers."""
        return self.constants[REGISTERS][PROGRAM_CNTL] >> 31 == 1


class Capture:
    """A parsed file."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        self.memory, self.draws, self.loads, self.programs = [], [], [], {}
        self.constants = {kind: [0] * size for kind, size in SIZES.items()}
        place, at = (0, 0), 0
        while at + 8 <= len(data):
            kind, size = struct.unpack_from("<II", data, at)
            body = data[at + 8:at + 8 + size]
            at += 8 + size
            if kind == ADDRESS:
                place = struct.unpack_from("<II", body)
            elif kind == CONTENTS:
                self.memory = [one for one in self.memory if one[0] != place[0]] + [(place[0], body)]
            elif kind == COMMANDS_AT:
                self.execute(*struct.unpack_from("<II", body))

    def words(self, address, count):
        """Returns the words at an address of the chip, or fewer if the file does not contain all of them."""
        for first, body in self.memory:
            if first <= address < first + len(body):
                offset = address - first
                count = min(count, (len(body) - offset) // 4)
                return list(struct.unpack_from(f"<{count}I", body, offset))
        return []

    def execute(self, address, count, depth=0):
        """Executes the commands that set state that a shader reads."""
        words, at = self.words(address, count), 0
        while at < len(words):
            header = words[at]
            kind, length = header >> 30, (header >> 16 & 0x3FFF) + 1
            if kind == 2:
                length = 0
            elif kind == 3 and depth < DEPTH:
                self.command(header >> 8 & 0xFF, words[at + 1:at + 1 + length], depth)
            at += 1 + length

    def command(self, code, payload, depth):
        if code in (BUFFER, BUFFER_PREFETCHED) and len(payload) > 1:
            self.execute(payload[0], payload[1], depth + 1)
        elif code == LOAD:
            self.programs[payload[0] & 3] = payload[2:2 + (payload[1] & 0xFFFF)]
            self.loads.append((payload[0] & 3, payload[2:2 + (payload[1] & 0xFFFF)]))
        elif code == CONSTANT:
            kind, first = payload[0] >> 16, payload[0] & 0xFFFF
            for i, word in enumerate(payload[1:], first):
                if kind in SIZES and i < SIZES[kind]:
                    self.constants[kind][i] = word
        elif code in (DRAW, DRAW_BINNED) and len(payload) > 1:
            self.draws.append(Draw(self, payload[1] & 0x3F))
