/* SPDX-License-Identifier: MIT */
/* local.c - the local controller of the BCM2836's ARM cores.
 *
 * In:  register accesses; levels of the interrupt controller and of the cores' generic timers.
 * Out: the levels of IRQ and FIQ of each core; register values.
 *
 * Source: "BCM2836 ARM-local peripherals" (QA7), revision 3.4; Linux' irq-bcm2836.c.
 * Modelled: routing of interrupts, mailboxes, the local timer, the core timer's 64-bit access.
 * Left out: interrupts of the performance monitors and of AXI; their counters read as 0.
 * Choices: the prescaler is 0x80000000 after power-on, which the firmware's start code writes. The
 *          core timer's APB clock is the core clock. A reload value of 0 stops the local timer. */
#include "board/bcm2835/local.h"

#include "board/bcm2835/rate.h"
#include "board/bcm2835/report.h"

enum {
    CONTROL = 0x00,
    PRESCALER = 0x08,
    GPU_ROUTING = 0x0c,
    PMU_SET = 0x10,
    PMU_CLEAR = 0x14,
    CORE_LOW = 0x1c,
    CORE_HIGH = 0x20,
    TIMER_ROUTING = 0x24,
    ROUTING_1_TO_7 = 0x28,
    AXI_COUNTERS = 0x2c,
    AXI_INTERRUPT = 0x30,
    LOCAL_CONTROL = 0x34,
    LOCAL_FLAGS = 0x38,
    TIMER_CONTROLS = 0x40,
    MAILBOX_CONTROLS = 0x50,
    IRQ_SOURCES = 0x60,
    FIQ_SOURCES = 0x70,
    MAILBOX_SETS = 0x80,
    MAILBOX_CLEARS = 0xc0,
    END = 0x100,

    CONTROL_APB = 1 << 8,
    CONTROL_BY_TWO = 1 << 9,
    SOURCE_MAILBOXES = 4, /* first of four bits */
    SOURCE_GPU = 8,
    SOURCE_LOCAL_TIMER = 11,
    CRYSTAL = 19200000,
    LOCAL_RELOAD = (1 << 28) - 1,
    LOCAL_ENABLE = 1 << 28,
    LOCAL_INTERRUPT = 1 << 29,
    FLAG_RELOAD = 1 << 30,
    LOCAL_SETTINGS = (1 << 30) - 1,

    /* The local timer's tick is 1 / 38.4 MHz, or 625 / 24 nanoseconds. */
    TICK_NUMERATOR = 625,
    TICK_DENOMINATOR = 24,
};

#define LOCAL_FLAG UINT32_C(0x80000000)

/* --- interrupts --- */

/* Returns the raised sources of a core: those of its FIQ, or those of its IRQ. Sources that a
 * control register sends to FIQ do not cause an IRQ. */
static uint32_t sources(const struct local *s, unsigned core, bool fiq)
{
    uint32_t value = 0;
    const uint32_t controls[2] = {s->timer_control[core], s->mailbox_control[core]};
    for (unsigned kind = 0; kind < 2; kind++) {
        uint32_t to_fiq = controls[kind] >> 4 & 0xf;
        uint32_t enabled = fiq ? to_fiq : controls[kind] & 0xf & ~to_fiq;
        for (unsigned i = 0; i < 4; i++) {
            bool level = kind == 0 ? s->timers[core] >> i & 1
                                   : s->mailbox[core * LOCAL_MAILBOXES + i] != 0;
            value |= (uint32_t)(level && enabled >> i & 1) << (kind * SOURCE_MAILBOXES + i);
        }
    }
    if ((s->gpu_routing >> (fiq ? 2 : 0) & 3) == core && s->gpu >> fiq & 1)
        value |= 1 << SOURCE_GPU;
    if (s->local_control & LOCAL_FLAG && s->local_control & LOCAL_INTERRUPT &&
        s->timer_routing == (fiq ? LOCAL_CORES : 0) + core)
        value |= 1 << SOURCE_LOCAL_TIMER;
    return value;
}

uint32_t local_levels(const struct local *s, unsigned core)
{
    if (core >= LOCAL_CORES)
        return 0;
    return (uint32_t)(sources(s, core, false) != 0) | (uint32_t)(sources(s, core, true) != 0) << 1;
}

