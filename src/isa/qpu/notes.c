/* SPDX-License-Identifier: MIT */
/* notes.c - describes an instruction's effects besides arithmetic: peripherals,
 * signals, delays, flags.
 *
 * In:       a decoded word and its address.
 * Out:      lines that begin with "- ".
 * Source:   manual, section 3 (tables 2, 4, 14; branches, thread control) and section 7 (VPM and
 *           DMA setup, tables 31 to 37). The wording follows the comments of the JayStation
 *           posts. */
#include "isa/qpu/print.h"
#include "isa/qpu/setup.h"
#include "isa/qpu/sides.h"

#define BOTH(text) \
    {              \
        text, text \
    }

/* Effects of reads from address 32 on, for register files A and B. */
static const char *const reads[20][2] = {
    [0] = BOTH("reads the next uniform"),
    [3] = BOTH("reads the next varying without its constant C, which is in r5 for the next "
               "instruction"),
    [6] = {"the element's number, 0 to 15", "the number of this QPU"},
    [9] = {"the pixel's x coordinate", "the pixel's y coordinate"},
    [10] = {"the multisample flags of the pixel", "1 if the primitive is back-facing"},
    [16] = BOTH("reads the next vector of the VPM read setup"),
    [17] = {"whether a DMA load is running", "whether a DMA store is running"},
    [18] = {"waits until the DMA load is done", "waits until the DMA store is done"},
    [19] = BOTH("waits for the mutex and acquires it"),
};

#define SFU(what) \
    BOTH("starts " what " in the SFU; the result is in r4 from the third instruction on")
#define TMU_S(number)                                                      \
    BOTH("writes S to TMU" number                                          \
         ", which fetches the next uniform as a parameter and starts the " \
         "lookup; without an earlier T, S is a memory address")
#define TMU(name, number) \
    BOTH("writes " name " to TMU" number ", which fetches the next uniform as a parameter")

/* Effects of writes from address 32 on, for register files A and B. */
static const char *const writes[32][2] = {
    [4] = BOTH("selects whether this QPU's TMU0 and TMU1 are swapped"),
    [5] = {"copies the first element of each quad to all elements of the quad in r5",
           "copies element 0 to all elements of r5"},
    [6] = BOTH("interrupts the host"),
    [8] = {"the uniforms continue at this address; the next two instructions must not read any",
           "moves the address of the uniforms; the next two instructions must not read any"},
    [9] = {"sets the x coordinate of the quad", "sets the y coordinate of the quad"},
    [10] = {"sets the multisample flags: samples without a flag are not written",
            "sets whether the primitive counts as back-facing"},
    [11] = BOTH("sets up the stencil test"),
    [12] = BOTH("writes the depth to the tile buffer for test and update"),
    [13] = BOTH("writes the colour of one sample to the tile buffer"),
    [14] = BOTH("writes the pixel's colour to the tile buffer"),
    [15] = BOTH("sets the alpha mask of the tile buffer"),
    [16] = BOTH("writes a vector to the VPM, at the address of the write setup"),
    [17] = {"sets up a read of the VPM, or a DMA load into it",
            "sets up writes of the VPM, or a DMA store of it"},
    [18] = {"starts the DMA load from this address in memory into the VPM",
            "starts the DMA store of the VPM to this address in memory"},
    [19] = BOTH("releases the mutex"),
    [20] = SFU("1 / x"),
    [21] = SFU("1 / sqrt(x)"),
    [22] = SFU("2 to the power of x"),
    [23] = SFU("the logarithm to base 2"),
    [24] = TMU_S("0"),
    [25] = TMU("T", "0"),
    [26] = TMU("R (the cube map's face coordinate, or a border colour)", "0"),
    [27] = TMU("B (bias of the level)", "0"),
    [28] = TMU_S("1"),
    [29] = TMU("T", "1"),
    [30] = TMU("R (the cube map's face coordinate, or a border colour)", "1"),
    [31] = TMU("B (bias of the level)", "1"),
};

