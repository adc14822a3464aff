#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs small kernels that use memory wrongly and rightly with tessera pi --sanitize. Usage: pi_memory.py TESSERA. The wrong
sides of the examples in C of "tessera help" raise their finding, the right sides none. The kernels are compiled by Debian's
arm-none-eabi-gcc; without it, the test is skipped."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

TESSERA = sys.argv[1]
GCC, GCC_64 = shutil.which("arm-none-eabi-gcc"), shutil.which("aarch64-linux-gnu-gcc")
SKIPPED = 77
IDS = ("pi-stale-cache", "pi-missing-barrier", "pi-uninitialised-memory", "pi-no-code", "pi-unaligned",
       "pi-exception-loop")

# Start code, and the functions of the examples. Sections of 1 MiB: ARM Architecture Reference Manual ARMv7-A, B3.5.1.
FRAME = """\
#define REG(a) (*(volatile unsigned *)(BASE + (a)))
#define OPERATION(name, m, opc2) \\
    static void name(const volatile void *from, unsigned size) \\
    { \\
        for (unsigned at = (unsigned)from & ~31u; at < (unsigned)from + size; at += 32) \\
            asm volatile("mcr p15, 0, %0, c7, " m ", " opc2 :: "r"(at) : "memory"); \\
    }
OPERATION(clean, "c10", "1")
OPERATION(invalidate, "c6", "1")
OPERATION(clean_to_other_cores, "c11", "1")

enum { ORDERED = 0xc02, DEVICE = 0xc06, UNCACHED = 0x1c02, WRITTEN_THROUGH = 0xc0a, CACHED = 0x1c0e };

static unsigned table[4096] __attribute__((aligned(16384)));

__attribute__((noinline)) void barrier(void)
{
    asm volatile("mcr p15, 0, %0, c7, c10, 4" :: "r"(0) : "memory");
}

static void translate(unsigned ram, unsigned devices)
{
    unsigned control;
    for (unsigned i = 0; i < 4096; i++)
        table[i] = i << 20 | (i >= BASE >> 20 ? devices : ram);
    asm volatile("mcr p15, 0, %0, c2, c0, 0" :: "r"(table));
    asm volatile("mcr p15, 0, %0, c2, c0, 2" :: "r"(0));
    asm volatile("mcr p15, 0, %0, c3, c0, 0" :: "r"(1));
    asm volatile("mcr p15, 0, %0, c8, c7, 0" :: "r"(0));
    asm volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(control));
    asm volatile("mcr p15, 0, %0, c1, c0, 0" :: "r"(control | 0x800005) : "memory");
}

static void send(volatile unsigned *buffer)
{
    while (REG(0xb898) & 0x80000000)
        ;
    REG(0xb8a0) = (unsigned)buffer | 0x40000008;
    while (REG(0xb898) & 0x40000000)
        ;
    (void)REG(0xb880);
}

__attribute__((noinline)) static void start_list(const volatile void *list, unsigned size)
{
    REG(0xc00110) = (unsigned)list;
    REG(0xc00108) = (unsigned)list + size; // starts
    while (REG(0xc00100) & 0x20)
        ;
}

static void copy(volatile unsigned *block)
{
    REG(0x7004) = (unsigned)block | 0x40000000;
    REG(0x7000) = 1;
    while (REG(0x7000) & 1)
        ;
}

static unsigned on[8] __attribute__((aligned(64))) = {32, 0, 0x30012, 4, 4, 1, 0, 0};

void main(void);
void *memset(void *to, int value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        ((volatile char *)to)[i] = value;
    return to;
}

// The firmware starts the cores of a Pi 2 in Hyp mode. The kernels translate addresses in SVC mode.
#if __ARM_ARCH >= 7
#define LEAVE_HYP \\
    ".arch_extension virt\\n mrs r0, cpsr\\n and r1, r0, #0x1f\\n cmp r1, #0x1a\\n bne 2f\\n bic r0, r0, #0x1f\\n" \\
    "orr r0, r0, #0x13\\n msr spsr_hyp, r0\\n adr r1, 2f\\n msr elr_hyp, r1\\n eret\\n 2: "
#else
#define LEAVE_HYP ""
#endif

__attribute__((naked)) void _start(void)
{
    asm(LEAVE_HYP "mov sp, #0x8000\\n bl begin\\n 1: b 1b");
}

__attribute__((used)) static void begin(void)
{
    send(on);
    main();
}

"""

