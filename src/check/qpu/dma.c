/* SPDX-License-Identifier: MIT */
/* dma.c - DMA transfers: setup word, VPM rows, address, stride, and the wait for the end.
 *
 * In:     an instruction with the state before it.
 * Out:    findings: setups that are invalid or missing, rows past the edge of the VPM, rows that no
 *         instruction has written, a transfer in progress at an interrupt, at the next transfer or
 *         at the program's end, and VPM rows that are used while a transfer moves them.
 * Source: qpu_rules.def; manual, section 7 (tables 32 to 37); vc4asm's addendum for the rows of
 *         vertical transfers.
 * Choice: rows are compared only where both setups are constants and move 32-bit words; other
 *         setups are not tracked. Rows count as unwritten only in programs that write some rows
 *         themselves and use neither a semaphore nor the mutex. In other programs another QPU may
 *         have written them. */
#include <limits.h>
#include <stdio.h>

#include "check/qpu/qpu_walk.h"

enum { VPM_ROWS = 64, VPM_COLUMNS = 16, COLUMN_ROWS = 16 };

/* Returns a set of count rows: first, first + step, and so on. Bit n is row n. Rows above 63 are
 * left out. */
static uint64_t rows_from(unsigned first, unsigned count, unsigned step)
{
    uint64_t rows = 0;
    for (unsigned i = 0; i < count && i < VPM_ROWS; i++)
        if (first + i * step < VPM_ROWS)
            rows |= UINT64_C(1) << (first + i * step);
    return rows;
}

/* Returns the rows that a DMA load fills (manual, table 36), or 0 if unknown. */
static uint64_t rows_of_load(uint32_t value)
{
    unsigned length = setup_get(value, SETUP_LOAD_LENGTH);
    unsigned count = setup_get(value, SETUP_LOAD_ROWS);
    unsigned pitch = setup_get(value, SETUP_LOAD_VPM_PITCH), row = setup_get(value, SETUP_LOAD_ROW);
    bool words = setup_get(value, SETUP_LOAD_MODE) == 0;
    bool vertical = setup_get(value, SETUP_LOAD_VERTICAL);
    uint64_t rows = 0;
    for (unsigned i = 0; words && i < count; i++)
        rows |= rows_from(row + i * pitch, vertical ? length : 1, 1);
    return rows;
}

/* Fields of a DMA store's setup (manual, table 34). */
struct store {
    unsigned units, depth, row, column, mode;
    bool horizontal;
};

static struct store store_of(uint32_t value)
{
    return (struct store){.units = setup_get(value, SETUP_STORE_UNITS),
                          .depth = setup_get(value, SETUP_STORE_DEPTH),
                          .row = setup_get(value, SETUP_STORE_ROW),
                          .column = setup_get(value, SETUP_STORE_COLUMN),
                          .mode = setup_get(value, SETUP_STORE_MODE),
                          .horizontal = setup_get(value, SETUP_STORE_HORIZONTAL)};
}

/* Returns the rows that a DMA store reads, or 0 if unknown. A store of columns that reaches the end
 * of a block of 16 rows continues at the first row of the block. */
static uint64_t rows_of_store(uint32_t value)
{
    const struct store store = store_of(value);
    unsigned across = store.horizontal ? store.depth : store.units;
    if (store.mode || store.column + across > VPM_COLUMNS)
        return 0;
    if (store.horizontal)
        return rows_from(store.row, store.units, 1);
    uint64_t rows = 0;
    unsigned top = store.row / COLUMN_ROWS * COLUMN_ROWS;
    for (unsigned i = 0; i < store.depth; i++)
        rows |= rows_from(top + (store.row + i) % COLUMN_ROWS, 1, 1);
    return rows;
}

/* Returns the rows of a read setup (manual, table 33), or 0 if unknown. */
static uint64_t rows_of_read(uint32_t value)
{
    if (!setup_is_whole_rows(value))
        return 0;
    return rows_from(setup_vpm(value).row, setup_get(value, SETUP_VPM_NUMBER),
                     setup_get(value, SETUP_VPM_STRIDE));
}

/* --- setups --- */

/* Returns the rows that the latest setup of a DMA store or of a DMA load selects, or 0 if
 * unknown. */
