/* SPDX-License-Identifier: MIT */
/* pi.h - the Raspberry Pi around a VideoCore IV: property mailbox, GPU memory, framebuffer, system timer. */
#ifndef TESSERA_PI_H
#define TESSERA_PI_H

#include <tessera/tessera.h>
#include <tessera/vc4.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Peripherals, byte offsets from the peripheral base (bus 0x7e000000; for the ARM struct tess_pi_board says where). */
enum {
    TESS_PI_TIMER = 0x003000,
    TESS_PI_TIMER_LOW = TESS_PI_TIMER + 0x04, /* microseconds */
    TESS_PI_TIMER_HIGH = TESS_PI_TIMER + 0x08,
    TESS_PI_MAILBOX = 0x00b880,
    TESS_PI_MAIL_READ = TESS_PI_MAILBOX + 0x00,
    TESS_PI_MAIL_STATUS = TESS_PI_MAILBOX + 0x18, /* bit 31 full, bit 30 empty */
    TESS_PI_MAIL_WRITE = TESS_PI_MAILBOX + 0x20,
    TESS_PI_V3D = 0xc00000,
};

/* The clocks of the property interface. */
enum tess_pi_clock {
    TESS_PI_CLOCK_RESERVED,
    TESS_PI_CLOCK_EMMC,
    TESS_PI_CLOCK_UART,
    TESS_PI_CLOCK_ARM,
    TESS_PI_CLOCK_CORE,
    TESS_PI_CLOCK_V3D,
    TESS_PI_CLOCK_H264,
    TESS_PI_CLOCK_ISP,
    TESS_PI_CLOCK_SDRAM,
    TESS_PI_CLOCK_PIXEL,
    TESS_PI_CLOCK_PWM,
    TESS_PI_CLOCK_HEVC,
    TESS_PI_CLOCK_EMMC2,
    TESS_PI_CLOCK_M2MC,
    TESS_PI_CLOCK_PIXEL_BVB,
    TESS_PI_CLOCKS
};

/* What programs can find out about a board. Addresses are those of the ARM. All strings are static. */
struct tess_pi_board {
    const char *name;       /* "pi1" */
    const char *model;      /* device tree: "Raspberry Pi Model B Rev 2" */
    const char *compatible; /* device tree, first string: "raspberrypi,model-b-rev2" */
    const char *soc;        /* device tree, second string: "brcm,bcm2835" */
    uint32_t revision;      /* "Revision" of /proc/cpuinfo, and of the mailbox */
    uint32_t peripheral_base, peripheral_size; /* bytes, as bcm_host gives them */
    /* Bus address of RAM as the ARM sees it: bcm_host_get_sdram_address(). */
    uint32_t sdram_address;
    uint32_t memory_size; /* bytes of RAM, from address 0 */
    uint32_t alias; /* top two bits of the framebuffer's bus address, as the firmware gives it */
    /* From here on the ARM sees RAM a second time, past the L2 cache, behind the peripherals: the address minus this
     * is that of the RAM. 0: there is no such window. GPU_FFT and others use it ("mem_map 0x20000000"). */
    uint32_t uncached_base;
    uint32_t clock_rates[TESS_PI_CLOCKS]; /* Hz, as the firmware sets them by default; 0 none */
    uint32_t arm_idle_rate;               /* Hz that the ARM's clock goes down to */
};

/* The boards: one by its number, NULL beyond the last; one by its name ("zero", "pi1", "pi2", "pi3"), NULL if there
 * is none. */
TESS_API const struct tess_pi_board *tess_pi_board_get(size_t number);
TESS_API const struct tess_pi_board *tess_pi_board_find(const char *name);

/* The first address that the ARM gets no RAM at: VideoCore memory ends here at the latest, so that /dev/mem can show all
 * of it. The smaller of the RAM's size and the peripherals' address. */
TESS_API uint32_t tess_pi_board_memory_end(const struct tess_pi_board *board);

struct tess_pi;

/* Zero every member that you do not care about. */
struct tess_pi_options {
    struct tess_sink sink;
    const struct tess_pi_board *board; /* default: a Pi Zero W, with the sizes below */
    uint32_t arm_size; /* bytes of ARM memory from address 0; default: what the board has below
                          VideoCore memory, and 448 MiB without a board */
    uint32_t vc_size;  /* bytes of VideoCore memory above it, default 64 MiB; the framebuffer and
                          "allocate memory" come from here */
    uint32_t revision; /* board revision code, default the board's */
    uint32_t alias; /* top two address bits that the firmware puts on the framebuffer's bus address,
                          default the board's */

    /* vc_size bytes that are VideoCore memory: what the firmware allocates lies at the same offset in them. They
     * belong to the caller and must outlive the result. NULL: each allocation has memory of its own, zeroed. */
    void *memory;

    /* For several devices that have the same memory: claim() takes size bytes at an address for this one, and returns 0; or
     * the first address behind what another one has of them. unclaim() gives them back. NULL: there is no other. */
    uint32_t (*claim)(void *user, uint32_t address, uint32_t size);
    void (*unclaim)(void *user, uint32_t address);
    void *claim_user;

