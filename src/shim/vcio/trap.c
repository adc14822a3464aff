/* SPDX-License-Identifier: MIT */
/* trap.c - see trap.h.
 *
 * In:  faults of the program's instructions.
 * Out: accesses to the machine through access.h. cpu_*.c executes the instructions.
 *
 * The handler starts on the thread's stack or signal stack, which may be small. So the machine runs
 * on a fault stack (fault_stacks.h).
 *
 * Left out: system calls with pointers to registers, which return EFAULT; accesses by other
 *           processes. */
#include "trap.h"

#include <alloca.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "access.h"
#include "cpu.h"
#include "fault_stacks.h"
#include "guard.h"
#include "ranges.h"
#include "shim/common/device_lock.h"
#include "signals.h"

static uintptr_t page_size;

static uintptr_t down(uintptr_t address)
{
    return address & ~(page_size - 1);
}

static uintptr_t up(uintptr_t address)
{
    return down(address + page_size - 1);
}

/* ------------------------------------------------------------------ faults */

/* Highest number of instructions that one fault executes, and therefore the longest delay of a
 * signal. */
static unsigned most_instructions = TRAP_MOST;

void trap_limit(unsigned instructions)
{
    most_instructions = instructions;
}

/* A fault. The function that runs on the fault stack receives it. */
struct handling {
    ucontext_t *context;
    struct fault_stack *place;
    uintptr_t low; /* lowest address of the handler's frames outside of the fault stack */
    struct cpu_step step;
    enum cpu_result result;
};

static unsigned follow(const struct handling *handling)
{
    const struct cpu_following following = {
        .notes = handling->place->notes,
        .most = most_instructions,
        .low = handling->low,
        .kind = access_kind,
        .open = access_open,
        .read = access_read_registers,
        .write = access_write_registers,
    };

    return cpu_follow(handling->context, &following);
}

/* Executes the instruction, and as many of the following ones as possible. */
static void carry_out(void *argument)
{
    struct handling *handling = argument;

    handling->result = CPU_DONE;
    if (follow(handling))
        return;
    handling->result = cpu_step(handling->context, handling->place->code, &handling->step);
    if (handling->result == CPU_DONE && !handling->step.push.size)
        follow(handling);
}

static void settle(void *argument)
{
    (void)argument;
    access_settle();
}

/* A call on a fault stack. */
struct call {
    void (*function)(void *argument);
    void *argument;
};

/* Disables the thread's signal stack during a call. Otherwise the system would use the signal stack
 * from its start for another signal, and overwrite the frames of the fault. */
static void without_signal_stack(void *argument)
{
    const struct call *call = argument;
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t before;

    sigaltstack(&none, &before);
    call->function(call->argument);
    sigaltstack(&before, NULL);
}

static void call_on(const struct fault_stack *place, const ucontext_t *context,
                    void (*function)(void *argument), void *argument)
{
    struct call call = {function, argument};

    if (context->uc_stack.ss_flags & SS_DISABLE)
        cpu_call_on(place->stack_end, function, argument);
    else
        cpu_call_on(place->stack_end, without_signal_stack, &call);
}

static void report_refused(const ucontext_t *context, const struct cpu_step *step,
                           uintptr_t address)
{
    uint8_t code[CPU_LENGTH];
    char text[96], bytes[3 * CPU_LENGTH + 1] = "";
    size_t length = cpu_code(context, code);

    cpu_describe(context, text, sizeof text);
    for (size_t i = 0; i < length; i++)
        snprintf(bytes + 3 * i, 4, "%02x ", code[i]);
    dprintf(STDERR_FILENO,
            "tessera: error: the instruction at %p (%s%s%s) accesses registers of peripherals at "
            "%p, but %s\n",
            (void *)cpu_place(context), bytes, text[0] ? "= " : "", text, (void *)address,
            step->reason);
}

/* Executes an instruction that accesses registers. Returns false if the fault is an error of the
 * program. Then info->si_addr is the address of the error. */
static bool access_registers(ucontext_t *context, siginfo_t *info, struct cpu_push *push)
{
    struct handling handling = {
        .context = context,
        .place = fault_stack_take(cpu_needs_code()),
        .low = (uintptr_t)__builtin_frame_address(0),
    };

    if (!handling.place) {
        handling.step.reason = "there is not enough memory to execute it";
        report_refused(context, &handling.step, (uintptr_t)info->si_addr);
        return false;
    }
    call_on(handling.place, context, carry_out, &handling);
    fault_stack_give(handling.place);
    *push = handling.step.push;
    if (handling.result == CPU_REFUSED)
        report_refused(context, &handling.step, (uintptr_t)info->si_addr);
    if (handling.result == CPU_FAULT)
        info->si_addr = (void *)handling.step.address;
    return handling.result == CPU_DONE;
}

/* True if the protection permits the access. Repeating the instruction may then succeed, because
 * another thread may have made the page accessible after the fault. */
static bool may_try_again(const ucontext_t *context, const siginfo_t *info, int protection)
{
    static __thread uintptr_t last_place, last_address;
    static __thread unsigned again;
    int writes = cpu_fault_writes(context);
    uintptr_t place = cpu_place(context), address = (uintptr_t)info->si_addr;

    if (writes >= 0)
        return protection & (writes ? PROT_WRITE : PROT_READ | PROT_EXEC);
    /* If the fault recurs at the same instruction and address, the cause is not another thread. */
    again = place == last_place && address == last_address ? again + 1 : 0;
    last_place = place;
    last_address = address;
    return protection != PROT_NONE && again < 16;
}

/* Handles an access to GPU memory. Returns false if the closed guard is not the cause of the
 * fault. */