static uint64_t rows_of_setup(const struct walk *walk, bool store)
{
    const struct transfer *transfer = store ? &walk->state->store : &walk->state->load;
    if (!transfer->setup.known || (store && walk->state->vpm_may_block))
        return 0;
    return store ? rows_of_store(transfer->setup.value) : rows_of_load(transfer->setup.value);
}

/* Returns the transfer that the write starts, or NULL. */
static const struct transfer *started(const struct walk *walk)
{
    if (walk_writes(walk, QPU_WR_VPM_ADDRESS, true))
        return &walk->state->store;
    return walk_writes(walk, QPU_WR_VPM_ADDRESS, false) ? &walk->state->load : NULL;
}

/* Returns true if the write starts a store. */
static bool starts_store(const struct walk *walk)
{
    return started(walk) == &walk->state->store;
}

/* Stores a known value of a setup that the write writes, and returns true. */
static bool takes(const struct walk *walk, bool store, uint32_t *value)
{
    return walk_writes(walk, QPU_WR_VPM_SETUP, store) && walk_result(walk, walk->unit, value);
}

/* Returns the rows for which the write sets up a read, or 0. */
static uint64_t rows_to_read(const struct walk *walk)
{
    uint32_t value;
    bool reads = takes(walk, false, &value) && setup_get(value, SETUP_ANY_ID) == SETUP_ID_VPM;
    return reads ? rows_of_read(value) : 0;
}

/* Writes "row 3" or "rows 3 to 8" for the first run of consecutive rows in the set. */
static const char *first_rows(uint64_t rows, char *text, size_t size)
{
    unsigned first = (unsigned)__builtin_ctzll(rows), last = first;
    while (last + 1 < VPM_ROWS && (rows >> (last + 1) & 1))
        last++;
    if (first == last)
        snprintf(text, size, "row %u", first);
    else
        snprintf(text, size, "rows %u to %u", first, last);
    return text;
}

/* Reports a DMA store whose setup has its VPM address in the format of a load: the program has
 * called vc4.qinc's vdr_h32() or vdr_v32() instead of dma_h32() or dma_v32(). The message names
 * both functions. */
static void report_swapped(const struct walk *walk, uint64_t rows, uint64_t written,
                           uint32_t setup_at)
{
    char these[32], those[32];
    uint32_t value = walk->state->store.setup.value;
    char shape = setup_get(value, SETUP_LOAD_VERTICAL) ? 'v' : 'h';
    unsigned row = setup_get(value, SETUP_LOAD_ROW) & 63;
    unsigned column = setup_get(value, SETUP_LOAD_COLUMN);
    FOUND(walk, CHECK_VPM_UNWRITTEN, setup_at, 0,
          "the DMA store reads %s of the VPM, but the program wrote %s: the address in its "
          "setup is that of a load, vdr_%c32(%u, %u, %u)" WITH_HINT
          "write dma_%c32(%u, %u), the address of a store",
          first_rows(rows, these, sizeof these), first_rows(written, those, sizeof those), shape,
          setup_get(value, SETUP_LOAD_VPM_PITCH) & 15, row, column, shape, row, column);
}

static void report_unwritten(const struct walk *walk, uint64_t rows, uint64_t written,
                             const char *what, uint32_t setup_at)
{
    char these[32], those[32];
    FOUND(walk, CHECK_VPM_UNWRITTEN, setup_at, 0,
          "%s uses %s of the VPM, which the program has not written; it wrote %s", what,
          first_rows(rows & ~written, these, sizeof these),
          first_rows(written, those, sizeof those));
}

/* Returns the rows that the program has written. Returns all rows if other QPUs, or setups with
 * unknown values, may have written some. */
static uint64_t written_rows(const struct walk *walk)
{
    const struct state *state = walk->state;
    uint64_t written = state->outputs.may | state->loaded;
    bool alone = walk->checker->kind == TESS_SHADER_USER && walk->checker->fresh &&
                 !state->may_share && !walk->checker->entry.mixed;
    return alone && written ? written : UINT64_MAX;
}

/* Returns true if the setup of the store probably has its VPM address in the format of a load.
 * Decoded as a store's address, the field selects no written row. Decoded as a load's address, it
 * selects a written row. */
