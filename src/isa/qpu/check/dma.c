/* SPDX-License-Identifier: MIT */
/* dma.c - DMA transfers that nothing has waited for.
 *
 * In:     an instruction with the state before it.
 * Out:    findings: a transfer under way at an interrupt or at the program's end, and VPM rows that are used while a transfer
 *         moves them.
 * Source: rules.def; manual, section 7 (tables 32 to 36); vc4asm's addendum for the rows of vertical transfers.
 * Choice: rows are compared only where both setups are constants and move 32-bit words; other setups are not followed. */
#include "isa/qpu/check/walk.h"

enum { VPM_ROWS = 64, VPM_COLUMNS = 16 };

static unsigned field(uint32_t value, unsigned low, unsigned width, unsigned zero)
{
    unsigned number = value >> low & ((1u << width) - 1);
    return number ? number : zero;
}

/* count rows from first on, step apart; rows above 63 are out of reach. */
static uint64_t rows_from(unsigned first, unsigned count, unsigned step)
{
    uint64_t rows = 0;
    for (unsigned i = 0; i < count && i < VPM_ROWS; i++)
        if (first + i * step < VPM_ROWS)
            rows |= UINT64_C(1) << (first + i * step);
    return rows;
}

/* Rows that a DMA load fills (manual, table 36); 0: not known. */
static uint64_t rows_of_load(uint32_t value)
{
    unsigned length = field(value, 20, 4, 16), count = field(value, 16, 4, 16);
    unsigned pitch = field(value, 12, 4, 16), row = value >> 4 & 127;
    bool words = (value >> 28 & 7) == 0, vertical = value >> 11 & 1;
    uint64_t rows = 0;
    for (unsigned i = 0; words && i < count; i++)
        rows |= rows_from(row + i * pitch, vertical ? length : 1, 1);
    return rows;
}

/* Rows that a DMA store takes (manual, table 34); 0: not known. */
static uint64_t rows_of_store(uint32_t value)
{
    unsigned units = field(value, 23, 7, 128), depth = field(value, 16, 7, 128);
    unsigned row = value >> 7 & 127, column = value >> 3 & 15;
    bool words = (value & 7) == 0, horizontal = value >> 14 & 1;
    bool inside = column + (horizontal ? depth : units) <= VPM_COLUMNS;
    return words && inside ? rows_from(row, horizontal ? units : depth, 1) : 0;
}

/* Rows that a read setup names (manual, table 33); 0: not known. */
static uint64_t rows_of_read(uint32_t value)
{
    bool whole = (value >> 8 & 15) == 10; /* horizontal, not laned, 32 bits */
    return whole ? rows_from(value & 63, field(value, 20, 4, 16), field(value, 12, 6, 64)) : 0;
}

static void begin(struct transfer *transfer, uint32_t word)
{
    transfer->busy = true;
    transfer->at = word;
    transfer->rows = transfer->setup_rows;
}

static void report_overlap(struct walk *walk, const struct transfer *transfer, uint64_t rows,
                           const char *what, const char *name)
{
    uint64_t both = transfer->busy ? transfer->rows & rows : 0;
    if (both)
        REPORT(walk, CHECK_VPM_UNFINISHED, transfer->at, 0,
               "%s VPM row %d while nothing has waited for the DMA %s that %s it", what,
               __builtin_ctzll(both), name, name[0] == 'l' ? "fills" : "takes");
}

static void take_setup(struct walk *walk, unsigned unit, bool file_b)
{
    struct state *state = &walk->state;
    uint32_t value = 0;
    bool known = walk_result(walk, unit, &value);
    if (file_b && (!known || value >> 30 == 2))
        state->store.setup_rows = known ? rows_of_store(value) : 0;
    if (file_b || (known && value >> 28 == 9))
        return;
    if (!known || value >> 31)
        state->load.setup_rows = known ? rows_of_load(value) : 0;
    else
        report_overlap(walk, &state->load, rows_of_read(value), "a read is set up for", "load");
}

static void take_address(struct walk *walk, bool file_b)
{
    struct state *state = &walk->state;
    struct transfer *begun = file_b ? &state->store : &state->load;
    if (file_b)
        report_overlap(walk, &state->load, begun->setup_rows, "a DMA store takes", "load");
    else
        report_overlap(walk, &state->store, begun->setup_rows, "a DMA load fills", "store");
    begin(begun, walk->word);
}

static void write_row(struct walk *walk)
{
    const struct state *state = &walk->state;
    if (state->outputs.row == ROW_UNKNOWN)
        return;
    uint64_t row = UINT64_C(1) << state->outputs.row;
    report_overlap(walk, &state->store, row, "a vector is written to", "store");
    report_overlap(walk, &state->load, row, "a vector is written to", "load");
}

/* At the instruction that starts the transfer, which is the one to be mended after. */
static void report_busy(struct walk *walk, const struct transfer *transfer, const char *name,
                        const char *when)
{
    if (transfer->busy)
        REPORT_CAUSE(walk, CHECK_VPM_DMA_LEFT, transfer->at, 0,
                     "nothing waits for this DMA %s before %s", name, when);
}

static void wait(struct walk *walk)
{
    for (unsigned file = 0; file < 2; file++) {
        unsigned address = walk->facts->port[file];
        if (address == QPU_RD_VPM_WAIT || address == QPU_RD_VPM_BUSY)
            (file ? &walk->state.store : &walk->state.load)->busy = false;
    }
}

/* Before walk_vpm(), which takes the output row. */
void walk_dma(struct walk *walk)
{
    const struct check_facts *facts = walk->facts;
    wait(walk);
    if (facts->accesses & ACCESS_VPM_WRITE)
        write_row(walk);
    if (facts->accesses & ACCESS_INTERRUPT)
        report_busy(walk, &walk->state.store, "store", "the host interrupt");
    for (unsigned unit = 0; unit < 2; unit++) {
        const struct check_write *write = &facts->write[unit];
        if (write->present && write->address == QPU_WR_VPM_SETUP)
            take_setup(walk, unit, write->file_b);
        if (write->present && write->address == QPU_WR_VPM_ADDRESS)
            take_address(walk, write->file_b);
    }
}

void end_dma(struct walk *walk)
{
    report_busy(walk, &walk->state.store, "store", "the program ends");
    report_busy(walk, &walk->state.load, "load", "the program ends");
}
