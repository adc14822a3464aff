/* SPDX-License-Identifier: MIT */
/* vpm_dma.c - the DMA engines of the VPM, VCD (load) and VDW (store), as used by QPU programs.
 *
 * In:       setup words of a port, DMA addresses; memory or the VPM.
 * Out:      the VPM or memory; stalls of QPUs.
 * Source:   manual section 7, tables 34 to 37, with corrections by measurements: vc4asm
 *           doc/VideoCoreIV-addendum.html (16-bit stride) and issues 9 (a store waits for the write
 *           FIFO) and 27 (columns of more than 16 rows), asurati/x03 demo/d2.c (targets of vertical
 *           transfers), py-videocore tests/test_dma.py (gaps, VPITCH); stores across a multiple of
 *           16 rows on a Raspberry Pi 3 B+.
 * Modelled: every field of the setup words; the busy and wait registers.
 * Differs:  all data moves immediately when the QPU starts a transfer, even if the engine is still
 *           busy with another QPU's transfer. timing.h and contention.h determine when the transfer
 *           ends. */
#include <stdio.h>

#include "base/bits.h"
#include "base/order.h"
#include "base/text.h"
#include "isa/qpu/setup.h"
#include "vc4/fault/fault.h"
#include "vc4/time/contention.h"
#include "vc4/time/timing.h"
#include "vc4/vpm/vpm.h"
#include "vc4/vpm/vpm_line.h"

enum { COLUMN_ROWS = 16 };

/* The rows of a transfer, as they are in memory. */
struct row {
    uint32_t bytes, pitch; /* bytes of a row, and distance in bytes between the starts of two
                              rows */
    uint32_t rows;
};

/* A transfer, and the mistakes that were found in it. */
struct transfer {
    struct vpm *vpm;
    const struct vpm_ports *ports;
    struct vpm_port *port;
    const struct vpm_window *window;
    struct vpm_dma *dma;       /* the port's latest transfer in this direction */
    struct vpm_engine *engine; /* the engine, which all ports share */
    enum race_agent agent;
    const char *name;
    uint32_t setup, address;
    uint32_t element_bytes;
    struct row row;
    uint32_t elements, missed, first_miss; /* number of elements; number of elements outside mapped
                                              memory, and address of the first */
    bool wrapped;
    uint64_t touched; /* bit per accessed row of the VPM; only maintained by the sanitizer */
    uint32_t outside; /* first row outside the window, in the program's numbering, or VPM_USER_ROWS
                         if all rows are inside */
    struct vpm_watch watch;
};

static bool is_store(const struct transfer *transfer)
{
    return transfer->agent == RACE_STORE;
}

static struct vpm_line mode_line(uint32_t mode)
{
    return (struct vpm_line){.parts_log2 = setup_mode_parts_log2(mode),
                             .part = setup_mode_part(mode)};
}

static uint32_t read_element(const uint8_t *bytes, uint32_t size)
{
    return size == 4 ? load_le32(bytes) : size == 2 ? load_le16(bytes) : *bytes;
}

static void write_element(uint8_t *bytes, uint32_t size, uint32_t value)
{
    if (size == 4)
        store_le32(bytes, value);
    else if (size == 2)
        store_le16(bytes, (uint16_t)value);
    else
        *bytes = (uint8_t)value;
}

/* Returns the host address of count elements, or NULL if some of them are not mapped. */
static uint8_t *run_memory(const struct transfer *transfer, uint32_t address, uint32_t count)
{
    return bus_peek(transfer->ports->bus, address, count * transfer->element_bytes);
}

/* Returns the host address of one element. If the element is not mapped, counts a miss, clears
 * nowhere[] and returns nowhere. */
static uint8_t *element_memory(struct transfer *transfer, uint32_t address, uint8_t nowhere[4])
{
    uint8_t *memory = run_memory(transfer, address, 1);
    if (memory)
        return memory;
    if (transfer->missed++ == 0)
        transfer->first_miss = address;
    memset(nowhere, 0, 4);
    return nowhere;
}

