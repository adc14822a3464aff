/* SPDX-License-Identifier: MIT */
/* job.c - see job.h.
 *
 * A job that is drawn ahead of its turn must have no visible effect until the commit. Such a job
 * reads memory, but does not write any. The job has its own copy of the semaphores and the mutex.
 * Its findings are kept. If an access could give another result at the job's turn, the job is
 * marked to be drawn again. */
#include "vc4/draw/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/state.h"
#include "vc4/memory/layout.h"

enum {
    JOBS_PER_THREAD = 8, /* jobs per host thread in one window */
    MAX_OPERATIONS = 1 << 16,
    MAX_STORES = 4,         /* stores of one job whose memory is recorded, so that loads can wait */
    DUMP_BYTES = 3 * 16384, /* upper limit of the size of a full dump: colour, Z/stencil, mask */
    WHOLE_MEMORY = 1 << 30,
};

enum operation_kind { OPERATION_RECORD, OPERATION_STATE, OPERATION_DRAW, OPERATION_STORE };

/* An operation, and the record that the operation carries out. */
struct operation {
    uint32_t record_address;
    uint8_t record, kind;
    bool has_data;
    bool writes; /* true for a store that writes to memory */
    union {
        uint8_t data[16];
        uint32_t state; /* index in job->state */
        struct render_primitive primitive;
    };
};

struct job_state {
    struct cl_state state;
    struct shader_record shader;
};

/* A range of memory that a store writes, with its tile and frame. */
struct extent {
    uint32_t base, size;
    uint32_t surface, column, row;
    bool whole_tile; /* true if the range contains the data of this tile only */
    uint8_t frame[10];
};

struct job {
    struct operation *operation;
    uint32_t operations, capacity;
    struct job_state *state;
    uint32_t states, state_capacity;
    struct extent store[MAX_STORES];
    uint32_t stores;
    bool closed; /* true if the job is complete; the last operation is then a store that clears the
                    tile buffer */
    struct job_start start;
    struct fault_log list_log; /* findings of the control list executor while the job is filled */
    struct fault_kept reported_kept;
    struct cle_thread after; /* state of the rendering thread after this job */
    uint64_t records_after, records_left_after;

    /* State of the drawing. */
    struct render render;
    struct render_scratch scratch;
    struct render_ports render_ports;
    struct bus bus;      /* for shaders and vertices; has a guard until the job's turn */
    struct bus tile_bus; /* for loads and stores of tiles */
    struct bus_guard guard;
    struct fault_log log;
    struct fault_kept kept;
    struct budget budget; /* part of the device's budget until the commit */
    struct pctr_counts counts;
    struct profile profile;
    struct draw_tally tally;
    struct qpu_shared shared; /* copy of the device's semaphores and mutex, used until the turn */
    uint32_t done;            /* number of operations carried out */
    bool begun;
    bool ahead;    /* true if the job was drawn up to its first store before its turn */
    bool conflict; /* true if a result may depend on an earlier job */
};

static struct job *filling(const struct job_window *window)
{
    return window->slot[window->pending];
}

/* --- filling a job --- */

/* Makes room for another element. Returns false if the host is out of memory. */
static bool grow(void **array, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    uint32_t more = *capacity ? 2 * *capacity : 64;
    void *bigger = realloc(*array, more * size);
    if (!bigger)
        return false;
    *array = bigger;
    *capacity = more;
    return true;
}

/* Stops all drawing after a loss of operations, because the results would be wrong. */
static void lack_memory(struct jobs *jobs, const struct jobs_ports *ports)
{
    fault(ports->log, FAULT_BUDGET, "the host is out of memory for the operations of a tile");
    jobs->hung = jobs->no_memory = true;
}

/* Appends an operation to the job being filled. Returns NULL if drawing has stopped, because a
 * shader hangs or the host is out of memory. */
static struct operation *append(struct jobs *jobs, const struct jobs_ports *ports,
                                enum operation_kind kind)
{
    if (jobs->hung)
        return NULL;
    if (filling(ports->window)->operations == MAX_OPERATIONS)
        jobs_sync(jobs, ports);
    if (jobs->hung)
        return NULL;
    struct job *job = filling(ports->window);
    if (!grow((void **)&job->operation, job->operations, &job->capacity, sizeof *job->operation)) {
        lack_memory(jobs, ports);
        return NULL;
    }
    struct operation *operation = &job->operation[job->operations++];
    const struct cle_thread *t = &ports->cle->thread[CLE_RENDERING];
    *operation = (struct operation){
        .record_address = t->record_address, .record = t->record, .kind = (uint8_t)kind};
    return operation;
}

static void copy_data(struct operation *operation, const uint8_t *data)
{
    if (!data)
        return;
    memcpy(operation->data, data, cl_packet(operation->record)->bytes - 1u);
    operation->has_data = true;
}

