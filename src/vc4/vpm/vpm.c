/* SPDX-License-Identifier: MIT */
/* vpm.c - Vertex Pipe Memory and its QPU interface. The DMA engines are in vpm_dma.c.
 *
 * In:        setup words and vectors from QPUs.
 * Out:       vectors to QPUs.
 * Source:    manual section 7, figures 8 and 9, tables 31 to 33, with corrections by measurements:
 *            vc4asm doc/VideoCoreIV-addendum.html (read queue and FIFO).
 * Modelled:  the 64 rows that programs can access, in windows; all element widths, packed and laned
 *            elements, and horizontal and vertical vectors; the read FIFO with its latency and the
 *            order of its fetches; stalls while the write FIFO is full.
 * Estimated: the VPM's time for a vector (timing.h). Writes take effect immediately, and no QPU can
 *            observe the difference.
 * Left out:  contention of QPUs for the VPM's port.
 * Choices:   docs/vc4/vpm.md lists the corrections to the manual and the choices. */
#include "vc4/vpm/vpm.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "base/text.h"
#include "isa/qpu/setup.h"
#include "vc4/time/timing.h"
#include "vc4/vpm/vpm_line.h"

/* Values of SIZE in manual tables 32 and 33. */

/* Manual section 7: "read data is available to read after a minimum latency of three QPU
 * instructions". */
enum { READ_LATENCY = 3 };

void vpm_reset(struct vpm *vpm)
{
    memset(vpm->word, 0, sizeof vpm->word);
    memset(vpm->written, 0, sizeof vpm->written);
    vpm_restart(vpm);
}

void vpm_restart(struct vpm *vpm)
{
    vpm_engine_restart(&vpm->vcd);
    vpm_engine_restart(&vpm->vdw);
}

void vpm_mark_written(struct vpm *vpm, const struct vpm_ports *ports, uint32_t row, uint32_t rows)
{
    for (uint32_t i = 0; ports->sanitize && i < rows; i++)
        vpm->written[(row + i) % VPM_ROWS] = UINT64_MAX;
}

void vpm_port_user(struct vpm_port *port, uint32_t qpu, uint32_t reserved_rows)
{
    uint32_t rows = reserved_rows && reserved_rows < VPM_USER_ROWS ? reserved_rows : VPM_USER_ROWS;
    struct vpm_window window = {.base = 0, .rows = rows};
    *port = (struct vpm_port){.input = window, .output = window, .qpu = qpu};
}

void vpm_port_shader(struct vpm_port *port, struct vpm_window input, struct vpm_window output)
{
    *port = (struct vpm_port){.input = input, .output = output, .shader = true, .qpu = VPM_NO_QPU};
}

uint64_t vpm_rows_read(const struct vpm_port *port)
{
    return port->rows_read;
}

uint64_t vpm_rows_written(const struct vpm_port *port)
{
    return port->rows_written;
}

uint64_t vpm_rows_reread(const struct vpm_port *port)
{
    return port->reread;
}

uint64_t vpm_rows_rewritten(const struct vpm_port *port)
{
    return port->rewritten;
}

const char *vpm_rows_text(uint64_t rows, char text[VPM_ROWS_TEXT])
{
    unsigned first = (unsigned)__builtin_ctzll(rows);
    uint64_t after = ~(rows >> first);
    unsigned last = first + (after ? (unsigned)__builtin_ctzll(after) : 64u) - 1;
    if (first == last)
        snprintf(text, VPM_ROWS_TEXT, "row %u", first);
    else
        snprintf(text, VPM_ROWS_TEXT, "rows %u to %u", first, last);
    return text;
}

static uint32_t *row_words(struct vpm *vpm, const struct vpm_window *window, uint32_t row)
{
    return vpm->word[(window->base + row) % VPM_ROWS];
}

/* --- setup words --- */

static struct vpm_line setup_line(uint32_t setup)
{
    const struct setup_vpm vpm = setup_vpm(setup);
    return (struct vpm_line){
        .vertical = vpm.vertical,
        .laned = vpm.laned,
        .parts_log2 = vpm.parts_log2,
        .row = vpm.row,
        .column = vpm.column,
        .part = vpm.part,
    };
}

