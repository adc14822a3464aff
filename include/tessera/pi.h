/* SPDX-License-Identifier: MIT */
/* pi.h - the Raspberry Pi around a VideoCore IV: property mailbox, GPU memory, framebuffer, system
 * timer. */
#ifndef TESSERA_PI_H
#define TESSERA_PI_H

#include <tessera/tessera.h>
#include <tessera/vc4.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Offsets of peripherals in bytes from the peripheral base: bus address 0x7e000000, or
 * .peripheral_base of struct tess_pi_board for the ARM. */
enum {
    TESS_PI_TIMER = 0x003000,
    TESS_PI_TIMER_LOW = TESS_PI_TIMER + 0x04, /* microseconds */
    TESS_PI_TIMER_HIGH = TESS_PI_TIMER + 0x08,
    TESS_PI_MAILBOX = 0x00b880,
    TESS_PI_MAIL_READ = TESS_PI_MAILBOX + 0x00,
    TESS_PI_MAIL_STATUS = TESS_PI_MAILBOX + 0x18, /* bit 31: full, bit 30: empty */
    TESS_PI_MAIL_CONFIG = TESS_PI_MAILBOX + 0x1c, /* bit 0: an answer interrupts the ARM */
    TESS_PI_MAIL_WRITE = TESS_PI_MAILBOX + 0x20,
    TESS_PI_MAIL_STATUS_1 = TESS_PI_MAILBOX + 0x38, /* of mailbox 1, to which the ARM writes */
    TESS_PI_V3D = 0xc00000,
};

/* Clocks of the property interface. */
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

/* The properties of a board that programs can query. Addresses are ARM addresses. All strings are
 * static. */
struct tess_pi_board {
    const char *name;       /* for example "pi1" */
    const char *model;      /* device tree, for example "Raspberry Pi Model B Rev 2" */
    const char *compatible; /* device tree, first string, for example "raspberrypi,model-b-rev2" */
    const char *soc;        /* device tree, second string, for example "brcm,bcm2835" */
    uint32_t revision;      /* "Revision" of /proc/cpuinfo and of the mailbox */
    uint32_t peripheral_base, peripheral_size; /* ARM address and size in bytes of the peripherals,
                                                * as the library bcm_host returns them */
    /* Bus address through which the ARM accesses RAM: bcm_host_get_sdram_address(). */
    uint32_t sdram_address;
    uint32_t memory_size; /* bytes of RAM from address 0 */
    uint32_t alias; /* top two bits of the framebuffer's bus address, which the firmware chooses */
    /* ARM address of a second view of RAM that bypasses the L2 cache, after the peripherals. An
     * address minus this base is the RAM address. 0 if there is no such view. Programs such as
     * GPU_FFT use this view ("mem_map 0x20000000"). */
    uint32_t uncached_base;
    uint32_t clock_rates[TESS_PI_CLOCKS]; /* Hz, the firmware's defaults; 0 if the clock does not
                                             exist */
    uint32_t arm_idle_rate;               /* clock rate of the ARM in Hz while the ARM is idle */
    uint32_t activity_pin;                /* GPIO pin of the activity LED, 0 if it is at no pin */
    bool mini_uart; /* pins 14 and 15 have the mini UART, because Bluetooth has the UART */
};

/* Returns a board by its index, or NULL past the last. */
TESS_API const struct tess_pi_board *tess_pi_board_get(size_t number);

/* Returns a board by its name ("zero", "pi1", "pi2", "pi3", "zero2"), or NULL for an unknown
 * name. */
TESS_API const struct tess_pi_board *tess_pi_board_find(const char *name);

/* Returns the largest end address of VideoCore memory that /dev/mem can show: the smaller of the
 * RAM's size and the peripherals' address. */
TESS_API uint32_t tess_pi_board_memory_end(const struct tess_pi_board *board);

struct tess_pi;

/* The framebuffer's settings before a program sets others, as config.txt can choose them. Must be
 * zero-initialised; members that are 0 have defaults. */
