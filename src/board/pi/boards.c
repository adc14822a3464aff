/* SPDX-License-Identifier: MIT */
/* boards.c - the Raspberry Pi boards with a VideoCore IV, and the constants of each board that
 * programs can query.
 *
 * In:  a board's name or index.
 * Out: the board's constants.
 *
 * Source: the revision table and the table of default clocks of raspberrypi/documentation
 *         (raspberry-pi-revision-codes, config_txt/overclocking); model and compatible strings of
 *         Linux' arch/arm/boot/dts/bcm2835-rpi-*.dts and of the firmware's bcm2708 to bcm2710
 *         device trees; bcm_host.c of raspberrypi/userland, which derives addresses from device
 *         trees.
 * Choices: clocks are the firmware's defaults from the table of default clocks. V3D has 250 MHz on
 *          a Pi 1 and a Pi 2, 300 MHz on a Zero and a Zero 2, and 400 MHz on a Pi 3. The Pi 1 is
 *          the model B of 2012. GPU_FFT's figures of 2014 were measured on this model, also at 250
 *          MHz. The peripherals have 16 MiB of address space, the default of every version of
 *          bcm_host. The pixel clock is that of a 640x480 display. */
#include <tessera/pi.h>

#include <string.h>

#define MHZ(rate) ((rate)*UINT32_C(1000000))
#define MIB(size) (UINT32_C(size) << 20)

/* Clock rates. Parameters in MHz: ARM, core, GPU (V3D, H264 and ISP share one rate), SDRAM. The
 * rates of EMMC, UART and pixel clock are the same on all boards. */
#define RATES(arm, core, gpu, sdram)                                        \
    {                                                                       \
        [TESS_PI_CLOCK_EMMC] = MHZ(250), [TESS_PI_CLOCK_UART] = MHZ(48),    \
        [TESS_PI_CLOCK_ARM] = MHZ(arm), [TESS_PI_CLOCK_CORE] = MHZ(core),   \
        [TESS_PI_CLOCK_V3D] = MHZ(gpu), [TESS_PI_CLOCK_H264] = MHZ(gpu),    \
        [TESS_PI_CLOCK_ISP] = MHZ(gpu), [TESS_PI_CLOCK_SDRAM] = MHZ(sdram), \
        [TESS_PI_CLOCK_PIXEL] = 25175000,                                   \
    }

/* Fields that depend on the ARM core. The ARM11 accesses RAM through the L2 cache (bus addresses
 * from 0x40000000). At uncached_base, the ARM11 accesses the same RAM without the L2 cache. The
 * Cortex cores access RAM without the L2 cache (bus addresses from 0xc0000000). */
#define ARM11                                                                               \
    .peripheral_base = 0x20000000, .peripheral_size = MIB(16), .sdram_address = 0x40000000, \
    .alias = 0x40000000, .uncached_base = 0x20000000, .arm_idle_rate = MHZ(700)
#define CORTEX                                                                              \
    .peripheral_base = 0x3f000000, .peripheral_size = MIB(16), .sdram_address = 0xc0000000, \
    .alias = 0xc0000000, .arm_idle_rate = MHZ(600)

static const struct tess_pi_board zero = {
    .name = "zero",
    .model = "Raspberry Pi Zero W Rev 1.1",
    .compatible = "raspberrypi,model-zero-w",
    .soc = "brcm,bcm2835",
    .revision = 0x9000c1,
    .memory_size = MIB(512),
    ARM11,
    .clock_rates = RATES(1000, 400, 300, 450),
    .activity_pin = 47,
    .mini_uart = true,
};

static const struct tess_pi_board pi1 = {
    .name = "pi1",
    .model = "Raspberry Pi Model B Rev 2",
    .compatible = "raspberrypi,model-b-rev2",
    .soc = "brcm,bcm2835",
    .revision = 0x00000e,
    .memory_size = MIB(512),
    ARM11,
    .clock_rates = RATES(700, 250, 250, 400),
    .activity_pin = 16,
};

static const struct tess_pi_board pi2 = {
    .name = "pi2",
    .model = "Raspberry Pi 2 Model B Rev 1.1",
    .compatible = "raspberrypi,2-model-b",
    .soc = "brcm,bcm2836",
    .revision = 0xa01041,
    .memory_size = MIB(1024),
    CORTEX,
    .clock_rates = RATES(900, 250, 250, 450),
    .activity_pin = 47,
};

static const struct tess_pi_board pi3 = {
    .name = "pi3",
    .model = "Raspberry Pi 3 Model B Rev 1.2",
    .compatible = "raspberrypi,3-model-b",
    .soc = "brcm,bcm2837",
    .revision = 0xa02082,
    .memory_size = MIB(1024),
    CORTEX,
    .clock_rates = RATES(1200, 400, 400, 450),
    .mini_uart = true,
};

static const struct tess_pi_board zero2 = {
    .name = "zero2",
    .model = "Raspberry Pi Zero 2 W Rev 1.0",
    .compatible = "raspberrypi,model-zero-2-w",
    .soc = "brcm,bcm2837",
    .revision = 0x902120,
    .memory_size = MIB(512),
    CORTEX,
    .clock_rates = RATES(1000, 400, 300, 450),
    .activity_pin = 29,
    .mini_uart = true,
};

static const struct tess_pi_board *const boards[] = {&zero, &pi1, &pi2, &pi3, &zero2};

enum { BOARDS = sizeof boards / sizeof *boards };

const struct tess_pi_board *tess_pi_board_get(size_t number)
{
    return number < BOARDS ? boards[number] : NULL;
}

const struct tess_pi_board *tess_pi_board_find(const char *name)
{
    for (size_t i = 0; name && i < BOARDS; i++)
        if (strcmp(boards[i]->name, name) == 0)
            return boards[i];
    return NULL;
}

uint32_t tess_pi_board_memory_end(const struct tess_pi_board *board)
{
    return board->memory_size < board->peripheral_base ? board->memory_size
                                                       : board->peripheral_base;
}
