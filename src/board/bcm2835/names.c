/* SPDX-License-Identifier: MIT */
/* names.c - names of peripherals by address.
 *
 * In:  an offset from the peripheral base.
 * Out: a name.
 *
 * Source: Linux' bcm283x.dtsi and bcm2835-common.dtsi; "BCM2835 ARM Peripherals"; elinux.org's page
 *         "BCM2835 registers" for the multicore sync, the transposer, SMI, CSI and
 *         the SDRAM controller.
 * Choices: a range ends where the registers that Linux uses end, or at the next page. */
#include "board/bcm2835/names.h"

#include <stddef.h>

static const struct {
    uint32_t first, last;
    const char *name;
} names[] = {
    {0x000000, 0x000fff, "multicore sync"},
    {0x003000, 0x003fff, "system timer"},
    {0x004000, 0x004fff, "transposer (TXP)"},
    {0x006000, 0x006fff, "MPHI"},
    {0x007000, 0x007fff, "DMA controller"},
    {0x00a000, 0x00afff, "AXI bridges"},
    {0x00b200, 0x00b3ff, "interrupt controller"},
    {0x00b400, 0x00b4ff, "ARM timer"},
    {0x00b800, 0x00bfff, "mailboxes and doorbells"},
    {0x100000, 0x100fff, "power manager"},
    {0x101000, 0x102fff, "clock manager"},
    {0x104000, 0x104fff, "random number generator"},
    {0x200000, 0x200fff, "GPIO"},
    {0x201000, 0x201fff, "UART"},
    {0x202000, 0x202fff, "SD host (SDHOST)"},
    {0x203000, 0x203fff, "PCM (I2S)"},
    {0x204000, 0x204fff, "SPI0"},
    {0x205000, 0x205fff, "I2C master 0"},
    {0x206000, 0x206fff, "pixel valve 0"},
    {0x207000, 0x207fff, "pixel valve 1"},
    {0x208000, 0x208fff, "DPI"},
    {0x209000, 0x209fff, "DSI0"},
    {0x20c000, 0x20cfff, "PWM"},
    {0x20f000, 0x20ffff, "one-time programmable memory"},
    {0x212000, 0x212fff, "temperature sensor"},
    {0x213000, 0x213fff, "thermal diode"},
    {0x214000, 0x214fff, "I2C and SPI slave"},
    {0x215000, 0x215fff, "auxiliary peripherals"},
    {0x300000, 0x300fff, "SD controller (EMMC)"},
    {0x400000, 0x405fff, "hardware video scaler (HVS)"},
    {0x600000, 0x600fff, "SMI"},
    {0x700000, 0x700fff, "DSI1"},
    {0x800000, 0x800fff, "camera interface 0 (CSI)"},
    {0x801000, 0x801fff, "camera interface 1 (CSI)"},
    {0x802000, 0x802fff, "camera clocks"},
    {0x804000, 0x804fff, "I2C master 1"},
    {0x805000, 0x805fff, "I2C master 2"},
    {0x806000, 0x806fff, "composite video encoder (VEC)"},
    {0x807000, 0x807fff, "pixel valve 2"},
    {0x808000, 0x808fff, "HDMI's clocks and audio"},
    {0x902000, 0x902fff, "HDMI"},
    {0x980000, 0x98ffff, "USB controller"},
    {0xc00000, 0xc00fff, "V3D"},
    {0xe00000, 0xe00fff, "SDRAM controller"},
    {0xe05000, 0xe05fff, "DMA channel 15"},
};

const char *peripheral_name(uint32_t offset)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (offset >= names[i].first && offset <= names[i].last)
            return names[i].name;
    return NULL;
}
