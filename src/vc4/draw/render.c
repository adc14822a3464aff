/* SPDX-License-Identifier: MIT */
/* render.c - see render.h: passes the primitives of a tile's lists through the PSE, the FEP and a
 * QPU to the TLB.
 *
 * Source:   manual sections 2, 5, 6 and 8.
 * Modelled: clipped vertices (record 49); early Z; batches of four quads, run to their end one
 *           after the other. shared_units.h counts time as if batches ran in parallel.
 * Choices:  QPUs are used in turn; the manual does not specify the order. */
#include "vc4/draw/render.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "base/text.h"
#include "vc4/lanes/quad.h"
#include "vc4/qpu/program.h"
#include "vc4/raster/clip.h"
#include "vc4/raster/vg.h"

enum { RESERVED_FRAGMENT = 1 << 1 };

static fep_shade shade;

static void connect_vertices(struct render_ports *ports)
{
    ports->vertices = (struct vertex_pipe_ports){
        .bus = ports->bus,
        .log = ports->log,
        .counts = ports->counts,
        .budget = ports->budget,
        .shared = ports->shared,
        .slices = &ports->render->slices,
        .profile = ports->profile,
        .trace = ports->trace,
        .instructions = ports->instructions,
        .textures = &ports->scratch->vertex_textures,
        .sanitize = ports->sanitize,
    };
    vertex_pipe_connect(&ports->vertices, &ports->render->vertices);
}

static void connect_qpu(struct render_ports *ports)
{
    ports->qpu = (struct qpu_ports){
        .bus = ports->bus,
        .log = ports->log,
        .shared = ports->shared,
        .cache = ports->instructions,
        .slices = &ports->render->slices,
        .counts = ports->counts,
        .insn_profile = profile_hot(ports->profile),
        .trace = ports->trace,
        .tmu = &ports->render->tmu,
        .tmu_ports = &ports->tmu,
        .tlb = &ports->render->tlb,
        .tlb_ports = &ports->tlb,
        .fragment = &ports->scratch->fragment,
        .vri = &ports->scratch->vri,
    };
    ports->watched = ports->qpu;
    ports->watched.sanitize = true;
}

void render_connect(struct render_ports *ports, struct render *render,
                    struct render_scratch *scratch)
{
    ports->render = render;
    ports->scratch = scratch;
    ports->tlb = (struct tlb_ports){
        .bus = ports->tile_bus, .log = ports->log, .counts = ports->counts, .cap = render->cap};
    ports->fep = (struct fep_ports){.counts = ports->counts, .shade = shade, .user = ports};
    ports->tmu = (struct tmu_ports){
        .bus = ports->bus,
        .log = ports->log,
        .counts = ports->counts,
        .slices = &render->slices,
        .lists = ports->list_memory,
        .frame = &render->tlb.frame,
        .textures = &scratch->textures,
    };
    connect_qpu(ports);
    connect_vertices(ports);
}

void render_reset(struct render *render, bool keeps_contents)
{
    memset(&render->fep, 0, offsetof(struct render, vertices) - offsetof(struct render, fep));
    shared_units_clear(&render->slices);
    shared_units_close(&render->slices, 0, NULL); /* so that the counts do not include earlier
                                                     tiles */
    vertex_pipe_init(&render->vertices);
    for (unsigned half = 0; half < TLB_HALVES; half++)
        cap_clear(&render->cap[half]);
    (keeps_contents ? tlb_reset_setup : tlb_reset)(&render->tlb);
    tmu_reset(&render->tmu);
}

/* --- fragment batches --- */

static uint32_t next_number(struct render *render)
{
    for (uint32_t i = 0; i < QPU_COUNT; i++) {
        uint32_t number = render->next_qpu;
        render->next_qpu = (number + 1) % QPU_COUNT;
        if (!(render->reserve[number / 8] >> (number % 8 * 4) & RESERVED_FRAGMENT))
            return number;
    }
    return QPU_COUNT;
}