static void move_element(struct transfer *transfer, struct vpm_cell cell, uint32_t mask,
                         uint8_t *memory)
{
    if (is_store(transfer)) {
        vpm_watch_written(&transfer->watch, cell, mask);
        write_element(memory, transfer->element_bytes, vpm_get(cell, mask));
    } else {
        vpm_put(cell, mask, read_element(memory, transfer->element_bytes));
    }
    vpm_watch_element(&transfer->watch, cell, mask, !is_store(transfer));
    transfer->touched |= UINT64_C(1) << cell.row;
    transfer->wrapped |= cell.wrapped;
    if (cell.row >= transfer->window->rows && transfer->outside == VPM_USER_ROWS)
        transfer->outside = cell.row;
}

/* Returns the VPM word of the first of count 32-bit elements, and stores the distance between the
 * elements' words in *step. Returns NULL if the distances between the words differ, or if the
 * sanitizer must check the access. */
static uint32_t *plain_words(const struct transfer *transfer, const struct vpm_line *line,
                             uint32_t first, uint32_t count, uint32_t *step)
{
    const struct vpm_window *window = transfer->window;
    uint32_t place = line->row * VPM_COLUMNS + line->column;
    *step = line->vertical ? VPM_COLUMNS : 1;
    uint32_t last_row = (place + (first + count - 1) * *step) / VPM_COLUMNS;
    uint32_t top = line->runs_on ? 0 : line->row % COLUMN_ROWS;
    bool turns = line->vertical &&
                 (top + first + count > COLUMN_ROWS || line->column >= VPM_COLUMNS);
    if (transfer->ports->sanitize || line->parts_log2 || turns || last_row >= window->rows ||
        window->base + last_row >= VPM_ROWS)
        return NULL;
    uint32_t *all = transfer->vpm->word[0]; /* all rows are contiguous */
    return all + window->base * VPM_COLUMNS + place + first * *step;
}

static void move_plain(const struct transfer *transfer, uint32_t *word, uint32_t step,
                       uint8_t *memory, uint32_t count)
{
    if (is_store(transfer))
        for (uint32_t i = 0; i < count; i++)
            store_le32(memory + 4 * (size_t)i, word[i * step]);
    else
        for (uint32_t i = 0; i < count; i++)
            word[i * step] = load_le32(memory + 4 * (size_t)i);
}

/* Reports the accesses of count elements to the observer of the bus. */
static void observe(const struct transfer *transfer, uint32_t address, uint32_t count)
{
    bool store = is_store(transfer);
    bus_observe(transfer->ports->bus, store ? BUS_VDW : BUS_VCD, address,
                count * transfer->element_bytes, store);
}

/* Moves count elements between memory and a line of the VPM, starting at element `first` of the
 * line. */
