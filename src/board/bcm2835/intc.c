/* SPDX-License-Identifier: MIT */
/* intc.c - the ARM's interrupt controller.
 *
 * In:  levels of interrupt lines; register accesses.
 * Out: the levels of IRQ and FIQ; register values.
 *
 * Source: "BCM2835 ARM Peripherals", chapter 7.
 * Modelled: all registers. Bits 8 and 9 of "IRQ basic pending" are set only by pending interrupts
 *           that have no bit of their own in that register (section 7.5).
 * Left out: nothing.
 * Choices: the registers that disable interrupts read as the enabled interrupts; the manual does
 *          not describe their reads. */
#include "board/bcm2835/intc.h"

#include "board/bcm2835/report.h"

enum {
    BASIC_PENDING = 0x00,
    PENDING_1 = 0x04,
    PENDING_2 = 0x08,
    FIQ_CONTROL = 0x0c,
    ENABLE_1 = 0x10,
    ENABLE_2 = 0x14,
    ENABLE_BASIC = 0x18,
    DISABLE_1 = 0x1c,
    DISABLE_2 = 0x20,
    DISABLE_BASIC = 0x24,
    FIQ_ENABLE = 1 << 7,
    FIQ_SOURCE = 0x7f,
    ARM_LINES = 0xff,
    FIRST_SHORTCUT = 10, /* bit of "IRQ basic pending" */
};

/* Interrupts with a bit of their own in "IRQ basic pending", from bit FIRST_SHORTCUT. */
static const uint8_t shortcuts[] = {7, 9, 10, 18, 19, 53, 54, 55, 56, 57, 62};

enum { SHORTCUTS = sizeof shortcuts };

static uint32_t basic_pending(const struct intc *s)
{
    uint64_t pending = s->level & s->enabled;
    uint32_t value = s->arm_level & s->arm_enabled;
    for (unsigned i = 0; i < SHORTCUTS; i++) {
        uint64_t bit = UINT64_C(1) << shortcuts[i];
        value |= (uint32_t)((pending & bit) != 0) << (FIRST_SHORTCUT + i);
        pending &= ~bit;
    }
    return value | (uint32_t)((uint32_t)pending != 0) << 8 | (uint32_t)(pending >> 32 != 0) << 9;
}

static uint32_t intc_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct intc *s = state;
    switch (offset) {
    case BASIC_PENDING: return basic_pending(s);
    case PENDING_1: return (uint32_t)(s->level & s->enabled);
    case PENDING_2: return (uint32_t)((s->level & s->enabled) >> 32);
    case FIQ_CONTROL: return s->fiq;
    case ENABLE_1:
    case DISABLE_1: return (uint32_t)s->enabled;
    case ENABLE_2:
    case DISABLE_2: return (uint32_t)(s->enabled >> 32);
    case ENABLE_BASIC:
    case DISABLE_BASIC: return s->arm_enabled;
    default: return report_register(ports, &intc, offset);
    }
}

/* Enables interrupts of the second register. A program that enables all of them does not wait for
 * the vertical sync. */
static void enable_second(struct intc *s, const struct device_ports *ports, uint32_t value)
{
    enum { SECOND = 32 };
    bool waits = value >> (LINE_SMI - SECOND) & 1 && value != UINT32_MAX;
    if (waits && !s->vsync)
        ports->finding(ports->user, PI_VSYNC_OFF, intc.base + ENABLE_2,
                       "interrupt 48 is enabled, which comes at vertical syncs only with "
                       "fake_vsync_isr=1 in config.txt");
    s->enabled |= (uint64_t)value << SECOND;
}

static void intc_write(void *state, const struct device_ports *ports, uint32_t offset,
                       uint32_t value)
{
    struct intc *s = state;
    switch (offset) {
    case BASIC_PENDING:
    case PENDING_1:
    case PENDING_2: return; /* read-only */
    case FIQ_CONTROL: s->fiq = value & (FIQ_ENABLE | FIQ_SOURCE); return;
    case ENABLE_1: s->enabled |= value; return;
    case ENABLE_2: enable_second(s, ports, value); return;
    case ENABLE_BASIC: s->arm_enabled |= value & ARM_LINES; return;
    case DISABLE_1: s->enabled &= ~(uint64_t)value; return;
    case DISABLE_2: s->enabled &= ~((uint64_t)value << 32); return;
    case DISABLE_BASIC: s->arm_enabled &= ~value; return;
    default: report_register(ports, &intc, offset);
    }
}

static void intc_line(void *state, const struct device_ports *ports, enum device_line line,
                      bool level)
{
    struct intc *s = state;
    (void)ports;
    if (line < LINE_ARM_TIMER)
        s->level = (s->level & ~(UINT64_C(1) << line)) | (uint64_t)level << line;
    else if (line < LINE_COUNT)
        s->arm_level = (s->arm_level & ~(UINT32_C(1) << (line - LINE_ARM_TIMER))) |
                       (uint32_t)level << (line - LINE_ARM_TIMER);
}

bool intc_irq(const struct intc *s)
{
    return (s->level & s->enabled) != 0 || (s->arm_level & s->arm_enabled) != 0;
}

bool intc_fiq(const struct intc *s)
{
    uint32_t source = s->fiq & FIQ_SOURCE;
    if (!(s->fiq & FIQ_ENABLE) || source >= LINE_COUNT)
        return false;
    return source < LINE_ARM_TIMER ? s->level >> source & 1
                                   : s->arm_level >> (source - LINE_ARM_TIMER) & 1;
}

const struct device intc = {
    .name = "interrupt controller",
    .base = 0xb200,
    .size = 0x200,
    .state_size = sizeof(struct intc),
    .read = intc_read,
    .write = intc_write,
    .line = intc_line,
};
