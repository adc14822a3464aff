/* SPDX-License-Identifier: MIT */
/* vc4.h - a VideoCore IV: memory, V3D registers, interrupts, run.
 *
 * A device is driven as a bare-metal program drives the chip: map memory, write registers (a write
 * to V3D_CTnEA that differs from V3D_CTnCA starts a control-list thread, a write to V3D_SRQPC queues
 * a user program), then call tess_vc4_run() until it says idle. Nothing runs between calls.
 *
 * A device is not shared between host threads; any number of devices can live in one process.
 */
#ifndef TESSERA_VC4_H
#define TESSERA_VC4_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_vc4;

/* Byte offsets of the V3D registers from V3D_BASE (manual section 10, table 48) that programs use
 * most. tess_vc4_register_name() knows all of them. */
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
    V3D_PCTR0 = 0x680,  /* and 8 bytes on for each of the 15 others */
    V3D_PCTRS0 = 0x684, /* likewise */
    V3D_DBCFG = 0xe00,
    V3D_DBQITE = 0xe2c,
    V3D_DBQITC = 0xe30,
    V3D_ERRSTAT = 0xf20,
};

/* V3D_INTCTL, V3D_INTENA and V3D_INTDIS bits (manual table 75). */
enum {
    V3D_INT_FRDONE = 1 << 0,
    V3D_INT_FLDONE = 1 << 1,
    V3D_INT_OUTOMEM = 1 << 2,
    V3D_INT_SPILLUSE = 1 << 3,
};

/* How far a run has come. */
struct tess_vc4_progress {
    uint64_t tiles;        /* stored in this run */
    uint64_t tiles_of;     /* of the frame that is being drawn; 0 if that is not known */
    uint64_t instructions; /* QPU instructions in this run */
};

/* Which draws that change no pixel are reported, as notes. Programs that draw many objects leave
 * some of them outside of the picture, or hidden, on purpose. */
enum tess_vc4_draw_notes {
    TESS_VC4_NOTE_DRAWS,        /* each draw that its own state keeps from changing a pixel */
    TESS_VC4_NOTE_EMPTY_FRAMES, /* only draws of a frame in which no draw changes a pixel */
    TESS_VC4_NOTE_NO_DRAWS,
};

struct tess_vc4_step;

/* How a device is set up. Zero every member that you do not care about. */
struct tess_vc4_options {
    struct tess_sink sink; /* where findings go */

    /* Called with the new level of the V3D interrupt line whenever it changes. It may read and
     * write registers, for example hand the binner more memory through V3D_BPOA and V3D_BPOS. */
    void (*interrupt)(void *user, bool level);
    void *interrupt_user;

    /* Budgets that end programs which the hardware would run for ever; 0 takes the default. */
    uint64_t max_instructions; /* QPU instructions of one program, default 16 million */
    uint64_t max_records;      /* control records and primitives of one run, default 64 million */
    uint64_t max_total_instructions; /* of all programs of one run together, default 4 billion */

    /* Called every now and then during a run, from the thread that called tess_vc4_run(). */
    void (*progress)(void *user, const struct tess_vc4_progress *progress);
    void *progress_user;

    bool strict;   /* findings of severity TESS_WARNING become TESS_ERROR */
    bool sanitize; /* the run-time sanitizer: shadow state for uninitialised reads and races; slower */
    bool profile;  /* counts instruction by instruction, see tess_vc4_get_hot(); a little slower */

    /* Called after each QPU instruction, from the thread that called tess_vc4_run(), in an order that is the same every time;
     * may be NULL. Much slower, and .threads counts for nothing. */
    void (*trace)(void *user, const struct tess_vc4_step *step);
    void *trace_user;

    uint32_t threads; /* host threads that work on one run, 1..64; 0 is 1. Results never depend on it */
    uint32_t qpus;    /* QPUs of the chip, 12 or 16; 0 is 12 (BCM2835) */
    uint32_t
        shown; /* findings of each kind that go to the sink; 0 is 8, and more of those about waits */
    enum tess_vc4_draw_notes draw_notes;
};

enum { TESS_VC4_MAX_THREADS = 64 };

/* Creates a device. *out is NULL unless the result is TESS_OK. options may be NULL.
 * Release with tess_vc4_destroy(). Errors: TESS_INVALID (an option outside of its range),
 * TESS_NO_MEMORY. */
TESS_API enum tess_status tess_vc4_create(struct tess_vc4 **out,
                                          const struct tess_vc4_options *options);

/* Releases a device and the memory that it allocated itself. NULL is allowed. */
TESS_API void tess_vc4_destroy(struct tess_vc4 *vc4);

