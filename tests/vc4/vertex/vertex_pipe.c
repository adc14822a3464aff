/* SPDX-License-Identifier: MIT */
/* Tests of the vertex pipe: shaded vertices of GL and NV mode, batches and their reuse, and errors
 * of shaders. Programs, vertices and values are from the article "Vertex and Coordinate Shaders".
 * Other programs are assembled here, and their values are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../register.h"
#include "base/bits.h"
#include "pass_through.h"
#include "vc4/vertex/vertex_pipe.h"

enum {
    MEMORY = 0x20000,
    VERTEX_CODE = 0x1000,
    COORDINATE_CODE = 0x2000,
    UNIFORMS = 0x3000,
    VERTEX_STREAM = 0x4000,
    COORDINATE_STREAM = 0x5000,
    RECORD = 0x6000,
    NV_VERTICES = 0x7000,
    FAR_ARRAY = 0x10000,
};

struct machine {
    struct bus bus;
    struct fault_log log;
    struct qpu_shared shared;
    struct qpu_cache instructions;
    struct shared_units slices;
    struct pctr_counts counts;
    struct budget budget;
    struct vertex_pipe pipe;
    struct vertex_pipe_ports ports;
    struct tmu_textures textures;
    struct cl_state state;
    struct shader_record record;
    uint8_t *memory;
    struct tess_place place; /* place of the latest finding */
};

static void report(void *user, const struct tess_finding *diag)
{
    struct machine *m = user;
    m->place = diag->place;
}

static void put_words(struct machine *m, uint32_t address, const void *words, size_t bytes)
{
    memcpy(m->memory + address, words, bytes);
}

/* Creates a machine with the article's record, and its programs and streams in memory. */
static struct machine *create(void)
{
    struct machine *m = aligned_alloc(64, (sizeof *m + 63) / 64 * 64);
    memset(m, 0, sizeof *m);
    m->log.sink = (struct tess_sink){report, m};
    m->bus.log = &m->log;
    assert_int_equal(bus_map(&m->bus, 0, MEMORY, NULL), TESS_OK);
    m->memory = bus_peek(&m->bus, 0, MEMORY);
    put_words(m, VERTEX_CODE, article_vertex_shader, sizeof article_vertex_shader);
    put_words(m, COORDINATE_CODE, article_coordinate_shader, sizeof article_coordinate_shader);
    put_words(m, VERTEX_STREAM, article_vertex_stream, sizeof article_vertex_stream);
    put_words(m, COORDINATE_STREAM, article_coordinate_stream, sizeof article_coordinate_stream);
    m->state.point_size = 9;
    m->record = (struct shader_record){
        .code = CL_GL_SHADER_STATE,
        .address = RECORD,
        .flags = SHADER_CLIPPING,
        .attributes = 2,
        .program = {{.code = VERTEX_CODE, .uniforms = UNIFORMS, .select = 1, .bytes = 12},
                    {.code = COORDINATE_CODE, .uniforms = UNIFORMS, .select = 2, .bytes = 28}},
        .attribute = {{.address = VERTEX_STREAM, .bytes = 12, .stride = 12},
                      {.address = COORDINATE_STREAM, .bytes = 28, .stride = 28}},
    };
    m->budget.max_instructions = 10000;
    m->budget.max_total_instructions = 1000000;
    budget_begin(&m->budget, 0);
    shared_units_clear(&m->slices);
    m->ports = (struct vertex_pipe_ports){
        .bus = &m->bus,
        .log = &m->log,
        .counts = &m->counts,
        .budget = &m->budget,
        .shared = &m->shared,
        .slices = &m->slices,
        .instructions = &m->instructions,
        .textures = &m->textures,
    };
    vertex_pipe_connect(&m->ports, &m->pipe);
    vertex_pipe_init(&m->pipe);
    return m;
}

static void destroy(struct machine *m)
{
    bus_free(&m->bus);
    free(m);
}

static void say(void *user, const struct tess_finding *diag)
{
    (void)user;
    print_message("%s: %s\n", diag->id, diag->text);
}

