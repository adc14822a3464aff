/* SPDX-License-Identifier: MIT */
/* units.c - see units.h.
 *
 * Source:  docs/hardware/a2xx.md, sections 14, 15 and 26. */
#include "a2xx/shader/units.h"

#include <string.h>

#include "a2xx/shader/alu.h"
#include "a2xx/shader/find.h"
#include "base/bits.h"

enum { DST_ZERO = 4, DST_ONE = 5, DST_UNKNOWN = 6, DST_KEEP = 7 };

/* --- operands --- */

static void read_register(const struct a2xx_machine *machine, unsigned number, bool relative,
                          unsigned component, a2xx_mask lanes, struct a2xx_row *to)
{
    *to = machine->registers[number][component];
    if (!relative)
        return;
    FOR_LANES(lane, lanes)
    {
        unsigned from = a2xx_relative_register(machine, number, (unsigned)lane);
        to->lane[lane] = machine->registers[from][component].lane[lane];
    }
}

static const float *floats(const struct a2xx_row *row)
{
    return (const float *)(const void *)row->lane;
}

/* --- errors --- */

static const struct {
    enum a2xx_fault fault;
    const char *text;
} fault_rows[A2XX_FETCH_FAULTS] = {
    [A2XX_FETCH_UNMAPPED] = {A2XX_FAULT_FETCH_UNMAPPED, "no memory is mapped at"},
    [A2XX_FETCH_INDEX] = {A2XX_FAULT_FETCH_INDEX, "the index is infinite or NaN"},
    [A2XX_FETCH_COORDINATE] = {A2XX_FAULT_FETCH_COORDINATE, "a coordinate is infinite or NaN"},
    [A2XX_FETCH_UNSET] = {A2XX_FAULT_FETCH_UNSET, "the fetch constant has not been set"},
    [A2XX_FETCH_FORMAT] = {A2XX_FAULT_FETCH_FORMAT,
                           "the format is undefined, or its layout is unknown"},
    [A2XX_FETCH_KIND] = {A2XX_FAULT_FETCH_KIND,
                         "the format has blocks of texels, which a vertex fetch cannot read"},
    [A2XX_FETCH_TYPE] = {A2XX_FAULT_FETCH_TYPE, "the fetch constant has the wrong type"},
    [A2XX_FETCH_OPCODE] = {A2XX_FAULT_FETCH_OPCODE, "undefined fetch operation"},
    [A2XX_FETCH_ALIGN] = {A2XX_FAULT_FETCH_ALIGN,
                          "the stride or the offset is not a multiple of 4 bytes"},
    [A2XX_FETCH_DIMENSION] = {A2XX_FAULT_FETCH_DIMENSION,
                              "the dimensions of the fetch and of the fetch constant differ"},
    [A2XX_FETCH_PITCH] = {A2XX_FAULT_FETCH_PITCH,
                          "the row pitch is smaller than the texture's width"},
};

/* Reports an element that is partly or completely outside of its buffer. The message has the bytes
 * of the element and the end of the buffer. The hint says how to correct the program. */
static void find_beyond(struct a2xx_machine *machine, const struct a2xx_fetch_report *report,
                        a2xx_mask lanes)
{
    const struct a2xx_element *element = &report->element;
    long long first = (long long)report->at, last = first + (long long)element->bytes - 1;
    unsigned index = report->constant / 3, third = report->constant % 3;
    unsigned long long size = report->size;
    if (first < 0)
        a2xx_find(machine, A2XX_FAULT_FETCH_BEYOND, lanes,
                  "the element begins %lld bytes before the buffer of CONST(%u, %u)" WITH_HINT
                  "fetch with an index of at least 0; R0.x is the vertex's number at the start",
                  -first, index, third);
    else
        a2xx_find(machine, A2XX_FAULT_FETCH_BEYOND, lanes,
                  "bytes %lld to %lld are read (offset %lld, stride %lld), but the buffer of "
                  "CONST(%u, %u) has only %llu bytes" WITH_HINT
                  "make that buffer at least %lld bytes long, or fetch with a smaller index; R0.x "
                  "is the vertex's number at the start",
                  first, last, (long long)element->offset, (long long)element->stride, index, third,
                  size, last + 1);
}

static void find_offset(struct a2xx_machine *machine, const struct a2xx_fetch_report *report,
                        a2xx_mask lanes)
{
    const struct a2xx_element *element = &report->element;
    a2xx_find(
        machine, A2XX_FAULT_FETCH_OFFSET, lanes,
        "the element has bytes %lld to %lld of a vertex, but vertices are only %lld bytes apart",
        (long long)element->offset, (long long)element->offset + (long long)element->bytes - 1,
        (long long)element->stride);
}

/* Reports the errors of a fetch. An element outside of the buffer or of mapped memory is not
 * reported if a wrong index or a wrong offset has caused it. */
