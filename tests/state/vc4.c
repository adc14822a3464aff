/* SPDX-License-Identifier: MIT */
/* vc4.c - saves and restores the state of the VideoCore IV at random moments: between runs, and
 * between records, primitives and turns of user programs. A script of register writes and runs must
 * have the same results with and without these moments, byte for byte: memory, registers,
 * interrupts, findings, traces, counts and profiles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>
#include <tessera/scene.h>
#include <tessera/utgard.h>
#include <tessera/vc4.h>

#include "../random.h"
#include "../register.h"
#include "base/bits.h"
#include "base/buffer.h"
#include "base/hash.h"
#include "base/state.h"
#include "scene/scene_private.h"

enum { MOMENTS = 1000, INSIDE = 700, FRAMES = 24, OPERATIONS = 24, REGIONS = 32 };

/* --- worlds: memory and a script --- */

/* Parts of the memory of frames. */
enum {
    BIN_LIST = 0x1000,
    RENDER_LIST = 0x1800,
    SHADER = 0x2400,
    CODE = 0x14000, /* user program */
    UNIFORMS = 0x15000,
    TABLE = 0x16000, /* words that the user program reads */
    RESULTS = 0x18000,
    OVERSPILL = 0x20000, /* memory that the host gives to the binner */
    FRAME_MEMORY = 0x40000,
};

enum kind { WRITE, READ, RUN, STEPS, STOP, STUCK, CLOCKS };

/* An operation of the host. */
struct operation {
    enum kind kind;
    uint32_t offset, value;
};

struct world {
    uint32_t seed;
    struct tess_vc4_options options;
    struct scene_region region[REGIONS];
    uint32_t regions;
    uint8_t *memory[REGIONS]; /* contents at the start */
    struct operation *operation;
    uint32_t operations, room;
    bool single;   /* all devices have one thread */
    bool generous; /* the host gives memory to the binner in the interrupt handler */
};

static uint32_t below(struct world *world, uint32_t end)
{
    return next_random(&world->seed) % end;
}

static unsigned some_threads(struct world *world)
{
    return world->single ? 1 : 1 + below(world, 3);
}

static void add(struct world *world, enum kind kind, uint32_t offset, uint32_t value)
{
    if (world->operations == world->room) {
        world->room = world->room ? 2 * world->room : 64;
        world->operation = realloc(world->operation, world->room * sizeof *world->operation);
        assert_non_null(world->operation);
    }
    world->operation[world->operations++] = (struct operation){kind, offset, value};
}

static void add_region(struct world *world, uint32_t base, uint32_t size)
{
    assert_true(world->regions < REGIONS);
    world->region[world->regions] = (struct scene_region){base, size};
    world->memory[world->regions] = calloc(1, size);
    assert_non_null(world->memory[world->regions++]);
}

static uint8_t *memory_at(struct world *world, uint32_t base)
{
    for (uint32_t i = 0; i < world->regions; i++)
        if (base - world->region[i].base < world->region[i].size)
            return world->memory[i] + (base - world->region[i].base);
    return NULL;
}

static void close_world(struct world *world)
{
    for (uint32_t i = 0; i < world->regions; i++)
        free(world->memory[i]);
    free(world->operation);
}

/* Assembles a source to a scene. */
static struct tess_scene *assemble(const char *path)
{
    const struct tess_asm_options options = {.format = TESS_ASM_ELF, .skip_check = true};
    struct tess_scene *scene;
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble(&path, 1, &options, (struct tess_sink){0}, &bytes, &size),
                     TESS_OK);
    assert_int_equal(tess_scene_load_memory(&scene, bytes, size, path, (struct tess_sink){0}),
                     TESS_OK);
    tess_free(bytes);
    return scene;
}

static void copy_segments(struct world *world, const struct tess_scene *scene)
{
    for (uint32_t i = 0; i < scene->elf.segment_count; i++) {
        const struct elf_segment *segment = &scene->elf.segments[i];
        if (segment->file_size)
            memcpy(memory_at(world, segment->base), scene->file.data + segment->file_offset,
                   segment->file_size);
    }
}

static void add_program(struct world *world, uint32_t code, uint32_t uniforms, uint32_t count)
{
    add(world, WRITE, V3D_SRQUA, uniforms);
    add(world, WRITE, V3D_SRQUL, count);
    add(world, WRITE, V3D_SRQPC, code);
}

static void add_list(struct world *world, bool renders, uint32_t from, uint32_t to)
{
    add(world, WRITE, renders ? V3D_CT1CA : V3D_CT0CA, from);
    add(world, WRITE, renders ? V3D_CT1EA : V3D_CT0EA, to);
}

/* Halts a thread in the middle of its list, and lets it go on later. */
static void add_halt(struct world *world)
{
    enum { HALT = 1 << 5, GO_ON = 1 << 4 };
    uint32_t status = below(world, 3) ? V3D_CT1CS : V3D_CT0CS;
    add(world, STEPS, 0, 1 + below(world, below(world, 2) ? 60 : 1000));
    add(world, WRITE, status, HALT);
    add(world, RUN, 0, 0);
    add(world, WRITE, status, GO_ON);
}

