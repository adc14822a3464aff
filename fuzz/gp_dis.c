/* SPDX-License-Identifier: MIT */
/* gp_dis.c - fuzz target: every 128-bit word of the GP has a line that assembles to it, and an account; a text cut short is
 * the beginning of the whole one; a whole file, whatever it holds, disassembles to text that assembles to the same bytes;
 * and what reads as ELF or MBS gives text that the assembler takes. */
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORD = 16 };

static void check(bool good)
{
    if (!good)
        abort();
}

static void expect_bytes(const char *text, const uint8_t *bytes, size_t size)
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_GP, .skip_check = true};
    uint8_t *code = NULL;
    size_t code_size = 0;
    check(tess_assemble_text(text, strlen(text), "text", &options, (struct tess_sink){0}, &code,
                             &code_size) == TESS_OK);
    check(code_size == size && memcmp(code, bytes, size) == 0);
    tess_free(code);
}

static void expect_takes(const char *text)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_GP, .format = TESS_ASM_ELF, .skip_check = true};
    uint8_t *elf = NULL;
    size_t size = 0;
    tess_assemble_text(text, strlen(text), "text", &options, (struct tess_sink){0}, &elf, &size);
    tess_free(elf);
}

static void check_word(const uint8_t *bytes)
{
    uint32_t words[4];
    char line[4096], account[16384], cut[24];
    for (size_t i = 0; i < 4; i++)
        words[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                   (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    size_t length = tess_gp_disassemble(line, sizeof line, words);
    check(length > 0 && length < sizeof line && strlen(line) == length);
    check(tess_gp_disassemble(cut, sizeof cut, words) == length);
    check(strncmp(line, cut, sizeof cut - 1) == 0);
    length = tess_gp_explain(account, sizeof account, words, NULL);
    check(length > 0 && length < sizeof account && strlen(account) == length);
    check(tess_gp_explain(NULL, 0, words, words) > 0);
}

/* The first bytes say how: input, output, base, ranges. */
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
        .machine = TESS_MACHINE_GP,
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
        expect_bytes(text, data + HEAD, size - HEAD);
    if (source && options.input == TESS_DIS_AUTO)
        expect_takes(text);
    tess_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file(data, size);
    for (size_t i = 0; i + WORD <= size; i += WORD)
        check_word(data + i);
    return 0;
}
