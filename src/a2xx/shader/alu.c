/* SPDX-License-Identifier: MIT */
/* alu.c - see alu.h.
 *
 * Both halves of an instruction (vector and scalar) read their operands before either half writes a
 * result. Operands have their signs applied and their denormals flushed to 0.
 * Source:  docs/hardware/a2xx.md, sections 5 to 10, 12, 13 and 27. */
#include "a2xx/shader/alu.h"

#include <math.h>

#include "a2xx/shader/core.h"
#include "a2xx/shader/find.h"
#include "a2xx/shader/sanitize.h"
#include "base/bits.h"

enum { A0_LEAST = -256, A0_GREATEST = 255, XYZW = 15 };

/* --- operands --- */

int a2xx_constant_place(const struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                        int index)
{
    static const struct a2xx_window whole = {0, TESS_A2XX_CONSTANTS};
    const struct a2xx_window *window = code->everywhere ? &whole : machine->window;
    return index < 0 || index >= (int)window->size ? -1 : (int)window->base + index;
}

static uint32_t constant_bits(const struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                              int index, unsigned component)
{
    int place = a2xx_constant_place(machine, code, index);
    return place < 0 ? 0 : float_bits(machine->constants->value[place][component]);
}

/* Collects a component of a relative operand. Each lane reads its own register or constant. */
static const struct a2xx_row *gather(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                                     const struct a2xx_source *source, unsigned component)
{
    const int16_t *offset = code->insn.address_mode ? machine->a0 : machine->al;
    FOR_LANES(lane, machine->values.lanes)
    {
        machine->gathered.lane[lane] =
            source->constant
                ? constant_bits(machine, code, source->number + offset[lane], component)
                : machine
                      ->registers[a2xx_relative_register(machine, source->number, (unsigned)lane)]
                                 [component]
                      .lane[lane];
    }
    return &machine->gathered;
}

static void read_operand(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                         const struct a2xx_source *source, unsigned component, struct a2xx_row *to)
{
    const struct a2xx_row *from = &machine->registers[source->number & 63][component];
    if (source->relative) {
        from = gather(machine, code, source, component);
    } else if (source->constant) {
        uint32_t bits = constant_bits(machine, code, source->number, component);
        bits &= bits & 0x7f800000 ? UINT32_MAX : UINT32_C(0x80000000);
        machine->handlers->spread(to, (bits & source->keep) ^ source->sign);
        return;
    }
    machine->handlers->operand(to, from, source->keep, source->sign);
}

/* Returns the component of an operand that a slot reads. A register without denormals is read in
 * place, except in a trace, which shows operands after the results are written. If several operands
 * are equal, each component is computed once. */
static const struct a2xx_row *operand(struct a2xx_machine *machine,
                                      const struct a2xx_alu_code *code, unsigned number,
                                      unsigned slot)
{
    const struct a2xx_source *source = &code->source[number];
    unsigned component = source->swizzle[slot], home = source->same;
    if (source->plain && !machine->watch && !(machine->unflushed >> source->number & 1))
        return &machine->registers[source->number][component];
    if (!(machine->operand_ready[home] >> component & 1)) {
        read_operand(machine, code, source, component, &machine->operand[home][component]);
        machine->operand_ready[home] |= (uint8_t)(1 << component);
    }
    return &machine->operand[home][component];
}

/* Reads the operands of the vector half. If the run is traced, also reads operands of components
 * that are not written, because the trace shows them. */
static void read_vector_operands(struct a2xx_machine *machine, const struct a2xx_alu_code *code)
{
    const uint8_t *reads = machine->watch ? code->reads_whole : code->reads;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned slot = 0; slot < 4; slot++)
            if (reads[i] >> slot & 1)
                machine->values.source[i][slot] = operand(machine, code, i, slot);
}

static void read_scalar_operands(struct a2xx_machine *machine, const struct a2xx_alu_code *code)
{
    if (code->const_op) {
        read_operand(machine, code, &code->first, code->first.swizzle[3], &machine->operand_a);
        read_operand(machine, code, &code->second, code->second.swizzle[code->second_slot],
                     &machine->operand_b);
        machine->values.a = &machine->operand_a;
        machine->values.b = &machine->operand_b;
        return;
    }
    if (code->reads_a)
        machine->values.a = operand(machine, code, 2, 3);
    if (code->reads_b)
        machine->values.b = operand(machine, code, 2, code->second_slot);
}

/* --- side effects --- */

static int16_t address_of(float value)
{
    if (!(value > A0_LEAST)) /* also true if value is NaN */
        return A0_LEAST;
    return value < A0_GREATEST ? (int16_t)value : A0_GREATEST;
}

static void set_address(struct a2xx_machine *machine, const struct a2xx_row *from, bool nearest,
                        a2xx_mask lanes)
{
    a2xx_mask clamped = 0;
    FOR_LANES(lane, lanes)
    {
        float value = bits_float(from->lane[lane]);
        value = floorf(nearest ? value + 0.5f : value);
        machine->a0[lane] = address_of(value);
        if (!(value >= A0_LEAST && value <= A0_GREATEST))
            clamped |= (a2xx_mask)1 << lane;
    }
    machine->shadow.address |= lanes;
    if (clamped)
        a2xx_find(machine, A2XX_FAULT_ADDRESS_CLAMPED, clamped, "a0 is set to %g",
                  (double)bits_float(from->lane[first_lane(clamped)]));
}