static void assemble(struct machine *m, uint32_t address, const char *text)
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_QPU, .format = TESS_ASM_BIN};
    size_t size;
    uint8_t *code;
    assert_int_equal(tess_assemble_text(text, strlen(text), "shader", &options,
                                        (struct tess_sink){say, NULL}, &code, &size),
                     TESS_OK);
    memcpy(m->memory + address, code, size);
    tess_free(code);
}

static enum vertex_result get(struct machine *m, enum qpu_kind kind, const uint32_t index[],
                              uint32_t count, const struct vertex *out[3])
{
    return vertex_pipe_get(&m->pipe, &m->ports, &m->state, &m->record, kind,
                           (struct vertex_source){NULL, NULL}, index, count, out);
}

static const uint32_t first_three[3] = {0, 1, 2};

TEST(the_articles_coordinate_shader)
{
    struct machine *m = create();
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_COORDINATE, first_three, 3, v), VERTEX_READY);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(float_bits(v[i]->clip[n]), article_coordinate_stream[i][n]);
        assert_true(v[i]->z == 1 && v[i]->inv_w == 1);
        assert_true(v[i]->point_size == 9);
    }
    assert_int_equal(v[1]->x, 32 * 16);
    assert_int_equal(v[1]->y, 448 * 16);
    assert_int_equal(m->log.errors, 0);
    assert_int_equal(m->pipe.shader_runs, 1);
    assert_int_equal(m->pipe.executed, sizeof article_coordinate_shader / 8);
    destroy(m);
}

TEST(the_articles_vertex_shader)
{
    struct machine *m = create();
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    static const int32_t x[] = {320, 32, 608}, y[] = {32, 448, 448};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(v[i]->x, x[i] * 16);
        assert_int_equal(v[i]->y, y[i] * 16);
        assert_true(v[i]->z == 1 && v[i]->inv_w == 1);
    }
    assert_int_equal(m->log.errors, 0);
    /* The program's 16 instructions lie in two lines, which are fetched from memory
     * (src/vc4/time/timing.h). It has no other stalls. */
    assert_int_equal(m->counts.of[PCTR_QPU_VERTEX], 16 * 4 + 2 * 44);
    assert_int_equal(m->counts.of[PCTR_QPU_INSTRUCTION_MISSES], 2);
    assert_int_equal(m->counts.of[PCTR_QPU_FRAGMENT], 0);
    destroy(m);
}

/* Programs for vertices with three floats, which are in rows 0 to 2. The shader adds a uniform
 * to each float, and writes the sums. With point size and two varyings, the output has six
 * words. */
#define READ(n)   "mov vr_setup, 0x00" #n "01a00\nnop\nnop\nnop\n"
#define WRITE     "mov vw_setup, 0x1a00\n"
#define THE_END   "nop; nop; thrend\nnop\nnop\n"
#define READ_ALL3 READ(3) "mov r0, vpm\nmov r1, vpm\nmov r2, vpm\n"

TEST(point_size_and_varyings)
{
    struct machine *m = create();
    assemble(m, VERTEX_CODE,
             READ_ALL3 WRITE "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\nmov vpm, 4.0\n"
                             "mov vpm, unif\nmov vpm, r0\n" THE_END);
    store_le32(m->memory + UNIFORMS, float_bits(-0.5f));
    m->record.flags = SHADER_POINT_SIZE;
    m->record.varyings = 2;
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_true(v[2]->point_size == 4 && v[2]->varying[0] == -0.5f);
    assert_int_equal(float_bits(v[2]->varying[1]), article_vertex_stream[2][0]);
    assert_int_equal(m->log.errors, 0);
    destroy(m);
}

