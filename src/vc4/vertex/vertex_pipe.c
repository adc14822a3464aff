/* SPDX-License-Identifier: MIT */
/* vertex_pipe.c - see vertex_pipe.h.
 *
 * In:       indices, shader records, programs; attributes from memory.
 * Out:      struct vertex, from memory (NV) or from a shader's output in the VPM (GL).
 * Source:   manual sections 7 (figures 10 and 11) and 8 (GL mode in five steps); article "Vertex
 *           and Coordinate Shaders" and asurati/x03 demo/d51.c for the shader's two windows of the
 *           VPM (input and output), whose rows are both numbered from 0.
 * Modelled: batches of up to 16 vertices, one per lane, where each lane is a column of the VPM; the
 *           vertex cache; V3D_SQRSV0 and V3D_SQRSV1. Also the silicon's requirement that a shader
 *           reads exactly its attributes and writes exactly the words of the shaded vertex.
 * Left out: shading of two batches at the same time; arbitration between binning and rendering.
 * Choices:  the size of the cache; a batch that is not full also contains vertices that are needed
 *           next. Lanes without a vertex have attributes 0. Rows that a shader does not write are
 *           0. */
#include "vc4/vertex/vertex_pipe.h"

#include <string.h>

#include "base/bits.h"
#include "vc4/fault/fault.h"
#include "vc4/qpu/program.h"

enum {
    EMPTY = -1,
    LOOK_AHEAD = 64,         /* number of following indices that are searched for more vertices of
                                the same batch */
    CLIP_WORDS = 4,          /* Xc, Yc, Zc, Wc of figure 11 */
    POSITION_WORDS = 3,      /* Xs and Ys, Zs, 1/Wc */
    INPUT_ROW = 0,           /* VPM row of the attributes */
    OUTPUT_ROW = 64,         /* VPM row of the shaded vertices */
    RESERVED_VERTEX = 4,     /* bit per QPU in V3D_SQRSVn that excludes vertex shaders */
    RESERVED_COORDINATE = 8, /* bit per QPU in V3D_SQRSVn that excludes coordinate shaders */
};
_Static_assert(OUTPUT_ROW - INPUT_ROW >= VCD_ROWS, "the input fits before the output");
_Static_assert(CLIP_WORDS + POSITION_WORDS + 1 <= VERTEX_MAX_VARYINGS + POSITION_WORDS + 1 &&
                   OUTPUT_ROW + POSITION_WORDS + 1 + VERTEX_MAX_VARYINGS <= VPM_ROWS,
               "the output fits after the input");

void vertex_pipe_connect(struct vertex_pipe_ports *ports, struct vertex_pipe *pipe)
{
    ports->tmu = (struct tmu_ports){
        .bus = ports->bus,
        .log = ports->log,
        .counts = ports->counts,
        .slices = ports->slices,
        .textures = ports->textures,
    };
    ports->vpm = (struct vpm_ports){.bus = ports->bus, .log = ports->log, .counts = ports->counts};
    ports->qpu = (struct qpu_ports){
        .bus = ports->bus,
        .log = ports->log,
        .shared = ports->shared,
        .cache = ports->instructions,
        .slices = ports->slices,
        .counts = ports->counts,
        .sanitize = ports->sanitize,
        .insn_profile = profile_hot(ports->profile),
        .trace = ports->trace,
        .tmu = &pipe->tmu,
        .tmu_ports = &ports->tmu,
        .vpm = &pipe->vpm,
        .vpm_ports = &ports->vpm,
        .vpm_port = &pipe->port,
    };
}

void vertex_pipe_init(struct vertex_pipe *pipe)
{
    pipe->executed = pipe->shader_runs = 0;
    tmu_reset(&pipe->tmu);
    vpm_reset(&pipe->vpm);
    vertex_pipe_abandon(pipe);
}

void vertex_pipe_reset(struct vertex_pipe *pipe)
{
    memset(pipe->cache.index, EMPTY, sizeof pipe->cache.index);
    memset(pipe->cache.next, 0, sizeof pipe->cache.next);
    pipe->next_qpu = 0; /* so that the choice of QPUs for a tile's shaders does not depend on
                           the previous tile */
}

void vertex_pipe_abandon(struct vertex_pipe *pipe)
{
    pipe->hung = false;
    vertex_pipe_reset(pipe);
}

/* --- the vertex cache --- */

static struct vertex *find(struct vertex_cache *cache, uint32_t index)
{
    uint32_t set = index % VERTEX_SETS;
    for (uint32_t way = 0; way < VERTEX_WAYS; way++)
        if (cache->index[set][way] == index)
            return &cache->vertex[set][way];
    return NULL;
}

static bool contains(const uint32_t list[], uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == index)
            return true;
    return false;
}