void jobs_state(struct jobs *jobs, const struct jobs_ports *ports, const struct cl_state *state,
                const struct shader_record *shader)
{
    struct operation *operation = append(jobs, ports, OPERATION_STATE);
    if (!operation)
        return;
    struct job *job = filling(ports->window);
    operation->state = job->states;
    if (!grow((void **)&job->state, job->states, &job->state_capacity, sizeof *job->state)) {
        job->operations--;
        lack_memory(jobs, ports);
        return;
    }
    job->state[job->states++] = (struct job_state){*state, *shader};
}

void jobs_draw(struct jobs *jobs, const struct jobs_ports *ports,
               const struct render_primitive *primitive)
{
    struct operation *operation = append(jobs, ports, OPERATION_DRAW);
    if (operation)
        operation->primitive = *primitive;
}

/* --- memory of loads and stores --- */

static uint32_t image_bytes(uint32_t width, uint32_t height, uint32_t layout, uint32_t bits)
{
    struct image_layout image;
    if (layout > LAYOUT_LT || (uint64_t)width * height > 1 << 26)
        return WHOLE_MEMORY;
    layout_init(&image, (enum layout)layout, width, height, bits);
    return image.size_bytes;
}

static void set_image(struct extent *extent, uint32_t address, uint32_t layout, uint32_t bits)
{
    const uint8_t *frame = extent->frame;
    extent->base = extent->surface = address & BUS_ADDRESS_MASK & ~15u;
    extent->size = image_bytes(CL_GET(frame, TILE_RENDERING_MODE, WIDTH),
                               CL_GET(frame, TILE_RENDERING_MODE, HEIGHT), layout, bits);
}

static void set_dump(struct extent *extent, uint32_t address)
{
    extent->base = extent->surface = address & BUS_ADDRESS_MASK & ~15u;
    extent->size = DUMP_BYTES;
    extent->whole_tile = true;
}

enum { FRAME_8888 = 1, BUFFER_NONE = 0, BUFFER_COLOUR = 1, BUFFER_FULL_DUMP = 5 };

/* Returns the bits per pixel in memory: 64 if the frame has 64-bit colour, otherwise 32 or 16. */
static uint32_t colour_bits(const uint8_t *frame, bool is_8888)
{
    if (CL_GET(frame, TILE_RENDERING_MODE, COLOR_64BIT))
        return 64;
    return is_8888 ? 32 : 16;
}

/* Sets the extent of record 28 or 29. The fields that this function reads are the same in both
 * records. Data narrower than 32 bits, except colour, counts as 32 bits. Returns false if no buffer
 * is selected. */
static bool set_general(struct extent *extent, const uint8_t *data)
{
    uint32_t buffer = CL_GET(data, STORE_TILE_BUFFER_GENERAL, BUFFER);
    uint32_t address = CL_GET_ADDRESS(data, STORE_TILE_BUFFER_GENERAL, ADDRESS);
    if (buffer == BUFFER_NONE)
        return false;
    if (buffer == BUFFER_FULL_DUMP)
        set_dump(extent, address);
    else
        set_image(extent, address, CL_GET(data, STORE_TILE_BUFFER_GENERAL, FORMAT),
                  buffer == BUFFER_COLOUR
                      ? colour_bits(extent->frame,
                                    CL_GET(data, STORE_TILE_BUFFER_GENERAL, PIXEL_FORMAT) == 0)
                      : 32);
    return true;
}

/* Sets *extent to the memory that a load or store of the current tile accesses. Returns false if
 * the record accesses no memory. */
static bool find_extent(const struct jobs *jobs, const struct jobs_ports *ports, uint8_t record,
                        const uint8_t *data, struct extent *extent)
{
    const struct job_start *setup = &jobs->setup;
    const struct cle_thread *t = &ports->cle->thread[CLE_RENDERING];
    *extent = (struct extent){.column = t->tile_column, .row = t->tile_row};
    memcpy(extent->frame, setup->frame, sizeof extent->frame);
    switch ((enum cl_code)record) {
    case CL_STORE_FULL_RES_TILE_BUFFER:
    case CL_LOAD_FULL_RES_TILE_BUFFER:
        set_dump(extent, CL_GET_ADDRESS(data, STORE_FULL_RES_TILE_BUFFER, ADDRESS));
        return true;
    case CL_STORE_TILE_BUFFER_GENERAL:
    case CL_LOAD_TILE_BUFFER_GENERAL: return set_general(extent, data);
    default:
        set_image(extent, CL_GET_ADDRESS(setup->frame, TILE_RENDERING_MODE, ADDRESS),
                  CL_GET(setup->frame, TILE_RENDERING_MODE, MEMORY_FORMAT),
                  colour_bits(setup->frame, CL_GET(setup->frame, TILE_RENDERING_MODE,
                                                   COLOR_FORMAT) == FRAME_8888));
        return true;
    }
}

