/* SPDX-License-Identifier: MIT */
/* video.c - the display: hardware video scaler (HVS), pixel valves, and encoders.
 *
 * In:  register accesses; time.
 * Out: register values; the pixel valves' interrupts.
 *
 * Source: Linux' vc4_regs.h, vc4_crtc.c and vc4_hvs.c, and bcm283x.dtsi for addresses and lines.
 *         The hardware has no public manual.
 * Modelled: registers and display lists keep what is written; a pixel valve that runs has vertical
 *           interrupts; the HVS takes a new display list at once.
 * Left out: pictures; horizontal interrupts; interrupts of the HVS and of encoders; monitors.
 * Choices: a pixel valve has 60 frames a second. The vertical interrupts of a frame come together,
 *          at its start. */
#include "board/bcm2835/video.h"

enum {
    LIST_0 = 0x20, /* of the HVS: the next display list of channels 0 to 2 */
    LIST_ACTIVE_0 = 0x30,
    LIST_ACTIVE_END = 0x3c,

    CONTROL = 0x00, /* of a pixel valve */
    VIDEO_CONTROL = 0x04,
    INTERRUPT_ENABLE = 0x24,
    INTERRUPT_STATUS = 0x28,
    ENABLE = 1 << 0,  /* of both controls */
    VERTICAL = 0x1f0, /* interrupts of each frame */
    INTERRUPTS = 0x3ff,
    FRAME = DEVICE_SECOND / 60,
};

/* --- blocks that keep their registers --- */

static uint32_t block_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct video_block *s = state;
    (void)ports;
    return s->registers[offset / 4];
}

static void block_write(void *state, const struct device_ports *ports, uint32_t offset,
                        uint32_t value)
{
    struct video_block *s = state;
    (void)ports;
    s->registers[offset / 4] = value;
}

#define BLOCK(block, title, address)              \
    const struct device block = {                 \
        .name = title,                            \
        .base = address,                          \
        .size = VIDEO_PAGE * 4,                   \
        .state_size = sizeof(struct video_block), \
        .read = block_read,                       \
        .write = block_write,                     \
    }

BLOCK(txp, "transposer (TXP)", 0x004000);
BLOCK(vec, "composite video encoder (VEC)", 0x806000);
BLOCK(hdmi_clocks, "HDMI's clocks and audio", 0x808000);
BLOCK(hdmi, "HDMI", 0x902000);

/* --- the video scaler --- */

static uint32_t scaler_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct video_scaler *s = state;
    (void)ports;
    bool active = offset >= LIST_ACTIVE_0 && offset < LIST_ACTIVE_END;
    return s->registers[(active ? offset - LIST_ACTIVE_0 + LIST_0 : offset) / 4];
}

static void scaler_write(void *state, const struct device_ports *ports, uint32_t offset,
                         uint32_t value)
{
    struct video_scaler *s = state;
    (void)ports;
    s->registers[offset / 4] = value;
}

const struct device hvs = {
    .name = "hardware video scaler (HVS)",
    .base = 0x400000,
    .size = VIDEO_SCALER * 4,
    .state_size = sizeof(struct video_scaler),
    .read = scaler_read,
    .write = scaler_write,
};

/* --- pixel valves --- */

/* Pixel valves by number. */
static const struct {
    const struct device *device;
    enum device_line line;
} valves[] = {
    {&pixel_valve0, LINE_VALVE0}, {&pixel_valve1, LINE_VALVE1}, {&pixel_valve2, LINE_VALVE2}};

static bool runs(const struct video_valve *s)
{
    return s->registers[CONTROL / 4] & s->registers[VIDEO_CONTROL / 4] & ENABLE;
}

static void update(const struct video_valve *s, const struct device_ports *ports)
{
    uint32_t pending = s->registers[INTERRUPT_STATUS / 4] & s->registers[INTERRUPT_ENABLE / 4];
    ports->interrupt(ports->user, valves[s->number].line, pending != 0);
}

static uint64_t valve_next(const void *state)
{
    const struct video_valve *s = state;
    uint32_t wanted = s->registers[INTERRUPT_ENABLE / 4] & ~s->registers[INTERRUPT_STATUS / 4];
    return runs(s) && wanted & VERTICAL ? s->frame + FRAME : DEVICE_NEVER;
}

static void valve_advance(void *state, const struct device_ports *ports)
{
    struct video_valve *s = state;
    uint64_t now = ports->now(ports->user);
    if (!runs(s) || now < s->frame || now - s->frame < FRAME)
        return;
    s->frame += (now - s->frame) / FRAME * FRAME;
    s->registers[INTERRUPT_STATUS / 4] |= VERTICAL;
    update(s, ports);
}

static uint32_t valve_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    const struct video_valve *s = state;
    (void)ports;
    return s->registers[offset / 4];
}

/* The valve begins to run: its first frame begins. */
static void start(struct video_valve *s, const struct device_ports *ports)
{
    s->frame = ports->now(ports->user);
    if (!s->reported)
        ports->not_modelled(ports->user, valves[s->number].device->base,
                            "the kernel drives the display by a pixel valve, whose picture is not "
                            "modelled",
                            "show pictures by the firmware's framebuffer (mailbox tag 0x40001)");
    s->reported = 1;
}

static void valve_write(void *state, const struct device_ports *ports, uint32_t offset,
                        uint32_t value)
{
    struct video_valve *s = state;
    bool ran = runs(s);
    if (offset == INTERRUPT_STATUS)
        s->registers[offset / 4] &= ~value;
    else if (offset == INTERRUPT_ENABLE)
        s->registers[offset / 4] = value & INTERRUPTS;
    else
        s->registers[offset / 4] = value;
    if (runs(s) && !ran)
        start(s, ports);
    update(s, ports);
}

#define VALVE(index, address)                                                     \
    static void valve_reset##index(void *state, const struct device_ports *ports) \
    {                                                                             \
        (void)ports;                                                              \
        ((struct video_valve *)state)->number = index;                            \
    }                                                                             \
    const struct device pixel_valve##index = {                                    \
        .name = "pixel valve " #index,                                            \
        .base = address,                                                          \
        .size = VIDEO_VALVE * 4,                                                  \
        .state_size = sizeof(struct video_valve),                                 \
        .reset = valve_reset##index,                                              \
        .read = valve_read,                                                       \
        .write = valve_write,                                                     \
        .next = valve_next,                                                       \
        .advance = valve_advance,                                                 \
    }

VALVE(0, 0x206000);
VALVE(1, 0x207000);
VALVE(2, 0x807000);
