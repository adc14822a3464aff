/* SPDX-License-Identifier: MIT */
/* vc4.h - a model of the VideoCore IV: its memory, V3D registers and interrupts, and functions that
 * run it.
 *
 * A device is used as a bare-metal program uses the chip. Map memory, and write registers: a write
 * to V3D_CTnEA of a value that differs from V3D_CTnCA starts a control-list thread, and a write to
 * V3D_SRQPC queues a user program. Then call tess_vc4_run() until the device is idle. The device
 * runs only during the call.
 *
 * Only one host thread may use a device at a time. A process can have any number of devices.
 */
#ifndef TESSERA_VC4_H
#define TESSERA_VC4_H

#include <tessera/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_vc4;

/* Byte offsets of the V3D registers from V3D_BASE (manual section 10, table 48) that programs use
 * most. tess_vc4_register_name() covers all registers. */
enum {
    V3D_IDENT0 = 0x000,
    V3D_IDENT1 = 0x004,
    V3D_IDENT2 = 0x008,
    V3D_SCRATCH = 0x010,
    V3D_L2CACTL = 0x020,
    V3D_SLCACTL = 0x024,
    V3D_INTCTL = 0x030,
    V3D_INTENA = 0x034,
    V3D_INTDIS = 0x038,
    V3D_CT0CS = 0x100,
    V3D_CT1CS = 0x104,
    V3D_CT0EA = 0x108,
    V3D_CT1EA = 0x10c,
    V3D_CT0CA = 0x110,
    V3D_CT1CA = 0x114,
    V3D_CT00RA0 = 0x118,
    V3D_CT01RA0 = 0x11c,
    V3D_CT0LC = 0x120,
    V3D_CT1LC = 0x124,
    V3D_CT0PC = 0x128,
    V3D_CT1PC = 0x12c,
    V3D_PCS = 0x130,
    V3D_BFC = 0x134,
    V3D_RFC = 0x138,
    V3D_BPCA = 0x300,
    V3D_BPCS = 0x304,
    V3D_BPOA = 0x308,
    V3D_BPOS = 0x30c,
    V3D_BXCF = 0x310,
    V3D_SQRSV0 = 0x410,
    V3D_SQRSV1 = 0x414,
    V3D_SQCNTL = 0x418,
    V3D_SRQPC = 0x430,
    V3D_SRQUA = 0x434,
    V3D_SRQUL = 0x438,
    V3D_SRQCS = 0x43c,
    V3D_VPACNTL = 0x500,
    V3D_VPMBASE = 0x504,
    V3D_PCTRC = 0x670,
    V3D_PCTRE = 0x674,
    V3D_PCTR0 = 0x680,  /* counters 1 to 15 follow, 8 bytes apart */
    V3D_PCTRS0 = 0x684, /* counters 1 to 15 follow, 8 bytes apart */
    V3D_DBCFG = 0xe00,
    V3D_DBQITE = 0xe2c,
    V3D_DBQITC = 0xe30,
    V3D_ERRSTAT = 0xf20,
};

/* Bits of V3D_INTCTL, V3D_INTENA and V3D_INTDIS (manual table 75). */
enum {
    V3D_INT_FRDONE = 1 << 0,
    V3D_INT_FLDONE = 1 << 1,
    V3D_INT_OUTOMEM = 1 << 2,
    V3D_INT_SPILLUSE = 1 << 3,
};

/* Progress of a run. */
struct tess_vc4_progress {
    uint64_t tiles;        /* number of tiles stored in this run */
    uint64_t tiles_of;     /* number of tiles of the current frame; 0 if unknown */
    uint64_t instructions; /* number of QPU instructions executed in this run */
};

/* Selection of the draws that change no pixel and are therefore reported as notes. The selection is
 * needed because programs that draw many objects often have objects that are outside of the picture
 * or hidden. */