/* Returns true if two ranges overlap. Ranges of different tiles of the same surface do not
 * overlap. */
static bool overlap(const struct extent *a, const struct extent *b)
{
    bool apart = a->base - b->base >= b->size && b->base - a->base >= a->size;
    bool neighbours = !a->whole_tile && !b->whole_tile && a->surface == b->surface &&
                      (a->column != b->column || a->row != b->row) &&
                      memcmp(a->frame, b->frame, sizeof a->frame) == 0;
    return !apart && !neighbours;
}

static bool waits_for_store(const struct job_window *window, const struct extent *extent)
{
    for (uint32_t i = 0; i < window->pending; i++)
        for (uint32_t k = 0; k < window->slot[i]->stores; k++)
            if (overlap(extent, &window->slot[i]->store[k]))
                return true;
    return false;
}

/* --- drawing --- */

static void hit_guard(void *user)
{
    struct job *job = user;
    job->conflict = true;
}

/* Restores the contents that the tile buffer has at the start of the job. Findings are dropped,
 * because they were reported when the records were first executed. */
static void restore_tile_buffer(struct job *job)
{
    struct fault_log dropped = {.sink = {0}};
    struct tlb_ports quiet = job->render_ports.tlb;
    struct tlb *tlb = &job->render.tlb;
    quiet.log = &dropped;
    if (job->start.frame_known)
        tlb_configure(tlb, &quiet, job->start.frame);
    if (job->start.clear_known)
        tlb_clear_colours(tlb, job->start.clear);
    if (job->start.cleared == TLB_ALL_HALVES)
        tlb_clear(tlb, &quiet, job->start.half);
}

static vertex_look_ahead look_ahead;

/* Fills the ports of the job's context. The semaphores and the mutex are the job's copy before the
 * job's turn, and those of the device at its turn. */
static void connect(const struct jobs_ports *ports, struct job *job, struct qpu_shared *shared,
                    struct qpu_cache *instructions)
{
    job->render_ports = (struct render_ports){
        .bus = &job->bus,
        .tile_bus = &job->tile_bus,
        .log = &job->log,
        .counts = &job->counts,
        .budget = &job->budget,
        .shared = shared,
        .profile = &job->profile,
        .tally = &job->tally,
        .trace = ports->trace,
        .instructions = instructions,
        .list_memory = ports->list_memory,
        .upcoming = {look_ahead, job},
        .qpus = ports->qpus,
        .sanitize = ports->sanitize,
    };
    render_connect(&job->render_ports, &job->render, &job->scratch);
}

/* Prepares to draw a job from its start. ahead is true if it is drawn before its turn. */
static void begin(const struct jobs_ports *ports, struct job *job, bool ahead,
                  struct qpu_cache *instructions)
{
    struct render *render = &job->render;
    fault_drop(&job->log);
    job->log.kept = &job->kept;
    job->log.strict = ports->log->strict;
    job->log.most = ports->log->most;
    job->counts = (struct pctr_counts){0};
    job->tally.count = 0;
    profile_clear(&job->profile);
    job->profile.by_instruction = ports->profile->by_instruction;
    job->shared = *ports->shared;
    job->guard = ports->window->guard;
    job->guard.hit = hit_guard;
    job->guard.user = job;
    job->guard.writes = true;
    job->conflict = false;
    job->done = 0;
    job->begun = true;
    bus_view(&job->bus, ports->bus, &job->log, ahead ? &job->guard : NULL);
    bus_view(&job->tile_bus, ports->bus, &job->log, NULL);
    connect(ports, job, ahead ? &job->shared : ports->shared, instructions);
    render->slices.l2_disabled = ports->slices->l2_disabled;
    render_reset(render, job->start.cleared == TLB_ALL_HALVES);
    tmu_forget_textures(&render->tmu);
    restore_tile_buffer(job);
    v3d_reservations(ports->v3d, ports->qpus, render->reserve);
    render->vertices.allocation_limit = v3d_vpm_limit(ports->v3d, CLE_RENDERING);
}

static void set_place(struct job *job, const struct operation *operation)
{
    const struct tlb *tlb = &job->render.tlb;
    job->log.place = (struct tess_place){
        .known = TESS_PLACE_LIST | (tlb->in_tile ? TESS_PLACE_TILE : 0u),
        .thread = CLE_RENDERING,
        .list_address = operation->record_address,
        .record = operation->record,
        .tile_column = tlb->column,
        .tile_row = tlb->row,
    };
}