static void fill_fragment(struct tlb_fragment *fragment, const struct fep_batch *batch,
                          const struct cl_state *state)
{
    tlb_fragment_start(fragment);
    memcpy(fragment->x, batch->x, sizeof fragment->x);
    memcpy(fragment->y, batch->y, sizeof fragment->y);
    memcpy(fragment->ms_flags, batch->ms_flags, sizeof fragment->ms_flags);
    fragment->rev_flag = batch->reverse;
    fragment->depth_function = (enum tlb_compare)bits_get(state->configuration, 14, 12);
    fragment->depth_update = bits_get(state->configuration, 15, 15);
    fragment->coverage_read = cap_read_mode(state->configuration);
}

static bool early_z_enabled(const struct cl_state *state)
{
    return bits_get(state->configuration, CL_CONFIGURATION_BITS_EARLY_Z_BIT,
                    CL_CONFIGURATION_BITS_EARLY_Z_BIT);
}

/* Lanes of a batch that remain after the early tests, before the batch's shader runs. */
struct early {
    lane_mask z, coverage; /* lanes that pass the early depth test, and lanes that have coverage */
};

/* Removes from the batch's quads all pixels that fail the early depth test or have no coverage.
 * Returns the lanes that pass each test. */
static struct early early_z(struct render *render, const struct render_ports *ports,
                            struct tlb_fragment *fragment, const struct fep_batch *batch)
{
    struct early left = {.z = tlb_early_z(&render->tlb, &ports->tlb, fragment, &batch->z),
                         .coverage = tlb_early_coverage(&render->tlb, &ports->tlb, fragment)};
    for (unsigned q = 0; q < LANES / 4; q++) {
        uint8_t *flags = &fragment->ms_flags[q * 4];
        uint32_t pixels = (left.z & left.coverage) >> q * 4 & 0xf;
        store_le32(flags, load_le32(flags) & quad_bytes(pixels) * 0xff);
    }
    return left;
}

/* --- results of a batch's pixels --- */

static uint32_t count_lanes(unsigned set)
{
    return (uint32_t)__builtin_popcount(set);
}

/* Encodes, for a message, the stencil test that the pixels in `failed` did not pass. */
static uint32_t stencil_word(const struct tlb_fragment *fragment, lane_mask failed)
{
    bool back = (failed & fragment->rev_flag) != 0;
    const struct tlb_stencil *face = back ? &fragment->back : &fragment->front;
    return DRAW_STENCIL_KNOWN | (back ? DRAW_STENCIL_BACK : 0u) | (uint32_t)face->function << 16 |
           (uint32_t)face->reference << 8 | face->compare_mask;
}

/* Counts the results of the pixels of one draw. own has the lanes of this draw's quads. Each pixel
 * is counted once, for the first test that rejected it. */
static void count_pixels(struct draw_counts *counts, const struct tlb *tlb,
                         const struct tlb_fragment *fragment, const struct tlb_results *results,
                         struct early early, unsigned own)
{
    unsigned left = own & early.z & early.coverage, changed = left & results->changed;
    unsigned unchanged = left & results->written & ~changed;
    unsigned rest = left & ~changed & ~unchanged, stencil = rest & results->stencil_failed;
    unsigned depth = rest & results->depth_failed & ~stencil;
    unsigned rejected = depth | (own & ~early.z);
    uint64_t *of = counts->of;
    of[TESS_VC4_DRAW_PIXELS] += count_lanes(own);
    of[TESS_VC4_DRAW_WRITTEN] += count_lanes(changed);
    of[TESS_VC4_DRAW_ALPHA_ZERO] += count_lanes(left & results->alpha_zero);
    if (changed == own)
        return;
    of[TESS_VC4_DRAW_EARLY_Z] += count_lanes(own & ~early.z);
    of[TESS_VC4_DRAW_NO_COVERAGE] += count_lanes(own & early.z & ~early.coverage);
    of[TESS_VC4_DRAW_STENCIL] += count_lanes(stencil);
    of[TESS_VC4_DRAW_DEPTH] += count_lanes(depth);
    of[TESS_VC4_DRAW_DISCARDED] += count_lanes(rest & ~stencil & ~depth);
    of[TESS_VC4_DRAW_UNCHANGED] += count_lanes(unchanged);
    counts->blended += fragment->colour_reads ? count_lanes(unchanged) : 0;
    counts->at_clear += count_lanes(rejected & results->at_clear);
    counts->clear_z = tlb->clear_z;
    if (stencil && !counts->stencil)
        counts->stencil = stencil_word(fragment, (lane_mask)stencil);
}

