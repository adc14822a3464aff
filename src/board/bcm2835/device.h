/* SPDX-License-Identifier: MIT */
/* device.h - the interface between a peripheral of the BCM2835 and the board around it.
 *
 * A peripheral is a row of constants and functions (struct device) and a state of plain data, which
 * is saved and restored by copying. A peripheral reaches the rest of the board only through its
 * ports. Time is the board's time in nanoseconds since power-on. */
#ifndef BOARD_BCM2835_DEVICE_H
#define BOARD_BCM2835_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/pi/pi.h"

/* A time that does not come. */
#define DEVICE_NEVER UINT64_MAX

enum { DEVICE_SECOND = 1000000000, DEVICE_MICROSECOND = 1000 };

/* Interrupt lines. Lines 0 to 63 are the GPU's interrupts, numbered as in "BCM2835 ARM
 * Peripherals", section 7.5, and in Linux' bcm283x.dtsi. Lines from 64 are the ARM's own
 * interrupts, in the order of the bits of the register "IRQ basic pending". */
enum device_line {
    LINE_TIMER0 = 0, /* system timer, compare registers 0 to 3 */
    LINE_USB = 9,
    LINE_V3D = 10,
    LINE_DMA0 = 16, /* channels 0 to 10; channels 11 to 14 share line 27 */
    LINE_DMA_SHARED = 27,
    LINE_DMA_ALL = 28, /* any channel */
    LINE_AUX = 29,     /* mini UART, SPI1, SPI2 */
    LINE_VALVE2 = 42,  /* pixel valves */
    LINE_VALVE0 = 45,
    LINE_VALVE1 = 46,
    LINE_SMI = 48,
    LINE_GPIO0 = 49,
    LINE_GPIO3 = 52, /* any bank */
    LINE_I2C = 53,
    LINE_SPI = 54,
    LINE_PCM = 55,
    LINE_SDHOST = 56,
    LINE_UART = 57,
    LINE_EMMC = 62,
    LINE_ARM_TIMER = 64,
    LINE_ARM_MAILBOX,
    LINE_ARM_DOORBELL0,
    LINE_ARM_DOORBELL1,
    LINE_COUNT = 72,
};

/* Requests of peripherals to the DMA controller, numbered as in "BCM2835 ARM Peripherals", section
 * 4.2.1.3. */
enum device_request {
    REQUEST_ALWAYS = 0,
    REQUEST_PCM_TX = 2,
    REQUEST_PCM_RX = 3,
    REQUEST_PWM = 5,
    REQUEST_SPI_TX = 6,
    REQUEST_SPI_RX = 7,
    REQUEST_EMMC = 11,
    REQUEST_UART_TX = 12,
    REQUEST_SDHOST = 13,
    REQUEST_UART_RX = 14,
    REQUEST_COUNT = 32,
};

/* What a peripheral sends out of the board. */
enum device_output {
    OUTPUT_UART,      /* a byte of the PL011 */
    OUTPUT_MINI_UART, /* a byte of the mini UART */
    OUTPUT_PIN,       /* a changed level of a GPIO pin: pin number * 2 + level */
    OUTPUT_AUDIO,     /* a stereo sample: left in bits 15:0, right in bits 31:16, signed */
    OUTPUT_RESET, /* the watchdog resets the board: the partition number to boot from, 63 to halt */
};

/* What comes into the board from outside. */
enum device_input {
    INPUT_UART,      /* a byte for the PL011 */
    INPUT_MINI_UART, /* a byte for the mini UART */
    INPUT_PIN,       /* a new level of a GPIO pin from outside: pin number * 2 + level */
};

/* The board, as a peripheral sees it. The same for all peripherals. */
struct device_ports {
    void *user; /* the first argument of all functions */

    /* Returns the present time in nanoseconds. */
    uint64_t (*now)(void *user);

    /* Sets the level of an interrupt line. */
    void (*interrupt)(void *user, enum device_line line, bool level);

    /* Sets the level of a request to the DMA controller. */
    void (*request)(void *user, enum device_request request, bool level);

    /* Returns the host address of size bytes of RAM at a bus address, or NULL if a part of them is
     * not RAM. */
    uint8_t *(*ram)(void *user, uint32_t bus, uint32_t size);

    /* The DMA controller is about to read or write size bytes of RAM at a bus address. NULL if the
     * board does not need to know. */
    void (*touches)(void *user, uint32_t bus, uint32_t size, bool write);

    /* Read or write a register at a bus address, as a DMA channel does. */
    uint32_t (*read)(void *user, uint32_t bus);
    void (*write)(void *user, uint32_t bus, uint32_t value);

    /* Reports a byte, a level or a sample that leaves the board. */
    void (*output)(void *user, enum device_output output, uint32_t value);

    /* Returns the rate in Hz of a clock of the property interface (enum tess_pi_clock). */
    uint32_t (*clock_rate)(void *user, unsigned clock);

    /* Reports a mistake of the program (a row of board/pi/findings.def). offset is in bytes from
     * the peripheral base. */
    void (*finding)(void *user, enum pi_finding finding, uint32_t offset, const char *text);

    /* Reports the use of a feature that is not modelled. instead says what the program can do
     * instead. */
    void (*not_modelled)(void *user, uint32_t offset, const char *text, const char *instead);

    /* Reads or writes size bytes of the SD card's image at a position in bytes. Returns false if
     * there is no card, or the range is outside of it. */
    bool (*card_read)(void *user, uint64_t position, void *to, uint32_t size);
    bool (*card_write)(void *user, uint64_t position, const void *from, uint32_t size);
};

/* A kind of peripheral. Functions that are NULL do nothing. state points to state_size bytes of
 * plain data without pointers, aligned to 8 bytes. offset is in bytes from the peripheral's base, a
 * multiple of 4 below size. The board delivers accesses of 8 and 16 bits as accesses of the whole
 * register. */
struct device {
    const char *name;    /* for findings, for example "mini UART" */
    uint32_t base, size; /* bytes from the peripheral base (bus address 0x7e000000) */
    size_t state_size;

    /* Sets the state after power-on. The state is zeroed before. */
    void (*reset)(void *state, const struct device_ports *ports);

    uint32_t (*read)(void *state, const struct device_ports *ports, uint32_t offset);
    void (*write)(void *state, const struct device_ports *ports, uint32_t offset, uint32_t value);

    /* Stores the count of which a register shows the low 32 bits at a time, now or later, if time
     * alone changes the register: a counter. Returns false for other registers, which change only
     * by accesses, from outside, and at the times of next(). */
    bool (*counter_at)(const void *state, uint32_t offset, uint64_t time, uint64_t *count);

    /* Receives a byte or a level from outside. */
    void (*input)(void *state, const struct device_ports *ports, enum device_input input,
                  uint32_t value);

    /* Receives a changed level of a line or a request of another peripheral; only the interrupt
     * controllers and the DMA controller have these. */
    void (*line)(void *state, const struct device_ports *ports, enum device_line line, bool level);
    void (*requested)(void *state, const struct device_ports *ports, enum device_request request,
                      bool level);

    /* Returns the time of the next change that happens without an access, or DEVICE_NEVER. */
    uint64_t (*next)(const void *state);

    /* Carries out all changes up to the present time. The board calls it before each access, and at
     * the time that next() returned. */
    void (*advance)(void *state, const struct device_ports *ports);
};

#endif