static bool is_swapped(const struct walk *walk, uint64_t rows)
{
    unsigned row = setup_get(walk->state->store.setup.value, SETUP_LOAD_ROW);
    uint64_t written = written_rows(walk);
    return rows && !(rows & written) && row < VPM_ROWS && (written >> row & 1);
}

/* Reports rows that a store or a read uses before they are written. */
void qpu_check_unwritten_rows(const struct walk *walk)
{
    bool store = starts_store(walk);
    uint64_t rows = store ? rows_of_setup(walk, true) : rows_to_read(walk);
    uint64_t written = written_rows(walk);
    uint32_t setup_at = store ? walk->state->store.setup.at : CHECK_NONE;
    if (store && is_swapped(walk, rows))
        report_swapped(walk, rows, written, setup_at);
    else if (rows & ~written)
        report_unwritten(walk, rows, written, store ? "the DMA store" : "this read", setup_at);
}

static void report_overlap(const struct walk *walk, const struct transfer *transfer, uint64_t rows,
                           const char *what, const char *name)
{
    uint64_t both = transfer->busy ? transfer->rows & rows : 0;
    if (both)
        FOUND(walk, CHECK_VPM_UNFINISHED, transfer->at, 0,
              "%s VPM row %d before a wait for the DMA %s that %s it", what, __builtin_ctzll(both),
              name, name[0] == 'l' ? "fills" : "reads");
}

/* Reports rows that are used while a transfer moves them. */
void qpu_check_moved_rows(const struct walk *walk)
{
    const struct state *state = walk->state;
    bool vector = walk->facts->write[walk->unit].address == QPU_WR_VPM &&
                  state->outputs.row != ROW_UNKNOWN;
    uint64_t row = vector ? UINT64_C(1) << state->outputs.row : 0;
    report_overlap(walk, &state->store, row, "a vector is written to", "store");
    report_overlap(walk, &state->load, row, "a vector is written to", "load");
    report_overlap(walk, &state->load, rows_to_read(walk), "a read is set up for", "load");
    if (starts_store(walk))
        report_overlap(walk, &state->load, rows_of_setup(walk, true), "a DMA store reads", "load");
    else if (started(walk))
        report_overlap(walk, &state->store, rows_of_setup(walk, false), "a DMA load fills",
                       "store");
}

/* Reports the setup of a transfer that begins at a row above 63. */
void qpu_check_reach(const struct walk *walk)
{
    uint32_t value;
    if (takes(walk, true, &value) && setup_get(value, SETUP_ANY_ID) == SETUP_ID_STORE &&
        setup_get(value, SETUP_STORE_ROW) >= VPM_ROWS)
        FOUND(walk, CHECK_VPM_ROW, CHECK_NONE, 1, "the DMA store begins at row %u",
              setup_get(value, SETUP_STORE_ROW));
    if (takes(walk, false, &value) && setup_get(value, SETUP_LOAD_IS_LOAD) &&
        setup_get(value, SETUP_LOAD_KIND) != SETUP_KIND_LOAD_PITCH &&
        setup_get(value, SETUP_LOAD_ROW) >= VPM_ROWS)
        FOUND(walk, CHECK_VPM_ROW, CHECK_NONE, 0, "the DMA load begins at row %u",
              setup_get(value, SETUP_LOAD_ROW));
}

/* Reports reserved values in a setup word, and a transfer without a setup. */
void qpu_check_setup(const struct walk *walk)
{
    const struct transfer *transfer = started(walk);
    uint32_t value;
    bool store = takes(walk, true, &value);
    unsigned id = store || takes(walk, false, &value) ? setup_get(value, SETUP_ANY_ID) : UINT_MAX;
    if (id == SETUP_ID_RESERVED)
        FOUND(walk, CHECK_VPM_SETUP, CHECK_NONE, 2,
              "bits 31:30 of this setup are 1, which is reserved");
    if (id == SETUP_ID_VPM && setup_get(value, SETUP_VPM_SIZE) == SETUP_SIZE_RESERVED)
        FOUND(walk, CHECK_VPM_SETUP, CHECK_NONE, 3,
              "the size of this setup is 3, which is reserved");
    if (store && id == SETUP_ID_STORE && setup_get(value, SETUP_STORE_MODE) == SETUP_MODE_RESERVED)
        FOUND(walk, CHECK_VPM_SETUP, CHECK_NONE, 4, "MODEW 1 of a DMA store is reserved");
    if (store && id == SETUP_ID_STORE && setup_get(value, SETUP_STORE_LANED))
        FOUND(walk, CHECK_VPM_SETUP, CHECK_NONE, 5, "bit 15 of a DMA store's setup must be 0");
    if (transfer && !transfer->may_setup)
        FOUND(walk, CHECK_VPM_SETUP, CHECK_NONE, 6,
              "a DMA %s is started without a setup" WITH_HINT
              "write %s_setup with v%s_setup_0() before the address",
              starts_store(walk) ? "store" : "load", starts_store(walk) ? "vw" : "vr",
              starts_store(walk) ? "dw" : "dr");
}

