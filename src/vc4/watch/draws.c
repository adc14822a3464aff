/* SPDX-License-Identifier: MIT */
/* draws.c - see draws.h.
 *
 * The number of a draw contains the draw's bank, the generation of the bank's contents and the
 * draw's index in the bank. If a number is from an earlier generation, its counts are added to the
 * table's last row, which is the sum of all records without a row of their own. */
#include "vc4/watch/draws.h"

#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "isa/cl/cl.h"
#include "vc4/memory/bus.h"
#include "vc4/state/vertex.h"
#include "vc4/watch/draw_notes.h"

enum { INDEX_BITS = 20, GENERATION_BITS = 10, LEAST_ROOM = 16 };
_Static_assert(DRAWS_LIVE < 1 << INDEX_BITS, "an index plus 1 fits the number");

static uint32_t number_of(uint32_t bank, uint32_t generation, uint32_t index)
{
    generation &= (1 << GENERATION_BITS) - 1;
    return bank << (INDEX_BITS + GENERATION_BITS) | generation << INDEX_BITS | (index + 1);
}

static struct draw_live *live_of(struct draws *draws, uint32_t draw)
{
    uint32_t bank = draw >> (INDEX_BITS + GENERATION_BITS);
    uint32_t index = (draw & ((1 << INDEX_BITS) - 1)) - 1;
    if (draw == DRAWS_NONE || bank >= DRAWS_BANKS || index >= draws->bank[bank].count ||
        number_of(bank, draws->bank[bank].generation, index) != draw)
        return NULL;
    return &draws->bank[bank].live[index];
}

/* Enlarges an array for `wanted` items. Returns false if the host is out of memory. */
static bool make_room(void **items, uint32_t wanted, uint32_t *capacity, size_t size)
{
    if (wanted <= *capacity)
        return true;
    uint32_t more = *capacity ? 2 * *capacity : LEAST_ROOM;
    more = more < wanted ? wanted : more;
    void *larger = realloc(*items, more * size);
    if (!larger)
        return false;
    *items = larger;
    *capacity = more;
    return true;
}

void draws_free(struct draws *draws)
{
    for (uint32_t i = 0; i < DRAWS_BANKS; i++) {
        free(draws->bank[i].live);
        free(draws->bank[i].tile);
        free(draws->bank[i].mark);
    }
}

/* --- rows --- */

static bool is_row_of(const struct tess_vc4_draw_stats *row, const struct draw_record *record)
{
    return row->list_address == record->address && row->record == record->code &&
           row->thread == record->thread;
}

/* Returns the row of a record. Adds a row for a new record, or returns the last row (DRAWS_ROWS) if
 * the table is full. */
static uint32_t row_of(struct draws *draws, const struct draw_record *record)
{
    uint32_t slot = (record->address * 0x9e3779b1u >> 16) % DRAWS_SLOTS;
    for (; draws->slot[slot]; slot = (slot + 1) % DRAWS_SLOTS)
        if (is_row_of(&draws->row[draws->slot[slot] - 1], record))
            return draws->slot[slot] - 1u;
    if (draws->rows == DRAWS_ROWS)
        return DRAWS_ROWS;
    draws->row[draws->rows] = (struct tess_vc4_draw_stats){
        .list_address = record->address, .record = record->code, .thread = record->thread};
    draws->slot[slot] = (uint16_t)(draws->rows + 1);
    return draws->rows++;
}

/* --- draws --- */

/* Removes all draws and marks of a bank. */
static void renew(struct draw_bank *bank)
{
    bank->count = bank->marks = 0;
    bank->generation++;
}

void draws_begin_binning(struct draws *draws, uint32_t allocation, uint32_t block, uint32_t tiles_x,
                         uint32_t tiles_y)
{
    draws->binning = (draws->binning + 1) % DRAWS_BINNINGS;
    struct draw_bank *bank = &draws->bank[draws->binning];
    renew(bank);
    bank->allocation = allocation;
    bank->block = block;
    bank->tiles_x = tiles_x;
    bank->tiles = tiles_x * tiles_y;
    if (!make_room((void **)&bank->tile, bank->tiles, &bank->tile_capacity, sizeof *bank->tile)) {
        bank->tiles = 0;
        draws->lost = true;
        return;
    }
    memset(bank->tile, 0, bank->tiles * sizeof *bank->tile);
}

