/* SPDX-License-Identifier: MIT */
/* disassembler.c - fuzz target: every instruction word has a text and an account; a text cut short
 * is the beginning of the whole one, and what is disassembled can be fed to the assembler. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
