/* SPDX-License-Identifier: MIT */
/* machine.h - a Raspberry Pi with its ARM cores: the state, and what the files of this folder
 * share.
 *
 * Time is counted in cycles of the ARM's clock. Peripherals see nanoseconds. */
#ifndef BOARD_MACHINE_MACHINE_H
#define BOARD_MACHINE_MACHINE_H

#include <tessera/pi.h>

#include "board/arm/engine.h"
#include "board/bcm2835/arm_timer.h"
#include "board/bcm2835/auxiliary.h"
#include "board/bcm2835/clocks.h"
#include "board/bcm2835/device.h"
#include "board/bcm2835/dma.h"
#include "board/bcm2835/emmc.h"
#include "board/bcm2835/gpio.h"
#include "board/bcm2835/i2c.h"
#include "board/bcm2835/intc.h"
#include "board/bcm2835/local.h"
#include "board/bcm2835/otp.h"
#include "board/bcm2835/pcm.h"
#include "board/bcm2835/power.h"
#include "board/bcm2835/pwm.h"
#include "board/bcm2835/rng.h"
#include "board/bcm2835/sdhost.h"
#include "board/bcm2835/smi.h"
#include "board/bcm2835/spi.h"
#include "board/bcm2835/system_timer.h"
#include "board/bcm2835/thermal.h"
#include "board/bcm2835/uart.h"
#include "board/bcm2835/usb.h"
#include "board/bcm2835/video.h"

enum { MACHINE_CORES = 4 };

/* The states of all peripherals: plain data. */
struct machine_states {
    struct intc intc;
    struct local local;
    struct system_timer system_timer;
    struct arm_timer arm_timer;
    struct dma dma, dma15;
    struct gpio gpio;
    struct uart uart;
    struct power power;
    struct asb asb;
    struct emmc emmc;
    struct sdhost sdhost;
    uint64_t card_in_sdhost; /* 1 if SDHOST has used the card last, 0 if EMMC has */
    struct aux aux;
    struct clocks clocks;
    struct otp otp;
    struct pcm pcm;
    struct pwm pwm;
    struct rng rng;
    struct thermal thermal;
    struct usb usb;
    struct i2c i2c[3];
    struct spi spi;
    struct smi smi;
    struct video_scaler hvs;
    struct video_valve valve[3];
    struct video_block hdmi, hdmi_clocks, vec, txp;
};

/* The V3D's place in time. */
struct machine_v3d {
    uint64_t time;   /* nanoseconds up to which the V3D has run */
    uint64_t clocks; /* V3D clocks that are part of time */
    bool busy;       /* the V3D can continue */
};

/* A turn of the cores, which may be interrupted by the end of a run. */
struct machine_turn {
    bool on, inside;     /* it has begun and not ended; core `core` has begun its part */
    unsigned core;       /* the next core, or the one inside of its part */
    uint64_t start, end; /* cycles */
    uint64_t limit;      /* cycle at which the part ends that was interrupted */
    uint64_t next;       /* cycle of the next event at the turn's start */
};

/* Findings about memory. */
struct machine_checks {
    uint32_t count;
    struct {
        uint32_t kind; /* enum pi_finding */
        uint64_t pc;
    } seen[64];      /* findings that were reported, with the instruction that is their cause */
    bool in_v3d;     /* a finding of the V3D's access is being reported */
    uint64_t from;   /* instruction before a branch to nowhere, while that is being reported */
    uint64_t writer; /* instruction that wrote the memory that is being reported */
};

