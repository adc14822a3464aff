/* SPDX-License-Identifier: MIT */
/* clocks.c - the clock manager: clock generators at 0x101000, and the PLLs' registers at 0x102000.
 *
 * In:  register accesses.
 * Out: register values; the rates of generators.
 *
 * Source: "BCM2835 ARM Peripherals", section 6.3, for the general-purpose clocks, PCM and PWM;
 *         Linux' clk-bcm2835.c for the other registers.
 * Modelled: the password, enables with their busy bits, dividers, locks of PLLs.
 * Left out: the measurement of clocks. A change of a PLL, or of a generator other than PCM and PWM,
 *           does not change the rate of a peripheral; the firmware's clock tags do.
 * Choices: a generator starts and stops at once. After power-on, PLLD has 1 GHz and its channel PER
 *          500 MHz, PLLC_PER has 1 GHz, PLLH_AUX has 216 MHz, and PLLA is off. */
#include "board/bcm2835/clocks.h"

#include "board/bcm2835/report.h"

enum {
    LAST_PAIR = 0x0fc, /* up to here are pairs of control register and divider */
    OSC_COUNT = 0x100,
    LOCK = 0x114,
    MEASURE_COUNT = 0x0c4,

    CONTROL_SOURCE = 0xf,
    CONTROL_ENABLE = 1 << 4,
    CONTROL_KILL = 1 << 5,
    CONTROL_BUSY = 1 << 7,
    CONTROL_MASH = 3 << 9,
    CONTROL_SETTINGS = CONTROL_SOURCE | CONTROL_MASH,
    LOCKED = 0x1f00, /* all five PLLs */
    OSCILLATOR = 19200000,
    VALUE = 0xffffff, /* bits of a register below the password */
};

/* Values that the firmware leaves. */
static const struct {
    uint32_t offset, value;
} initial[] = {
    {0x008, 0xd5},     {0x00c, 0x4000},   /* VPU: 1 GHz / 4 */
    {0x0e0, 0x91},     {0x0e4, 0xa000},   /* temperature sensor: 1.92 MHz */
    {0x0e8, 0x91},     {0x0ec, 0x13333},  /* system timer: 1 MHz */
    {0x0f0, 0x296},    {0x0f4, 0xa6aa},   /* UART: 500 MHz / 10.417 */
    {0x1c0, 0x296},    {0x1c4, 0x2800},   /* EMMC: 500 MHz / 2.5 */
    {0x1120, 0x21034}, {0x1220, 0x15555}, /* PLLC: 19.2 MHz * 52.083 */
    {0x1140, 0x21034}, {0x1240, 0x15555}, /* PLLD: the same */
    {0x1520, 1},       {0x1540, 2},       /* PLLC_PER, PLLD_PER: dividers */
    {0x1620, 1},                          /* PLLC_CORE0, from which the VPU's clock comes */
    {0x1190, 0x21},                       /* oscillator: feeds PLLC and PLLD */
};

/* Returns whether a register is the control register of a generator. */
static bool is_control(uint32_t offset)
{
    static const uint16_t others[] = {0x158, 0x160, 0x168, 0x190, 0x1a8, 0x1b0, 0x1b8, 0x1c0};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] == offset)
            return true;
    return offset <= LAST_PAIR && offset % 8 == 0;
}

/* Returns whether the manual describes the generator of a register. */
static bool is_documented(uint32_t offset)
{
    uint32_t control = offset & ~UINT32_C(7);
    return control == CLOCKS_GP0 || control == CLOCKS_GP1 || control == CLOCKS_GP2 ||
           control == CLOCKS_PCM || control == CLOCKS_PWM;
}

static uint32_t source_rate(uint32_t source)
{
    static const uint32_t rates[] = {
        0, OSCILLATOR, 0, 0, 0, 1000000000, 500000000, 216000000,
    };
    return source < sizeof rates / sizeof *rates ? rates[source] : 0;
}

uint32_t clocks_divided(uint32_t control, uint32_t divider)
{
    if (!(control & CONTROL_ENABLE))
        return 0;
    if (!(control & CONTROL_MASH))
        divider &= ~UINT32_C(0xfff); /* integer division */
    return divider ? (uint32_t)(((uint64_t)source_rate(control & CONTROL_SOURCE) << 12) / divider)
                   : 0;
}

uint32_t clocks_rate(const struct clocks *s, enum clocks_generator generator)
{
    return clocks_divided(s->registers[generator / 4], s->registers[generator / 4 + 1]);
}

static uint32_t clocks_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct clocks *s = state;
    if (offset == LOCK)
        return LOCKED;
    if (offset == OSC_COUNT)
        return 0; /* a measurement is done at once */
    if (offset == MEASURE_COUNT)
        ports->not_modelled(ports->user, clocks.base + offset,
                            "the clock manager's measurement of clocks is not modelled",
                            "read clock rates by mailbox tag 0x30002");
    return s->registers[offset / 4];
}

/* Reports changes of a generator while it runs. */
static void check_busy(const struct clocks *s, const struct device_ports *ports, uint32_t offset,
                       uint32_t value)
{
    uint32_t control = s->registers[(offset & ~UINT32_C(7)) / 4];
    uint32_t mask = is_control(offset) ? CONTROL_SETTINGS : VALUE;
    if (is_documented(offset) && control & CONTROL_BUSY &&
        (s->registers[offset / 4] ^ value) & mask)
        ports->finding(ports->user, PI_CLOCK_BUSY, clocks.base + offset,
                       "the source or the divider of a clock is changed while the clock is busy");
}

static void clocks_write(void *state, const struct device_ports *ports, uint32_t offset,
                         uint32_t value)
{
    struct clocks *s = state;
    if (!report_password(ports, &clocks, offset, value))
        return;
    value &= VALUE;
    check_busy(s, ports, offset, value);
    if (is_control(offset)) {
        bool runs = value & CONTROL_ENABLE && !(value & CONTROL_KILL);
        value = (value & ~(uint32_t)CONTROL_BUSY) | (runs ? CONTROL_BUSY : 0);
    }
    s->registers[offset / 4] = value;
}

static void clocks_reset(void *state, const struct device_ports *ports)
{
    struct clocks *s = state;
    (void)ports;
    for (unsigned i = 0; i < sizeof initial / sizeof *initial; i++)
        s->registers[initial[i].offset / 4] = initial[i].value;
}

const struct device clocks = {
    .name = "clock manager",
    .base = 0x101000,
    .size = 0x2000,
    .state_size = sizeof(struct clocks),
    .reset = clocks_reset,
    .read = clocks_read,
    .write = clocks_write,
};