enum tess_vc4_draw_notes {
    TESS_VC4_NOTE_DRAWS,        /* each draw whose own state prevents it from changing a pixel */
    TESS_VC4_NOTE_EMPTY_FRAMES, /* only draws of a frame in which no draw changes a pixel */
    TESS_VC4_NOTE_NO_DRAWS,
};

struct tess_vc4_step;

/* Receives an executed instruction. Returns true to continue, or false to stop the run:
 * tess_vc4_run() returns TESS_VC4_PAUSED after the current record, primitive or turn of a user
 * program, whose other instructions are traced before. The next call continues the run. */
typedef bool tess_vc4_tracer(void *user, const struct tess_vc4_step *step);

/* Options of a device. Must be zero-initialised; members that are 0 have defaults. */
struct tess_vc4_options {
    struct tess_machine_options machine;

    /* Called with the new level of the V3D interrupt line whenever it changes. The function may
     * read and write registers, for example to add binner memory through V3D_BPOA and V3D_BPOS. May
     * be NULL. */
    void (*interrupt)(void *user, bool level);
    void *interrupt_user;

    /* Limits that end programs that the hardware would run forever, beside
     * .machine.max_instructions, whose default is 16 million. 0 selects the default. */
    uint64_t max_records; /* control records and primitives of one run, default 64 million */
    uint64_t max_total_instructions; /* QPU instructions of all programs of one run together,
                                      * default 4 billion */

    /* Called at intervals during a run, on the thread that called tess_vc4_run(). May be NULL. */
    void (*progress)(void *user, const struct tess_vc4_progress *progress);
    void *progress_user;

    bool profile; /* true to count the executions of each instruction, see tess_vc4_get_hot();
                    * slightly slower */

    /* Called after each QPU instruction, on the thread that called tess_vc4_run(), in an order that
     * is always the same. May be NULL. Much slower, and .machine.threads is ignored. */
    tess_vc4_tracer *trace;
    void *trace_user;

    uint32_t qpus; /* QPUs of the chip, 12 or 16; 0 for 12 (BCM2835) */
    enum tess_vc4_draw_notes draw_notes;
};

/* Creates a device. options may be NULL. The caller releases *out with tess_vc4_destroy(). *out is
 * NULL unless the result is TESS_OK. Returns TESS_INVALID (an option out of range) or
 * TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_vc4_create(struct tess_vc4 **out,
                                          const struct tess_vc4_options *options);

/* Releases a device and the memory that it allocated. NULL is allowed. */
TESS_API void tess_vc4_destroy(struct tess_vc4 *vc4);

/* Maps size bytes at bus address bus. The top two bits of a bus address select caching, not memory,
 * and are ignored. If host is NULL, the device allocates zeroed memory. Otherwise the caller owns
 * host, which must stay valid until it is unmapped. Returns TESS_INVALID (size is 0, or the range
 * leaves the 1 GiB address space or overlaps another region) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_vc4_map(struct tess_vc4 *vc4, uint32_t bus, uint32_t size,
                                       void *host);

/* Removes the region that starts at bus. Returns TESS_INVALID if no region starts there. */
TESS_API enum tess_status tess_vc4_unmap(struct tess_vc4 *vc4, uint32_t bus);

/* Returns a host pointer to size bytes at bus, or NULL if they are not inside one mapped region. */
TESS_API void *tess_vc4_memory(struct tess_vc4 *vc4, uint32_t bus, uint32_t size);

/* An access of the V3D to memory. */
struct tess_vc4_access {
    const char *unit; /* name of the part of the V3D, such as "uniform fetch" */
    uint32_t address; /* bus address without the bits that select caching */
    uint32_t size;    /* bytes */
    bool write;
    bool code;  /* a line of 64 bytes that contains instructions of a QPU program */
    bool lists; /* a part of the tile memory, which the binner takes for its lists */
};

typedef void tess_vc4_observe(void *user, const struct tess_vc4_access *access);