/* A coordinate shader that writes the point size after its seven words (figure 11). */
TEST(point_size_of_coordinates)
{
    struct machine *m = create();
    assemble(m, COORDINATE_CODE,
             READ(7) "mov r0, vpm\nmov r1, vpm\nmov r2, vpm\nmov r3, vpm\nmov ra0, vpm\n"
                     "mov ra1, vpm\nmov ra2, vpm\n" WRITE
                     "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\nmov vpm, r3\nmov vpm, ra0\n"
                     "mov vpm, ra1\nmov vpm, ra2\nmov vpm, 2.0\n" THE_END);
    m->record.flags = SHADER_POINT_SIZE;
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_COORDINATE, first_three, 1, v), VERTEX_READY);
    assert_true(v[0]->point_size == 2 && v[0]->clip[3] == 1);
    assert_int_equal(m->log.errors, 0);
    destroy(m);
}

/* --- batches --- */

/* Returns the next indices in the sequence 0, 1, 2 ... */
static uint32_t count_up(void *user, uint32_t index[], uint32_t max)
{
    uint32_t *next = user, count = 0;
    for (; count < max && count < 60; count++)
        index[count] = *next + count;
    return count;
}

TEST(batches_of_sixteen)
{
    struct machine *m = create();
    for (uint32_t i = 0; i < 64; i++)
        store_le32(m->memory + VERTEX_STREAM + 12 * i, i);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t next = i + 1;
        const struct vertex *v[3];
        const uint32_t index[] = {i, i ? i - 1 : 0};
        assert_int_equal(vertex_pipe_get(&m->pipe, &m->ports, &m->state, &m->record, QPU_VERTEX,
                                         (struct vertex_source){count_up, &next}, index, 2, v),
                         VERTEX_READY);
        assert_int_equal(v[0]->x, i);
        assert_int_equal(v[1]->x, index[1]);
        assert_int_equal(m->pipe.shader_runs, i / 16 + 1);
    }
    /* All vertices are still in the batch, so the shader does not run again. After a change of
     * shader, vertices are shaded again. */
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_int_equal(m->pipe.shader_runs, 4);
    assert_int_equal(get(m, QPU_COORDINATE, first_three, 3, v), VERTEX_READY);
    assert_int_equal(m->pipe.shader_runs, 5);
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_int_equal(m->pipe.shader_runs, 6);
    vertex_pipe_reset(&m->pipe);
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_int_equal(m->pipe.shader_runs, 7);
    destroy(m);
}

/* The indices share a set of the vertex cache, so vertices are replaced all the time. Every
 * result must be correct, even if a vertex is replaced within one primitive. */
TEST(crowded_cache)
{
    struct machine *m = create();
    m->record.attribute[0] = (struct shader_attribute){
        .address = FAR_ARRAY, .bytes = 12, .stride = 12};
    for (uint32_t i = 0; i < 5000; i++)
        store_le32(m->memory + FAR_ARRAY + 12 * i, i);
    uint32_t seed = 1;
    for (unsigned i = 0; i < 2000; i++) {
        uint32_t index[3];
        for (unsigned k = 0; k < 3; k++) {
            seed = seed * 1664525 + 1013904223;
            index[k] = (seed >> 20) % 100 * 32;
        }
        uint32_t next = index[0];
        const struct vertex *v[3];
        assert_int_equal(vertex_pipe_get(&m->pipe, &m->ports, &m->state, &m->record, QPU_VERTEX,
                                         (struct vertex_source){count_up, &next}, index, 3, v),
                         VERTEX_READY);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(v[k]->x, index[k]);
    }
    destroy(m);
}

/* --- shaders that differ from the hardware's requirements --- */

struct wrong {
    const char *code;
    enum fault_rule rule;
    uint32_t instruction; /* number of the instruction with the finding */
};

