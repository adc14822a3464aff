/* SPDX-License-Identifier: MIT */
/* sanitize.c - see sanitize.h.
 *
 * A component of a register has a value in a lane after an instruction has written the component.
 * The result of a fetch is pending until the lane waits for fetches: at an instruction with (S), or
 * at ALLOC.
 * Source:  faults.def names the source of each rule. isa/a2xx/facts.h lists the operands of
 *          instructions. */
#include "a2xx/shader/sanitize.h"

#include <stdio.h>

#include "a2xx/shader/alu.h"
#include "a2xx/shader/core.h"
#include "a2xx/shader/find.h"
#include "base/bits.h"

static const char letters[] = "xyzw";

/* --- waiting --- */

/* Marks all fetch results of the given lanes as available. */
static void land(struct a2xx_machine *machine, a2xx_mask lanes)
{
    struct a2xx_shadow *shadow = &machine->shadow;
    uint64_t left = 0;
    FOR_LANES(number, shadow->any_pending)
    for (unsigned c = 0; c < 4; c++) {
        shadow->pending[number][c] &= ~lanes;
        if (shadow->pending[number][c])
            left |= UINT64_C(1) << number;
    }
    shadow->any_pending = left;
}

/* --- reads --- */

/* Kind of the instruction that reads or writes a register. */
enum kind { BY_ALU, BY_VERTEX, BY_TEXTURE };

static enum kind kind_of(const struct a2xx_fetch *fetch)
{
    return fetch->form == A2XX_FORM_VERTEX ? BY_VERTEX : BY_TEXTURE;
}

/* Reports a read of a pending fetch result. If a fetch reads the result of a fetch of the same
 * kind, the finding has a rule of its own, because Mesa's compiler omits (S) in this case. */
static void check_landed(struct a2xx_machine *machine, unsigned number, unsigned component,
                         enum kind by, a2xx_mask pending)
{
    a2xx_mask texture = pending & machine->shadow.by_texture[number][component];
    a2xx_mask chained = by == BY_TEXTURE ? texture : by == BY_VERTEX ? pending & ~texture : 0;
    if (chained)
        a2xx_find(
            machine, A2XX_FAULT_FETCH_CHAIN, chained,
            "R%u.%c is the result of a fetch of the same kind, but the instruction does not wait "
            "for it with (S)",
            number, letters[component]);
    if (pending & ~chained)
        a2xx_find(
            machine, A2XX_FAULT_UNSERIALIZED, pending & ~chained,
            "R%u.%c is the result of a fetch, but the instruction does not wait for it with (S)",
            number, letters[component]);
}

static void check_component(struct a2xx_machine *machine, unsigned number, unsigned component,
                            enum kind by, a2xx_mask lanes)
{
    struct a2xx_shadow *shadow = &machine->shadow;
    a2xx_mask unset = lanes & ~shadow->written[number][component],
              pending = lanes & shadow->pending[number][component];
    if (unset)
        a2xx_find(machine, A2XX_FAULT_REGISTER_UNSET, unset, "R%u.%c has not been written", number,
                  letters[component]);
    if (pending)
        check_landed(machine, number, component, by, pending);
}

/* Checks a register access relative to aL. */
static void check_loop_address(struct a2xx_machine *machine, unsigned number, a2xx_mask lanes)
{
    a2xx_mask outside = 0, beyond = 0;
    FOR_LANES(lane, lanes)
    {
        int sum = (int)number + machine->al[lane];
        if (!machine->loops[lane])
            outside |= (a2xx_mask)1 << lane;
        if (sum < 0 || sum >= A2XX_REGISTERS)
            beyond |= (a2xx_mask)1 << lane;
    }
    if (outside)
        a2xx_find(machine, A2XX_FAULT_LOOP_ADDRESS, outside, "aL is used outside of a loop");
    if (beyond)
        a2xx_find(machine, A2XX_FAULT_REGISTER_RANGE, beyond,
                  "register %u + aL (%d) is out of range", number, machine->al[first_lane(beyond)]);
}

