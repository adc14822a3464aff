/* SPDX-License-Identifier: MIT */
/* vpm_line.c - see vpm_line.h.
 *
 * Source: manual section 7, figures 8 and 9; asurati/x03 demo/d2.c (targets of vertical transfers);
 *         maazl/vc4asm issue 27 (columns of more than 16 words); stores of five rows from rows 15,
 *         30 and 45 on, on a Raspberry Pi 3 B+ (columns that pass a multiple of 16 rows). */
#include "vc4/vpm/vpm_line.h"

#include "vc4/fault/fault.h"

/* Number of elements in a sub-vector, which is a half or a quarter of a row; number of words in a
 * column. */
enum { SUBVECTOR = 16, COLUMN = 16 };

/* Finds word `index` of a column. For a store, the row number inside a column has four bits and
 * wraps around. A store of five rows from row 15 uses rows 15, 0, 1, 2 and 3. A store of 32 rows
 * uses the 16 rows twice. */
static void find_in_column(const struct vpm_line *line, uint32_t index, uint32_t *row,
                           uint32_t *column)
{
    uint32_t place = *row % COLUMN + index;
    if (line->runs_on) {
        *row += index;
        return;
    }
    *column += line->block ? place / COLUMN : 0;
    *row = *row / COLUMN * COLUMN + place % COLUMN;
}

/* Returns the position of an element. After column 15, words of a row continue in the next row, and
 * words of a column continue 16 rows further down (measured by x03's d2.c for vertical stores,
 * assumed for other transfers). */
struct vpm_cell vpm_locate(struct vpm *vpm, const struct vpm_window *window,
                           const struct vpm_line *line, uint32_t element)
{
    uint32_t index = element, part = line->part;
    if (!line->laned) {
        uint32_t linear = line->part * SUBVECTOR + element;
        index = linear >> line->parts_log2;
        part = linear & ((1u << line->parts_log2) - 1);
    }
    uint32_t row = line->row, column = line->column;
    if (line->vertical) {
        find_in_column(line, index, &row, &column);
        row += column / VPM_COLUMNS * COLUMN;
    } else {
        column += index;
        row += column / VPM_COLUMNS;
    }
    uint32_t seen = row % VPM_USER_ROWS;
    return (struct vpm_cell){
        .word = &vpm->word[(window->base + seen) % VPM_ROWS][column % VPM_COLUMNS],
        .shift = part * (32u >> line->parts_log2),
        .row = seen,
        .wrapped = row >= VPM_USER_ROWS,
    };
}

uint32_t vpm_element_mask(const struct vpm_line *line)
{
    return UINT32_MAX >> (32 - (32u >> line->parts_log2));
}

uint32_t vpm_range_error(const struct vpm_port *port, bool write)
{
    if (port->shader)
        return write ? V3D_ERRSTAT_VPMEWR : V3D_ERRSTAT_VPMERR;
    return write ? V3D_ERRSTAT_VPMEWNA : V3D_ERRSTAT_VPMERNA;
}

/* --- the run-time sanitizer --- */

struct vpm_watch vpm_watch(struct vpm *vpm, const struct vpm_ports *ports,
                           const struct vpm_port *port, enum race_agent agent)
{
    return (struct vpm_watch){
        .vpm = vpm,
        .ports = ports,
        .access = {.qpu = port->qpu, .agent = agent},
        .pc = port->pc,
        .races = ports->race && port->qpu != VPM_NO_QPU,
    };
}

/* Returns, as bits, the bytes of a word that an element occupies. */
static uint32_t bytes_of(struct vpm_cell cell, uint32_t mask)
{
    uint32_t bytes = mask == 0xff ? 1 : mask == 0xffff ? 3 : 15;
    return bytes << cell.shift / 8;
}

static uint32_t word_number(const struct vpm *vpm, struct vpm_cell cell)
{
    return (uint32_t)(cell.word - vpm->word[0]);
}

void vpm_watch_element(struct vpm_watch *watch, struct vpm_cell cell, uint32_t mask, bool write)
{
    struct vpm *vpm = watch->vpm;
    const struct vpm_ports *ports = watch->ports;
    if (!ports->sanitize)
        return;
    uint32_t word = word_number(vpm, cell), bytes = bytes_of(cell, mask);
    if (write)
        vpm->written[word / VPM_COLUMNS] |= (uint64_t)bytes << word % VPM_COLUMNS * 4;
    if (watch->races)
        race_vpm(ports->race, &watch->access, word, bytes, write);
}

void vpm_watch_memory(struct vpm_watch *watch, uint32_t address, uint32_t size, bool write)
{
    if (!watch->races)
        return;
    race_memory(watch->ports->race, &watch->access, address, size, write);
    if (write)
        race_stored(watch->ports->race, address, size, watch->pc);
}

void vpm_watch_written(struct vpm_watch *watch, struct vpm_cell cell, uint32_t mask)
{
    const struct vpm *vpm = watch->vpm;
    const struct vpm_ports *ports = watch->ports;
    if (!ports->sanitize || watch->unwritten)
        return;
    uint32_t word = word_number(vpm, cell), bytes = bytes_of(cell, mask);
    uint64_t row = vpm->written[word / VPM_COLUMNS];
    watch->unwritten = bytes & ~(uint32_t)(row >> word % VPM_COLUMNS * 4);
    watch->row = word / VPM_COLUMNS;
    watch->column = word % VPM_COLUMNS;
}

void vpm_watch_report(const struct vpm_watch *watch)
{
    if (watch->unwritten)
        fault(watch->ports->log, FAULT_VPM_UNINITIALISED,
              "VPM row %u, column %u is read, but was never written", watch->row, watch->column);
    if (watch->races)
        race_report(watch->ports->race, &watch->access);
}