static void tell(struct a2xx_machine *machine, struct a2xx_fetch_report *report)
{
    report->lanes[A2XX_FETCH_BEYOND] &= ~report->lanes[A2XX_FETCH_INDEX];
    report->lanes[A2XX_FETCH_UNMAPPED] &= ~report->lanes[A2XX_FETCH_INDEX];
    if (report->lanes[A2XX_FETCH_OFFSET])
        report->lanes[A2XX_FETCH_BEYOND] = 0;
    for (unsigned i = 0; i < A2XX_FETCH_FAULTS; i++) {
        a2xx_mask lanes = report->lanes[i];
        machine->shadow.bad_fetch |= lanes;
        if (!lanes)
            continue;
        if (i == A2XX_FETCH_BEYOND)
            find_beyond(machine, report, lanes);
        else if (i == A2XX_FETCH_OFFSET)
            find_offset(machine, report, lanes);
        else if (i == A2XX_FETCH_UNMAPPED)
            a2xx_find(machine, fault_rows[i].fault, lanes, "%s %08x", fault_rows[i].text,
                      report->address);
        else
            a2xx_find(machine, fault_rows[i].fault, lanes, "%s", fault_rows[i].text);
    }
}

/* --- results --- */

static void write_data(struct a2xx_machine *machine, uint32_t swizzle, unsigned number,
                       bool relative, a2xx_mask lanes)
{
    machine->unflushed |= relative ? UINT64_MAX : UINT64_C(1) << number;
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = swizzle >> 3 * c & 7;
        const struct a2xx_row *row = &machine->values.made[from & 3];
        if (from == DST_KEEP)
            continue;
        if (from >= DST_ZERO) {
            machine->handlers->spread(&machine->gathered, float_bits(from == DST_ONE ? 1 : 0));
            row = &machine->gathered;
        }
        a2xx_write_component(machine, machine->registers, machine->shadow.written, number, relative,
                             c, row, lanes);
    }
}

/* Returns the rows that receive the fetch's results, as arrays of floats. */
static float (*data_of(struct a2xx_machine *machine))[A2XX_LANES]
{
    return (float(*)[A2XX_LANES])(void *)machine->values.made;
}

/* --- vertex fetches --- */

static void fetch_full(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes,
                       struct a2xx_fetch_report *report)
{
    const struct a2xx_vertex *insn = &machine->code->fetch[slot].vertex;
    read_register(machine, insn->src_reg, insn->src_rel, insn->src_swiz, lanes, &machine->gathered);
    machine->handlers->store(&machine->index, &machine->gathered, lanes);
    FOR_LANES(lane, lanes) machine->full[lane] = (uint16_t)(slot + 1);
    a2xx_vertex_fetch(&machine->fetch, insn, insn, floats(&machine->gathered), lanes,
                      data_of(machine), report);
}

/* Executes a mini fetch. The full fetch before it may differ between lanes. */
static void fetch_mini(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes,
                       struct a2xx_fetch_report *report)
{
    const struct a2xx_vertex *insn = &machine->code->fetch[slot].vertex;
    while (lanes) {
        unsigned full = machine->full[first_lane(lanes)];
        a2xx_mask same = 0;
        FOR_LANES(lane, lanes) same |= (a2xx_mask)(machine->full[lane] == full) << lane;
        if (full) {
            a2xx_vertex_fetch(&machine->fetch, insn, &machine->code->fetch[full - 1].vertex,
                              floats(&machine->index), same, data_of(machine), report);
        } else {
            a2xx_find(machine, A2XX_FAULT_MINI_FETCH, same,
                      "there is no full fetch before this mini fetch");
            fetch_full(machine, slot, same, report);
        }
        lanes &= ~same;
    }
}

static void run_vertex(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes)
{
    const struct a2xx_vertex *insn = &machine->code->fetch[slot].vertex;
    struct a2xx_fetch_report report = {0};
    if (a2xx_is_mini_fetch(&machine->code->fetch[slot], machine->code->variant))
        fetch_mini(machine, slot, lanes, &report);
    else
        fetch_full(machine, slot, lanes, &report);
    tell(machine, &report);
    machine->stats.vertex_fetches += count_lanes(lanes);
    write_data(machine, insn->dst_swiz, insn->dst_reg, insn->dst_rel, lanes);
}

/* --- texture fetches --- */

static void run_texture(struct a2xx_machine *machine, const struct a2xx_texture *insn,
                        a2xx_mask lanes)
{
    struct a2xx_row coords[3];
    struct a2xx_fetch_report report = {0};
    for (unsigned i = 0; i < 3; i++)
        read_register(machine, insn->src_reg, insn->src_rel, insn->src_swiz >> 2 * i & 3,
                      A2XX_ALL_LANES, &coords[i]);
    a2xx_texture_fetch(&machine->fetch, insn, (const float(*)[A2XX_LANES])(const void *)coords,
                       lanes, machine->batch->quads, &machine->texture, data_of(machine), &report);
    tell(machine, &report);
    machine->stats.texture_fetches += count_lanes(lanes);
    if (insn->opcode < A2XX_FETCH_SET_TEX_LOD || insn->opcode > A2XX_FETCH_SET_GRADIENTS_V)
        write_data(machine, insn->dst_swiz, insn->dst_reg, insn->dst_rel, lanes);
}

void a2xx_run_fetch(struct a2xx_machine *machine, uint32_t slot, a2xx_mask lanes)
{
    const struct a2xx_fetch *fetch = &machine->code->fetch[slot];
    memset(machine->values.made, 0, sizeof machine->values.made);
    if (fetch->form == A2XX_FORM_VERTEX)
        run_vertex(machine, slot, lanes);
    else
        run_texture(machine, &fetch->texture, lanes);
}
