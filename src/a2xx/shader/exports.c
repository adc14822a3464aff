/* SPDX-License-Identifier: MIT */
/* exports.c - see exports.h.
 *
 * The address of a memory export has the base in x, 2^23 plus the index in y, the format in z, and
 * 2^23 plus the number of elements in w.
 * Source:  docs/hardware/a2xx.md, sections 10, 11, 24 and 26; xenia, src/xenia/gpu/xenos.h, for the
 *          end of an export and the formats.
 * Choice:  killed pixels and helper pixels write nothing. */
#include "a2xx/shader/exports.h"

#include <stdlib.h>
#include <string.h>

#include "a2xx/shader/find.h"
#include "base/array.h"
#include "base/bits.h"

enum { ELEMENTS = A2XX_EXPORT_DATA_LAST - A2XX_EXPORT_DATA + 1, EXPONENT = 0x96, BYTES_MAX = 16 };

/* --- memory --- */

struct stream {
    uint32_t base, index, limit, format, bytes, endian;
    bool is_signed, normalized, swapped;
};

static uint32_t exported(const struct a2xx_machine *machine, unsigned number, unsigned component,
                         unsigned lane)
{
    return machine->exports[number][component].lane[lane];
}

/* Returns the format code for a memory export on Adreno. z has a code of the render targets
 * (docs/hardware/a2xx.md, section 17). Code 15 of the result is undefined. */
static uint32_t adreno_format(uint32_t z)
{
    static const uint8_t formats[16] = {15, 3, 4, 2, 10, 6, 6, 30, 31, 32, 36, 37, 38, 51, 16, 0};
    return formats[z >> 12 & 15];
}

static struct stream read_stream(const struct a2xx_machine *machine, unsigned lane)
{
    enum { SIGNED_FRACTION = 1, UNSIGNED_INTEGER = 2, SIGNED_INTEGER = 3, SIGNED_BYTES = 6 };
    uint32_t z = exported(machine, A2XX_EXPORT_ADDRESS, 2, lane);
    uint32_t kind = z >> 16 & 7;
    bool xenos = machine->code->variant == TESS_A2XX_XENOS;
    struct stream stream = {
        .base = exported(machine, A2XX_EXPORT_ADDRESS, 0, lane) << 2,
        .index = exported(machine, A2XX_EXPORT_ADDRESS, 1, lane),
        .limit = exported(machine, A2XX_EXPORT_ADDRESS, 3, lane) & 0x7fffff,
        .format = xenos ? z >> 8 & 63 : adreno_format(z),
        .endian = z & 7,
        .is_signed = kind == SIGNED_FRACTION || kind == SIGNED_INTEGER ||
                     (!xenos && (z >> 12 & 15) == SIGNED_BYTES),
        .normalized = kind != UNSIGNED_INTEGER && kind != SIGNED_INTEGER,
        .swapped = z >> 19 & 1,
    };
    const struct a2xx_format *format = &a2xx_formats[machine->code->variant][stream.format];
    bool plain = format->kind == A2XX_FORMAT_INTEGER || format->kind == A2XX_FORMAT_FLOAT;
    stream.bytes = plain && format->width == 1 && format->height == 1 ? format->bytes : 0;
    return stream;
}

/* Reorders the bytes for the stream's endianness, which is 8in16, 8in32, 16in32, 8in64 or
 * 8in128. */
static void swap_bytes(const struct stream *stream, uint8_t bytes[BYTES_MAX])
{
    static const uint8_t change[8] = {0, 1, 3, 2, 7, 15, 0, 0};
    uint8_t old[BYTES_MAX];
    memcpy(old, bytes, sizeof old);
    for (unsigned i = 0; i < stream->bytes; i++) {
        unsigned from = i ^ change[stream->endian];
        bytes[i] = from < stream->bytes ? old[from] : old[i];
    }
}

static void add_write(struct a2xx_machine *machine, const struct a2xx_memory_write *write)
{
    struct a2xx_memory_writes *writes = &machine->writes;
    if (ARRAY_GROW(writes->list, writes->count))
        writes->list[writes->count++] = *write;
    else
        machine->failed = true;
}

static void write_element(struct a2xx_machine *machine, const struct stream *stream, unsigned i,
                          unsigned lane)
{
    struct a2xx_memory_write write = {
        .address = stream->base + (stream->index + i) * stream->bytes,
        .line = machine->memory_line[lane],
        .lane = (uint8_t)lane,
        .size = (uint8_t)stream->bytes,
        .item = machine->batch->base + machine->first + lane,
        .cycle = machine->executed[lane] + machine->step,
    };
    float values[4];
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = stream->swapped && c != 1 && c != 3 ? 2 - c : c;
        values[c] = bits_float(exported(machine, A2XX_EXPORT_DATA + i, from, lane));
    }
    if (!tess_a2xx_format_pack(stream->format, machine->code->variant, stream->is_signed,
                               stream->normalized, values, write.bytes))
        return;
    swap_bytes(stream, write.bytes);
    add_write(machine, &write);
}