static void choose_options(struct world *world)
{
    struct tess_vc4_options *options = &world->options;
    world->single = below(world, 2);
    options->machine.sanitize = below(world, 3) == 0;
    options->profile = below(world, 3) == 0;
    options->machine.strict = below(world, 8) == 0;
    options->qpus = below(world, 4) ? 12 : 16;
    options->machine.shown = below(world, 4) ? 0 : 1 + below(world, 20);
    options->draw_notes = below(world, 3);
}

/* Enables interrupts and performance counters. */
static void add_settings(struct world *world)
{
    add(world, WRITE, V3D_INTENA, below(world, 16));
    for (uint32_t i = 0; i < 16; i++)
        add(world, WRITE, V3D_PCTRS0 + 8 * i, below(world, TESS_VC4_COUNTERS));
    add(world, WRITE, V3D_PCTRE, 0x80000000 | below(world, 0x10000));
    add(world, WRITE, V3D_DBCFG, 1);
    add(world, WRITE, V3D_DBQITE, below(world, 0x10000));
}

/* --- worlds of example scenes --- */

static void add_step(struct world *world, const struct scene_step *step)
{
    switch (step->kind) {
    case STEP_BIN: add_list(world, false, step->address, step->end); break;
    case STEP_RENDER: add_list(world, true, step->address, step->end); break;
    case STEP_QPU: add_program(world, step->address, step->uniforms, step->count); break;
    default: return;
    }
    if (step->kind != STEP_QPU && below(world, 2))
        add_halt(world);
    if (step->kind != STEP_QPU && (step->kind == STEP_RENDER || below(world, 2)))
        add(world, RUN, 0, 0);
}

static void make_example(struct world *world, const char *path, uint32_t seed)
{
    struct tess_scene *scene = assemble(path);
    *world = (struct world){.seed = seed, .generous = true};
    choose_options(world);
    for (uint32_t i = 0; i < scene->region_count; i++)
        add_region(world, scene->regions[i].base, scene->regions[i].size);
    copy_segments(world, scene);
    add_settings(world);
    for (uint32_t i = 0; i < scene->step_count && world->operations < 200; i++)
        add_step(world, &scene->steps[i]);
    add(world, RUN, 0, 0);
    tess_scene_free(scene);
}

/* --- worlds of frames and programs with mistakes --- */

/* A user program, which uses all units. While its loop runs, it has unread results and an
 * unfinished request of the TMUs, a DMA load, unread vectors, semaphores and flags. */
static const char source[] = ".include <vc4.qinc>\n"
                             ".org 0x14000\n"
                             "    mov ra0, unif\n" /* number of the program */
                             "    mov rb0, unif\n" /* address of its results */
                             "    mov ra1, unif\n" /* address of the table */
                             "    mov ra2, unif\n" /* number of loops */
                             "    mov r1, ra0\n"
                             "    ldi r3, 0.25\n"
                             "    mov t1t, r3\n" /* the texture's first parameter is a uniform */
                             "    ldi r0, vpm_setup(4, 1, h32(0))\n"
                             "    mov vr_setup, r0\n"
                             "    ldi r0, vdr_setup_0(3, 16, 2, vdr_h32(1, 32, 0))\n"
                             "    mov vr_setup, r0\n"
                             "    mov vr_addr, ra1\n"
                             "    ldi vw_setup, vpm_setup(1, 1, h32(20))\n"
                             "    mov vpm, r1\n"
                             "    srel -, 3\n"
                             "    srel -, 4\n"
                             "    mov r2, elem_num\n"
                             "    shl r2, r2, 2\n"
                             "    add ra3, r2, ra1\n"
                             "    add t0s, r2, ra1\n"
                             ":loop\n"
                             "    add.ifn r1, r1, 7\n" /* flags of the latest iteration */
                             "    add.ifc r1, r1, 3\n"
                             "    mov r0, ra2\n"
                             "    and r0, r0, 15\n"
                             "    shl r0, r0, 6\n"
                             "    add t0s, r0, ra3\n"
                             "    itof sfu_recip, r1\n"
                             "    shl r3, r1, 1\n"
                             "    add r1, r1, r3\n"
                             "    mov rb1, r4\n"
                             "    nop; nop; ldtmu0\n"
                             "    add r1, r1, r4\n"
                             "    sub.setf ra2, ra2, 1\n"
                             "    brr.anynz -, :loop\n"
                             "    mov r0, ra2\n"
                             "    sub.setf -, r0, r1\n"
                             "    mov rb2, r0\n"
                             "    nop; nop; ldtmu0\n"
                             "    mov t1s, r3\n"
                             "    mov -, vr_wait\n"
                             ".rep i, 4\n"
                             "    mov r2, vpm\n"
                             "    add r1, r1, r2\n"
                             ".endr\n"
                             "    nop; nop; ldtmu1\n"
                             "    add r1, r1, r4\n"
                             "    ldi r0, vpm_setup(0, 1, h32(0))\n"
                             "    mov r2, ra0\n"
                             "    add vw_setup, r0, r2\n"
                             "    mov vpm, r1\n"
                             "    ldi r0, vdw_setup_0(1, 16, dma_h32(0, 0))\n"
                             "    shl r2, r2, 7\n"
                             "    sacq -, 3\n"
                             "    sacq -, 4\n"
                             "    mov -, mutex_acq\n"
                             "    add vw_setup, r0, r2\n"
                             "    ldi vw_setup, vdw_setup_1(0)\n"
                             "    mov vw_addr, rb0\n"
                             "    mov -, vw_wait\n"
                             "    mov mutex_rel, 0\n"
                             "    mov irq, 1\n"
                             "    nop; nop; thrend\n"
                             "    nop\n"
                             "    nop\n";