void local_gpu(struct local *s, bool irq, bool fiq)
{
    s->gpu = (uint32_t)irq | (uint32_t)fiq << 1;
}

void local_timer(struct local *s, unsigned core, unsigned timer, bool level)
{
    if (core < LOCAL_CORES && timer < 4)
        s->timers[core] = (s->timers[core] & ~(UINT32_C(1) << timer)) | (uint32_t)level << timer;
}

/* --- the core timer --- */

/* Returns ticks * prescaler / 2^31. */
static uint64_t prescaled(uint64_t ticks, uint32_t prescaler)
{
    return (ticks >> 31) * prescaler + ((ticks & 0x7fffffff) * prescaler >> 31);
}

uint64_t local_count(const struct local *s, uint64_t now)
{
    uint64_t elapsed = now > s->core_time ? now - s->core_time : 0;
    return s->core_count + prescaled(rate_ticks(elapsed, s->core_rate), s->prescaler);
}

uint64_t local_time_of(const struct local *s, uint64_t count)
{
    const uint64_t prescaler = s->prescaler;
    if (count <= s->core_count)
        return s->core_time;
    uint64_t left = count - s->core_count;
    if (!prescaler || left / prescaler >> 33)
        return DEVICE_NEVER;
    uint64_t rest = (left % prescaler << 31) + prescaler - 1; /* below 2^64 */
    uint64_t ticks = (left / prescaler << 31) + rest / prescaler;
    return rate_after(s->core_time, rate_time(ticks, s->core_rate));
}

/* Lets the core timer continue from a value with the present settings. */
static void set_core_timer(struct local *s, const struct device_ports *ports, uint64_t count)
{
    uint32_t rate = s->control & CONTROL_APB ? ports->clock_rate(ports->user, TESS_PI_CLOCK_CORE)
                                             : CRYSTAL;
    s->core_count = count;
    s->core_time = ports->now(ports->user);
    s->core_rate = s->control & CONTROL_BY_TWO ? rate * 2 : rate;
}

/* --- the local timer --- */

static uint32_t reload(const struct local *s)
{
    return s->local_control & LOCAL_RELOAD;
}

static bool is_counting(const struct local *s)
{
    return s->local_control & LOCAL_ENABLE && reload(s) != 0;
}

static uint64_t local_next(const void *state)
{
    const struct local *s = state;
    if (!is_counting(s) || s->local_control & LOCAL_FLAG)
        return DEVICE_NEVER;
    uint64_t ticks = (uint64_t)reload(s) * (s->local_periods + 1) * TICK_NUMERATOR;
    return rate_after(s->local_time, (ticks + TICK_DENOMINATOR - 1) / TICK_DENOMINATOR);
}

static void local_advance(void *state, const struct device_ports *ports)
{
    struct local *s = state;
    uint64_t now = ports->now(ports->user);
    if (!is_counting(s) || now <= s->local_time)
        return;
    uint64_t elapsed = now - s->local_time;
    uint64_t whole = (uint64_t)reload(s) * TICK_NUMERATOR; /* nanoseconds of 24 periods */
    uint64_t ticks = elapsed % whole * TICK_DENOMINATOR / TICK_NUMERATOR;
    uint64_t periods = ticks / reload(s);
    if (elapsed >= whole || periods > s->local_periods)
        s->local_control |= LOCAL_FLAG;
    s->local_time += elapsed / whole * whole;
    s->local_periods = (uint32_t)periods;
}

static void restart(struct local *s, const struct device_ports *ports)
{
    s->local_time = ports->now(ports->user);
    s->local_periods = 0;
}

static void write_local_timer(struct local *s, const struct device_ports *ports, uint32_t value)
{
    s->local_control = (s->local_control & LOCAL_FLAG) | (value & LOCAL_SETTINGS);
    restart(s, ports);
}

static void write_flags(struct local *s, const struct device_ports *ports, uint32_t value)
{
    if (value & LOCAL_FLAG)
        s->local_control &= ~LOCAL_FLAG;
    if (value & FLAG_RELOAD)
        restart(s, ports);
}

/* --- registers --- */

