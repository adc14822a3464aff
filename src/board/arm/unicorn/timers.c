/* SPDX-License-Identifier: MIT */
/* timers.c - the generic timers and the cycle counter of a core, by the board's clock.
 *
 * In:  reads and writes of system registers.
 * Out: their values; calls of the board's ports.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B8.1 and B4.1.26 (CNTKCTL); Cortex-A53
 *         Technical Reference Manual, 4.5.1 (MIDR), 4.5.76 (CPUACTLR) and 4.5.77 (CPUECTLR).
 * Choices: Unicorn has no Cortex-A53 with 32 bits, and executes its programs by a Cortex-A15. */
#include "board/arm/unicorn/timers.h"

enum {
    ENABLE = 1,
    CONTROL_BITS = 3,
    CONDITION = 4,
    COHERENT = 1 << 6, /* SMPEN of CPUECTLR, which the firmware sets */
    LINE = 64,         /* bytes of a line of the data cache; an ARM1176 has lines of 32 bytes */
    MOST_LINES = 1024, /* a longer range counts as the whole cache, which it exceeds */
};

/* MPIDR of core 0. The ARM1176 has no such register, and reads its identification instead. */
static const uint32_t affinities[] = {
    [ARM_1176] = 0x410fb767,
    [ARM_CORTEX_A7] = 0x80000f00,
    [ARM_CORTEX_A53] = 0x80000000,
    [ARM_CORTEX_A53_32] = 0x80000000,
};

static uint64_t counter(const struct uc_core *core)
{
    return core->options.ports->counter(core->options.ports->user, core->options.number);
}

static uint64_t read_timer(const struct uc_core *core, enum uc_action action, unsigned number)
{
    const struct arm_timer_state *timer = &core->core.timers[number];
    if (action == UC_TIMER_COMPARE)
        return timer->compare;
    if (action == UC_TIMER_VALUE)
        return (uint32_t)(timer->compare - counter(core));
    bool met = (timer->control & ENABLE) && counter(core) >= timer->compare;
    return timer->control | (met ? CONDITION : 0);
}

static void write_timer(struct uc_core *core, enum uc_action action, unsigned number,
                        uint64_t value)
{
    struct arm_timer_state *timer = &core->core.timers[number];
    if (action == UC_TIMER_COMPARE)
        timer->compare = value;
    else if (action == UC_TIMER_VALUE)
        timer->compare = counter(core) + (uint64_t)(int64_t)(int32_t)(uint32_t)value;
    else
        timer->control = (uint32_t)value & CONTROL_BITS;
    core->options.ports->timer_changed(core->options.ports->user, core->options.number);
}

uint64_t uc_read_action(struct uc_core *core, enum uc_action action, unsigned timer)
{
    switch (action) {
    case UC_FREQUENCY: return core->options.ports->timer_frequency;
    case UC_COUNTER: return counter(core);
    case UC_AFFINITY: return affinities[core->options.model] | core->options.number;
    case UC_IDENTITY: return UC_CORTEX_A53;
    case UC_CORE_CONTROL: return timer ? COHERENT : 0;
    case UC_CYCLES: {
        uint64_t cycles = core->core.cycles - core->cycle_counter_base;
        return core->wide ? cycles : (uint32_t)cycles;
    }
    default: return read_timer(core, action, timer);
    }
}

uint64_t uc_poll_action(struct uc_core *core, enum uc_action action, unsigned timer, uint64_t pc)
{
    const struct uc_read read = {.pc = pc,
                                 .address = action,
                                 .timer = (uint8_t)timer,
                                 .value = uc_read_action(core, action, timer),
                                 .cycle = core->core.cycles};
    if (!uc_may_skip(core))
        return read.value;
    uc_skip_system_polls(core, &read);
    return uc_read_action(core, action, timer);
}

void uc_write_action(struct uc_core *core, enum uc_action action, unsigned timer, uint64_t value)
{
    switch (action) {
    case UC_FREQUENCY:
    case UC_COUNTER:
    case UC_CORE_CONTROL:
    case UC_IDENTITY:
    case UC_AFFINITY: break;
    case UC_CYCLES: core->cycle_counter_base = core->core.cycles - value; break;
    default: write_timer(core, action, timer, value); break;
    }
}

void uc_send_event(struct uc_core *core)
{
    bool due = core->event_due;
    core->event_due = false;
    if (due)
        core->options.ports->event(core->options.ports->user, core->options.number);
}

bool uc_waits_for_event(struct uc_core *core)
{
    enum { EVENTS = 1 << 2, STREAM_BITS = 0xff };
    uc_send_event(core);
    bool event = core->core.event;
    core->core.event = false;
    if (event)
        return false;
    uint32_t control = 0;
    if (core->options.model != ARM_1176) /* CNTKCTL */
        control = (uint32_t)(core->wide ? uc_system(core, 3, 0, 14, 1, 0)
                                        : uc_cp15(core, 14, 0, 1, 0));
    core->core.event_stream = control & EVENTS ? control & STREAM_BITS : 0;
    return true;
}

bool uc_is_unseen(const struct uc_core *core, enum uc_action action)
{
    bool data = action == UC_MAINTAIN_LINE || action == UC_MAINTAIN_ALL || action == UC_ZERO_LINE;
    return data && !core->options.ports->touch;
}

static void maintain_line(struct uc_core *core, unsigned what, uint64_t address)
{
    const struct arm_ports *ports = core->options.ports;
    if (uc_translate(&core->core, address, &address))
        ports->maintained(ports->user, core->options.number, what, address & ~(uint64_t)(LINE - 1),
                          LINE);
}

static void change_code_line(struct uc_core *core, uint64_t address)
{
    const struct arm_ports *ports = core->options.ports;
    if (uc_translate(&core->core, address, &address))
        ports->code_changed(ports->user, core->options.number, address & ~(uint64_t)(LINE - 1),
                            LINE);
}

void uc_maintain(struct uc_core *core, enum uc_action action, unsigned what, uint64_t address)
{
    const struct arm_ports *ports = core->options.ports;
    uc_forget_polls(core);
    switch (action) {
    case UC_CODE_CHANGED:
        ports->code_changed(ports->user, core->options.number, 0, core->options.ram.size);
        break;
    case UC_CODE_LINE: change_code_line(core, address); break;
    case UC_MAINTAIN_ALL: ports->maintained(ports->user, core->options.number, what, 0, 0); break;
    case UC_ZERO_LINE: uc_touch_line(core, address & ~(uint64_t)(LINE - 1)); break;
    default: maintain_line(core, what, address); break;
    }
}

void uc_maintain_range(struct uc_core *core, unsigned what, uint32_t first, uint32_t last)
{
    uint32_t lines = ((last | (LINE - 1)) - (first & ~(uint32_t)(LINE - 1))) / LINE + 1;
    if (last < first)
        return;
    for (uint32_t i = 0; i < lines && i < MOST_LINES; i++)
        maintain_line(core, what, first + i * LINE);
    if (lines > MOST_LINES)
        core->options.ports->maintained(core->options.ports->user, core->options.number, what, 0,
                                        0);
}
