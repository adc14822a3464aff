/* SPDX-License-Identifier: MIT */
/* arrange.c - see arrange.h.
 *
 * Source:  both listings of freedreno's wiki, "A2XX Shader Instruction Set Architecture";
 *          freedreno's assembler, fdre-a2xx/asm/ir.c, shader_resolve(); docs/hardware/a2xx.md,
 *          sections 2, 3 and 20. */
#include "isa/a2xx/arrange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "isa/a2xx/parse.h"

/* A control-flow instruction of the program. If a clause is too long, its record is split into
 * several such instructions. */
struct flow {
    size_t record;
    size_t first, count; /* number of the clause's first instruction, and number of instructions */
    struct a2xx_cf cf;
    bool raw;
};

struct program {
    const struct asm_run *run;
    struct a2xx_record *records; /* copy of run->records */
    struct flow *flows;
    size_t flow_count;
    size_t *instructions; /* indices of the instructions' records, in the order of memory */
    size_t instruction_count;
    size_t cf_slots;
};

/* --- messages --- */

__attribute__((format(printf, 6, 7))) static void report(const struct program *program,
                                                         enum tess_level severity, size_t record,
                                                         const char *rule, const char *hint,
                                                         const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    program->run->report(program->run, severity, record, rule, hint, text);
}

/* --- order of the source --- */

static bool is_clause(const struct a2xx_record *record)
{
    return record->kind == A2XX_RECORD_CF && !(record->written & A2XX_IS_RAW) &&
           a2xx_is_exec((unsigned)(a2xx_record_cf(record) >> 44));
}

/* Returns true if the source lists the program in the order of memory, like the second listing of
 * freedreno's wiki. In this order, every clause has ADDR and CNT, and all instructions follow all
 * control flow. Returns false if only the last clause has instructions, because both orders are
 * then the same. */
static bool is_in_memory(const struct program *program)
{
    size_t flows = 0, last = 0;
    bool elsewhere = false, clauses = false;
    for (size_t i = 0; i < program->run->count; i++) {
        const struct a2xx_record *record = &program->records[i];
        if (record->kind != A2XX_RECORD_CF)
            continue;
        clauses = clauses || is_clause(record) || (record->written & A2XX_IS_RAW);
        if (flows > 0 && program->records[i - 1].kind != A2XX_RECORD_CF)
            return false;
        if (is_clause(record) &&
            (record->written & (A2XX_HAS_ADDR | A2XX_HAS_CNT)) != (A2XX_HAS_ADDR | A2XX_HAS_CNT))
            return false;
        elsewhere = elsewhere ||
                    (flows > 0 && is_clause(&program->records[last]) &&
                     a2xx_decode_cf(a2xx_record_cf(&program->records[last])).exec.count > 0);
        flows++;
        last = i;
    }
    if (!clauses || last + 1 == program->run->count || program->records[0].kind != A2XX_RECORD_CF)
        return false;
    return elsewhere || !is_clause(&program->records[last]);
}

/* --- clauses --- */

static void add_flow(struct program *program, size_t record, size_t first, size_t count)
{
    const struct a2xx_record *from = &program->records[record];
    program->flows[program->flow_count++] = (struct flow){
        .record = record,
        .first = first,
        .count = count,
        .cf = a2xx_decode_cf(a2xx_record_cf(from)),
        .raw = from->written & A2XX_IS_RAW,
    };
}

/* Returns the number of instructions between a control-flow record and the next control-flow
 * record. */
static size_t instructions_behind(const struct program *program, size_t record)
{
    size_t end = record + 1;
    while (end < program->run->count && program->records[end].kind != A2XX_RECORD_CF)
        end++;
    return end - record - 1;
}

/* Returns the opcode that runs a clause like opcode, but does not end the program. Only the last
 * part of a split clause may end the program. */
static uint32_t without_end(uint32_t opcode)
{
    return a2xx_is_end(opcode) ? opcode - 1 : opcode;
}