/* Adds a draw to bank `number`. Returns the draw's number, or DRAWS_NONE if there is no room. */
static uint32_t add_live(struct draws *draws, uint32_t number, const struct draw_record *record,
                         uint32_t row)
{
    struct draw_bank *bank = &draws->bank[number];
    if (bank->count == DRAWS_LIVE ||
        !make_room((void **)&bank->live, bank->count + 1, &bank->capacity, sizeof *bank->live)) {
        draws->lost = true;
        return DRAWS_NONE;
    }
    bank->live[bank->count] = (struct draw_live){
        .record = *record, .state = *record->state, .row = row, .executed = true};
    return number_of(number, bank->generation, bank->count++);
}

/* Returns the number of the draw of a record in a rendering list. All executions of the record in a
 * run, such as one for each tile, share one draw. */
static uint32_t rendering_draw(struct draws *draws, const struct draw_record *record, uint32_t row)
{
    if (row == DRAWS_ROWS)
        return DRAWS_NONE;
    if (!live_of(draws, draws->rendering[row]))
        draws->rendering[row] = add_live(draws, DRAWS_RENDERING, record, row);
    return draws->rendering[row];
}

uint32_t draws_begin(struct draws *draws, const struct draw_record *record)
{
    uint32_t row = row_of(draws, record);
    draws->row[row].executed++;
    return record->thread ? rendering_draw(draws, record, row)
                          : add_live(draws, draws->binning, record, row);
}

void draws_outside(struct draws *draws, uint32_t draw, struct draw_area area)
{
    struct draw_live *live = live_of(draws, draw);
    if (!live)
        return;
    struct draw_area *all = &live->outside;
    if (all->left >= all->right)
        *all = area;
    all->left = area.left < all->left ? area.left : all->left;
    all->bottom = area.bottom < all->bottom ? area.bottom : all->bottom;
    all->right = area.right > all->right ? area.right : all->right;
    all->top = area.top > all->top ? area.top : all->top;
}

/* --- counts --- */

static void add(struct draws *draws, uint32_t draw, const struct draw_counts *counts)
{
    struct draw_live *live = live_of(draws, draw);
    struct tess_vc4_draw_stats *row = &draws->row[live ? live->row : DRAWS_ROWS];
    for (unsigned i = 0; i < TESS_VC4_DRAW_COUNTS; i++) {
        draws->total[i] += counts->of[i];
        row->counts[i] += counts->of[i];
        if (live)
            live->counts.of[i] += counts->of[i];
    }
    if (!live)
        return;
    live->counts.at_clear += counts->at_clear;
    live->counts.blended += counts->blended;
    live->counts.clear_z = counts->at_clear ? counts->clear_z : live->counts.clear_z;
    if (!live->counts.stencil)
        live->counts.stencil = counts->stencil;
}

void draws_count(struct draws *draws, uint32_t draw, enum tess_vc4_draw_counter counter, uint64_t n)
{
    struct draw_live *live = live_of(draws, draw);
    draws->row[live ? live->row : DRAWS_ROWS].counts[counter] += n;
    draws->total[counter] += n;
    if (live)
        live->counts.of[counter] += n;
}

static struct draw_counts *add_row(struct draw_tally *tally, uint32_t draw)
{
    if (!make_room((void **)&tally->row, tally->count + 1, &tally->capacity, sizeof *tally->row)) {
        tally->lost = true;
        return NULL;
    }
    tally->row[tally->count] = (struct draw_tally_row){.draw = draw};
    return &tally->row[tally->count++].counts;
}

struct draw_counts *draw_tally_of(struct draw_tally *tally, uint32_t draw)
{
    for (uint32_t i = tally->count; i-- > 0;)
        if (tally->row[i].draw == draw)
            return &tally->row[i].counts;
    return add_row(tally, draw);
}