static void check_register(struct a2xx_machine *machine, unsigned number, bool relative,
                           unsigned components, enum kind by, a2xx_mask lanes)
{
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1 && !relative)
            check_component(machine, number, c, by, lanes);
    if (!relative)
        return;
    check_loop_address(machine, number, lanes);
    FOR_LANES(lane, lanes)
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1)
            check_component(machine, a2xx_relative_register(machine, number, (unsigned)lane), c, by,
                            (a2xx_mask)1 << lane);
}

/* Checks a constant that the given lanes read. */
static void check_constant_place(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                                 int index, a2xx_mask lanes)
{
    int place = a2xx_constant_place(machine, code, index);
    if (place < 0)
        a2xx_find(machine, A2XX_FAULT_CONSTANT_RANGE, lanes,
                  "constant %d is outside of the stage's window", index);
    else if (!machine->constants->value_set[place])
        a2xx_find(machine, A2XX_FAULT_CONSTANT_UNSET, lanes, "C%d has not been set", index);
}

static void check_constant(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                           const struct a2xx_operand *operand, a2xx_mask lanes)
{
    if (!operand->relative) {
        check_constant_place(machine, code, operand->number, lanes);
        return;
    }
    bool a0 = code->insn.address_mode;
    a2xx_mask unset = 0;
    FOR_LANES(lane, lanes)
    {
        a2xx_mask bit = (a2xx_mask)1 << lane;
        if (a0 ? !(machine->shadow.address & bit) : !machine->loops[lane])
            unset |= bit;
        check_constant_place(machine, code,
                             operand->number + (a0 ? machine->a0[lane] : machine->al[lane]), bit);
    }
    if (a0 && (code->vector_effects | code->scalar_effects) & A2XX_SETS_ADDRESS)
        a2xx_find(
            machine, A2XX_FAULT_ADDRESS_SAME, lanes,
            "the constant is selected by the old value of a0, although this instruction sets a0");
    else if (unset)
        a2xx_find(machine, a0 ? A2XX_FAULT_ADDRESS_UNSET : A2XX_FAULT_LOOP_ADDRESS, unset, "%s",
                  a0 ? "a0 has not been set" : "aL is used outside of a loop");
}

static void check_operands(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                           a2xx_mask lanes)
{
    for (unsigned i = 0; i < code->operand_count; i++) {
        const struct a2xx_operand *operand = &code->operands[i];
        if (operand->constant)
            check_constant(machine, code, operand, lanes);
        else
            check_register(machine, operand->number, operand->relative, operand->components, BY_ALU,
                           lanes);
    }
}

/* --- the previous scalar result --- */

/* Returns the lanes whose idle scalar half reads a register without a value. The previous scalar
 * result is undefined in these lanes. */
static a2xx_mask worthless(const struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                           a2xx_mask lanes)
{
    const struct a2xx_source *source = &code->source[2];
    a2xx_mask written = lanes;
    if (code->scalar || source->constant || source->relative)
        return 0;
    if (code->reads_a)
        written &= machine->shadow.written[source->number][source->swizzle[3]];
    if (code->reads_b)
        written &= machine->shadow.written[source->number][source->swizzle[code->second_slot]];
    return lanes & ~written;
}

static void check_previous(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                           a2xx_mask lanes)
{
    a2xx_mask unset = lanes & ~machine->shadow.previous;
    if (code->reads_ps && unset)
        a2xx_find(machine, A2XX_FAULT_PREVIOUS_UNSET, unset,
                  "the previous scalar result has no defined value");
    if (!code->makes_ps)
        return;
    machine->shadow.previous |= lanes;
    machine->shadow.previous &= ~worthless(machine, code, lanes);
}

/* --- exports --- */