/* Calls observe() for each access of the V3D to memory, in the order of the model, just before the
 * access. NULL ends this. It slows the model down, and host threads then draw no tiles. The caller
 * must not use the device in observe(). */
TESS_API void tess_vc4_observe_memory(struct tess_vc4 *vc4, tess_vc4_observe *observe, void *user);

/* Reads a V3D register. offset is in bytes from V3D_BASE, 0..0xfff. An unknown or unaligned offset
 * is reported and reads 0. */
TESS_API uint32_t tess_vc4_read(struct tess_vc4 *vc4, uint32_t offset);

/* Writes a V3D register. offset is in bytes from V3D_BASE, 0..0xfff. A write to an unknown or
 * unaligned offset is reported and dropped. */
TESS_API void tess_vc4_write(struct tess_vc4 *vc4, uint32_t offset, uint32_t value);

/* Returns the name of a register, for example "V3D_CT0CA" for 0x110, or NULL for an offset without
 * a register. The string is static. */
TESS_API const char *tess_vc4_register_name(uint32_t offset);

/* Reasons for the end of a run. */
enum tess_vc4_stop {
    TESS_VC4_IDLE, /* no work left */
    /* A thread or a program waits, and only the host can end the wait: the binner needs memory, the
     * other thread must increment a semaphore, or a program hangs. See tess_vc4_report_stuck(). The
     * host may write registers and run again. */
    TESS_VC4_STUCK,
    TESS_VC4_BUDGET, /* a limit of tess_vc4_options was reached, which has been reported; or the
                        clock limit was reached, which is not a finding */
    TESS_VC4_PAUSED, /* the step limit was reached, or .trace has stopped the run; the next call
                        continues the run */
};

/* Runs both control-list threads and all queued user programs until none can continue. Returns the
 * reason. */
TESS_API enum tess_vc4_stop tess_vc4_run(struct tess_vc4 *vc4);

/* Limits the V3D clocks of every later run. A run ends with TESS_VC4_BUDGET once all user programs
 * that still run have run for this many clocks since the run began. 0, the default, removes the
 * limit. A run ends at the same point for any number of threads. The programs stay on the QPUs, and
 * the next run continues them. Reaching the limit is not reported; see tess_vc4_get_stats() for the
 * time. While there is a limit, the default instruction limits do not apply to user programs;
 * limits set in tess_vc4_options do. */
TESS_API void tess_vc4_set_clock_limit(struct tess_vc4 *vc4, uint64_t clocks);

/* Limits the steps of every later call of tess_vc4_run(). A step is a control record, a primitive
 * of a list, or a turn of a user program. A call returns TESS_VC4_PAUSED after this many steps, and
 * the next call continues the run. All calls together have the same results as one call without a
 * limit: the limits of the options and the clock limit apply to all of them together, and findings
 * are reported at the end of the run. During a pause, memory and registers show what the run has
 * done so far; primitives of the current tile may not have been drawn yet. The host may access
 * registers and memory, as in an interrupt. 0, the default, removes the limit. Runs do not pause
 * while tess_capture_start() records. */
TESS_API void tess_vc4_set_step_limit(struct tess_vc4 *vc4, uint64_t steps);

/* Reports a timeout, for callers that use the clock limit as a timeout. If the limit has ended the
 * latest run, reports that the slowest running program does not end (error "budget", with the
 * program's place). */
TESS_API void tess_vc4_report_late(struct tess_vc4 *vc4);

/* Removes all user programs from the QPUs and the queue, frees the mutex and sets the semaphores to
 * 0, as a power cycle of the V3D does. Memory, the VPM's contents and all registers stay. Must not
 * be called during tess_vc4_run(). */
TESS_API void tess_vc4_stop_programs(struct tess_vc4 *vc4);

/* Ends the device's host threads. The next run starts them again. Not needed before fork(): the
 * child has a copy of the device, which starts its own threads. */
