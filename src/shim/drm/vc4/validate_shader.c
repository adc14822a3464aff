/* SPDX-License-Identifier: MIT */
/* validate_shader.c - see validate_shader.h.
 *
 * In:  instructions.
 * Out: struct shader, or a refusal that names the instruction.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate_shaders.c, for the rules; VideoCore IV 3D
 *         Architecture Reference Guide, section 3, for the instructions.
 * Choices: like the kernel, this code reads the instructions in the order of their addresses and
 *          ignores conditions. After the first direct read of a TMU, all later requests to that TMU
 *          are recorded as direct reads. An operand in file A is looked up by its address in the
 *          instruction. So addresses of 32 and above, which are inputs, select entries of file B.
 *          Unlike the kernel, this code never reads after the end of its tables or of the buffer
 *          object. */
#include "shim/drm/vc4/validate_shader.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"

enum {
    /* number of instructions after a branch or a thread switch that still execute */
    DELAY_SLOTS = 3,
    SLOTS_OF_END = 2, /* number of instructions after the program end signal that still execute */
    UNIFORM_BYTES = 4,
};

/* Registers whose values the validator tracks: files A and B, r0 to r3. */
enum {
    FILE_B = 32,
    ACCUMULATORS = 64,
    REGISTERS = 68,
    UPPER_HALF = 16, /* number of the first register of a file that belongs to the second thread */
    NO_REGISTER = -1,
};

/* What the validator knows about the value of a register. */
struct value {
    bool not_negative; /* true for a result of max(x, 0) */
    /* if the value is min(max(x, 0), uniform), byte offset of that uniform; otherwise
     * SHADER_NOWHERE */
    uint32_t limit;
    /* Immediate that was loaded into the register, or UINT32_MAX. A loaded immediate of -1 is
     * therefore ignored. */
    uint32_t immediate;
};

struct tmu {
    struct shader_sample sample;
    uint32_t written; /* number of parameters written so far */
};

struct state {
    const uint64_t *words;
    uint32_t there; /* number of instructions in the buffer object */
    /* number of instructions of the program; may be larger than `there` */
    uint32_t count;
    uint32_t number; /* number of the current instruction */
    struct qpu_insn now;
    struct value values[REGISTERS];
    struct tmu tmus[2];
    bool *targets; /* targets[i] is true if a branch leads to instruction i */
    /* true from a branch target until the program has set the address of the uniforms; until then
     * the program must not read a uniform */
    bool address_unknown;
    /* true if a backward branch requires that the program sets the address of the uniforms */
    bool address_for_loop;
    bool upper_half_used;
    struct shader *shader;
    struct refusal *why;
};

/* --- instructions --- */

/* Reads the fields of all forms: like the kernel, the validation reads a field wherever it is in
 * the word. The fields of ALU instructions are read last, because raddr_a has another place in
 * branches. */
static struct qpu_insn decode(uint64_t word)
{
    struct qpu_insn now = {0};
#define FIELD(name, high, low, forms) \
    if (!((forms)&QPU_IN_ALU))        \
        now.name = (__typeof__(now.name))bits_get(word, high, low);
#include "isa/qpu/fields.def"
#define FIELD(name, high, low, forms) \
    if ((forms)&QPU_IN_ALU)           \
        now.name = (__typeof__(now.name))bits_get(word, high, low);
#include "isa/qpu/fields.def"
    return now;
}

static bool reads_uniform(const struct qpu_insn *now)
{
    return now->raddr_a == QPU_RD_UNIFORM ||
           (now->raddr_b == QPU_RD_UNIFORM && now->sig != QPU_SIG_SMALL_IMMEDIATE);
}

/* True if the second operand of the add ALU is a uniform. Like the kernel, interprets the field of
 * a small immediate as a register address. */
static bool adds_uniform(const struct qpu_insn *now)
{
    return (now->add_b == QPU_MUX_A && now->raddr_a == QPU_RD_UNIFORM) ||
           (now->add_b == QPU_MUX_B && now->raddr_b == QPU_RD_UNIFORM);
}

static bool is_tmu(uint32_t waddr)
{
    return waddr >= QPU_WR_TMU0_S;
}

/* Returns the register with a write address, or NO_REGISTER for other destinations. */
static int written_register(uint32_t waddr, bool file_b)
{
    if (waddr < FILE_B)
        return (int)(file_b ? FILE_B + waddr : waddr);
    return waddr <= QPU_WR_ACC3 ? (int)(ACCUMULATORS + waddr - QPU_WR_ACC0) : NO_REGISTER;
}