enum { UNIFORM_BYTES = 24 };

static void place_program(struct world *world)
{
    static uint8_t *code;
    static size_t size;
    const struct tess_asm_options options = {.format = TESS_ASM_BIN, .skip_check = true};
    if (!code)
        assert_int_equal(tess_assemble_text(source, strlen(source), "program", &options,
                                            (struct tess_sink){0}, &code, &size),
                         TESS_OK);
    memcpy(memory_at(world, CODE), code, size);
    for (uint32_t i = 0; i < 0x400; i++)
        store_le32(memory_at(world, TABLE + 4 * i), next_random(&world->seed));
    for (uint32_t i = 0; i < 16; i++) {
        uint8_t *uniforms = memory_at(world, UNIFORMS + UNIFORM_BYTES * i);
        uint32_t results = below(world, 4) ? RESULTS : TABLE;
        store_le32(uniforms, i);
        store_le32(uniforms + 4, results + 64 * i);
        store_le32(uniforms + 8, TABLE);
        store_le32(uniforms + 12, 1 + below(world, below(world, 3) ? 20 : 400));
        store_le32(uniforms + 16, TABLE);              /* texture of RGBA8888, in T-format */
        store_le32(uniforms + 20, 16 << 20 | 16 << 8); /* 16 x 16 texels */
    }
}

/* Changes bytes of the lists, shaders and programs. */
static void damage(struct world *world)
{
    static const uint32_t places[] = {BIN_LIST, RENDER_LIST, 0x2000, SHADER, CODE, UNIFORMS};
    for (uint32_t count = below(world, 4); count; count--) {
        uint32_t at = places[below(world, 6)] + below(world, 0x70);
        *memory_at(world, at) = (uint8_t)below(world, 256);
    }
}

/* Lets the binning list draw many primitives with little memory for their lists. */
static void draw_more(struct world *world)
{
    enum { RECORD_112 = 1, AT_SIZE = 4, LIST_BYTES = 0x60 };
    uint8_t *list = memory_at(world, BIN_LIST);
    for (uint32_t i = 0; i < LIST_BYTES; i++)
        if (list[i] == 33 && load_le32(list + i + 2) == 3) { /* vertex array primitives */
            store_le32(list + i + 2, 30 + below(world, 300));
            break;
        }
    if (below(world, 2))
        store_le32(list + RECORD_112 + AT_SIZE, 0x40 + 0x20 * below(world, 8));
}

static uint32_t end_of(struct world *world, uint32_t start, uint32_t limit)
{
    while (limit > start && *memory_at(world, limit - 1) == 0)
        limit--;
    return limit;
}

static void add_random(struct world *world, uint32_t bin_end, uint32_t render_end)
{
    static const uint32_t registers[] = {
        V3D_L2CACTL, V3D_SLCACTL, V3D_INTCTL,  V3D_INTENA,  V3D_INTDIS,   V3D_CT0CS, V3D_CT1CS,
        V3D_CT0LC,   V3D_BFC,     V3D_RFC,     V3D_SQRSV0,  V3D_VPMBASE,  V3D_SRQCS, V3D_VPACNTL,
        V3D_DBQITC,  V3D_PCTRE,   V3D_SCRATCH, V3D_ERRSTAT, V3D_PCTR0 + 8};
    switch (below(world, 16)) {
    case 0:
    case 1: add_list(world, false, BIN_LIST, bin_end); break;
    case 2:
    case 3: add_list(world, true, RENDER_LIST, render_end); break;
    case 4:
    case 5:
        for (uint32_t count = 1 + below(world, 14); count; count--) {
            uint32_t uniforms = UNIFORMS + UNIFORM_BYTES * below(world, 16);
            add_program(world, CODE, uniforms, below(world, 2) ? 0 : 6);
        }
        break;
    case 6: {
        uint32_t offset = registers[below(world, 19)];
        add(world, WRITE, offset, next_random(&world->seed));
        break;
    }
    case 7: add(world, READ, registers[below(world, 19)], 0); break;
    case 8:
        add(world, WRITE, V3D_BPOA, OVERSPILL + 0x1000 * below(world, 16));
        add(world, WRITE, V3D_BPOS, 0x1000);
        break;
    case 9: add(world, STUCK, 0, 0); break;
    case 10: add(world, CLOCKS, 0, below(world, 2) ? 0 : 500 + below(world, 20000)); break;
    case 11:
        if (below(world, 3) == 0)
            add(world, STOP, 0, 0);
        break;
    case 12: add_halt(world); break;
    default: add(world, RUN, 0, 0); break;
    }
}