void draw_tally_free(struct draw_tally *tally)
{
    free(tally->row);
}

void draws_take(struct draws *draws, struct draw_tally *tally)
{
    for (uint32_t i = 0; i < tally->count; i++)
        add(draws, tally->row[i].draw, &tally->row[i].counts);
    draws->lost |= tally->lost;
    tally->count = 0;
}

/* --- tile lists --- */

static bool add_mark(struct draws *draws, struct draw_bank *bank, uint32_t address, uint32_t draw)
{
    if (bank->marks < DRAWS_MARKS && make_room((void **)&bank->mark, bank->marks + 1,
                                               &bank->mark_capacity, sizeof *bank->mark)) {
        bank->mark[bank->marks++] = (struct draw_mark){.address = address, .draw = draw};
        return true;
    }
    draws->lost = true;
    return false;
}

void draws_mark(struct draws *draws, uint32_t tile, uint32_t address, uint32_t draw)
{
    struct draw_bank *bank = &draws->bank[draws->binning];
    if (tile >= bank->tiles || bank->tile[tile].draw == draw ||
        !add_mark(draws, bank, address, draw))
        return;
    struct draw_tile *of = &bank->tile[tile];
    if (of->last)
        bank->mark[of->last - 1].next = bank->marks;
    else
        of->first = bank->marks;
    of->last = bank->marks;
    of->draw = draw;
}

/* Returns the number of the tile whose list begins at an address. If no list begins there, returns
 * a number that is at least bank->tiles. */
static uint32_t tile_at(const struct draw_bank *bank, uint32_t list)
{
    uint32_t offset = (list - bank->allocation) & BUS_ADDRESS_MASK;
    if (bank->block == 0 || offset % bank->block)
        return bank->tiles;
    return offset / bank->block;
}

struct draws_cursor draws_enter(const struct draws *draws, uint32_t list)
{
    for (uint32_t i = 0; i < DRAWS_BINNINGS; i++) {
        uint32_t number = (draws->binning + DRAWS_BINNINGS - i) % DRAWS_BINNINGS;
        const struct draw_bank *bank = &draws->bank[number];
        uint32_t tile = tile_at(bank, list);
        if (tile < bank->tiles)
            return (struct draws_cursor){
                .active = true, .bank = (uint8_t)number, .next = bank->tile[tile].first};
    }
    return (struct draws_cursor){0};
}

/* --- reports --- */

/* Returns true if a draw of the binning list may be rendered later: the draw is in tile lists whose
 * flush the rendering thread has not seen. */
static bool is_pending(const struct draws *draws, const struct draw_live *live)
{
    return live->record.thread == 0 && live->counts.of[TESS_VC4_DRAW_BINNED] &&
           !live->counts.of[TESS_VC4_DRAW_DRAWN] && live->record.flush > draws->flush_known;
}

static bool has_effect(const struct draw_live *live)
{
    return live->counts.of[TESS_VC4_DRAW_WRITTEN] || live->counts.of[TESS_VC4_DRAW_ACCUMULATED];
}

/* Returns true if none of a bank's executed draws has changed a pixel. */
static bool is_empty_frame(const struct draw_bank *bank)
{
    for (uint32_t i = 0; i < bank->count; i++)
        if (bank->live[i].executed && has_effect(&bank->live[i]))
            return false;
    return true;
}

static bool has_executed(const struct draw_bank *bank)
{
    for (uint32_t i = 0; i < bank->count; i++)
        if (bank->live[i].executed)
            return true;
    return false;
}

/* Returns true if no other bank contains draws that were executed since the last report. All draws
 * of the frame are then in this bank. A frame can have draws in its binning list and in its
 * rendering list. */
static bool is_alone(const struct draws *draws, const struct draw_bank *bank)
{
    const struct draw_bank *rendering = &draws->bank[DRAWS_RENDERING];
    if (bank != rendering)
        return !has_executed(rendering);
    for (uint32_t i = 0; i < DRAWS_BINNINGS; i++)
        if (has_executed(&draws->bank[i]))
            return false;
    return true;
}