static bool touch_memory(const ucontext_t *context, const siginfo_t *info, int protection)
{
    struct fault_stack *place;

    if (!may_try_again(context, info, protection))
        return false;
    if (!guard_is_closed())
        return true; /* another thread has opened the guard */
    place = fault_stack_take(cpu_needs_code());
    if (!place)
        return false;
    call_on(place, context, settle, NULL);
    fault_stack_give(place);
    return true;
}

/* Handles a fault at an address that shows registers or GPU memory. Returns false for other
 * faults. */
static bool caught(ucontext_t *context, siginfo_t *info, struct cpu_push *push)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    const struct range *found;
    struct range range;
    bool ours;

    ranges_enter();
    found = ranges_at(address);
    ours = found && found->start <= address;
    if (ours)
        range = *found;
    ranges_leave();
    if (!ours)
        return false;
    return range.kind == RANGE_REGISTERS ? access_registers(context, info, push)
                                         : touch_memory(context, info, range.protection);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    struct cpu_push push = {.size = 0};
    int error = errno;
    const sigset_t *before;
    bool ours;

    if (cpu_catch(number, info, context))
        return;
    /* A signal that was sent by a process has a code up to 0. A fault has a larger code. */
    before = device_set_signals(&((ucontext_t *)context)->uc_sigmask);
    ours = info->si_code > 0 && caught(context, info, &push);
    device_set_signals(before);
    if (!ours)
        signals_pass(number, info, context);
    if (push.size)
        cpu_push(context, &push, alloca(cpu_frame_size(context)));
    errno = error;
}

bool trap_install(void)
{
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    return signals_take(on_fault);
}

/* ------------------------------------------------------------------ ranges */

static bool put(void *start, size_t size, enum range_kind kind, uint32_t offset, int protection)
{
    struct range range = {.kind = kind, .offset = offset, .protection = protection};
    bool done;

    if (!trap_install())
        return false;
    range.start = down((uintptr_t)start);
    range.end = up((uintptr_t)start + size);
    range.offset -= (uint32_t)((uintptr_t)start - range.start);
    ranges_lock();
    done = ranges_put(&range);
    if (done && kind == RANGE_MEMORY && guard_is_closed())
        syscall(SYS_mprotect, range.start, range.end - range.start, PROT_NONE);
    ranges_unlock();
    return done;
}

bool trap_watch(void *start, size_t size, uint32_t offset, int protection)
{
    return put(start, size, RANGE_REGISTERS, offset, protection);
}

bool guard_watch(void *start, size_t size, int protection)
{
    return put(start, size, RANGE_MEMORY, 0, protection);
}

void trap_forget(void *start, size_t size)
{
    if (!page_size)
        return;
    ranges_lock();
    ranges_cut(down((uintptr_t)start), up((uintptr_t)start + size));
    ranges_unlock();
}

/* Clips *range to the part from `start` up to `end`, and adjusts the range's offset. */
static void clip(struct range *range, uintptr_t start, uintptr_t end)
{
    if (range->start < start) {
        range->offset += (uint32_t)(start - range->start);
        range->start = start;
    }
    if (range->end > end)
        range->end = end;
}

/* Changes the end of the range that ends at `end` to new_end. The start of the range stays. */
static void resize(uintptr_t end, uintptr_t new_end)
{
    ranges_cut(end < new_end ? end : new_end, end < new_end ? new_end : end);
    struct range *last = ranges_at(end - 1);
    if (last && last->start < end && last->end == end)
        last->end = new_end;
}

/* Moves the ranges from `from` up to `end` to the address `to`. The new addresses do not overlap
 * the old ones. */
static void move_ranges(uintptr_t from, uintptr_t end, uintptr_t to, size_t new_size)
{
    const struct range *range;
    struct range moved;

    ranges_cut(to, to + new_size);
    for (range = ranges_at(from); range && range->start < end; range = ranges_at(moved.end)) {
        moved = *range;
        clip(&moved, from, end);
        ranges_cut(moved.start, moved.end);
        struct range there = moved;
        if (there.end == end) /* the last range gets longer */
            there.end = from + new_size;
        clip(&there, from, from + new_size);
        there.start += to - from;
        there.end += to - from;
        if (there.start < there.end)
            ranges_put(&there);
    }
}

void trap_move(void *old, size_t old_size, void *new, size_t new_size)
{
    uintptr_t from = (uintptr_t)old, to = (uintptr_t) new, end = from + up(old_size);

    if (!page_size)
        return;
    ranges_lock();
    if (from == to)
        resize(end, from + up(new_size));
    else
        move_ranges(from, end, to, up(new_size));
    ranges_unlock();
}

/* Carries out the program's mprotect() for the pages of one range, or for pages that are in no
 * range (range is NULL). */
static int protect(struct range *range, uintptr_t start, uintptr_t end, int protection)
{
    if (range)
        range->protection = protection;
    if (range && (range->kind == RANGE_REGISTERS || guard_is_closed()))
        return 0;
    return (int)syscall(SYS_mprotect, start, end - start, protection);
}

int trap_protect(void *start, size_t size, int protection)
{
    uintptr_t at = (uintptr_t)start, end = page_size ? up(at + size) : 0, behind;
    int result = 0;

    if (!page_size || at != down(at) || end <= at)
        return (int)syscall(SYS_mprotect, start, size, protection);
    ranges_lock();
    if (!ranges_split(at) || !ranges_split(end)) {
        errno = ENOMEM;
        result = -1;
    }
    for (; !result && at < end; at = behind) {
        struct range *range = ranges_at(at);
        bool ours = range && range->start <= at;

        behind = ours ? range->end : range && range->start < end ? range->start : end;
        result = protect(ours ? range : NULL, at, behind, protection);
    }
    ranges_unlock();
    return result;
}