/* Makes the fragment shader wait for semaphore 5 forever. */
static void hang(struct world *world)
{
    static const char wait[] = "sacq -, 5\n";
    const struct tess_asm_options options = {.format = TESS_ASM_BIN, .skip_check = true};
    uint8_t *code;
    size_t size;
    assert_int_equal(tess_assemble_text(wait, strlen(wait), "wait", &options, (struct tess_sink){0},
                                        &code, &size),
                     TESS_OK);
    memcpy(memory_at(world, SHADER), code, size);
    tess_free(code);
}

/* Prepares a frame and a user program without mistakes. */
static void prepare_frame(struct world *world, uint32_t seed)
{
    static struct tess_scene *scene;
    if (!scene)
        scene = assemble(TEST_DATA "/../fuzz/frame.qasm");
    *world = (struct world){.seed = seed};
    choose_options(world);
    world->options.machine.max_instructions = 30000;
    world->options.max_records = 2000;
    world->generous = below(world, 2);
    add_region(world, 0, FRAME_MEMORY);
    copy_segments(world, scene);
    place_program(world);
}

static void make_frame(struct world *world, uint32_t seed)
{
    prepare_frame(world, seed);
    uint32_t bin_end = end_of(world, BIN_LIST, RENDER_LIST);
    uint32_t render_end = end_of(world, RENDER_LIST, 0x2000);
    if (below(world, 2))
        draw_more(world);
    if (below(world, 2))
        damage(world);
    if (below(world, 8) == 0)
        hang(world);
    add_settings(world);
    for (uint32_t i = 0; i < OPERATIONS; i++)
        add_random(world, bin_end, render_end);
    add(world, RUN, 0, 0);
}

/* --- users: a device, and what its host sees --- */

struct user {
    const struct world *world;
    struct tess_vc4 *vc4;
    struct buffer log;     /* findings, interrupts and results */
    uint64_t steps, trace; /* number of traced instructions, and a hash of the steps */
    uint32_t given;        /* pieces of memory that the host has given to the binner */
    bool quiet;            /* what the device does now is not logged */
    bool traced;
};

/* Numbers of moments: all, and those inside of runs. */
static unsigned moments, inside;

static void log_finding(void *pointer, const struct tess_finding *diag)
{
    struct user *user = pointer;
    const struct tess_place *place = &diag->place;
    if (user->quiet)
        return;
    buffer_printf(&user->log, "%d %s: %s (%s) %d", diag->level, diag->id, diag->text,
                  diag->hint ? diag->hint : "-", diag->more);
    buffer_printf(&user->log, " %x %u %x %x %u %u %x %x %x %llx %u %x %llx\n", place->known,
                  place->thread, place->list_address, place->record, place->tile_column,
                  place->tile_row, place->draw, place->shader, place->pc,
                  (unsigned long long)place->instruction, place->qpu, place->address,
                  (unsigned long long)place->qpus);
}

/* Gives memory to a binner that has none. */
static void give_memory(struct user *user)
{
    enum { PIECES = 16, PIECE = 0x1000 };
    if (!user->world->generous || user->given == PIECES ||
        !(tess_vc4_read(user->vc4, V3D_INTCTL) & V3D_INT_OUTOMEM))
        return;
    tess_vc4_write(user->vc4, V3D_BPOA, OVERSPILL + PIECE * user->given++);
    tess_vc4_write(user->vc4, V3D_BPOS, PIECE);
}

static void log_interrupt(void *pointer, bool level)
{
    struct user *user = pointer;
    if (!user->quiet)
        buffer_printf(&user->log, "interrupt %d %x\n", level, tess_vc4_read(user->vc4, V3D_INTCTL));
    give_memory(user);
}

/* With several threads, tiles are counted later than with one thread. */
static void log_progress(void *pointer, const struct tess_vc4_progress *progress)
{
    struct user *user = pointer;
    assert_int_equal(tess_vc4_state_size(user->vc4), 0);
    if (!user->quiet && user->world->single)
        buffer_printf(&user->log, "progress %llu %llu %llu\n", (unsigned long long)progress->tiles,
                      (unsigned long long)progress->tiles_of,
                      (unsigned long long)progress->instructions);
}

/* Traces are long, so that whole words are hashed. size is a multiple of 8. */
static uint64_t hash_words(uint64_t hash, const void *words, size_t size)
{
    const uint8_t *bytes = words;
    for (size_t i = 0; i < size; i += 8)
        hash = ((hash ^ load_le64(bytes + i)) * UINT64_C(0x100000001b3)) ^ hash >> 29;
    return hash;
}

static uint64_t hash_events(uint64_t hash, const struct tess_vc4_step *step)
{
    for (size_t i = 0; i < step->event_count; i++) {
        const struct tess_vc4_event *event = &step->events[i];
        hash = state_hash(hash, event->kind);
        hash = state_hash(hash, event->number);
        hash = state_hash(hash, event->address);
        hash = state_hash(hash, event->lanes);
        if (event->values)
            hash = hash_words(hash, event->values, 16 * sizeof *event->values);
    }
    return hash;
}

