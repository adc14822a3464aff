/* SPDX-License-Identifier: MIT */
/* dis_file.c - see dis_file.h. */
#include "dis_file.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 8 };

void check(bool good)
{
    if (!good)
        abort();
}

static enum tess_status assemble(const char *text, const struct tess_dis_options *how,
                                 enum tess_asm_format format, uint8_t **bytes, size_t *size)
{
    const struct tess_asm_options options = {
        .machine = how->machine, .variant = how->variant, .format = format, .skip_check = true};
    *bytes = NULL;
    return tess_assemble_text(text, strlen(text), "text", &options, (struct tess_sink){0}, bytes,
                              size);
}

static void expect_bytes(const char *text, const struct tess_dis_options *how, const uint8_t *bytes,
                         size_t size)
{
    uint8_t *code;
    size_t code_size = 0;
    check(assemble(text, how, TESS_ASM_BIN, &code, &code_size) == TESS_OK);
    check(code_size == size && (size == 0 || memcmp(code, bytes, size) == 0));
    tess_free(code);
}

static void expect_takes(const char *text, const struct tess_dis_options *how)
{
    uint8_t *elf;
    size_t size;
    assemble(text, how, TESS_ASM_ELF, &elf, &size);
    tess_free(elf);
}

void check_file(enum tess_machine machine, const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return;
    const struct tess_dis_range ranges[] = {{data[1], data[2], data[3] & 1},
                                            {data[4], data[5], data[3] & 2}};
    const struct tess_dis_options options = {
        .machine = machine,
        .variant = (enum tess_a2xx_variant)(data[0] >> 6 & 1),
        .input = data[0] & 0x80 ? TESS_DIS_AUTO : TESS_DIS_RAW,
        .output = (data[0] & 7) % (TESS_DIS_MESA + 1),
        .base = data[6],
        .ranges = ranges,
        .range_count = data[7] % 3,
    };
    char *text;
    size_t text_size;
    enum tess_status status = tess_disassemble(data + HEAD, size - HEAD, &options,
                                               (struct tess_sink){0}, &text, &text_size);
    check(status == TESS_OK || options.input == TESS_DIS_AUTO);
    bool source = status == TESS_OK && options.output == TESS_DIS_TEXT;
    if (source && options.input == TESS_DIS_RAW)
        expect_bytes(text, &options, data + HEAD, size - HEAD);
    if (source && options.input == TESS_DIS_AUTO)
        expect_takes(text, &options);
    tess_free(text);
}