struct tess_pi_display {
    uint32_t width, height; /* pixels, at most 4096; default 640 and 480 */
    uint32_t depth;         /* 8, 16, 24 or 32 bits per pixel; default 32 */
    bool rgb;             /* true if the first byte of a pixel of 24 or 32 bits is red, not blue */
    bool alpha;           /* true to use the alpha of pixels: alpha mode 0 instead of 2 */
    uint32_t overscan[4]; /* pixels at the top, bottom, left and right, for mailbox tag 0x4000a */
};

/* Options of a Pi. Must be zero-initialised; members that are 0 have defaults. */
struct tess_pi_options {
    struct tess_sink sink;
    const struct tess_pi_board *board; /* NULL selects a Pi Zero W with 448 MiB of ARM memory */
    uint32_t arm_size; /* bytes of ARM memory from address 0; default: all memory of the board
                          below VideoCore memory, or 448 MiB without a board */
    uint32_t vc_size;  /* bytes of VideoCore memory above ARM memory, default 64 MiB; contains
                          the framebuffer and all allocations */
    uint32_t revision; /* board revision code; the default is the revision of the board */
    uint32_t alias;    /* top two bits of the framebuffer's bus address; the default is .alias of
                        * the board */
    struct tess_pi_display display;

    /* vc_size bytes that are the VideoCore memory, or NULL to use separate zeroed memory for each
     * allocation. The caller owns the bytes, and they must outlive the Pi. */
    void *memory;

    /* Functions for several Pis that share memory, or NULL if the memory is not shared. claim()
     * reserves size bytes at an address for this Pi and returns 0. If another Pi has reserved a
     * part of the bytes, claim() returns the first address after the range of that Pi. unclaim()
     * releases the bytes. */
    uint32_t (*claim)(void *user, uint32_t address, uint32_t size);
    void (*unclaim)(void *user, uint32_t address);
    void *claim_user;

    /* Returns the time of the system timer in microseconds. If time is NULL, the timer shows the
     * time that the V3D has run, plus one microsecond for each access to the timer. */
    uint64_t (*time)(void *user);
    void *time_user;

    /* A pin of the firmware's I/O expander (128 to 135) gets another level. May be NULL. */
    void (*pin)(void *user, unsigned pin, bool level);
    void *pin_user;
};

/* Creates a Pi: the peripherals around a device. The caller maps ARM memory into vc4. The
 * firmware's allocations are mapped into vc4 when programs request them. vc4 must outlive the Pi.
 * options may be NULL. The caller releases *out with tess_pi_destroy(). On failure, *out is NULL,
 * and TESS_INVALID (also if the sizes do not fit below the board's peripherals, or into 1 GiB) or
 * TESS_NO_MEMORY is returned. */
TESS_API enum tess_status tess_pi_create(struct tess_pi **out, struct tess_vc4 *vc4,
                                         const struct tess_pi_options *options);

/* Unmaps the firmware's allocations and releases the Pi. NULL is allowed. */
TESS_API void tess_pi_destroy(struct tess_pi *pi);

/* Reads a 32-bit peripheral register. offset is in bytes from the peripheral base. The model has
 * mailbox 0, the system timer, and the V3D registers at TESS_PI_V3D. The V3D registers read
 * 0xdeadbeef until a program switches the QPUs on. Accesses to other offsets are reported and read
 * 0. */
TESS_API uint32_t tess_pi_read(struct tess_pi *pi, uint32_t offset);

/* Writes a 32-bit peripheral register, see tess_pi_read(). A write to TESS_PI_MAIL_WRITE of a
 * 16-byte-aligned buffer address plus channel 8 executes the buffer's property tags at once, and
 * queues the reply for TESS_PI_MAIL_READ. */
TESS_API void tess_pi_write(struct tess_pi *pi, uint32_t offset, uint32_t value);

/* Executes the property tags of a buffer in host memory, as /dev/vcio does. The buffer has size
 * bytes; its first word is the size of the request. Stores the response code in the buffer's second
 * word and returns it. The code is 0x80000001 if a tag is unknown or rejected, or if the buffer is
 * malformed; otherwise it is 0x80000000. A malformed buffer is also reported. */