static uint32_t read_core_register(const struct local *s, uint32_t offset)
{
    unsigned index = offset / 4 % 4;
    if (offset < MAILBOX_CONTROLS)
        return s->timer_control[index];
    if (offset < IRQ_SOURCES)
        return s->mailbox_control[index];
    if (offset < MAILBOX_SETS)
        return sources(s, index, offset >= FIQ_SOURCES);
    return offset < MAILBOX_CLEARS ? 0 : s->mailbox[(offset - MAILBOX_CLEARS) / 4];
}

static uint32_t local_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct local *s = state;
    uint64_t count;
    if (offset >= TIMER_CONTROLS && offset < END)
        return read_core_register(s, offset);
    switch (offset) {
    case CONTROL: return s->control;
    case PRESCALER: return s->prescaler;
    case GPU_ROUTING: return s->gpu_routing;
    case PMU_SET:
    case PMU_CLEAR: return s->pmu_routing;
    case CORE_LOW:
        count = local_count(s, ports->now(ports->user));
        s->core_high = (uint32_t)(count >> 32);
        return (uint32_t)count;
    case CORE_HIGH: return s->core_high;
    case TIMER_ROUTING: return s->timer_routing;
    case ROUTING_1_TO_7:
    case AXI_COUNTERS:
    case AXI_INTERRUPT:
    case LOCAL_FLAGS: return 0;
    case LOCAL_CONTROL: return s->local_control;
    default: return report_register(ports, &local, offset);
    }
}

static bool local_counter_at(const void *state, uint32_t offset, uint64_t time, uint64_t *count)
{
    *count = local_count(state, time);
    return offset == CORE_LOW;
}

static void write_core_register(struct local *s, uint32_t offset, uint32_t value)
{
    unsigned index = offset / 4 % 4;
    if (offset < MAILBOX_CONTROLS)
        s->timer_control[index] = value & 0xff;
    else if (offset < IRQ_SOURCES)
        s->mailbox_control[index] = value & 0xff;
    else if (offset >= MAILBOX_CLEARS)
        s->mailbox[(offset - MAILBOX_CLEARS) / 4] &= ~value;
    else if (offset >= MAILBOX_SETS)
        s->mailbox[(offset - MAILBOX_SETS) / 4] |= value;
}

/* Changes a setting of the core timer, which continues from its present value. */
static void set_core_setting(struct local *s, const struct device_ports *ports, uint32_t *setting,
                             uint32_t value)
{
    uint64_t count = local_count(s, ports->now(ports->user));
    *setting = value;
    set_core_timer(s, ports, count);
}

static void local_write(void *state, const struct device_ports *ports, uint32_t offset,
                        uint32_t value)
{
    struct local *s = state;
    if (offset >= TIMER_CONTROLS && offset < END) {
        write_core_register(s, offset, value);
        return;
    }
    switch (offset) {
    case CONTROL:
        set_core_setting(s, ports, &s->control, value & (CONTROL_APB | CONTROL_BY_TWO));
        return;
    case PRESCALER: set_core_setting(s, ports, &s->prescaler, value); return;
    case GPU_ROUTING: s->gpu_routing = value & 0xf; return;
    case PMU_SET: s->pmu_routing |= value & 0xff; return;
    case PMU_CLEAR: s->pmu_routing &= ~value; return;
    case CORE_LOW: s->core_low = value; return;
    case CORE_HIGH: set_core_timer(s, ports, (uint64_t)value << 32 | s->core_low); return;
    case TIMER_ROUTING: s->timer_routing = value & 7; return;
    case ROUTING_1_TO_7:
    case AXI_COUNTERS:
    case AXI_INTERRUPT: return;
    case LOCAL_CONTROL: write_local_timer(s, ports, value); return;
    case LOCAL_FLAGS: write_flags(s, ports, value); return;
    default: report_register(ports, &local, offset);
    }
}

static void local_reset(void *state, const struct device_ports *ports)
{
    struct local *s = state;
    s->prescaler = UINT32_C(0x80000000);
    set_core_timer(s, ports, 0);
}

const struct device local = {
    .name = "local controller",
    .base = 0, /* the board maps it at ARM address 0x40000000 */
    .size = END,
    .state_size = sizeof(struct local),
    .reset = local_reset,
    .read = local_read,
    .write = local_write,
    .counter_at = local_counter_at,
    .next = local_next,
    .advance = local_advance,
};
