/* SPDX-License-Identifier: MIT */
/* vpm.c - the vertex pipeline memory: setups, the number of vectors that they allow, and
 * the rows in use.
 *
 * In:     an instruction with the state before it.
 * Out:    findings. A setup that is not constant makes the rows unknown.
 * Source: qpu_rules.def; manual, section 7; vc4asm's addendum. */
#include <stdio.h>

#include "check/qpu/qpu_walk.h"

enum {
    VPM_DISTANCE = 4,    /* smallest distance in instructions from a read setup to the first read */
    VERTEX_ROWS = 3,     /* Xs and Ys, Zs, 1/Wc */
    COORDINATE_ROWS = 7, /* Xc, Yc, Zc, Wc, then the rows of a vertex shader */
};

static uint8_t next_row(struct rows *rows)
{
    uint8_t row = rows->row;
    if (row == ROW_UNKNOWN)
        return row;
    unsigned next = ((unsigned)row << rows->parts_log2 | rows->part) + rows->stride;
    rows->row = (uint8_t)(next >> rows->parts_log2 & 63);
    rows->part = (uint8_t)(next & ((1u << rows->parts_log2) - 1));
    return row;
}

static bool is_vertex(const struct checker *checker)
{
    return checker->kind == TESS_SHADER_VERTEX || checker->kind == TESS_SHADER_COORDINATE;
}

/* Reports a vertex program that uses the next row twice. */
static void check_again(const struct walk *walk, const struct rows *rows, uint32_t subject,
                        const char *what)
{
    if (is_vertex(walk->checker) && rows->row != ROW_UNKNOWN && !rows->parts_log2 &&
        rows->may != UINT64_MAX && (rows->may >> rows->row & 1))
        FOUND(walk, CHECK_ROW_AGAIN, CHECK_NONE, subject + rows->row, "row %u is %s again",
              rows->row, what);
}

void qpu_check_rows_again(const struct walk *walk)
{
    if (walk->facts->accesses & ACCESS_VPM_READ)
        check_again(walk, &walk->state->inputs, 0, "read");
    if (walk->facts->accesses & ACCESS_VPM_WRITE)
        check_again(walk, &walk->state->outputs, 64, "written");
}

/* Records that the next row is read or written. */
static void use_row(struct rows *rows)
{
    uint8_t row = next_row(rows);
    rows->must |= row == ROW_UNKNOWN ? 0 : UINT64_C(1) << row;
    rows->may |= row == ROW_UNKNOWN ? UINT64_MAX : UINT64_C(1) << row;
}

/* Sets the first row and the stride of a setup for whole 32-bit rows. Other shapes are not
 * tracked. */
static void set_rows(struct rows *rows, bool known, uint32_t value)
{
    rows->row = ROW_UNKNOWN;
    rows->stride = rows->part = rows->parts_log2 = 0;
    if (!known || !setup_is_whole_rows(value))
        return;
    rows->row = setup_vpm(value).row;
    rows->stride = (uint8_t)setup_get(value, SETUP_VPM_STRIDE);
}

/* Like set_rows(), but for horizontal vectors of bytes or 16-bit halves, packed or laned, which
 * user programs write. Each vector fills a part of a row. */
static void set_narrow_rows(struct rows *rows, uint32_t value)
{
    const struct setup_vpm vpm = setup_vpm(value);
    if (vpm.vertical || !vpm.parts_log2)
        return;
    rows->parts_log2 = vpm.parts_log2;
    rows->row = vpm.row;
    rows->part = vpm.part;
    rows->stride = (uint8_t)setup_get(value, SETUP_VPM_STRIDE);
}

/* Records the rows of a read setup. If one vector of the previous setup is left, the new rows
 * follow that vector. If more vectors are left, the hardware may drop the new setup, so the rows
 * become unknown. */