/* Returns an entry of the cache for a vertex. Does not replace the vertices in kept[]. kept[] must
 * have fewer vertices than a set of the cache has entries. */
static struct vertex *allocate(struct vertex_cache *cache, uint32_t index, const uint32_t kept[],
                               uint32_t count)
{
    uint32_t set = index % VERTEX_SETS, way = cache->next[set];
    while (contains(kept, count, cache->index[set][way]))
        way = (way + 1) % VERTEX_WAYS;
    cache->next[set] = (uint8_t)((way + 1) % VERTEX_WAYS);
    cache->index[set][way] = index;
    return &cache->vertex[set][way];
}

static void forget(struct vertex_cache *cache, uint32_t index)
{
    uint32_t set = index % VERTEX_SETS;
    for (uint32_t way = 0; way < VERTEX_WAYS; way++)
        if (cache->index[set][way] == index)
            cache->index[set][way] = (uint32_t)EMPTY;
}

/* --- batches --- */

struct batch {
    const struct cl_state *state;
    const struct shader_record *record;
    enum shader_stage stage;
    const uint32_t *asked; /* indices of the vertices that must stay in the cache */
    uint32_t asked_count;
    uint32_t index[VCD_BATCH]; /* indices of the vertices that this batch shades */
    uint32_t count;
};

static bool has_size(const struct shader_record *record)
{
    return record->flags & SHADER_POINT_SIZE;
}

/* Returns the number of words of a shaded vertex in the VPM. */
static uint32_t output_words(const struct batch *batch)
{
    uint32_t words = POSITION_WORDS + has_size(batch->record);
    return batch->stage == STAGE_COORDINATE ? words + CLIP_WORDS : words + batch->record->varyings;
}

static void add_missing(struct batch *batch, struct vertex_cache *cache, const uint32_t index[],
                        uint32_t count)
{
    for (uint32_t i = 0; i < count && batch->count < VCD_BATCH; i++)
        if (!find(cache, index[i]) && !contains(batch->index, batch->count, index[i]))
            batch->index[batch->count++] = index[i];
}

static void collect(struct batch *batch, struct vertex_cache *cache, struct vertex_source source)
{
    uint32_t ahead[LOOK_AHEAD];
    add_missing(batch, cache, batch->asked, batch->asked_count);
    if (source.look)
        add_missing(batch, cache, ahead, source.look(source.user, ahead, LOOK_AHEAD));
}

/* Returns the number of the next QPU that is not reserved against this kind of shader. Returns
 * QPU_COUNT if all QPUs are reserved. */
static uint32_t next_number(struct vertex_pipe *pipe, enum shader_stage stage)
{
    uint32_t bit = stage == STAGE_VERTEX ? RESERVED_VERTEX : RESERVED_COORDINATE;
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        uint32_t number = pipe->next_qpu;
        pipe->next_qpu = (number + 1) % QPU_COUNT;
        if (!(pipe->reserve[number / 8] >> (number % 8 * 4) & bit))
            return number;
    }
    return QPU_COUNT;
}

static const char *stage_name(enum shader_stage stage)
{
    return stage == STAGE_VERTEX ? "vertex shader" : "coordinate shader";
}

/* Reports a batch that needs more VPM rows than V3D_VPACNTL allows. The batch is shaded anyway,
 * because the silicon's behaviour is unknown. */
static void check_limit(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                        const struct batch *batch, uint32_t rows)
{
    if (!pipe->allocation_limit || rows <= pipe->allocation_limit)
        return;
    bool renders = batch->stage == STAGE_VERTEX;
    if (ports->counts)
        ports->counts->errors |= renders ? V3D_ERRSTAT_VPAERRGL : V3D_ERRSTAT_VPAEBRGL;
    fault(ports->log, FAULT_VPM_LIMIT, "vertices need %u VPM rows, but V3D_VPACNTL limits %s to %u",
          rows, renders ? "rendering" : "binning", pipe->allocation_limit);
}

/* Loads the batch's attributes, clears the output rows, and starts the shader. */
static void prepare(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                    const struct batch *batch, uint32_t number)
{
    const struct shader_program *program = &batch->record->program[batch->stage];
    uint32_t input = shader_rows(batch->record, batch->stage), output = output_words(batch);
    check_limit(pipe, ports, batch, input > output ? input : output);
    memset(pipe->vpm.word[OUTPUT_ROW], 0, output * sizeof pipe->vpm.word[0]);
    vcd_fetch(pipe->vpm.word + INPUT_ROW, batch->record, batch->stage, ports->bus, batch->index,
              batch->count);
    vpm_restart(&pipe->vpm);
    vpm_port_shader(&pipe->port, (struct vpm_window){INPUT_ROW, input},
                    (struct vpm_window){OUTPUT_ROW, output});
    tmu_reset(&pipe->tmu);
    tmu_start(&pipe->tmu, &ports->tmu, number);
    qpu_start(&pipe->qpu, batch->stage == STAGE_VERTEX ? QPU_VERTEX : QPU_COORDINATE, number,
              program->code, program->uniforms);
    qpu_time_start(&pipe->qpu, ports->slices, 0);
    pipe->qpu.shadow.uniforms = program->uniform_count;
}

