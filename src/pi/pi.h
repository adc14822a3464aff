/* SPDX-License-Identifier: MIT */
/* pi.h - what the files of this folder share: a Pi's state, and what each file does for the others. */
#ifndef PI_PI_H
#define PI_PI_H

#include <tessera/pi.h>

enum {
    PI_MAIL_QUEUE = 8,
    PI_BLOCKS = 1024,
    PI_DEVICES = 11, /* with a power state; the wiki names nine */
    PI_GPIOS = 136,  /* 128.. are those of the firmware's expander */
    PI_PALETTE = 256,
    PI_OTP = 8, /* customer words */
    PI_PAGE = 4096,
    PI_SHOWN = 8, /* findings of a kind */
};

#define PI_ADDRESS UINT32_C(0x3fffffff) /* a bus address without its alias */

/* A block of VideoCore memory: an allocation of tag 0x3000c, or the framebuffer. */
struct pi_block {
    uint32_t address, size; /* without alias; size 0: free entry */
    uint32_t flags, locks;
};

/* Kinds of findings; PI_FINDINGS stands for what is not modelled. */
enum pi_finding {
#define FAULT(name, ...) PI_##name,
#include "pi/findings.def"
#undef FAULT
    PI_FINDINGS
};

struct pi_gpio {
    uint32_t direction, polarity, terminate, pull_up, state;
};

/* All but options is plain data. */
struct tess_pi {
    struct tess_vc4 *vc4;
    struct tess_pi_options options; /* defaults filled in */
    struct tess_pi_framebuffer framebuffer;
    uint32_t alpha_mode, blanked;
    uint32_t overscan[4];
    uint32_t palette[PI_PALETTE];
    uint32_t clock_rate[TESS_PI_CLOCKS];
    bool clock_off[TESS_PI_CLOCKS];
    uint32_t turbo;
    uint32_t power[PI_DEVICES];
    uint32_t domains; /* a bit for each power domain that is on, but V3D */
    uint32_t enables; /* of the QPUs, by tag 0x30012, that have not been taken back */
    bool v3d_domain;  /* switched on as a power domain */
    struct tess_pi_starts starts;
    uint32_t told[PI_FINDINGS + 1]; /* findings, up to PI_SHOWN + 1 */
    bool starting;                  /* the latest access to V3D started a program */
    struct pi_gpio gpio[PI_GPIOS];
    uint32_t otp[PI_OTP];
    uint32_t touch_buffer, virtual_gpio_buffer; /* bus addresses that programs have given */
    struct pi_block blocks[PI_BLOCKS];          /* entry n has handle n + 1 */
    uint32_t queue[PI_MAIL_QUEUE];
    uint32_t first, count;
    uint32_t timer_compare[4];
    uint64_t timer_reads;
};

/* --- findings.c --- */

/* Where a finding in memory that has no bus address is: a buffer of the host. */
#define PI_NOWHERE UINT32_MAX

/* Reports a finding at an address, PI_SHOWN times at most for each kind. */
void pi_fault(struct tess_pi *pi, enum pi_finding finding, uint32_t address, const char *text);

/* The same of something that the Pi has and we have not; instead: what to do. */
void pi_not_modelled(struct tess_pi *pi, const char *instead, uint32_t address, const char *text);

/* --- property.c --- */

/* Carries out the tags of a buffer of size bytes, at this bus address or PI_NOWHERE. Returns the response code, which is also in
 * its second word. */
uint32_t pi_property(struct tess_pi *pi, uint8_t *buffer, uint32_t size, uint32_t address);
#define PI_RESPONSE_ERROR UINT32_C(0x80000001)

/* --- memory.c --- */

/* How allocation flags say what is in new memory, and where it is cached. */
enum { PI_MEMORY_ZERO = 1 << 4, PI_MEMORY_NO_INIT = 1 << 5 };

void pi_release_all(struct tess_pi *pi);

/* The address of a handle's memory, without alias, and its size; 0 if there is none. */
const struct pi_block *pi_block(const struct tess_pi *pi, uint32_t handle);

/* The handle of the locked memory that begins at a bus address; 0 if there is none. */
uint32_t pi_locked_at(const struct tess_pi *pi, uint32_t address);

/* --- framebuffer.c --- */

/* As the firmware leaves it. */
void pi_framebuffer_reset(struct tess_pi *pi);
void pi_framebuffer_allocate(struct tess_pi *pi, uint32_t alignment);
void pi_framebuffer_release(struct tess_pi *pi);
uint32_t pi_framebuffer_pitch(const struct tess_pi_framebuffer *framebuffer);

/* --- programs.c --- */

/* Tag 0x30011: runs count pairs {uniforms, code} at control, as many at once as there are QPUs, for at most so many
 * milliseconds of V3D's time. 0, or 0x80000000 when they do not end. */
uint32_t pi_execute_programs(struct tess_pi *pi, uint32_t count, uint32_t control, bool keep_caches,
                             uint32_t timeout);

/* Switches the QPUs on or off, as tag 0x30012 and the power domain do. */
void pi_enable_programs(struct tess_pi *pi, bool on);
void pi_switch_domain(struct tess_pi *pi, bool on);

/* --- timer.c --- */

uint32_t pi_timer_read(struct tess_pi *pi, uint32_t offset);
void pi_timer_write(struct tess_pi *pi, uint32_t offset, uint32_t value);

#endif
