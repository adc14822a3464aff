/* SPDX-License-Identifier: MIT */
/* usb.c - the USB controller (DesignWare Core, DWC2) as a host. No device is connected to its port.
 *
 * In:  register accesses.
 * Out: register values; the interrupt line LINE_USB.
 *
 * Kernels read the identification to find the base of the peripherals (LdB-ECM/Raspberry-Pi,
 * SmartStart32.S), before they know the board.
 *
 * Source: Linux' drivers/usb/dwc2/hw.h, for the registers; values after reset as boards printed
 *         them: a Raspberry Pi 1 (comments in dump_dwcregs() of an xv6 port) and the table of
 *         hathach/tinyusb, src/portable/synopsys/dwc2/dwc2_info.py.
 * Modelled: resets and flushes, which end at once; the port's power; interrupts of channels.
 * Left out: devices; USB in device mode, whose registers read as 0; the FIFOs.
 * Choices: a transfer of a channel ends at once with a transaction error, as transfers to a device
 *          end that does not answer. */
#include "board/bcm2835/usb.h"

enum {
    GAHBCFG = 0x008,
    GUSBCFG = 0x00c,
    GRSTCTL = 0x010,
    GINTSTS = 0x014,
    GINTMSK = 0x018,
    GSNPSID = 0x040,
    HAINT = 0x414,
    HAINTMSK = 0x418,
    HPRT = 0x440,
    CHANNELS = 0x500,
    CHANNELS_END = 0x600,
    CHANNEL_SIZE = 0x20,

    GAHBCFG_INTERRUPTS = 1 << 0,
    GUSBCFG_FORCE_DEVICE = 1 << 30,
    GRSTCTL_COMMANDS = 0x37, /* core, AHB, frame counter, queue, receive FIFO, transmit FIFO */
    GRSTCTL_CORE = 1 << 0,
    GINTSTS_HOST = 1 << 0,
    GINTSTS_CHANNELS = 1 << 25,

    HPRT_RESET = 1 << 8,
    HPRT_POWER = 1 << 12,
    HPRT_KEPT = HPRT_RESET | HPRT_POWER | 0xf << 13, /* with the test mode */

    CHANNEL_CONTROL = 0x00,
    CHANNEL_SPLIT = 0x04,
    CHANNEL_INTERRUPT = 0x08,
    CHANNEL_MASK = 0x0c,
    CHANNEL_TRANSFER = 0x10,
    CHANNEL_ADDRESS = 0x14,
    CONTROL_DISABLE = 1 << 30,
    INTERRUPT_HALTED = 1 << 1,
    INTERRUPT_ERROR = 1 << 7,
};

/* A register that keeps the bits of writable. */
struct usb_row {
    uint32_t offset, after_reset, writable;
};