static bool is_export_of(enum tess_a2xx_stage stage, unsigned number)
{
    if (a2xx_export_buffer(number) == A2XX_BUFFER_MEMORY)
        return true;
    if (stage == TESS_A2XX_PIXEL)
        return number < A2XX_EXPORT_COLOURS || number == A2XX_EXPORT_DEPTH;
    return number < A2XX_EXPORT_PARAMETERS || number == A2XX_EXPORT_POSITION ||
           number == A2XX_EXPORT_POINT;
}

/* Counts the first write to each export, and reports it if ALLOC has reserved fewer exports. For
 * memory exports, the number is not checked. */
static void take_space(struct a2xx_machine *machine, unsigned number, enum a2xx_buffer kind,
                       a2xx_mask lanes)
{
    struct a2xx_shadow *shadow = &machine->shadow;
    a2xx_mask full = 0;
    FOR_LANES(lane, lanes & ~shadow->exported[number] & shadow->space[kind])
    {
        if (shadow->used[kind][lane] >= shadow->reserved[kind][lane])
            full |= (a2xx_mask)1 << lane;
        else
            shadow->used[kind][lane]++;
    }
    shadow->exported[number] |= lanes;
    if (full && kind != A2XX_BUFFER_MEMORY)
        a2xx_find(machine, A2XX_FAULT_EXPORT_SIZE, full,
                  "export%u exceeds the number of exports that ALLOC has reserved, which is %u",
                  number, shadow->reserved[kind][first_lane(full)]);
}

static void check_export(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                         a2xx_mask lanes)
{
    unsigned number = code->insn.vector_dest;
    enum a2xx_buffer kind = a2xx_export_buffer(number);
    if (!a2xx_export_mask(&code->insn))
        return;
    if (!is_export_of(machine->code->stage, number)) {
        a2xx_find(machine, A2XX_FAULT_EXPORT_NUMBER, lanes,
                  "export%u does not exist in %s programs", number,
                  machine->code->stage == TESS_A2XX_VERTEX ? "vertex" : "pixel");
        return;
    }
    a2xx_mask without = lanes & ~machine->shadow.space[kind];
    if (without)
        a2xx_find(machine, A2XX_FAULT_EXPORT_ALLOC, without, "export%u has no ALLOC %s before it",
                  number,
                  kind == A2XX_BUFFER_POSITION      ? "POSITION"
                  : kind == A2XX_BUFFER_PARAM_PIXEL ? "PARAM/PIXEL"
                                                    : "MEMORY");
    take_space(machine, number, kind, lanes);
}

void a2xx_check_alloc(struct a2xx_machine *machine, const struct a2xx_alloc *alloc, a2xx_mask lanes)
{
    struct a2xx_shadow *shadow = &machine->shadow;
    land(machine, lanes);
    shadow->space[alloc->buffer_select] |= lanes;
    FOR_LANES(lane, lanes)
    {
        unsigned reserved = shadow->reserved[alloc->buffer_select][lane] + alloc->size + 1;
        shadow->reserved[alloc->buffer_select][lane] = (uint8_t)(reserved < UINT8_MAX ? reserved
                                                                                      : UINT8_MAX);
    }
}

/* --- instructions --- */

static void check_place(struct a2xx_machine *machine, const struct a2xx_place *place,
                        bool predicated, a2xx_mask lanes)
{
    if (place->number >= A2XX_CLAUSE_MAX)
        a2xx_find(machine, A2XX_FAULT_CLAUSE_LENGTH, lanes,
                  "the clause has more than six instructions");
    if (place->partly && !predicated)
        a2xx_find(machine, A2XX_FAULT_UNPREDICATED, lanes,
                  "only some of the lanes enter the clause, but the instruction is not predicated");
    if (a2xx_is_serialized(place->exec, place->number))
        land(machine, lanes);
}