/* Returns the lanes of those quads of the batch that belong to the same draw as quad `first`. Quads
 * before `first` are not included. */
static unsigned lanes_of_draw(const struct fep *fep, const struct fep_batch *batch, uint32_t first)
{
    uint32_t draw = fep->slot[batch->primitive[first]].draw;
    unsigned own = 0;
    for (uint32_t q = first; q < batch->quads; q++)
        if (fep->slot[batch->primitive[q]].draw == draw)
            own |= 0xfu << q * 4;
    return own;
}

/* Counts the results of a batch whose shader has ended or did not need to run. */
static void count_batch(struct render *render, const struct render_ports *ports,
                        const struct fep_batch *batch, struct tlb_fragment *fragment,
                        struct early early)
{
    const struct tlb_results results = tlb_results(&render->tlb, fragment);
    unsigned counted = 0;
    for (uint32_t q = 0; q < batch->quads && ports->tally; q++) {
        if (counted >> q * 4 & 1)
            continue;
        uint32_t draw = render->fep.slot[batch->primitive[q]].draw;
        unsigned own = lanes_of_draw(&render->fep, batch, q);
        struct draw_counts *counts = draw_tally_of(ports->tally, draw);
        if (counts)
            count_pixels(counts, &render->tlb, fragment, &results, early, own & batch->covered);
        counted |= own;
    }
}

static void fill_vri(struct vri *vri, const struct fep *fep, const struct fep_batch *batch)
{
    memset(vri, 0, offsetof(struct vri, partial));
    for (unsigned q = 0; q < batch->quads; q++) {
        vri->quad[q] = &fep->slot[batch->primitive[q]].varyings;
        vri->x[q] = batch->x[q];
        vri->y[q] = batch->y[q];
        vri->count = vri->quad[q]->count;
        vri->implicit = vri->quad[q]->implicit;
    }
    vri_prepare(vri);
}

/* Runs the fragment shader to its end. Sets .hung if the shader does not end. */
static void run_shader(struct render *render, const struct render_ports *ports,
                       const struct qpu_ports *qpu_ports)
{
    struct qpu *qpu = &render->qpu;
    enum qpu_state state = qpu_run(qpu, qpu_ports, budget_shader_instructions(ports->budget));
    render->work.instructions += qpu->instructions;
    budget_spend(ports->budget, qpu->instructions);
    render->work.shader_runs++;
    qpu_time_end(qpu, &render->slices);
    profile_run(ports->profile, qpu);
    if (state == QPU_ENDED)
        return;
    if (state == QPU_LIMIT)
        budget_end_at_program(ports->budget, ports->log, ports->bus, qpu);
    if (state == QPU_WAITING)
        program_report_wait(ports->log, ports->bus, qpu, ports->shared);
    render->hung = true;
}

/* --- shaders that the sanitizer has checked --- */

static uint64_t findings(const struct fault_log *log)
{
    uint64_t all = 0;
    for (unsigned rule = 0; rule < FAULT_RULES; rule++)
        all += log->count[rule];
    return all;
}

static bool must_watch(const struct render *render, const struct render_ports *ports)
{
    const struct render_sound *sound = &render->sound;
    bool known = sound->known && sound->code == render->shader.fragment_code &&
                 sound->uniform_count == render->shader.fragment_uniform_count;
    return ports->sanitize && !known;
}

/* Records the result of a shader run that the sanitizer has watched. `before` is the number of
 * findings before the run. */
static void learn(struct render *render, const struct render_ports *ports, uint64_t before)
{
    const struct qpu *qpu = &render->qpu;
    render->sound = (struct render_sound){
        .known = qpu->state == QPU_ENDED && !qpu->shadow.varies && findings(ports->log) == before,
        .code = render->shader.fragment_code,
        .uniform_count = render->shader.fragment_uniform_count,
    };
}

/* Prepares a QPU for the fragment shader of a batch. `sent` is the time at which the FEP has sent
 * the batch's last quad. */
static void start_shader(struct render *render, const struct render_ports *ports, unsigned number,
                         const struct fep_batch *batch, uint64_t sent)
{
    struct qpu *qpu = &render->qpu;
    qpu_start(qpu, QPU_FRAGMENT, number, render->shader.fragment_code,
              render->shader.fragment_uniforms);
    qpu_time_start(qpu, &render->slices, sent);
    shared_units_hold_quads(&render->slices,
                            qpu->times.start); /* the FEP holds the quads until the shader starts */
    qpu->shadow.uniforms = render->shader.fragment_uniform_count;
    tmu_start(&render->tmu, &ports->tmu, number);
    qpu_give_fragment(qpu, &batch->w, &batch->z);
}