TEST(wrong_shaders)
{
    static const struct wrong cases[] = {
        /* The shader reads too few rows: row 2 is never read. */
        {READ(2) "mov r0, vpm\nmov r1, vpm\n" WRITE
                 "mov vpm, r0\nmov vpm, r1\nmov vpm, r1\n" THE_END,
         FAULT_VERTEX_UNREAD, 10},
        /* The shader reads too many rows: a fourth row. */
        {READ(4) "mov r0, vpm\nmov r1, vpm\nmov r2, vpm\nmov r3, vpm\n" WRITE
                 "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\n" THE_END,
         FAULT_VPM_WINDOW, 7},
        /* The shader writes only two words. */
        {READ_ALL3 WRITE "mov vpm, r0\nmov vpm, r1\n" THE_END, FAULT_VERTEX_UNWRITTEN, 10},
        /* The shader writes a word after the end of the shaded vertex. */
        {READ_ALL3 WRITE "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\nmov vpm, r2\n" THE_END,
         FAULT_VPM_WINDOW, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = create();
        assemble(m, VERTEX_CODE, cases[i].code);
        const struct vertex *v[3];
        assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
        assert_int_equal(m->log.count[cases[i].rule], 1);
        assert_true(m->place.known & TESS_PLACE_SHADER);
        assert_int_equal(m->place.shader, VERTEX_CODE);
        assert_int_equal(m->place.pc, VERTEX_CODE + 8 * cases[i].instruction);
        /* V3D_ERRSTAT (manual table 87) has a bit for reads out of range and a bit for writes. */
        bool reads = cases[i].instruction == 7;
        assert_int_equal(m->counts.errors, cases[i].rule != FAULT_VPM_WINDOW ? 0
                                           : reads                           ? 1 << 5
                                                                             : 1 << 4);
        destroy(m);
    }
}

/* A vertex needs three rows of attributes and four of output, but V3D_VPACNTL allows fewer. The
 * error bits are those of manual table 87. */
TEST(limits_of_the_allocator)
{
    for (uint32_t limit = 2; limit <= 24; limit += 22)
        for (unsigned coordinate = 0; coordinate < 2; coordinate++) {
            struct machine *m = create();
            const struct vertex *v[3];
            m->pipe.allocation_limit = limit;
            assert_int_equal(get(m, coordinate ? QPU_COORDINATE : QPU_VERTEX, first_three, 3, v),
                             VERTEX_READY);
            assert_int_equal(m->log.count[FAULT_VPM_LIMIT], limit == 2);
            assert_int_equal(m->counts.errors, limit != 2 ? 0 : coordinate ? 1 << 2 : 1 << 3);
            destroy(m);
        }
}

/* "Every attribute must be read from and written to VPM exactly once" (the article). */
TEST(rows_that_are_met_twice)
{
    static const struct {
        const char *code;
        unsigned found;
    } cases[] = {
        {READ_ALL3 "mov vr_setup, 0x00101a01\nnop\nnop\nnop\nmov r1, vpm\n" WRITE
                   "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\n" THE_END,
         1},
        {READ_ALL3 WRITE "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\n" WRITE "mov vpm, r0\n" THE_END,
         1},
        {READ_ALL3 WRITE "mov vpm, r0\nmov vw_setup, 0x1a00\nmov vpm, r1\n"
                         "mov vpm, r1\nmov vpm, r2\n" THE_END,
         1},
        /* Reads the lower 16 bits of row 0, and then the upper 16. */
        {"mov vr_setup, 0x00201d00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n"
         "mov vr_setup, 0x00201a01\nnop\nnop\nnop\nmov r1, vpm\nmov r2, vpm\n" WRITE
         "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\n" THE_END,
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = create();
        assemble(m, VERTEX_CODE, cases[i].code);
        const struct vertex *v[3];
        assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
        assert_int_equal(m->log.count[FAULT_VERTEX_AGAIN], cases[i].found);
        assert_int_equal(m->log.errors, 0);
        destroy(m);
    }
}

/* The total size reserves four rows, but the array fills only three. The shader reads all four. */
TEST(reads_of_what_no_array_fills)
{
    struct machine *m = create();
    assemble(m, VERTEX_CODE,
             READ(4) "mov r0, vpm\nmov r1, vpm\nmov r2, vpm\nmov r3, vpm\n" WRITE
                     "mov vpm, r0\nmov vpm, r1\nmov vpm, r2\n" THE_END);
    m->record.program[STAGE_VERTEX].bytes = 16;
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_int_equal(m->log.count[FAULT_VERTEX_UNFILLED], 1);
    assert_int_equal(m->log.errors, 1);
    destroy(m);
}

TEST(shaders_that_do_not_end)
{
    struct machine *m = create();
    const struct vertex *v[3];
    assemble(m, VERTEX_CODE, ":1\nbrr -, :1\nnop\nnop\nnop\n");
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_BUDGET);
    assert_int_equal(m->log.count[FAULT_BUDGET], 1);
    assert_int_equal(m->pipe.executed, 10000);
    assert_int_equal(m->budget.instructions_left, 990000);
    /* The pipe hangs until its control list thread is reset. */
    assert_int_equal(get(m, QPU_COORDINATE, first_three, 3, v), VERTEX_HUNG);
    vertex_pipe_abandon(&m->pipe);
    assert_int_equal(get(m, QPU_COORDINATE, first_three, 3, v), VERTEX_READY);
    assemble(m, VERTEX_CODE, "sacq -, 3\nnop; nop; thrend\nnop\nnop\n");
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_HUNG);
    assert_int_equal(m->log.count[FAULT_QPU_STUCK], 1);
    destroy(m);
}