struct tess_pi_machine {
    struct tess_pi_machine_options options;
    struct tess_vc4 *vc4;
    struct tess_pi *pi;
    uint8_t *allocation;         /* contains ram */
    uint8_t *ram;                /* aligned to 64 KiB */
    uint32_t ram_size, arm_size; /* arm_size: without the VideoCore memory */
    struct device_ports ports;
    struct arm_ports arm_ports;
    struct arm_core *cores[MACHINE_CORES];
    bool running[MACHINE_CORES]; /* false while a core waits for an interrupt or for its start */
    bool wfe[MACHINE_CORES];     /* the core waits by wfe: an event also wakes the core */
    bool parked[MACHINE_CORES];  /* the core waits for an address to start at */
    bool spins[MACHINE_CORES];   /* the core branches to itself */
    bool alone; /* only the present core is active; its turn lasts until another can continue */
    struct machine_turn turn;
    unsigned core_count, current;   /* current: the core that runs */
    uint64_t cycles;                /* of the board */
    uint64_t executed;              /* instructions of all cores, without those in progress */
    uint64_t counted;               /* cycle of the present core from which they are not counted */
    bool counts;                    /* the engine executes the present core */
    uint64_t latest[MACHINE_CORES]; /* value of `executed` after the core's latest instruction */
    struct tess_pi_goal *goal;      /* of the run in progress */
    bool (*watch)(void *user);      /* see tess_pi_machine_watch() */
    void *watch_user;
    unsigned idle_turns; /* turns in which all cores have only waited */
    uint64_t horizon;    /* the latest time that a peripheral has seen, in nanoseconds */
    struct machine_states states;
    struct machine_v3d v3d;
    bool inside; /* a run is in progress */
    bool ended;
    struct tess_pi_end end;
    struct machine_sound *sound; /* NULL if no sound is recorded */
    uint64_t pc;                 /* of the access that is carried out, for findings */
    uint64_t access;             /* pc of the access that is carried out, 0 outside of accesses */
    uint64_t v3d_writer;         /* pc of the latest write that has started the V3D */
    uint64_t dma_writer;         /* pc of the latest write that has started a DMA channel */
    struct shadow *shadow;       /* NULL without the sanitizer */
    struct machine_checks checks;
    uint64_t breakpoints[64]; /* virtual addresses */
    unsigned breakpoint_count;
};

/* --- devices.c --- */

/* Sets all peripherals to their states after power-on. */
void machine_reset_devices(struct tess_pi_machine *machine);

/* Reads or writes a register of a peripheral. offset is in bytes from the peripheral base, a
 * multiple of 4. */
uint32_t machine_device_read(struct tess_pi_machine *machine, uint32_t offset);
void machine_device_write(struct tess_pi_machine *machine, uint32_t offset, uint32_t value);

/* Stores the count of which a register shows the low 32 bits at a time in nanoseconds, now or
 * later, if the register is a counter (struct device, counter_at). Returns false for others. */
bool machine_device_counter_at(const struct tess_pi_machine *machine, uint32_t offset,
                               uint64_t time, uint64_t *count);

/* Carries out the changes of all peripherals up to the present time. */
void machine_advance(struct tess_pi_machine *machine);

/* Returns the time of the next change of a peripheral, in nanoseconds. */
uint64_t machine_next(const struct tess_pi_machine *machine);

/* Returns true if no interrupt is enabled, and no peripheral but a timer has a next change. */
bool machine_devices_are_quiet(const struct tess_pi_machine *machine);

/* Gives a byte or a level from outside to the peripherals. */
void machine_input(struct tess_pi_machine *machine, enum device_input input, uint32_t value);

/* Set the level of an interrupt line, and of a request to the DMA controller. */
void machine_line(struct tess_pi_machine *machine, enum device_line line, bool level);
void machine_request(struct tess_pi_machine *machine, enum device_request request, bool level);

/* Sets the levels of the cores' interrupt inputs. */
void machine_update_lines(struct tess_pi_machine *machine);

/* --- ports.c --- */

void machine_fill_ports(struct tess_pi_machine *machine);

/* Returns the host address of size bytes of RAM at a bus address, or NULL if a part of them is not
 * RAM. */
uint8_t *machine_ram(void *user, uint32_t bus, uint32_t size);

/* --- time.c --- */

/* Returns value * by / divisor, rounded down. by and divisor are below 2^32. */
uint64_t machine_scale(uint64_t value, uint64_t by, uint64_t divisor);

/* Convert cycles of the ARM to nanoseconds, rounded down, and back, rounded up. */
uint64_t machine_nanoseconds(const struct tess_pi_machine *machine, uint64_t cycles);
uint64_t machine_cycles(const struct tess_pi_machine *machine, uint64_t nanoseconds);

/* Returns the present time in nanoseconds. It never decreases. */
uint64_t machine_now(struct tess_pi_machine *machine);

/* Returns the count of the generic timers. */
uint64_t machine_count(const struct tess_pi_machine *machine);
enum { MACHINE_TIMER_RATE = 19200000 }; /* rate that the firmware writes to CNTFRQ, in Hz */

/* --- sound.c --- */

/* Records a pair of samples, if sound is recorded. */
void machine_sample(struct tess_pi_machine *machine, int16_t left, int16_t right);

/* --- bus.c --- */