/* Runs the fragment shader for one batch of quads. This function has the type fep_shade. */
static void shade(void *user, const struct fep_batch *batch)
{
    const struct render_ports *ports = user;
    struct render *render = ports->render;
    struct tlb_fragment *fragment = &ports->scratch->fragment;
    const struct cl_state *state = &render->state;
    if (render->hung)
        return;
    fill_fragment(fragment, batch, state);
    uint64_t sent = shared_units_quads(&render->slices, batch->quads);
    struct early early = {ALL_LANES, ALL_LANES};
    if (early_z_enabled(state))
        early = early_z(render, ports, fragment, batch);
    if (!(batch->covered & early.z & early.coverage)) {
        count_batch(render, ports, batch, fragment, early);
        return;
    }
    uint32_t number = next_number(render);
    if (number == QPU_COUNT) {
        fault(ports->log, FAULT_QPU_STUCK,
              "V3D_SQRSV0 and V3D_SQRSV1 reserve every QPU against fragment shaders");
        render->hung = true;
        return;
    }

    fill_vri(&ports->scratch->vri, &render->fep, batch);
    start_shader(render, ports, number, batch, sent);
    const bool watch = must_watch(render, ports);
    const uint64_t before = watch ? findings(ports->log) : 0;
    run_shader(render, ports, watch ? &ports->watched : &ports->qpu);
    if (watch)
        learn(render, ports, before);
    count_batch(render, ports, batch, fragment, early);
}

void render_flush(struct render *render, const struct render_ports *ports)
{
    fep_flush(&render->fep, &ports->fep);
}

void render_abandon(struct render *render)
{
    render->hung = false;
    tmu_reset(&render->tmu);
    vertex_pipe_abandon(&render->vertices);
    render->fep.batch.quads = 0;
    render->fep.slots = 0;
    render->tlb.in_tile = false; /* the tile will not be stored */
    render->tlb.load.pending = false;
}

/* --- primitives --- */

/* True if record 96 selects oversampling. Without oversampling, all samples of a pixel are covered
 * if the pixel's centre is covered. */
static bool oversamples(const struct cl_state *state)
{
    return bits_get(state->configuration,
                    CL_CONFIGURATION_BITS_OVERSAMPLE_BIT + CL_CONFIGURATION_BITS_OVERSAMPLE_WIDTH -
                        1,
                    CL_CONFIGURATION_BITS_OVERSAMPLE_BIT) != 0;
}

/* Returns the intersection of the tile and the clip window. */
static struct fep_window tile_window(const struct render *render)
{
    const struct cl_state *state = &render->state;
    const struct tlb *tlb = &render->tlb;
    int32_t width = (int32_t)tlb_tile_width(tlb), height = (int32_t)tlb_tile_height(tlb);
    int32_t left = (int32_t)tlb->column * width, bottom = (int32_t)tlb->row * height;
    return (struct fep_window){
        .left = most_i32(left, state->clip_left),
        .bottom = most_i32(bottom, state->clip_bottom),
        .right = least_i32(left + width, state->clip_left + state->clip_width),
        .top = least_i32(bottom + height, state->clip_bottom + state->clip_height),
        .multisample = tlb_samples(tlb) > 1 && oversamples(state),
    };
}

/* Adds n to a counter of a draw. */
static void count_draw(const struct render_ports *ports, uint32_t draw,
                       enum tess_vc4_draw_counter counter, uint64_t n)
{
    struct draw_counts *counts = ports->tally && n ? draw_tally_of(ports->tally, draw) : NULL;
    if (counts)
        counts->of[counter] += n;
}