TESS_API void tess_vc4_rest(struct tess_vc4 *vc4);

/* Reports each control-list thread and QPU that waits and cannot continue, as a finding of level
 * TESS_ERROR. For callers that do not end the wait after TESS_VC4_STUCK. */
TESS_API void tess_vc4_report_stuck(struct tess_vc4 *vc4);

/* --- saved states --- */

/* Save and restore the state of a device. A state contains all registers, threads, programs, caches
 * and times, the counts and profiles, the findings that are pending or were reported, and the clock
 * limit. It does not contain the options, the step limit, and the mapped memory, which the caller
 * saves. A state may be saved and restored before and after a run, also after TESS_VC4_STUCK,
 * TESS_VC4_BUDGET and TESS_VC4_PAUSED, but not during tess_vc4_run(). A restored device continues
 * exactly as the saved one, on any host and with any number of threads, if memory has the same
 * contents. */

/* Returns the size of the device's state in bytes, or 0 during a run. The size may change with each
 * call that changes the device. */
TESS_API size_t tess_vc4_state_size(const struct tess_vc4 *vc4);

/* Writes the state to size bytes at to. Returns TESS_INVALID if size is less than
 * tess_vc4_state_size(), or during a run. */
TESS_API enum tess_status tess_vc4_save_state(const struct tess_vc4 *vc4, void *to, size_t size);

/* Replaces the device's state by a saved state. The device must have the same options, except
 * callbacks and .machine.threads, and the same map of memory: regions of the same addresses and
 * sizes. No callback is called. Bytes from any source are safe. Returns TESS_MISMATCH (the state
 * belongs to another machine, version, map or other options), TESS_BAD_INPUT (damaged bytes),
 * TESS_NO_MEMORY, or TESS_INVALID (during a run, or while tess_capture_start() records); the device
 * is then unchanged. */
TESS_API enum tess_status tess_vc4_restore_state(struct tess_vc4 *vc4, const void *from,
                                                 size_t size);

/* The state of a QPU that runs a user program. */
struct tess_vc4_qpu {
    const char *state;  /* "idle", "runs", "waits", "ended" or "broken" */
    uint32_t start, pc; /* bus addresses of the first and of the next instruction */
    uint32_t uniform;   /* bus address of the next uniform */
    uint32_t ra[32][16], rb[32][16], r[6][16]; /* 16 elements of each register */
    uint16_t z, n, c;                          /* flags; bit i is element i */
};

/* Stores the state of QPU `number`. Returns false, with *qpu zeroed, if there is no such QPU. Must
 * not be called during tess_vc4_run(). */
TESS_API bool tess_vc4_get_qpu(const struct tess_vc4 *vc4, unsigned number,
                               struct tess_vc4_qpu *qpu);

/* Returns the level of the interrupt line to the host. */
TESS_API bool tess_vc4_interrupt_level(const struct tess_vc4 *vc4);

/* Returns the number of findings of level TESS_ERROR since creation. Findings count even if they
 * were not reported because too many of one kind had been reported. */
TESS_API uint64_t tess_vc4_error_count(const struct tess_vc4 *vc4);

/* Counters of a draw's primitives and pixels. "of X" means that the counter counts a part of what
 * the counter X counts. docs/why-nothing-is-drawn.md explains each counter. */