static const char *const signals[16] = {
    [QPU_SIG_BREAKPOINT] = "stops the QPU for a debugger",
    [QPU_SIG_THREAD_SWITCH] =
        "the other thread runs after the next two instructions; when this one continues, "
        "accumulators and flags are lost",
    [QPU_SIG_PROGRAM_END] = "the program ends after the next two instructions",
    [QPU_SIG_SCOREBOARD_WAIT] = "waits until no other QPU is working on the same pixels",
    [QPU_SIG_SCOREBOARD_UNLOCK] = "other QPUs may continue with these pixels",
    [QPU_SIG_LAST_THREAD_SWITCH] =
        "the other thread runs after the next two instructions, for the last time; when "
        "this one continues, accumulators and flags are lost",
    [QPU_SIG_COVERAGE_LOAD] =
        "loads the coverage from the tile buffer into r4, for the next instruction",
    [QPU_SIG_COLOUR_LOAD] =
        "loads the colour from the tile buffer into r4, for the next instruction",
    [QPU_SIG_COLOUR_LOAD_END] =
        "loads the colour from the tile buffer into r4; the program ends after the next two "
        "instructions",
    [QPU_SIG_LOAD_TMU0] =
        "waits for the oldest result of TMU0, which is in r4 for the next instruction",
    [QPU_SIG_LOAD_TMU1] =
        "waits for the oldest result of TMU1, which is in r4 for the next instruction",
    [QPU_SIG_ALPHA_MASK_LOAD] =
        "loads the alpha mask from the tile buffer into r4, for the next instruction",
};

static void put_note(struct text *output, const char *name, const char *text)
{
    if (text)
        text_put(output, "- %s%s%s\n", name, *name ? ": " : "", text);
}

/* --- registers --- */

static void note_read(struct text *output, unsigned address, bool file_b)
{
    if (address >= 32 && address < 52)
        put_note(output, qpu_read_name(file_b ? 'b' : 'a', address), reads[address - 32][file_b]);
}

static void note_reads(struct text *output, const struct qpu_insn *insn)
{
    bool same = insn->raddr_a == insn->raddr_b;
    note_read(output, insn->raddr_a, false);
    if (insn->form == QPU_FORM_ALU && insn->raddr_a == QPU_RD_UNIFORM && same)
        put_note(output, "unif", "both files read the same uniform");
    else if (insn->form == QPU_FORM_ALU)
        note_read(output, insn->raddr_b, true);
}

static void note_write(struct text *output, const struct qpu_insn *insn, bool mul)
{
    unsigned address = mul ? insn->waddr_mul : insn->waddr_add;
    unsigned condition = mul ? insn->cond_mul : insn->cond_add;
    bool file_b = insn->ws != mul;
    if (address >= 32 && (insn->form == QPU_FORM_BRANCH || condition != QPU_COND_NEVER))
        put_note(output, qpu_write_name(file_b ? 'b' : 'a', address), writes[address - 32][file_b]);
}

static void note_condition(struct text *output, const char *unit, unsigned condition)
{
    static const char *const names[4] = {NULL, "Z", "N", "C"};
    if (condition > QPU_COND_ALWAYS)
        text_put(output, "- %s result: only elements whose flag %s is %s are written\n", unit,
                 names[condition / 2], condition & 1 ? "clear" : "set");
}

/* --- setup words --- */