/* Puts size bytes at bus address bus. The top two bits of a bus address choose caching, not memory,
 * and are ignored. With host NULL the device allocates zeroed memory; else host must stay valid until
 * unmapped, and belongs to the caller. Errors: TESS_INVALID if size is 0, the range leaves the 1 GiB
 * address space or overlaps another region; TESS_NO_MEMORY. */
TESS_API enum tess_status tess_vc4_map(struct tess_vc4 *vc4, uint32_t bus, uint32_t size,
                                       void *host);

/* Removes the region that starts at bus. Error: TESS_INVALID if there is none. */
TESS_API enum tess_status tess_vc4_unmap(struct tess_vc4 *vc4, uint32_t bus);

/* Host pointer to size bytes at bus, or NULL if they are not inside one mapped region. */
TESS_API void *tess_vc4_memory(struct tess_vc4 *vc4, uint32_t bus, uint32_t size);

/* Reads and writes a V3D register; offset is in bytes from V3D_BASE, 0..0xfff. An unknown or unaligned
 * offset is a finding; it reads 0 and the write is dropped. */
TESS_API uint32_t tess_vc4_read(struct tess_vc4 *vc4, uint32_t offset);
TESS_API void tess_vc4_write(struct tess_vc4 *vc4, uint32_t offset, uint32_t value);

/* A kind of finding about a guest program; docs/findings/ has a page for each. Strings are static. */
struct tess_vc4_finding {
    const char *id; /* as .rule of struct tess_diag */
    enum tess_severity severity;
    const char *title;            /* what is wrong; no period */
    const char *hardware, *model; /* what these do */
    const char *instead;          /* what to do; no period */
    const char *source;
};

/* How many kinds there are, and one of them; NULL beyond the last. */
TESS_API size_t tess_vc4_finding_count(void);
TESS_API const struct tess_vc4_finding *tess_vc4_finding_get(size_t number);

/* Looks up a kind by its id; NULL if there is none. */
TESS_API const struct tess_vc4_finding *tess_vc4_finding_find(const char *id);

/* "V3D_CT0CA" for 0x110; NULL for an offset with no register. */
TESS_API const char *tess_vc4_register_name(uint32_t offset);

/* Why tess_vc4_run() returned. */
enum tess_vc4_stop {
    TESS_VC4_IDLE, /* nothing left to do */
    TESS_VC4_STUCK, /* something waits that only the host can help: binner memory, a semaphore that the
                        other thread must raise, a hung program. tess_vc4_report_stuck() says what;
                        after the right register writes, run again */
    TESS_VC4_BUDGET, /* a budget of tess_vc4_options ran out, which is a finding that says where; or the
                        clock limit has come, which is none */
};

/* Runs both control-list threads and all queued user programs until nothing can move. */
TESS_API enum tess_vc4_stop tess_vc4_run(struct tess_vc4 *vc4);

/* Has every later run end with TESS_VC4_BUDGET once all user programs that still run have gone on for so many V3D clocks
 * since the run began; 0, the default: no limit. The same run ends at the same place for any number of threads. Programs
 * stay where they are: the next run goes on with them. The stop is planned, so it is no finding; tess_vc4_get_stats() says how far the
 * time has come. While there is a limit, the default instruction budgets do not
 * apply to user programs; those that tess_vc4_options sets do. */
TESS_API void tess_vc4_set_clock_limit(struct tess_vc4 *vc4, uint64_t clocks);

/* For callers to whom the clock limit is a timeout: if it has ended the latest run, reports the program that has run longest beyond it
 * as one that does not end, an error "budget" with its place. */
TESS_API void tess_vc4_report_late(struct tess_vc4 *vc4);

/* Takes all user programs off the QPUs and out of the queue, frees the mutex and sets the semaphores to 0, as a power
 * cycle of the V3D does; memory, the VPM's contents and all registers stay. Not while tess_vc4_run() runs. */
TESS_API void tess_vc4_stop_programs(struct tess_vc4 *vc4);

/* Ends the device's host threads; the next run starts them again. A process that forks need not do so: its child gets a copy of the
 * device, which starts threads of its own. */
TESS_API void tess_vc4_rest(struct tess_vc4 *vc4);

/* Tells the sink what each control-list thread and QPU that cannot move waits for. Call it after
 * TESS_VC4_STUCK if no help is to come; each wait is a finding of severity TESS_ERROR. */
TESS_API void tess_vc4_report_stuck(struct tess_vc4 *vc4);

/* Level of the interrupt line to the host. */
TESS_API bool tess_vc4_interrupt_level(const struct tess_vc4 *vc4);