static const struct usb_row rows[] = {
    {0x000, 0x00010000, 0x00000fde}, /* GOTGCTL: the cable's end is that of a host */
    {0x004, 0, 0},                   /* GOTGINT */
    {GAHBCFG, 0, UINT32_MAX},
    {GUSBCFG, 0x00001400, UINT32_MAX},
    {GRSTCTL, 0x80000000, 0x7c0}, /* the AHB master is idle; the number of a FIFO */
    {GINTSTS, 0x04000020, 0},     /* the FIFOs for sending are empty; other events need a device */
    {GINTMSK, 0, UINT32_MAX},
    {0x01c, 0, 0},                          /* GRXSTSR */
    {0x020, 0, 0},                          /* GRXSTSP */
    {0x024, 0x00001000, UINT32_MAX},        /* GRXFSIZ */
    {0x028, 0x01001000, UINT32_MAX},        /* GNPTXFSIZ */
    {0x02c, 0x00080100, 0},                 /* GNPTXSTS */
    {0x030, 0, UINT32_MAX},                 /* GI2CCTL */
    {0x034, 0, UINT32_MAX},                 /* GPVNDCTL */
    {0x038, 0, UINT32_MAX},                 /* GGPIO */
    {0x03c, 0x2708a000, UINT32_MAX},        /* GUID */
    {GSNPSID, 0x4f54280a, 0},               /* identification: OTG 2.80a */
    {0x044, 0, 0},                          /* GHWCFG1 */
    {0x048, 0x228ddd50, 0},                 /* GHWCFG2: eight channels, internal DMA */
    {0x04c, 0x0ff000e8, 0},                 /* GHWCFG3: 4080 words of FIFO */
    {0x050, 0x1ff00020, 0},                 /* GHWCFG4 */
    {0x054, 0x757c6230, UINT32_MAX},        /* GLPMCFG */
    {0x058, 0, UINT32_MAX},                 /* GPWRDN */
    {0x05c, 0, UINT32_MAX},                 /* GDFIFOCFG */
    {0x080, 0, INT32_MAX},                  /* Broadcom's MDIO control: never busy, */
    {0x084, 0, UINT32_MAX},                 /* MDIO data, */
    {0x088, 0, UINT32_MAX},                 /* and VBUS */
    {0x100, 0, UINT32_MAX},                 /* HPTXFSIZ */
    {0x400, 0x00200000, 0xff},              /* HCFG */
    {0x404, 0x000017d7, UINT32_MAX},        /* HFIR */
    {0x408, 0x00003fff, 0},                 /* HFNUM: no frame without a device */
    {0x410, 0x00080100, 0},                 /* HPTXSTS */
    {HAINTMSK, 0, (1 << USB_CHANNELS) - 1}, /* bits of channels */
    {0xe00, 0, UINT32_MAX},                 /* PCGCTL */
};

enum { ROWS = sizeof rows / sizeof rows[0] };

_Static_assert(sizeof rows / sizeof rows[0] <= USB_REGISTERS,
               "struct usb has a value for each row");

/* Returns the row of a register, or ROWS. */
static unsigned find_row(uint32_t offset)
{
    unsigned row = 0;
    while (row < ROWS && rows[row].offset != offset)
        row++;
    return row;
}

static uint32_t *value_of(struct usb *s, uint32_t offset)
{
    return &s->registers[find_row(offset)];
}

/* Returns the bits of the channels whose interrupts are not masked. */
static uint32_t channel_interrupts(const struct usb *s)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < USB_CHANNELS; i++)
        if (s->channel[i].interrupt & s->channel[i].mask)
            bits |= 1u << i;
    return bits;
}

static uint32_t interrupts(struct usb *s)
{
    uint32_t value = *value_of(s, GINTSTS);
    if (!(*value_of(s, GUSBCFG) & GUSBCFG_FORCE_DEVICE))
        value |= GINTSTS_HOST;
    if (channel_interrupts(s) & *value_of(s, HAINTMSK))
        value |= GINTSTS_CHANNELS;
    return value;
}

static void update(struct usb *s, const struct device_ports *ports)
{
    bool level = *value_of(s, GAHBCFG) & GAHBCFG_INTERRUPTS &&
                 interrupts(s) & *value_of(s, GINTMSK) & ~(uint32_t)GINTSTS_HOST;
    if (level != (s->level != 0))
        ports->interrupt(ports->user, LINE_USB, level);
    s->level = level;
}

static void usb_reset(void *state, const struct device_ports *ports)
{
    struct usb *s = state;
    (void)ports;
    for (unsigned i = 0; i < ROWS; i++)
        s->registers[i] = rows[i].after_reset;
}

/* Reports, once, that a program looks for devices. */
static void report_empty(struct usb *s, const struct device_ports *ports, uint32_t offset)
{
    if (!s->reported)
        ports->finding(ports->user, PI_USB_EMPTY, usb.base + offset,
                       "the program looks for USB devices, but no device is connected");
    s->reported = 1;
}

/* --- channels --- */