/* Describes a VPM setup (tables 32 and 33). */
static void note_vpm_setup(struct text *output, uint32_t word, bool write)
{
    static const char *const sizes[4] = {"8", "16", "32", "reserved"};
    const struct setup_vpm vpm = setup_vpm(word);
    text_put(output, "- VPM %s setup: %s, elem size %s, stride %u", write ? "write" : "read",
             vpm.vertical ? "vertical" : "horizontal", sizes[setup_get(word, SETUP_VPM_SIZE)],
             setup_get(word, SETUP_VPM_STRIDE));
    if (!write)
        text_put(output, ", num %u", setup_get(word, SETUP_VPM_NUMBER));
    if (vpm.vertical)
        text_put(output, ", x = %u, y = %u", vpm.column, vpm.row);
    else
        text_put(output, ", y = %u", vpm.row);
    if (vpm.parts_log2)
        text_put(output, ", part %u, %s", vpm.part, vpm.laned ? "laned" : "packed");
    text_put(output, "\n");
}

static const char *mode_size(unsigned mode)
{
    static const char *const sizes[3] = {"32-bit", "16-bit", "8-bit"};
    return mode == SETUP_MODE_RESERVED ? "reserved" : sizes[setup_mode_parts_log2(mode)];
}

/* Describes a DMA store setup (tables 34 and 35). */
static void note_store_setup(struct text *output, uint32_t word)
{
    if (setup_get(word, SETUP_ANY_ID) == SETUP_ID_STORE_STRIDE) {
        text_put(output, "- DMA store stride: %u bytes between rows in memory%s\n",
                 setup_get(word, SETUP_STORE_STRIDE_BYTES),
                 setup_get(word, SETUP_STORE_STRIDE_BLOCK) ? ", rows packed in the VPM" : "");
        return;
    }
    unsigned mode = setup_get(word, SETUP_STORE_MODE);
    text_put(output,
             "- DMA store setup: %s, %u rows of length %u, XY addr (%u, %u), %s, offset %u\n",
             setup_get(word, SETUP_STORE_HORIZONTAL) ? "horizontal" : "vertical",
             setup_get(word, SETUP_STORE_UNITS), setup_get(word, SETUP_STORE_DEPTH),
             setup_get(word, SETUP_STORE_COLUMN), setup_get(word, SETUP_STORE_ROW), mode_size(mode),
             setup_mode_part(mode));
}

/* Describes a DMA load setup (tables 36 and 37). */
static void note_load_setup(struct text *output, uint32_t word)
{
    if (setup_get(word, SETUP_LOAD_KIND) == SETUP_KIND_LOAD_PITCH) {
        text_put(output, "- DMA load pitch: %u bytes from row to row in memory\n",
                 setup_get(word, SETUP_LOAD_PITCH_BYTES));
        return;
    }
    unsigned mode = setup_get(word, SETUP_LOAD_MODE), pitch = setup_get(word, SETUP_LOAD_PITCH);
    text_put(
        output,
        "- DMA load setup: %s, %u rows of length %u, XY addr (%u, %u), %s, offset %u, VPM pitch "
        "%u, ",
        setup_get(word, SETUP_LOAD_VERTICAL) ? "vertical" : "horizontal",
        setup_get(word, SETUP_LOAD_ROWS), setup_get(word, SETUP_LOAD_LENGTH),
        setup_get(word, SETUP_LOAD_COLUMN), setup_get(word, SETUP_LOAD_ROW), mode_size(mode),
        setup_mode_part(mode), setup_get(word, SETUP_LOAD_VPM_PITCH));
    if (pitch)
        text_put(output, "memory pitch %u\n", 8u << pitch);
    else
        text_put(output, "memory pitch as set before\n");
}

/* Describes an immediate that is written to register 49. */
static void note_setup(struct text *output, const struct qpu_insn *insn, bool mul)
{
    unsigned address = mul ? insn->waddr_mul : insn->waddr_add;
    unsigned condition = mul ? insn->cond_mul : insn->cond_add;
    bool write = insn->ws != mul;
    if (address != QPU_WR_VPM_SETUP || condition == QPU_COND_NEVER)
        return;
    if (setup_get(insn->immediate, SETUP_ANY_ID) == SETUP_ID_VPM)
        note_vpm_setup(output, insn->immediate, write);
    else if (write && insn->immediate >> 31)
        note_store_setup(output, insn->immediate);
    else if (!write && insn->immediate >> 31)
        note_load_setup(output, insn->immediate);
}