# The main functions of kernels: (name, finding or None, source).
KERNELS = [
    # Memory that the data cache does not keep needs no cleaning.
    ("written through", None, """\
        static unsigned char list[64] __attribute__((aligned(64)));
        translate(WRITTEN_THROUGH, DEVICE);
        list[0] = 1;
        list[1] = 0;
        barrier();
        start_list(list, 2);"""),
    # The other bytes of a line that the ARM has changed are old in memory, too, but equal.
    ("constant", None, """\
        static struct { unsigned char list[4]; volatile int other; } line __attribute__((aligned(64))) = {{1, 0}, 1};
        translate(CACHED, DEVICE);
        line.other = 2;
        barrier();
        start_list(line.list, 2);"""),
    # Cleaning by address comes before the barrier that completes it.
    ("clean after barrier", "pi-missing-barrier", """\
        static volatile unsigned char list[64] __attribute__((aligned(64)));
        translate(CACHED, DEVICE);
        list[0] = 1;
        list[1] = 0;
        barrier();
        clean(list, sizeof list);
        start_list(list, 2);"""),
    ("invalidated before", None, """\
        static unsigned ask[8] __attribute__((aligned(64))) = {32, 0, 0x10005, 8, 0, 0, 0, 0};
        translate(CACHED, DEVICE);
        send(ask);
        invalidate(ask, sizeof ask);
        REG(0x201000 + 0x30) = ask[6];"""),
    # The firmware's answer is in memory, the ARM's copy of the buffer in its cache.
    ("old answer", "pi-stale-cache", """\
        static volatile unsigned ask[8] __attribute__((aligned(64)));
        translate(CACHED, DEVICE);
        ask[0] = 32, ask[1] = 0, ask[2] = 0x10005, ask[3] = 8, ask[4] = 0, ask[7] = 0;
        clean(ask, sizeof ask);
        barrier();
        send(ask);
        (void)ask[6];"""),
    ("new answer", None, """\
        static volatile unsigned ask[8] __attribute__((aligned(64)));
        translate(CACHED, DEVICE);
        ask[0] = 32, ask[1] = 0, ask[2] = 0x10005, ask[3] = 8, ask[4] = 0, ask[7] = 0;
        clean(ask, sizeof ask);
        barrier();
        send(ask);
        invalidate(ask, sizeof ask);
        (void)ask[6];"""),
    ("request in the cache", "pi-stale-cache", """\
        static volatile unsigned ask[8] __attribute__((aligned(64)));
        translate(CACHED, DEVICE);
        ask[0] = 32, ask[1] = 0, ask[2] = 0x10005, ask[3] = 8, ask[4] = 0, ask[7] = 0;
        barrier();
        send(ask);"""),
    # A DMA channel copies a word: the source is in the cache.
    ("copied", "pi-stale-cache", """\
        static volatile unsigned block[8] __attribute__((aligned(64))), from[16] __attribute__((aligned(64))),
            to[16] __attribute__((aligned(64)));
        block[0] = 0x330, block[1] = (unsigned)from, block[2] = (unsigned)to, block[3] = 4, block[4] = 0, block[5] = 0;
        translate(CACHED, DEVICE);
        from[0] = 1;
        barrier();
        copy(block);"""),
    ("copied rightly", None, """\
        static volatile unsigned block[8] __attribute__((aligned(64))), from[16] __attribute__((aligned(64))),
            to[16] __attribute__((aligned(64)));
        block[0] = 0x330, block[1] = (unsigned)from, block[2] = (unsigned)to, block[3] = 4, block[4] = 0, block[5] = 0;
        translate(CACHED, DEVICE);
        from[0] = 1;
        clean(from, 4);
        barrier();
        copy(block);
        (void)to[0];"""),
    # The changed line of the target is written back some time after the copy.
    ("copied over", "pi-stale-cache", """\
        static volatile unsigned block[8] __attribute__((aligned(64))), from[16] __attribute__((aligned(64))),
            to[16] __attribute__((aligned(64)));
        block[0] = 0x330, block[1] = (unsigned)from, block[2] = (unsigned)to, block[3] = 4, block[4] = 0, block[5] = 0;
        translate(CACHED, DEVICE);
        to[3] = 1;
        barrier();
        copy(block);"""),
    # The order of translation off: strongly ordered.
    ("no translation", None, """\
        static volatile unsigned char list[64];
        list[0] = 1;
        list[1] = 0;
        start_list(list, 2);"""),
]

