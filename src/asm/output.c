/* SPDX-License-Identifier: MIT */
/* output.c - emits bytes into regions, records their origins and traces, and implements .back and
 * .clone. */
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"
#include "base/array.h"

/* --- origins --- */

/* Returns the number of the frame's trace + 1, and adds the trace if it is missing. Returns 0 for a
 * source of the request. */
static uint32_t trace_of(struct assembler *a, struct frame *frame)
{
    if (!frame || frame->trace)
        return frame ? frame->trace : 0;
    uint32_t parent = trace_of(a, frame->parent);
    if (!frame->call || frame->kind == FRAME_BLOCK)
        return parent;
    struct asm_program *program = a->program;
    if (!ARRAY_GROW(program->traces, program->trace_count)) {
        as_out_of_memory(a);
        return parent;
    }
    char *name = as_take_text(a, frame->name, strlen(frame->name));
    program->traces[program->trace_count++] = (struct asm_trace){
        .parent = parent, .macro = frame->kind != FRAME_FILE, .call = frame->call, .name = name};
    frame->trace = (uint32_t)program->trace_count;
    return frame->trace;
}

static void add_origin(struct assembler *a, const struct asm_origin *origin)
{
    struct asm_program *program = a->program;
    if (ARRAY_GROW(program->origins, program->origin_count))
        program->origins[program->origin_count++] = *origin;
    else
        as_out_of_memory(a);
}

/* Merges data that one statement emits in several pieces into one origin. Returns false if `more`
 * does not continue the latest origin. */
static bool extend_origin(struct asm_program *program, const struct asm_origin *more)
{
    struct asm_origin *last = program->origin_count > 0
                                  ? &program->origins[program->origin_count - 1]
                                  : NULL;
    if (!last || last->line != more->line || last->trace != more->trace || last->code ||
        more->code || last->column != more->column || last->address + last->size != more->address)
        return false;
    last->size += more->size;
    return true;
}

/* Extends the range of code addresses. The range does not include the new addresses of code that
 * .back moves. */
static void note_code(struct assembler *a, uint32_t address, uint64_t size)
{
    uint32_t end = address + (uint32_t)size;
    if (a->code_end == 0 || address < a->code_start)
        a->code_start = address;
    if (end > a->code_end)
        a->code_end = end;
}

static void note_origin(struct assembler *a, uint32_t address, uint64_t size, bool code)
{
    bool declared = a->segment != SEGMENT_AUTOMATIC;
    if (declared)
        code = a->segment == SEGMENT_CODE;
    if (a->pass == 1 && code)
        note_code(a, address, size);
    if (a->pass == 1 || size == 0 || !a->line)
        return;
    struct asm_origin origin = {.address = address,
                                .size = (uint32_t)size,
                                .column = (uint32_t)a->statement + 1,
                                .trace = trace_of(a, a->frame),
                                .code = code,
                                .line = a->line};
    if (!extend_origin(a->program, &origin))
        add_origin(a, &origin);
}

/* --- bytes --- */

uint32_t as_here(const struct assembler *a)
{
    return regions_end(&a->program->regions);
}

static bool check_regions(struct assembler *a, enum regions_result result)
{
    switch (result) {
    case REGIONS_OK: return true;
    case REGIONS_NO_MEMORY: as_out_of_memory(a); return false;
    case REGIONS_TOO_MANY:
        as_report(a, "asm-limit", a->statement, NULL, "more than %d regions", ASM_REGIONS_MAX);
        break;
    case REGIONS_TOO_BIG:
        as_report(a, "asm-limit", a->statement,
                  "move zeros to the end of their region, where they are not stored",
                  "more than %d MiB of output", ASM_STORED_MAX >> 20);
        break;
    case REGIONS_TOO_HIGH:
        as_report(a, "asm-limit", a->statement, NULL,
                  "the region exceeds the 32-bit address "
                  "space");
        break;
    }
    a->stop = true;
    return false;
}