TESS_API uint32_t tess_pi_property(struct tess_pi *pi, void *buffer, uint32_t size);

/* Allocates VideoCore memory, as mailbox tag 0x3000c does. size and alignment are in bytes;
 * alignment is a power of two, or 0 for a page. Bits 3:2 of flags select the cache alias of the bus
 * address (0 normal, 1 direct, 2 coherent, 3 allocating in L2 only). Bit 4 zeroes the memory, bit 5
 * leaves it unchanged; otherwise it is filled with 0xff. Returns a handle, or 0 if there is no room
 * or an argument is invalid. */
TESS_API uint32_t tess_pi_allocate(struct tess_pi *pi, uint32_t size, uint32_t alignment,
                                   uint32_t flags);

/* Locks the memory of a handle and returns its bus address, or 0 if the handle is invalid. Locks
 * are counted. */
TESS_API uint32_t tess_pi_lock(struct tess_pi *pi, uint32_t handle);

/* Removes one lock of a handle. Returns false if the handle is invalid or its memory is not locked.
 */
TESS_API bool tess_pi_unlock(struct tess_pi *pi, uint32_t handle);

/* Releases the memory of a handle. Returns false if the handle is invalid. Memory that is still
 * locked is released too, which is reported. */
TESS_API bool tess_pi_release(struct tess_pi *pi, uint32_t handle);

/* The framebuffer's present state. */
struct tess_pi_framebuffer {
    uint32_t address; /* bus address, or 0 if none is allocated */
    uint32_t size;    /* bytes */
    uint32_t width, height, virtual_width, virtual_height;
    uint32_t depth;       /* bits per pixel */
    uint32_t pixel_order; /* 0 for BGR, 1 for RGB */
    uint32_t pitch;       /* bytes per row */
    uint32_t offset_x, offset_y;
};

/* Stores the framebuffer's state in *framebuffer. */
TESS_API void tess_pi_get_framebuffer(const struct tess_pi *pi,
                                      struct tess_pi_framebuffer *framebuffer);

/* Returns true if a program has switched V3D on, by mailbox tag 0x30012 or as a power domain. */
TESS_API bool tess_pi_v3d_enabled(const struct tess_pi *pi);

/* Returns the present rate of a clock in Hz, or 0 if the clock is off or does not exist. */
TESS_API uint32_t tess_pi_clock_rate(const struct tess_pi *pi, enum tess_pi_clock clock);

/* Numbers of starts of user programs since creation. mailbox counts starts by the mailbox tag
 * 0x30011, and registers counts starts by writes of V3D_SRQPC. Several writes of V3D_SRQPC count as
 * one start if the program accesses only V3D_SRQUA and V3D_SRQUL between them. */
struct tess_pi_starts {
    uint64_t mailbox, registers;
};

/* Stores the numbers of starts in *starts. */
TESS_API void tess_pi_get_starts(const struct tess_pi *pi, struct tess_pi_starts *starts);

/* --- a machine: a board with its ARM cores --- */

/* An engine that executes ARM instructions. The library tessera-arm has one:
 * tess_arm_unicorn(). */
struct tess_arm_engine;

struct tess_pi_machine;

/* Options of a machine. Must be zero-initialised; members that are 0 have defaults. All callbacks
 * get user as their first argument, and may be NULL. */
struct tess_pi_machine_options {
    struct tess_sink sink;
    const struct tess_pi_board *board;    /* NULL selects a Pi Zero W */
    const struct tess_arm_engine *engine; /* must not be NULL */
    const struct tess_vc4_options *vc4;   /* options of the V3D, without sink; NULL for defaults */
    bool wide;         /* true to start the cores of a Pi 3 or a Zero 2 in their 64-bit state */
    uint32_t vc_size;  /* bytes of VideoCore memory, a multiple of 64 KiB, default 64 MiB */
    uint32_t arm_rate; /* Hz; the default is the board's clock rate */
    bool endless_wait; /* true to end a run when all cores wait and no event comes */
    bool open_inputs;  /* with endless_wait: true if the caller may send bytes or set pins at any
                        * time, so that cores that wait for an interrupt do not end the run */
    struct tess_pi_display display;