static void find_static(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                        a2xx_mask lanes)
{
    if (code->faults & A2XX_FAULT_BIT(VECTOR_OPERATION))
        a2xx_find(machine, A2XX_FAULT_VECTOR_OPERATION, lanes, "undefined vector operation %u",
                  code->insn.vector_opc);
    if (code->faults & A2XX_FAULT_BIT(SCALAR_OPERATION))
        a2xx_find(machine, A2XX_FAULT_SCALAR_OPERATION, lanes, "undefined scalar operation %u",
                  code->insn.scalar_opc);
    if (code->faults & A2XX_FAULT_BIT(BOTH_WRITE))
        a2xx_find(machine, A2XX_FAULT_BOTH_WRITE, lanes, "both halves write R%u",
                  code->insn.vector_dest);
    if (code->faults & A2XX_FAULT_BIT(BOTH_CHANGE))
        a2xx_find(machine, A2XX_FAULT_BOTH_CHANGE, lanes, "%s and %s are in one instruction",
                  a2xx_vector_ops[code->insn.vector_opc].mnemonic,
                  a2xx_scalar_ops[code->insn.scalar_opc].mnemonic);
    if (code->faults & A2XX_FAULT_BIT(KILL_VERTEX))
        a2xx_find(machine, A2XX_FAULT_KILL_VERTEX, lanes, "a vertex program has a KILL operation");
}

static void note_written(struct a2xx_shadow *shadow, unsigned number, unsigned component,
                         enum kind by, a2xx_mask lanes)
{
    shadow->pending[number][component] &= ~lanes;
    shadow->by_texture[number][component] &= ~lanes;
    if (by != BY_ALU)
        shadow->pending[number][component] |= lanes;
    if (by == BY_TEXTURE)
        shadow->by_texture[number][component] |= lanes;
}

/* Marks registers as written. After a write, the pending result of an earlier fetch no longer
 * matters. */
static void check_written(struct a2xx_machine *machine, unsigned number, bool relative,
                          unsigned components, enum kind by, a2xx_mask lanes)
{
    struct a2xx_shadow *shadow = &machine->shadow;
    if (relative && components)
        check_loop_address(machine, number, lanes);
    FOR_LANES(lane, relative ? lanes : lanes & (~lanes + 1))
    {
        unsigned to = relative ? a2xx_relative_register(machine, number, (unsigned)lane) : number;
        a2xx_mask which = relative ? (a2xx_mask)1 << lane : lanes;
        for (unsigned c = 0; c < 4; c++)
            if (components >> c & 1)
                note_written(shadow, to, c, by, which);
        if (by != BY_ALU && components)
            shadow->any_pending |= UINT64_C(1) << to;
    }
}

static bool has_relative_register(const struct a2xx_alu_code *code)
{
    const struct a2xx_alu *insn = &code->insn;
    bool relative = (code->vector_mask && insn->vector_dest_rel) ||
                    (code->scalar_mask && !insn->export_data && insn->scalar_dest_rel);
    for (unsigned i = 0; i < code->operand_count; i++)
        relative |= !code->operands[i].constant && code->operands[i].relative;
    return relative;
}

static void check_mode(struct a2xx_machine *machine, const struct a2xx_place *place, bool relative,
                       a2xx_mask lanes)
{
    if (relative && place->exec->address_mode)
        a2xx_find(machine, A2XX_FAULT_CLAUSE_MODE, lanes,
                  "a register is relative, but the clause has ABSOLUTE_ADDR");
}

void a2xx_check_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                    const struct a2xx_place *place, a2xx_mask lanes)
{
    const struct a2xx_alu *insn = &code->insn;
    bool works = code->vector || code->scalar || code->zeros || code->ones;
    check_place(machine, place, insn->is_predicated || !works, lanes);
    if (code->faults)
        find_static(machine, code, lanes);
    check_mode(machine, place, has_relative_register(code), lanes);
    check_operands(machine, code, lanes);
    check_previous(machine, code, lanes);
    if (insn->export_data) {
        check_export(machine, code, lanes);
        return;
    }
    check_written(machine, insn->vector_dest, insn->vector_dest_rel, code->vector_mask, BY_ALU,
                  lanes);
    check_written(machine, insn->scalar_dest, insn->scalar_dest_rel, code->scalar_mask, BY_ALU,
                  lanes);
}