static void add_clause(struct program *program, size_t record, size_t first)
{
    size_t count = instructions_behind(program, record), done = 0;
    do {
        size_t part = count - done < A2XX_CLAUSE_MAX ? count - done : A2XX_CLAUSE_MAX;
        add_flow(program, record, first + done, part);
        done += part;
        struct flow *flow = &program->flows[program->flow_count - 1];
        if (done < count)
            flow->cf.exec.opcode = flow->cf.opcode = (uint8_t)without_end(flow->cf.opcode);
    } while (done < count);
}

/* Collects control flow and instructions, each in the order of the source. */
static void collect(struct program *program, bool in_memory)
{
    const struct asm_run *run = program->run;
    bool inside = in_memory;
    for (size_t i = 0; i < run->count; i++) {
        const struct a2xx_record *record = &program->records[i];
        if (record->kind != A2XX_RECORD_CF) {
            if (!inside)
                report(program, TESS_ERROR, i, "a2xx-clause", "put EXEC before the instruction",
                       "this instruction is not in a clause");
            inside = true; /* report only the first instruction outside of a clause */
            program->instructions[program->instruction_count++] = i;
            continue;
        }
        inside = in_memory || is_clause(record);
        if (is_clause(record) && !in_memory)
            add_clause(program, i, program->instruction_count);
        else
            add_flow(program, i, 0, 0);
    }
    program->cf_slots = (program->flow_count + 1) / A2XX_CF_PER_SLOT;
}

/* Returns the sequence bits of a clause: two bits for each instruction. */
static uint32_t sequence_of(const struct program *program, size_t first, size_t count)
{
    uint32_t sequence = 0;
    for (size_t i = 0; i < count && i < A2XX_CLAUSE_MAX && first + i < program->instruction_count;
         i++) {
        const struct a2xx_record *record = &program->records[program->instructions[first + i]];
        sequence |= (uint32_t)(record->kind == A2XX_RECORD_FETCH) << 2 * i;
        sequence |= (uint32_t)((record->written & A2XX_SERIALIZED) != 0) << (2 * i + 1);
    }
    return sequence;
}

/* --- computed fields --- */

static void warn_of_field(const struct program *program, size_t record, const char *name,
                          uint32_t given, uint32_t right)
{
    if (given != right)
        report(program, TESS_WARNING, record, "a2xx-clause",
               "remove the value, which the assembler computes, or use .layout memory to keep it",
               "%s must be 0x%x; the value 0x%x is ignored", name, (unsigned)right,
               (unsigned)given);
}

/* Warns if the source gives a field a value that differs from the computed value. The computed
 * value is used, as in freedreno's assembler. */
static void check_given(const struct program *program, size_t number, uint32_t address)
{
    const struct flow *flow = &program->flows[number];
    const struct a2xx_record *record = &program->records[flow->record];
    struct a2xx_exec given = a2xx_decode_cf(a2xx_record_cf(record)).exec;
    size_t count = instructions_behind(program, flow->record);
    if (number > 0 && program->flows[number - 1].record == flow->record)
        return;
    if (record->written & A2XX_HAS_ADDR)
        warn_of_field(program, flow->record, "ADDR", given.address, address);
    if (record->written & A2XX_HAS_CNT)
        warn_of_field(program, flow->record, "CNT", given.count, (uint32_t)count);
    if (record->written & A2XX_HAS_SEQ)
        warn_of_field(program, flow->record, "SEQ", given.sequence,
                      sequence_of(program, flow->first, flow->count));
}

static void fill_clause(struct program *program, size_t number, bool in_memory)
{
    struct flow *flow = &program->flows[number];
    struct a2xx_exec *exec = &flow->cf.exec;
    const struct a2xx_record *record = &program->records[flow->record];
    size_t address = program->cf_slots + flow->first;
    if (in_memory) {
        if (!(record->written & A2XX_HAS_SEQ) && exec->address >= program->cf_slots)
            exec->sequence = sequence_of(program, exec->address - program->cf_slots, exec->count);
        return;
    }
    check_given(program, number, (uint32_t)address);
    exec->address = (uint32_t)address & (A2XX_SLOTS_MAX - 1);
    exec->count = (uint32_t)flow->count;
    exec->sequence = sequence_of(program, flow->first, flow->count);
}

