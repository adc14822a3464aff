/* SPDX-License-Identifier: MIT */
/* exports.c - rules about the space for exports: reservations, exports and their order.
 *
 * In:     ALLOC and ALU instructions on all paths.
 * Out:    findings.
 * Source: docs/hardware/a2xx.md, sections 4, 11, 21 and 24.
 * Choice: reservations of one kind add up. An export of the depth needs no reserved space.
 *         Relative exports are not followed. */
#include "base/diag.h"
#include "check/a2xx/a2xx_check_state.h"
#include "isa/a2xx/a2xx_isa.h"

#define BITS(first, last) ((UINT64_MAX >> (63 - (last))) & (UINT64_MAX << (first)))

static const uint64_t counted[BUFFERS] = {
    [A2XX_BUFFER_POSITION] = BITS(A2XX_EXPORT_POSITION, A2XX_EXPORT_POINT),
    [A2XX_BUFFER_PARAM_PIXEL] = BITS(0, A2XX_EXPORT_PARAMETERS - 1),
    [A2XX_BUFFER_MEMORY] = BITS(A2XX_EXPORT_DATA, A2XX_EXPORT_DATA_LAST),
};

static const uint64_t vertex_exports = BITS(0, A2XX_EXPORT_PARAMETERS - 1) |
                                       BITS(A2XX_EXPORT_ADDRESS, A2XX_EXPORT_DATA_LAST) |
                                       BITS(A2XX_EXPORT_POSITION, A2XX_EXPORT_POINT);
static const uint64_t fragment_exports = BITS(0, A2XX_EXPORT_COLOURS - 1) |
                                         BITS(A2XX_EXPORT_ADDRESS, A2XX_EXPORT_DATA_LAST) |
                                         BITS(A2XX_EXPORT_DEPTH, A2XX_EXPORT_DEPTH);

enum { NO_EXPORT = EXPORTS };

static unsigned count(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

static uint32_t lowest(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits);
}

/* --- ALLOC --- */

void a2c_step_alloc(struct a2c_walk *walk, const struct a2xx_alloc *alloc)
{
    struct a2c_state *state = walk->state;
    unsigned kind = alloc->buffer_select;
    a2c_lose(&state->a0);
    a2c_land(state);
    /* an ALLOC after the data ends the memory export */
    if (state->memory_data)
        state->memory = MAY_UNSET;
    else
        a2c_lose(&state->memory);
    if (kind == A2XX_BUFFER_MEMORY) {
        state->memory_ready = true;
        state->memory_data = false;
        state->reserved[kind] = 0;
        state->exports &= ~counted[kind];
    }
    unsigned sum = state->reserved[kind] + alloc->size + 1u;
    state->reserved[kind] = (uint8_t)(sum < RESERVED_MAX ? sum : RESERVED_MAX);
    state->alloc_at[kind] = walk->cf;
}

/* --- exports --- */

static bool exports(const struct a2c_walk *walk)
{
    return walk->alu && walk->alu->export_data && a2xx_export_mask(walk->alu);
}

/* Returns the number of an export that the stage has, or NO_EXPORT. */
static unsigned export_of(const struct a2c_walk *walk)
{
    bool vertex = walk->checker->kind == TESS_SHADER_VERTEX;
    uint64_t known = vertex ? vertex_exports : fragment_exports;
    unsigned number = exports(walk) ? walk->alu->vector_dest : NO_EXPORT;
    return number < EXPORTS && known >> number & 1 ? number : NO_EXPORT;
}

void a2c_check_export_number(const struct a2c_walk *walk)
{
    if (exports(walk) && export_of(walk) == NO_EXPORT)
        REPORT(walk, CHECK_A2XX_EXPORT_NUMBER, CHECK_ALONE,
               "export%u does not exist in %s programs", walk->alu->vector_dest,
               walk->checker->kind == TESS_SHADER_VERTEX ? "vertex" : "pixel");
}

void a2c_check_undeclared_varying(const struct a2c_walk *walk)
{
    const struct a2c_interface *interface = &walk->checker->interface;
    unsigned number = export_of(walk);
    if (number != NO_EXPORT && a2xx_export_buffer(number) == A2XX_BUFFER_PARAM_PIXEL &&
        walk->checker->kind == TESS_SHADER_VERTEX && interface->any_varying &&
        !(interface->varyings >> number & 1))
        REPORT(walk, CHECK_A2XX_VARYING_UNDECLARED, CHECK_ALONE,
               "export%u is not a declared varying", number);
}

/* --- space --- */

/* Returns the number of the last ALLOC of any kind before the export, or CHECK_NONE. */
static uint32_t other_alloc(const struct a2c_state *state)
{
    uint32_t found = CHECK_NONE;
    for (unsigned i = 1; i < BUFFERS; i++)
        if (state->alloc_at[i] != CHECK_NONE && (found == CHECK_NONE || state->alloc_at[i] > found))
            found = state->alloc_at[i];
    return found;
}