# Cleaning that does not reach memory, on cores with two levels of cache.
SECOND_LEVEL = """\
static volatile unsigned char list[64] __attribute__((aligned(64)));
translate(CACHED, DEVICE);
list[0] = 1;
list[1] = 0;
clean_to_other_cores(list, 2);
barrier();
start_list(list, 2);"""

# A kernel of 64 bits for a Pi 3, in EL2: blocks of 2 MiB (ARM Architecture Reference Manual ARMv8-A, D4.3), the first 1008 MiB
# as KIND (0: cached, 1: not cached), the peripherals as device memory (2).
FRAME_64 = """\
#define REG(a) (*(volatile unsigned *)(0x3f000000ul + (a)))
static unsigned long top[512] __attribute__((aligned(4096))), blocks[512] __attribute__((aligned(4096)));
static volatile unsigned on[8] __attribute__((aligned(64))) = {32, 0, 0x30012, 4, 4, 1, 0, 0};
static volatile unsigned char list[64] __attribute__((aligned(64)));

static void translate(unsigned long kind)
{
    for (unsigned long i = 0; i < 512; i++)
        blocks[i] = i << 21 | (i < 504 ? kind : 2) << 2 | 0x701;
    top[0] = (unsigned long)blocks | 3;
    asm volatile("msr mair_el2, %0" :: "r"(0x0444fful));
    asm volatile("msr tcr_el2, %0" :: "r"(0x80803519ul));
    asm volatile("msr ttbr0_el2, %0" :: "r"(top));
    asm volatile("isb\\n mrs x0, sctlr_el2\\n orr x0, x0, #1\\n orr x0, x0, #4\\n msr sctlr_el2, x0\\n isb" ::: "x0", "memory");
}

static void send(volatile unsigned *buffer)
{
    REG(0xb8a0) = (unsigned)(unsigned long)buffer | 8;
    while (REG(0xb898) & 0x40000000)
        ;
    (void)REG(0xb880);
}

static void start_list(void)
{
    REG(0xc00110) = (unsigned)(unsigned long)list;
    REG(0xc00108) = (unsigned)(unsigned long)list + 2;
    while (REG(0xc00100) & 0x20)
        ;
}

__attribute__((noinline)) void write_list(void)
{
    list[0] = 1;
    list[1] = 0;
}

void kernel(void)
{
    send(on);
    BODY
    start_list();
}

asm(".global _start\\n _start: mov x0, #0x80000\\n mov sp, x0\\n bl kernel\\n 1: b 1b");
"""

KERNELS_64 = [
    ("off", None, "write_list();"),
    ("dirty", "pi-stale-cache", 'translate(0); write_list(); asm volatile("dsb sy");'),
    ("zeroed", "pi-stale-cache", 'translate(0); asm volatile("dc zva, %0" :: "r"(list)); asm volatile("dsb sy");'),
    ("unified", "pi-stale-cache", 'translate(0); write_list(); asm volatile("dc cvau, %0\\n dsb sy" :: "r"(list));'),
    ("cleaned", None, 'translate(0); write_list(); asm volatile("dc cvac, %0\\n dsb sy" :: "r"(list));'),
    ("not completed", "pi-missing-barrier", 'translate(0); write_list(); asm volatile("dsb sy\\n dc cvac, %0" :: "r"(list));'),
    ("not ordered", "pi-missing-barrier", "translate(1); write_list();"),
    ("ordered", None, 'translate(1); write_list(); asm volatile("dmb sy");'),
    ("unaligned", "pi-unaligned", "write_list(); *(volatile unsigned *)(list + 33) = 1;"),
    ("unaligned, translated", None, 'translate(1); write_list(); *(volatile unsigned *)(list + 33) = 1; asm volatile("dsb sy");'),
]

# A wrong record, to find its writer.
WRITTEN = """\
static volatile unsigned char list[64];
list[0] = 1;
list[1] = 0x55; // writes
start_list(list, 2);"""

BOARDS = {"zero": ("0x20000000", "arm1176jzf-s"), "pi2": ("0x3f000000", "cortex-a7"), "pi3": ("0x3f000000", "cortex-a7")}
TWO = "zero", "pi2"