/* Runs the shader to its end. */
static enum vertex_result run(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports)
{
    enum qpu_state state = qpu_run(&pipe->qpu, &ports->qpu,
                                   budget_shader_instructions(ports->budget));
    budget_spend(ports->budget, pipe->qpu.instructions);
    pipe->executed += pipe->qpu.instructions;
    pipe->shader_runs++;
    qpu_time_end(&pipe->qpu, ports->slices);
    if (ports->profile)
        profile_run(ports->profile, &pipe->qpu);
    switch (state) {
    case QPU_ENDED: return VERTEX_READY;
    case QPU_LIMIT:
        budget_end_at_program(ports->budget, ports->log, ports->bus, &pipe->qpu);
        return VERTEX_BUDGET;
    case QPU_WAITING:
        program_report_wait(ports->log, ports->bus, &pipe->qpu, ports->shared);
        return VERTEX_HUNG;
    default: return VERTEX_HUNG;
    }
}

/* --- checks of the program's accesses --- */

static unsigned array_of_row(const struct batch *batch, uint64_t rows)
{
    unsigned n = 0;
    while (n < SHADER_ATTRIBUTES &&
           !(shader_selected(batch->record, batch->stage) >> n & 1 &&
             shader_attribute_rows(&batch->record->attribute[n], batch->stage) & rows & -rows))
        n++;
    return n;
}

static void report_again(const struct vertex_pipe_ports *ports, const struct batch *batch,
                         uint64_t rows, const char *what)
{
    char text[VPM_ROWS_TEXT];
    if (rows)
        fault(ports->log, FAULT_VERTEX_AGAIN, "the %s has %s VPM %s more than once",
              stage_name(batch->stage), what, vpm_rows_text(rows, text));
}

/* Checks which rows the shader has read and written. Findings are at the program-end instruction.
 * pc is after that instruction and its two delay slots. */
static void check_rows(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                       const struct batch *batch)
{
    enum { END_BYTES = 3 * 8 };
    uint64_t reread = vpm_rows_reread(&pipe->port), rewritten = vpm_rows_rewritten(&pipe->port);
    uint64_t window = shader_first_rows(pipe->port.input.rows);
    uint64_t filled = vcd_filled(batch->record, batch->stage) & window;
    uint64_t read = vpm_rows_read(&pipe->port);
    /* If .overfilled is set, the cause has already been reported. */
    uint64_t unread = pipe->port.overfilled ? 0 : filled & ~read;
    uint64_t unfilled = read & window & ~filled;
    uint64_t missing = shader_first_rows(output_words(batch)) & ~vpm_rows_written(&pipe->port);
    if (!(unread | unfilled | missing | reread | rewritten))
        return;

    char text[VPM_ROWS_TEXT];
    pipe->qpu.pc -= END_BYTES;
    program_enter(ports->log, ports->bus, &pipe->qpu);
    if (unread)
        fault(ports->log, FAULT_VERTEX_UNREAD,
              "the %s ends without having read VPM %s (attribute array %u)",
              stage_name(batch->stage), vpm_rows_text(unread, text), array_of_row(batch, unread));
    if (unfilled)
        fault(ports->log, FAULT_VERTEX_UNFILLED,
              "the %s has read VPM %s, which no selected attribute array fills",
              stage_name(batch->stage), vpm_rows_text(unfilled, text));
    if (missing)
        fault(ports->log, FAULT_VERTEX_UNWRITTEN,
              "the %s ends without having written VPM %s of the %u rows of a shaded vertex",
              stage_name(batch->stage), vpm_rows_text(missing, text), output_words(batch));
    report_again(ports, batch, reread, "read");
    report_again(ports, batch, rewritten, "written");
    fault_leave_shader(ports->log);
}

/* --- shaded vertices --- */

/* Reads column i of the shader's output into a vertex. The output has the format of figure 10 or
 * 11. */
