/* SPDX-License-Identifier: MIT */
/* forms_a64.c - instruction forms of AArch64. X0 is the base register. X1 points to ordinary
 * memory. X5 is 8.
 *
 * Expected: the accesses in the Arm Architecture Reference Manual for A-profile (DDI 0487), C6.2
 * and C7.2: their sizes, and the order of the registers. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "forms.h"
#include "shim/vcio/decode_a64.h"

#define FORM(accesses, text)                                                      \
    __asm__(                                                                      \
        ".pushsection .rodata\n.balign 4\n1: " text "\n2:\n3: .asciz \"" accesses \
        "\"\n4: .asciz \"" text                                                   \
        "\"\n.popsection\n.pushsection trap_forms, \"aw\"\n.quad 1b, 2b, 4b, 3b\n.popsection\n")

__asm__(".arch armv8.4-a+sve\n");

/* Loads and stores of one register, with all sizes, extensions and addressing modes. */
FORM("r0", "ldr w2, [x0]");
FORM("r0 r4", "ldr x2, [x0]");
FORM("r8", "ldr w2, [x0, #8]");
FORM("r0", "ldrb w2, [x0, #3]");
FORM("r4", "ldrh w2, [x0, #6]");
FORM("r0", "ldrsb w2, [x0, #1]");
FORM("r0", "ldrsb x2, [x0, #2]");
FORM("r4", "ldrsh w2, [x0, #4]");
FORM("r4", "ldrsh x2, [x0, #6]");
FORM("r4", "ldrsw x2, [x0, #4]");
FORM("w0", "str w2, [x0]");
FORM("w0 w4", "str x2, [x0]");
FORM("w8", "str wzr, [x0, #8]");
FORM("w8 w12", "str xzr, [x0, #8]");
FORM("r0", "ldr wzr, [x0]");
FORM("r0 r4", "ldur w2, [x0, #2]");
FORM("r-8", "ldur w2, [x0, #-8]");
FORM("w-4", "stur w2, [x0, #-4]");
FORM("r0", "ldtr w2, [x0]");
FORM("r4", "ldr w2, [x0, #4]!");
FORM("r0", "ldr w2, [x0], #4");
FORM("w-16 w-12", "str x2, [x0, #-16]!");
FORM("w0 w4", "str w2, [x0], #4; str w3, [x0], #4");
FORM("r8", "ldr w2, [x0, x5]");
FORM("r32", "ldr w2, [x0, x5, lsl #2]");
FORM("r8", "ldr w2, [x0, w5, uxtw]");
FORM("r-8", "neg w6, w5; ldr w2, [x0, w6, sxtw]");
FORM("r-64 r-60", "neg x6, x5; ldr x2, [x0, x6, sxtx #3]");
FORM("w32", "str w2, [x0, w5, uxtw #2]");
FORM("r0", "ldr w0, [x0]");
FORM("", "prfm pldl1keep, [x0]");

/* Pairs of registers. */
FORM("r0 r4", "ldp w2, w3, [x0]");
FORM("r8 r12 r16 r20", "ldp x2, x3, [x0, #8]");
FORM("r0 r4", "ldpsw x2, x3, [x0]");
FORM("w0 w4 w8 w12", "stp x2, xzr, [x0], #16");
FORM("w-8 w-4", "stp w2, w3, [x0, #-8]!");
FORM("r0 r4", "ldnp w2, w3, [x0]");
FORM("r0 r4 r8 r12 r16 r20 r24 r28", "ldp q2, q3, [x0]");
FORM("w0 w4 w8 w12", "stp d2, d3, [x0]");
FORM("r0 r4", "ldp s2, s3, [x0]");

/* Ordered and atomic accesses. */
FORM("r0", "ldar w2, [x0]");
FORM("r4", "add x0, x0, #4; ldapr w2, [x0]");
FORM("w0 w4", "stlr x2, [x0]");
FORM("r4", "ldapur w2, [x0, #4]");
FORM("w4", "stlur w2, [x0, #4]");
FORM("r0 w0", "ldadd w2, w3, [x0]");
FORM("r0 r4 w0 w4", "ldclral x2, x3, [x0]");
FORM("r0 w0", "ldeor w2, w3, [x0]");
FORM("r0 w0", "stset w2, [x0]");
FORM("r0 w0", "ldsmax w2, w3, [x0]");
FORM("r0 r4 w0 w4", "ldsmin x2, x3, [x0]");
FORM("r0 w0", "ldumax w2, w3, [x0]");
FORM("r0 w0", "ldumin w2, w3, [x0]");
FORM("r0 w0", "swp w2, w3, [x0]");
FORM("r0", "cas w2, w3, [x0]");
FORM("r0 w0", "ldr w2, [x1]; mov w4, w2; swp w4, w3, [x1]; str w2, [x1]; ldr w6, [x1]; cas w6, w7, "
              "[x1]; swpal w7, w8, [x0]");
