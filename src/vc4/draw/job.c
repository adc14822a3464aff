/* SPDX-License-Identifier: MIT */
/* job.c - see job.h: fills the jobs, has host threads draw them, and commits them. */
#include "vc4/draw/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/memory/layout.h"

enum {
    JOBS_PER_THREAD = 8,    /* jobs per host thread that wait for their commit */
    WORTH_A_THREAD = 4,     /* number of jobs that are worth a wakeup even without primitives */
    DUMP_BYTES = 3 * 16384, /* upper limit of the size of a full dump: colour, Z/stencil, mask */
    WHOLE_MEMORY = 1 << 30,
};

/* Returns a job by its position in the ring, counted from an index. */
static struct job *job_at(const struct job_window *window, uint32_t index, uint32_t position)
{
    return window->slot[(index + position) % window->slots];
}

static struct job *filling(const struct job_window *window)
{
    return job_at(window, window->first, window->pending);
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
    if (!operation)
        return;
    operation->primitive = *primitive;
    filling(ports->window)->draws = true;
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

enum { FRAME_8888 = 1 };

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
    if (buffer == CL_BUFFER_NONE)
        return false;
    if (buffer == CL_BUFFER_FULL)
        set_dump(extent, address);
    else
        set_image(extent, address, CL_GET(data, STORE_TILE_BUFFER_GENERAL, FORMAT),
                  buffer == CL_BUFFER_COLOUR
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
    for (uint32_t i = 0; i < window->pending; i++) {
        const struct job *job = job_at(window, window->first, i);
        for (uint32_t k = 0; k < job->stores; k++)
            if (overlap(extent, &job->store[k]))
                return true;
    }
    return false;
}

/* --- drawing ahead --- */

/* Draws a job ahead of its turn. A pool_task, whose scratch memory is a struct qpu_cache. */
static void draw_ahead(void *user, uint32_t index, void *instructions)
{
    const struct jobs_ports *ports = user;
    struct job *job = job_at(ports->window, ports->window->begun, index);
    if (!job->begun) /* the first part of the job may have been drawn at the job's turn */
        tile_job_draw_ahead(ports, job, instructions);
    atomic_store(&job->drawn, true);
}

/* Returns true if host threads draw jobs. Drawing ahead may access memory that the job does not
 * access at its turn. A watch and an observer must not see such accesses. */
static bool has_helpers(const struct jobs_ports *ports)
{
    return ports->threads->pool && !ports->bus->watch && !ports->bus->observer;
}

/* Begins a queue whose task 0 is the job at a position of the ring. */
static void begin_queue(const struct jobs_ports *ports, uint32_t position)
{
    struct job_window *window = ports->window;
    pool_begin(ports->threads->pool, draw_ahead, (void *)ports);
    window->begun = (window->first + position) % window->slots;
    window->closed = window->queued = 0;
}

/* Lets host threads draw a complete job. A job without primitives, or one that is alone, is drawn
 * sooner than a thread wakes up. Such a job waits for a job with primitives or for several jobs. */
static void offer(const struct jobs_ports *ports, struct job *job)
{
    struct job_window *window = ports->window;
    if (!has_helpers(ports))
        return;
    if (window->pending == 1)
        begin_queue(ports, 0);
    window->closed++;
    tile_job_offer(ports, job, &window->guard);
    uint32_t waiting = window->closed - window->queued;
    if ((!job->draws || window->pending == 1) && waiting < WORTH_A_THREAD)
        return;
    pool_add(ports->threads->pool, waiting);
    window->queued = window->closed;
}

/* Stops the host threads. Complete jobs will be drawn at their turn. */
static void stop_helpers(const struct jobs_ports *ports)
{
    struct job_window *window = ports->window;
    if (!has_helpers(ports) || window->pending == 0)
        return;
    pool_stop(ports->threads->pool);
    for (uint32_t i = 0; i < window->pending; i++) {
        struct job *job = job_at(window, window->first, i);
        job->conflict |= job->ahead;
        atomic_store(&job->drawn, true);
    }
    begin_queue(ports, window->pending);
}

/* Stops the host threads before a shader writes memory at its turn, because later jobs may read
 * this memory. */
static void shader_writes(void *user)
{
    struct job_window *window = user;
    stop_helpers(window->ports);
    window->turn.ahead = false;
}

/* Waits until no thread draws the oldest complete job. Draws other jobs while waiting. */
static void await_oldest(const struct jobs_ports *ports)
{
    const struct job_window *window = ports->window;
    const struct job *job = window->slot[window->first];
    struct pool *pool = ports->threads->pool;
    if (!has_helpers(ports) || atomic_load(&job->drawn))
        return;
    uint32_t task = window->closed - window->pending;
    if (task < window->queued && !pool_take(pool, task))
        pool_until(pool, &job->drawn, ports->instructions);
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

/* True if the job's drawing ahead has the same result as drawing at its turn. */
static bool is_drawn(const struct jobs_ports *ports, const struct job *job)
{
    return job->ahead && !job->conflict &&
           job->render.work.instructions <= ports->budget->instructions_left &&
           memcmp(&job->shared, ports->shared, sizeof job->shared) == 0;
}

/* Completes a job at its turn, from its start or from the operation at which drawing ahead
 * stopped. */
static void commit(struct jobs *jobs, const struct jobs_ports *ports, struct job *job)
{
    struct job_window *window = ports->window;
    window->turn.ahead = true;
    fault_forward(ports->log, &job->list_log);
    bool left = job->begun && !job->ahead && !job->conflict && !job->render.hung;
    if (!left && !is_drawn(ports, job))
        tile_job_begin(ports, job);
    tile_job_draw(ports, job, window->pending ? &window->turn : NULL);
    count(jobs, ports, job);
    fault_forward(ports->log, &job->log);
    if (job->closed)
        job->clock = job->render.slices.end;
    if (job->render.hung)
        hang(jobs, job);
}

/* Removes all operations of a job, which then starts from the current state of the tile buffer. */
static void empty(struct jobs *jobs, struct job *job)
{
    job->operations = job->states = job->stores = job->done = 0;
    job->closed = job->draws = false;
    job->begun = job->ahead = job->conflict = false;
    atomic_store(&job->drawn, false);
    job->start = jobs->setup;
}

/* Removes the operations of a job after they have been carried out. The job is not complete: more
 * operations will be added, which continue with the contents of the job's tile buffer. */
static void go_on(struct job *job)
{
    job->operations = job->states = job->done = 0;
    job->closed = false;
    job->ahead = false;
    atomic_store(&job->drawn, false);
}

/* Directs findings of the control list executor to the job. */
static void listen(const struct jobs_ports *ports, struct job *job)
{
    ports->log->redirect = &job->list_log;
}

/* Drops the jobs after the hung job, with the control list executor's findings for them. The hung
 * job, which keeps its tile buffer, is then filled again. */
static void forget_after(const struct jobs_ports *ports, struct job *hung)
{
    struct job_window *window = ports->window;
    stop_helpers(ports);
    for (uint32_t i = 0; i < window->pending; i++)
        fault_drop(&job_at(window, window->first, i)->list_log);
    fault_drop(ports->log->redirect);
    window->first = (window->first + window->slots - 1) % window->slots;
    window->pending = 0;
    go_on(hung);
    listen(ports, hung);
}

/* Commits the oldest complete job. */
static void commit_oldest(struct jobs *jobs, const struct jobs_ports *ports)
{
    struct job_window *window = ports->window;
    struct job *job = window->slot[window->first];
    await_oldest(ports);
    window->first = (window->first + 1) % window->slots;
    if (--window->pending == 0)
        window->guard.count = 0;
    window->committing = true;
    commit(jobs, ports, job);
    window->committing = false;
    if (jobs->hung)
        forget_after(ports, job);
}

/* Commits all complete jobs, or the jobs up to one that hangs. Afterwards no thread draws. */
static void commit_all(struct jobs *jobs, const struct jobs_ports *ports)
{
    while (ports->window->pending && !jobs->hung)
        commit_oldest(jobs, ports);
}

static void remember(const struct jobs_ports *ports, struct job *job)
{
    job->after = ports->cle->thread[CLE_RENDERING];
    job->records_after = ports->cle->records;
    job->records_left_after = ports->budget->records_left;
}

void jobs_sync(struct jobs *jobs, const struct jobs_ports *ports)
{
    commit_all(jobs, ports);
    struct job *job = filling(ports->window);
    if (jobs->hung) {
        stop_helpers(ports);
        return;
    }
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
    offer(ports, job);
    empty(jobs, filling(window));
    listen(ports, filling(window));
    if (full)
        commit_all(jobs, ports);
    else if (window->pending + 1 == window->slots)
        commit_oldest(jobs, ports);
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
            commit_all(jobs, ports);
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
    commit_all(jobs, ports);
    if (jobs->hung)
        return false;
    ports->log->redirect = NULL;
    return true;
}

void jobs_still(const struct jobs_ports *ports)
{
    stop_helpers(ports);
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
    if (!window->committing)
        commit_all(window->jobs, window->ports);
}

void jobs_reset(struct jobs *jobs, const struct jobs_ports *ports)
{
    struct job_window *window = ports->window;
    window->first = window->pending = window->closed = window->queued = 0;
    window->committing = false;
    jobs->setup = (struct job_start){0};
    jobs->load_record = 0;
    window->guard = (struct bus_guard){.hit = executor_hit, .user = window};
    window->turn = (struct bus_guard){.hit = shader_writes, .user = window};
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

bool job_window_create(struct job_window *window, struct pool_threads *threads)
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
    pool_threads_wake(threads);
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
