/* SPDX-License-Identifier: MIT */
/* write.c - an assembled program as plain bytes, hexadecimal text or a C initialiser: one run from
 * the lowest to the highest address, gaps filled with zero. */
#include "asm/write.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/diag.h"

/* The lowest address and the number of bytes from there to the end of the highest region. */
static uint64_t measure(const struct asm_regions *regions, uint32_t *start)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < regions->count; i++) {
        const struct asm_region *region = &regions->items[i];
        uint64_t end = (uint64_t)region->address + region_size(region);
        if (region_size(region) == 0)
            continue;
        low = region->address < low ? region->address : low;
        high = end > high ? end : high;
    }
    *start = (uint32_t)low;
    return high > low ? high - low : 0;
}

/* All regions as one run of bytes. */
static enum tess_status flatten(const struct asm_program *program, struct tess_sink sink,
                                uint8_t **bytes, size_t *size)
{
    uint32_t start;
    uint64_t span = measure(&program->regions, &start);
    if (span > ASM_STORED_MAX) {
        struct tess_diag diag = {.severity = TESS_ERROR,
                                 .rule = "asm-limit",
                                 .hint = "an ELF file (-f elf) stores each region on its own"};
        diag_report(sink, &diag, "the regions span %llu bytes; plain output ends at %d MiB",
                    (unsigned long long)span, ASM_STORED_MAX >> 20);
        return TESS_WRONG;
    }
    *size = (size_t)span;
    *bytes = calloc(1, *size + 8);
    if (!*bytes)
        return TESS_NO_MEMORY;
    for (size_t i = 0; i < program->regions.count; i++) {
        const struct asm_region *region = &program->regions.items[i];
        if (region->bytes.size > 0)
            memcpy(*bytes + (region->address - start), region->bytes.data, region->bytes.size);
    }
    return TESS_OK;
}

/* Two words a line; the last word is filled up with zeros. */
static void write_words(struct buffer *out, const uint8_t *bytes, size_t size, const char *indent)
{
    for (size_t at = 0; at < size; at += 8) {
        buffer_printf(out, "%s0x%08x,", indent, load_le32(bytes + at));
        if (size - at > 4)
            buffer_printf(out, " 0x%08x,", load_le32(bytes + at + 4));
        buffer_printf(out, "\n");
    }
}

enum tess_status asm_write(const struct asm_program *program, enum tess_asm_format format,
                           struct tess_sink sink, struct buffer *out)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = (struct buffer){0};
    if (format != TESS_ASM_ELF) {
        enum tess_status status = flatten(program, sink, &bytes, &size);
        if (status != TESS_OK)
            return status;
    }
    switch (format) {
    case TESS_ASM_BIN: buffer_append(out, bytes, size); break;
    case TESS_ASM_HEX: write_words(out, bytes, size, ""); break;
    case TESS_ASM_C:
        buffer_printf(out, "{\n");
        write_words(out, bytes, size, "    ");
        buffer_printf(out, "}\n");
        break;
    case TESS_ASM_ELF: asm_write_elf(program, out); break;
    }
    free(bytes);
    return out->failed ? TESS_NO_MEMORY : TESS_OK;
}