    void *user;
    void (*uart)(void *user, bool mini, uint8_t byte); /* the PL011 or the mini UART sends */
    /* An output of the GPIO changes, or a pin of the firmware's I/O expander (128 to 135), at a
     * time in nanoseconds since power-on. */
    void (*pin)(void *user, uint64_t time, unsigned pin, bool level);
    void (*audio)(void *user, int16_t left, int16_t right); /* a sample of PWM or PCM */
    bool (*card_read)(void *user, uint64_t position, void *to, uint32_t size);
    bool (*card_write)(void *user, uint64_t position, const void *from, uint32_t size);
    uint64_t card_size; /* bytes of the SD card, 0 if there is none */
};

/* A kernel in memory. */
struct tess_pi_kernel {
    uint32_t entry;       /* address of the first instruction */
    uint32_t device_tree; /* address of a device tree blob, or 0 for a list of ATAGs */
    uint32_t initrd_address, initrd_size;
    const char *command_line; /* for the ATAGs and mailbox tag 0x50001, or NULL */
    /* True for a kernel that replaces the firmware's stub: all cores start at entry, and 64-bit
     * cores in EL3. */
    bool no_stub;
    bool no_tags; /* true to write no ATAGs, for a kernel that is loaded over their addresses */
    bool uart;    /* true to switch the UART on, at 115200 baud and on pins 14 and 15 */
    bool vsync;   /* true to interrupt (48, the SMI's) at each vertical sync */
};

/* Creates a machine: board, V3D, peripherals and cores, all in the state after power-on. The caller
 * releases *out with tess_pi_machine_destroy(). On failure, *out is NULL, and TESS_INVALID (also if
 * the engine cannot execute the board's cores, or cores of 32 bits are to be wide) or
 * TESS_NO_MEMORY is returned. */
TESS_API enum tess_status tess_pi_machine_create(struct tess_pi_machine **out,
                                                 const struct tess_pi_machine_options *options);

/* Releases a machine. NULL is allowed. */
TESS_API void tess_pi_machine_destroy(struct tess_pi_machine *machine);

/* Returns the number of bytes of ARM memory, which begins at address 0. */
TESS_API uint32_t tess_pi_machine_arm_size(const struct tess_pi_machine *machine);

/* Copies bytes to an address of ARM memory. Returns TESS_INVALID if they do not fit. */
TESS_API enum tess_status tess_pi_machine_load(struct tess_pi_machine *machine, uint32_t address,
                                               const void *bytes, uint32_t size);

/* Loads a kernel: an ELF file at the physical addresses of its segments, any other file at an
 * address. Stores the address of the first instruction in *entry. Returns TESS_INVALID if the
 * kernel does not fit into ARM memory, or TESS_BAD_INPUT if an ELF file is incomplete. */
TESS_API enum tess_status tess_pi_machine_load_kernel(struct tess_pi_machine *machine,
                                                      uint32_t address, const void *bytes,
                                                      size_t size, uint32_t *entry);

/* Returns true if a kernel is an ELF file of 64 bits. */
TESS_API bool tess_pi_kernel_is_wide(const void *bytes, size_t size);

/* Sets registers and parameters as the firmware does when it starts a kernel. */
TESS_API enum tess_status tess_pi_machine_start(struct tess_pi_machine *machine,
                                                const struct tess_pi_kernel *kernel);

/* Reasons for the end of a run. */
enum tess_pi_end_reason {
    TESS_PI_END_TIME,       /* the time was reached */
    TESS_PI_END_STOPPED,    /* tess_pi_machine_stop() was called */
    TESS_PI_END_RESET,      /* the watchdog has reset the board */
    TESS_PI_END_WAITS,      /* all cores wait, and no event comes */
    TESS_PI_END_BREAKPOINT, /* a core has reached a breakpoint */
    TESS_PI_END_BROKEN,     /* the engine cannot continue */
    TESS_PI_END_WATCH,      /* the function of tess_pi_machine_watch() has returned true */
};

/* The end of a run. text is static, or NULL. core and pc are those of the core that has ended
 * it. */