    /* Microseconds for the system timer. NULL: it goes by the clocks that V3D has run, and one microsecond on with
     * each access. */
    uint64_t (*time)(void *user);
    void *time_user;
};

/* Puts a Pi's peripherals in front of a device. The caller maps ARM memory itself; the firmware's own
 * allocations are mapped into the device when programs ask for them. vc4 must outlive the result.
 * Errors: TESS_INVALID (sizes that do not fit below the board's peripherals, or into 1 GiB), TESS_NO_MEMORY.
 * Release with tess_pi_destroy(). */
TESS_API enum tess_status tess_pi_create(struct tess_pi **out, struct tess_vc4 *vc4,
                                         const struct tess_pi_options *options);

/* Unmaps the firmware's allocations and releases the rest. NULL is allowed. */
TESS_API void tess_pi_destroy(struct tess_pi *pi);

/* Reads and writes a 32-bit peripheral register; offset is in bytes from the peripheral base. Modelled are
 * mailbox 0 (reads as above; TESS_PI_MAIL_WRITE with a 16-byte-aligned buffer address and channel 8 carries out
 * the buffer's property tags at once and queues the reply for TESS_PI_MAIL_READ), the system timer, and the V3D registers at
 * TESS_PI_V3D, which read 0xdeadbeef until a program switches the QPUs on. Anything else is a finding. */
TESS_API uint32_t tess_pi_read(struct tess_pi *pi, uint32_t offset);
TESS_API void tess_pi_write(struct tess_pi *pi, uint32_t offset, uint32_t value);

/* Carries out the property tags of a buffer in host memory, size bytes long, as /dev/vcio does: its first word is the size
 * that counts, its second one gets the response code, which is also returned: 0x80000000, or 0x80000001 when a
 * tag is unknown or refused, or the buffer is malformed (then it is a finding, too). */
TESS_API uint32_t tess_pi_property(struct tess_pi *pi, void *buffer, uint32_t size);

/* What the mailbox's memory tags do. tess_pi_allocate() returns a handle, or 0 if there is no room for so many bytes, the
 * alignment (bytes; 0 is a page) is no power of two, or flags ask for the impossible; flags: bits 3:2 choose the cache
 * alias of the bus address (0 normal, 1 direct, 2 coherent, 3 allocating in L2 only), bit 4 zeroes the memory, bit 5
 * leaves it as it is; otherwise its bytes are 0xff. tess_pi_lock() returns the bus address, or 0 for a handle that is
 * none; locks are counted. The others return false for a handle that is none, or memory that is not locked. */
TESS_API uint32_t tess_pi_allocate(struct tess_pi *pi, uint32_t size, uint32_t alignment,
                                   uint32_t flags);
TESS_API uint32_t tess_pi_lock(struct tess_pi *pi, uint32_t handle);
TESS_API bool tess_pi_unlock(struct tess_pi *pi, uint32_t handle);
TESS_API bool tess_pi_release(struct tess_pi *pi, uint32_t handle);

/* A kind of finding about a program that uses the Pi; docs/pi-findings.md has them. Strings are static. */
struct tess_pi_finding {
    const char *id; /* as .rule of struct tess_diag */
    enum tess_severity severity;
    const char *title;            /* what is wrong; no period */
    const char *hardware, *model; /* what these do; the hardware is the board with its firmware */
    const char *instead;          /* what to do; no period */
    const char *source;
};

/* How many kinds there are, and one of them; NULL beyond the last. */
TESS_API size_t tess_pi_finding_count(void);
TESS_API const struct tess_pi_finding *tess_pi_finding_get(size_t number);

/* Looks up a kind by its id; NULL if there is none. */
TESS_API const struct tess_pi_finding *tess_pi_finding_find(const char *id);

/* What the display would show now. */
struct tess_pi_framebuffer {
    uint32_t address; /* bus address; 0 while none is allocated */
    uint32_t size;    /* bytes */
    uint32_t width, height, virtual_width, virtual_height;
    uint32_t depth;       /* bits per pixel */
    uint32_t pixel_order; /* 0 BGR, 1 RGB */
    uint32_t pitch;       /* bytes per row */
    uint32_t offset_x, offset_y;
};
TESS_API void tess_pi_get_framebuffer(const struct tess_pi *pi,
                                      struct tess_pi_framebuffer *framebuffer);

/* Whether a program has switched V3D on (mailbox tag 0x30012, or a power domain call). */
TESS_API bool tess_pi_v3d_enabled(const struct tess_pi *pi);

/* The present rate of a clock in Hz; 0 if there is none. */
TESS_API uint32_t tess_pi_clock_rate(const struct tess_pi *pi, enum tess_pi_clock clock);

/* How often user programs were started since the creation: by tag 0x30011, and by writes of V3D_SRQPC with no other access
 * to V3D between, but for V3D_SRQUA and V3D_SRQUL. */
struct tess_pi_starts {
    uint64_t mailbox, registers;
};
TESS_API void tess_pi_get_starts(const struct tess_pi *pi, struct tess_pi_starts *starts);

#ifdef __cplusplus
}
#endif

#endif
