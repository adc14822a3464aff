/* SPDX-License-Identifier: MIT */
/* vpm.c - Vertex Pipe Memory, its QPU interface, and its DMA engines VCD (load) and VDW (store).
 *
 * In:       setup words, DMA addresses and vectors from QPUs; memory.
 * Out:      vectors to QPUs; memory.
 * Source:   manual section 7, figures 8 and 9, tables 31 to 37, corrected by what people measured:
 *           vc4asm doc/VideoCoreIV-addendum.html (read queue, 16-bit stride), asurati/x03
 *           demo/d2.c (where vertical transfers go), py-videocore tests/test_dma.py (gaps, VPITCH).
 * Modelled: the 64 rows that programs reach; all widths, packed and laned, both directions.
 * Left out: time. Transfers are done at once, and vectors are read when the program takes them.
 *           The reservation of rows (V3D_VPMBASE) is not looked at.
 * Differs:  docs/vc4/vpm.md lists the corrections to the manual and the choices. */
#include "vc4/vpm.h"

#include "base/bits.h"

/* Elements of a half or quarter row. */
enum { SUBVECTOR = 16 };

/* SIZE of tables 32 and 33. */
enum { SIZE_BYTE, SIZE_HALF, SIZE_WORD, SIZE_RESERVED };

/* Elements in a line, in the VPM. Their words run along a row, or down a column. */
struct line {
    bool vertical;
    bool laned;           /* one element in each word, else as many as fit */
    uint32_t parts_log2;  /* elements per word: 0, 1, 2 for 32, 16, 8 bits */
    uint32_t row, column; /* of the first word */
    uint32_t part;        /* laned: which part of each word; packed: first sub-vector */
};

/* Where an element is. */
struct cell {
    uint32_t *word;
    uint32_t shift;
    uint32_t row; /* as the program sees it */
    bool wrapped; /* it would lie below the last row */
};

static uint32_t *row_words(struct vpm *vpm, const struct vpm_window *window, uint32_t row)
{
    return vpm->word[(window->base + row) % VPM_ROWS];
}

/* Past column 15 a row goes on in the next one, and columns go on 16 rows further down (measured by
 * x03's d2.c for vertical stores, by analogy elsewhere). */
static struct cell locate(struct vpm *vpm, const struct vpm_window *window, const struct line *line,
                          uint32_t element)
{
    uint32_t index = element, part = line->part;
    if (!line->laned) {
        uint32_t linear = line->part * SUBVECTOR + element;
        index = linear >> line->parts_log2;
        part = linear & ((1u << line->parts_log2) - 1);
    }
    uint32_t row = line->row, column = line->column;
    if (line->vertical)
        row += index + column / VPM_COLUMNS * 16;
    else {
        column += index;
        row += column / VPM_COLUMNS;
    }
    return (struct cell){
        .word = &row_words(vpm, window, row % VPM_USER_ROWS)[column % VPM_COLUMNS],
        .shift = part * (32u >> line->parts_log2),
        .row = row % VPM_USER_ROWS,
        .wrapped = row >= VPM_USER_ROWS,
    };
}

static uint32_t element_mask(const struct line *line)
{
    return UINT32_MAX >> (32 - (32u >> line->parts_log2));
}

static uint32_t get(struct cell cell, uint32_t mask)
{
    return *cell.word >> cell.shift & mask;
}

static void put(struct cell cell, uint32_t mask, uint32_t value)
{
    *cell.word = (*cell.word & ~(mask << cell.shift)) | (value & mask) << cell.shift;
}

void vpm_reset(struct vpm *vpm)
{
    memset(vpm->word, 0, sizeof vpm->word);
}

void vpm_port_user(struct vpm_port *port, uint32_t reserved_rows)
{
    uint32_t rows = reserved_rows && reserved_rows < VPM_USER_ROWS ? reserved_rows : VPM_USER_ROWS;
    struct vpm_window window = {.base = 0, .rows = rows};
    *port = (struct vpm_port){.input = window, .output = window};
}

void vpm_port_shader(struct vpm_port *port, struct vpm_window input, struct vpm_window output)
{
    *port = (struct vpm_port){.input = input, .output = output, .shader = true};
}

uint64_t vpm_rows_read(const struct vpm_port *port)
{
    return port->rows_read;
}

uint64_t vpm_rows_written(const struct vpm_port *port)
{
    return port->rows_written;
}

/* --- setup words --- */

static void check_size(struct vpm *vpm, uint32_t word)
{
    if (bits_get(word, 9, 8) == SIZE_RESERVED)
        fault(vpm->log, FAULT_VPM_SETUP, "VPM setup 0x%08x: size 3 is reserved; 32 bits are taken",
              word);
}