struct tess_pi_end {
    enum tess_pi_end_reason reason;
    const char *text;
    unsigned core;
    uint64_t pc;
};

/* Runs the machine until a time in nanoseconds since power-on, or until an end that is not the
 * time's. The end is some instructions later than `until`; if several cores run, at the end of
 * their turn, which is up to 2000 instructions of each core later. Runs to different times have no
 * effect on what the machine does. */
TESS_API enum tess_pi_end_reason tess_pi_machine_run(struct tess_pi_machine *machine,
                                                     uint64_t until);

/* Ends the run soon; for callbacks. */
TESS_API void tess_pi_machine_stop(struct tess_pi_machine *machine);

/* Returns the end of the latest run, which is valid until the next run. */
TESS_API const struct tess_pi_end *tess_pi_machine_get_end(const struct tess_pi_machine *machine);

/* Returns the time since power-on in nanoseconds. */
TESS_API uint64_t tess_pi_machine_time(const struct tess_pi_machine *machine);

/* Returns the number of clock cycles that the first core has run or waited. */
TESS_API uint64_t tess_pi_machine_cycles(const struct tess_pi_machine *machine);

/* Sends a byte to a UART of the board. Bytes that the UART cannot take are lost, as on hardware. */
TESS_API void tess_pi_machine_send(struct tess_pi_machine *machine, bool mini, uint8_t byte);

/* Returns the number of bytes that the lines to both UARTs can take; more would be lost. */
TESS_API unsigned tess_pi_machine_send_room(const struct tess_pi_machine *machine);

/* Sets the level of a GPIO pin from outside. */
TESS_API void tess_pi_machine_set_pin(struct tess_pi_machine *machine, unsigned pin, bool level);

/* Return the parts of the machine, which the machine owns. */
TESS_API struct tess_pi *tess_pi_machine_pi(struct tess_pi_machine *machine);
TESS_API struct tess_vc4 *tess_pi_machine_vc4(struct tess_pi_machine *machine);

/* The display's present picture: red, green, blue and 255, 8 bits each, row by row from the top.
 * Stores the size in *width and *height, and the pixels in *rgba, which the caller frees with
 * tess_free(). If the program has no framebuffer, *rgba is NULL. Returns TESS_NO_MEMORY on
 * failure. */
TESS_API enum tess_status tess_pi_machine_picture(const struct tess_pi_machine *machine,
                                                  uint32_t *width, uint32_t *height,
                                                  uint8_t **rgba);

/* Encodes the display's present picture as a PNG file. The caller frees *bytes with tess_free().
 * Returns TESS_INVALID if the program has no framebuffer, or TESS_NO_MEMORY. */
TESS_API enum tess_status tess_pi_machine_png(const struct tess_pi_machine *machine,
                                              uint8_t **bytes, size_t *size);

/* Save and restore the state of a machine between runs. A state contains RAM (only the pages that
 * are not zero), the cores, the V3D, the firmware, all peripherals and the time. It does not
 * contain the options, the breakpoints, and the SD card's image. A restored machine continues
 * exactly as the saved one. */

/* Saves the state. The caller frees *bytes with tess_free(). Returns TESS_NO_MEMORY on failure, or
 * TESS_INVALID during a run. */
TESS_API enum tess_status tess_pi_machine_save(const struct tess_pi_machine *machine,
                                               uint8_t **bytes, size_t *size);

/* Replaces the machine's state by a saved state. The machine must have the same options, except
 * callbacks and host threads. Bytes from any source are safe. The state can come from another host
 * that arranges structures in memory in the same way, such as 64-bit x86 and Arm. Returns
 * TESS_MISMATCH (a state of another machine or version), TESS_BAD_INPUT (damaged bytes),
 * TESS_NO_MEMORY, or TESS_INVALID during a run; the machine is then unchanged. */
TESS_API enum tess_status tess_pi_machine_restore(struct tess_pi_machine *machine, const void *from,
                                                  size_t size);

/* --- debugging --- */