static bool has_unknown_swizzle(const struct a2xx_fetch *fetch)
{
    uint32_t swizzle = fetch->form == A2XX_FORM_VERTEX ? fetch->vertex.dst_swiz
                                                       : fetch->texture.dst_swiz;
    bool found = false;
    for (unsigned i = 0; i < 4; i++)
        found |= (swizzle >> 3 * i & 7) == 6;
    return found;
}

void a2xx_check_fetch(struct a2xx_machine *machine, const struct a2xx_fetch *fetch,
                      const struct a2xx_place *place, a2xx_mask lanes)
{
    bool condition;
    struct a2xx_fetch_register source = a2xx_fetch_source(fetch, machine->code->variant),
                               result = a2xx_fetch_result(fetch);
    check_place(machine, place, a2xx_fetch_is_predicated(fetch, &condition), lanes);
    check_mode(machine, place, source.relative || result.relative, lanes);
    check_register(machine, source.number, source.relative, source.components, kind_of(fetch),
                   lanes);
    if (has_unknown_swizzle(fetch))
        a2xx_find(machine, A2XX_FAULT_FETCH_SWIZZLE, lanes,
                  "the destination has the undefined component code 6");
    check_written(machine, result.number, result.relative, result.components, kind_of(fetch),
                  lanes);
}

void a2xx_check_predicate(struct a2xx_machine *machine, a2xx_mask lanes)
{
    a2xx_mask unset = lanes & ~machine->shadow.predicate;
    if (unset)
        a2xx_find(machine, A2XX_FAULT_PREDICATE_UNSET, unset, "the predicate has not been set");
}

/* --- infinities and NaN --- */

void a2xx_note_function(struct a2xx_machine *machine, const struct a2xx_row *operand,
                        const struct a2xx_row *result, a2xx_mask lanes)
{
    FOR_LANES(lane, lanes)
    if (!float_bits_finite(result->lane[lane]) && float_bits_finite(operand->lane[lane]) &&
        !machine->shadow.odd_line[lane]) {
        machine->shadow.odd_line[lane] = (uint16_t)(machine->line / 2 + 1);
        machine->shadow.odd_operand[lane] = operand->lane[lane];
    }
}

/* Reports a value that is not finite. If a scalar function has computed the lane's first infinity
 * or NaN, the finding is at that instruction. Otherwise the finding is at the export. */
static void find_odd(struct a2xx_machine *machine, enum a2xx_fault fault, const char *what,
                     unsigned component, uint32_t bits, a2xx_mask lane_bit)
{
    unsigned lane = first_lane(lane_bit);
    uint32_t line = machine->line, made = machine->shadow.odd_line[lane];
    const char letter = letters[component];
    if (!made) {
        a2xx_find(machine, fault, lane_bit, "%s's %c is %g", what, letter,
                  (double)bits_float(bits));
        return;
    }
    machine->line = 2 * (made - 1);
    a2xx_find(machine, fault, lane_bit, "%s of %g is not finite, and %s's %c becomes %g",
              a2xx_scalar_ops[machine->code->alu[made - 1].insn.scalar_opc].mnemonic,
              (double)bits_float(machine->shadow.odd_operand[lane]), what, letter,
              (double)bits_float(bits));
    machine->line = line;
}

/* Returns true if the value must be reported. A position must be finite. Other exports may be
 * infinite, because a later stage may limit them. */
static bool is_odd(uint32_t bits, bool position)
{
    return position ? !float_bits_finite(bits) : (bits & 0x7fffffff) > 0x7f800000;
}