static void set_up_read(struct vpm *vpm, struct vpm_port *port, uint32_t word)
{
    uint32_t count = (uint32_t)bits_get(word, 23, 20);
    count = count ? count : 16;
    check_size(vpm, word);
    if (port->reads_left == 0) {
        port->read_setup = word;
        port->reads_left = count;
        return;
    }
    if (port->queued_left) {
        fault(vpm->log, FAULT_VPM_SETUP,
              "VPM read setup 0x%08x is ignored: two earlier ones still have vectors to read",
              word);
        return;
    }
    if (port->reads_left > 1)
        fault(vpm->log, FAULT_VPM_QUEUE, "VPM read setup 0x%08x, with %u vectors of 0x%08x unread",
              word, port->reads_left, port->read_setup);
    port->queued_setup = word;
    port->queued_left = count;
}

void vpm_read_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word)
{
    if (bits_get(word, 31, 28) == 9)
        port->load_pitch = (uint32_t)bits_get(word, 12, 0);
    else if (bits_get(word, 31, 31))
        port->load_setup = word;
    else if (bits_get(word, 30, 30))
        fault(vpm->log, FAULT_VPM_SETUP, "read setup 0x%08x: bits 31:30 = 1 select nothing", word);
    else
        set_up_read(vpm, port, word);
}

static void set_up_store(struct vpm *vpm, struct vpm_port *port, uint32_t word)
{
    port->store_setup = word;
    if (bits_get(word, 2, 0) == 1)
        fault(vpm->log, FAULT_VPM_SETUP,
              "DMA store setup 0x%08x: MODEW 1 is unused; 32 bits are taken", word);
    if (bits_get(word, 15, 15))
        fault(vpm->log, FAULT_VPM_SETUP,
              "DMA store setup 0x%08x: bit 15 (laned) must be 0; packed is taken", word);
}

void vpm_write_setup(struct vpm *vpm, struct vpm_port *port, uint32_t word)
{
    switch (bits_get(word, 31, 30)) {
    case 0:
        check_size(vpm, word);
        port->write_setup = word;
        port->write_ready = true;
        break;
    case 1:
        fault(vpm->log, FAULT_VPM_SETUP, "write setup 0x%08x: bits 31:30 = 1 select nothing", word);
        break;
    case 2: set_up_store(vpm, port, word); break;
    default: port->store_stride = word; break;
    }
}

/* --- vectors to and from QPUs --- */

/* Bits of ADDR below {Y} or {Y, X}: log2 of the elements in a word. */
static uint32_t setup_parts_log2(uint32_t setup)
{
    static const uint8_t parts_log2[4] = {
        [SIZE_BYTE] = 2, [SIZE_HALF] = 1, [SIZE_WORD] = 0, [SIZE_RESERVED] = 0};
    return parts_log2[bits_get(setup, 9, 8)];
}

static struct line setup_line(uint32_t setup)
{
    uint32_t parts_log2 = setup_parts_log2(setup);
    uint32_t address = (uint32_t)bits_get(setup, 7, 0);
    uint32_t place = address >> parts_log2 & 0x3f;
    bool vertical = !bits_get(setup, 11, 11);
    return (struct line){
        .vertical = vertical,
        .laned = parts_log2 && bits_get(setup, 10, 10),
        .parts_log2 = parts_log2,
        .row = vertical ? place & 0x30 : place,
        .column = vertical ? place & 0xf : 0,
        .part = address & ((1u << parts_log2) - 1),
    };
}

/* The setup with STRIDE added to ADDR, which wraps beyond row 63. */
static uint32_t advanced(uint32_t setup)
{
    uint32_t stride = (uint32_t)bits_get(setup, 17, 12);
    uint32_t address = (uint32_t)bits_get(setup, 7, 0) + (stride ? stride : 64);
    return (uint32_t)bits_set(setup, 5 + setup_parts_log2(setup), 0, address);
}

static bool is_whole_row(const struct line *line)
{
    return !line->vertical && line->parts_log2 == 0;
}

static void finish_read(struct vpm_port *port)
{
    port->read_setup = advanced(port->read_setup);
    if (--port->reads_left)
        return;
    port->read_setup = port->queued_setup;
    port->reads_left = port->queued_left;
    port->queued_left = 0;
}