/* Converts the address of a label to the number of a control-flow instruction. */
static uint32_t target_number(const struct program *program, size_t record)
{
    uint32_t distance = program->records[record].words[2] - program->run->address;
    uint32_t number = distance / A2XX_CF_BYTES;
    if (!program->run->final)
        return 0;
    if (distance % A2XX_CF_BYTES != 0 || number >= program->flow_count)
        report(program, TESS_ERROR, record, "a2xx-target",
               "put the label before EXEC, ALLOC or another control-flow instruction",
               "the label is not before a control-flow instruction of this program");
    return number & 0x1fff;
}

static void fill_target(struct program *program, size_t number)
{
    struct flow *flow = &program->flows[number];
    const struct a2xx_record *record = &program->records[flow->record];
    if (record->written & A2XX_HAS_LABEL) {
        uint32_t target = target_number(program, flow->record);
        if (flow->cf.form == A2XX_FORM_LOOP)
            flow->cf.loop.address = target;
        else
            flow->cf.jump.address = target;
    }
    bool jump = flow->cf.opcode == A2XX_CF_COND_JMP && !(record->written & A2XX_HAS_DIR);
    if (jump)
        flow->cf.jump.direction = flow->cf.jump.address > number;
}

static void fill(struct program *program, bool in_memory)
{
    for (size_t i = 0; i < program->flow_count; i++) {
        struct flow *flow = &program->flows[i];
        if (flow->raw)
            continue;
        if (flow->cf.form == A2XX_FORM_EXEC)
            fill_clause(program, i, in_memory);
        else if (flow->cf.form == A2XX_FORM_LOOP || flow->cf.form == A2XX_FORM_JUMP)
            fill_target(program, i);
    }
}

/* Reports exports in which only some of the unwritten components are "0" in the source. The
 * hardware sets either all unwritten components to 0 or none of them. */
static void check_zeros(const struct program *program)
{
    for (size_t i = 0; i < program->run->count; i++) {
        const struct a2xx_record *record = &program->records[i];
        struct a2xx_alu alu = a2xx_decode_alu(record->words);
        if (record->kind == A2XX_RECORD_ALU && record->zeros != 0 &&
            (~(alu.vector_write_mask | alu.scalar_write_mask | record->zeros) & 15) != 0)
            report(program, TESS_ERROR, i, "a2xx-mask",
                   "write 0 for each component that the instruction does not write",
                   "either all components that the instruction does not write become 0, or none");
        else if (record->kind == A2XX_RECORD_ALU &&
                 (record->zeros & (alu.vector_write_mask | alu.scalar_write_mask)) != 0)
            report(program, TESS_ERROR, i, "a2xx-mask", NULL,
                   "a component is 0 in one mask, but is written by the other operation");
    }
}

/* --- fetches in old listings --- */

enum { HIGHEST = 16, NO_THIRD = 3 };

/* Returns true if the vertex fetches with a one-argument CONST come from an old listing. This is so
 * if the index component of at least one fetch is not x, and no fetch has a value that old listings
 * cannot contain. */
static bool is_old_listing(const struct program *program)
{
    bool old = false;
    for (size_t i = 0; i < program->run->count; i++) {
        const struct a2xx_record *record = &program->records[i];
        if (!(record->written & A2XX_ONE_ARGUMENT))
            continue;
        struct a2xx_fetch fetch = a2xx_decode_fetch(record->words);
        if (fetch.vertex.src_swiz == NO_THIRD || fetch.vertex.const_index >= HIGHEST)
            return false;
        old = old || fetch.vertex.src_swiz != 0;
    }
    return old;
}