static bool log_step(void *pointer, const struct tess_vc4_step *step)
{
    struct user *user = pointer;
    if (user->quiet)
        return true;
    uint64_t hash = user->trace;
    hash = state_hash(hash, step->kind);
    hash = state_hash(hash, (uint64_t)step->qpu << 32 | step->shader);
    hash = state_hash(hash, (uint64_t)step->pc << 32 | step->next);
    hash = state_hash(hash, step->word);
    hash = state_hash(hash, step->number);
    hash = state_hash(hash, step->clock);
    hash = hash_words(hash, step->stalls, sizeof step->stalls);
    hash = state_hash(hash, step->broken | (uint64_t)step->flags_set << 1);
    for (size_t i = 0; i < step->operand_count; i++)
        hash = hash_words(hash, step->operands[i].before, 16 * sizeof *step->operands->before);
    for (size_t i = 0; i < step->result_count; i++)
        hash = hash_words(hash, step->results[i].before, 16 * sizeof *step->results->before);
    hash = state_hash(hash, (uint64_t)step->n << 32 | (uint64_t)step->z << 16 | step->c);
    hash = hash_words(hash, step->ra, 32 * sizeof *step->ra);
    hash = hash_words(hash, step->accumulator, 6 * sizeof *step->accumulator);
    user->trace = hash_events(hash, step);
    user->steps++;
    return true;
}

/* Creates a device with the world's options and memory. */
static struct user *open_user(const struct world *world, unsigned threads, bool traced)
{
    struct tess_vc4_options options = world->options;
    struct user *user = calloc(1, sizeof *user);
    assert_non_null(user);
    user->world = world;
    user->traced = traced;
    user->trace = HASH_START;
    options.machine.sink = (struct tess_sink){log_finding, user};
    options.interrupt = log_interrupt;
    options.interrupt_user = user;
    options.progress = log_progress;
    options.progress_user = user;
    options.machine.threads = threads;
    options.trace = traced ? log_step : NULL;
    options.trace_user = user;
    assert_int_equal(tess_vc4_create(&user->vc4, &options), TESS_OK);
    for (uint32_t i = 0; i < world->regions; i++) {
        const struct scene_region *region = &world->region[i];
        assert_int_equal(tess_vc4_map(user->vc4, region->base, region->size, NULL), TESS_OK);
        memcpy(tess_vc4_memory(user->vc4, region->base, region->size), world->memory[i],
               region->size);
    }
    return user;
}

static void close_user(struct user *user)
{
    tess_vc4_destroy(user->vc4);
    buffer_free(&user->log);
    free(user);
}

static void *region_of(const struct user *user, uint32_t i)
{
    const struct scene_region *region = &user->world->region[i];
    return tess_vc4_memory(user->vc4, region->base, region->size);
}

/* --- what the host sees after a run --- */

static void log_registers(struct user *user)
{
    for (uint32_t offset = 0; offset < 0x1000; offset += 4)
        if (tess_vc4_register_name(offset))
            buffer_printf(&user->log, "%x ", tess_vc4_read(user->vc4, offset));
    buffer_printf(&user->log, "%d %llu\n", tess_vc4_interrupt_level(user->vc4),
                  (unsigned long long)tess_vc4_error_count(user->vc4));
}

static void log_counts(struct user *user)
{
    struct tess_vc4_stats stats;
    struct tess_vc4_draw_stats draw;
    struct tess_vc4_shader_stats shader;
    memset(&stats, 0, sizeof stats);
    memset(&draw, 0, sizeof draw);
    memset(&shader, 0, sizeof shader);
    tess_vc4_get_stats(user->vc4, &stats);
    buffer_append(&user->log, &stats, sizeof stats);
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++)
        buffer_printf(&user->log, "%llu ", (unsigned long long)tess_vc4_counter(user->vc4, id));
    for (uint32_t i = 0; tess_vc4_get_draw_stats(user->vc4, i, &draw); i++) {
        buffer_printf(&user->log, "\ndraw %x %u %u %llu ", draw.list_address, draw.record,
                      draw.thread, (unsigned long long)draw.executed);
        buffer_append(&user->log, draw.counts, sizeof draw.counts);
    }
    for (uint32_t i = 0; tess_vc4_get_shader_stats(user->vc4, i, &shader); i++) {
        buffer_printf(&user->log, "\nshader %d %x ", shader.kind, shader.start);
        buffer_append(&user->log, &shader.code, sizeof shader - offsetof(typeof(shader), code));
    }
}

static void log_profile(struct user *user)
{
    struct tess_vc4_hot *rows;
    size_t count;
    assert_int_equal(tess_vc4_get_hot(user->vc4, &rows, &count), TESS_OK);
    for (size_t i = 0; i < count; i++) {
        buffer_printf(&user->log, "\nhot %d %x %llx %x %llx %llu ", rows[i].kind, rows[i].shader,
                      (unsigned long long)rows[i].code, rows[i].address,
                      (unsigned long long)rows[i].word, (unsigned long long)rows[i].executed);
        buffer_append(&user->log, rows[i].stalls, sizeof rows[i].stalls);
    }
    tess_free(rows);
}

static void log_results(struct user *user, enum tess_vc4_stop stop)
{
    buffer_printf(&user->log, "stop %d\n", (int)stop);
    log_registers(user);
    log_counts(user);
    log_profile(user);
    buffer_printf(&user->log, "\ntrace %llu %llx\n", (unsigned long long)user->steps,
                  (unsigned long long)user->trace);
    for (uint32_t i = 0; i < user->world->regions; i++)
        buffer_printf(&user->log, "memory %llx\n",
                      (unsigned long long)hash_bytes(HASH_START, region_of(user, i),
                                                     user->world->region[i].size));
}

