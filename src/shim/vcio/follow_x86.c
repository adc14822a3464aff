/* SPDX-License-Identifier: MIT */
/* follow_x86.c - executes the plain instructions that follow an access to registers of peripherals;
 * cpu_follow() of cpu.h.
 *
 * In:  the context of a fault.
 * Out: accesses to registers and to ordinary memory; the context after the executed instructions.
 *
 * A fault takes much longer than an access to a register. A program that starts a job writes many
 * registers, with few instructions between the writes, and then reads a register in a loop. So one
 * fault executes all these instructions.
 *
 * Choices: only instructions in the page of the first one are executed, because that page certainly
 *          contains executable code. The bytes of an instruction are compared each time it is
 *          executed, because programs may change their code. An access that is not permitted is
 *          left to the processor, which then faults at that instruction. An access to GPU memory
 *          first lets pending work run. If another thread closes that memory again, the access is
 *          left to the processor, too. */
#include <assert.h>
#include <string.h>

#include "careful_x86.h"
#include "context_x86.h"
#include "cpu.h"
#include "fault_stacks.h"
#include "plain_x86.h"

enum {
    WIDE = sizeof(void *) == 8,
    PAGE = 4096,
    SP = 4,
    NOTES = 256,
    /* bytes below the stack pointer that belong to the program: the red zone of the ABI */
    RED_ZONE = WIDE ? 128 : 0,
    /* room below the handler's frames for the call on the fault stack */
    BELOW = 1024,

    FLAGS_OWN = 0xcd5, /* CF, PF, AF, ZF, SF, DF and OF */
    FLAG_TRAP = 0x100,
    FLAG_ALIGNMENT = 0x40000,
};

/* A decoded instruction. Instructions whose addresses differ by less than NOTES have different
 * notes. */
struct note {
    uintptr_t place;
    uint8_t bytes[PLAIN_LENGTH];
    struct plain plain;
};

static_assert(NOTES * sizeof(struct note) <= FAULT_STACK_NOTES, "room for the notes");

struct follow {
    const struct cpu_following *given;
    struct plain_state state;
    struct careful careful;
    uintptr_t page;                 /* address of the page of code */
    uintptr_t used_start, used_end; /* addresses of the handler's frames */
};

/* --- instructions --- */

/* Returns the instruction at the program's instruction pointer, or NULL if it is not plain. */
static const struct plain *instruction_at(const struct follow *follow)
{
    const uintptr_t place = follow->state.ip, left = follow->page + PAGE - place;
    struct note *note = (struct note *)follow->given->notes + place % NOTES;
    uint8_t bytes[PLAIN_LENGTH];
    const size_t size = left < sizeof bytes ? left : sizeof bytes;

    if (place - follow->page >= PAGE)
        return NULL;
    if (note->place == place && note->plain.length <= size &&
        memcmp(note->bytes, (const void *)place, note->plain.length) == 0)
        return &note->plain;
    memcpy(bytes, (const void *)place, size);
    plain_decode(bytes, size, WIDE, &note->plain);
    if (note->plain.kind == PLAIN_UNKNOWN) {
        note->place = 0;
        return NULL;
    }
    note->place = place;
    memcpy(note->bytes, bytes, note->plain.length);
    return &note->plain;
}

/* --- accesses --- */

/* True if an access would change or read the handler's own frames. */
static bool is_used(const struct follow *follow, uintptr_t address, size_t size)
{
    return address < follow->used_end && address + size > follow->used_start;
}

static bool with_memory(struct follow *follow, const struct plain *plain, uintptr_t address,
                        size_t size)
{
    uintptr_t value = 0;

    if (is_used(follow, address, size))
        return false;
    if (plain_reads(plain) && !careful_copy(&follow->careful, &value, (const void *)address, size))
        return false;
    if (!plain_writes(plain)) {
        plain_execute(plain, &follow->state, &value);
        return true;
    }
    const struct plain_state before = follow->state;
    plain_execute(plain, &follow->state, &value);
    if (careful_copy(&follow->careful, (void *)address, &value, size))
        return true;
    follow->state = before;
    return false;
}

static void with_registers(struct follow *follow, const struct plain *plain, uint32_t offset,
                           size_t size)
{
    uintptr_t value = 0;

    if (plain_reads(plain))
        follow->given->read(offset, &value, size);
    plain_execute(plain, &follow->state, &value);
    if (plain_writes(plain))
        follow->given->write(offset, &value, size);
}

/* Executes an instruction. Returns false, without any effect, if its access is not permitted. */
static bool execute(struct follow *follow, const struct plain *plain)
{
    const struct plain_operand *operand = plain_memory(plain);
    uintptr_t address;
    uint32_t offset;

    if (!operand) {
        plain_execute(plain, &follow->state, NULL);
        return true;
    }
    address = plain_address(plain, &follow->state);
    switch (follow->given->kind(address, operand->size, plain_reads(plain), plain_writes(plain),
                                &offset)) {
    case ACCESS_REGISTERS: with_registers(follow, plain, offset, operand->size); return true;
    case ACCESS_GPU:
        follow->given->open();
        return with_memory(follow, plain, address, operand->size);
    case ACCESS_MEMORY: return with_memory(follow, plain, address, operand->size);
    default: return false;
    }
}

/* --- the context --- */

/* Finds the addresses of the handler's frames. The handler may have started on the thread's signal
 * stack. */
static void find_frames(struct follow *follow, const ucontext_t *context)
{
    const stack_t *stack = &context->uc_stack;
    const uintptr_t start = (uintptr_t)stack->ss_sp, low = follow->given->low;
    const bool on_signal_stack = !(stack->ss_flags & SS_DISABLE) && low - start < stack->ss_size;

    follow->used_start = low - BELOW;
    follow->used_end = on_signal_stack ? start + stack->ss_size : follow->state.gpr[SP] - RED_ZONE;
}

static void load(struct follow *follow, ucontext_t *context)
{
    for (int i = 0; i < CONTEXT_GPRS; i++)
        follow->state.gpr[i] = *context_gpr(context, i);
    follow->state.ip = *context_gpr(context, CONTEXT_IP);
    follow->state.flags = (uintptr_t)context->uc_mcontext.gregs[REG_EFL];
    follow->page = follow->state.ip & ~(uintptr_t)(PAGE - 1);
    find_frames(follow, context);
}

static void store(const struct follow *follow, ucontext_t *context)
{
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];

    for (int i = 0; i < CONTEXT_GPRS; i++)
        *context_gpr(context, i) = follow->state.gpr[i];
    *context_gpr(context, CONTEXT_IP) = follow->state.ip;
    *flags = (greg_t)(((uintptr_t)*flags & ~(uintptr_t)FLAGS_OWN) |
                      (follow->state.flags & FLAGS_OWN));
}

unsigned cpu_follow(ucontext_t *context, const struct cpu_following *following)
{
    struct follow follow = {.given = following};
    const struct plain *plain;
    unsigned count = 0;

    load(&follow, context);
    /* A debugger that steps expects a stop after each instruction. */
    if (follow.state.flags & (FLAG_TRAP | FLAG_ALIGNMENT))
        return 0;
    while (count < following->most && (plain = instruction_at(&follow)) && execute(&follow, plain))
        count++;
    careful_end(&follow.careful);
    if (count)
        store(&follow, context);
    return count;
}