uint64_t machine_read(void *user, const struct arm_access *access);
void machine_write(void *user, const struct arm_access *access, uint64_t value);

/* Stores the count of which a register at an address of the ARM shows the low 32 bits at a time in
 * nanoseconds, now or later, if the register is a counter. Returns false for others. */
bool machine_counter_at(const struct tess_pi_machine *machine, uint64_t address, uint64_t time,
                        uint64_t *count);

/* Returns true if a bus address is that of a peripheral. With bits 31:30 cleared, it may be an
 * address of RAM. */
bool machine_is_peripheral(uint32_t bus);

/* Read or write a peripheral by its bus address. */
uint32_t machine_bus_read(void *user, uint32_t bus);
void machine_bus_write(void *user, uint32_t bus, uint32_t value);

/* --- memory_checks.c --- */

/* Creates the shadow, and begins to watch the V3D. Call it before the ports are filled. */
enum tess_status machine_begin_checks(struct tess_pi_machine *machine);

/* Ports of the cores: accesses to RAM, barriers, cache maintenance, branches to nowhere. */
void machine_touch(void *user, const struct arm_access *access, bool store);
void machine_barrier(void *user, unsigned core);
void machine_maintained(void *user, unsigned core, unsigned what, uint64_t address, uint32_t size);
void machine_nowhere(void *user, unsigned core, uint64_t pc, uint64_t from);

/* Port of peripherals: a DMA channel is about to access RAM. */
void machine_dma_touches(void *user, uint32_t bus, uint32_t size, bool write);

/* A core is about to write a register of a peripheral, which starts the V3D or a DMA channel. */
void machine_check_start(struct tess_pi_machine *machine, const struct arm_access *access,
                         uint32_t offset, uint32_t value);

/* Carries out a write to the mailbox, and checks the request and the answer in memory. */
void machine_check_mailbox(struct tess_pi_machine *machine, uint32_t value,
                           void (*write)(struct tess_pi_machine *machine, uint32_t value));

/* Reports an access that is not aligned, if silicon makes a fault of it. */
void machine_check_alignment(struct tess_pi_machine *machine, const struct arm_access *access,
                             uint64_t pc);

/* The loader writes memory. */
void machine_loaded(struct tess_pi_machine *machine, uint32_t address, uint32_t size);

/* --- v3d.c --- */

/* Executes the V3D's work up to the present time, and sets its interrupt line. */
void machine_v3d_advance(struct tess_pi_machine *machine);

/* The program has written a register of the V3D, which may have given it work. */
void machine_v3d_written(struct tess_pi_machine *machine);

/* Returns true if the V3D has work. */
bool machine_v3d_is_busy(const struct tess_pi_machine *machine);

/* Returns the time at which the V3D continues, or DEVICE_NEVER. */
uint64_t machine_v3d_next(const struct tess_pi_machine *machine);

/* --- timers.c --- */

/* Sets the levels of a core's generic timers. */
void machine_timers_update(struct tess_pi_machine *machine, unsigned core);

/* Prepares the event stream of a core that begins to wait. */
void machine_wait_for_event(struct tess_pi_machine *machine, unsigned core);

/* Returns the time of the next change of a generic timer, in nanoseconds. */
uint64_t machine_timers_next(const struct tess_pi_machine *machine);

/* --- run.c --- */

/* Ends the run after the current block. */
void machine_end(struct tess_pi_machine *machine, enum tess_pi_end_reason reason, const char *text);

/* Makes the running core return soon, because an event is nearer than it was, or another core is to
 * run. */
void machine_hurry(struct tess_pi_machine *machine);

/* Returns true if a turn of several cores can be one of a saved state: it is not longer than
 * others. */
bool machine_turn_is_valid(const struct machine_turn *turn);

/* Looks again for cores that branch to themselves, because instructions may have changed. */
void machine_forget_spins(struct tess_pi_machine *machine);

/* --- state_devices.c --- */

/* Returns true if peripherals can continue with states from any source. `present` are the states of
 * the machine that restores them. */
bool machine_states_are_valid(const struct machine_states *states,
                              const struct machine_states *present);

/* --- boot.c --- */

/* Fills the parameters in low memory, and starts the cores. */
void machine_start(struct tess_pi_machine *machine, const struct tess_pi_kernel *kernel,
                   uint32_t entry);

/* Starts a parked core whose start address the program has written. */
void machine_wake_parked(struct tess_pi_machine *machine);

#endif