/* Corrects the vertex fetches of old listings, such as the listing on freedreno's wiki. An old
 * listing prints the field const_sel as the component of the index, and const_index without its
 * highest bit. The assembler of that time always set this bit (freedreno, fdre/asm/ir.c before
 * 05d283f). An old listing can be recognised by a CONST with one argument and an index component
 * other than x, because the index is x in all vertex programs of Mesa and freedreno. */
static void mend_old_listing(struct program *program)
{
    bool old = is_old_listing(program);
    for (size_t i = 0; old && i < program->run->count; i++) {
        struct a2xx_record *record = &program->records[i];
        if (!(record->written & A2XX_ONE_ARGUMENT))
            continue;
        struct a2xx_fetch fetch = a2xx_decode_fetch(record->words);
        fetch.vertex.const_sel = fetch.vertex.src_swiz;
        fetch.vertex.src_swiz = 0;
        fetch.vertex.const_index |= HIGHEST;
        a2xx_encode_fetch(&fetch, record->words);
        report(program, TESS_NOTE, i, "a2xx-old-fetch", "use the new notation",
               "old notation of a fetch; the new notation is R%u.x and CONST(%u, %u)",
               (unsigned)fetch.vertex.src_reg, (unsigned)fetch.vertex.const_index,
               (unsigned)fetch.vertex.const_sel);
    }
}

/* --- bytes --- */

static void put(const struct program *program, size_t record, const void *bytes, uint32_t size)
{
    const struct asm_place place = {record, size};
    buffer_append(program->run->bytes, bytes, size);
    buffer_append(program->run->places, &place, sizeof place);
}

static void put_cf(const struct program *program, size_t record, uint64_t cf)
{
    uint8_t bytes[8];
    store_le64(bytes, cf);
    put(program, record, bytes, A2XX_CF_BYTES);
}

static void write(const struct program *program)
{
    for (size_t i = 0; i < program->flow_count; i++) {
        const struct flow *flow = &program->flows[i];
        put_cf(program, flow->record,
               flow->raw ? a2xx_record_cf(&program->records[flow->record])
                         : a2xx_encode_cf(&flow->cf));
    }
    /* fill the last slot with a NOP */
    if (program->flow_count % A2XX_CF_PER_SLOT != 0)
        put_cf(program, program->flows[program->flow_count - 1].record, 0);
    for (size_t i = 0; i < program->instruction_count; i++) {
        const struct a2xx_record *record = &program->records[program->instructions[i]];
        uint8_t bytes[A2XX_SLOT_BYTES];
        for (unsigned word = 0; word < A2XX_WORDS; word++)
            store_le32(bytes + 4 * word, record->words[word]);
        put(program, program->instructions[i], bytes, sizeof bytes);
    }
}

static void arrange(struct program *program)
{
    const struct a2xx_state *state = program->run->state;
    bool in_memory = state->in_memory || is_in_memory(program);
    collect(program, in_memory);
    if (program->cf_slots + program->instruction_count > A2XX_SLOTS_MAX)
        report(program, TESS_ERROR, program->run->count - 1, "a2xx-size", NULL,
               "the program has %u slots; a clause address can reach only %u",
               (unsigned)(program->cf_slots + program->instruction_count), A2XX_SLOTS_MAX);
    fill(program, in_memory);
    check_zeros(program);
    mend_old_listing(program);
    write(program);
}

bool a2xx_arrange(const struct asm_run *run)
{
    struct program program = {.run = run};
    struct a2xx_state *state = run->state;
    struct a2xx_record *records = malloc(run->count * sizeof *records);
    if (records)
        memcpy(records, run->records, run->count * sizeof *records);
    program.records = records;
    program.flows = calloc(run->count, sizeof *program.flows);
    program.instructions = calloc(run->count, sizeof *program.instructions);
    bool good = records && program.flows && program.instructions;
    if (good)
        arrange(&program);
    state->has_vertex = false; /* the next fetch is the first vertex fetch of the next program */
    free(records);
    free(program.flows);
    free(program.instructions);
    return good;
}