/* Returns the register in the first operand of the add ALU, or NO_REGISTER if the operand's value
 * is not tracked. */
static int first_operand(const struct qpu_insn *now)
{
    if (now->add_a == QPU_MUX_A)
        return (int)now->raddr_a;
    if (now->add_a == QPU_MUX_B && now->sig != QPU_SIG_SMALL_IMMEDIATE)
        return FILE_B + now->raddr_b < REGISTERS ? (int)(FILE_B + now->raddr_b) : NO_REGISTER;
    return now->add_a <= QPU_MUX_R3 ? (int)(ACCUMULATORS + now->add_a) : NO_REGISTER;
}

/* True if the register belongs to the second thread when a program runs with two threads. */
static bool is_upper_half(uint32_t address)
{
    return address >= UPPER_HALF && address < FILE_B;
}

/* --- storage --- */

static void forget(struct state *s, int first)
{
    for (int i = first; i < REGISTERS; i++)
        s->values[i] = (struct value){.limit = SHADER_NOWHERE, .immediate = UINT32_MAX};
}

static void forget_parameters(struct shader_sample *sample)
{
    for (unsigned i = 0; i < SHADER_PARAMETERS; i++)
        sample->offset[i] = SHADER_NOWHERE;
}

static int keep_sample(struct shader *shader, const struct shader_sample *sample)
{
    if (!ARRAY_GROW(shader->samples, shader->sample_count))
        return ENOMEM;
    shader->samples[shader->sample_count++] = *sample;
    return 0;
}

/* Records that the next uniform is the one that receives the address of the uniforms. */
static int keep_address(struct shader *shader)
{
    if (!ARRAY_GROW(shader->address_slots, shader->address_count))
        return ENOMEM;
    shader->address_slots[shader->address_count++] = shader->uniforms_size / UNIFORM_BYTES;
    return 0;
}

/* --- TMUs --- */

/* Checks a direct read, whose address is an addition. The first operand must be a clamped offset.
 * The second operand must be a uniform, which is the base address. */
static int check_direct(struct state *s, struct tmu *tmu, bool is_mul)
{
    const struct qpu_insn *now = &s->now;
    const char *instead =
        "write add(min(max(offset, 0), limit), base) to TMU_S, where limit and base are uniforms";
    if (now->sig == QPU_SIG_SMALL_IMMEDIATE)
        return refuse(s->why, instead, "a direct TMU read uses a small immediate");
    if (is_mul || now->op_add != QPU_ADD_ADD)
        return refuse(s->why, instead, "the address of a direct TMU read is not a sum");
    const int clamped = first_operand(now);
    if (clamped == NO_REGISTER || s->values[clamped].limit == SHADER_NOWHERE)
        return refuse(s->why, instead, "the offset of a direct TMU read is not clamped");
    tmu->sample.offset[1] = s->values[clamped].limit;
    if (!adds_uniform(now))
        return refuse(s->why, instead, "the base of a direct TMU read is not a uniform");
    tmu->sample.is_direct = true;
    return 0;
}

static int check_indirect(struct state *s)
{
    if (reads_uniform(&s->now))
        return refuse(
            s->why,
            "read the uniform in another instruction: a write to a TMU reads a uniform itself",
            "an instruction that writes to a TMU reads a uniform");
    return 0;
}

static int check_tmu(struct state *s, bool is_mul)
{
    const uint32_t waddr = is_mul ? s->now.waddr_mul : s->now.waddr_add;
    struct tmu *tmu = &s->tmus[waddr >= QPU_WR_TMU1_S];
    const bool submits = waddr == QPU_WR_TMU0_S || waddr == QPU_WR_TMU1_S;
    const bool is_direct = submits && tmu->written == 0;
    const int error = is_direct ? check_direct(s, tmu, is_mul) : check_indirect(s);
    if (error)
        return error;
    if (tmu->written >= SHADER_PARAMETERS)
        return refuse(s->why, "write S last: the write to S starts the request",
                      "a TMU receives more than four parameters for one request");
    tmu->sample.offset[tmu->written++] = s->shader->uniforms_size;
    if (!is_direct && s->address_unknown)
        return refuse(s->why, "set the address of the uniforms first, after the branch",
                      "a TMU is written while the address of the uniforms is unknown");
    if (!is_direct)
        s->shader->uniforms_size += UNIFORM_BYTES;
    if (!submits)
        return 0;
    tmu->written = 0;
    const int full = keep_sample(s->shader, &tmu->sample);
    forget_parameters(&tmu->sample);
    return full;
}

/* --- the address of the uniforms --- */