/* Number of findings of severity TESS_ERROR since creation, including those not passed on because
 * too many of one kind had been reported. */
TESS_API uint64_t tess_vc4_error_count(const struct tess_vc4 *vc4);

/* What became of a draw's primitives and pixels. docs/why-nothing-is-drawn.md explains each
 * count. */
enum tess_vc4_draw_counter {
    TESS_VC4_DRAW_PRIMITIVES,  /* assembled from vertices */
    TESS_VC4_DRAW_CLIPPED,     /* of these: wholly outside of the clip volume */
    TESS_VC4_DRAW_NOT_FINITE,  /* a clip coordinate is infinite or not a number */
    TESS_VC4_DRAW_NO_AREA,     /* all corners on one line, or a line without length or width */
    TESS_VC4_DRAW_CULLED,      /* of a facing that record 96 does not draw */
    TESS_VC4_DRAW_OUTSIDE,     /* outside of the clip window and the frame's tiles */
    TESS_VC4_DRAW_BINNED,      /* in the list of at least one tile */
    TESS_VC4_DRAW_DRAWN,       /* in tiles: once for each tile */
    TESS_VC4_DRAW_UNCOVERED,   /* of these: without a pixel or sample inside */
    TESS_VC4_DRAW_ACCUMULATED, /* of these: sent to the coverage pipe instead of a shader */
    TESS_VC4_DRAW_PIXELS,      /* inside of primitives, at one sample at least */
    TESS_VC4_DRAW_Z_LIMITS,    /* of these: outside of record 104's limits */
    TESS_VC4_DRAW_EARLY_Z,     /* failed the early depth test */
    TESS_VC4_DRAW_NO_COVERAGE, /* without VG coverage, in coverage mode */
    TESS_VC4_DRAW_STENCIL,     /* failed the stencil test */
    TESS_VC4_DRAW_DEPTH,       /* failed the depth test */
    TESS_VC4_DRAW_DISCARDED,   /* passed, but the shader wrote nothing */
    TESS_VC4_DRAW_UNCHANGED,   /* written with the values that the tile buffer already had */
    TESS_VC4_DRAW_WRITTEN,     /* colour, depth, stencil or mask has changed */
    TESS_VC4_DRAW_ALPHA_ZERO,  /* of written and unchanged ones: a 32-bit colour with alpha 0 */
    TESS_VC4_DRAW_COUNTS
};

/* Counts since creation, for statistics. */
struct tess_vc4_stats {
    uint64_t instructions; /* QPU instructions executed */
    uint64_t shader_runs;  /* QPU programs started (fragment batches and user programs) */
    uint64_t quads;        /* quads with at least one covered pixel */
    uint64_t primitives_binned;
    uint64_t primitives_drawn; /* counted once for each tile they are drawn in */
    uint64_t tiles;            /* tiles stored */
    uint64_t texture_lookups;  /* TMU requests, 16 lanes each */
    uint64_t texture_words;    /* texels and words that they read from the TMUs' caches */
    uint64_t clocks; /* V3D clocks that QPU programs took, those that run side by side counted once;
                        also of programs that still run */
    uint64_t records;          /* control records executed */
    uint64_t draw_counts[TESS_VC4_DRAW_COUNTS]; /* of all draws together */
};
TESS_API void tess_vc4_get_stats(const struct tess_vc4 *vc4, struct tess_vc4_stats *stats);

/* The record of the row for all draws beyond those that the device keeps apart. */
enum { TESS_VC4_OTHER_DRAWS = 0 };

/* All executions of one record that draws. In the binning list, primitives are counted once; in
 * a rendering list, once for each tile that executes it. */
struct tess_vc4_draw_stats {
    uint32_t list_address; /* bus address of the record */
    uint8_t record;        /* its id byte, or TESS_VC4_OTHER_DRAWS */
    uint8_t thread;        /* 0 binning, 1 rendering */
    uint64_t executed;
    uint64_t counts[TESS_VC4_DRAW_COUNTS];
};

/* Number of records that have drawn, and the numbers of one of them, in the order in which they
 * were executed first. False if there is no record of that index. */
TESS_API uint32_t tess_vc4_draw_count(const struct tess_vc4 *vc4);
TESS_API bool tess_vc4_get_draw_stats(const struct tess_vc4 *vc4, uint32_t index,
                                      struct tess_vc4_draw_stats *stats);

/* "early_z"; NULL for a value that is none. */
TESS_API const char *tess_vc4_draw_counter_name(enum tess_vc4_draw_counter counter);

enum tess_vc4_shader_kind { TESS_VC4_USER, TESS_VC4_FRAGMENT, TESS_VC4_VERTEX, TESS_VC4_COORDINATE };

