/* SPDX-License-Identifier: MIT */
/* code_xenos.c - the microcode in a shader container, which Microsoft's compiler makes for the Xenos.
 *
 * In:      words, the highest byte first: 0x102A1100 (pixels) or 0x102A1101 (vertices); where the data begin; ... word 6: where
 *          the description begins, whose first words are the sizes of the constants and of the microcode. The data are these.
 * Out:     the microcode as a segment of little-endian words.
 * Source:  containers themselves; docs/a2xx/mesa.md says which.
 * Left out: the constants, and names in the description. */
#include "base/bits.h"
#include "isa/code_read.h"

enum { DATA_WORD = 1, DESCRIPTION_WORD = 6, HEAD_WORDS = 7, WORD_BYTES = 4 };

#define REFUSE(reader, ...) \
    code_refuse((reader), "code-xenos", 0, 0, "the file may be cut short", __VA_ARGS__)

static uint32_t word_at(const struct code_reader *reader, size_t offset)
{
    const uint8_t *bytes = reader->bytes + offset;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_inside(const struct code_reader *reader, uint64_t offset, uint64_t size)
{
    return offset <= reader->size && size <= reader->size - offset;
}

enum tess_status code_read_xenos(struct code_reader *reader)
{
    struct buffer bytes = {0};
    if (!is_inside(reader, 0, (size_t)HEAD_WORDS * WORD_BYTES))
        return REFUSE(reader, "a container's head has %d words", HEAD_WORDS);
    uint32_t data = word_at(reader, (size_t)DATA_WORD * WORD_BYTES);
    uint32_t description = word_at(reader, (size_t)DESCRIPTION_WORD * WORD_BYTES);
    if (!is_inside(reader, description, 2 * (size_t)WORD_BYTES))
        return REFUSE(reader, "the description at 0x%x lies outside of the file",
                      (unsigned)description);
    uint64_t start = (uint64_t)data + word_at(reader, description);
    uint32_t size = word_at(reader, (size_t)description + WORD_BYTES);
    if (!is_inside(reader, start, size) || size % WORD_BYTES != 0)
        return REFUSE(reader, "0x%x bytes of microcode at 0x%llx are no words in the file",
                      (unsigned)size, (unsigned long long)start);
    for (uint32_t i = 0; i < size; i += WORD_BYTES)
        buffer_le32(&bytes, word_at(reader, (size_t)start + i));
    return code_add_segment(reader->image, reader->base, &bytes, NULL, 0);
}