/* Emits code of a statement that was read earlier. origin is the statement's source position. */
bool as_emit_from(struct assembler *a, const void *bytes, size_t size,
                  const struct asm_origin *origin)
{
    struct asm_origin placed = *origin;
    placed.address = as_here(a);
    placed.size = (uint32_t)size;
    a->bits = 0;
    if (!check_regions(a, regions_append(&a->program->regions, bytes, size)))
        return false;
    if (a->pass == 1)
        note_code(a, placed.address, size);
    else if (placed.line)
        add_origin(a, &placed);
    return true;
}

void as_origin_here(struct assembler *a, struct asm_origin *origin)
{
    *origin = (struct asm_origin){.column = (uint32_t)a->statement + 1,
                                  .trace = a->pass > 1 ? trace_of(a, a->frame) : 0,
                                  .code = true,
                                  .line = a->line};
}

bool as_emit(struct assembler *a, const void *bytes, size_t size, bool code)
{
    as_end_run(a);
    uint32_t address = as_here(a);
    a->bits = 0;
    if (!check_regions(a, regions_append(&a->program->regions, bytes, size)))
        return false;
    note_origin(a, address, size, code);
    return true;
}

bool as_emit_zeros(struct assembler *a, uint64_t count)
{
    as_end_run(a);
    uint32_t address = as_here(a);
    a->bits = 0;
    a->open = 0;
    if (!check_regions(a, regions_zeros(&a->program->regions, count)))
        return false;
    note_origin(a, address, count, false);
    return true;
}

/* Writes up to eight bits into the unused bits of the last byte, or into a new byte. */
static bool emit_some_bits(struct assembler *a, uint64_t value, unsigned bits)
{
    uint8_t byte = (uint8_t)(value & ((1u << bits) - 1));
    if (a->bits == 0) {
        if (!as_emit(a, &byte, 1, false))
            return false;
    } else {
        uint8_t *last = regions_last(&a->program->regions, 1);
        if (!last) {
            as_out_of_memory(a);
            return false;
        }
        *last = (uint8_t)(*last | byte << a->bits);
    }
    a->bits = (a->bits + bits) & 7;
    return true;
}

bool as_emit_bits(struct assembler *a, uint64_t value, unsigned bits)
{
    a->open = 0;
    while (bits > 0) {
        unsigned room = 8 - a->bits, some = bits < room ? bits : room;
        if (!emit_some_bits(a, value, some))
            return false;
        value >>= some;
        bits -= some;
    }
    return true;
}

bool as_start_region(struct assembler *a, uint32_t address)
{
    as_end_run(a);
    a->bits = 0;
    a->open = 0;
    return check_regions(a, regions_start(&a->program->regions, address, a->line));
}

/* --- .back --- */

/* Removes and returns the origins from address on. An origin that crosses address is split. */
static struct asm_origin *cut_origins(struct assembler *a, uint32_t address, size_t *count)
{
    struct asm_program *program = a->program;
    size_t start = program->origin_count;
    while (start > 0 &&
           program->origins[start - 1].address + program->origins[start - 1].size > address)
        start--;
    *count = program->origin_count - start;
    struct asm_origin *origins = malloc((*count + 1) * sizeof *origins);
    if (!origins) {
        as_out_of_memory(a);
        return NULL;
    }
    if (*count == 0)
        return origins;
    memcpy(origins, program->origins + start, *count * sizeof *origins);
    program->origin_count = start;
    if (origins[0].address < address) {
        struct asm_origin *kept = &program->origins[program->origin_count++];
        kept->size = address - origins[0].address;
        origins[0].size -= kept->size;
        origins[0].address = address;
    }
    return origins;
}

void as_move_target(struct assembler *a, struct target *target, uint32_t distance)
{
    target->address += distance;
    if (target->kind == TARGET_LABEL && a->pass == 1)
        a->program->labels.items[target->index].value.integer += distance;
    if (target->kind == TARGET_NUMBERED && a->pass == 1)
        a->numbered[target->index].address += distance;
}

