/* SPDX-License-Identifier: MIT */
/* a2xx_program.c - fuzz target: the readers of A2xx programs (any file) and of their interfaces
 * (any text). A program that can be read must answer all queries. Reading the program's words again
 * must give a program with the same answers. The input's first byte selects the variant and the
 * reader. */
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "isa/interface_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

static void hear(void *user, const struct tess_finding *diag)
{
    unsigned *errors = user;
    check(diag->text && *diag->text && diag->id);
    *errors += diag->level == TESS_ERROR;
}

static void check_symbol(const struct tess_a2xx_symbol *symbol)
{
    static const uint32_t limits[] = {
        [TESS_A2XX_ATTRIBUTE] = TESS_A2XX_REGISTERS,
        [TESS_A2XX_VARYING] = TESS_A2XX_REGISTERS,
        [TESS_A2XX_UNIFORM] = 256,
        [TESS_A2XX_CONST] = 256,
        [TESS_A2XX_SAMPLER] = 32,
        [TESS_A2XX_BOOL] = TESS_A2XX_BOOLS,
        [TESS_A2XX_LOOP] = TESS_A2XX_LOOPS,
    };
    check(symbol->name && symbol->count >= 1);
    check(symbol->number < limits[symbol->kind] &&
          symbol->count <= limits[symbol->kind] - symbol->number);
}

static void check_interface(const uint8_t *data, size_t size)
{
    struct interface_lines interface;
    unsigned errors = 0;
    enum tess_status status = interface_read(&interface, &a2xx_interface, (const char *)data, size,
                                             "file", (struct tess_sink){hear, &errors});
    const struct tess_a2xx_symbol *symbols = interface.symbols;
    check(status == TESS_NO_MEMORY || (status == TESS_OK) == (errors == 0));
    for (size_t i = 0; i < interface.count; i++)
        check_symbol(&symbols[i]);
    interface_free(&interface);
}

static void check_text(const struct tess_a2xx_program *program, size_t slot)
{
    char text[2048], cut[9];
    const char *file;
    uint32_t line;
    size_t length = tess_a2xx_program_text(program, slot, text, sizeof text);
    check(length > 0 && (length >= sizeof text || length == strlen(text)));
    check(tess_a2xx_program_text(program, slot, cut, sizeof cut) == length);
    check(memcmp(cut, text, strlen(cut)) == 0);
    tess_a2xx_program_line(program, slot, slot & 1, &file, &line);
    check(!line == !file);
}

static void check_program(const struct tess_a2xx_program *program, enum tess_a2xx_variant variant)
{
    const struct tess_a2xx_symbol *symbol;
    const struct tess_a2xx_vertex_fetch *fetch, *other;
    struct tess_a2xx_program *again;
    size_t slots;
    const uint32_t *words = tess_a2xx_program_code(program, &slots);
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++)
        check_symbol(symbol);
    for (size_t i = 0; i < slots && i < 64; i++)
        check_text(program, i);
    check(tess_a2xx_program_words(words, slots, variant, &again) == TESS_OK);
    for (size_t i = 0; (fetch = tess_a2xx_program_fetch(program, i)) != NULL; i++) {
        other = tess_a2xx_program_fetch(again, i);
        check(fetch->slot < slots && fetch->constant < 96 && fetch->components <= 4);
        check(other && other->slot == fetch->slot && other->offset == fetch->offset);
    }
    for (uint32_t i = 0; i < TESS_A2XX_EXPORTS; i++)
        check(tess_a2xx_program_exports(program, i) == tess_a2xx_program_exports(again, i));
    check(tess_a2xx_program_textures(program) == tess_a2xx_program_textures(again));
    check(tess_a2xx_program_stage(program) == tess_a2xx_program_stage(again));
    check(tess_a2xx_program_kills(program) == tess_a2xx_program_kills(again));
    tess_a2xx_program_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tess_a2xx_program *program;
    unsigned errors = 0;
    if (size == 0)
        return 0;
    enum tess_a2xx_variant variant = data[0] & 1 ? TESS_A2XX_XENOS : TESS_A2XX_ADRENO;
    const struct tess_asm_options how = {.variant = variant};
    if (data[0] & 2) {
        check_interface(data + 1, size - 1);
        return 0;
    }
    enum tess_status status = tess_a2xx_program_read(data + 1, size - 1, "file", &how,
                                                     (struct tess_sink){hear, &errors}, &program);
    check((status == TESS_OK) == (program != NULL));
    check(status == TESS_OK || status == TESS_NO_MEMORY || errors);
    if (program)
        check_program(program, variant);
    tess_a2xx_program_free(program);
    return 0;
}