/* A core between runs. cycles counts like tess_pi_machine_cycles(). */
struct tess_pi_core {
    bool wide;   /* executes instructions of 64 bits */
    bool waits;  /* waits for an interrupt or an event */
    bool parked; /* waits for the address of its first instruction */
    uint64_t cycles;
    uint64_t latest; /* count of struct tess_pi_place after the core's latest instruction */
};

/* Registers by number: r0 to r15 or x0 to x30, and these. */
enum { TESS_PI_PC = 32, TESS_PI_SP = 33, TESS_PI_PSR = 34 };

TESS_API unsigned tess_pi_machine_core_count(const struct tess_pi_machine *machine);

/* Stores what is known of core `number`. Returns false if there is no such core; *core is then
 * zeroed. */
TESS_API bool tess_pi_machine_get_core(const struct tess_pi_machine *machine, unsigned number,
                                       struct tess_pi_core *core);

/* Read and write a register of a core. Registers and cores that do not exist read 0. */
TESS_API uint64_t tess_pi_machine_get_register(const struct tess_pi_machine *machine, unsigned core,
                                               unsigned number);
TESS_API void tess_pi_machine_set_register(struct tess_pi_machine *machine, unsigned core,
                                           unsigned number, uint64_t value);

/* Read and write RAM at a virtual address of a core. Return the number of bytes up to the first
 * address that is not mapped, or is not RAM. */
TESS_API size_t tess_pi_machine_peek(const struct tess_pi_machine *machine, unsigned core,
                                     uint64_t address, void *to, size_t size);
TESS_API size_t tess_pi_machine_poke(struct tess_pi_machine *machine, unsigned core,
                                     uint64_t address, const void *from, size_t size);

/* Sets or removes a breakpoint at a virtual address of all cores. There may be up to 64; returns
 * false if there are more. */
TESS_API bool tess_pi_machine_breakpoint(struct tess_pi_machine *machine, uint64_t address,
                                         bool set);

/* Returns true if there is a breakpoint at an address. */
TESS_API bool tess_pi_machine_has_breakpoint(const struct tess_pi_machine *machine,
                                             uint64_t address);

/* A place in a run. The cores execute their instructions in an order that depends only on the
 * machine's state and its inputs, not on stops. */
struct tess_pi_place {
    uint64_t count;  /* instructions that all cores have executed since power-on */
    uint64_t cycles; /* clock cycles of the board up to the start of the cores' present turn */
    bool in_turn;    /* the cores are in a turn */
};

/* Returns the present place. During a call of tess_pi_machine_watch(), .count is up to date. */
TESS_API struct tess_pi_place tess_pi_machine_place(const struct tess_pi_machine *machine);

/* Returns the cycles of a time in nanoseconds, rounded up. */
TESS_API uint64_t tess_pi_machine_cycles_at(const struct tess_pi_machine *machine, uint64_t time);

/* Where a run ends. The end for which a run was made has no effect on what the machine does: a
 * later run continues in the middle of a core's turn. */
struct tess_pi_goal {
    uint64_t cycles; /* between turns: at this cycle of the board, or UINT64_MAX */

    /* Before the instruction after `count` ones, after an interrupt that comes before it; or, if
     * early is true, as soon as `count` ones are executed. UINT64_MAX: never. */
    uint64_t count;
    bool early;

    /* If steps is true: when core `core` has executed an instruction, and is about to execute the
     * next one. stepped becomes true after the first one. */
    bool steps, stepped;
    unsigned core;
    bool reached; /* set by the run: the end is because of .count or .steps */
};

/* Runs the machine to a goal, or to an end as tess_pi_machine_run(). Returns TESS_PI_END_TIME if
 * the goal is reached. */
TESS_API enum tess_pi_end_reason tess_pi_machine_run_to(struct tess_pi_machine *machine,
                                                        struct tess_pi_goal *goal);

/* Longest duration of a step, in clock cycles, if the core waits. */
enum { TESS_PI_STEP_CYCLES = 1000000 };

/* Executes an instruction of a core: runs all cores in their order, until the core is about to
 * execute the next instruction, and at most for TESS_PI_STEP_CYCLES if the core waits. Returns as
 * tess_pi_machine_run(). */