FORM("r0 r0 w0", "ldr w2, [x0]; casal w2, w3, [x0]");
FORM("r0 r4 r8 r12 r0 r4 r8 r12 w0 w4 w8 w12", "ldp x2, x3, [x0]; casp x2, x3, x4, x5, [x0]");

/* Vector registers. */
FORM("r0", "ldr s2, [x0]");
FORM("r0 r4", "ldr d2, [x0]");
FORM("r0 r4 r8 r12", "ldr q2, [x0]");
FORM("r0", "ldr b2, [x0, #1]");
FORM("r0", "ldr h2, [x0, #2]");
FORM("w16 w20 w24 w28", "str q2, [x0, #16]");
FORM("w4", "str s2, [x0, #4]!");
FORM("r0 r4 r8 r12", "ldur q2, [x0]");
FORM("r0 r4 r8 r12", "ld1 {v2.4s}, [x0]");
FORM("r0 r4", "ld1 {v2.2s}, [x0], #8");
FORM("r0 r4 r8 r12 r16 r20 r24 r28", "ld1 {v2.4s, v3.4s}, [x0], x5");
FORM("w0 w4 w8 w12 w16 w20 w24 w28", "st1 {v31.4s, v0.4s}, [x0]");
FORM("r0 r4 r8 r12 r16 r20 r24 r28", "ld2 {v2.4s, v3.4s}, [x0]");
FORM("r0 r4 r8 r12 r16 r20", "ld3 {v2.2s, v3.2s, v4.2s}, [x0]");
FORM("w0 w4 w8 w12 w16 w20 w24 w28 w32 w36 w40 w44 w48 w52 w56 w60",
     "st4 {v2.4s, v3.4s, v4.4s, v5.4s}, [x0]");
FORM("r0 r4 r8 r12", "ld2 {v2.8b, v3.8b}, [x0]");
FORM("r0", "ld1 {v2.s}[3], [x0]");
FORM("r0 r4", "ld1 {v2.d}[1], [x0], #8");
FORM("w0", "st1 {v2.s}[2], [x0]");
FORM("r0 r4", "ld2 {v2.s, v3.s}[1], [x0]");
FORM("r0", "ld1r {v2.4s}, [x0]");
FORM("r0 r4", "ld2r {v2.2s, v3.2s}, [x0]");
FORM("r0", "ld1r {v2.16b}, [x0]");

/* SVE vectors. A predicate selects the elements. */
FORM("r0 r4", "ptrue p1.s, vl2; ld1w {z2.s}, p1/z, [x0]");
FORM("w0 w4 w8", "ptrue p1.s, vl3; st1w {z2.s}, p1, [x0]");
FORM("r8 r12 w16 w20",
     "ptrue p1.b, vl8; ld1b {z2.b}, p1/z, [x0, x5]; add x0, x0, #16; st1b {z2.b}, p1, [x0]");
FORM("r0 r4", "ptrue p1.d, vl1; ld1d {z2.d}, p1/z, [x0]");
FORM("r0 r8", "index z1.s, #0, #1; ptrue p1.s, vl4; and z1.s, z1.s, #1; cmpeq p2.s, p1/z, z1.s, "
              "#0; ld1w {z2.s}, p2/z, [x0]");
FORM("", "pfalse p1.b; ld1w {z2.s}, p1/z, [x0]");

/* ------------------------------------------------------------------ running them */

static struct {
    uint64_t x[16], nzcv, unused;
    uint8_t v[32][16];
} state;

static uint32_t *page;

enum { WORDS = 64, RETURN = (int)0xd65f03c0, NUMBER_INDEX = 5 };

/* Loads X0 to X15, the flags and the vector registers from `state`, calls `code`, and stores the
 * registers in `state`. */
void forms_enter(void *state, const void *code);

__asm__(".text\n"
        ".type forms_enter, %function\n"
        "forms_enter:\n"
        "    stp x29, x30, [sp, #-112]!\n"
        "    str x0, [sp, #16]\n"
        "    stp d8, d9, [sp, #32]\n"
        "    stp d10, d11, [sp, #48]\n"
        "    stp d12, d13, [sp, #64]\n"
        "    stp d14, d15, [sp, #80]\n"
        "    mov x16, x1\n"
        "    mov x17, x0\n"
        "    ldr x2, [x17, #128]\n"
        "    msr nzcv, x2\n"
        "    .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30\n"
        "    ldr q\\n, [x17, #144 + 16 * \\n]\n"
        "    .endr\n"
        "    .irp n, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31\n"
        "    ldr q\\n, [x17, #144 + 16 * \\n]\n"
        "    .endr\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    ldr x\\n, [x17, #8 * \\n]\n"
        "    .endr\n"
        "    blr x16\n"
        "    ldr x17, [sp, #16]\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    str x\\n, [x17, #8 * \\n]\n"
        "    .endr\n"
        "    mrs x2, nzcv\n"
        "    str x2, [x17, #128]\n"
        "    .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30\n"
        "    str q\\n, [x17, #144 + 16 * \\n]\n"
        "    .endr\n"
        "    .irp n, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31\n"
        "    str q\\n, [x17, #144 + 16 * \\n]\n"
        "    .endr\n"
        "    ldp d8, d9, [sp, #32]\n"
        "    ldp d10, d11, [sp, #48]\n"
        "    ldp d12, d13, [sp, #64]\n"
        "    ldp d14, d15, [sp, #80]\n"
        "    ldp x29, x30, [sp], #112\n"
        "    ret\n"
        ".size forms_enter, . - forms_enter\n");