static void carry_out(struct job *job, const struct operation *operation)
{
    struct render *render = &job->render;
    const uint8_t *data = operation->has_data ? operation->data : NULL;
    set_place(job, operation);
    switch ((enum operation_kind)operation->kind) {
    case OPERATION_RECORD:
        render_tile_record(render, &job->render_ports, operation->record, data);
        break;
    case OPERATION_STATE:
        render_set_state(render, &job->render_ports, &job->state[operation->state].state,
                         &job->state[operation->state].shader);
        break;
    case OPERATION_DRAW: render_draw(render, &job->render_ports, &operation->primitive); break;
    case OPERATION_STORE:
        render->tlb.last_store = job->closed && job->done + 1 == job->operations;
        render_store(render, &job->render_ports, operation->record, data);
        break;
    }
}

/* Writes the vertex indices of the primitives after the current primitive to index[]. Returns the
 * number of indices. This is a vertex_look_ahead function. */
static uint32_t look_ahead(void *user, uint32_t index[], uint32_t max)
{
    const struct job *job = user;
    uint32_t count = 0;
    for (uint32_t i = job->done + 1; i < job->operations && count + 3 <= max; i++) {
        const struct operation *operation = &job->operation[i];
        if (operation->kind == OPERATION_STATE &&
            memcmp(&job->state[operation->state].shader, &job->render.shader,
                   sizeof job->render.shader) == 0)
            continue;
        if (operation->kind != OPERATION_DRAW)
            break;
        for (unsigned k = 0; k < operation->primitive.vertices; k++)
            index[count++] = operation->primitive.index[k];
    }
    return count;
}

/* Carries out operations to the end of the job. If ahead is true, stops before the first operation
 * that writes memory. */
static void draw(const struct jobs_ports *ports, struct job *job, bool ahead)
{
    struct render *render = &job->render;
    budget_part(&job->budget, ports->budget, render->work.instructions);
    for (; job->done < job->operations && !render->hung && !job->conflict; job->done++) {
        const struct operation *operation = &job->operation[job->done];
        if (ahead && operation->writes)
            break;
        carry_out(job, operation);
        if (render->hung)
            break;
    }
}

/* Draws a job ahead of its turn. A job_pool_task. */
static void draw_ahead(void *user, uint32_t index, struct qpu_cache *instructions)
{
    const struct jobs_ports *ports = user;
    struct job *job = ports->window->slot[index];
    if (job->begun)
        return; /* the first part of the job was already drawn at the job's turn */
    begin(ports, job, true, instructions);
    draw(ports, job, true);
    if (!job->render.hung && !job->conflict)
        render_flush(&job->render, &job->render_ports);
    job->conflict |= memcmp(&job->shared, ports->shared, sizeof job->shared) != 0;
    job->ahead = !job->render.hung && !job->conflict;
}

/* --- committing --- */

static void count_work(struct render_work *sum, const struct render_work *part)
{
    sum->instructions += part->instructions;
    sum->shader_runs += part->shader_runs;
    sum->primitives += part->primitives;
    sum->tiles += part->tiles;
    sum->quads += part->quads;
    sum->texture_lookups += part->texture_lookups;
}

/* Adds the job's counts since the last call to the device's counts. */
static void count(struct jobs *jobs, const struct jobs_ports *ports, struct job *job)
{
    struct render *render = &job->render;
    render->work.quads = render->fep.quads;
    render->work.texture_lookups = render->tmu.lookups + render->vertices.tmu.lookups;
    count_work(&jobs->work, &render->work);
    budget_join(ports->budget, &job->budget, render->work.instructions, render->hung);
    render->work = (struct render_work){0};
    render->fep.quads = render->tmu.lookups = render->vertices.tmu.lookups = 0;
    pctr_merge(ports->counts, &job->counts);
    job->counts = (struct pctr_counts){0};
    draws_take(ports->draws, &job->tally);
    profile_merge(ports->profile, &job->profile);
    profile_clear(&job->profile);
}

/* Records that a shader hangs, and the state to which the rendering thread will be set back: its
 * state before the record that runs the shader. */
static void hang(struct jobs *jobs, const struct job *job)
{
    jobs->hung = jobs->rewind = true;
    jobs->hung_at = job->after;
    jobs->hung_at.running = true;
    jobs->hung_at.state_sent = false;
    jobs->hung_at.ca = jobs->hung_at.record_address = job->operation[job->done].record_address;
    jobs->hung_at.record = job->operation[job->done].record;
    jobs->hung_records = job->records_after;
    jobs->hung_records_left = job->records_left_after;
}

/* Updates the job's view of memory. The job may have begun before the host mapped or unmapped
 * memory. */
static void see_memory(const struct jobs_ports *ports, struct job *job)
{
    bus_view_again(&job->bus, ports->bus);
    bus_view_again(&job->tile_bus, ports->bus);
}

/* Completes a job at its turn, from its start or from the operation at which drawing ahead
 * stopped. */