/* What a QPU waits for while it executes nothing. */
enum tess_vc4_stall {
    TESS_VC4_STALL_TMU,         /* a texture result, or room in the request FIFO */
    TESS_VC4_STALL_SFU,         /* the special function unit */
    TESS_VC4_STALL_VPM,         /* the VPM's FIFOs and its DMA */
    TESS_VC4_STALL_UNIFORM,     /* a uniform that is not in its cache */
    TESS_VC4_STALL_VARYING,     /* the interpolator */
    TESS_VC4_STALL_SCOREBOARD,  /* the batch before on the same pixels */
    TESS_VC4_STALL_INSTRUCTION, /* an instruction that is not in its cache */
    TESS_VC4_STALL_WAIT,        /* semaphores and the mutex */
    TESS_VC4_STALLS
};

/* The start of the row that stands for all programs beyond those the device keeps apart. */
#define TESS_VC4_OTHER_SHADERS UINT32_MAX

/* All runs of one program together. Cycles are those of the QPUs, stalls included; docs/vc4/timing.md
 * says what is modelled and what is estimated. */
struct tess_vc4_shader_stats {
    enum tess_vc4_shader_kind kind;
    uint32_t start; /* bus address of the first instruction, or TESS_VC4_OTHER_SHADERS */
    uint64_t code;  /* of user programs, with option .profile: differs if the instructions do; else 0 */
    uint64_t runs, instructions, cycles;
    uint64_t stalls[TESS_VC4_STALLS]; /* cycles */
    uint64_t uniforms;                /* uniforms read */
    uint64_t tmu_requests;            /* of 16 lanes each */
    uint64_t texture_words;           /* texels and words that they read */
    uint64_t vpm_accesses;            /* vectors read and written */
    uint64_t dma_loaded, dma_stored;  /* bytes that DMA moved from memory to the VPM, and back */
    uint64_t instruction_misses, uniform_misses,
        texture_misses; /* lines that caches had to fetch */
};

/* Number of programs that have run, and the numbers of one of them, in the order in which they ended
 * first. False if there is no program of that index. */
TESS_API uint32_t tess_vc4_shader_count(const struct tess_vc4 *vc4);
TESS_API bool tess_vc4_get_shader_stats(const struct tess_vc4 *vc4, uint32_t index,
                                        struct tess_vc4_shader_stats *stats);

/* All executions of one instruction of a program. Programs that follow each other at the same address are told apart by
 * .code, and by their instructions. */
struct tess_vc4_hot {
    enum tess_vc4_shader_kind kind;
    uint32_t shader;  /* bus address of the program's first instruction */
    uint64_t code;    /* as in struct tess_vc4_shader_stats */
    uint32_t address; /* of this one */
    uint64_t word;    /* the instruction */
    uint64_t executed;
    uint64_t stalls[TESS_VC4_STALLS]; /* cycles, beside the four of each execution */
};

/* The instructions that have been executed since creation, of a device with option .profile, in the order of kind, program,
 * address and word. *rows are to be freed with tess_free(); NULL if there are none. The same for any number of threads. Sums
 * over all rows are those of all programs together. Errors: TESS_INVALID (a NULL), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_vc4_get_hot(const struct tess_vc4 *vc4, struct tess_vc4_hot **rows,
                                           size_t *count);

/* --- looking on --- */