/* --- moments --- */

static uint8_t *save(const struct user *user, size_t *size)
{
    *size = tess_vc4_state_size(user->vc4);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(tess_vc4_save_state(user->vc4, bytes, *size), TESS_OK);
    return bytes;
}

static void restore(struct user *user, const uint8_t *bytes, size_t size)
{
    size_t again;
    assert_int_equal(tess_vc4_restore_state(user->vc4, bytes, size), TESS_OK);
    uint8_t *same = save(user, &again);
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    free(same);
    moments++;
}

/* Gives the device another history. */
static void soil(struct user *user, struct world *world)
{
    user->quiet = true;
    for (uint32_t i = 0; i < world->operations; i++) {
        const struct operation *operation = &world->operation[i];
        if (operation->kind == WRITE && below(world, 4))
            tess_vc4_write(user->vc4, operation->offset, operation->value);
    }
    tess_vc4_set_step_limit(user->vc4, 1 + below(world, 60));
    tess_vc4_run(user->vc4);
    user->quiet = false;
}

/* Moves the state to another device, which replaces the old one. */
static struct user *move(struct user *old, struct world *world)
{
    size_t size;
    uint8_t *bytes = save(old, &size);
    struct user *user = open_user(old->world, some_threads(world), old->traced);
    if (below(world, 4) == 0)
        soil(user, world);
    restore(user, bytes, size);
    free(bytes);
    for (uint32_t i = 0; i < world->regions; i++)
        memcpy(region_of(user, i), region_of(old, i), world->region[i].size);
    struct buffer log = user->log;
    user->log = old->log;
    old->log = log;
    user->trace = old->trace;
    user->steps = old->steps;
    user->given = old->given;
    close_user(old);
    return user;
}

/* Runs on, and then goes back. */
static struct user *go_back(struct user *user, struct world *world)
{
    size_t size;
    uint32_t given = user->given;
    uint8_t *bytes = save(user, &size), *memory[REGIONS] = {NULL};
    for (uint32_t i = 0; i < world->regions; i++) {
        memory[i] = malloc(world->region[i].size);
        memcpy(memory[i], region_of(user, i), world->region[i].size);
    }
    user->quiet = true;
    tess_vc4_set_step_limit(user->vc4, 1 + below(world, 100));
    tess_vc4_run(user->vc4);
    user->quiet = false;
    restore(user, bytes, size);
    user->given = given;
    for (uint32_t i = 0; i < world->regions; i++) {
        memcpy(region_of(user, i), memory[i], world->region[i].size);
        free(memory[i]);
    }
    free(bytes);
    return user;
}

static struct user *have_moment(struct user *user, struct world *world)
{
    return below(world, 4) ? move(user, world) : go_back(user, world);
}

/* Runs the device with pauses. If steps is not 0, the run pauses for the host after these steps. */
static struct user *run_moved(struct user *user, struct world *world, uint32_t steps,
                              enum tess_vc4_stop *stop)
{
    uint32_t scale = 1u << below(world, 11), left = steps;
    for (;;) {
        uint32_t limit = 1 + below(world, scale);
        limit = steps && left < limit ? left : limit;
        tess_vc4_set_step_limit(user->vc4, limit);
        *stop = tess_vc4_run(user->vc4);
        left -= steps ? limit : 0;
        if (*stop != TESS_VC4_PAUSED || (steps && left == 0))
            return user;
        if (below(world, 3) && scale <= 100)
            continue;
        user = have_moment(user, world);
        inside++;
    }
}

/* --- scripts --- */

/* Runs the device to its end, or for a number of steps if steps is not 0. */
static struct user *run(struct user *user, struct world *world, uint32_t steps)
{
    enum tess_vc4_stop stop;
    if (world) {
        user = run_moved(user, world, steps, &stop);
    } else {
        tess_vc4_set_step_limit(user->vc4, steps);
        stop = tess_vc4_run(user->vc4);
    }
    log_results(user, stop);
    return user;
}

static struct user *play(struct user *user, const struct operation *operation, struct world *world)
{
    switch (operation->kind) {
    case WRITE: tess_vc4_write(user->vc4, operation->offset, operation->value); break;
    case READ:
        buffer_printf(&user->log, "read %x\n", tess_vc4_read(user->vc4, operation->offset));
        break;
    case RUN:
    case STEPS: return run(user, world, operation->value);
    case STOP: tess_vc4_stop_programs(user->vc4); break;
    case STUCK: tess_vc4_report_stuck(user->vc4); break;
    case CLOCKS: tess_vc4_set_clock_limit(user->vc4, operation->value); break;
    }
    return user;
}

/* Plays the script. If moved is true, with pauses and moments. */
static struct user *play_script(struct world *world, bool moved, bool traced)
{
    struct user *user = open_user(world, moved ? some_threads(world) : 1, traced);
    for (uint32_t i = 0; i < world->operations; i++) {
        user = play(user, &world->operation[i], moved ? world : NULL);
        if (moved && below(world, world->operation[i].kind == WRITE ? 60 : 6) == 0)
            user = have_moment(user, world);
    }
    return user;
}