static void commit(struct jobs *jobs, const struct jobs_ports *ports, struct job *job)
{
    fault_forward(ports->log, &job->list_log);
    bool ahead = job->ahead && job->render.work.instructions <= ports->budget->instructions_left;
    if (!job->begun || (job->ahead && !ahead) || job->conflict || job->render.hung)
        begin(ports, job, false, ports->instructions);
    see_memory(ports, job);
    connect(ports, job, ports->shared, ports->instructions);
    job->bus.guard = NULL;
    draw(ports, job, false);
    count(jobs, ports, job);
    fault_forward(ports->log, &job->log);
    if (job->render.hung)
        hang(jobs, job);
}

/* Removes all operations of a job, which then starts from the current state of the tile buffer. */
static void empty(struct jobs *jobs, struct job *job)
{
    job->operations = job->states = job->stores = job->done = 0;
    job->closed = false;
    job->begun = job->ahead = job->conflict = false;
    job->start = jobs->setup;
}

/* Removes the operations of a job after they have been carried out. The job is not complete: more
 * operations will be added, which continue with the contents of the job's tile buffer. */
static void go_on(struct job *job)
{
    job->operations = job->states = job->done = 0;
    job->closed = false;
    job->ahead = false;
}

static void swap(struct job **a, struct job **b)
{
    struct job *other = *a;
    *a = *b;
    *b = other;
}

/* Directs findings of the control list executor to the job. */
static void listen(const struct jobs_ports *ports, struct job *job)
{
    ports->log->redirect = &job->list_log;
}

/* Drops the control list executor's findings for jobs after the hung job. last is the index of the
 * hung job. */
static void forget_after(const struct jobs_ports *ports, uint32_t last, uint32_t pending)
{
    struct job_window *window = ports->window;
    for (uint32_t i = last + 1; i < pending; i++)
        fault_drop(&window->slot[i]->list_log);
    fault_drop(ports->log->redirect);
    go_on(window->slot[last]);
    listen(ports, window->slot[last]);
}

/* Draws and commits all complete jobs. Afterwards slot 0 contains the job to continue with: the
 * hung job, which keeps its tile buffer, or the job being filled if no job hangs. */
static void run_window(struct jobs *jobs, const struct jobs_ports *ports)
{
    struct job_window *window = ports->window;
    uint32_t pending = window->pending;
    if (pending == 0)
        return;
    window->pending = 0;
    /* Drawing ahead may access memory that the job does not access at its turn. A watch must not
     * see such accesses. */
    if (ports->threads->pool && pending > 1 && !ports->bus->watch)
        job_pool_run(ports->threads->pool, draw_ahead, (void *)ports, pending, false);
    window->guard.count = 0;
    uint32_t last = pending; /* index of the job that moves to slot 0 */
    for (uint32_t i = 0; i < pending && !jobs->hung; i++) {
        commit(jobs, ports, window->slot[i]);
        if (jobs->hung)
            last = i;
    }
    if (last < pending)
        forget_after(ports, last, pending);
    swap(&window->slot[0], &window->slot[last]);
}

static void remember(const struct jobs_ports *ports, struct job *job)
{
    job->after = ports->cle->thread[CLE_RENDERING];
    job->records_after = ports->cle->records;
    job->records_left_after = ports->budget->records_left;
}

void jobs_sync(struct jobs *jobs, const struct jobs_ports *ports)
{
    run_window(jobs, ports);
    struct job *job = filling(ports->window);
    if (jobs->hung)
        return;
    remember(ports, job);
    commit(jobs, ports, job);
    go_on(job);
}

/* Adds the memory of the job's stores to the guard of the jobs. Returns false if the guard has no
 * room for more ranges. */
static bool guard_stores(struct job_window *window, const struct job *job)
{
    struct bus_guard *guard = &window->guard;
    for (uint32_t i = 0; i < job->stores; i++) {
        const struct extent *store = &job->store[i];
        uint32_t k = 0;
        while (k < guard->count &&
               (guard->range[k].base != store->base || guard->range[k].size != store->size))
            k++;
        if (k == BUS_GUARDED)
            return false;
        guard->range[k].base = store->base;
        guard->range[k].size = store->size;
        guard->count += k == guard->count;
    }
    return true;
}

/* Completes the job being filled and begins the next one. */
static void close_job(struct jobs *jobs, const struct jobs_ports *ports)
{
    struct job_window *window = ports->window;
    struct job *job = filling(window);
    remember(ports, job);
    ports->cle->thread[CLE_RENDERING].state_sent = false;
    job->closed = true;
    bool full = !guard_stores(window, job) || job->stores == MAX_STORES;
    window->pending++;
    empty(jobs, filling(window));
    listen(ports, filling(window));
    if (full || window->pending + 1 == window->slots)
        run_window(jobs, ports);
}

/* --- contents of the tile buffer --- */

/* Returns the set of the tile buffer's halves that the current tile uses. */
static uint32_t tile_halves(const struct job_start *setup)
{
    struct tlb_geometry tile = tlb_frame_geometry(setup->frame);
    return tlb_halves(&tile, setup->half);
}