/* Sends a primitive to the fragment shader or to the coverage pipe. */
static void draw_primitive(struct render *render, const struct render_ports *ports,
                           const struct pse_primitive *primitive)
{
    struct fep_window window = tile_window(render);
    render->work.primitives++;
    count_draw(ports, primitive->draw, TESS_VC4_DRAW_DRAWN, 1);
    if (CONFIGURATION_GET(render->state.configuration, COVERAGE_PIPE)) {
        tlb_accumulate(&render->tlb, &ports->tlb, primitive, &render->state, &window);
        count_draw(ports, primitive->draw, TESS_VC4_DRAW_ACCUMULATED, 1);
        return;
    }
    struct fep_drawn drawn = fep_draw(&render->fep, &ports->fep, primitive, &render->state,
                                      &window);
    count_draw(ports, primitive->draw, TESS_VC4_DRAW_UNCOVERED,
               drawn.quads == 0 && drawn.cut_pixels == 0);
    count_draw(ports, primitive->draw, TESS_VC4_DRAW_PIXELS, drawn.cut_pixels);
    count_draw(ports, primitive->draw, TESS_VC4_DRAW_Z_LIMITS, drawn.cut_pixels);
}

static void draw_coordinates(struct render *render, const struct render_ports *ports,
                             const struct render_primitive *from, enum primitive_type type,
                             const uint32_t xy[3])
{
    struct vg_part part[VG_MAX_PARTS];
    unsigned parts = vg_parts(part, &render->state, type, xy);
    for (unsigned i = 0; i < parts; i++) {
        struct pse_primitive primitive;
        vg_setup(&primitive, &render->state, type, &part[i]);
        primitive.draw = from->draw;
        draw_primitive(render, ports, &primitive);
    }
    if (from->counted)
        count_draw(ports, from->draw, TESS_VC4_DRAW_NO_AREA, parts == 0);
}

/* True if the shader has varyings that are divided by Wc. Flat varyings (bit n of record 97 for
 * varying n) are not divided, because they have the value of the provoking vertex. */
static bool has_smooth_varyings(const struct render *render)
{
    uint32_t count = render->shader.varyings;
    uint32_t all = count < 32 ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
    return count > 32 || (all & ~render->state.flat_shade);
}

static void check_inverse_w(struct render *render, const struct render_ports *ports,
                            enum primitive_type type, const uint32_t index[3],
                            const struct vertex *const vertex[3])
{
    if (!has_smooth_varyings(render) || ports->log->count[FAULT_VERTEX_UNWRITTEN])
        return; /* a word that was not written has already been reported */
    for (uint32_t k = 0; k <= (uint32_t)type; k++)
        if (vertex[k]->inv_w == 0)
            fault(ports->log, FAULT_VERTEX_W, "vertex %u has 1/Wc = 0 and %u varying%s", index[k],
                  render->shader.varyings, text_plural(render->shader.varyings));
}

/* Counts a primitive that is not drawn because of its facing or because its area is zero. */
static void count_undrawn(const struct render_ports *ports, const struct render_primitive *from,
                          bool no_area, bool reverse)
{
    ports->counts->of[PCTR_PSE_REVERSED] += reverse;
    if (from->counted)
        count_draw(ports, from->draw, no_area ? TESS_VC4_DRAW_NO_AREA : TESS_VC4_DRAW_CULLED, 1);
}

static void draw(struct render *render, const struct render_ports *ports,
                 const struct render_primitive *from, const struct vertex *const vertex[3])
{
    enum primitive_type type = (enum primitive_type)from->type;
    struct pse_primitive primitive;
    if (type != PRIMITIVE_RHT)
        check_inverse_w(render, ports, type, from->index, vertex);
    if (type == PRIMITIVE_RHT) {
        draw_coordinates(render, ports, from, type,
                         (uint32_t[3]){vg_coordinate(vertex[0]->x, vertex[0]->y),
                                       vg_coordinate(vertex[1]->x, vertex[1]->y)});
        return;
    }
    bool drawn = pse_setup(&primitive, &render->state, &render->shader, type, vertex);
    primitive.draw = from->draw;
    if (drawn)
        draw_primitive(render, ports, &primitive);
    else
        count_undrawn(ports, from, primitive.no_area, primitive.reverse);
}

/* Replaces vertices by the vertices of a clipped primitive record (49). Returns false if the
 * replacement vertices are not in mapped memory. */