/* Adds distance to the addresses of labels above address, because .back moves their code. */
static void move_targets(struct assembler *a, size_t count, uint32_t address, uint32_t distance)
{
    for (size_t i = count; i > 0 && a->targets[i - 1].address > address; i--)
        as_move_target(a, &a->targets[i - 1], distance);
}

static void warn_of_targets(struct assembler *a, uint32_t from, uint32_t to)
{
    for (size_t i = a->target_count; i > 0 && a->targets[i - 1].address > from; i--)
        if (a->targets[i - 1].address < to) {
            as_warn(a, "asm-back", a->statement, "check the branches to this target",
                    ".back crosses the branch target at 0x%x", a->targets[i - 1].address);
            return;
        }
}

bool as_begin_back(struct assembler *a, uint32_t count, struct back *back)
{
    uint32_t size = count * a->request->isa->alignment;
    struct asm_regions *regions = &a->program->regions;
    *back = (struct back){.size = size, .address = as_here(a) - size};
    if (size == 0)
        return true;
    const uint8_t *tail = regions_last(regions, size);
    if (!tail) {
        as_report(a, "asm-back", a->statement, NULL,
                  "there are fewer than %u instructions before .back", count);
        return false;
    }
    a->moved = true;
    warn_of_targets(a, back->address, as_here(a));
    memcpy(back->bytes, tail, size);
    regions_cut(regions, size);
    back->open = a->open & ((UINT64_C(1) << count) - 1);
    back->exact = a->exact & ((UINT64_C(1) << count) - 1);
    back->count = count;
    a->open >>= count;
    a->exact >>= count;
    back->targets = a->target_count;
    back->origins = cut_origins(a, back->address, &back->origin_count);
    return back->origins != NULL;
}

void as_end_back(struct assembler *a, struct back *back)
{
    uint32_t distance = as_here(a) - back->address;
    if (back->size == 0)
        return;
    if (check_regions(a, regions_append(&a->program->regions, back->bytes, back->size))) {
        for (size_t i = 0; i < back->origin_count; i++) {
            back->origins[i].address += distance;
            add_origin(a, &back->origins[i]);
        }
        move_targets(a, back->targets, back->address, distance);
        a->open = a->open << back->count | back->open;
        a->exact = a->exact << back->count | back->exact;
    }
    free(back->origins);
}

/* --- .clone --- */

static void add_copy(struct assembler *a, uint32_t from, uint32_t size)
{
    if (!ARRAY_GROW(a->copies, a->copy_count)) {
        as_out_of_memory(a);
        return;
    }
    a->copies[a->copy_count++] = (struct copy){
        .from = from, .to = as_here(a), .size = size, .line = a->line};
}

bool as_clone(struct assembler *a, uint32_t from, uint32_t count, bool known)
{
    uint32_t alignment = a->request->isa->alignment;
    uint8_t bytes[CLONE_MAX * ASM_INSTRUCTION_MAX] = {0};
    const uint8_t *source = known
                                ? regions_at(&a->program->regions, from, (size_t)count * alignment)
                                : NULL;
    if (source)
        memcpy(bytes, source, (size_t)count * alignment);
    else if (a->pass > 1)
        add_copy(a, from, count * alignment);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        good = as_emit(a, bytes + (size_t)i * alignment, alignment, true);
        a->open <<= 1;
        a->exact <<= 1;
    }
    return good;
}

void as_finish_copies(struct assembler *a)
{
    for (size_t i = 0; i < a->copy_count; i++) {
        const struct copy *copy = &a->copies[i];
        const uint8_t *from = regions_at(&a->program->regions, copy->from, copy->size);
        uint8_t *to = regions_at(&a->program->regions, copy->to, copy->size);
        if (from && to)
            memmove(to, from, copy->size);
        else
            as_report_at(a, TESS_ERROR, "asm-clone", copy->line,
                         ".clone copies instructions after the end of the code");
    }
}