/* Returns the setup with STRIDE added to ADDR. ADDR wraps around after row 63. */
static uint32_t advanced(uint32_t setup)
{
    uint32_t address = setup_get(setup, SETUP_VPM_ADDRESS) + setup_get(setup, SETUP_VPM_STRIDE);
    return (uint32_t)bits_set(setup, 5 + setup_vpm_parts_log2(setup), 0, address);
}

/* Records the reads of a read setup for the race check. All vectors count as fetched immediately
 * after the setup, because the FIFO's depth is known only for the measured chip. */
static void watch_fetches(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                          uint32_t setup, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++, setup = advanced(setup)) {
        struct vpm_watch watch = vpm_watch(vpm, ports, port, RACE_FIFO);
        if (!watch.races)
            return;
        struct vpm_line line = setup_line(setup);
        race_begin(ports->race, port->qpu, RACE_FIFO);
        for (uint32_t i = 0; i < LANES; i++)
            vpm_watch_element(&watch, vpm_locate(vpm, &port->input, &line, i),
                              vpm_element_mask(&line), false);
        vpm_watch_report(&watch);
    }
}

/* --- words of vectors --- */

static bool is_whole_row(const struct vpm_line *line)
{
    return !line->vertical && line->parts_log2 == 0;
}

/* Returns a pointer to the first word of a vertical vector of whole words. The words are
 * VPM_COLUMNS words apart. Returns NULL for other vectors, and for vectors past the last row. */
static uint32_t *whole_column(struct vpm *vpm, const struct vpm_window *window,
                              const struct vpm_line *line)
{
    uint32_t row = window->base + line->row;
    if (!line->vertical || line->parts_log2 || row + LANES > VPM_ROWS)
        return NULL;
    return &vpm->word[row][line->column];
}

/* Reports a vector that accesses rows outside its window. rows has a bit for each accessed row.
 * Returns true if all rows are inside. */
static bool check_window(const struct vpm_ports *ports, const struct vpm_port *port, uint64_t rows,
                         bool write)
{
    const struct vpm_window *window = write ? &port->output : &port->input;
    if (window->rows >= VPM_USER_ROWS || rows >> window->rows == 0)
        return true;
    if (ports->counts)
        ports->counts->errors |= vpm_range_error(port, write);
    uint32_t row = 0;
    for (uint64_t outside = rows >> window->rows << window->rows; !(outside >> row & 1);)
        row++;
    if (port->shader)
        fault(ports->log, FAULT_VPM_WINDOW, "the shader %s VPM row %u, but its %s has %u row%s",
              write ? "writes" : "reads", row, write ? "output" : "input", window->rows,
              text_plural(window->rows));
    else
        fault(ports->log, FAULT_VPM_RESERVATION,
              "VPM row %u is %s, but V3D_VPMBASE reserves %u rows for user programs", row,
              write ? "written" : "read", window->rows);
    return false;
}

/* Returns the rows of a vector as bits. A horizontal vector has one row. A vertical vector has one
 * row for each of its words. */
static uint64_t line_rows(const struct vpm_line *line)
{
    if (!line->vertical)
        return UINT64_C(1) << line->row;
    uint32_t words = line->laned ? LANES : (uint32_t)LANES >> line->parts_log2;
    uint32_t first = line->row + (line->laned ? 0 : line->part * words);
    return ((UINT64_C(1) << words) - 1) << first;
}

static bool is_inside(const struct vpm_window *window, uint32_t setup)
{
    if (window->rows >= VPM_USER_ROWS)
        return true;
    struct vpm_line line = setup_line(setup);
    return line_rows(&line) >> window->rows == 0;
}

bool vpm_reads_quietly(const struct vpm_ports *ports, const struct vpm_port *port)
{
    return port->reads_left && !ports->sanitize && is_inside(&port->input, port->read_setup);
}

bool vpm_writes_quietly(const struct vpm_ports *ports, const struct vpm_port *port)
{
    return port->write_ready && !ports->sanitize && is_inside(&port->output, port->write_setup);
}

/* Adds one clock of stall to the count of each busy DMA engine, because a vector of the QPU blocks
 * the VPM's port. */
