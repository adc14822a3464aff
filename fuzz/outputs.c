/* SPDX-License-Identifier: MIT */
/* outputs.c - fuzz target: the output formats of the assembler. The input is a source for the QPU,
 * or for the GP or A2xx if the source begins with "#gp" or "#ax". One assembly writes all formats.
 * The texts must contain the same words as the raw bytes. The ELF reader and the disassembler must
 * be able to read the ELF files. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/isa.h>

#include "base/elf_view.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BIN, HEX, C_ARRAY, C_FILE, HEADER, HEADER_EXTERN, OBJECT, SCENE, OUTPUTS, MOST = 1 << 18 };

static char path[64];

static void remove_source(void)
{
    unlink(path);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.30s/tessera-fuzz-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
        abort();
    close(file);
    atexit(remove_source);
    return 0;
}

static bool write_source(const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(data, 1, size, file) == size;
    return file && fclose(file) == 0 && good;
}

/* Finds the next hexadecimal number, "0x" and digits, outside of comments. Returns false at the end
 * of the text. */
static bool next_word(const char **at, const char *end, uint32_t *word)
{
    while (*at + 2 < end) {
        if ((*at)[0] == '/' && (*at)[1] == '*') {
            const char *close = strstr(*at + 2, "*/");
            *at = close ? close + 2 : end;
        } else if ((*at)[0] == '/' && (*at)[1] == '/') {
            while (*at < end && **at != '\n')
                ++*at;
        } else if ((*at)[0] == '0' && (*at)[1] == 'x') {
            *word = (uint32_t)strtoul(*at, (char **)at, 16);
            return true;
        } else {
            ++*at;
        }
    }
    return false;
}

static void check_words(const struct tess_asm_output *text, const struct tess_asm_output *bytes)
{
    char *copy = malloc(text->size + 1);
    if (!copy)
        return;
    memcpy(copy, text->bytes, text->size);
    copy[text->size] = 0;
    if (strlen(copy) != text->size)
        abort();
    const char *at = copy;
    uint32_t word, wanted;
    size_t offset = 0;
    for (; next_word(&at, copy + text->size, &word); offset += 4) {
        wanted = 0;
        if (offset < bytes->size)
            memcpy(&wanted, bytes->bytes + offset,
                   bytes->size - offset < 4 ? bytes->size - offset : 4);
        if (offset >= bytes->size || word != wanted)
            abort();
    }
    if (offset < bytes->size)
        abort();
    free(copy);
}

/* Checks that the name of each symbol of a symbol table can be read. */
static void check_symbols(const struct elf_view *elf, const struct elf_view_section *table)
{
    struct elf_view_symbol symbol;
    for (uint64_t i = 0; i < table->size / table->entry; i++)
        if (!elf_view_symbol(elf, table, i, &symbol) ||
            !elf_view_string(elf, table->link, symbol.name))
            abort();
}

/* Checks that the section's name and content can be read. */
static void check_section(const struct elf_view *elf, uint32_t number)
{
    struct elf_view_section section;
    if (!elf_view_section(elf, number, &section) ||
        !elf_view_string(elf, elf->names, section.name) ||
        (section.type != ELF_SHT_NOBITS && !elf_view_bytes(elf, section.offset, section.size)))
        abort();
    if (section.type == ELF_SHT_SYMTAB)
        check_symbols(elf, &section);
}

static void check_elf(const struct tess_asm_output *output)
{
    struct elf_view elf;
    struct elf_view_segment segment;
    if (!elf_view_open(&elf, output->bytes, output->size) ||
        !elf_view_has_table(&elf, &elf.segments) || !elf_view_has_table(&elf, &elf.sections))
        abort();
    for (uint32_t i = 0; i < elf.segments.count; i++)
        if (!elf_view_segment(&elf, i, &segment) ||
            !elf_view_bytes(&elf, segment.offset, segment.stored))
            abort();
    for (uint32_t i = 0; i < elf.sections.count; i++)
        check_section(&elf, i);
}

/* Checks that the disassembler reads the assembler's output. */
static void disassemble(const struct tess_asm_output *output, enum tess_machine machine)
{
    const struct tess_dis_options options = {.machine = machine, .name = "fuzz"};
    char *text = NULL;
    size_t length;
    enum tess_status status = tess_disassemble(output->bytes, output->size, &options,
                                               (struct tess_sink){0}, &text, &length);
    if (status != TESS_OK && status != TESS_NO_MEMORY)
        abort();
    tess_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum tess_asm_format formats[OUTPUTS] = {
        TESS_ASM_BIN,    TESS_ASM_HEX,           TESS_ASM_C,      TESS_ASM_C_FILE,
        TESS_ASM_HEADER, TESS_ASM_HEADER_EXTERN, TESS_ASM_OBJECT, TESS_ASM_ELF};
    const bool gp = size > 3 && memcmp(data, "#gp", 3) == 0;
    const bool a2xx = size > 3 && memcmp(data, "#ax", 3) == 0;
    struct tess_asm_output outputs[OUTPUTS];
    const char *const paths[] = {path};
    const struct tess_asm_options options = {.machine = gp     ? TESS_MACHINE_GP
                                                        : a2xx ? TESS_MACHINE_A2XX
                                                               : TESS_MACHINE_QPU,
                                             .skip_check = true,
                                             .comments = size & 1};
    for (int i = 0; i < OUTPUTS; i++)
        outputs[i] = (struct tess_asm_output){.format = formats[i], .name = "fuzz-out"};
    if (!write_source(data, size) ||
        tess_assemble_outputs(paths, 1, &options, (struct tess_sink){0}, outputs, OUTPUTS) !=
            TESS_OK)
        return 0;
    if (outputs[BIN].size > 0 && outputs[BIN].size < MOST) {
        check_words(&outputs[HEX], &outputs[BIN]);
        check_words(&outputs[C_ARRAY], &outputs[BIN]);
        check_elf(&outputs[OBJECT]);
        check_elf(&outputs[SCENE]);
        disassemble(&outputs[OBJECT], options.machine);
        disassemble(&outputs[SCENE], options.machine);
    }
    for (int i = 0; i < OUTPUTS; i++)
        tess_free(outputs[i].bytes);
    return 0;
}