/* Keeps the data of record 113 or 114. If the data changes, neither half of the tile buffer counts
 * as cleared any longer, because both contain the old clear values. */
static void keep_setup(struct job_start *setup, bool *known, uint8_t *kept, const uint8_t *data,
                       size_t bytes)
{
    if (!*known || memcmp(kept, data, bytes) != 0)
        setup->cleared = 0;
    *known = true;
    memcpy(kept, data, bytes);
}

/* Returns true if a store clears the whole tile in the tile buffer. */
static bool clears_all(uint8_t record, const uint8_t *data)
{
    if (record == CL_STORE_FULL_RES_TILE_BUFFER)
        return !CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_CLEAR);
    if (record == CL_STORE_TILE_BUFFER_GENERAL)
        return !CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_COLOR_CLEAR) &&
               !CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_ZS_CLEAR) &&
               !CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_MASK_CLEAR);
    return true;
}

/* After a store of the current tile, updates the set of cleared halves, and the half of the tile
 * buffer that the next tile uses. */
static void follow_store(struct job_start *setup, uint8_t record, const uint8_t *data)
{
    if (clears_all(record, data))
        setup->cleared |= tile_halves(setup);
    if (tlb_frame_geometry(setup->frame).halves == TLB_HALVES && tlb_swaps(record, data))
        setup->half ^= 1;
}

void jobs_store(struct jobs *jobs, const struct jobs_ports *ports, uint8_t record,
                const uint8_t *data)
{
    struct operation *operation = append(jobs, ports, OPERATION_STORE);
    if (!operation)
        return;
    struct job *job = filling(ports->window);
    bool in_tile = ports->cle->thread[CLE_RENDERING].in_tile;
    copy_data(operation, data);
    struct extent extent;
    operation->writes = in_tile && find_extent(jobs, ports, record, data, &extent);
    if (operation->writes && job->stores < MAX_STORES)
        job->store[job->stores++] = extent;
    if (!in_tile)
        return;
    follow_store(&jobs->setup, record, data);
    if (jobs->setup.cleared == TLB_ALL_HALVES)
        close_job(jobs, ports);
}

void jobs_tile_record(struct jobs *jobs, const struct jobs_ports *ports, uint8_t record,
                      const uint8_t *data)
{
    struct extent extent;
    switch ((enum cl_code)record) {
    case CL_TILE_RENDERING_MODE:
        keep_setup(&jobs->setup, &jobs->setup.frame_known, jobs->setup.frame, data,
                   sizeof jobs->setup.frame);
        break;
    case CL_CLEAR_COLORS:
        keep_setup(&jobs->setup, &jobs->setup.clear_known, jobs->setup.clear, data,
                   sizeof jobs->setup.clear);
        break;
    case CL_TILE_COORDINATES:
        jobs->setup.cleared &= ~tile_halves(&jobs->setup);
        if (jobs->load_record &&
            find_extent(jobs, ports, jobs->load_record, jobs->load_data, &extent) &&
            waits_for_store(ports->window, &extent))
            run_window(jobs, ports);
        jobs->load_record = 0;
        break;
    default:
        jobs->load_record = record;
        memcpy(jobs->load_data, data, cl_packet(record)->bytes - 1u);
        break;
    }
    struct operation *operation = append(jobs, ports, OPERATION_RECORD);
    if (operation)
        copy_data(operation, data);
}

/* --- around the rendering thread --- */

void jobs_enter(const struct jobs_ports *ports)
{
    listen(ports, filling(ports->window));
}

void jobs_leave(struct jobs *jobs, const struct jobs_ports *ports)
{
    jobs_sync(jobs, ports);
    fault_forward(ports->log, ports->log->redirect);
    ports->log->redirect = NULL;
}

bool jobs_pause(struct jobs *jobs, const struct jobs_ports *ports)
{
    run_window(jobs, ports);
    if (jobs->hung)
        return false;
    ports->log->redirect = NULL;
    return true;
}

bool jobs_settle(struct jobs *jobs, const struct jobs_ports *ports)
{
    if (jobs->rewind) {
        ports->cle->thread[CLE_RENDERING] = jobs->hung_at;
        ports->cle->records = jobs->hung_records;
        ports->budget->records_left = jobs->hung_records_left;
        jobs->rewind = false;
    }
    return jobs->hung;
}

void jobs_abandon(struct jobs *jobs, const struct jobs_ports *ports)
{
    struct job *job = filling(ports->window);
    jobs->hung = jobs->rewind = false;
    if (job->begun)
        render_abandon(&job->render);
}

/* Commits the complete jobs before the control list executor reads memory that their stores
 * write. */
static void executor_hit(void *user)
{
    const struct job_window *window = user;
    run_window(window->jobs, window->ports);
}