static bool may_set_address(uint32_t signal)
{
    return signal == QPU_SIG_NONE || signal == QPU_SIG_SCOREBOARD_UNLOCK ||
           signal == QPU_SIG_COLOUR_LOAD || signal == QPU_SIG_LOAD_TMU0 ||
           signal == QPU_SIG_LOAD_TMU1;
}

/* Checks the only permitted form: address = add(immediate, uniform). The uniform is the address of
 * all uniforms. The immediate is the distance from that address to the next uniform, in bytes. */
static int check_uniform_address(struct state *s, bool is_mul)
{
    const struct qpu_insn *now = &s->now;
    const char *instead = "write add(distance, uniform) to the register, where distance is a "
                          "register loaded with an immediate in the same block";
    const uint32_t expected = s->shader->uniforms_size + UNIFORM_BYTES;
    if (!may_set_address(now->sig))
        return refuse(s->why, instead,
                      "the address of the uniforms is set by an instruction with signal %u",
                      now->sig);
    if (is_mul || now->op_add != QPU_ADD_ADD)
        return refuse(s->why, instead,
                      "the address of the uniforms is set to a value that is not a sum");
    if (now->cond_add != QPU_COND_ALWAYS)
        return refuse(s->why, instead, "the address of the uniforms is set under a condition");
    if (now->pack && !now->pm)
        return refuse(s->why, instead, "the address of the uniforms is set with a pack mode");
    const int distance = first_operand(now);
    if (distance == NO_REGISTER)
        return refuse(
            s->why, instead,
            "the address of the uniforms is set to a sum whose first operand is not a register");
    if (s->values[distance].immediate != expected)
        return refuse(s->why, instead,
                      "the address of the uniforms is set with a distance of %u bytes, but the "
                      "next uniform is at byte %u",
                      s->values[distance].immediate, expected);
    if (!adds_uniform(now))
        return refuse(
            s->why, instead,
            "the address of the uniforms is set to a sum whose second operand is not a uniform");
    s->address_unknown = s->address_for_loop = false;
    return keep_address(s->shader);
}

/* --- reads and writes --- */

static void follow_immediate(struct state *s, int written, bool is_mul)
{
    const struct qpu_insn *now = &s->now;
    const uint32_t condition = is_mul ? now->cond_mul : now->cond_add;
    const bool is_known = now->sig == QPU_SIG_LOAD_IMMEDIATE && !now->pack &&
                          condition == QPU_COND_ALWAYS;
    s->values[written].immediate = is_known ? now->immediate : UINT32_MAX;
}

static int check_write(struct state *s, bool is_mul)
{
    const uint32_t waddr = is_mul ? s->now.waddr_mul : s->now.waddr_add;
    const bool file_b = is_mul != s->now.ws;
    const int written = written_register(waddr, file_b);
    if (written != NO_REGISTER)
        follow_immediate(s, written, is_mul);
    s->upper_half_used |= is_upper_half(waddr);
    if (is_tmu(waddr))
        return check_tmu(s, is_mul);
    switch (waddr) {
    case QPU_WR_UNIFORM_ADDRESS:
        if (file_b)
            return refuse(s->why, "write to the register in file A",
                          "the address of the uniforms is set to a relative value");
        return check_uniform_address(s, is_mul);
    case QPU_WR_HOST_INT:
    case QPU_WR_TMU_NOSWAP:
    case QPU_WR_TLB_ALPHA_MASK:
    case QPU_WR_MUTEX_RELEASE:
        return refuse(s->why, "remove the write: the kernel does not allow it",
                      "a write to register %u is not allowed", waddr);
    case QPU_WR_VPM_ADDRESS:
        return refuse(s->why, "read and write vertices through the VPM only",
                      "a DMA transfer of the VPM is started");
    default: return 0;
    }
}

static void follow_max(struct state *s, int written)
{
    const struct qpu_insn *now = &s->now;
    const bool with_zero = now->sig == QPU_SIG_SMALL_IMMEDIATE && now->raddr_b == 0;
    if (with_zero && (now->add_a == QPU_MUX_B || now->add_b == QPU_MUX_B))
        s->values[written].not_negative = true;
}

static void follow_min(struct state *s, int written)
{
    const struct qpu_insn *now = &s->now;
    const bool by_a = now->add_b == QPU_MUX_A && now->raddr_a == QPU_RD_UNIFORM;
    const bool by_b = now->add_b == QPU_MUX_B && now->raddr_b == QPU_RD_UNIFORM &&
                      now->sig != QPU_SIG_SMALL_IMMEDIATE;
    if (by_a || by_b)
        s->values[written].limit = s->shader->uniforms_size;
}

