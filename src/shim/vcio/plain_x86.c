/* SPDX-License-Identifier: MIT */
/* plain_x86.c - executes plain instructions; see plain_x86.h.
 *
 * In:  decoded instructions; registers and flags; the operand in memory.
 * Out: registers, flags and the operand after the instruction. The module has no state.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 3.4.1.1 (upper
 *         halves of registers); volume 2, appendix B.1.4.7 (conditions).
 * Choices: the processor itself computes results and flags in plain_x86.S, so that undefined flags
 *          are also those of this processor. */
#include "plain_x86.h"

#include <assert.h>

enum {
    FLAGS_ALU = 0x8d5, /* CF, PF, AF, ZF, SF and OF */
    FLAGS_SET = 0x2,
    CF = 0x1,
    PF = 0x4,
    ZF = 0x40,
    SF = 0x80,
    OF = 0x800,
};

static_assert(offsetof(struct plain_alu, a) == PLAIN_A * sizeof(uintptr_t), "plain_x86.S");
static_assert(offsetof(struct plain_alu, b) == PLAIN_B * sizeof(uintptr_t), "plain_x86.S");
static_assert(offsetof(struct plain_alu, flags) == PLAIN_FLAGS * sizeof(uintptr_t), "plain_x86.S");

static uintptr_t mask_of(unsigned size)
{
    return size >= sizeof(uintptr_t) ? UINTPTR_MAX : ((uintptr_t)1 << 8 * size) - 1;
}

static uintptr_t sign_extended(uintptr_t value, unsigned size)
{
    const unsigned unused = 8 * (unsigned)(sizeof(uintptr_t) - size);

    return (uintptr_t)((intptr_t)(value << unused) >> unused);
}

/* --- operands --- */

const struct plain_operand *plain_memory(const struct plain *plain)
{
    if (plain->to.place == PLAIN_MEMORY)
        return &plain->to;
    return plain->from.place == PLAIN_MEMORY ? &plain->from : NULL;
}

/* True if the result depends on the value that `to` has before the instruction. */
static bool depends_on_to(const struct plain *plain)
{
    return plain->kind == PLAIN_OPERATE || plain->kind == PLAIN_COMPARE ||
           plain->kind == PLAIN_CHOOSE;
}

bool plain_reads(const struct plain *plain)
{
    return plain->from.place == PLAIN_MEMORY || depends_on_to(plain);
}

bool plain_writes(const struct plain *plain)
{
    return plain->to.place == PLAIN_MEMORY && plain->kind != PLAIN_COMPARE;
}

uintptr_t plain_address(const struct plain *plain, const struct plain_state *state)
{
    uintptr_t address = plain->displacement;

    if (plain->base == PLAIN_IP)
        address += state->ip + plain->length;
    else if (plain->base != PLAIN_NONE)
        address += state->gpr[plain->base];
    if (plain->index != PLAIN_NONE)
        address += state->gpr[plain->index] * plain->scale;
    return address & mask_of(plain->address_width / 8u);
}

static uintptr_t value_of(const struct plain_operand *operand, const struct plain_state *state,
                          const uintptr_t *memory)
{
    switch (operand->place) {
    case PLAIN_REGISTER: return state->gpr[operand->reg] & mask_of(operand->size);
    case PLAIN_VALUE: return operand->value;
    case PLAIN_MEMORY: return *memory & mask_of(operand->size);
    default: return 0;
    }
}

/* A result of 4 bytes clears the upper half of a register in 64-bit mode. A smaller result leaves
 * the other bytes as they are. */
static void store(const struct plain_operand *operand, struct plain_state *state, uintptr_t *memory,
                  uintptr_t value)
{
    const uintptr_t mask = mask_of(operand->size);
    uintptr_t *reg;

    if (operand->place == PLAIN_MEMORY) {
        *memory = value & mask;
        return;
    }
    reg = &state->gpr[operand->reg];
    *reg = (value & mask) | (operand->size < 4 ? *reg & ~mask : 0);
}

/* --- execution --- */

static bool is_true(unsigned condition, uintptr_t flags)
{
    const bool less = !(flags & SF) != !(flags & OF);
    bool value = true;

    switch (condition >> 1) {
    case 0: value = flags & OF; break;
    case 1: value = flags & CF; break;
    case 2: value = flags & ZF; break;
    case 3: value = flags & (CF | ZF); break;
    case 4: value = flags & SF; break;
    case 5: value = flags & PF; break;
    case 6: value = less; break;
    case 7: value = less || flags & ZF; break;
    default: return true; /* PLAIN_ALWAYS */
    }
    return value != (condition & 1);
}

static uintptr_t operate(const struct plain *plain, struct plain_state *state, uintptr_t a,
                         uintptr_t b)
{
    const unsigned slot = 4u * plain->operation + (unsigned)__builtin_ctz(plain->to.size);
    struct plain_alu alu = {a, b, (state->flags & FLAGS_ALU) | FLAGS_SET};

    ((void (*)(struct plain_alu *))(uintptr_t)(plain_slots + PLAIN_SLOT * slot))(&alu);
    state->flags = (state->flags & ~(uintptr_t)FLAGS_ALU) | (alu.flags & FLAGS_ALU);
    return alu.a;
}

static uintptr_t result_of(const struct plain *plain, struct plain_state *state,
                           const uintptr_t *memory)
{
    const uintptr_t from = value_of(&plain->from, state, memory);

    switch (plain->kind) {
    case PLAIN_EXTEND: return sign_extended(from, plain->from.size);
    case PLAIN_ADDRESS: return plain_address(plain, state);
    case PLAIN_SET: return is_true(plain->condition, state->flags);
    case PLAIN_CHOOSE:
        return is_true(plain->condition, state->flags) ? from : value_of(&plain->to, state, memory);
    case PLAIN_OPERATE:
    case PLAIN_COMPARE: return operate(plain, state, value_of(&plain->to, state, memory), from);
    case PLAIN_SCALE: return operate(plain, state, from, plain->value);
    default: return from;
    }
}

void plain_execute(const struct plain *plain, struct plain_state *state, uintptr_t *memory)
{
    const uintptr_t next = state->ip + plain->length;
    uintptr_t result;

    if (plain->kind == PLAIN_JUMP) {
        state->ip = next + (is_true(plain->condition, state->flags) ? plain->value : 0);
        return;
    }
    if (plain->kind != PLAIN_NOTHING) {
        result = result_of(plain, state, memory);
        if (plain->kind != PLAIN_COMPARE)
            store(&plain->to, state, memory, result);
    }
    state->ip = next;
}