/* --- by form --- */

static void note_moves(struct text *output, const struct qpu_insn *insn)
{
    bool same_add = insn->add_a == insn->add_b, same_mul = insn->mul_a == insn->mul_b;
    if (same_add && (insn->op_add == QPU_ADD_OR || insn->op_add == QPU_ADD_AND))
        put_note(output, "add", "the operands are equal, so this moves the value");
    if (same_mul && (insn->op_mul == QPU_MUL_V8MIN || insn->op_mul == QPU_MUL_V8MAX))
        put_note(output, "mul",
                 "the minimum or maximum of equal operands, so this moves the value");
    if (same_add && (insn->op_add == QPU_ADD_XOR || insn->op_add == QPU_ADD_SUB))
        put_note(output, "add", "the operands are equal, so the result is 0");
}

/* Describes the effect on the flags. The add ALU's result sets the flags. If the add opcode is nop,
 * the mul ALU's result sets them. Flags change only in elements whose condition holds
 * (docs/hardware/vc4.md, 3.3). The manual states instead that a condition of never selects the
 * flags of the mul ALU. */
static void note_flags(struct text *output, const struct qpu_insn *insn)
{
    bool mul = insn->op_add == QPU_ADD_NOP;
    unsigned condition = mul ? insn->cond_mul : insn->cond_add;
    const char *unit = mul ? "mul" : "add";
    if (condition == QPU_COND_NEVER)
        text_put(output,
                 "- no flags are set: the %s ALU would set them, but its condition is never\n",
                 unit);
    else if (mul && insn->op_mul == QPU_MUL_NOP)
        text_put(output,
                 "- both ALUs do nop: the last mul result in elements 12 to 15 sets the flags "
                 "again, which is not documented\n");
    else
        text_put(output, "- each element's flags Z, N and C are set from the %s result%s\n", unit,
                 condition == QPU_COND_ALWAYS ? "" : ", where its condition holds");
}

static void note_alu(struct text *output, const struct qpu_insn *insn)
{
    note_moves(output, insn);
    note_reads(output, insn);
    note_condition(output, "add", insn->op_add ? insn->cond_add : QPU_COND_NEVER);
    note_condition(output, "mul", insn->op_mul ? insn->cond_mul : QPU_COND_NEVER);
    if (insn->sf)
        note_flags(output, insn);
    put_note(output, "signal", signals[insn->sig]);
}

static void note_load(struct text *output, const struct qpu_insn *insn)
{
    note_condition(output, "add", insn->cond_add);
    note_condition(output, "mul", insn->waddr_mul == QPU_NOP ? QPU_COND_NEVER : insn->cond_mul);
    if (insn->form == QPU_FORM_SEMAPHORE)
        put_note(output, "semaphore",
                 insn->immediate & 16 ? "waits until it is above 0, then subtracts 1"
                                      : "adds 1; waits while it is at its maximum of 15");
    if (insn->form != QPU_FORM_LOAD_32)
        return;
    note_setup(output, insn, false);
    note_setup(output, insn, true);
}

static void note_branch(struct text *output, const struct qpu_insn *insn, uint32_t address)
{
    bool links = insn->waddr_add != QPU_NOP || insn->waddr_mul != QPU_NOP;
    if (links)
        text_put(output, "- the return address, 0x%08x, is written if the branch is taken\n",
                 (unsigned)(address + 32));
    text_put(output, "- the three instructions after the branch are always executed\n");
}

void qpu_put_notes(struct text *output, const struct qpu_insn *insn, uint32_t address)
{
    note_write(output, insn, false);
    note_write(output, insn, true);
    switch (qpu_layout(insn->form)) {
    case QPU_IN_ALU: note_alu(output, insn); break;
    case QPU_IN_LOAD: note_load(output, insn); break;
    default: note_branch(output, insn, address);
    }
}