static void put_setup(struct walk *walk, struct setup *setup, bool known, uint32_t value)
{
    *setup = (struct setup){.value = known ? value : 0, .at = walk->word, .known = known};
}

static void take_store_setup(struct walk *walk, bool known, uint32_t value)
{
    struct state *state = walk->state;
    if (!known || setup_get(value, SETUP_ANY_ID) == SETUP_ID_STORE) {
        put_setup(walk, &state->store.setup, known, value);
        state->store.may_setup = true;
    }
    if (!known || setup_get(value, SETUP_ANY_ID) == SETUP_ID_STORE_STRIDE) {
        put_setup(walk, &state->store.stride, known, value);
        state->vpm_may_block = !known || setup_get(value, SETUP_STORE_STRIDE_BLOCK);
    }
}

static void take_load_setup(struct walk *walk, bool known, uint32_t value)
{
    struct state *state = walk->state;
    bool stride = known && setup_get(value, SETUP_LOAD_KIND) == SETUP_KIND_LOAD_PITCH;
    if (stride || !known)
        put_setup(walk, &state->load.stride, known, value);
    if (!stride && (!known || setup_get(value, SETUP_LOAD_IS_LOAD))) {
        put_setup(walk, &state->load.setup, known, value);
        state->load.may_setup = true;
    }
}

static void take_setup(struct walk *walk, unsigned unit, bool file_b)
{
    uint32_t value = 0;
    bool known = walk_result(walk, unit, &value);
    if (file_b)
        take_store_setup(walk, known, value);
    else
        take_load_setup(walk, known, value);
}

/* --- transfers --- */

/* If the write starts a store of 32-bit words with a known setup, sets *store to its fields and
 * returns true. */
static bool starts_words(const struct walk *walk, struct store *store)
{
    const struct setup *setup = &walk->state->store.setup;
    *store = store_of(setup->value);
    return starts_store(walk) && setup->known && !store->mode && !walk->state->vpm_may_block &&
           !is_swapped(walk, rows_of_setup(walk, true));
}

void qpu_check_width(const struct walk *walk)
{
    const uint32_t load = walk->state->load.setup.value;
    struct store store;
    bool stores = starts_words(walk, &store) && store.horizontal;
    bool loads = started(walk) == &walk->state->load && walk->state->load.setup.known &&
                 setup_get(load, SETUP_LOAD_MODE) == 0 && !setup_get(load, SETUP_LOAD_VERTICAL);
    unsigned length = stores ? store.depth : setup_get(load, SETUP_LOAD_LENGTH);
    unsigned column = stores ? store.column : setup_get(load, SETUP_LOAD_COLUMN);
    if ((stores || loads) && column + length > VPM_COLUMNS)
        FOUND(walk, CHECK_VPM_WIDTH, started(walk)->setup.at, loads,
              "rows of %u words from column %u on extend past column 15", length, column);
}

void qpu_check_column(const struct walk *walk)
{
    struct store store;
    bool vertical = starts_words(walk, &store) && !store.horizontal;
    unsigned last = store.row / COLUMN_ROWS * COLUMN_ROWS + COLUMN_ROWS - 1;
    if (vertical && store.row + store.depth > last + 1)
        FOUND(walk, CHECK_VPM_COLUMN, walk->state->store.setup.at, 0,
              "%u words of a column from row %u on are stored; the column ends at row %u, so "
              "the other words are read from row %u on",
              store.depth, store.row, last, last + 1 - COLUMN_ROWS);
}

/* Returns the size of an element in bytes, from the mode of a setup, or 0 if the size is
 * unknown. */