static void count_collisions(struct vpm *vpm, const struct vpm_ports *ports,
                             const struct vpm_port *port)
{
    if (!ports->counts)
        return;
    ports->counts->of[PCTR_VPM_VCD_STALL] += vpm_engine_busy(&vpm->vcd, port->now);
    ports->counts->of[PCTR_VPM_VDW_STALL] += vpm_engine_busy(&vpm->vdw, port->now);
}

/* Returns the time that a vector needs at the VPM's port. Each busy DMA engine uses the port as
 * often as the QPU does. */
static uint32_t vector_clocks(const struct vpm *vpm, uint64_t now)
{
    uint32_t users = 1u + vpm_engine_busy(&vpm->vcd, now) + vpm_engine_busy(&vpm->vdw, now);
    return users * TIMING_VPM_VECTOR;
}

/* Returns the time at which a vector has passed the VPM's port. The vector passes no earlier than
 * `earliest`, and after the vectors in the port's write FIFO. */
static uint64_t pass_vector(const struct vpm *vpm, const struct vpm_port *port, uint64_t earliest)
{
    uint64_t start = most_u64(earliest, port->write_done[VPM_WRITES - 1]);
    return start + vector_clocks(vpm, start);
}

/* --- vectors to QPUs --- */

static void check_unwritten(struct vpm *vpm, const struct vpm_ports *ports,
                            const struct vpm_port *port, const struct vpm_line *line)
{
    struct vpm_watch watch = vpm_watch(vpm, ports, port, RACE_FIFO);
    for (uint32_t i = 0; i < LANES; i++)
        vpm_watch_written(&watch, vpm_locate(vpm, &port->input, line, i), vpm_element_mask(line));
    vpm_watch_report(&watch);
}

/* Fetches the next vector of the current read setup into the FIFO, which must be empty. */
static void fetch(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                  uint64_t earliest)
{
    struct vpm_line line = setup_line(port->read_setup);
    uint32_t mask = vpm_element_mask(&line);
    if (ports->sanitize)
        check_unwritten(vpm, ports, port, &line);
    const uint32_t *column = whole_column(vpm, &port->input, &line);
    if (is_whole_row(&line))
        memcpy(port->fetched, row_words(vpm, &port->input, line.row), sizeof port->fetched);
    else
        for (uint32_t i = 0; i < LANES; i++)
            port->fetched[i] = column ? column[i * VPM_COLUMNS]
                                      : vpm_get(vpm_locate(vpm, &port->input, &line, i), mask);
    port->fetched_at = pass_vector(vpm, port, most_u64(earliest, port->fetched_at));
}

/* Continues with the next vector after the program has taken the vector in the FIFO. */
static void fetch_next(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port)
{
    port->vectors_read++;
    port->read_setup = advanced(port->read_setup);
    uint64_t earliest = port->now;
    if (--port->reads_left == 0) {
        port->read_setup = port->queued_setup;
        port->reads_left = port->queued_left;
        port->queued_left = 0;
        earliest = most_u64(earliest, port->queued_at);
    }
    if (port->reads_left)
        fetch(vpm, ports, port, earliest);
}

static bool check_read(const struct vpm_ports *ports, struct vpm_port *port)
{
    if (port->reads_left == 0) {
        fault(ports->log, FAULT_VPM_EMPTY,
              "the VPM is read, but no read setup has vectors left, so the QPU waits forever; the "
              "program's setups provided %u vector%s, and all have been read",
              port->vectors_read, port->vectors_read == 1 ? "" : "s");
        return false;
    }
    return true;
}

void vpm_check_latency(const struct vpm_ports *ports, const struct vpm_port *port)
{
    if (ports->sanitize && port->reads_left && port->executed < port->first_read)
        fault(ports->log, FAULT_VPM_LATENCY,
              "the VPM is read %u instruction%s after the read setup; the first vector is "
              "available from the fourth instruction on",
              (unsigned)(READ_LATENCY + 1 - (port->first_read - port->executed)),
              port->first_read - port->executed == READ_LATENCY ? "" : "s");
}