/* Reports a draw that changed no pixel, at most once for each record and reason. empty_frame is
 * true if no draw of the frame changed a pixel. */
static void note(struct draws *draws, struct fault_log *log, const struct draw_live *live,
                 bool empty_frame)
{
    enum draw_reason reason = draw_reason(live);
    uint32_t bit = 1u << reason;
    if (has_effect(live) || draw_cause_is_reported(live, reason) ||
        !(empty_frame || draw_is_to_blame(live, reason)))
        return;
    if (live->row < DRAWS_ROWS) {
        if (draws->noted[live->row] & bit)
            return;
        draws->noted[live->row] |= bit;
    }
    draw_note(log, live, reason);
}

/* --- frames --- */

void draws_end_frame(struct draws *draws, uint32_t address, uint8_t code)
{
    draws->frames_ended++;
    draws->end_address = address;
    draws->end_record = code;
}

/* Adds a draw's counts to the counts of a frame. */
static void sum_up(struct draw_live *frame, const struct draw_live *live)
{
    for (unsigned i = 0; i < TESS_VC4_DRAW_COUNTS; i++)
        frame->counts.of[i] += live->counts.of[i];
    frame->counts.at_clear += live->counts.at_clear;
    frame->counts.blended += live->counts.blended;
}

/* Reports one note for a frame of several draws that changes no pixel. For a frame with one draw,
 * the note of that draw is enough. */
static void note_frame(struct draws *draws, struct fault_log *log, const struct draw_bank *bank)
{
    struct draw_live frame = {0};
    const struct draw_live *most = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < bank->count; i++) {
        const struct draw_live *live = &bank->live[i];
        if (!live->executed || is_pending(draws, live))
            continue;
        sum_up(&frame, live);
        count++;
    }
    enum draw_reason reason = draw_reason(&frame);
    for (uint32_t i = 0; i < bank->count; i++) {
        const struct draw_live *live = &bank->live[i];
        if (live->executed && !is_pending(draws, live) &&
            (!most || draw_taken(live, reason) > draw_taken(most, reason)))
            most = live;
    }
    if (count < 2 || draw_cause_is_reported(most, reason))
        return;
    struct draw_counts counts = most->counts;
    frame.record = most->record;
    frame.state = most->state;
    frame.outside = most->outside;
    frame.counts.clear_z = counts.clear_z;
    frame.counts.stencil = counts.stencil;
    bool one = draws->frames_ended == 1;
    uint32_t address = one ? draws->end_address : most->record.address;
    if (draws->noted_frame == address)
        return;
    draws->noted_frame = address;
    log->place = (struct tess_place){.known = TESS_PLACE_LIST,
                                     .thread = one ? 1 : most->record.thread,
                                     .list_address = address,
                                     .record = one ? draws->end_record : most->record.code};
    draw_note_frame(log, &frame, reason, count);
}

static void settle_bank(struct draws *draws, struct draw_bank *bank, struct fault_log *log,
                        enum tess_vc4_draw_notes notes)
{
    bool empty = is_empty_frame(bank), silent = draws->lost || !log ||
                                                notes == TESS_VC4_NOTE_NO_DRAWS ||
                                                (notes == TESS_VC4_NOTE_EMPTY_FRAMES && !empty);
    if (!silent && empty && is_alone(draws, bank))
        note_frame(draws, log, bank);
    for (uint32_t i = 0; i < bank->count; i++) {
        struct draw_live *live = &bank->live[i];
        if (!live->executed || is_pending(draws, live))
            continue;
        if (!silent)
            note(draws, log, live, empty);
        live->executed = false;
        live->counts = (struct draw_counts){0};
    }
}

void draws_report(struct draws *draws, struct fault_log *log, enum tess_vc4_draw_notes notes)
{
    if (!draws->frames_ended)
        return;
    for (uint32_t i = 0; i < DRAWS_BANKS; i++)
        settle_bank(draws, &draws->bank[i], log, notes);
    draws->frames_ended = 0;
    renew(&draws->bank[DRAWS_RENDERING]);
}