enum tess_vc4_draw_counter {
    TESS_VC4_DRAW_PRIMITIVES,  /* assembled from vertices */
    TESS_VC4_DRAW_CLIPPED,     /* of PRIMITIVES: completely outside the clip volume */
    TESS_VC4_DRAW_NOT_FINITE,  /* of PRIMITIVES: a clip coordinate is infinite or not a number */
    TESS_VC4_DRAW_NO_AREA,     /* of PRIMITIVES: all corners on one line, or a line without
                                  length or width */
    TESS_VC4_DRAW_CULLED,      /* of PRIMITIVES: show a side that record 96 does not draw */
    TESS_VC4_DRAW_OUTSIDE,     /* of PRIMITIVES: outside the clip window or the frame's tiles */
    TESS_VC4_DRAW_BINNED,      /* of PRIMITIVES: in the list of at least one tile */
    TESS_VC4_DRAW_DRAWN,       /* primitives drawn, counted in each tile */
    TESS_VC4_DRAW_UNCOVERED,   /* of DRAWN: no pixel or sample inside */
    TESS_VC4_DRAW_ACCUMULATED, /* of DRAWN: sent to the coverage pipe instead of a shader */
    TESS_VC4_DRAW_PIXELS,      /* pixels inside primitives, in at least one sample */
    TESS_VC4_DRAW_Z_LIMITS,    /* of PIXELS: outside record 104's limits */
    TESS_VC4_DRAW_EARLY_Z,     /* of PIXELS: failed the early depth test */
    TESS_VC4_DRAW_NO_COVERAGE, /* of PIXELS: no VG coverage, in coverage mode */
    TESS_VC4_DRAW_STENCIL,     /* of PIXELS: failed the stencil test */
    TESS_VC4_DRAW_DEPTH,       /* of PIXELS: failed the depth test */
    TESS_VC4_DRAW_DISCARDED,   /* of PIXELS: passed, but the shader wrote nothing */
    TESS_VC4_DRAW_UNCHANGED,   /* of PIXELS: written with the values already in the tile buffer */
    TESS_VC4_DRAW_WRITTEN,     /* of PIXELS: colour, depth, stencil or mask has changed */
    TESS_VC4_DRAW_ALPHA_ZERO,  /* of WRITTEN and UNCHANGED: a 32-bit colour with alpha 0 */
    TESS_VC4_DRAW_COUNTS
};

/* Counts since creation. */
struct tess_vc4_stats {
    uint64_t instructions; /* QPU instructions executed */
    uint64_t shader_runs;  /* QPU programs started (fragment batches and user programs) */
    uint64_t quads;        /* quads with at least one covered pixel */
    uint64_t primitives_binned;
    uint64_t primitives_drawn; /* counted once for each tile */
    uint64_t tiles;            /* tiles stored */
    uint64_t texture_lookups;  /* TMU requests of 16 lanes */
    uint64_t texture_words;    /* texels and words that TMU requests read from the TMUs' caches */
    uint64_t clocks; /* V3D clocks during which QPU programs have run, including programs that still
                      * run; a clock counts once, even if several programs run */
    uint64_t records;                           /* control records executed */
    uint64_t draw_counts[TESS_VC4_DRAW_COUNTS]; /* sums of all draws */
};

/* Stores the device's counts in *stats. */
TESS_API void tess_vc4_get_stats(const struct tess_vc4 *vc4, struct tess_vc4_stats *stats);

/* Value of .record for the row that sums all draws that the device does not count separately. */
enum { TESS_VC4_OTHER_DRAWS = 0 };

/* Counts of all executions of one record that draws. In the binning list, primitives are counted
 * once; in a rendering list, once for each tile that executes the record. */
struct tess_vc4_draw_stats {
    uint32_t list_address; /* bus address of the record */
    uint8_t record;        /* code of the record, or TESS_VC4_OTHER_DRAWS */
    uint8_t thread;        /* 0 for binning, 1 for rendering */
    uint64_t executed;
    uint64_t counts[TESS_VC4_DRAW_COUNTS];
};

/* Returns the number of records that have drawn. */
TESS_API uint32_t tess_vc4_draw_count(const struct tess_vc4 *vc4);

/* Stores the counts of one of the records that have drawn in *stats. index is in the order of first
 * execution. Returns false past the last. */
TESS_API bool tess_vc4_get_draw_stats(const struct tess_vc4 *vc4, uint32_t index,
                                      struct tess_vc4_draw_stats *stats);