def run(folder, board, body, *options):
    """Returns the output of a run, and the source."""
    base, cpu = BOARDS[board]
    text = FRAME + "void main(void)\n{\n" + textwrap.indent(textwrap.dedent(body), "    ") + "\n}\n"
    source, kernel = folder / "kernel.c", folder / "kernel.elf"
    source.write_text(text)
    subprocess.run([GCC, "-O1", "-g", f"-mcpu={cpu}", "-marm", "-nostdlib", "-ffreestanding", "-Wno-unused-function",
                    f"-DBASE={base}", "-Wl,-Ttext=0x8000,-e_start", "-o", str(kernel), str(source)], check=True, timeout=120)
    done = subprocess.run([TESSERA, "pi", "--board", board, "--until", "time:0.2", *options, str(kernel)], capture_output=True,
                          text=True, timeout=120)
    if "libtessera-arm.so is missing" in done.stderr:
        print("the engine of ARM cores is not built")
        sys.exit(SKIPPED)
    return done.stderr, text


def run_64(folder, body):
    source, kernel = folder / "kernel64.c", folder / "kernel64.elf"
    source.write_text(FRAME_64.replace("BODY", body))
    subprocess.run([GCC_64, "-O1", "-g", "-mcpu=cortex-a53", "-mgeneral-regs-only", "-nostdlib", "-ffreestanding", "-static",
                    "-fno-pic", "-no-pie", "-Wl,--build-id=none,-Ttext=0x80000,-e_start", "-o", str(kernel), str(source)], check=True,
                   timeout=120)
    return subprocess.run([TESSERA, "pi", "--board", "pi3", "--sanitize", "--until", "time:0.2", str(kernel)], capture_output=True,
                          text=True, timeout=120).stderr


def check_64(folder):
    for name, finding, body in KERNELS_64:
        output = run_64(folder, body)
        check_found(output, finding, f"64 bits, {name}")
        if name == "dirty":
            assert re.search(r"^note: written by write_list\+0x[0-9a-f]+ \(kernel64\.c:", output, re.M), output


def check_found(text, finding, what):
    found = set(re.findall(r"^(?:error|warning): .*\[([a-z0-9-]+)\]$", text, re.M))
    assert found == ({finding} if finding else set()), f"{what}: expected {finding}, found {found}:\n{text}"


def explanation(ident):
    done = subprocess.run([TESSERA, "run", "--explain", ident, "--json"], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def check_examples(folder):
    for ident in IDS:
        sides = explanation(ident)
        for board in TWO:
            if ident == "pi-unaligned" and board == "zero":
                continue  # the finding about memory concerns later cores
            check_found(run(folder, board, sides["wrong"], "--sanitize")[0], ident, f"wrong {board}")
            check_found(run(folder, board, sides["right"], "--sanitize")[0], None, f"right {ident} {board}")


def check_kernels(folder):
    for name, finding, body in KERNELS:
        for board in TWO:
            check_found(run(folder, board, body, "--sanitize")[0], finding, f"{name}, {board}")
    check_found(run(folder, "zero", KERNELS[2][2])[0], None, "without --sanitize")
    check_found(run(folder, "pi2", SECOND_LEVEL, "--sanitize")[0], "pi-stale-cache", "second level")


def line_of(text, comment):
    return next(number for number, line in enumerate(text.splitlines(), 1) if comment in line)


def check_places(folder):
    for board in BOARDS:
        output, text = run(folder, board, WRITTEN, "--sanitize")
        for note in (rf"^note: started by start_list\+0x[0-9a-f]+ \(kernel\.c:{line_of(text, '// starts')}\)",
                     rf"^note: written by main\+0x[0-9a-f]+ \(kernel\.c:{line_of(text, '// writes')}\)"):
            assert re.search(note, output, re.M), f"{board}: {note!r} is not in:\n{output}"
    output, text = run(folder, "pi2", explanation("pi-no-code")["wrong"])
    assert re.search(r"^note: branched to by main\+0x", output, re.M), output
    assert output.count("error: ") == 1, output


def main():
    if not GCC:
        print("without arm-none-eabi-gcc")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_examples(folder)
        check_kernels(folder)
        check_places(folder)
        if GCC_64:
            check_64(folder)


main()