static bool replace_clipped(struct render *render, const struct render_ports *ports,
                            const struct render_primitive *primitive,
                            const struct vertex *const original[3], struct vertex clipped[3],
                            const struct vertex *drawn[3])
{
    uint32_t address = primitive->clipped_address;
    for (unsigned k = 0; k < primitive->vertices; k++) {
        if (!(primitive->clipped_flags >> k & 1))
            continue;
        const uint8_t *at = bus_get(ports->bus, BUS_CLE, address, CLIP_VERTEX_BYTES,
                                    "clipped vertex");
        if (!at)
            return false;
        struct clip_vertex replacement = clip_record_read(at);
        clip_replace(&clipped[k], &replacement, &render->state, primitive->vertices,
                     render->shader.varyings, original);
        drawn[k] = &clipped[k];
        address += CLIP_VERTEX_BYTES;
    }
    return true;
}

/* Returns the shaded vertices of a primitive. Runs the vertex shader if the vertices are not shaded
 * yet. The shader's instructions count against the limit of all shaders. Returns false if shading
 * failed. */
static bool get_vertices(struct render *render, const struct render_ports *ports,
                         const struct render_primitive *primitive, const struct vertex *vertex[3])
{
    struct vertex_pipe *pipe = &render->vertices;
    uint64_t executed = pipe->executed, runs = pipe->shader_runs;
    memcpy(pipe->reserve, render->reserve, sizeof pipe->reserve);
    enum vertex_result result = vertex_pipe_get(pipe, &ports->vertices, &render->state,
                                                &render->shader, QPU_VERTEX, ports->upcoming,
                                                primitive->index, primitive->vertices, vertex);
    render->work.instructions += pipe->executed - executed;
    render->work.shader_runs += pipe->shader_runs - runs;
    if (pipe->shader_runs != runs)
        shared_units_hold_quads(&render->slices, qpu_time(&pipe->qpu));
    render->hung |= result == VERTEX_BUDGET || result == VERTEX_HUNG;
    return result == VERTEX_READY;
}

void render_draw(struct render *render, const struct render_ports *ports,
                 const struct render_primitive *primitive)
{
    if (primitive->counted)
        count_draw(ports, primitive->draw, TESS_VC4_DRAW_PRIMITIVES, 1);
    if (primitive->coordinates) {
        draw_coordinates(render, ports, primitive, (enum primitive_type)primitive->type,
                         primitive->index);
        return;
    }
    struct vertex clipped[3];
    const struct vertex *original[3] = {NULL}, *drawn[3];
    if (!get_vertices(render, ports, primitive, original))
        return;
    memcpy(drawn, original, sizeof drawn);
    if (primitive->clipped_flags &&
        !replace_clipped(render, ports, primitive, original, clipped, drawn))
        return;
    draw(render, ports, primitive, drawn);
}

void render_set_state(struct render *render, const struct render_ports *ports,
                      const struct cl_state *state, const struct shader_record *shader)
{
    render_flush(render, ports);
    render->state = *state;
    if (memcmp(&render->shader, shader, sizeof *shader) != 0)
        vertex_pipe_reset(&render->vertices);
    render->shader = *shader;
}

/* --- tiles --- */

void render_tile_record(struct render *render, const struct render_ports *ports, uint8_t record,
                        const uint8_t *data)
{
    struct tlb *tlb = &render->tlb;
    switch ((enum cl_code)record) {
    case CL_TILE_RENDERING_MODE:
        render_flush(render, ports);
        tlb_configure(tlb, &ports->tlb, data);
        break;
    case CL_CLEAR_COLORS: tlb_clear_colours(tlb, data); break;
    case CL_LOAD_FULL_RES_TILE_BUFFER: tlb_load_full(tlb, &ports->tlb, data); break;
    case CL_LOAD_TILE_BUFFER_GENERAL: tlb_load_general(tlb, &ports->tlb, data); break;
    default: /* only CL_TILE_COORDINATES remains */
        render_flush(render, ports);
        vertex_pipe_reset(&render->vertices);
        shared_units_clear(&render->slices); /* so that counts do not depend on other tiles */
        tlb_tile_coordinates(tlb, &ports->tlb, data);
        break;
    }
}

void render_store(struct render *render, const struct render_ports *ports, uint8_t record,
                  const uint8_t *data)
{
    render_flush(render, ports);
    if (render->hung)
        return;
    shared_units_close(&render->slices, ports->qpus, ports->counts);
    render->work.tiles++;
    tlb_store(&render->tlb, &ports->tlb, record, data);
}