uint64_t vpm_read_stall(const struct vpm_port *port)
{
    return port->reads_left && port->fetched_at > port->now ? port->fetched_at - port->now : 0;
}

bool vpm_read(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port, lanes *value)
{
    if (!check_read(ports, port))
        return false;
    struct vpm_line line = setup_line(port->read_setup);
    uint64_t rows = line_rows(&line);
    check_window(ports, port, rows, false);
    port->reread |= is_whole_row(&line) ? rows & port->rows_read : 0;
    port->rows_read |= rows;
    memcpy(value, port->fetched, sizeof *value);
    count_collisions(vpm, ports, port);
    if (ports->race && port->qpu != VPM_NO_QPU)
        race_take(ports->race, port->qpu);
    fetch_next(vpm, ports, port);
    return true;
}

/* --- vectors from QPUs --- */

static void watch_write(struct vpm *vpm, const struct vpm_ports *ports, const struct vpm_port *port,
                        const struct vpm_line *line)
{
    struct vpm_watch watch = vpm_watch(vpm, ports, port, RACE_PROGRAM);
    for (uint32_t i = 0; i < LANES; i++)
        vpm_watch_element(&watch, vpm_locate(vpm, &port->output, line, i), vpm_element_mask(line),
                          true);
    vpm_watch_report(&watch);
}

static void write_line(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                       const struct vpm_line *line, const lanes *value, lane_mask mask)
{
    uint64_t rows = line_rows(line);
    bool inside = check_window(ports, port, rows, true);
    port->rewritten |= is_whole_row(line) ? rows & port->rows_written : 0;
    port->rows_written |= rows;
    bool all = mask == ALL_LANES && inside;
    if (all && is_whole_row(line)) {
        memcpy(row_words(vpm, &port->output, line->row), value, sizeof *value);
        return;
    }
    uint32_t *column = all ? whole_column(vpm, &port->output, line) : NULL;
    if (column) {
        for (uint32_t i = 0; i < LANES; i++)
            column[i * VPM_COLUMNS] = (*value)[i];
        return;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        struct vpm_cell cell = vpm_locate(vpm, &port->output, line, i);
        if (mask >> i & 1 && (cell.row < port->output.rows || !port->shader))
            vpm_put(cell, vpm_element_mask(line), (*value)[i]);
    }
}

/* Adds a vector to the write FIFO. Returns the length of the stall until the FIFO has room. */
static uint64_t queue_write(const struct vpm *vpm, struct vpm_port *port)
{
    uint64_t start = most_u64(port->now, port->write_done[0]);
    uint64_t done = pass_vector(vpm, port, start);
    memmove(port->write_done, port->write_done + 1, (VPM_WRITES - 1) * sizeof *port->write_done);
    port->write_done[VPM_WRITES - 1] = done;
    return start - port->now;
}

uint64_t vpm_write(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                   const lanes *value, lane_mask mask)
{
    if (!port->write_ready) {
        fault(ports->log, FAULT_VPM_NO_SETUP,
              "the VPM is written without an earlier write setup; the vector is lost");
        return 0;
    }
    if (mask != ALL_LANES)
        fault(ports->log, FAULT_VPM_CONDITION,
              "VPM write for elements 0x%04x only; the other elements keep their old data", mask);

    struct vpm_line line = setup_line(port->write_setup);
    if (ports->sanitize)
        watch_write(vpm, ports, port, &line);
    write_line(vpm, ports, port, &line, value, mask);
    count_collisions(vpm, ports, port);
    port->write_setup = advanced(port->write_setup);
    return queue_write(vpm, port);
}

/* --- setup registers --- */

static void check_size(const struct vpm_ports *ports, uint32_t word)
{
    if (setup_get(word, SETUP_VPM_SIZE) == SETUP_SIZE_RESERVED)
        fault(ports->log, FAULT_VPM_SETUP, "VPM setup 0x%08x: size 3 is reserved; 32 bits are used",
              word);
}

/* Returns true if the queue has room for a read setup. Otherwise reports a finding and returns
 * false. */