static void queue_rows(struct state *state, bool queued, bool known, uint32_t value)
{
    bool one = state->vpm_left.low != 0 && state->vpm_left.high != UNLIMITED &&
               state->vpm_left.low == state->vpm_left.high;
    set_rows(queued ? &state->queued : &state->inputs, known, value);
    if (queued && (!one || !known || state->queued.row == ROW_UNKNOWN)) {
        state->queued.row = state->inputs.row = ROW_UNKNOWN;
        state->inputs.may = UINT64_MAX;
    }
}

static void take_queued(struct state *state)
{
    if (state->queued.row == ROW_UNKNOWN)
        return;
    state->inputs.row = state->queued.row;
    state->inputs.stride = state->queued.stride;
    state->queued.row = ROW_UNKNOWN;
}

/* Reports a read setup that is written while several vectors of the previous one are left. */
void qpu_check_queued_setup(const struct walk *walk)
{
    bool reads = walk->facts->accesses & ACCESS_VPM_READ;
    struct range left = reads ? range_take(walk->state->vpm_left) : walk->state->vpm_left;
    uint32_t value = 0;
    if (left.low > 1 && walk_writes(walk, QPU_WR_VPM_SETUP, false) &&
        !(walk_result(walk, walk->unit, &value) && setup_get(value, SETUP_LOAD_IS_LOAD)))
        FOUND(walk, CHECK_VPM_QUEUED, walk->state->vpm_setup_at, 0,
              "a read setup is written while %u vectors of the previous one are left", left.low);
}

static void read_setup(struct walk *walk, bool known, uint32_t value)
{
    struct state *state = walk->state;
    if (known && setup_get(value, SETUP_LOAD_IS_LOAD)) /* or the pitch of a load */
        return;
    unsigned number = setup_get(value, SETUP_VPM_NUMBER);
    bool queued = state->vpm_left.high != 0, overfilled = state->vpm_left.low > 1;
    state->vpm_age = queued ? 0 : 1;
    state->vpm_left = known && !overfilled ? range_add(state->vpm_left, number, number)
                                           : (struct range){0, UNLIMITED};
    state->vpm_setup_at = walk->word;
    state->vpm_may_setup = true;
    queue_rows(state, queued, known, value);
}

static void write_setup(struct walk *walk, bool known, uint32_t value)
{
    struct state *state = walk->state;
    if (known && setup_get(value, SETUP_ANY_ID) >= SETUP_ID_STORE)
        return;
    state->vpm_may_write_setup = true;
    set_rows(&state->outputs, known, value);
    if (known && walk->checker->kind == TESS_SHADER_USER)
        set_narrow_rows(&state->outputs, value);
}

void qpu_check_no_vectors(const struct walk *walk)
{
    const struct state *state = walk->state;
    if (!(walk->facts->accesses & ACCESS_VPM_READ))
        return;
    if (!state->vpm_may_setup)
        FOUND(walk, CHECK_VPM_EMPTY, CHECK_NONE, 0, "the VPM is read without a read setup");
    else if (state->vpm_left.high == 0)
        walk_title(walk, CHECK_VPM_EMPTY, state->vpm_setup_at);
}

void qpu_check_early_read(const struct walk *walk)
{
    const struct state *state = walk->state;
    if ((walk->facts->accesses & ACCESS_VPM_READ) && state->vpm_may_setup &&
        state->vpm_left.high > 0 && state->vpm_age)
        FOUND(walk, CHECK_VPM_READ_EARLY, state->vpm_setup_at, 0,
              "the VPM is read %u instruction%s after its read setup; the minimum is %d",
              state->vpm_age, state->vpm_age == 1 ? "" : "s", VPM_DISTANCE);
}

bool qpu_writes_without_setup(const struct walk *walk)
{
    return (walk->facts->accesses & ACCESS_VPM_WRITE) && !walk->state->vpm_may_write_setup;
}