/* Each QPU has four bits in V3D_SQRSV0 and 1 (manual table 63). Bit 2 forbids vertex shaders,
 * and bit 3 forbids coordinate shaders. */
TEST(reserved_qpus)
{
    struct machine *m = create();
    const struct vertex *v[3];
    m->pipe.reserve[0] = m->pipe.reserve[1] = 0x44444444;
    assert_int_equal(get(m, QPU_COORDINATE, first_three, 3, v), VERTEX_READY);
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_HUNG);
    assert_int_equal(m->log.count[FAULT_QPU_STUCK], 1);
    vertex_pipe_abandon(&m->pipe);
    m->pipe.reserve[0] = 0x44404444; /* only QPU 4 is allowed; the shader writes its number to Xs */
    assemble(m, VERTEX_CODE,
             READ_ALL3 WRITE "mov r0, qpu_num\nmov vpm, r0\nmov vpm, r1\nmov vpm, r2\n" THE_END);
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_int_equal(v[0]->x, 4);
    destroy(m);
}

/* Attributes in unmapped memory read as 0, and cause a finding. The other vertices of the batch
 * are complete. */
TEST(attributes_outside_of_memory)
{
    struct machine *m = create();
    m->record.attribute[0].address = MEMORY - 12;
    put_words(m, MEMORY - 12, article_vertex_stream, 12);
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_VERTEX, first_three, 2, v), VERTEX_READY);
    assert_int_equal(m->log.count[FAULT_BUS_UNMAPPED], 1);
    assert_int_equal(v[0]->x, 320 * 16);
    assert_true(v[1]->x == 0 && v[1]->inv_w == 0);
    destroy(m);
}

/* Vertices of NV mode, which are already shaded, pass through the same pipe. */
TEST(preshaded_vertices)
{
    struct machine *m = create();
    m->record = (struct shader_record){.code = CL_NV_SHADER_STATE,
                                       .varyings = 1,
                                       .vertex_stride = 16,
                                       .vertex_address = NV_VERTICES};
    for (uint32_t i = 0; i < 3; i++)
        store_le32(m->memory + NV_VERTICES + 16 * i + 12, float_bits((float)i + 0.5f));
    const struct vertex *v[3];
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_READY);
    assert_true(v[2]->varying[0] == 2.5f && v[0]->varying[0] == 0.5f);
    assert_true(v[0]->point_size == 9);
    assert_int_equal(m->pipe.shader_runs, 0);

    m->record.vertex_address = MEMORY;
    vertex_pipe_reset(&m->pipe);
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_MISSING);
    assert_false(m->pipe.hung);
    m->record.varyings = 61;
    assert_int_equal(get(m, QPU_VERTEX, first_three, 3, v), VERTEX_MISSING);
    assert_int_equal(m->log.count[FAULT_RECORD], 1);
    destroy(m);
}
