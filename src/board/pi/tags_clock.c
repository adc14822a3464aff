/* SPDX-License-Identifier: MIT */
/* tags_clock.c - tags about clocks, power, voltage and temperature.
 *
 * In:  requests.
 * Out: replies; clock rates, which also determine timeouts and the system timer.
 *
 * Source: see tags.def; the table of default and minimum clocks of raspberrypi/documentation
 *         (config_txt/overclocking).
 * Modelled: clock rates and their limits, on/off states, power domains.
 * Left out: effects on blocks other than V3D; changes of voltage and temperature. */
#include "board/pi/pi.h"
#include "board/pi/tags.h"

enum {
    NO_SUCH_DEVICE = 2,
    DOMAIN_V3D = 11, /* number that asurati/x03 passes; Linux' device-tree binding uses 10 */
    DOMAINS = 32,
    VOLTAGES = 4,
    MICROVOLTS = 1200000,
};

#define NO_SUCH_VOLTAGE UINT32_C(0x80000000)

/* --- power --- */

bool tag_get_power(struct tess_pi *pi, struct tag_value *v)
{
    v->word[1] = v->word[0] < PI_DEVICES ? pi->power[v->word[0]] : NO_SUCH_DEVICE;
    return true;
}

bool tag_set_power(struct tess_pi *pi, struct tag_value *v)
{
    if (v->word[0] < PI_DEVICES)
        pi->power[v->word[0]] = v->word[1] & 1;
    return tag_get_power(pi, v);
}

bool tag_power_timing(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[1] = 0; /* microseconds until power is stable */
    return true;
}

static bool is_v3d(uint32_t domain)
{
    return domain == DOMAIN_V3D || domain == DOMAIN_V3D - 1;
}

bool tag_get_domain(struct tess_pi *pi, struct tag_value *v)
{
    uint32_t domain = v->word[0];
    if (is_v3d(domain))
        v->word[1] = tess_pi_v3d_enabled(pi);
    else
        v->word[1] = domain < DOMAINS ? pi->domains >> domain & 1 : 0;
    return true;
}

bool tag_set_domain(struct tess_pi *pi, struct tag_value *v)
{
    uint32_t domain = v->word[0], on = v->word[1] & 1;
    if (is_v3d(domain))
        pi_switch_domain(pi, on);
    else if (domain < DOMAINS)
        pi->domains = (pi->domains & ~(UINT32_C(1) << domain)) | on << domain;
    return tag_get_domain(pi, v);
}

/* --- clocks --- */

static uint32_t highest_rate(const struct tess_pi *pi, uint32_t clock)
{
    return clock < TESS_PI_CLOCKS ? pi->options.board->clock_rates[clock] : 0;
}

/* Returns the rate that the firmware sets while the board is idle. For a clock that the firmware
 * does not change, returns the highest rate. Returns 0 if the clock does not exist. */
static uint32_t lowest_rate(const struct tess_pi *pi, uint32_t clock)
{
    static const uint32_t lowest[TESS_PI_CLOCKS] = {
        [TESS_PI_CLOCK_CORE] = PI_CORE_IDLE, [TESS_PI_CLOCK_V3D] = 250000000,
        [TESS_PI_CLOCK_H264] = 250000000,    [TESS_PI_CLOCK_ISP] = 250000000,
        [TESS_PI_CLOCK_SDRAM] = 400000000,
    };
    if (clock == TESS_PI_CLOCK_ARM)
        return pi->options.board->arm_idle_rate;
    uint32_t rate = clock < TESS_PI_CLOCKS ? lowest[clock] : 0, highest = highest_rate(pi, clock);
    return rate < highest && rate ? rate : highest;
}

bool tag_clocks(struct tess_pi *pi, struct tag_value *v)
{
    v->reply = 0;
    for (uint32_t clock = 1; clock < TESS_PI_CLOCKS; clock++) {
        if (!highest_rate(pi, clock))
            continue;
        v->word[v->reply / 4] = 0; /* the clock has no parent */
        v->word[v->reply / 4 + 1] = clock;
        v->reply += 8;
    }
    return true;
}

/* Replies with a word whose bit 0 is set if the clock is on, and whose bit 1 is set if the clock
 * does not exist. */
bool tag_get_clock_state(struct tess_pi *pi, struct tag_value *v)
{
    uint32_t clock = v->word[0];
    if (highest_rate(pi, clock))
        v->word[1] = !pi->clock_off[clock];
    else
        v->word[1] = NO_SUCH_DEVICE;
    return true;
}

bool tag_set_clock_state(struct tess_pi *pi, struct tag_value *v)
{
    if (highest_rate(pi, v->word[0]))
        pi->clock_off[v->word[0]] = !(v->word[1] & 1);
    return tag_get_clock_state(pi, v);
}

bool tag_get_clock_rate(struct tess_pi *pi, struct tag_value *v)
{
    v->word[1] = v->word[0] < TESS_PI_CLOCKS ? pi->clock_rate[v->word[0]] : 0;
    return true;
}

/* Sets a clock's rate within its limits. For the ARM's clock, also sets turbo unless the third word
 * ("skip setting turbo") is non-zero. Turbo is on at the highest rate and off at lower rates. */
bool tag_set_clock_rate(struct tess_pi *pi, struct tag_value *v)
{
    uint32_t clock = v->word[0], rate = v->word[1];
    uint32_t lowest = lowest_rate(pi, clock), highest = highest_rate(pi, clock);
    if (clock == TESS_PI_CLOCK_UART)
        lowest = 1; /* bztsrc/raspi3-tutorial sets 4 MHz, which its divisors need on boards */
    if (highest)
        pi->clock_rate[clock] = rate < lowest ? lowest : rate > highest ? highest : rate;
    if (clock == TESS_PI_CLOCK_ARM && !v->word[2])
        pi->turbo = pi->clock_rate[clock] == highest;
    return tag_get_clock_rate(pi, v);
}

bool tag_maximum_clock_rate(struct tess_pi *pi, struct tag_value *v)
{
    v->word[1] = highest_rate(pi, v->word[0]);
    return true;
}

bool tag_minimum_clock_rate(struct tess_pi *pi, struct tag_value *v)
{
    v->word[1] = lowest_rate(pi, v->word[0]);
    return true;
}

bool tag_get_turbo(struct tess_pi *pi, struct tag_value *v)
{
    v->word[1] = v->word[0] == 0 ? pi->turbo : 0;
    return true;
}

bool tag_set_turbo(struct tess_pi *pi, struct tag_value *v)
{
    if (v->word[0] == 0)
        pi->turbo = v->word[1] & 1;
    return tag_get_turbo(pi, v);
}

/* Replies with the actual rate of the SD controller's clock for a requested maximum. The actual
 * rate is at most half of the core clock's rate. */
bool tag_sdhost_clock(struct tess_pi *pi, struct tag_value *v)
{
    uint32_t fastest = pi->clock_rate[TESS_PI_CLOCK_CORE] / 2;
    v->word[1] = v->word[2] = v->word[0] < fastest ? v->word[0] : fastest;
    return true;
}

/* --- voltage and temperature --- */

bool tag_voltage(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[1] = v->word[0] >= 1 && v->word[0] <= VOLTAGES ? MICROVOLTS : NO_SUCH_VOLTAGE;
    return true;
}

bool tag_temperature(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[1] = 40000; /* thousandths of a degree Celsius */
    return true;
}

bool tag_maximum_temperature(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[1] = 85000;
    return true;
}

bool tag_throttled(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = 0; /* no throttling, neither now nor since power-on */
    return true;
}