/* --- statistics --- */

bool draws_any(const struct tess_vc4_draw_stats *row)
{
    for (unsigned i = 0; i < TESS_VC4_DRAW_COUNTS; i++)
        if (row->counts[i])
            return true;
    return false;
}

const char *tess_vc4_draw_counter_name(enum tess_vc4_draw_counter counter)
{
    static const char *const names[] = {
        [TESS_VC4_DRAW_PRIMITIVES] = "primitives", [TESS_VC4_DRAW_CLIPPED] = "clipped",
        [TESS_VC4_DRAW_NOT_FINITE] = "not_finite", [TESS_VC4_DRAW_NO_AREA] = "no_area",
        [TESS_VC4_DRAW_CULLED] = "culled",         [TESS_VC4_DRAW_OUTSIDE] = "outside",
        [TESS_VC4_DRAW_BINNED] = "binned",         [TESS_VC4_DRAW_DRAWN] = "drawn",
        [TESS_VC4_DRAW_UNCOVERED] = "uncovered",   [TESS_VC4_DRAW_ACCUMULATED] = "accumulated",
        [TESS_VC4_DRAW_PIXELS] = "pixels",         [TESS_VC4_DRAW_Z_LIMITS] = "z_limits",
        [TESS_VC4_DRAW_EARLY_Z] = "early_z",       [TESS_VC4_DRAW_NO_COVERAGE] = "no_coverage",
        [TESS_VC4_DRAW_STENCIL] = "stencil",       [TESS_VC4_DRAW_DEPTH] = "depth",
        [TESS_VC4_DRAW_DISCARDED] = "discarded",   [TESS_VC4_DRAW_UNCHANGED] = "unchanged",
        [TESS_VC4_DRAW_WRITTEN] = "written",       [TESS_VC4_DRAW_ALPHA_ZERO] = "alpha_zero",
    };
    return (unsigned)counter < TESS_VC4_DRAW_COUNTS ? names[counter] : NULL;
}

/* --- saved states --- */

enum {
    LEAST_ROW = 4 + 1 + 1 + 8 + 8 * TESS_VC4_DRAW_COUNTS, /* bytes of a row in a state */
    LEAST_LIVE = 100 + 8 * TESS_VC4_DRAW_COUNTS,          /* least bytes of a draw */
    MARK_BYTES = 12,                                      /* bytes of a mark, or of a tile */
};

static void code_fields(struct state_stream *stream, uint8_t *code)
{
    state_u8(stream, code);
    state_require(stream, *code == 0 || cl_packet(*code) != NULL);
}

static void stats_fields(struct state_stream *stream, struct tess_vc4_draw_stats *row)
{
    state_u32(stream, &row->list_address);
    code_fields(stream, &row->record);
    state_below(stream, &row->thread, 2);
    state_u64(stream, &row->executed);
    state_u64s(stream, row->counts, TESS_VC4_DRAW_COUNTS);
}

/* Lists row i. When reading, the rows get their slots in the same order as before. */
static void row_fields(struct state_stream *stream, struct draws *draws, uint32_t i)
{
    struct tess_vc4_draw_stats row = draws->row[i];
    stats_fields(stream, &row);
    if (state_is_reading(stream)) {
        const struct draw_record record = {
            .address = row.list_address, .code = row.record, .thread = row.thread};
        if (!state_require(stream, row_of(draws, &record) == i))
            return;
        draws->row[i] = row;
    }
    STATE_FIELDS(stream, &draws->rendering[i], &draws->noted[i]);
}

static void counts_fields(struct state_stream *stream, struct draw_counts *counts)
{
    state_u64s(stream, counts->of, TESS_VC4_DRAW_COUNTS);
    STATE_FIELDS(stream, &counts->at_clear, &counts->blended, &counts->clear_z, &counts->stencil);
}

static void area_fields(struct state_stream *stream, struct draw_area *area)
{
    STATE_FIELDS(stream, &area->left, &area->bottom, &area->right, &area->top);
}