static void take_effects(struct a2xx_machine *machine, unsigned effects, a2xx_mask lanes)
{
    a2xx_mask truth = machine->values.truth & lanes;
    if (effects & A2XX_SETS_PREDICATE) {
        machine->predicate = (machine->predicate & ~lanes) | truth;
        machine->shadow.predicate |= lanes;
    }
    if (effects & A2XX_KILLS && machine->code->stage == TESS_A2XX_PIXEL)
        machine->killed |= truth;
}

/* --- results --- */

void a2xx_write_component(struct a2xx_machine *machine, struct a2xx_row (*file)[4],
                          a2xx_mask (*marks)[4], unsigned number, bool relative, unsigned component,
                          const struct a2xx_row *from, a2xx_mask lanes)
{
    if (!relative) {
        machine->handlers->store(&file[number][component], from, lanes);
        marks[number][component] |= lanes;
        return;
    }
    FOR_LANES(lane, lanes)
    {
        unsigned to = a2xx_relative_register(machine, number, (unsigned)lane);
        file[to][component].lane[lane] = from->lane[lane];
        marks[to][component] |= (a2xx_mask)1 << lane;
        if (file == machine->exports)
            machine->export_numbers |= UINT64_C(1) << to;
    }
}

static void write_result(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                         unsigned number, bool relative, unsigned component,
                         const struct a2xx_row *from, a2xx_mask lanes)
{
    if (code->insn.export_data)
        a2xx_write_component(machine, machine->exports, machine->exported, code->insn.vector_dest,
                             code->insn.vector_dest_rel, component, from, lanes);
    else
        a2xx_write_component(machine, machine->registers, machine->shadow.written, number, relative,
                             component, from, lanes);
}

static void write_vector(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                         a2xx_mask lanes)
{
    bool reduction = a2xx_op_is_reduction(code->insn.vector_opc);
    for (unsigned c = 0; c < 4; c++) {
        const struct a2xx_row *from = &machine->values.made[reduction ? 0 : c];
        if (!(code->vector_mask >> c & 1))
            continue;
        if (code->insn.vector_clamp) {
            machine->handlers->clamp(&machine->clamped, from);
            from = &machine->clamped;
        }
        write_result(machine, code, code->insn.vector_dest, code->insn.vector_dest_rel, c, from,
                     lanes);
    }
}

static void write_scalar(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                         a2xx_mask lanes)
{
    const struct a2xx_row *from = &machine->previous;
    if (code->insn.scalar_clamp && code->scalar_mask) {
        machine->handlers->clamp(&machine->clamped, from);
        from = &machine->clamped;
    }
    for (unsigned c = 0; c < 4; c++)
        if (code->scalar_mask >> c & 1)
            write_result(machine, code, code->insn.scalar_dest, code->insn.scalar_dest_rel, c, from,
                         lanes);
}

/* Writes the constant components of an export. A component becomes 1 if its bit is set in both
 * write masks, and 0 if the bit is set in neither mask. */
static void write_fixed(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                        a2xx_mask lanes)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!((code->ones | code->zeros) >> c & 1))
            continue;
        machine->handlers->spread(&machine->clamped, float_bits(code->ones >> c & 1 ? 1 : 0));
        write_result(machine, code, 0, false, c, &machine->clamped, lanes);
    }
}

/* --- instructions --- */

static void run_vector(struct a2xx_machine *machine, const struct a2xx_alu_code *code)
{
    a2xx_op_function *function = machine->handlers->vector[code->insn.vector_opc];
    machine->values.needed = machine->watch ? XYZW : code->vector_mask;
    machine->values.truth = 0;
    if (function) {
        function(&machine->values);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        machine->handlers->spread(&machine->values.made[c], 0);
}

static void run_scalar(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                       a2xx_mask lanes)
{
    a2xx_op_function *function = machine->handlers->scalar[code->insn.scalar_opc];
    machine->values.truth = 0;
    if (!code->makes_ps)
        return;
    machine->values.ps = machine->previous;
    function(&machine->values);
    if (machine->checked && code->reads_a && !code->reads_b)
        a2xx_note_function(machine, machine->values.a, &machine->values.ps, lanes);
    machine->handlers->store(&machine->previous, &machine->values.ps, lanes);
}

void a2xx_run_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code, a2xx_mask lanes)
{
    bool vector = code->vector || machine->watch,
         scalar = code->scalar || (code->makes_ps && (machine->code->reads_ps || machine->watch));
    machine->values.lanes = lanes;
    machine->operand_ready[0] = machine->operand_ready[1] = machine->operand_ready[2] = 0;
    if (vector)
        read_vector_operands(machine, code);
    if (scalar)
        read_scalar_operands(machine, code);
    if (vector) {
        run_vector(machine, code);
        take_effects(machine, code->vector_effects, lanes);
    }
    /* Both halves have read their operands, so the vector half may write its result. */
    if (scalar)
        run_scalar(machine, code, lanes);
    if (code->insn.export_data && !code->insn.vector_dest_rel && a2xx_export_mask(&code->insn))
        machine->export_numbers |= UINT64_C(1) << code->insn.vector_dest;
    if (code->vector)
        write_vector(machine, code, lanes);
    if (scalar) {
        take_effects(machine, code->scalar_effects, lanes);
        write_scalar(machine, code, lanes);
    }
    if (code->ones | code->zeros)
        write_fixed(machine, code, lanes);
    if (code->vector_effects & A2XX_SETS_ADDRESS)
        set_address(machine, machine->values.source[0][3], true, lanes);
    if (code->scalar_effects & A2XX_SETS_ADDRESS)
        set_address(machine, machine->values.a, code->insn.scalar_opc == A2XX_S_MOVA, lanes);
}