static void show_difference(const struct user *expected, const struct user *got)
{
    size_t i = 0;
    while (i < expected->log.size && i < got->log.size && expected->log.data[i] == got->log.data[i])
        i++;
    size_t from = i > 300 ? i - 300 : 0;
    for (unsigned k = 0; k < 2; k++) {
        const struct buffer *log = k ? &got->log : &expected->log;
        print_message("%s at %zu of %zu:\n", k ? "got" : "expected", i, log->size);
        for (size_t at = from; at < log->size && at < i + 100; at++)
            print_message("%c", log->data[at] >= 32 || log->data[at] == '\n' ? log->data[at] : '.');
        print_message("\n");
    }
}

static void check_world(struct world *world, const char *name)
{
    bool traced = below(world, 5) == 0;
    struct user *expected = play_script(world, false, traced);
    struct user *got = play_script(world, true, traced);
    bool same = expected->log.size == got->log.size &&
                memcmp(expected->log.data, got->log.data, got->log.size) == 0;
    if (!same) {
        print_message("%s differs\n", name);
        show_difference(expected, got);
    }
    assert_true(same);
    for (uint32_t i = 0; i < world->regions; i++)
        assert_memory_equal(region_of(expected, i), region_of(got, i), world->region[i].size);
    close_user(expected);
    close_user(got);
    close_world(world);
}

static void check_frame(struct world *world, uint32_t seed)
{
    char name[32];
    snprintf(name, sizeof name, "frame of seed %u", seed);
    make_frame(world, seed);
    check_world(world, name);
}

TEST(random_moments)
{
    static const char *const examples[] = {
        "blend-modes",
        "compute-dot-product",
        "coordinate-shader-test",
        "cube-map",
        "first-triangle",
        "gl-triangle",
        "hdr",
        "mandelbrot",
        "mip-maps",
        "msaa-triangle",
        "nv-triangle",
        "sprites",
        "stencil-shadow",
        "textured-triangle",
        "uniform-colour",
        "vg-tiger",
        "yuv",
    };
    /* frames with many memory ranges, and with a reserved primitive mode */
    static const uint32_t once_refused[] = {7002794, 22003917};
    struct world world;
    char path[512];
    for (unsigned i = 0; i < FRAMES; i++)
        check_frame(&world, 77 * i + 1);
    for (unsigned i = 0; i < sizeof once_refused / sizeof once_refused[0]; i++)
        check_frame(&world, once_refused[i]);
    for (unsigned i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        snprintf(path, sizeof path, "%s/../examples/vc4/%s/%s.qasm", TEST_DATA, examples[i],
                 examples[i]);
        make_example(&world, path, 31 * i + 7);
        check_world(&world, examples[i]);
    }
    print_message("%u moments, %u of them inside of runs\n", moments, inside);
    assert_true(moments >= MOMENTS && inside >= INSIDE);
}

/* --- refusals --- */

/* Returns a paused device of a frame in which user programs and both lists run. */
static struct user *paused_user(struct world *world, bool sanitize)
{
    prepare_frame(world, 12345);
    world->options = (struct tess_vc4_options){
        .machine.sanitize = sanitize, .machine.max_instructions = 3000, .max_records = 300};
    add_list(world, false, BIN_LIST, end_of(world, BIN_LIST, RENDER_LIST));
    add_list(world, true, RENDER_LIST, end_of(world, RENDER_LIST, 0x2000));
    for (uint32_t i = 0; i < 3; i++)
        add_program(world, CODE, UNIFORMS + UNIFORM_BYTES * i, 0);
    struct user *user = open_user(world, 1, false);
    for (uint32_t i = 0; i < world->operations; i++)
        play(user, &world->operation[i], NULL);
    tess_vc4_set_step_limit(user->vc4, 40);
    assert_int_equal(tess_vc4_run(user->vc4), TESS_VC4_PAUSED);
    return user;
}

static enum tess_status restore_copy(struct user *user, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* a separate block shows reads past the end */
    memcpy(copy, bytes, size);
    enum tess_status status = tess_vc4_restore_state(user->vc4, copy, size);
    free(copy);
    return status;
}

TEST(refuses_damaged_states)
{
    enum { CHECKS = 60 }; /* number of places besides the header */
    struct world world;
    size_t size, again;
    struct user *user = paused_user(&world, true);
    uint8_t *bytes = save(user, &size);
    size_t far = size / CHECKS;
    for (size_t i = 0; i < size; i += i < STATE_HEADER ? 1 : far)
        assert_int_equal(restore_copy(user, bytes, i), TESS_BAD_INPUT);
    for (size_t i = 0; i < size; i += i < STATE_HEADER ? 1 : far) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        enum tess_status status = tess_vc4_restore_state(user->vc4, bytes, size);
        assert_int_equal(status, i >= 8 && i < 24 ? TESS_MISMATCH : TESS_BAD_INPUT);
        bytes[i] ^= (uint8_t)(1 << i % 8);
    }
    uint8_t *same = save(user, &again); /* the device is unchanged */
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    free(bytes);
    free(same);
    close_user(user);
    close_world(&world);
}