/* Reports a vector with rows, bit each, that its window does not have. True if it has them all. */
static bool check_window(struct vpm *vpm, const struct vpm_port *port, uint64_t rows, bool write)
{
    const struct vpm_window *window = write ? &port->output : &port->input;
    if (window->rows >= VPM_USER_ROWS || rows >> window->rows == 0)
        return true;
    uint32_t row = 0;
    for (uint64_t outside = rows >> window->rows << window->rows; !(outside >> row & 1);)
        row++;
    if (port->shader)
        fault(vpm->log, FAULT_VPM_WINDOW, "the shader %s VPM row %u, but its %s has %u rows",
              write ? "writes" : "reads", row, write ? "output" : "input", window->rows);
    else
        fault(vpm->log, FAULT_VPM_RESERVATION,
              "VPM row %u is %s, but V3D_VPMBASE reserves %u rows for user programs", row,
              write ? "written" : "read", window->rows);
    return false;
}

/* Which rows the vector touches. */
static uint64_t line_rows(struct vpm *vpm, const struct vpm_window *window, const struct line *line)
{
    if (!line->vertical)
        return UINT64_C(1) << line->row;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < LANES; i++)
        rows |= UINT64_C(1) << locate(vpm, window, line, i).row;
    return rows;
}

bool vpm_read(struct vpm *vpm, struct vpm_port *port, lanes *value)
{
    if (port->reads_left == 0)
        return false;

    struct line line = setup_line(port->read_setup);
    uint32_t mask = element_mask(&line);
    uint64_t rows = line_rows(vpm, &port->input, &line);
    check_window(vpm, port, rows, false);
    port->rows_read |= rows;
    if (is_whole_row(&line))
        memcpy(value, row_words(vpm, &port->input, line.row), sizeof *value);
    else
        for (uint32_t i = 0; i < LANES; i++)
            (*value)[i] = get(locate(vpm, &port->input, &line, i), mask);
    finish_read(port);
    return true;
}

static void write_line(struct vpm *vpm, struct vpm_port *port, const struct line *line,
                       const lanes *value, lane_mask mask)
{
    uint64_t rows = line_rows(vpm, &port->output, line);
    bool inside = check_window(vpm, port, rows, true);
    port->rows_written |= rows;
    if (is_whole_row(line) && mask == ALL_LANES && inside) {
        memcpy(row_words(vpm, &port->output, line->row), value, sizeof *value);
        return;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        struct cell cell = locate(vpm, &port->output, line, i);
        if (mask >> i & 1 && (cell.row < port->output.rows || !port->shader))
            put(cell, element_mask(line), (*value)[i]);
    }
}

void vpm_write(struct vpm *vpm, struct vpm_port *port, const lanes *value, lane_mask mask)
{
    if (!port->write_ready) {
        fault(vpm->log, FAULT_VPM_SETUP, "a VPM write without a write setup before it is lost");
        return;
    }
    if (mask != ALL_LANES)
        fault(vpm->log, FAULT_VPM_CONDITION,
              "VPM write for elements 0x%04x only; the others keep their old data", mask);

    struct line line = setup_line(port->write_setup);
    write_line(vpm, port, &line, value, mask);
    port->write_setup = advanced(port->write_setup);
}

/* --- DMA --- */

/* One transfer, and what goes wrong in it. */
struct transfer {
    struct vpm *vpm;
    const struct vpm_window *window;
    enum bus_client client;
    const char *name;
    uint32_t setup;
    uint32_t element_bytes;
    uint32_t elements, missed, first_miss; /* missed: outside mapped memory */
    bool wrapped;
};

/* What MODEW says of the elements: 0 words, 2 and 3 halves, 4 to 7 bytes, with their sub-vector. */
static struct line mode_line(uint32_t mode)
{
    if (mode >= 4)
        return (struct line){.parts_log2 = 2, .part = mode & 3};
    if (mode >= 2)
        return (struct line){.parts_log2 = 1, .part = mode & 1};
    return (struct line){.parts_log2 = 0};
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

/* Memory for count elements, or NULL if not all of it is mapped. */
static uint8_t *run_memory(const struct transfer *transfer, uint32_t address, uint32_t count)
{
    return bus_peek(transfer->vpm->bus, address, count * transfer->element_bytes);
}

/* Memory for one element; nowhere, zero, if it is not mapped. */
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

/* Moves count elements between memory and a line of the VPM, from element first on. */
static void move_elements(struct transfer *transfer, const struct line *line, uint32_t first,
                          uint32_t address, uint32_t count)
{
    uint32_t size = transfer->element_bytes, mask = element_mask(line);
    address -= address % size;
    uint8_t *run = run_memory(transfer, address, count);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t nowhere[4];
        uint8_t *memory = run ? run + i * size
                              : element_memory(transfer, address + i * size, nowhere);
        struct cell cell = locate(transfer->vpm, transfer->window, line, first + i);
        transfer->wrapped |= cell.wrapped;
        if (transfer->client == BUS_VDW)
            write_element(memory, size, get(cell, mask));
        else
            put(cell, mask, read_element(memory, size));
    }
    transfer->elements += count;
}