void jobs_reset(struct jobs *jobs, const struct jobs_ports *ports)
{
    struct job_window *window = ports->window;
    window->pending = 0;
    jobs->setup = (struct job_start){0};
    jobs->load_record = 0;
    window->guard = (struct bus_guard){.hit = executor_hit, .user = window};
    window->jobs = jobs;
    window->ports = ports;
    jobs->hung = jobs->rewind = false;
    jobs->work = (struct render_work){0};
    ports->bus->guard = &window->guard;
    for (uint32_t i = 0; i < window->slots; i++) {
        struct job *job = window->slot[i];
        job->list_log = (struct fault_log){
            .kept = &job->reported_kept, .strict = ports->log->strict, .most = ports->log->most};
        empty(jobs, job);
    }
}

static struct job *new_job(void)
{
    /* The lanes need more alignment than calloc() guarantees. */
    struct job *job = aligned_alloc(64, (sizeof *job + 63) / 64 * 64);
    if (job)
        memset(job, 0, sizeof *job);
    return job;
}

bool job_window_create(struct job_window *window, struct job_threads *threads)
{
    uint32_t slots = threads->count > 1 ? threads->count * JOBS_PER_THREAD + 1 : 2;
    window->slot = calloc(slots, sizeof *window->slot);
    if (!window->slot)
        return false;
    for (; window->slots < slots; window->slots++) {
        window->slot[window->slots] = new_job();
        if (!window->slot[window->slots])
            return false;
    }
    job_threads_wake(threads);
    return threads->count <= 1 || threads->pool;
}

static void free_job(struct job *job)
{
    free(job->operation);
    free(job->state);
    fault_kept_free(&job->reported_kept);
    fault_kept_free(&job->kept);
    profile_free(&job->profile);
    draw_tally_free(&job->tally);
    free(job);
}

void job_window_free(struct job_window *window)
{
    for (uint32_t i = 0; i < window->slots; i++)
        free_job(window->slot[i]);
    free(window->slot);
}

/* --- saved states --- */

enum {
    LEAST_OPERATION = 7, /* least number of bytes of an operation in a state */
    LEAST_STATE = 80,    /* least number of bytes of a state of primitives */
    LEAST_SLOTS = 2,     /* least number of jobs of a window */
};

void job_window_swap(struct job_window *one, struct job_window *other)
{
    for (unsigned i = 0; i < LEAST_SLOTS; i++)
        swap(&one->slot[i], &other->slot[i]);
}

static void start_fields(struct state_stream *stream, struct job_start *start)
{
    state_in(stream, &start->cleared, 0, TLB_ALL_HALVES);
    state_below(stream, &start->half, TLB_HALVES);
    state_bool(stream, &start->frame_known);
    state_bool(stream, &start->clear_known);
    state_bytes(stream, start->frame, sizeof start->frame);
    state_bytes(stream, start->clear, sizeof start->clear);
}

/* True if a record can be the record of an operation of a kind. */
static bool fits_kind(uint8_t record, uint8_t kind)
{
    switch ((enum cl_code)record) {
    case CL_TILE_RENDERING_MODE:
    case CL_CLEAR_COLORS:
    case CL_TILE_COORDINATES:
    case CL_LOAD_FULL_RES_TILE_BUFFER:
    case CL_LOAD_TILE_BUFFER_GENERAL: return kind == OPERATION_RECORD;
    case CL_STORE_MS_TILE_BUFFER:
    case CL_STORE_MS_TILE_BUFFER_AND_EOF:
    case CL_STORE_FULL_RES_TILE_BUFFER:
    case CL_STORE_TILE_BUFFER_GENERAL: return kind == OPERATION_STORE;
    default: return (kind == OPERATION_STATE || kind == OPERATION_DRAW) && cl_packet(record);
    }
}

static void primitive_fields(struct state_stream *stream, struct render_primitive *primitive)
{
    state_in(stream, &primitive->type, PRIMITIVE_POINT, PRIMITIVE_RHT);
    state_in(stream, &primitive->vertices, 0, 3);
    state_below(stream, &primitive->clipped_flags, 8);
    state_bool(stream, &primitive->coordinates);
    state_u32(stream, &primitive->draw);
    state_bool(stream, &primitive->counted);
    state_u32s(stream, primitive->index, 3);
    state_u32(stream, &primitive->clipped_address);
}

/* True if a primitive has the vertices of its type. */
static bool is_whole(const struct render_primitive *primitive)
{
    static const uint8_t vertices[] = {1, 2, 3, 2};
    return primitive->coordinates ? primitive->type >= PRIMITIVE_TRIANGLE
                                  : primitive->vertices == vertices[primitive->type];
}