/* Returns the name of a counter, for example "early_z", or NULL if the value is invalid. The string
 * is static. */
TESS_API const char *tess_vc4_draw_counter_name(enum tess_vc4_draw_counter counter);

enum tess_vc4_shader_kind {
    TESS_VC4_USER,
    TESS_VC4_FRAGMENT,
    TESS_VC4_VERTEX,
    TESS_VC4_COORDINATE
};

/* Causes of a QPU's stalls. */
enum tess_vc4_stall {
    TESS_VC4_STALL_TMU,         /* waiting for a texture result, or for room in the request FIFO */
    TESS_VC4_STALL_SFU,         /* waiting for the special function unit */
    TESS_VC4_STALL_VPM,         /* waiting for the VPM's FIFOs or its DMA */
    TESS_VC4_STALL_UNIFORM,     /* uniform cache miss */
    TESS_VC4_STALL_VARYING,     /* waiting for the interpolator */
    TESS_VC4_STALL_SCOREBOARD,  /* waiting for an earlier batch on the same pixels */
    TESS_VC4_STALL_INSTRUCTION, /* instruction cache miss */
    TESS_VC4_STALL_WAIT,        /* waiting for a semaphore or the mutex */
    TESS_VC4_STALLS
};

/* Value of .start for the row that sums all programs that the device does not count separately. */
#define TESS_VC4_OTHER_SHADERS UINT32_MAX

/* Counts of all runs of one program. Cycles are QPU cycles, including stalls. docs/vc4/timing.md
 * separates modelled from estimated times. */
struct tess_vc4_shader_stats {
    enum tess_vc4_shader_kind kind;
    uint32_t start; /* bus address of the first instruction, or TESS_VC4_OTHER_SHADERS */
    uint64_t code;  /* hash of the instructions, for user programs of a device with option .profile;
                     * otherwise 0 */
    uint64_t runs, instructions, cycles;
    uint64_t stalls[TESS_VC4_STALLS]; /* cycles */
    uint64_t uniforms;                /* uniforms read */
    uint64_t tmu_requests;            /* requests of 16 lanes */
    uint64_t texture_words;           /* texels and words read */
    uint64_t vpm_accesses;            /* vectors read and written */
    uint64_t dma_loaded, dma_stored;  /* bytes moved by DMA from memory to the VPM, and back */
    /* Lines that the caches fetched. */
    uint64_t instruction_misses, uniform_misses, texture_misses;
};

/* Returns the number of programs that have run. */
TESS_API uint32_t tess_vc4_shader_count(const struct tess_vc4 *vc4);

/* Stores the counts of one of the programs that have run in *stats. index is in the order in which
 * programs first ended. Returns false past the last. */
TESS_API bool tess_vc4_get_shader_stats(const struct tess_vc4 *vc4, uint32_t index,
                                        struct tess_vc4_shader_stats *stats);

/* Counts of all executions of an instruction of a program. If several programs have used the same
 * address, one after the other, each has separate rows, which differ in .code and .word. */
struct tess_vc4_hot {
    enum tess_vc4_shader_kind kind;
    uint32_t shader;  /* bus address of the program's first instruction */
    uint64_t code;    /* equals .code of struct tess_vc4_shader_stats */
    uint32_t address; /* bus address of the instruction */
    uint64_t word;    /* instruction word */
    uint64_t executed;
    uint64_t stalls[TESS_VC4_STALLS]; /* cycles of stalls; each execution also takes four cycles */
};

/* Returns the counts of the instructions that a device with option .profile has executed since
 * creation, sorted by kind, program, address and word. The result is the same for any number of
 * threads. The sums of the rows equal the sums over all programs. The caller frees *rows with
 * tess_free(); *rows is NULL if no instruction has been executed. Returns TESS_INVALID (a NULL
 * pointer) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_vc4_get_hot(const struct tess_vc4 *vc4, struct tess_vc4_hot **rows,
                                           size_t *count);

/* --- tracing --- */

