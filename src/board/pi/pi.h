/* SPDX-License-Identifier: MIT */
/* pi.h - the state of a Pi, and the functions that the files of this folder share. */
#ifndef BOARD_PI_PI_H
#define BOARD_PI_PI_H

#include <tessera/pi.h>

enum {
    PI_MAIL_QUEUE = 8,
    PI_BLOCKS = 1024,
    PI_DEVICES = 11, /* number of devices with a power state (the firmware's wiki names nine) */
    PI_GPIOS = 136,  /* number of pins, of which the last 8 are on the firmware's I/O expander */
    PI_GPIO_NO_MONITOR = 132, /* low while a monitor is connected (Linux' bcm2837-rpi-3-b.dts) */
    PI_PALETTE = 256,
    PI_OTP = 8, /* number of customer rows (32-bit words) of the one-time programmable memory */
    PI_PAGE = 4096,
    PI_SHOWN = 8, /* maximum number of reported findings of one kind */
};

#define PI_ADDRESS UINT32_C(0x3fffffff) /* mask for a bus address without the cache alias */

/* A block of VideoCore memory: an allocation of tag 0x3000c, or the framebuffer. */
struct pi_block {
    uint32_t address, size; /* address without alias; size 0 marks a free entry */
    uint32_t flags, locks;
};

/* Kinds of findings. PI_FINDINGS is the kind for features that are not modelled. */
enum pi_finding {
#define FAULT(name, ...) PI_##name,
#include "board/pi/findings.def"
#undef FAULT
    PI_FINDINGS
};

struct pi_gpio {
    uint32_t direction, polarity, terminate, pull_up, state;
};

/* A Pi. All members except options are plain data. */
enum { PI_LINE = 160 }; /* words */

/* The firmware leaves the core clock at its least rate, in Hz (core_freq_min in config.txt). The
 * mini UART and the ARM timer depend on this rate. */
enum { PI_CORE_IDLE = 250000000 };

struct tess_pi {
    struct tess_vc4 *vc4;
    struct tess_pi_options options; /* options, with defaults in place of zeros */
    struct tess_pi_framebuffer framebuffer;
    uint32_t alpha_mode, blanked;
    uint32_t overscan[4];
    uint32_t palette[PI_PALETTE];
    uint32_t clock_rate[TESS_PI_CLOCKS];
    bool clock_off[TESS_PI_CLOCKS];
    uint32_t turbo;
    uint32_t power[PI_DEVICES];
    uint32_t domains; /* bit n is set if power domain n is on (except V3D's domain) */
    uint32_t enables; /* number of enables minus number of disables of the QPUs by tag 0x30012 */
    bool v3d_domain;  /* true if V3D's power domain is on */
    struct tess_pi_starts starts;
    uint32_t shown[PI_FINDINGS + 1]; /* findings reported of each kind, up to PI_SHOWN + 1 */
    bool starting; /* true if the latest access to V3D's registers started a program */
    struct pi_gpio gpio[PI_GPIOS];
    uint32_t otp[PI_OTP];
    uint32_t kernel_line[PI_LINE];              /* text: the kernel's part of the command line */
    uint32_t touch_buffer, virtual_gpio_buffer; /* bus addresses set by programs */
    struct pi_block blocks[PI_BLOCKS];          /* entry n has handle n + 1 */
    uint32_t queue[PI_MAIL_QUEUE];
    uint32_t first, count;
    uint32_t mail_config; /* bit 0: enables the interrupt of mailbox 0 */
    uint32_t timer_compare[4];
    uint64_t timer_reads;
};

/* --- findings.c --- */

/* Address for findings about a buffer in host memory, which has no bus address. */
#define PI_NOWHERE UINT32_MAX

/* Reports a finding at an address, at most PI_SHOWN times for each kind. */
void pi_fault(struct tess_pi *pi, enum pi_finding finding, uint32_t address, const char *text);

/* Reports the use of a feature of the Pi that is not modelled. instead is a hint that says what the
 * program should do instead. */
void pi_not_modelled(struct tess_pi *pi, const char *instead, uint32_t address, const char *text);

/* --- registers.c --- */

/* Returns the level of mailbox 0's interrupt line: an answer is there, and its interrupt is
 * enabled. */