static void data_fields(struct state_stream *stream, struct operation *operation)
{
    const struct cl_packet *packet = cl_packet(operation->record);
    size_t bytes = packet ? packet->bytes - 1u : 0;
    state_bool(stream, &operation->has_data);
    state_bool(stream, &operation->writes);
    state_require(stream, operation->has_data == (bytes > 0));
    if (operation->has_data && bytes <= sizeof operation->data)
        state_bytes(stream, operation->data, bytes);
}

static void operation_fields(struct state_stream *stream, struct operation *operation,
                             uint32_t states)
{
    state_u32(stream, &operation->record_address);
    state_u8(stream, &operation->record);
    state_u8(stream, &operation->kind);
    if (!state_require(stream, fits_kind(operation->record, operation->kind)))
        return;
    if (operation->kind == OPERATION_STATE) {
        state_u32(stream, &operation->state);
        state_require(stream, operation->state < states);
    } else if (operation->kind == OPERATION_DRAW) {
        primitive_fields(stream, &operation->primitive);
        state_require(stream, is_whole(&operation->primitive));
    } else {
        data_fields(stream, operation);
    }
}

static void extent_fields(struct state_stream *stream, struct extent *extent)
{
    state_u32(stream, &extent->base);
    state_u32(stream, &extent->size);
    state_u32(stream, &extent->surface);
    state_u32(stream, &extent->column);
    state_u32(stream, &extent->row);
    state_bool(stream, &extent->whole_tile);
    state_bytes(stream, extent->frame, sizeof extent->frame);
}

static void operations_fields(struct state_stream *stream, struct job *job)
{
    uint32_t states = state_count(stream, job->states, MAX_OPERATIONS, LEAST_STATE);
    uint32_t count = state_count(stream, job->operations, MAX_OPERATIONS, LEAST_OPERATION);
    if (state_is_reading(stream) && !stream->bad) {
        free(job->state);
        free(job->operation);
        job->state = NULL;
        job->operation = NULL;
    }
    if (!state_allocate(stream, &job->state, states, sizeof *job->state) ||
        !state_allocate(stream, &job->operation, count, sizeof *job->operation))
        return;
    if (state_is_reading(stream)) {
        job->states = job->state_capacity = states;
        job->operations = job->capacity = count;
    }
    for (uint32_t i = 0; i < states; i++) {
        cl_state_fields(stream, &job->state[i].state);
        shader_record_fields(stream, &job->state[i].shader);
    }
    for (uint32_t i = 0; i < count; i++)
        operation_fields(stream, &job->operation[i], states);
}

/* Lists the job being filled. Its drawing context has state if some of its operations have been
 * carried out. */
static void job_fields(struct state_stream *stream, struct job *job, const struct jobs_ports *ports)
{
    operations_fields(stream, job);
    state_in(stream, &job->stores, 0, MAX_STORES);
    for (uint32_t i = 0; i < job->stores; i++)
        extent_fields(stream, &job->store[i]);
    start_fields(stream, &job->start);
    fault_log_fields(stream, &job->list_log, &job->reported_kept);
    state_require(stream, job->list_log.kept && !job->list_log.holds);
    bool begun = job->begun;
    state_bool(stream, &begun);
    if (!begun || stream->bad)
        return;
    if (state_is_reading(stream))
        begin(ports, job, false, ports->instructions);
    render_fields(stream, &job->render);
}

/* Lists the time at which the next tile that uses the job's context begins. Traces show this time.
 * Traced devices have one thread and the least number of jobs. */
static void clock_fields(struct state_stream *stream, struct job *job)
{
    state_u64(stream, &job->render.slices.end);
}

static void work_fields(struct state_stream *stream, struct render_work *work)
{
    state_u64(stream, &work->instructions);
    state_u64(stream, &work->shader_runs);
    state_u64(stream, &work->primitives);
    state_u64(stream, &work->tiles);
    state_u64(stream, &work->quads);
    state_u64(stream, &work->texture_lookups);
}

void jobs_fields(struct state_stream *stream, struct jobs *jobs, const struct jobs_ports *ports)
{
    struct state_section section = state_open(stream, STATE_TAG('J', 'O', 'B', 'S'));
    start_fields(stream, &jobs->setup);
    state_u8(stream, &jobs->load_record);
    state_require(stream, !jobs->load_record || jobs->load_record == CL_LOAD_FULL_RES_TILE_BUFFER ||
                              jobs->load_record == CL_LOAD_TILE_BUFFER_GENERAL);
    state_bytes(stream, jobs->load_data, sizeof jobs->load_data);
    state_bool(stream, &jobs->no_memory);
    state_bool(stream, &jobs->hung);
    work_fields(stream, &jobs->work);
    for (unsigned i = 0; i < LEAST_SLOTS; i++)
        clock_fields(stream, ports->window->slot[i]);
    job_fields(stream, filling(ports->window), ports);
    state_close(stream, &section);
}
