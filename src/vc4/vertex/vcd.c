/* SPDX-License-Identifier: MIT */
/* vcd.c - Vertex Cache DMA, as used by the vertex pipeline.
 *
 * In:       attribute arrays (manual table 45, from byte 36 on), vertex indices, memory.
 * Out:      a column of 32-bit words for each vertex (manual section 7, "Vertex Attribute Format in
 *           VPM from VCD").
 * Source:   the manual; article "Vertex and Coordinate Shaders" for size, stride and offset.
 * Modelled: any size, stride and offset; bytes are copied unchanged, and shaders convert them.
 * Left out: time; the hardware's reads of memory in bursts of 16 bytes.
 * Choices:  padding bytes of an attribute and columns without a vertex are 0. */
#include "vc4/vertex/vcd.h"

#include <string.h>

#include "base/bits.h"

vcd_rows vcd_filled(const struct shader_record *record, enum shader_stage stage)
{
    vcd_rows filled = 0;
    uint32_t selected = shader_selected(record, stage);
    for (uint32_t n = 0; n < record->attributes; n++)
        if (selected >> n & 1)
            filled |= shader_attribute_rows(&record->attribute[n], stage);
    return filled;
}

/* Loads 1 to 3 bytes as a little-endian number. */
static uint32_t load_tail(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static void put_column(uint32_t row[][VCD_BATCH], uint32_t column, uint32_t rows,
                       const uint8_t *bytes, uint32_t size)
{
    uint32_t words = size / 4;
    for (uint32_t w = 0; w < words && w < rows; w++)
        row[w][column] = load_le32(bytes + 4 * w);
    if (size % 4 && words < rows)
        row[words][column] = load_tail(bytes + 4 * words, size % 4);
}

static void report_missing(struct bus *bus, const struct shader_attribute *attribute,
                           uint32_t number, uint32_t index)
{
    uint32_t address = attribute->address + index * attribute->stride;
    fault_at(bus->log, FAULT_BUS_UNMAPPED, address,
             "vertex DMA (VCD): vertex %u of attribute array %u, %u bytes at 0x%08x, is outside "
             "mapped memory; the array "
             "begins at 0x%08x and has a stride of %u bytes" WITH_HINT
             "correct the array's address or stride in the shader record, keep indices below the "
             "array's number of vertices, or map memory for all vertices",
             index, number, attribute->bytes, address, attribute->address, attribute->stride);
}

static void fetch_attribute(uint32_t row[][VCD_BATCH], uint32_t rows,
                            const struct shader_attribute *attribute, uint32_t number,
                            struct bus *bus, const uint32_t index[], uint32_t count)
{
    uint32_t words = shader_attribute_words(attribute);
    if (count < VCD_BATCH)
        memset(row, 0, (words < rows ? words : rows) * sizeof *row);
    for (uint32_t i = 0; i < count; i++) {
        static const uint8_t nothing[256];
        uint32_t address = attribute->address + index[i] * attribute->stride;
        const uint8_t *bytes = bus_peek(bus, address, attribute->bytes);
        bus_observe(bus, BUS_VCD, address, attribute->bytes, false);
        if (!bytes)
            report_missing(bus, attribute, number, index[i]);
        put_column(row, i, rows, bytes ? bytes : nothing, attribute->bytes);
    }
}

void vcd_fetch(uint32_t row[VCD_ROWS][VCD_BATCH], const struct shader_record *record,
               enum shader_stage stage, struct bus *bus, const uint32_t index[], uint32_t count)
{
    uint32_t selected = shader_selected(record, stage);
    for (uint32_t n = 0; n < record->attributes; n++) {
        uint32_t first = shader_attribute_row(&record->attribute[n], stage);
        if (selected >> n & 1)
            fetch_attribute(row + first, VCD_ROWS - first, &record->attribute[n], n, bus, index,
                            count);
    }
}
_Static_assert(UINT8_MAX / 4 < VCD_ROWS, "every offset is a row");