static bool has_room(const struct vpm_ports *ports, struct vpm_port *port, uint32_t word)
{
    port->overfilled |= port->queued_left || port->reads_left > 1;
    if (port->queued_left) {
        fault(ports->log, FAULT_VPM_SETUP,
              "VPM read setup 0x%08x is ignored, because two earlier setups still have unread "
              "vectors",
              word);
        return false;
    }
    if (port->reads_left > 1)
        fault(ports->log, FAULT_VPM_QUEUE,
              "VPM read setup 0x%08x is executed before reading %u vector%s of setup 0x%08x", word,
              port->reads_left, text_plural(port->reads_left), port->read_setup);
    return true;
}

static void set_up_read(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                        uint32_t word)
{
    const uint32_t count = setup_get(word, SETUP_VPM_NUMBER);
    check_size(ports, word);
    if (port->reads_left && !has_room(ports, port, word))
        return;
    watch_fetches(vpm, ports, port, word, count);
    port->read_setup_pc = port->pc;
    uint64_t earliest = port->now + TIMING_INSTRUCTION + TIMING_VPM_READ - TIMING_VPM_VECTOR;
    if (port->reads_left) {
        port->queued_setup = word;
        port->queued_left = count;
        port->queued_at = earliest;
        return;
    }
    port->read_setup = word;
    port->reads_left = count;
    port->first_read = port->executed + READ_LATENCY + 1;
    fetch(vpm, ports, port, earliest);
}

bool vpm_sets_up_quietly(const struct vpm_ports *ports, const struct vpm_port *port, bool reads,
                         uint32_t word)
{
    const uint32_t id = setup_get(word, SETUP_ANY_ID);
    if (id == SETUP_ID_VPM && setup_get(word, SETUP_VPM_SIZE) == SETUP_SIZE_RESERVED)
        return false;
    if (reads)
        return id >= SETUP_ID_STORE ||
               (id == SETUP_ID_VPM && !port->reads_left && !ports->sanitize);
    return id == SETUP_ID_VPM || id == SETUP_ID_STORE_STRIDE ||
           (id == SETUP_ID_STORE && setup_get(word, SETUP_STORE_MODE) != SETUP_MODE_RESERVED &&
            !setup_get(word, SETUP_STORE_LANED));
}

void vpm_read_setup(struct vpm *vpm, const struct vpm_ports *ports, struct vpm_port *port,
                    uint32_t word)
{
    if (setup_get(word, SETUP_LOAD_KIND) == SETUP_KIND_LOAD_PITCH)
        port->load_pitch = setup_get(word, SETUP_LOAD_PITCH_LOW);
    else if (setup_get(word, SETUP_LOAD_IS_LOAD))
        port->load_setup = word;
    else if (setup_get(word, SETUP_ANY_ID) == SETUP_ID_RESERVED)
        fault(ports->log, FAULT_VPM_SETUP,
              "read setup 0x%08x: bits 31:30 = 1 do not select a setup", word);
    else
        set_up_read(vpm, ports, port, word);
}

static void set_up_store(const struct vpm_ports *ports, struct vpm_port *port, uint32_t word)
{
    port->store_setup = word;
    if (setup_get(word, SETUP_STORE_MODE) == SETUP_MODE_RESERVED)
        fault(ports->log, FAULT_VPM_SETUP,
              "DMA store setup 0x%08x: MODEW 1 is unused; 32 bits are used", word);
    if (setup_get(word, SETUP_STORE_LANED))
        fault(ports->log, FAULT_VPM_SETUP,
              "DMA store setup 0x%08x: bit 15 (laned) must be 0; packed elements are used", word);
}

void vpm_write_setup(const struct vpm_ports *ports, struct vpm_port *port, uint32_t word)
{
    switch (setup_get(word, SETUP_ANY_ID)) {
    case SETUP_ID_VPM:
        check_size(ports, word);
        port->write_setup = word;
        port->write_ready = true;
        break;
    case SETUP_ID_RESERVED:
        fault(ports->log, FAULT_VPM_SETUP,
              "write setup 0x%08x: bits 31:30 = 1 do not select a setup", word);
        break;
    case SETUP_ID_STORE: set_up_store(ports, port, word); break;
    default: port->store_stride = word; break;
    }
}
