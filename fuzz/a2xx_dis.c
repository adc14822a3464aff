/* SPDX-License-Identifier: MIT */
/* a2xx_dis.c - fuzz target: every slot of the A2xx has a text and an account; a text cut short is the beginning of the whole
 * one; a whole file, whatever it holds, disassembles to text that assembles to the same bytes; and what reads as something
 * else than raw words gives text that the assembler takes. */
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOT = 12 };

static void check(bool good)
{
    if (!good)
        abort();
}

static enum tess_status assemble(const char *text, enum tess_a2xx_variant variant,
                                 enum tess_asm_format format, uint8_t **bytes, size_t *size)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_A2XX, .variant = variant, .format = format, .skip_check = true};
    *bytes = NULL;
    return tess_assemble_text(text, strlen(text), "text", &options, (struct tess_sink){0}, bytes,
                              size);
}

static void expect_bytes(const char *text, enum tess_a2xx_variant variant, const uint8_t *bytes,
                         size_t size)
{
    uint8_t *code;
    size_t code_size = 0;
    check(assemble(text, variant, TESS_ASM_BIN, &code, &code_size) == TESS_OK);
    check(code_size == size && (size == 0 || memcmp(code, bytes, size) == 0));
    tess_free(code);
}

static void expect_takes(const char *text, enum tess_a2xx_variant variant)
{
    uint8_t *elf;
    size_t size;
    assemble(text, variant, TESS_ASM_ELF, &elf, &size);
    tess_free(elf);
}

static void check_slot(const uint8_t *bytes)
{
    uint32_t words[3];
    char text[4096], account[32768], cut[24];
    for (size_t i = 0; i < 3; i++)
        words[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                   (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    for (unsigned i = 0; i < 6; i++) {
        enum tess_a2xx_slot kind = (enum tess_a2xx_slot)(i % 3);
        enum tess_a2xx_variant variant = (enum tess_a2xx_variant)(i / 3);
        size_t length = tess_a2xx_disassemble(text, sizeof text, words, kind, variant);
        check(length > 0 && length < sizeof text && strlen(text) == length);
        check(tess_a2xx_disassemble(cut, sizeof cut, words, kind, variant) == length);
        check(strncmp(text, cut, sizeof cut - 1) == 0);
        length = tess_a2xx_explain(account, sizeof account, words, kind, variant);
        check(length > 0 && length < sizeof account && strlen(account) == length);
    }
}

/* The first bytes say how: input, output, variant, base, ranges. */
static void check_file(const uint8_t *data, size_t size)
{
    enum { HEAD = 8 };
    if (size < HEAD)
        return;
    const struct tess_dis_range ranges[] = {
        {data[1], data[2], data[3] & 1},
        {data[4], data[5], data[3] & 2}
    };
    const struct tess_dis_options options = {
        .machine = TESS_MACHINE_A2XX,
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
        expect_bytes(text, options.variant, data + HEAD, size - HEAD);
    if (source && options.input == TESS_DIS_AUTO)
        expect_takes(text, options.variant);
    tess_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file(data, size);
    for (size_t i = 0; i + SLOT <= size; i += SLOT)
        check_slot(data + i);
    return 0;
}