static uint32_t *channel_register(struct usb_channel *channel, uint32_t offset)
{
    switch (offset) {
    case CHANNEL_CONTROL: return &channel->control;
    case CHANNEL_SPLIT: return &channel->split;
    case CHANNEL_INTERRUPT: return &channel->interrupt;
    case CHANNEL_MASK: return &channel->mask;
    case CHANNEL_TRANSFER: return &channel->size;
    case CHANNEL_ADDRESS: return &channel->address;
    default: return NULL;
    }
}

/* Carries out a write of HCCHAR: a channel that is enabled or disabled halts. */
static void control_channel(struct usb *s, const struct device_ports *ports, unsigned number,
                            uint32_t value)
{
    const uint32_t enable = 1u << 31;
    struct usb_channel *channel = &s->channel[number];
    channel->control = value & ~(enable | CONTROL_DISABLE);
    if (!(value & (enable | CONTROL_DISABLE)))
        return;
    channel->interrupt |= INTERRUPT_HALTED;
    if (value & CONTROL_DISABLE)
        return;
    channel->interrupt |= INTERRUPT_ERROR;
    report_empty(s, ports, CHANNELS + number * CHANNEL_SIZE);
}

static void write_channel(struct usb *s, const struct device_ports *ports, uint32_t offset,
                          uint32_t value)
{
    unsigned number = (offset - CHANNELS) / CHANNEL_SIZE;
    struct usb_channel *channel = &s->channel[number];
    uint32_t *to = channel_register(channel, offset % CHANNEL_SIZE);
    if (to == &channel->control)
        control_channel(s, ports, number, value);
    else if (to == &channel->interrupt)
        *to &= ~value;
    else if (to)
        *to = value;
}

static uint32_t read_channel(struct usb *s, uint32_t offset)
{
    struct usb_channel *channel = &s->channel[(offset - CHANNELS) / CHANNEL_SIZE];
    const uint32_t *from = channel_register(channel, offset % CHANNEL_SIZE);
    return from ? *from : 0;
}

/* --- registers --- */

static void write_reset(struct usb *s, uint32_t value)
{
    unsigned row = find_row(GRSTCTL);
    if (value & GRSTCTL_CORE) {
        usb_reset(s, NULL);
        for (unsigned i = 0; i < USB_CHANNELS; i++)
            s->channel[i] = (struct usb_channel){0};
        s->port = 0;
    }
    s->registers[row] = rows[row].after_reset | (value & rows[row].writable);
}

static uint32_t usb_read(void *state, const struct device_ports *ports, uint32_t offset)
{
    struct usb *s = state;
    if (offset >= CHANNELS && offset < CHANNELS_END)
        return read_channel(s, offset);
    if (offset == HPRT && s->port & HPRT_POWER)
        report_empty(s, ports, offset);
    switch (offset) {
    case GINTSTS: return interrupts(s);
    case HAINT: return channel_interrupts(s);
    case HPRT: return s->port;
    default: return find_row(offset) < ROWS ? *value_of(s, offset) : 0;
    }
}

static void write_row(struct usb *s, uint32_t offset, uint32_t value)
{
    unsigned row = find_row(offset);
    if (row == ROWS)
        return;
    uint32_t kept = s->registers[row] & ~rows[row].writable;
    s->registers[row] = kept | (value & rows[row].writable);
}

static void usb_write(void *state, const struct device_ports *ports, uint32_t offset,
                      uint32_t value)
{
    struct usb *s = state;
    if (offset >= CHANNELS && offset < CHANNELS_END)
        write_channel(s, ports, offset, value);
    else if (offset == GRSTCTL)
        write_reset(s, value & (GRSTCTL_COMMANDS | rows[find_row(GRSTCTL)].writable));
    else if (offset == HPRT)
        s->port = value & HPRT_KEPT;
    else
        write_row(s, offset, value);
    update(s, ports);
}

const struct device usb = {
    .name = "USB controller",
    .base = 0x980000,
    .size = 0x10000,
    .state_size = sizeof(struct usb),
    .reset = usb_reset,
    .read = usb_read,
    .write = usb_write,
};