static unsigned element_bytes(const struct setup *setup, bool store)
{
    unsigned mode = setup_get(setup->value, store ? SETUP_STORE_MODE : SETUP_LOAD_MODE);
    return setup->known ? 4u >> setup_mode_parts_log2(mode) : 0;
}

void qpu_check_alignment(const struct walk *walk)
{
    const struct transfer *transfer = started(walk);
    bool store = starts_store(walk);
    if (!transfer)
        return;
    unsigned bytes = element_bytes(&transfer->setup, store);
    const uint32_t setup = transfer->setup.value;
    unsigned rows = setup_get(setup, store ? SETUP_STORE_UNITS : SETUP_LOAD_ROWS);
    bool strides = rows > 1 && transfer->stride.known &&
                   (store || !setup_get(setup, SETUP_LOAD_PITCH));
    uint32_t stride = setup_get(transfer->stride.value, SETUP_STORE_STRIDE_BYTES);
    uint32_t address;
    if (bytes && walk_word(walk, walk->unit, &address) && address % bytes)
        FOUND(walk, CHECK_VPM_ALIGNMENT, transfer->setup.at, 0,
              "the address 0x%08x of a DMA %s is not a multiple of the element size, %u bytes",
              address, store ? "store" : "load", bytes);
    if (bytes && strides && stride % bytes)
        FOUND(walk, CHECK_VPM_ALIGNMENT, transfer->stride.at, 1,
              "the stride of a DMA %s, %u bytes, is not a multiple of the element size, %u bytes",
              store ? "store" : "load", stride, bytes);
}

/* Reports a transfer that is started before the previous one has ended. Reports only the first such
 * transfer of a program, because a program that starts one transfer early usually starts all of
 * them early. */
void qpu_check_busy(const struct walk *walk)
{
    const struct transfer *transfer = started(walk);
    if (!transfer || !transfer->busy || walk->checker->reported_busy)
        return;
    FOUND(walk, CHECK_VPM_DMA_BUSY, transfer->at, 0,
          "a DMA %s is started without a wait for the previous one",
          starts_store(walk) ? "store" : "load");
    walk->checker->reported_busy = true;
}

static void take_address(struct walk *walk, bool store)
{
    struct state *state = walk->state;
    struct transfer *begun = store ? &state->store : &state->load;
    begun->rows = rows_of_setup(walk, store);
    begun->busy = true;
    begun->at = walk->word;
    if (!store)
        state->loaded |= begun->rows ? begun->rows : UINT64_MAX;
}

/* Reports a DMA transfer that may be in progress. The finding is at the instruction that starts the
 * transfer, because the missing wait belongs after that instruction. */
static void report_busy(const struct walk *walk, const struct transfer *transfer, const char *name,
                        const char *when)
{
    if (transfer->busy)
        FOUND_CAUSE(walk, CHECK_VPM_DMA_LEFT, transfer->at, 0,
                    "no instruction waits for this DMA %s before %s", name, when);
}

static void wait(struct walk *walk)
{
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = walk->facts->port[file];
        if (address == QPU_RD_VPM_WAIT || address == QPU_RD_VPM_BUSY)
            (file ? &walk->state->store : &walk->state->load)->busy = false;
    }
}

/* Runs before walk_vpm(), which advances the output row. */
void walk_dma(struct walk *walk)
{
    const struct qpu_facts *facts = walk->facts;
    wait(walk);
    if (facts->accesses & ACCESS_VPM_WRITE)
        walk_write(walk, facts->write[0].address != QPU_WR_VPM);
    if (facts->accesses & ACCESS_INTERRUPT)
        report_busy(walk, &walk->state->store, "store", "the host interrupt");
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct qpu_write *write = &facts->write[unit];
        bool sets_up = write->address == QPU_WR_VPM_SETUP;
        if (!write->present || (!sets_up && write->address != QPU_WR_VPM_ADDRESS))
            continue;
        walk_write(walk, unit);
        if (sets_up)
            take_setup(walk, unit, write->file_b);
        else
            take_address(walk, write->file_b);
    }
}

void qpu_check_left_transfers(const struct walk *walk)
{
    report_busy(walk, &walk->state->store, "store", "the program ends");
    report_busy(walk, &walk->state->load, "load", "the program ends");
}