/* Returns the elements that the lane has exported, as bits. */
static unsigned elements(const struct a2xx_machine *machine, unsigned lane)
{
    unsigned found = 0;
    for (unsigned i = 0; i < ELEMENTS; i++)
        for (unsigned c = 0; c < 4; c++)
            found |= (unsigned)(machine->exported[A2XX_EXPORT_DATA + i][c] >> lane & 1) << i;
    return found;
}

static void commit_lane(struct a2xx_machine *machine, unsigned lane)
{
    a2xx_mask bit = (a2xx_mask)1 << lane;
    unsigned written = elements(machine, lane);
    a2xx_mask address = bit;
    for (unsigned c = 0; c < 4; c++)
        address &= machine->exported[A2XX_EXPORT_ADDRESS][c];
    if (!written)
        return;
    if (!address) {
        a2xx_find(machine, A2XX_FAULT_MEMORY_ADDRESS, bit, "export32 has not been written");
        return;
    }
    struct stream stream = read_stream(machine, lane);
    if (!stream.bytes) {
        a2xx_find(machine, A2XX_FAULT_MEMORY_FORMAT, bit, "format %u cannot be written to memory",
                  stream.format);
        return;
    }
    bool good = stream.index >> 23 == EXPONENT;
    stream.index &= 0x7fffff;
    for (unsigned i = 0; i < ELEMENTS; i++) {
        if (!(written >> i & 1))
            continue;
        if (good && stream.index + i < stream.limit)
            write_element(machine, &stream, i, lane);
        else
            a2xx_find(machine, A2XX_FAULT_MEMORY_INDEX, bit,
                      "export%u: index %u is out of range; the limit is %u", A2XX_EXPORT_DATA + i,
                      stream.index + i, stream.limit);
    }
}

void a2xx_commit_memory(struct a2xx_machine *machine, a2xx_mask lanes)
{
    const uint64_t numbers = UINT64_C(0x3f) << A2XX_EXPORT_ADDRESS;
    uint32_t line = machine->line;
    if (!(machine->export_numbers & numbers))
        return;
    FOR_LANES(lane, lanes & ~machine->killed & ~machine->helpers)
    {
        machine->line = machine->memory_line[lane];
        commit_lane(machine, (unsigned)lane);
    }
    machine->line = line;
    for (unsigned i = A2XX_EXPORT_ADDRESS; i <= A2XX_EXPORT_DATA_LAST; i++)
        for (unsigned c = 0; c < 4; c++) {
            machine->sent[i - A2XX_EXPORT_ADDRESS][c] |= machine->exported[i][c] & lanes;
            machine->exported[i][c] &= ~lanes;
        }
}

static int by_lane(const void *left, const void *right)
{
    const struct a2xx_memory_write *a = left, *b = right;
    if (a->lane != b->lane)
        return (int)a->lane - (int)b->lane;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

void a2xx_sort_writes(struct a2xx_memory_writes *writes, size_t from)
{
    if (writes->count > from)
        qsort(writes->list + from, writes->count - from, sizeof *writes->list, by_lane);
}

/* --- arrays of the batch --- */

static void write_export(struct a2xx_machine *machine, unsigned number, a2xx_mask lanes)
{
    float(*to)[4] = machine->batch->exports[number];
    bool memory = a2xx_export_buffer(number) == A2XX_BUFFER_MEMORY;
    for (unsigned c = 0; c < 4; c++) {
        a2xx_mask written = machine->exported[number][c];
        if (memory)
            written |= machine->sent[number - A2XX_EXPORT_ADDRESS][c];
        FOR_LANES(lane, lanes & written)
        to[machine->first + lane][c] = bits_float(machine->exports[number][c].lane[lane]);
    }
}

void a2xx_write_exports(struct a2xx_machine *machine)
{
    a2xx_mask lanes = ~(machine->killed | machine->helpers);
    FOR_LANES(number, machine->export_numbers)
    if (machine->batch->exports[number])
        write_export(machine, (unsigned)number, lanes);
    machine->stats.killed += count_lanes(machine->killed);
    if (machine->batch->killed)
        FOR_LANES(lane, machine->killed)
    machine->batch->killed[machine->first + lane] = 1;
}