/* Returns true if no space of its kind is reserved for the export on some path. */
static bool lacks_space(const struct a2c_walk *walk, unsigned number)
{
    return walk->state->reserved[a2xx_export_buffer(number)] == 0 ||
           (number == A2XX_EXPORT_ADDRESS && !walk->state->memory_ready);
}

void a2c_check_unreserved_export(const struct a2c_walk *walk)
{
    unsigned number = export_of(walk);
    if (number == NO_EXPORT || !lacks_space(walk, number))
        return;
    enum a2xx_buffer kind = a2xx_export_buffer(number);
    uint32_t same = walk->state->alloc_at[kind], other = other_alloc(walk->state);
    if (same != CHECK_NONE && kind == A2XX_BUFFER_MEMORY)
        REPORT(walk, CHECK_A2XX_EXPORT_UNALLOCATED, CHECK_OTHER(a2c_cf(same), 0, 0),
               "export%u is a second address, and needs another ALLOC MEMORY", number);
    else if (same != CHECK_NONE)
        REPORT(walk, CHECK_A2XX_EXPORT_UNALLOCATED, CHECK_OTHER(a2c_cf(same), 0, 0),
               "export%u comes before ALLOC %s on one path", number,
               a2xx_value_name(A2XX_KIND_BUFFER, kind));
    else if (other != CHECK_NONE)
        REPORT(walk, CHECK_A2XX_EXPORT_UNALLOCATED, CHECK_OTHER(a2c_cf(other), 0, 0),
               "export%u needs ALLOC %s, but only ALLOC %s precedes it", number,
               a2xx_value_name(A2XX_KIND_BUFFER, kind),
               a2xx_value_name(A2XX_KIND_BUFFER, walk->checker->cfs[other].alloc.buffer_select));
    else
        REPORT(walk, CHECK_A2XX_EXPORT_UNALLOCATED, CHECK_ALONE,
               "export%u comes before any ALLOC; it needs ALLOC %s", number,
               a2xx_value_name(A2XX_KIND_BUFFER, kind));
}

/* Returns true if the reserved size may be a placeholder. Microsoft's compiler for the Xenos writes
 * the size 0 for parameters, and the loader replaces it. */
static bool is_filled_in_later(const struct a2c_walk *walk, enum a2xx_buffer kind)
{
    return walk->checker->variant == TESS_A2XX_XENOS && kind == A2XX_BUFFER_PARAM_PIXEL &&
           walk->state->reserved[kind] == 1;
}

/* Checks that the reserved space is sufficient. Several exports to the same number count once. */
void a2c_check_export_count(const struct a2c_walk *walk)
{
    const struct a2c_state *state = walk->state;
    unsigned number = export_of(walk);
    enum a2xx_buffer kind = a2xx_export_buffer(number);
    if (number == NO_EXPORT || lacks_space(walk, number) || is_filled_in_later(walk, kind) ||
        state->exports >> number & 1)
        return;
    unsigned reserved = state->reserved[kind];
    unsigned exported = count((state->exports | UINT64_C(1) << number) & counted[kind]);
    const struct check_about about = CHECK_OTHER(a2c_cf(state->alloc_at[kind]), 0, 0);
    if (exported > reserved)
        REPORT(walk, CHECK_A2XX_EXPORT_COUNT, about,
               "export%u is number %u of its kind, but ALLOC %s reserves only %u", number, exported,
               a2xx_value_name(A2XX_KIND_BUFFER, kind), reserved);
    else if (counted[kind] >> number & 1 && kind != A2XX_BUFFER_POSITION &&
             number - lowest(counted[kind]) >= reserved)
        REPORT(walk, CHECK_A2XX_EXPORT_COUNT, about,
               "ALLOC %s reserves %u from export%u on, which does not include export%u",
               a2xx_value_name(A2XX_KIND_BUFFER, kind), reserved, lowest(counted[kind]), number);
}

/* --- order --- */

void a2c_check_export_order(const struct a2c_walk *walk)
{
    const struct a2c_state *state = walk->state;
    const struct a2xx_cf *cf = a2c_control(walk);
    const uint64_t parameters = counted[A2XX_BUFFER_PARAM_PIXEL];
    uint32_t reserved = state->alloc_at[A2XX_BUFFER_PARAM_PIXEL];
    bool reserves = cf && cf->form == A2XX_FORM_ALLOC &&
                    cf->alloc.buffer_select == A2XX_BUFFER_POSITION;
    if (walk->checker->kind != TESS_SHADER_VERTEX)
        return;
    if (reserves && reserved != CHECK_NONE && walk->checker->exports & parameters)
        REPORT(walk, CHECK_A2XX_EXPORT_ORDER, CHECK_OTHER(a2c_cf(reserved), 0, 0),
               "space for the position is reserved after space for parameters");
    if (export_of(walk) == A2XX_EXPORT_POSITION && state->exports & parameters)
        REPORT(walk, CHECK_A2XX_EXPORT_ORDER,
               CHECK_OTHER(state->export_at[lowest(state->exports & parameters)], 0, 0),
               "the position is exported after parameter %u", lowest(state->exports & parameters));
}