bool pi_mailbox_interrupt(const struct tess_pi *pi);

/* --- property.c --- */

/* Executes the tags of a property buffer of size bytes. address is the buffer's bus address, or
 * PI_NOWHERE. Writes the response code to the buffer's second word and returns the code. */
uint32_t pi_property(struct tess_pi *pi, uint8_t *buffer, uint32_t size, uint32_t address);
#define PI_RESPONSE_ERROR UINT32_C(0x80000001)

/* --- memory.c --- */

/* Allocation flags for the contents of new memory. PI_MEMORY_ZERO fills the memory with zeros.
 * PI_MEMORY_NO_INIT leaves the memory unchanged. Without these flags, the memory is filled with
 * 0xff. */
enum { PI_MEMORY_ZERO = 1 << 4, PI_MEMORY_NO_INIT = 1 << 5 };

void pi_release_all(struct tess_pi *pi);

/* Returns the block of a handle, or NULL if the handle is invalid. */
const struct pi_block *pi_block(const struct tess_pi *pi, uint32_t handle);

/* Returns the handle of the locked block that begins at a bus address, or 0 if no locked block
 * begins at the address. */
uint32_t pi_locked_at(const struct tess_pi *pi, uint32_t address);

/* --- framebuffer.c --- */

/* Alpha modes: the meaning of bits 31:24 of a pixel of 32 bits. */
enum {
    PI_ALPHA_TRANSPARENCY, /* 0 is opaque */
    PI_ALPHA_OPACITY,      /* 0 is transparent */
    PI_ALPHA_IGNORED,
};

/* Sets the framebuffer's settings to the firmware's initial settings. Allocates no memory. */
void pi_framebuffer_reset(struct tess_pi *pi);
void pi_framebuffer_allocate(struct tess_pi *pi, uint32_t alignment);
void pi_framebuffer_release(struct tess_pi *pi);
uint32_t pi_framebuffer_pitch(const struct tess_pi_framebuffer *framebuffer);

/* --- state.c --- */

struct state_stream;

/* The fields of a Pi, for base/state.h. When reading, the options must be those of the Pi that is
 * restored. */
void pi_state(struct state_stream *stream, struct tess_pi *pi);

/* Unmaps the PI_BLOCKS blocks `from` in the V3D's memory, and maps the blocks `to`. On failure,
 * some blocks are not mapped. */
enum tess_status pi_remap(struct tess_pi *pi, const struct pi_block *from,
                          const struct pi_block *to);

/* --- programs.c --- */

/* Executes tag 0x30011. Runs count programs on all QPUs in parallel. Each program is given by a
 * pair of words, the addresses of its uniforms and of its code. `control` is the bus address of the
 * first pair. Clears the caches first unless keep_caches is true. timeout is in milliseconds,
 * measured by V3D's clock. Returns 0, or 0x80000000 if the programs cannot start, do not end in
 * time, or do not raise the host interrupt. */
uint32_t pi_execute_programs(struct tess_pi *pi, uint32_t count, uint32_t control, bool keep_caches,
                             uint32_t timeout);

/* pi_enable_programs() switches the QPUs on or off for tag 0x30012. The QPUs are on while the
 * number of enables exceeds the number of disables. pi_switch_domain() switches V3D's power domain
 * on or off. */
void pi_enable_programs(struct tess_pi *pi, bool on);
void pi_switch_domain(struct tess_pi *pi, bool on);

/* Sets the kernel's part of the command line (cmdline.txt), which tag 0x50001 returns after the
 * firmware's. Bytes past its room are cut off. */
void pi_set_kernel_line(struct tess_pi *pi, const char *text);

/* --- legacy.c --- */

/* Carry out a request of mailbox channel 0 (power) or 1 (framebuffer). data is the message without
 * the channel. Return the data of the answer. */
uint32_t pi_legacy_power(struct tess_pi *pi, uint32_t data);
uint32_t pi_legacy_framebuffer(struct tess_pi *pi, uint32_t data);

/* --- timer.c --- */

uint32_t pi_timer_read(struct tess_pi *pi, uint32_t offset);
void pi_timer_write(struct tess_pi *pi, uint32_t offset, uint32_t value);

#endif