static void record_fields(struct state_stream *stream, struct draw_record *record)
{
    state_u32(stream, &record->address);
    code_fields(stream, &record->code);
    state_below(stream, &record->thread, 2);
    state_below(stream, &record->mode, MODE_COUNT);
    STATE_FIELDS(stream, &record->length, &record->flush);
}

static void live_fields(struct state_stream *stream, struct draw_live *live)
{
    record_fields(stream, &live->record);
    cl_state_fields(stream, &live->state);
    state_in(stream, &live->row, 0, DRAWS_ROWS);
    state_bool(stream, &live->executed);
    area_fields(stream, &live->outside);
    counts_fields(stream, &live->counts);
}

static void tile_fields(struct state_stream *stream, struct draw_tile *tile, uint32_t marks)
{
    state_in(stream, &tile->first, 0, marks);
    state_in(stream, &tile->last, 0, marks);
    state_u32(stream, &tile->draw);
}

static void mark_fields(struct state_stream *stream, struct draw_mark *mark, uint32_t marks)
{
    STATE_FIELDS(stream, &mark->address, &mark->draw);
    state_in(stream, &mark->next, 0, marks);
}

/* Lists the number of elements of an array of a bank, and allocates the array when reading. */
static bool array_fields(struct state_stream *stream, void *array, size_t size, uint32_t *count,
                         uint32_t *capacity, uint32_t limit, size_t least)
{
    uint32_t all = state_count(stream, *count, limit, least);
    if (!state_allocate(stream, array, all, size))
        return false;
    if (state_is_reading(stream))
        *count = *capacity = all;
    return true;
}

static void bank_fields(struct state_stream *stream, struct draw_bank *bank)
{
    STATE_FIELDS(stream, &bank->generation, &bank->allocation, &bank->block, &bank->tiles_x);
    if (!array_fields(stream, &bank->live, sizeof *bank->live, &bank->count, &bank->capacity,
                      DRAWS_LIVE, LEAST_LIVE) ||
        !array_fields(stream, &bank->tile, sizeof *bank->tile, &bank->tiles, &bank->tile_capacity,
                      UINT16_MAX, MARK_BYTES) ||
        !array_fields(stream, &bank->mark, sizeof *bank->mark, &bank->marks, &bank->mark_capacity,
                      DRAWS_MARKS, MARK_BYTES))
        return;
    for (uint32_t i = 0; i < bank->count; i++)
        live_fields(stream, &bank->live[i]);
    for (uint32_t i = 0; i < bank->tiles; i++)
        tile_fields(stream, &bank->tile[i], bank->marks);
    for (uint32_t i = 0; i < bank->marks; i++)
        mark_fields(stream, &bank->mark[i], bank->marks);
}

void draws_fields(struct state_stream *stream, struct draws *draws)
{
    struct state_section section = state_open(stream, STATE_TAG('D', 'R', 'A', 'W'));
    uint32_t rows = state_count(stream, draws->rows, DRAWS_ROWS, LEAST_ROW);
    for (uint32_t i = 0; i < rows; i++)
        row_fields(stream, draws, i);
    stats_fields(stream, &draws->row[DRAWS_ROWS]);
    for (uint32_t i = 0; i < DRAWS_BANKS; i++)
        bank_fields(stream, &draws->bank[i]);
    state_below(stream, &draws->binning, DRAWS_BINNINGS);
    state_u64s(stream, draws->total, TESS_VC4_DRAW_COUNTS);
    STATE_FIELDS(stream, &draws->lost, &draws->frames_ended, &draws->end_address);
    code_fields(stream, &draws->end_record);
    STATE_FIELDS(stream, &draws->noted_frame, &draws->flush_known);
    state_close(stream, &section);
}

void draws_cursor_fields(struct state_stream *stream, struct draws_cursor *cursor,
                         const struct draws *draws)
{
    state_bool(stream, &cursor->active);
    state_below(stream, &cursor->bank, DRAWS_BINNINGS);
    STATE_FIELDS(stream, &cursor->next, &cursor->draw);
    state_require(stream, cursor->next <= draws->bank[cursor->bank].marks);
}