/* What an instruction did beside computing. The members of struct tess_vc4_event that mean something are in brackets. */
enum tess_vc4_event_kind {
    TESS_VC4_EVENT_UNIFORM,           /* read [address, values] */
    TESS_VC4_EVENT_UNIFORM_ADDRESS,   /* written [address: of the next uniform] */
    TESS_VC4_EVENT_VARYING,           /* read [values] */
    TESS_VC4_EVENT_VPM_READ,          /* a vector [values] */
    TESS_VC4_EVENT_VPM_WRITE,         /* a vector [lanes, values] */
    TESS_VC4_EVENT_VPM_READ_SETUP,    /* of vectors, of DMA loads and their pitch [number: the word] */
    TESS_VC4_EVENT_VPM_WRITE_SETUP,   /* of vectors, of DMA stores and their stride [number] */
    TESS_VC4_EVENT_DMA_LOAD,          /* started [address; number: the setup word] */
    TESS_VC4_EVENT_DMA_STORE,         /* likewise */
    TESS_VC4_EVENT_DMA_LOAD_WAIT,     /* waited for */
    TESS_VC4_EVENT_DMA_STORE_WAIT,
    TESS_VC4_EVENT_DMA_LOAD_BUSY,     /* asked for [values: 1 or 0] */
    TESS_VC4_EVENT_DMA_STORE_BUSY,
    TESS_VC4_EVENT_TMU_WRITE,         /* [number: unit * 4 + 0 for S, 1 T, 2 R, 3 B; lanes, values] */
    TESS_VC4_EVENT_TMU_RESULT,        /* taken to r4 [number: the unit; values] */
    TESS_VC4_EVENT_TMU_NOSWAP,        /* [values] */
    TESS_VC4_EVENT_SFU,               /* asked [number: 0 recip, 1 recipsqrt, 2 exp, 3 log; lanes, values] */
    TESS_VC4_EVENT_SFU_RESULT,        /* has arrived in r4, before the instruction [values] */
    TESS_VC4_EVENT_SEMAPHORE_ACQUIRE, /* [number; values: what the semaphore is now] */
    TESS_VC4_EVENT_SEMAPHORE_RELEASE,
    TESS_VC4_EVENT_MUTEX_ACQUIRE,
    TESS_VC4_EVENT_MUTEX_RELEASE,
    TESS_VC4_EVENT_INTERRUPT,         /* of the host [lanes, values] */
    TESS_VC4_EVENT_TLB_READ,          /* to r4 [number: the signal; values] */
    TESS_VC4_EVENT_TLB_WRITE,         /* [number: register address; lanes, values] */
    TESS_VC4_EVENT_PIXELS_READ,       /* coordinates, flags [number: register address; values] */
    TESS_VC4_EVENT_PIXELS_WRITE,      /* likewise [number; lanes, values] */
    TESS_VC4_EVENT_SCOREBOARD_WAIT,
    TESS_VC4_EVENT_SCOREBOARD_UNLOCK,
    TESS_VC4_EVENT_THREAD_SWITCH,
    TESS_VC4_EVENT_BRANCH,            /* taken [address: where to, three instructions later] */
    TESS_VC4_EVENT_END,               /* of the program, with this instruction */
    TESS_VC4_EVENTS
};

struct tess_vc4_event {
    enum tess_vc4_event_kind kind;
    uint32_t number, address;
    uint16_t lanes;         /* elements that were written, bit per element */
    const uint32_t *values; /* 16 elements; NULL: none */
};

enum { TESS_VC4_NO_REGISTER = 32 };

/* What one instruction did. Registers and flags are what they are behind it; all pointers are good during the call only. */
struct tess_vc4_step {
    enum tess_vc4_shader_kind kind;
    uint32_t qpu;      /* 0..15 */
    uint32_t shader;   /* bus address of the program's first instruction */
    uint32_t pc, next; /* of this instruction, and of the one that the QPU executes next */
    uint64_t word;
    uint64_t number;                  /* instructions of the program before this one */
    uint64_t clock;                   /* when it began, on the clock that programs side by side share */
    uint64_t stalls[TESS_VC4_STALLS]; /* clocks that it waited, by cause */
    bool broken;                      /* the hardware would hang here; not counted as executed */

    uint32_t written_a, written_b; /* registers of the files, or TESS_VC4_NO_REGISTER */
    uint16_t lanes_a, lanes_b;
    uint32_t accumulators; /* written ones, bit per number; r4 by signals, and when an SFU result arrives */
    uint16_t lanes_accumulator[6];
    bool flags_set;
    uint16_t n, z, c;                                    /* flags, bit per element */
    const uint32_t (*ra)[16], (*rb)[16], (*accumulator)[16]; /* 32, 32 and 6 registers of 16 elements */

    const struct tess_vc4_event *events; /* in the order in which they happened */
    size_t event_count;
};

/* "vpm write"; NULL for a value that is none. */
TESS_API const char *tess_vc4_event_name(enum tess_vc4_event_kind kind);

/* "tmu", "fragment"; NULL for a value that is none. */
TESS_API const char *tess_vc4_stall_name(enum tess_vc4_stall stall);
TESS_API const char *tess_vc4_shader_kind_name(enum tess_vc4_shader_kind kind);

/* The sources of the performance counters (manual table 82) count from the device's creation,
 * whether or not the program has mapped a counter to them; id is 0..29, others give 0 and NULL. */
enum { TESS_VC4_COUNTERS = 30 };
TESS_API uint64_t tess_vc4_counter(const struct tess_vc4 *vc4, uint32_t id);
TESS_API const char *tess_vc4_counter_name(uint32_t id); /* "valid quads" */
TESS_API const char *tess_vc4_counter_unit(uint32_t id); /* "FEP" */

#ifdef __cplusplus
}
#endif

#endif