static void move_elements(struct transfer *transfer, const struct vpm_line *line, uint32_t first,
                          uint32_t address, uint32_t count)
{
    uint32_t size = transfer->element_bytes, mask = vpm_element_mask(line);
    address -= address % size;
    uint8_t *run = run_memory(transfer, address, count);
    uint32_t step, *word = plain_words(transfer, line, first, count, &step);
    observe(transfer, address, count);
    transfer->elements += count;
    if (run && word) {
        move_plain(transfer, word, step, run, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint8_t nowhere[4];
        uint8_t *memory = run ? run + i * size
                              : element_memory(transfer, address + i * size, nowhere);
        move_element(transfer, vpm_locate(transfer->vpm, transfer->window, line, first + i), mask,
                     memory);
    }
    vpm_watch_memory(&transfer->watch, address, count * size, is_store(transfer));
}

/* Performs, in a faster way, a store of one word of each row to adjacent words in memory. QPULib
 * stores vectors in this form. Returns false and does nothing if the transfer has another form. */
static bool store_rows(struct transfer *transfer, const struct vpm_line *line, uint32_t address,
                       uint32_t count)
{
    struct vpm_line down = *line;
    uint32_t step;
    down.vertical = down.runs_on = true;
    uint32_t *word = plain_words(transfer, &down, 0, count, &step);
    uint8_t *memory = run_memory(transfer, address & ~UINT32_C(3), count);
    if (line->vertical || !word || !memory)
        return false;
    observe(transfer, address & ~UINT32_C(3), count);
    transfer->elements += count;
    move_plain(transfer, word, step, memory, count);
    return true;
}

static void note_errors(const struct transfer *transfer)
{
    struct pctr_counts *counts = transfer->ports->counts;
    if (!counts)
        return;
    if (transfer->wrapped && is_store(transfer))
        counts->errors |= V3D_ERRSTAT_VDWE;
    if (transfer->outside < VPM_USER_ROWS)
        counts->errors |= vpm_range_error(transfer->port, !is_store(transfer));
}

static void report_rows(const struct transfer *transfer)
{
    struct fault_log *log = transfer->ports->log;
    note_errors(transfer);
    if (transfer->wrapped)
        fault(log, FAULT_VPM_SETUP,
              "%s with setup 0x%08x passes row 63 of the VPM and continues at row 0",
              transfer->name, transfer->setup);
    if (transfer->outside < VPM_USER_ROWS)
        fault(log, transfer->port->shader ? FAULT_VPM_WINDOW : FAULT_VPM_RESERVATION,
              "%s with setup 0x%08x accesses VPM row %u, but the program has %u row%s",
              transfer->name, transfer->setup, transfer->outside, transfer->window->rows,
              text_plural(transfer->window->rows));
}

/* Returns the end address of the memory region in which the transfer begins, or 0 if no memory is
 * mapped at the transfer's address. */
static uint32_t end_of_memory(const struct transfer *transfer)
{
    struct bus *bus = transfer->ports->bus;
    const struct bus_region *region = bus_region(bus, transfer->address);
    if (!region)
        region = bus_find_region(bus, transfer->address);
    return region ? region->base + region->size : 0;
}

/* Reports a store whose rows are all mapped, but whose last row is not in the region of the first
 * row. */
static void check_end(const struct transfer *transfer)
{
    const struct row *row = &transfer->row;
    char origin[ORIGIN_SIZE];
    uint32_t end = end_of_memory(transfer);
    uint64_t first = transfer->address & BUS_ADDRESS_MASK;
    uint64_t last = first + (uint64_t)(row->rows - 1) * row->pitch + row->bytes;
    if (transfer->missed || end == 0 || last <= end)
        return;
    fault_at(
        transfer->ports->log, FAULT_VPM_BEYOND, transfer->address,
        "%s: %u row%s of %u bytes, %u bytes apart, from 0x%08x on end at 0x%08x, and the memory "
        "there ends at 0x%08x%s",
        transfer->name, row->rows, text_plural(row->rows), row->bytes, row->pitch,
        transfer->address, (transfer->address & ~BUS_ADDRESS_MASK) | (uint32_t)last,
        (transfer->address & ~BUS_ADDRESS_MASK) | end,
        origin_text(&transfer->port->origin, transfer->ports->bus, transfer->address, origin));
}

static void report_miss(const struct transfer *transfer)
{
    char origin[ORIGIN_SIZE];
    const struct row *row = &transfer->row;
    char end[40] = "";
    uint32_t memory = end_of_memory(transfer);
    if (memory)
        snprintf(end, sizeof end, "; the memory there ends at 0x%08x",
                 (transfer->address & ~BUS_ADDRESS_MASK) | memory);
    fault_at(transfer->ports->log, FAULT_BUS_UNMAPPED, transfer->first_miss,
             "%s: %u of %u elements lie outside mapped memory, the first at 0x%08x: %u row%s of %u "
             "bytes, %u bytes apart, from "
             "0x%08x on%s%s" WITH_HINT
             "correct the address (element 0 of the value written to register 50), the number of "
             "rows or the stride, or map memory at the address",
             transfer->name, transfer->missed, transfer->elements, transfer->first_miss, row->rows,
             text_plural(row->rows), row->bytes, row->pitch, transfer->address,
             origin_text(&transfer->port->origin, transfer->ports->bus, transfer->address, origin),
             end);
}

static void report(const struct transfer *transfer)
{
    if (transfer->missed)
        report_miss(transfer);
    else if (is_store(transfer))
        check_end(transfer);
    report_rows(transfer);
    vpm_watch_report(&transfer->watch);
}

static void check_alignment(const struct transfer *transfer, uint32_t address, uint32_t pitch)
{
    if ((address | pitch) % transfer->element_bytes)
        fault_at(transfer->ports->log, FAULT_VPM_ALIGNMENT, address,
                 "%s: address 0x%08x or pitch %u is not a multiple of the %u-byte elements",
                 transfer->name, address, pitch, transfer->element_bytes);
}

/* Reports a transfer whose units extend past the 16th row of a column. Returns true if the units
 * continue at the column's first row. */
static bool check_column(const struct transfer *transfer, const struct vpm_line *line,
                         uint32_t depth)
{
    uint32_t words = (line->part * 16 + depth + (1u << line->parts_log2) - 1) >> line->parts_log2;
    uint32_t top = line->row / COLUMN_ROWS * COLUMN_ROWS, last = top + COLUMN_ROWS - 1;
    if (!line->vertical || line->block || line->row + words <= last + 1)
        return false;
    fault(transfer->ports->log, FAULT_VPM_COLUMN,
          "%s with setup 0x%08x: each unit has %u words of a column from row %u on; the column "
          "ends with row %u, and the remaining words are in the rows from row %u on",
          transfer->name, transfer->setup, words, line->row, last, top);
    return true;
}

/* Reports a transfer whose rows of words extend past column 15. Returns true if they continue in
 * the next row. */
static bool check_width(const struct transfer *transfer, const struct vpm_line *line,
                        uint32_t length)
{
    if (line->vertical || line->block || line->parts_log2 || line->column + length <= VPM_COLUMNS)
        return false;
    fault(transfer->ports->log, FAULT_VPM_WIDTH,
          "%s with setup 0x%08x: rows of %u words from column %u on pass column 15", transfer->name,
          transfer->setup, length, line->column);
    return true;
}

/* If a store's setup word seems to come from a function for load setups (such as vdr_h32()),
 * returns the VPM row that a load with this setup word would use. Such functions leave bit 14
 * clear. Otherwise returns UINT32_MAX. */
static uint32_t row_of_a_load(const struct transfer *transfer, uint64_t filled)
{
    uint32_t row = setup_get(transfer->setup, SETUP_LOAD_ROW);
    bool is_load = !setup_get(transfer->setup, SETUP_STORE_HORIZONTAL) && row < VPM_USER_ROWS &&
                   filled >> row & 1 && !(filled & transfer->touched);
    return is_load ? row : UINT32_MAX;
}

/* Reports a store of VPM rows that were never written. */
static void report_unwritten(const struct transfer *transfer, uint64_t filled, uint32_t load_row)
{
    char stored[VPM_ROWS_TEXT], written[VPM_ROWS_TEXT] = "none", hint[160] = "";
    if (filled)
        vpm_rows_text(filled, written);
    if (load_row != UINT32_MAX)
        snprintf(hint, sizeof hint,
                 WITH_HINT "use dma_h32() or dma_v32() for a store, for example dma_h32(%u, 0); "
                           "this address looks like row %u of a load (vdr_h32() or vdr_v32())",
                 load_row, load_row);
    fault(transfer->ports->log, FAULT_VPM_UNINITIALISED,
          "%s with setup 0x%08x stores %s of the VPM, but row %u, column %u was never written; "
          "this program has written %s%s",
          transfer->name, transfer->setup, vpm_rows_text(transfer->touched, stored),
          transfer->watch.row, transfer->watch.column, written, hint);
}

/* Reports a mistake in the rows of a store. If there are several mistakes, reports only the one
 * that probably causes the others. */
static void check_rows_stored(struct transfer *transfer, const struct vpm_line *line,
                              uint32_t depth)
{
    uint64_t filled = transfer->port->rows_written | transfer->port->rows_loaded;
    bool unwritten = transfer->watch.unwritten;
    uint32_t load_row = unwritten ? row_of_a_load(transfer, filled) : UINT32_MAX;
    transfer->watch.unwritten = false;
    if (load_row == UINT32_MAX &&
        (check_column(transfer, line, depth) || check_width(transfer, line, depth)))
        return;
    if (unwritten)
        report_unwritten(transfer, filled, load_row);
}

static bool is_set_up(const struct transfer *transfer)
{
    if (transfer->setup == 0)
        fault(transfer->ports->log, FAULT_VPM_SETUP, "%s without an earlier setup has no effect",
              transfer->name);
    return transfer->setup != 0;
}

/* --- time --- */

/* Ends a pending transfer. Returns the length of the QPU's stall. */
static uint64_t finish(const struct vpm_ports *ports, struct vpm_port *port, struct vpm_dma *dma,
                       enum race_agent agent)
{
    if (!dma->pending)
        return 0;
    dma->pending = false;
    if (ports->race && port->qpu != VPM_NO_QPU)
        race_wait(ports->race, port->qpu, agent);
    return dma->ready > port->now ? dma->ready - port->now : 0;
}

static bool is_busy(const struct vpm_ports *ports, struct vpm_port *port, struct vpm_dma *dma,
                    enum race_agent agent)
{
    if (dma->pending && dma->ready > port->now)
        return true;
    finish(ports, port, dma, agent);
    return false;
}

bool vpm_load_busy(const struct vpm_ports *ports, struct vpm_port *port)
{
    return is_busy(ports, port, &port->load, RACE_LOAD);
}

bool vpm_store_busy(const struct vpm_ports *ports, struct vpm_port *port)
{
    return is_busy(ports, port, &port->store, RACE_STORE);
}

uint64_t vpm_wait_load(const struct vpm_ports *ports, struct vpm_port *port)
{
    return finish(ports, port, &port->load, RACE_LOAD);
}

uint64_t vpm_wait_store(const struct vpm_ports *ports, struct vpm_port *port)
{
    return finish(ports, port, &port->store, RACE_STORE);
}

/* Returns the engine's time for a row. The time grows linearly with the number of words, from 1 to
 * 16. */
static uint32_t row_clocks(const struct transfer *transfer, const struct row *row)
{
    uint32_t longest = is_store(transfer) ? TIMING_DMA_STORE_ROW : TIMING_DMA_LOAD_ROW;
    uint32_t words = (row->bytes + 3) / 4;
    return TIMING_DMA_ROW + (longest - TIMING_DMA_ROW) * (words - 1) / 15;
}

/* Returns the delay by memory contention of a transfer that starts at the given time. */
static uint64_t memory_clocks(const struct transfer *transfer, const struct row *row, uint32_t rows,
                              uint64_t start)
{
    struct contention *contention = transfer->ports->contention;
    uint32_t address = transfer->address, clocks = row_clocks(transfer, row);
    uint64_t late = 0, held = UINT64_MAX; /* held: number of the line that the SoC's cache
                                             contains */
    for (uint32_t i = 0; contention && i < rows; i++, address += row->pitch, start += clocks) {
        uint32_t line = address / TIMING_LINE;
        if (line == held && address % TIMING_LINE + row->bytes <= TIMING_LINE)
            continue;
        uint64_t end = is_store(transfer)
                           ? contention_write(contention, address, row->bytes, start + late)
                           : contention_load(contention, address, row->bytes, start + late);
        late = most_u64(late, end > start + clocks ? end - start - clocks : 0);
        held = is_store(transfer) && contention_holds(contention, address) ? line : UINT64_MAX;
    }
    return late;
}

/* Returns the end time of a transfer that can start at the given time. */
static uint64_t carry_out(const struct transfer *transfer, const struct row *row, uint32_t rows,
                          uint64_t earliest)
{
    uint32_t first = is_store(transfer) ? TIMING_DMA_STORE : TIMING_DMA_LOAD;
    uint64_t clocks = first + (uint64_t)rows * row_clocks(transfer, row);
    uint64_t start = vpm_engine_find(transfer->engine, earliest, clocks);
    clocks += memory_clocks(transfer, row, rows, start + first);
    return vpm_engine_add(transfer->engine, start, clocks);
}

/* With the sanitizer, reports a transfer that is started before the program has waited for the
 * port's previous transfer in the same direction. */
static void check_busy(const struct transfer *transfer)
{
    const struct vpm_dma *before = transfer->dma;
    if (transfer->ports->sanitize && before->pending)
        fault(transfer->ports->log, FAULT_VPM_BUSY,
              "%s to 0x%08x is started while the transfer to 0x%08x, which the instruction at "
              "0x%08x started, may be unfinished: the program has not waited for it" WITH_HINT
              "read %s before starting this transfer",
              transfer->name, transfer->address, before->address, before->pc,
              is_store(transfer) ? "vw_wait (register 50 of file B)"
                                 : "vr_wait (register 50 of file A)");
}

/* Waits for the port's previous transfer and starts a transfer. A store also waits until the port's
 * writes are in the VPM. Returns the length of the stall. */
static uint64_t begin(struct transfer *transfer)
{
    const struct row *row = &transfer->row;
    uint32_t rows = row->rows;
    struct vpm *vpm = transfer->vpm;
    const struct vpm_ports *ports = transfer->ports;
    struct vpm_port *port = transfer->port;
    check_busy(transfer);
    uint64_t stall = finish(ports, port, transfer->dma, transfer->agent);
    uint64_t start = port->now + stall, written = port->write_done[VPM_WRITES - 1];
    if (is_store(transfer) && start < written)
        start = written;
    *transfer->dma = (struct vpm_dma){
        .pending = true,
        .ready = carry_out(transfer, row, rows, start),
        .setup = transfer->setup,
        .address = transfer->address,
        .pc = port->pc,
    };
    *(is_store(transfer) ? &port->stored : &port->loaded) += (uint64_t)rows * row->bytes;
    transfer->watch = vpm_watch(vpm, ports, port, transfer->agent);
    if (transfer->watch.races)
        race_begin(ports->race, port->qpu, transfer->agent);
    return stall;
}

/* --- transfers --- */

uint64_t vpm_load(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                  uint32_t address)
{
    uint32_t setup = port->load_setup;
    struct vpm_line line = mode_line(setup_get(setup, SETUP_LOAD_MODE));
    struct transfer transfer = {
        .vpm = vpm,
        .ports = ports,
        .port = port,
        .window = &port->input,
        .dma = &port->load,
        .engine = &vpm->vcd,
        .agent = RACE_LOAD,
        .name = "DMA load (VCD)",
        .setup = setup,
        .address = address,
        .element_bytes = 4u >> line.parts_log2,
        .outside = VPM_USER_ROWS,
    };
    if (!is_set_up(&transfer))
        return 0;

    uint32_t length = setup_get(setup, SETUP_LOAD_LENGTH), rows = setup_get(setup, SETUP_LOAD_ROWS);
    uint32_t vpm_pitch = setup_get(setup, SETUP_LOAD_VPM_PITCH);
    uint32_t memory_pitch = setup_get(setup, SETUP_LOAD_PITCH);
    memory_pitch = memory_pitch ? 8u << memory_pitch : port->load_pitch;
    check_alignment(&transfer, address, rows > 1 ? memory_pitch : 0);
    transfer.row = (struct row){length * transfer.element_bytes, memory_pitch, rows};
    uint64_t stall = begin(&transfer);

    /* Row and sub-vector as one number: {Y, B} for bytes or {Y, H} for halves. */
    uint32_t place = setup_get(setup, SETUP_LOAD_ROW) << line.parts_log2 | line.part;
    line.vertical = line.runs_on = setup_get(setup, SETUP_LOAD_VERTICAL);
    line.column = setup_get(setup, SETUP_LOAD_COLUMN);
    check_width(&transfer, &line, length);
    for (uint32_t row = 0; row < rows; row++, place += vpm_pitch) {
        line.row = place >> line.parts_log2;
        line.part = place & ((1u << line.parts_log2) - 1);
        move_elements(&transfer, &line, 0, address + row * memory_pitch, length);
    }
    port->rows_loaded |= transfer.touched;
    report(&transfer);
    return stall;
}

uint64_t vpm_store(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                   uint32_t address)
{
    uint32_t setup = port->store_setup;
    struct vpm_line line = mode_line(setup_get(setup, SETUP_STORE_MODE));
    struct transfer transfer = {
        .vpm = vpm,
        .ports = ports,
        .port = port,
        .window = &port->output,
        .dma = &port->store,
        .engine = &vpm->vdw,
        .agent = RACE_STORE,
        .name = "DMA store (VDW)",
        .setup = setup,
        .address = address,
        .element_bytes = 4u >> line.parts_log2,
        .outside = VPM_USER_ROWS,
    };
    if (!is_set_up(&transfer) || !bus_may_write(ports->bus))
        return 0;

    uint32_t units = setup_get(setup, SETUP_STORE_UNITS),
             depth = setup_get(setup, SETUP_STORE_DEPTH);
    uint32_t gap = setup_get(port->store_stride, SETUP_STORE_STRIDE_LOW);
    /* Block mode does not apply to units of one element. QPULib's stores set the bit and use 16
     * rows. */
    bool block_mode = setup_get(port->store_stride, SETUP_STORE_STRIDE_BLOCK) && depth > 1;
    check_alignment(&transfer, address, units > 1 ? gap : 0);
    const uint32_t unit_bytes = depth * transfer.element_bytes;
    transfer.row = (struct row){unit_bytes, unit_bytes + gap, units};
    uint64_t stall = begin(&transfer);

    uint32_t row = setup_get(setup, SETUP_STORE_ROW), column = setup_get(setup, SETUP_STORE_COLUMN);
    line.vertical = !setup_get(setup, SETUP_STORE_HORIZONTAL);
    line.block = block_mode;
    line.row = row;
    line.column = column;
    const struct vpm_line first = line;
    if (transfer.row.pitch == 4 && depth == 1 && store_rows(&transfer, &line, address, units))
        units = 0;
    for (uint32_t unit = 0; unit < units; unit++) {
        line.row = row + (block_mode || line.vertical ? 0 : unit);
        line.column = column + (block_mode || !line.vertical ? 0 : unit);
        move_elements(&transfer, &line, block_mode ? unit * depth : 0,
                      address + unit * (depth * transfer.element_bytes + gap), depth);
    }
    check_rows_stored(&transfer, &first, depth);
    report(&transfer);
    return stall;
}

/* --- the end of a program --- */

/* Reports a finding at the earlier instruction whose address is pc. */
static void fault_at_setup(const struct vpm_ports *ports, enum fault_rule rule, uint32_t pc,
                           const char *text)
{
    const uint8_t *bytes = bus_peek(ports->bus, pc, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_from(ports->log, rule, pc, bytes ? &word : NULL, "%s", text);
}

static void report_transfer_left(const struct vpm_ports *ports, const struct vpm_dma *dma,
                                 const char *what)
{
    char text[160];
    snprintf(text, sizeof text,
             "the program ends without waiting for this DMA %s 0x%08x (setup 0x%08x)", what,
             dma->address, dma->setup);
    fault_at_setup(ports, FAULT_VPM_DMA_LEFT, dma->pc, text);
}

/* Reports a transfer that is unfinished when the program ends. With the sanitizer, a transfer
 * counts as unfinished until the program waits for it. */
static void end_transfer(const struct vpm_ports *ports, const struct vpm_port *port,
                         struct vpm_dma *dma, const char *what)
{
    if (dma->pending && (ports->sanitize || dma->ready > port->now))
        report_transfer_left(ports, dma, what);
    dma->pending = false;
}

static void report_reads_left(const struct vpm_ports *ports, const struct vpm_port *port,
                              uint32_t left)
{
    char text[80];
    snprintf(text, sizeof text, "%u VPM vector%s set up but not read", left,
             left == 1 ? " was" : "s were");
    fault_at_setup(ports, FAULT_VPM_LEFT, port->read_setup_pc, text);
}

static void end_reads(const struct vpm_ports *ports, struct vpm_port *port)
{
    uint32_t left = port->reads_left + port->queued_left;
    if (left)
        report_reads_left(ports, port, left);
    port->reads_left = port->queued_left = 0;
    if (ports->race && port->qpu != VPM_NO_QPU)
        race_take_rest(ports->race, port->qpu);
}

void vpm_end(const struct vpm_ports *ports, struct vpm_port *port)
{
    end_reads(ports, port);
    end_transfer(ports, port, &port->load, "load from");
    end_transfer(ports, port, &port->store, "store to");
}