/* Effects of an instruction besides arithmetic. The valid members of struct tess_vc4_event are in
 * brackets. */
enum tess_vc4_event_kind {
    TESS_VC4_EVENT_UNIFORM,         /* uniform read [address, values] */
    TESS_VC4_EVENT_UNIFORM_ADDRESS, /* address of the uniforms written [address of the next
                                       * uniform] */
    TESS_VC4_EVENT_VARYING,         /* varying read [values] */
    TESS_VC4_EVENT_VPM_READ,        /* vector read [values] */
    TESS_VC4_EVENT_VPM_WRITE,       /* vector written [lanes, values] */
    TESS_VC4_EVENT_VPM_READ_SETUP,  /* setup of vector reads, of DMA loads or of their pitch
                                       * written [number: the setup word] */
    TESS_VC4_EVENT_VPM_WRITE_SETUP, /* setup of vector writes, of DMA stores or of their stride
                                       * written [number: the setup word] */
    TESS_VC4_EVENT_DMA_LOAD,        /* DMA load started [address; number: the setup word] */
    TESS_VC4_EVENT_DMA_STORE,       /* DMA store started [address; number: the setup word] */
    TESS_VC4_EVENT_DMA_LOAD_WAIT,   /* wait register read */
    TESS_VC4_EVENT_DMA_STORE_WAIT,
    TESS_VC4_EVENT_DMA_LOAD_BUSY, /* busy flag read [values: 1 or 0] */
    TESS_VC4_EVENT_DMA_STORE_BUSY,
    TESS_VC4_EVENT_TMU_WRITE,         /* [number: unit * 4 + 0 for S, 1 T, 2 R, 3 B; lanes,
                                         values] */
    TESS_VC4_EVENT_TMU_RESULT,        /* loaded into r4 [number: the unit; values] */
    TESS_VC4_EVENT_TMU_NOSWAP,        /* [values] */
    TESS_VC4_EVENT_SFU,               /* function requested [number: 0 recip, 1 recipsqrt, 2 exp, 3
                                       * log; lanes, values] */
    TESS_VC4_EVENT_SFU_RESULT,        /* result written to r4 before the instruction [values] */
    TESS_VC4_EVENT_SEMAPHORE_ACQUIRE, /* [number: the semaphore; values: its new value] */
    TESS_VC4_EVENT_SEMAPHORE_RELEASE,
    TESS_VC4_EVENT_MUTEX_ACQUIRE,
    TESS_VC4_EVENT_MUTEX_RELEASE,
    TESS_VC4_EVENT_INTERRUPT,    /* host interrupt raised [lanes, values] */
    TESS_VC4_EVENT_TLB_READ,     /* loaded into r4 [number: the signal; values] */
    TESS_VC4_EVENT_TLB_WRITE,    /* [number: register address; lanes, values] */
    TESS_VC4_EVENT_PIXELS_READ,  /* coordinates or flags read [number: register address; values] */
    TESS_VC4_EVENT_PIXELS_WRITE, /* coordinates or flags written [number: register address; lanes,
                                    values] */
    TESS_VC4_EVENT_SCOREBOARD_WAIT,
    TESS_VC4_EVENT_SCOREBOARD_UNLOCK,
    TESS_VC4_EVENT_THREAD_SWITCH,
    TESS_VC4_EVENT_BRANCH, /* taken [address of the target, reached three instructions later] */
    TESS_VC4_EVENT_END,    /* the program ended with this instruction */
    TESS_VC4_EVENTS
};