static uint64_t mix(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 29;
}

void forms_prepare(uint64_t seed, uintptr_t base, uintptr_t memory)
{
    if (!page)
        page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0);
    if (page == MAP_FAILED)
        abort();
    for (int i = 0; i < 16; i++)
        state.x[i] = mix(&seed);
    for (int i = 0; i < 32 * 16; i++)
        state.v[i / 16][i % 16] = (uint8_t)(mix(&seed) >> 20);
    state.nzcv = mix(&seed) & 0xf0000000;
    state.x[0] = base;
    state.x[1] = memory;
    state.x[NUMBER_INDEX] = 8;
}

bool forms_call(const uint8_t *code, size_t size)
{
    static const uint32_t back = (uint32_t)RETURN;

    memcpy(page, code, size);
    memcpy((uint8_t *)page + size, &back, sizeof back);
    __builtin___clear_cache((char *)page, (char *)page + size + sizeof back);
    forms_enter(&state, page);
    return true;
}

const void *forms_state(size_t *size)
{
    *size = sizeof state;
    return &state;
}

/* ------------------------------------------------------------------ random ones */

/* The classes of decode_a64.c, from C4.1 of the manual. `value` are the fixed bits. `random` are
 * the bits that may have any value. */
static const struct {
    uint32_t value, random;
} classes[] = {
    {0x08200000, 0x40408000}, /* CASP */
    {0x08800000, 0xc0408000}, /* ordered */
    {0x28000000, 0xc5ff8000}, /* pairs */
    {0x39000000, 0xc4c03c00}, /* unsigned offsets */
    {0x38000000, 0xc4dffc00}, /* signed offsets */
    {0x38200800, 0xc4c0f000}, /* register offsets */
    {0x38200000, 0xc0c0f000}, /* atomic operations */
    {0x19000000, 0xc0dff000}, /* ordered, unscaled */
    {0x0c000000, 0x40c0fc00}, /* structures */
    {0x0d000000, 0x40e0fc00}, /* one structure */
};

/* Encodings from C6.2 of the Arm Architecture Reference Manual. */
const char *forms_accepted(void)
{
    static const struct {
        uint32_t word;
        const char *text;
    } forms[] = {
        {0x885f7c01, "ldxr w1, [x0]"},
        {0x88017c02, "stxr w1, w2, [x0]"},
        {0xf8200401, "ldraa x1, [x0]"},
        {0xd503201f, "nop"},
    };
    struct a64_instruction instruction;

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!a64_decode(forms[i].word, &instruction))
            return forms[i].text;
    return NULL;
}

static uint32_t some(uint64_t (*random)(void))
{
    return 6 + (uint32_t)(random() % 8);
}

size_t forms_random(uint64_t (*random)(void), uint8_t code[16], bool *whole)
{
    struct a64_instruction instruction;
    size_t class = random() % (sizeof classes / sizeof *classes);
    uint32_t word = classes[class].value | (classes[class].random & (uint32_t)random());

    word |= some(random); /* Rt is random, Rn is X0 */
    if (class < 2)
        word |= 31 << 10 | some(random) << 16;
    if (class == 0) /* the number of a pair's first register must be even */
        word &= ~UINT32_C(0x00010001);
    if (class == 2) /* Rt2 must differ from Rt */
        word = (word & ~UINT32_C(0x7c00)) | (2 + (uint32_t)(random() % 4)) << 10;
    if (class == 5 || (class >= 8 && word >> 23 & 1))
        word |= random() % 2 && class != 5 ? 31 << 16 : NUMBER_INDEX << 16;
    if (class == 6)
        word |= some(random) << 16;
    if (a64_decode(word, &instruction) || instruction.kind == A64_NOTHING)
        return 0;
    *whole = instruction.size % 4 == 0 && instruction.offset % 4 == 0;
    memcpy(code, &word, sizeof word);
    return sizeof word;
}

/* A sequence is one instruction, because each fault executes one. */
size_t forms_sequence(uint64_t (*random)(void), uint8_t code[FORMS_SEQUENCE])
{
    bool whole = false;
    size_t size = 0;

    while (!size || !whole)
        size = forms_random(random, code, &whole);
    return size;
}