static void read_column(struct vertex *vertex, const uint32_t (*row)[VPM_COLUMNS], uint32_t i,
                        const struct batch *batch)
{
    bool coordinate = batch->stage == STAGE_COORDINATE;
    for (uint32_t n = 0; n < CLIP_WORDS; n++)
        vertex->clip[n] = coordinate ? bits_float(row[n][i]) : 0;
    row += coordinate ? CLIP_WORDS : 0;
    vertex->x = (int16_t)row[0][i];
    vertex->y = (int16_t)(row[0][i] >> 16);
    vertex->z = bits_float(row[1][i]);
    vertex->inv_w = bits_float(row[2][i]);
    row += POSITION_WORDS;
    if (has_size(batch->record))
        vertex->point_size = bits_float((*row++)[i]);
    if (!coordinate)
        for (uint32_t n = 0; n < batch->record->varyings; n++)
            vertex->varying[n] = bits_float(row[n][i]);
}

static void keep(struct vertex_pipe *pipe, const struct batch *batch)
{
    const uint32_t(*row)[VPM_COLUMNS] = (const uint32_t(*)[VPM_COLUMNS])pipe->vpm.word + OUTPUT_ROW;
    for (uint32_t i = 0; i < batch->count; i++)
        read_column(allocate(&pipe->cache, batch->index[i], batch->asked, batch->asked_count), row,
                    i, batch);
}

static enum vertex_result shade(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                                struct batch *batch, struct vertex_source source)
{
    uint32_t number = next_number(pipe, batch->stage);
    if (number == QPU_COUNT) {
        fault(ports->log, FAULT_QPU_STUCK,
              "V3D_SQRSV0 and V3D_SQRSV1 reserve every QPU against %ss", stage_name(batch->stage));
        return VERTEX_HUNG;
    }
    collect(batch, &pipe->cache, source);
    prepare(pipe, ports, batch, number);
    enum vertex_result result = run(pipe, ports);
    if (result != VERTEX_READY)
        return result;
    check_rows(pipe, ports, batch);
    keep(pipe, batch);
    return VERTEX_READY;
}

/* Fetches one vertex of NV mode into the cache. */
static enum vertex_result fetch(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                                const struct batch *batch, uint32_t index)
{
    struct vertex *vertex = allocate(&pipe->cache, index, batch->asked, batch->asked_count);
    if (vcm_fetch_nv(vertex, batch->record, batch->state, ports->bus, index,
                     batch->stage == STAGE_VERTEX))
        return VERTEX_READY;
    forget(&pipe->cache, index);
    return VERTEX_MISSING;
}

static bool has_too_many_varyings(const struct vertex_pipe_ports *ports,
                                  const struct shader_record *record)
{
    if (record->varyings <= VERTEX_MAX_VARYINGS)
        return false;
    fault_at(ports->log, FAULT_RECORD, record->address,
             "the shader record has %u varyings, but the hardware supports at most %u" WITH_HINT
             "set byte 3 of the record to the number of varyings, each of one word",
             record->varyings, VERTEX_MAX_VARYINGS);
    return true;
}

/* Empties the cache if the record or the stage changes, because all vertices in the cache must be
 * from one record and one shader. */
static void use_record(struct vertex_pipe *pipe, const struct batch *batch)
{
    if (pipe->record_address == batch->record->address && pipe->stage == batch->stage)
        return;
    vertex_pipe_reset(pipe);
    pipe->record_address = batch->record->address;
    pipe->stage = batch->stage;
}

/* Loads a missing vertex into the cache. In GL mode, also loads all other missing vertices of the
 * request. */
static enum vertex_result bring(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                                struct batch *batch, struct vertex_source source, uint32_t index)
{
    if (has_too_many_varyings(ports, batch->record))
        return VERTEX_MISSING;
    if (batch->record->code == CL_GL_SHADER_STATE)
        return shade(pipe, ports, batch, source);
    return fetch(pipe, ports, batch, index);
}

enum vertex_result vertex_pipe_get(struct vertex_pipe *pipe, const struct vertex_pipe_ports *ports,
                                   const struct cl_state *state, const struct shader_record *record,
                                   enum qpu_kind kind, struct vertex_source source,
                                   const uint32_t index[], uint32_t count,
                                   const struct vertex *out[3])
{
    struct batch batch;
    batch.state = state;
    batch.record = record;
    batch.stage = kind == QPU_COORDINATE ? STAGE_COORDINATE : STAGE_VERTEX;
    batch.asked = index;
    batch.asked_count = count;
    batch.count = 0;
    if (pipe->hung)
        return VERTEX_HUNG;
    use_record(pipe, &batch);
    for (uint32_t k = 0; k < count; k++) {
        struct vertex *vertex = find(&pipe->cache, index[k]);
        if (!vertex) {
            enum vertex_result result = bring(pipe, ports, &batch, source, index[k]);
            if (result != VERTEX_READY) {
                pipe->hung = result != VERTEX_MISSING;
                return result;
            }
            vertex = find(&pipe->cache, index[k]);
        }
        if (!has_size(record))
            vertex->point_size = state->point_size;
        out[k] = vertex;
    }
    return VERTEX_READY;
}