void walk_vpm(struct walk *walk)
{
    struct state *state = walk->state;
    uint32_t accesses = walk->facts->accesses, value = 0;
    if (accesses & ACCESS_VPM_READ) {
        state->vpm_left = range_take(state->vpm_left);
        state->vpm_age = 0;
        use_row(&state->inputs);
        take_queued(state);
    }
    if (state->vpm_age)
        state->vpm_age = state->vpm_age < VPM_DISTANCE - 1 ? (uint8_t)(state->vpm_age + 1) : 0;
    if (accesses & ACCESS_VPM_WRITE)
        use_row(&state->outputs);
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &walk->facts->write[unit];
        if (!write->present || write->address != QPU_WR_VPM_SETUP)
            continue;
        bool known = walk_result(walk, unit, &value);
        if (write->file_b)
            write_setup(walk, known, value);
        else
            read_setup(walk, known, value);
    }
}

/* Reports rows that some or all paths to the end do not use. */
static void report_rows(const struct walk *walk, const struct rows *rows, int count,
                        enum check_rule rule, const char *what)
{
    for (int row = 0; row < count && row < 64; row++) {
        bool may = rows->may >> row & 1, must = rows->must >> row & 1;
        if (!may || (!must && rows->may != UINT64_MAX))
            FOUND(walk, rule, CHECK_NONE, (uint32_t)row, "row %d of the %s%s", row, what,
                  may ? " on one path to the program's end" : "");
    }
}

/* Writes the end of a message about a missing row: the words of a shaded vertex, with the number of
 * words if the shader record specifies it. */
static const char *output_text(const struct checker *checker, char *text, size_t size)
{
    bool vertex = checker->kind == TESS_SHADER_VERTEX;
    int least = vertex ? VERTEX_ROWS : COORDINATE_ROWS, words = checker->entry.outputs;
    if (words == 0)
        return "shaded vertex is not written";
    snprintf(text, size, "%d words of a shaded vertex (%sYs and Xs, Zs, 1/Wc%s) is not written",
             words, vertex ? "" : "Xc, Yc, Zc, Wc, ",
             words == least ? ""
             : vertex       ? ", then point size and varyings"
                            : ", point size");
    return text;
}

/* Returns the last row in use plus 1, or 0 if unknown. */
static int row_count(const struct rows *rows)
{
    return rows->may && rows->may != UINT64_MAX ? 64 - __builtin_clzll(rows->may) : 0;
}

void qpu_check_attributes(const struct walk *walk)
{
    const struct rows *inputs = &walk->state->inputs;
    int rows = walk->checker->entry.rows;
    if (is_vertex(walk->checker))
        report_rows(walk, inputs, rows < 0 ? row_count(inputs) : rows, CHECK_ATTRIBUTE_LEFT,
                    "attributes is not read");
}

void qpu_check_outputs(const struct walk *walk)
{
    const struct checker *checker = walk->checker;
    const struct rows *outputs = &walk->state->outputs;
    char text[160];
    int least = checker->kind == TESS_SHADER_VERTEX ? VERTEX_ROWS : COORDINATE_ROWS;
    least = checker->entry.outputs > least ? checker->entry.outputs : least;
    if (is_vertex(checker))
        report_rows(walk, outputs, row_count(outputs) > least ? row_count(outputs) : least,
                    CHECK_OUTPUT_LEFT, output_text(checker, text, sizeof text));
}

void qpu_check_left_vectors(const struct walk *walk)
{
    const struct state *state = walk->state;
    struct range left = state->vpm_left;
    unsigned most = left.high == UNLIMITED ? left.low : left.high;
    if (most)
        FOUND_CAUSE(walk, CHECK_VPM_LEFT, state->vpm_setup_at, 0,
                    "%u vector%s of this setup %s not read from the VPM %s", most,
                    most == 1 ? "" : "s", most == 1 ? "is" : "are",
                    left.low ? "before the program ends" : "on one path to the program's end");
}
