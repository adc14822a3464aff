/* SPDX-License-Identifier: MIT */
/* qpu_isa.c - the QPU instruction word: decode, encode, immediates and register names.
 *
 * In:       a 64-bit word, or its fields.
 * Out:      the fields, or the word; register names in the vc4asm dialect.
 * Source:   VideoCore IV 3D Architecture Reference Guide, section 3, figures 4 to 8 and tables 1 to
 *           14; register names and the double use of rotation codes: vc4asm, doc/expressions.html
 *           and doc/VideoCoreIV-addendum.html.
 * Differs:  see docs/isa/qpu.md. */
#include "isa/qpu/qpu_isa.h"

#include "base/bits.h"

/* Asserts that the fields of each form cover every bit exactly once. */
#define MASK(high, low) ((~UINT64_C(0) >> (63 - ((high) - (low)))) << (low))
enum {
#define FIELD(name, high, low, forms) +(((forms)&QPU_IN_ALU) ? (high) - (low) + 1 : 0)
    ALU_BITS = 0
#include "isa/qpu/fields.def"
    ,
#define FIELD(name, high, low, forms) +(((forms)&QPU_IN_LOAD) ? (high) - (low) + 1 : 0)
    LOAD_BITS = 0
#include "isa/qpu/fields.def"
    ,
#define FIELD(name, high, low, forms) +(((forms)&QPU_IN_BRANCH) ? (high) - (low) + 1 : 0)
    BRANCH_BITS = 0
#include "isa/qpu/fields.def"
};
_Static_assert(ALU_BITS == 64 && LOAD_BITS == 64 && BRANCH_BITS == 64, "a field overlaps or lacks");
#define FIELD(name, high, low, forms) | (((forms)&QPU_IN_ALU) ? MASK(high, low) : 0)
_Static_assert((0
#include "isa/qpu/fields.def"
                ) == ~UINT64_C(0),
               "an ALU bit belongs to no field");
#define FIELD(name, high, low, forms) | (((forms)&QPU_IN_LOAD) ? MASK(high, low) : 0)
_Static_assert((0
#include "isa/qpu/fields.def"
                ) == ~UINT64_C(0),
               "a load bit belongs to no field");
#define FIELD(name, high, low, forms) | (((forms)&QPU_IN_BRANCH) ? MASK(high, low) : 0)
_Static_assert((0
#include "isa/qpu/fields.def"
                ) == ~UINT64_C(0),
               "a branch bit belongs to no field");

static const enum qpu_form load_forms[8] = {
    QPU_FORM_LOAD_32,   QPU_FORM_LOAD_SIGNED,   QPU_FORM_LOAD_RESERVED, QPU_FORM_LOAD_UNSIGNED,
    QPU_FORM_SEMAPHORE, QPU_FORM_LOAD_RESERVED, QPU_FORM_LOAD_RESERVED, QPU_FORM_LOAD_RESERVED,
};

static enum qpu_form form_of(uint64_t word)
{
    switch (bits_get(word, 63, 60)) {
    case QPU_SIG_SMALL_IMMEDIATE: return QPU_FORM_ALU_IMMEDIATE;
    case QPU_SIG_LOAD_IMMEDIATE: return load_forms[bits_get(word, 59, 57)];
    case QPU_SIG_BRANCH: return QPU_FORM_BRANCH;
    }
    return QPU_FORM_ALU;
}

unsigned qpu_layout(enum qpu_form form)
{
    switch (form) {
    case QPU_FORM_ALU:
    case QPU_FORM_ALU_IMMEDIATE: return QPU_IN_ALU;
    case QPU_FORM_BRANCH: return QPU_IN_BRANCH;
    default: return QPU_IN_LOAD;
    }
}

struct qpu_insn qpu_decode(uint64_t word)
{
    struct qpu_insn insn = {.form = form_of(word)};
    unsigned layout = qpu_layout(insn.form);
#define FIELD(name, high, low, forms) \
    if (layout & (forms))             \
        insn.name = (__typeof__(insn.name))bits_get(word, high, low);
#include "isa/qpu/fields.def"
    return insn;
}

uint64_t qpu_encode(const struct qpu_insn *insn)
{
    uint64_t word = 0;
    unsigned layout = qpu_layout(insn->form);
#define FIELD(name, high, low, forms) \
    if (layout & (forms))             \
        word = bits_set(word, high, low, insn->name);
#include "isa/qpu/fields.def"
    return word;
}

/* Manual table 5. The floats are powers of two: 1.0 to 128.0, then 1/256 to 1/2. */
uint32_t qpu_small_immediate(unsigned field)
{
    field &= 63;
    if (field < 16)
        return field;
    if (field < 32)
        return field - 32;
    if (field < 40)
        return (127 + field - 32) << 23;
    if (field < 48)
        return (127 + field - 48) << 23;
    return field - 64;
}

uint32_t qpu_element_immediate(const struct qpu_insn *insn, unsigned element)
{
    element &= 15;
    uint32_t low = insn->immediate >> element & 1;
    uint32_t high = insn->immediate >> (16 + element) & 1;
    return insn->form == QPU_FORM_LOAD_SIGNED ? low - 2 * high : low + 2 * high;
}