/* Wrong bytes with a right checksum: they are refused, or the device runs on somehow. */
TEST(survives_wrong_fields)
{
    enum { ROUNDS = 400 };
    struct world world;
    size_t size;
    struct user *user = paused_user(&world, false);
    uint8_t *bytes = save(user, &size), *damaged = malloc(size);
    unsigned restored = 0;
    user->quiet = true;
    for (unsigned i = 0; i < ROUNDS; i++) {
        memcpy(damaged, bytes, size);
        for (unsigned k = 0; k < 3; k++)
            damaged[STATE_HEADER + below(&world, (uint32_t)size - STATE_HEADER)] = (uint8_t)below(
                &world, below(&world, 2) ? 256 : 8);
        state_fix_checksum(damaged, size);
        enum tess_status status = tess_vc4_restore_state(user->vc4, damaged, size);
        assert_true(status == TESS_OK || status == TESS_BAD_INPUT);
        restored += status == TESS_OK;
        tess_vc4_set_step_limit(user->vc4, 200);
        tess_vc4_run(user->vc4);
        tess_vc4_report_stuck(user->vc4);
    }
    assert_true(restored > ROUNDS / 10);
    free(bytes);
    free(damaged);
    close_user(user);
    close_world(&world);
}

static enum tess_status restore_other(const struct tess_vc4_options *options, uint32_t base,
                                      uint32_t size, const uint8_t *bytes, size_t length)
{
    struct tess_vc4 *vc4;
    assert_int_equal(tess_vc4_create(&vc4, options), TESS_OK);
    if (size)
        assert_int_equal(tess_vc4_map(vc4, base, size, NULL), TESS_OK);
    enum tess_status status = tess_vc4_restore_state(vc4, bytes, length);
    tess_vc4_destroy(vc4);
    return status;
}

TEST(refuses_other_devices)
{
    struct world world;
    size_t size;
    struct tess_gp *gp;
    struct user *user = paused_user(&world, false);
    uint8_t *bytes = save(user, &size);
    const struct tess_vc4_options same = world.options;
    assert_int_equal(restore_other(&same, 0, FRAME_MEMORY, bytes, size), TESS_OK);
    assert_int_equal(restore_other(&same, 0, 0, bytes, size), TESS_MISMATCH);
    assert_int_equal(restore_other(&same, 0, FRAME_MEMORY / 2, bytes, size), TESS_MISMATCH);
    assert_int_equal(restore_other(&same, 0x1000, FRAME_MEMORY, bytes, size), TESS_MISMATCH);
    struct tess_vc4_options other[] = {same, same, same, same, same, same};
    other[0].qpus = 16;
    other[1].machine.sanitize = true;
    other[2].profile = true;
    other[3].machine.strict = true;
    other[4].machine.shown = 3;
    other[5].max_records = 301;
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(restore_other(&other[i], 0, FRAME_MEMORY, bytes, size), TESS_MISMATCH);
    other[0] = same;
    other[0].machine.threads = 3;
    other[0].trace = log_step;
    other[0].trace_user = user;
    assert_int_equal(restore_other(&other[0], 0, FRAME_MEMORY, bytes, size), TESS_OK);
    assert_int_equal(tess_gp_create(&gp, NULL), TESS_OK);
    assert_int_equal(tess_gp_restore_state(gp, bytes, size), TESS_MISMATCH);
    tess_gp_destroy(gp);
    free(bytes);
    close_user(user);
    close_world(&world);
}

TEST(refuses_wrong_arguments)
{
    struct world world;
    size_t size;
    struct tess_capture *capture;
    struct user *user = paused_user(&world, false);
    uint8_t *bytes = save(user, &size);
    assert_int_equal(tess_vc4_state_size(NULL), 0);
    assert_int_equal(tess_vc4_save_state(NULL, bytes, size), TESS_INVALID);
    assert_int_equal(tess_vc4_save_state(user->vc4, NULL, size), TESS_INVALID);
    assert_int_equal(tess_vc4_save_state(user->vc4, bytes, size - 1), TESS_INVALID);
    assert_int_equal(tess_vc4_restore_state(NULL, bytes, size), TESS_INVALID);
    assert_int_equal(tess_vc4_restore_state(user->vc4, NULL, size), TESS_INVALID);
    assert_int_equal(tess_capture_start(&capture, user->vc4), TESS_OK);
    assert_int_equal(tess_vc4_restore_state(user->vc4, bytes, size), TESS_INVALID);
    tess_capture_end(capture);
    assert_int_equal(tess_vc4_restore_state(user->vc4, bytes, size), TESS_OK);
    free(bytes);
    close_user(user);
    close_world(&world);
}

/* --- pauses --- */

TEST(no_step_limit_means_no_pause)
{
    struct world world;
    struct user *user = paused_user(&world, false);
    tess_vc4_set_step_limit(user->vc4, 1);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(tess_vc4_run(user->vc4), TESS_VC4_PAUSED);
    tess_vc4_set_step_limit(user->vc4, 0);
    assert_int_equal(tess_vc4_run(user->vc4), TESS_VC4_IDLE);
    assert_int_equal(tess_vc4_run(user->vc4), TESS_VC4_IDLE);
    close_user(user);
    close_world(&world);
}