void a2xx_check_export(struct a2xx_machine *machine, unsigned number, unsigned components,
                       a2xx_mask lanes)
{
    char name[16];
    bool vertex = machine->code->stage == TESS_A2XX_VERTEX,
         position = vertex && number == A2XX_EXPORT_POSITION;
    if (number >= A2XX_EXPORT_ADDRESS && !position && number != A2XX_EXPORT_DEPTH)
        return;
    snprintf(name, sizeof name, position ? "the position" : "export%u", number);
    FOR_LANES(lane, lanes & ~machine->helpers & ~machine->killed)
    for (unsigned c = 0; c < 4; c++) {
        uint32_t bits = machine->exports[number][c].lane[lane];
        if (!(components >> c & 1) || !is_odd(bits, position))
            continue;
        find_odd(machine, position ? A2XX_FAULT_POSITION_NUMBER : A2XX_FAULT_OUTPUT_NUMBER, name, c,
                 bits, (a2xx_mask)1 << lane);
        break;
    }
}

/* --- end of lanes --- */

/* Returns the lanes that have not exported all components in the mask `components`. */
static a2xx_mask missing(const struct a2xx_machine *machine, unsigned number, unsigned components,
                         a2xx_mask lanes)
{
    a2xx_mask found = 0;
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1)
            found |= lanes & ~machine->exported[number][c];
    return found;
}

static void check_w(struct a2xx_machine *machine, a2xx_mask lanes)
{
    a2xx_mask zero = 0;
    FOR_LANES(lane, lanes)
    if ((machine->exports[A2XX_EXPORT_POSITION][3].lane[lane] & 0x7fffffff) == 0)
        zero |= (a2xx_mask)1 << lane;
    if (zero)
        a2xx_find_at(machine, A2XX_FAULT_POSITION_ZERO, A2XX_FAULT_NO_LINE + A2XX_EXPORT_POSITION,
                     zero, "w of the position is 0");
}

static void check_vertex_end(struct a2xx_machine *machine, a2xx_mask lanes)
{
    a2xx_mask without = missing(machine, A2XX_EXPORT_POSITION, 15, lanes);
    a2xx_mask no_w = without & missing(machine, A2XX_EXPORT_POSITION, 8, lanes) &
                     ~missing(machine, A2XX_EXPORT_POSITION, 7, lanes);
    if (without)
        a2xx_find_at(machine, A2XX_FAULT_POSITION_MISSING,
                     A2XX_FAULT_NO_LINE + A2XX_EXPORT_POSITION, without,
                     no_w ? "w of the position has not been exported"
                          : "the position has not been exported completely");
    check_w(machine, lanes & ~without & ~machine->shadow.bad_fetch);
}

static void check_pixel_end(struct a2xx_machine *machine, a2xx_mask lanes)
{
    a2xx_mask without = lanes;
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < A2XX_EXPORT_COLOURS; i++)
            without &= ~machine->exported[i][c];
        without &= ~machine->exported[A2XX_EXPORT_DEPTH][c];
    }
    if (without)
        a2xx_find_at(machine, A2XX_FAULT_COLOUR_MISSING, A2XX_FAULT_NO_LINE + 0, without,
                     "no colour or depth has been exported");
}

static bool is_of_memory(unsigned number)
{
    return a2xx_export_buffer(number) == A2XX_BUFFER_MEMORY;
}

void a2xx_check_end(struct a2xx_machine *machine, a2xx_mask lanes)
{
    bool vertex = machine->code->stage == TESS_A2XX_VERTEX;
    lanes &= ~(machine->killed | machine->helpers);
    if (!lanes)
        return;
    if (vertex)
        check_vertex_end(machine, lanes);
    else
        check_pixel_end(machine, lanes);
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++) {
        unsigned wanted = machine->code->exports[i];
        a2xx_mask without = missing(machine, i, wanted, lanes), some = 0;
        for (unsigned c = 0; c < 4; c++)
            some |= machine->exported[i][c];
        bool reported_elsewhere = vertex ? i == A2XX_EXPORT_POSITION : !(some & without);
        if (without && !reported_elsewhere && !is_of_memory(i))
            a2xx_find_at(machine, A2XX_FAULT_EXPORT_UNWRITTEN, A2XX_FAULT_NO_LINE + i, without,
                         "export%u has not been written, but other lanes write it", i);
    }
}
