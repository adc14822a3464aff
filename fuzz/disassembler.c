/* SPDX-License-Identifier: MIT */
/* disassembler.c - fuzz target: the disassembler of the QPU. Every instruction word must have a
 * text and an explanation. If the text is truncated, it must be the beginning of the whole text. A
 * file of raw words must disassemble to text that assembles to the same bytes. */
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef size_t writer(char *text, size_t size, uint64_t word, uint32_t address);

static void check(bool good)
{
    if (!good)
        abort();
}

static char *whole_text(writer *write, uint64_t word, uint32_t address)
{
    size_t length = write(NULL, 0, word, address);
    char *text = malloc(length + 1), cut[24];
    check(text && write(text, length + 1, word, address) == length);
    check(length > 0 && strlen(text) == length);
    check(write(cut, sizeof cut, word, address) == length);
    check(strncmp(text, cut, sizeof cut - 1) == 0);
    return text;
}

/* Disassembles data as a file. The first 8 bytes select the input format, the output, the base
 * address and the ranges. */
static void check_file(const uint8_t *data, size_t size)
{
    enum { HEAD = 8 };
    const struct tess_asm_options assembly = {.format = TESS_ASM_BIN};
    if (size < HEAD)
        return;
    const struct tess_dis_range ranges[] = {{data[1], data[2], data[3] & 1},
                                            {data[4], data[5], data[3] & 2}};
    const struct tess_dis_options options = {
        .input = data[0] & 0x80 ? TESS_DIS_AUTO : TESS_DIS_RAW,
        .output = data[0] & 3,
        .base = data[6],
        .ranges = ranges,
        .range_count = data[7] % 3,
    };
    char *text;
    uint8_t *code = NULL;
    size_t text_size, code_size = 0;
    enum tess_status status = tess_disassemble(data + HEAD, size - HEAD, &options,
                                               (struct tess_sink){0}, &text, &text_size);
    check(status == TESS_OK || options.input == TESS_DIS_AUTO);
    if (status == TESS_OK && options.output == TESS_DIS_TEXT && options.input == TESS_DIS_RAW) {
        status = tess_assemble_text(text, text_size, "text", &assembly, (struct tess_sink){0},
                                    &code, &code_size);
        check(status == TESS_OK && code_size == size - HEAD &&
              memcmp(code, data + HEAD, code_size) == 0);
    }
    tess_free(code);
    tess_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_file(data, size);
    const struct tess_asm_options options = {.format = TESS_ASM_BIN};
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, sizeof word);
        free(whole_text(tess_qpu_explain, word, (uint32_t)i));
        char *text = whole_text(tess_qpu_disassemble, word, (uint32_t)i);
        uint8_t *code = NULL;
        size_t code_size;
        tess_assemble_text(text, strlen(text), "text", &options, (struct tess_sink){0}, &code,
                           &code_size);
        tess_free(code);
        free(text);
    }
    return 0;
}