struct tess_vc4_event {
    enum tess_vc4_event_kind kind;
    uint32_t number, address;
    /* What is accessed, such as "0 s" for a TMU write, or NULL if the name of the kind is
     * sufficient. The string is static. */
    const char *detail;
    bool has_address;       /* true if .address is valid */
    bool has_setup;         /* true if .number is a setup word */
    bool in_results;        /* true if .values are also the result r4 of the step */
    uint16_t lanes;         /* bit n is set if element n is written */
    const uint32_t *values; /* 16 elements, or NULL */
};

/* A register or a queue that an instruction reads, or a register that it writes. */
struct tess_vc4_operand {
    const char *name; /* as in the text, such as "ra5", "r2" or "unif"; the string is static */
    /* Bit n is set for element n. Operands: the elements on which effects of the instruction
     * depend; all elements if the instruction rotates. Results: the written elements. */
    uint16_t lanes;
    /* The 16 elements before the instruction. For an operand, as the instruction reads them, before
     * unpacking and rotation: the result of an earlier write may not have arrived. */
    const uint32_t *before;
    const uint32_t *after; /* results: the 16 elements after the instruction; operands: NULL */
};

/* Effects of one instruction. Registers and flags have their values after the instruction. All
 * pointers are valid only during the call. */
struct tess_vc4_step {
    enum tess_vc4_shader_kind kind;
    uint32_t qpu;      /* 0..15 */
    uint32_t shader;   /* bus address of the program's first instruction */
    uint32_t pc, next; /* address of this instruction, and of the next one that the QPU executes */
    uint64_t word;
    const char *text;                 /* the instruction as tess_qpu_mnemonic() writes it */
    uint64_t number;                  /* number of instructions of the program that were executed
                                       * before this one */
    uint64_t clock;                   /* start time, on the clock that parallel programs share */
    uint64_t stalls[TESS_VC4_STALLS]; /* clocks of stall for each cause */
    bool broken;                      /* true if the hardware would hang at this instruction, which
                                       * then does not count as executed */

    /* Registers and queues whose values the instruction uses: of file A, of file B, then r0 to r5.
     * Constants are not included. Writes to units are events. */
    const struct tess_vc4_operand *operands;
    size_t operand_count;
    /* Written registers: of file A, of file B, then r0 to r5. Signals and results of the SFU also
     * write r4. */
    const struct tess_vc4_operand *results;
    size_t result_count;
    bool flags_set;
    uint16_t n, z, c;                                        /* flags, bit per element */
    const uint32_t (*ra)[16], (*rb)[16], (*accumulator)[16]; /* 32, 32 and 6 registers of 16
                                                                elements */

    const struct tess_vc4_event *events; /* in the order in which they happened */
    size_t event_count;
};

/* Returns the name of an event, for example "vpm write", or NULL if the value is invalid. The
 * string is static. */
TESS_API const char *tess_vc4_event_name(enum tess_vc4_event_kind kind);

/* Returns the name of a stall, for example "tmu", or NULL if the value is invalid. The string is
 * static. */
TESS_API const char *tess_vc4_stall_name(enum tess_vc4_stall stall);

/* Returns the name of a kind of shader, for example "fragment", or NULL if the value is invalid.
 * The string is static. */
TESS_API const char *tess_vc4_shader_kind_name(enum tess_vc4_shader_kind kind);

/* Number of sources of the performance counters. */
enum { TESS_VC4_COUNTERS = 30 };

/* Returns the total of a source of the performance counters (manual table 82) since the device's
 * creation, even if the program has not mapped a counter to it. id is 0..29; the result for other
 * values is 0. */
TESS_API uint64_t tess_vc4_counter(const struct tess_vc4 *vc4, uint32_t id);

/* Returns the description of a source, for example "valid quads", or NULL for an invalid id. The
 * string is static. */
TESS_API const char *tess_vc4_counter_name(uint32_t id);

/* Returns the unit of a source, for example "FEP", or NULL for an invalid id. The string is static.
 */
TESS_API const char *tess_vc4_counter_unit(uint32_t id);

#ifdef __cplusplus
}
#endif

#endif