/* Updates after each instruction what is known about clamped registers. */
static void follow_clamps(struct state *s)
{
    const struct qpu_insn *now = &s->now;
    const int operand = first_operand(now);
    const bool operand_not_negative = operand != NO_REGISTER && s->values[operand].not_negative;
    const int written[2] = {written_register(now->waddr_mul, !now->ws),
                            written_register(now->waddr_add, now->ws)};
    for (unsigned i = 0; i < 2; i++) {
        if (written[i] != NO_REGISTER) {
            s->values[written[i]].not_negative = false;
            s->values[written[i]].limit = SHADER_NOWHERE;
        }
    }
    if (written[1] == NO_REGISTER || now->cond_add != QPU_COND_ALWAYS)
        return;
    if (now->op_add == QPU_ADD_MAX)
        follow_max(s, written[1]);
    else if (now->op_add == QPU_ADD_MIN && operand_not_negative)
        follow_min(s, written[1]);
}

static int check_writes(struct state *s)
{
    if (is_tmu(s->now.waddr_add) && is_tmu(s->now.waddr_mul))
        return refuse(s->why, "write the parameters with two instructions",
                      "both ALUs write to TMUs");
    int error = check_write(s, false);
    if (!error)
        error = check_write(s, true);
    follow_clamps(s);
    return error;
}

static int check_reads(struct state *s)
{
    const struct qpu_insn *now = &s->now;
    if (reads_uniform(now)) {
        s->shader->uniforms_size += UNIFORM_BYTES;
        if (s->address_unknown)
            return refuse(s->why, "set the address of the uniforms first, after the branch",
                          "a uniform is read while the address of the uniforms is unknown");
    }
    s->upper_half_used |= is_upper_half(now->raddr_a);
    s->upper_half_used |= is_upper_half(now->raddr_b) && now->sig != QPU_SIG_SMALL_IMMEDIATE;
    return 0;
}

/* --- branches --- */

static int check_target(struct state *s, uint32_t number)
{
    const struct qpu_insn *now = &s->now;
    const uint32_t next = number + 1 + DELAY_SLOTS;
    if (now->reg)
        return refuse(s->why, "branch to an immediate target",
                      "a branch adds a register to its target");
    if (!now->rel)
        return refuse(s->why, "use a relative branch", "a branch has an absolute target");
    if (now->immediate % sizeof(uint64_t))
        return refuse(s->why, "branch to the start of an instruction",
                      "a branch's distance of %d bytes is not a multiple of 8",
                      (int32_t)now->immediate);
    const uint32_t target = next + (uint32_t)((int32_t)now->immediate / (int32_t)sizeof(uint64_t));
    if (target >= s->count)
        return refuse(s->why, "branch to an instruction of the program",
                      "the target of a branch, instruction %d, is outside the program",
                      (int32_t)target);
    if (next >= s->count)
        return refuse(s->why, "end the program after the branch's delay slots",
                      "the program continues past its end if a branch is not taken");
    s->targets[target] = s->targets[next] = true;
    return 0;
}

static int check_distance(const struct state *s, int64_t last, uint32_t number)
{
    if (number - last < 1 + DELAY_SLOTS)
        return refuse(
            s->why, "leave at least three instructions between branches, and two before the first",
            "a branch is too close to the previous one");
    return 0;
}

/* Finds the end of the program and the targets of its branches. */
static int find_targets(struct state *s)
{
    uint32_t furthest = 0;
    int64_t last = -2;
    for (uint32_t i = 0; i < s->count && i < s->there; i++) {
        s->now = decode(s->words[i]);
        if (s->now.sig == QPU_SIG_PROGRAM_END)
            s->count = i + 1 + SLOTS_OF_END;
        if (s->now.sig != QPU_SIG_BRANCH)
            continue;
        int error = check_distance(s, last, i);
        if (!error)
            error = check_target(s, i);
        if (error)
            return refused_at(s->why, error, "instruction %u", i);
        last = i;
        furthest = i + 1 + DELAY_SLOTS;
    }
    if (furthest > s->count - 1 - SLOTS_OF_END)
        return refused_at(s->why,
                          refuse(s->why, "end the program after the branch's delay slots",
                                 "a branch is too close to the end of the program"),
                          "instruction %u", (uint32_t)last);
    return 0;
}

static int enter_block(struct state *s)
{
    if (!s->targets[s->number])
        return 0;
    if (s->tmus[0].written || s->tmus[1].written)
        return refuse(s->why, "branch to an instruction before the first parameter, or after S",
                      "the target of a branch is between two parameters of a TMU");
    for (unsigned i = 0; i < 2; i++)
        forget_parameters(&s->tmus[i].sample);
    forget(s, 0);
    s->address_unknown = true;
    return 0;
}

