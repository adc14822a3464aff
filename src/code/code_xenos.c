/* SPDX-License-Identifier: MIT */
/* code_xenos.c - reads the microcode from a shader container, written by Microsoft's
 * compiler for the Xenos.
 *
 * In:      words, highest byte first. Word 0: 0x102A1100 (pixel shader) or 0x102A1101 (vertex
 *          shader). Word 1: offset of the data. Word 6: offset of the description, whose first
 *          words are the sizes of the constants and of the microcode. The data consist of the
 *          constants and the microcode. C headers contain the same words as numbers.
 * Out:     the microcode as a segment of little-endian words.
 * Source: the shader containers that docs/a2xx/mesa.md lists.
 * Left out: the constants, and the names in the description. */
#include "base/bits.h"
#include "code/code_read.h"

enum { DATA_WORD = 1, DESCRIPTION_WORD = 6, HEAD_WORDS = 7, WORD_BYTES = 4 };

#define REFUSE(reader, ...) \
    code_refuse((reader), "code-xenos", 0, 0, "check that the file is complete", __VA_ARGS__)

static uint32_t word_at(const struct code_reader *reader, size_t offset)
{
    const uint8_t *bytes = reader->bytes + offset;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_inside(const struct code_reader *reader, uint64_t offset, uint64_t size)
{
    return offset <= reader->size && size <= reader->size - offset;
}

/* Position of the microcode. */
struct extent {
    size_t start;
    uint32_t size;
};

static enum tess_status find_microcode(const struct code_reader *reader, struct extent *found)
{
    if (!is_inside(reader, 0, (size_t)HEAD_WORDS * WORD_BYTES))
        return REFUSE(reader, "the file is shorter than a container's head of %d words",
                      HEAD_WORDS);
    uint32_t data = word_at(reader, (size_t)DATA_WORD * WORD_BYTES);
    uint32_t description = word_at(reader, (size_t)DESCRIPTION_WORD * WORD_BYTES);
    if (!is_inside(reader, description, 2 * (size_t)WORD_BYTES))
        return REFUSE(reader, "the description at 0x%x lies outside of the file",
                      (unsigned)description);
    uint64_t start = (uint64_t)data + word_at(reader, description);
    uint32_t size = word_at(reader, (size_t)description + WORD_BYTES);
    if (!is_inside(reader, start, size) || size % WORD_BYTES != 0)
        return REFUSE(
            reader,
            "the microcode (0x%x bytes at 0x%llx) does not consist of whole words inside the file",
            (unsigned)size, (unsigned long long)start);
    *found = (struct extent){(size_t)start, size};
    return TESS_OK;
}

static void put_microcode(const struct code_reader *reader, const struct extent *extent,
                          struct buffer *out)
{
    for (uint32_t i = 0; i < extent->size; i += WORD_BYTES)
        buffer_le32(out, word_at(reader, extent->start + i));
}

enum tess_status code_read_xenos(struct code_reader *reader)
{
    struct buffer bytes = {0};
    struct extent extent;
    enum tess_status status = find_microcode(reader, &extent);
    if (status != TESS_OK)
        return status;
    put_microcode(reader, &extent, &bytes);
    return code_add_segment(reader->image, reader->base, &bytes, NULL, 0);
}

void code_unpack_xenos(struct buffer *words)
{
    enum { MAGIC = 0x102a1100, VERTEX = 1 };
    if (words->failed || words->size < WORD_BYTES || words->size % WORD_BYTES != 0 ||
        (load_le32(words->data) & ~(uint32_t)VERTEX) != MAGIC)
        return;
    struct buffer turned = {0}, microcode = {0};
    for (size_t i = 0; i < words->size; i += WORD_BYTES)
        for (unsigned byte = WORD_BYTES; byte-- > 0;)
            buffer_byte(&turned, words->data[i + byte]);
    const struct code_reader reader = {.bytes = turned.data, .size = turned.size};
    struct extent extent;
    bool found = !turned.failed && find_microcode(&reader, &extent) == TESS_OK;
    if (found) {
        put_microcode(&reader, &extent, &microcode);
        buffer_free(words);
        *words = microcode;
    }
    buffer_free(&turned);
}