TESS_API enum tess_pi_end_reason tess_pi_machine_step(struct tess_pi_machine *machine,
                                                      unsigned core);

/* Sets a function that is called between blocks of a core's instructions, and after peripherals
 * have worked; NULL ends this. If the function returns true, the run ends. */
TESS_API void tess_pi_machine_watch(struct tess_pi_machine *machine, bool (*watch)(void *user),
                                    void *user);

/* Virtual addresses from the first to the last byte; no memory if last < first. */
struct tess_pi_range {
    uint64_t first, last;
};

/* Makes the cores note their accesses to a range, or ends this. Returns false if there are too many
 * ranges. */
TESS_API bool tess_pi_machine_note_accesses(struct tess_pi_machine *machine,
                                            const struct tess_pi_range *range, bool notes);

/* Forgets the accesses that the cores have noted. */
TESS_API void tess_pi_machine_forget_accesses(struct tess_pi_machine *machine);

/* Stores the memory that a core's noted accesses span. */
TESS_API void tess_pi_machine_get_accesses(const struct tess_pi_machine *machine, unsigned core,
                                           struct tess_pi_range *read,
                                           struct tess_pi_range *written);

/* Returns the address of the instruction that has started a control list or a user program last, or
 * 0. */
TESS_API uint64_t tess_pi_machine_v3d_writer(const struct tess_pi_machine *machine);

/* For callbacks: returns the address of the instruction whose access to a peripheral is carried
 * out, or 0. */
TESS_API uint64_t tess_pi_machine_access(const struct tess_pi_machine *machine);

/* Addresses of instructions to which a finding belongs; 0 for none. */
struct tess_pi_origin {
    uint64_t accessed; /* made the access to a peripheral or to memory */
    uint64_t started;  /* started the V3D's control list or user program */
    uint64_t written;  /* wrote the memory at fault; known with the sanitizer */
    uint64_t branched; /* the last one before a branch to an address without memory */
};

/* For the callback of findings: stores the origin of the finding that is being reported. */
TESS_API void tess_pi_machine_origin(const struct tess_pi_machine *machine,
                                     const struct tess_finding *diag,
                                     struct tess_pi_origin *origin);

/* Names of functions and source lines of an ELF file. */
struct tess_pi_symbols;

/* Reads symbols, and line tables of DWARF 2 to 5, from a copy of an ELF file. Returns NULL if the
 * bytes are not an ELF file, or if the host is out of memory. */
TESS_API struct tess_pi_symbols *tess_pi_symbols_open(const void *bytes, size_t size);

/* Releases symbols. NULL is allowed. */
TESS_API void tess_pi_symbols_close(struct tess_pi_symbols *symbols);

/* What is known of an address. The symbols own the strings. */
struct tess_pi_symbol {
    const char *name; /* of the symbol before the address, or NULL */
    uint64_t offset;  /* from the symbol, in bytes */
    const char *file; /* source file without its folder, or NULL */
    uint32_t line;
};

/* Looks up an address. symbols may be NULL. Returns false, with *found zeroed, if nothing is
 * known. */
TESS_API bool tess_pi_symbols_find(const struct tess_pi_symbols *symbols, uint64_t address,
                                   struct tess_pi_symbol *found);

/* Writes size bytes at a position of a file. Returns false if the write fails. */
typedef bool tess_pi_write_bytes(void *user, uint64_t position, const void *bytes, size_t size);

/* Records the sound of PWM and PCM as a WAV file with 16-bit stereo samples, from now on.
 * tess_pi_machine_end_sound() completes the file, and returns false if a write has failed. The
 * recording is not part of saved states. Returns TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_pi_machine_record_sound(struct tess_pi_machine *machine,
                                                       tess_pi_write_bytes *write, void *user);
TESS_API bool tess_pi_machine_end_sound(struct tess_pi_machine *machine);

/* Returns the host address of size bytes of RAM, or NULL if they are not RAM. */
TESS_API const uint8_t *tess_pi_machine_memory(const struct tess_pi_machine *machine,
                                               uint32_t address, uint32_t size);

#ifdef __cplusplus
}
#endif

#endif
