/* SPDX-License-Identifier: MIT */
/* a2xx_check_state.c - the initial state of a program, and the merging of paths.
 *
 * In:     states after instructions.
 * Out: the state before the next instruction.
 * Source: docs/hardware/a2xx.md, sections 11 and 12. R0.x of a vertex program is the index. In
 * programs that export to memory, R2.x is the running number of the vertex (section 24). A pixel
 * program has up to 16 parameters from R0 on, and its position in the register after them. p0, a0
 * and ps are 0. Choice: all components of R0 count as written in vertex programs, because old
 * listings have R0.y and R0.z in place of a part of the fetch constant's number (section 18). */
#include "check/a2xx/a2xx_check_state.h"

enum { VERTEX_NUMBER = 2, FRAGMENT_INPUTS = A2XX_EXPORT_PARAMETERS + 1 };

static bool is_input(const struct a2c_checker *checker, unsigned reg)
{
    if (checker->kind == TESS_SHADER_VERTEX)
        return reg == 0 || (reg == VERTEX_NUMBER && checker->exports >> A2XX_EXPORT_ADDRESS & 1);
    return checker->interface.any_varying ? checker->interface.varyings >> reg & 1
                                          : reg < FRAGMENT_INPUTS;
}

void a2c_state_begin(struct a2c_state *state, const struct a2c_checker *checker)
{
    *state = (struct a2c_state){
        .predicate = MAY_UNSET, .a0 = MAY_UNSET, .ps = MAY_UNSET, .memory = MAY_UNSET};
    for (unsigned i = 0; i < BUFFERS; i++)
        state->alloc_at[i] = CHECK_NONE;
    for (unsigned i = 0; i < A2XX_REGISTERS; i++)
        if (is_input(checker, i))
            a2c_put(&state->written, i, 15);
}

/* Adds the components of *from to *to. For a register that had no components in *to, also copies
 * the slot of the instruction that has written its components. Returns true if *to changed. */
static bool merge_set(struct a2c_set *to, const struct a2c_set *from, uint16_t *to_at,
                      const uint16_t *from_at)
{
    bool changed = false;
    for (unsigned i = 0; i < SET_WORDS; i++) {
        uint64_t more = from->bits[i] & ~to->bits[i];
        if (!more)
            continue;
        changed = true;
        for (unsigned k = 0; k < 16 && to_at; k++)
            if (more >> 4 * k & 15 && !a2c_get(to, i * 16 + k))
                to_at[i * 16 + k] = from_at[i * 16 + k];
        to->bits[i] |= more;
    }
    return changed;
}

static bool merge_bits(uint8_t *to, uint8_t from, uint16_t *to_at, const uint16_t *from_at)
{
    uint8_t more = from & (uint8_t) ~*to;
    if (more && to_at)
        *to_at = *from_at;
    *to |= more;
    return more;
}

static bool merge_flag(bool *to, bool from)
{
    bool changed = from && !*to;
    *to |= from;
    return changed;
}

static bool merge_reserved(struct a2c_state *to, const struct a2c_state *from)
{
    bool changed = to->memory_ready && !from->memory_ready;
    to->memory_ready &= from->memory_ready;
    for (unsigned i = 0; i < BUFFERS; i++) {
        if (to->alloc_at[i] == CHECK_NONE)
            to->alloc_at[i] = from->alloc_at[i];
        changed |= from->reserved[i] < to->reserved[i];
        if (from->reserved[i] < to->reserved[i])
            to->reserved[i] = from->reserved[i];
    }
    return changed;
}

static bool merge_exports(struct a2c_state *to, const struct a2c_state *from)
{
    uint64_t more = from->exports & ~to->exports;
    for (unsigned i = 0; i < EXPORTS && more; i++)
        if (more >> i & 1)
            to->export_at[i] = from->export_at[i];
    to->exports |= more;
    return more;
}

static bool merge_loops(struct a2c_state *to, const struct a2c_state *from)
{
    bool changed = false;
    if (to->loop_depth != from->loop_depth)
        changed = merge_flag(&to->mixed, true);
    if (from->loop_depth < to->loop_depth) {
        to->loop_depth = from->loop_depth;
        changed = true;
    }
    return changed;
}

bool a2c_state_merge(void *into, const void *other, bool widen)
{
    struct a2c_state *to = into;
    const struct a2c_state *from = other;
    (void)widen;
    bool changed = merge_set(&to->written, &from->written, NULL, NULL);
    changed |= merge_set(&to->by_fetch, &from->by_fetch, to->fetch_at, from->fetch_at);
    changed |= merge_set(&to->by_alu, &from->by_alu, to->alu_at, from->alu_at);
    changed |= merge_bits(&to->predicate, from->predicate, NULL, NULL);
    changed |= merge_bits(&to->a0, from->a0, &to->a0_at, &from->a0_at);
    changed |= merge_bits(&to->ps, from->ps, NULL, NULL);
    changed |= merge_bits(&to->memory, from->memory, &to->memory_at, &from->memory_at);
    changed |= merge_flag(&to->fetch_done, from->fetch_done);
    changed |= merge_flag(&to->full_fetch, from->full_fetch);
    changed |= merge_flag(&to->memory_data, from->memory_data);
    changed |= merge_reserved(to, from);
    changed |= merge_exports(to, from);
    changed |= merge_loops(to, from);
    return changed;
}