/* --- exports to memory --- */

bool a2c_lacks_muladd(const struct a2c_walk *walk)
{
    return export_of(walk) == A2XX_EXPORT_ADDRESS && walk->alu->vector_opc != A2XX_V_MULADD;
}

/* Reports data whose address is missing, or interrupted. */
void a2c_check_data(const struct a2c_walk *walk, enum check_rule rule)
{
    const struct a2c_state *state = walk->state;
    unsigned number = export_of(walk);
    if (number < A2XX_EXPORT_DATA || number > A2XX_EXPORT_DATA_LAST)
        return;
    if (rule == CHECK_A2XX_MEMORY_ADDRESS && state->memory & MAY_UNSET)
        REPORT(walk, rule, CHECK_ALONE, "export%u has data, but export32 has no address", number);
    if (rule == CHECK_A2XX_MEMORY_INTERRUPTED &&
        (state->memory & (MAY_UNSET | MAY_LOST)) == MAY_LOST)
        REPORT(walk, rule, CHECK_OTHER(state->memory_at, 0, 0),
               "an ALLOC or (S) comes between the address in export32 and export%u", number);
}

static void note_memory(struct a2c_walk *walk, unsigned number)
{
    struct a2c_state *state = walk->state;
    if (number == A2XX_EXPORT_ADDRESS) {
        state->memory = MAY_SET;
        state->memory_at = (uint16_t)walk->at;
        state->memory_ready = state->memory_data = false;
    } else {
        state->memory_data = true;
    }
}

void a2c_step_export(struct a2c_walk *walk)
{
    unsigned number = walk->alu->vector_dest;
    if (!exports(walk) || walk->alu->vector_dest_rel)
        return;
    walk->state->exports |= UINT64_C(1) << number;
    walk->state->export_at[number] = (uint16_t)walk->at;
    if (a2xx_export_buffer(number) == A2XX_BUFFER_MEMORY)
        note_memory(walk, number);
}

/* --- end of the program --- */

bool a2c_lacks_position(const struct a2c_walk *walk)
{
    uint64_t done = walk->state->exports;
    return walk->checker->kind == TESS_SHADER_VERTEX && !walk->checker->relative_exports &&
           !(done >> A2XX_EXPORT_POSITION & 1) && !(done >> A2XX_EXPORT_ADDRESS & 1);
}

bool a2c_lacks_colour(const struct a2c_walk *walk)
{
    return walk->checker->kind != TESS_SHADER_VERTEX && !walk->checker->relative_exports &&
           !(walk->state->exports & fragment_exports);
}

static void check_too_much(struct a2c_checker *checker, unsigned kind)
{
    unsigned sum = 0, exported = count(checker->exports & counted[kind]);
    uint32_t last = CHECK_NONE;
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        const struct a2xx_cf *cf = &checker->cfs[i];
        if (cf->form != A2XX_FORM_ALLOC || cf->alloc.buffer_select != kind || !checker->reached[i])
            continue;
        sum += cf->alloc.size + 1;
        last = i;
    }
    bool none = sum == 1 && exported == 0; /* compilers reserve one parameter in programs without
                                            * varyings */
    if (sum > exported && !none)
        check_report(&checker->out, CHECK_A2XX_EXPORT_UNUSED, a2c_cf(last), CHECK_ALONE,
                     "ALLOC %s reserves %u, but only %u %s exported",
                     a2xx_value_name(A2XX_KIND_BUFFER, kind), sum, exported,
                     exported == 1 ? "is" : "are");
}

/* Reports components that no clause exports, in a program that exports its position. */
static void check_position(struct a2c_checker *checker)
{
    unsigned missing = 15 & ~checker->position;
    char text[A2C_COMPONENTS_MAX];
    if (checker->exports >> A2XX_EXPORT_POSITION & 1 && missing)
        check_report(
            &checker->out, CHECK_A2XX_POSITION_MISSING, checker->position_at, CHECK_ALONE,
            "export62.%s is never exported" WITH_HINT
            "export all four components of the position; w is 1 without a perspective division",
            a2c_components(text, missing));
}

void a2c_check_reserved(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    if (checker->relative_exports)
        return;
    check_position(checker);
    check_too_much(checker, A2XX_BUFFER_POSITION);
    check_too_much(checker, A2XX_BUFFER_PARAM_PIXEL);
}

void a2c_check_unwritten_varyings(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    bool follows = checker->kind == TESS_SHADER_VERTEX && !checker->relative_exports;
    for (unsigned i = 0; i < A2XX_EXPORT_PARAMETERS && follows; i++)
        if (checker->interface.varyings >> i & 1 && !(checker->exports >> i & 1))
            check_report(&checker->out, CHECK_A2XX_VARYING_UNWRITTEN, a2c_cf(0), CHECK_SUBJECT(i),
                         "varying %u is declared, but never exported", i);
}