/* Sets of add opcodes, built from ops.def. Bit n of the first set is 1 if opcode n takes floats.
 * Bit n + 1 of the second set is 1 if the result of opcode n is a float. */
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) \
    | ((uint32_t)((is_float)&1) << (code))
static const uint32_t add_takes_floats = 0
#include "isa/qpu/ops.def"
    ;
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) \
    | ((uint32_t)((is_float)&2) << (code))
static const uint32_t add_gives_floats_doubled = 0
#include "isa/qpu/ops.def"
    ;

bool qpu_mul_pack_defined(unsigned pack)
{
    return pack == 0 || (pack & 7) >= 3;
}

/* Returns the bytes of a pack or unpack mode of file A: 1 and 2 are halves, 4 to 7 bytes. Bit 3
 * selects saturation. */
static unsigned bytes_of(unsigned mode)
{
    static const uint8_t bytes[8] = {QPU_ALL_BYTES, 3, 12, QPU_ALL_BYTES, 1, 2, 4, 8};
    return bytes[mode & 7];
}

unsigned qpu_bytes_written(const struct qpu_insn *insn, bool from_mul, bool file_a)
{
    bool packs = insn->form != QPU_FORM_BRANCH && (insn->pm ? from_mul : file_a);
    return packs ? bytes_of(insn->pack) : QPU_ALL_BYTES;
}

unsigned qpu_bytes_read(const struct qpu_insn *insn)
{
    if (qpu_layout(insn->form) != QPU_IN_ALU || insn->pm)
        return QPU_ALL_BYTES;
    return insn->unpack == 3 ? 8 : bytes_of(insn->unpack);
}

bool qpu_add_float_in(unsigned op)
{
    return add_takes_floats >> (op & 31) & 1;
}

bool qpu_add_float_out(unsigned op)
{
    return add_gives_floats_doubled >> 1 >> (op & 31) & 1;
}

static const char *const file_names[2][32] = {
    {"ra0",  "ra1",  "ra2",  "ra3",  "ra4",  "ra5",  "ra6",  "ra7",  "ra8",  "ra9",  "ra10",
     "ra11", "ra12", "ra13", "ra14", "ra15", "ra16", "ra17", "ra18", "ra19", "ra20", "ra21",
     "ra22", "ra23", "ra24", "ra25", "ra26", "ra27", "ra28", "ra29", "ra30", "ra31"},
    {"rb0",  "rb1",  "rb2",  "rb3",  "rb4",  "rb5",  "rb6",  "rb7",  "rb8",  "rb9",  "rb10",
     "rb11", "rb12", "rb13", "rb14", "rb15", "rb16", "rb17", "rb18", "rb19", "rb20", "rb21",
     "rb22", "rb23", "rb24", "rb25", "rb26", "rb27", "rb28", "rb29", "rb30", "rb31"},
};

/* Names of table 14 for addresses from 32 on, in each file. A read of address 39 reads no register.
 * The name of address 39 is ra39 or rb39. */
static const char *const read_names[2][32] = {
    {[0] = "unif",
     [3] = "vary",
     [6] = "elem_num",
     [7] = "ra39",
     [9] = "x_coord",
     [10] = "ms_mask",
     [16] = "vpm",
     [17] = "vr_busy",
     [18] = "vr_wait",
     [19] = "mutex_acq"},
    {[0] = "unif",
     [3] = "vary",
     [6] = "qpu_num",
     [7] = "rb39",
     [9] = "y_coord",
     [10] = "rev_flag",
     [16] = "vpm",
     [17] = "vw_busy",
     [18] = "vw_wait",
     [19] = "mutex_acq"},
};

#define WRITE_NAMES(r5, uniform_address, quad, flags, setup, address)                            \
    {                                                                                            \
        "r0", "r1", "r2", "r3", "tmurs", (r5), "irq", "-", (uniform_address), (quad), (flags),   \
            "stencil", "tlbz", "tlbm", "tlbc", "tlbam", "vpm", (setup), (address), "mutex_rel",  \
            "recip", "recipsqrt", "exp", "log", "t0s", "t0t", "t0r", "t0b", "t1s", "t1t", "t1r", \
            "t1b"                                                                                \
    }
static const char *const write_names[2][32] = {
    WRITE_NAMES("r5quad", "unif_addr", "x_coord", "ms_mask", "vr_setup", "vr_addr"),
    WRITE_NAMES("r5rep", "unif_addr_rel", "y_coord", "rev_flag", "vw_setup", "vw_addr"),
};

const char *const qpu_accumulator_names[6] = {"r0", "r1", "r2", "r3", "r4", "r5"};

static const char *name_in(const char *const io_names[2][32], char file, unsigned address)
{
    unsigned row = file == 'b';
    if (address > 63)
        return NULL;
    return address < 32 ? file_names[row][address] : io_names[row][address - 32];
}

const char *qpu_read_name(char file, unsigned address)
{
    return name_in(read_names, file, address);
}

const char *qpu_write_name(char file, unsigned address)
{
    return name_in(write_names, file, address);
}