static int check_branch(struct state *s)
{
    if (s->now.immediate >> 31)
        s->address_for_loop = true;
    if (s->now.waddr_add != QPU_NOP || s->now.waddr_mul != QPU_NOP)
        return refuse(s->why, "do not write the return address", "a branch writes to a register");
    return 0;
}

/* --- the program --- */

static int check_switch(struct state *s, int64_t *last)
{
    s->shader->is_threaded = true;
    if (s->number < *last + DELAY_SLOTS)
        return refuse(s->why, "leave at least two instructions between thread switches",
                      "a thread switch is too close to the previous one");
    *last = s->number;
    return 0;
}

static int check_instruction(struct state *s, int64_t *last_switch)
{
    int error;
    switch (s->now.sig) {
    case QPU_SIG_NONE:
    case QPU_SIG_SCOREBOARD_WAIT:
    case QPU_SIG_SCOREBOARD_UNLOCK:
    case QPU_SIG_COLOUR_LOAD:
    case QPU_SIG_LOAD_TMU0:
    case QPU_SIG_LOAD_TMU1:
    case QPU_SIG_PROGRAM_END:
    case QPU_SIG_SMALL_IMMEDIATE: error = check_writes(s); return error ? error : check_reads(s);
    case QPU_SIG_THREAD_SWITCH:
    case QPU_SIG_LAST_THREAD_SWITCH:
        error = check_writes(s);
        if (!error)
            error = check_reads(s);
        return error ? error : check_switch(s, last_switch);
    case QPU_SIG_LOAD_IMMEDIATE: return check_writes(s);
    case QPU_SIG_BRANCH:
        error = check_branch(s);
        if (!error && s->number < *last_switch + DELAY_SLOTS)
            return refuse(s->why,
                          "leave at least two instructions between a thread switch and a branch",
                          "a branch is too close to a thread switch");
        return error;
    default:
        return refuse(s->why, "remove the signal: the kernel does not allow it",
                      "signal %u is not allowed", s->now.sig);
    }
}

static int check_program(struct state *s)
{
    int64_t last_switch = -DELAY_SLOTS;
    /* number of the last instruction that executes, or UINT32_MAX before the program end signal */
    uint32_t end = UINT32_MAX;
    for (s->number = 0; s->number < s->there && s->number < s->count; s->number++) {
        s->now = decode(s->words[s->number]);
        int error = enter_block(s);
        if (s->number == last_switch + DELAY_SLOTS)
            forget(s, ACCUMULATORS);
        if (!error)
            error = check_instruction(s, &last_switch);
        if (error)
            return refused_at(s->why, error, "instruction %u", s->number);
        if (s->now.sig == QPU_SIG_PROGRAM_END)
            end = s->number + SLOTS_OF_END;
        if (s->number == end)
            return 0;
    }
    return refuse(s->why, "set the program end signal two instructions before the last one",
                  "the program has no end");
}

static int validate(struct state *s)
{
    int error = find_targets(s);
    if (!error)
        error = check_program(s);
    if (error)
        return error;
    if (s->shader->is_threaded && s->upper_half_used)
        return refuse(
            s->why,
            "use only registers 0 to 15 of both files: the others belong to the other thread",
            "a program with thread switches uses the upper half of the registers");
    if (s->address_for_loop) {
        error = keep_address(s->shader);
        s->shader->uniforms_size += UNIFORM_BYTES;
    }
    s->shader->source_size = s->shader->uniforms_size + UNIFORM_BYTES * s->shader->sample_count;
    return error;
}

int shader_validate(struct shader **out, const uint64_t *words, uint32_t count, struct refusal *why)
{
    struct state s = {
        .words = words,
        .there = count,
        .count = count,
        .targets = calloc((size_t)count + SLOTS_OF_END + 1, sizeof *s.targets),
        .shader = calloc(1, sizeof *s.shader),
        .why = why,
    };
    *why = (struct refusal){.rule = "drm-shader"};
    *out = NULL;
    forget(&s, 0);
    for (unsigned i = 0; i < 2; i++)
        forget_parameters(&s.tmus[i].sample);
    const int error = s.targets && s.shader ? validate(&s) : ENOMEM;
    free(s.targets);
    if (error)
        shader_free(s.shader);
    else
        *out = s.shader;
    return error;
}

void shader_free(struct shader *shader)
{
    if (!shader)
        return;
    free(shader->samples);
    free(shader->address_slots);
    free(shader);
}