static void report(const struct transfer *transfer)
{
    struct fault_log *log = transfer->vpm->log;
    if (transfer->missed)
        fault_at(log, FAULT_BUS_UNMAPPED, transfer->first_miss,
                 "%s: %u of %u elements lie outside mapped memory, the first at 0x%08x",
                 transfer->name, transfer->missed, transfer->elements, transfer->first_miss);
    if (transfer->wrapped)
        fault(log, FAULT_VPM_SETUP,
              "%s with setup 0x%08x passes row 63 of the VPM; it goes on from row 0",
              transfer->name, transfer->setup);
}

static void check_alignment(const struct transfer *transfer, uint32_t address, uint32_t pitch)
{
    if ((address | pitch) % transfer->element_bytes)
        fault_at(transfer->vpm->log, FAULT_VPM_ALIGNMENT, address,
                 "%s: address 0x%08x or pitch %u is not a multiple of the %u-byte elements",
                 transfer->name, address, pitch, transfer->element_bytes);
}

static bool is_set_up(const struct transfer *transfer)
{
    if (transfer->setup == 0)
        fault(transfer->vpm->log, FAULT_VPM_SETUP, "%s without a setup before it does nothing",
              transfer->name);
    return transfer->setup != 0;
}

void vpm_load(struct vpm *vpm, struct vpm_port *port, uint32_t address)
{
    uint32_t setup = port->load_setup;
    struct line line = mode_line((uint32_t)bits_get(setup, 30, 28));
    struct transfer transfer = {
        .vpm = vpm,
        .window = &port->input,
        .client = BUS_VCD,
        .name = "DMA load (VCD)",
        .setup = setup,
        .element_bytes = 4u >> line.parts_log2,
    };
    if (!is_set_up(&transfer))
        return;

    uint32_t length = ((uint32_t)bits_get(setup, 23, 20) + 15) % 16 + 1; /* 0 means 16 */
    uint32_t rows = ((uint32_t)bits_get(setup, 19, 16) + 15) % 16 + 1;
    uint32_t vpm_pitch = ((uint32_t)bits_get(setup, 15, 12) + 15) % 16 + 1;
    uint32_t memory_pitch = (uint32_t)bits_get(setup, 27, 24);
    memory_pitch = memory_pitch ? 8u << memory_pitch : port->load_pitch;
    check_alignment(&transfer, address, rows > 1 ? memory_pitch : 0);

    /* Row and sub-vector count as one number, {Y, B} or {Y, H}. */
    uint32_t place = (uint32_t)bits_get(setup, 10, 4) << line.parts_log2 | line.part;
    line.vertical = bits_get(setup, 11, 11);
    line.column = (uint32_t)bits_get(setup, 3, 0);
    for (uint32_t row = 0; row < rows; row++, place += vpm_pitch) {
        line.row = place >> line.parts_log2;
        line.part = place & ((1u << line.parts_log2) - 1);
        move_elements(&transfer, &line, 0, address + row * memory_pitch, length);
    }
    report(&transfer);
}

void vpm_store(struct vpm *vpm, struct vpm_port *port, uint32_t address)
{
    uint32_t setup = port->store_setup;
    struct line line = mode_line((uint32_t)bits_get(setup, 2, 0));
    struct transfer transfer = {
        .vpm = vpm,
        .window = &port->output,
        .client = BUS_VDW,
        .name = "DMA store (VDW)",
        .setup = setup,
        .element_bytes = 4u >> line.parts_log2,
    };
    if (!is_set_up(&transfer) || !bus_may_write(vpm->bus))
        return;

    uint32_t units = ((uint32_t)bits_get(setup, 29, 23) + 127) % 128 + 1; /* 0 means 128 */
    uint32_t depth = ((uint32_t)bits_get(setup, 22, 16) + 127) % 128 + 1;
    uint32_t gap = (uint32_t)bits_get(port->store_stride, 15, 0);
    bool block_mode = bits_get(port->store_stride, 16, 16);
    check_alignment(&transfer, address, units > 1 ? gap : 0);

    uint32_t row = (uint32_t)bits_get(setup, 13, 7), column = (uint32_t)bits_get(setup, 6, 3);
    line.vertical = !bits_get(setup, 14, 14);
    for (uint32_t unit = 0; unit < units; unit++) {
        line.row = row + (block_mode || line.vertical ? 0 : unit);
        line.column = column + (block_mode || !line.vertical ? 0 : unit);
        move_elements(&transfer, &line, block_mode ? unit * depth : 0,
                      address + unit * (depth * transfer.element_bytes + gap), depth);
    }
    report(&transfer);
}
