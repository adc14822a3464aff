/* SPDX-License-Identifier: MIT */
/* code_vc4c.c - finds the instructions in a module that VC4C has written as hexadecimal text.
 *
 * In: the output of "vc4c --hex": a comment that begins with "Module with", then lines of two
 *     words. A line with an instruction ends with a comment that shows the instruction in assembly.
 *     Lines of the header, of kernel descriptions and of global data have no comment.
 * Out: ranges of code and data in the image.
 * Source:   doe300/VC4C, src/asm/KernelInfo.cpp (writeModule) and Instruction.cpp (toHexString). */
#define _GNU_SOURCE /* memmem() */

#include <string.h>

#include "code/code_read.h"

enum { LINE_BYTES = 8 };

/* Returns the number of bytes that the words of a line encode. Sets *instruction to true if the
 * words are an instruction. */
static uint32_t bytes_of(const char *line, size_t length, bool *instruction)
{
    while (length > 0 && (*line == ' ' || *line == '\t'))
        line++, length--;
    *instruction = length > 2 && memchr(line, '/', length) != NULL;
    return length > 2 && line[0] == '0' && line[1] == 'x' ? LINE_BYTES : 0;
}

bool code_is_vc4c(const struct code_reader *reader)
{
    static const char head[] = "// Module with ", kernels[] = " kernels, global data with ";
    const char *text = (const char *)reader->bytes;
    if (reader->size < sizeof head || memcmp(text, head, sizeof head - 1) != 0)
        return false;
    const char *end = memchr(text, '\n', reader->size);
    size_t length = end ? (size_t)(end - text) : reader->size;
    return memmem(text, length, kernels, sizeof kernels - 1) != NULL;
}

bool code_has_words(const struct code_reader *reader)
{
    const char *text = (const char *)reader->bytes;
    bool instruction;
    for (size_t at = 0, length; at < reader->size; at += length + 1) {
        const char *end = memchr(text + at, '\n', reader->size - at);
        length = end ? (size_t)(end - text) - at : reader->size - at;
        if (bytes_of(text + at, length, &instruction))
            return true;
    }
    return false;
}

enum tess_status code_mark_vc4c(struct code_reader *reader)
{
    const char *text = (const char *)reader->bytes;
    struct code_image *image = reader->image;
    uint32_t address = image->segment_count ? image->segments[0].address : 0;
    enum tess_status status = TESS_OK;
    for (size_t at = 0, length; at < reader->size && status == TESS_OK; at += length + 1) {
        bool instruction;
        const char *end = memchr(text + at, '\n', reader->size - at);
        length = end ? (size_t)(end - text) - at : reader->size - at;
        uint32_t bytes = bytes_of(text + at, length, &instruction);
        if (bytes)
            status = code_add_range(
                image,
                (struct code_range){address, bytes, instruction ? CODE_INSTRUCTIONS : CODE_DATA});
        address += bytes;
    }
    return status;
}
