/* SPDX-License-Identifier: MIT */
/* gp_program.c - reads GP programs from files.
 *
 * In:  assembly source, which is assembled to ELF first, or machine code in any form that
 *      code/code.h reads.
 * Out: the words of the code in order of address; the interface from the section ".tessera"; labels
 *      and line numbers. */
#include "program/gp_program.h"

#include <stdlib.h>
#include <string.h>

#include "isa/gp/gp_isa.h"
#include "isa/gp/print.h"

static const struct program_kind program_kind = {
    .machine = TESS_MACHINE_GP,
    .unit = "instruction",
    .bytes = GP_INSN_BYTES,
    .most = GP_PROGRAM_MAX,
    .gap = "gp-program-gap",
    .empty = "gp-program-empty",
    .size = "gp-program-size",
    .bytes_hint = "use whole instructions of 16 bytes",
    .most_hint = "shorten the program; branches can reach 512 instructions only",
    .interface = &gp_interface,
};

enum tess_status tess_gp_program_read(const void *bytes, size_t size, const char *name,
                                      const struct tess_asm_options *options, struct tess_sink sink,
                                      struct tess_gp_program **program)
{
    if (!program || (!bytes && size))
        return TESS_INVALID;
    *program = NULL;
    struct tess_gp_program *new = calloc(1, sizeof *new);
    if (!new)
        return TESS_NO_MEMORY;
    enum tess_status status = program_file_read(&new->file, &program_kind, bytes, size, name,
                                                options, sink);
    if (status == TESS_OK)
        *program = new;
    else
        tess_gp_program_free(new);
    return status;
}

enum tess_status tess_gp_program_words(const uint32_t *words, size_t instructions,
                                       struct tess_gp_program **program)
{
    if (!program)
        return TESS_INVALID;
    *program = NULL;
    if (!words || instructions == 0 || instructions > GP_PROGRAM_MAX)
        return TESS_INVALID;
    struct tess_gp_program *new = calloc(1, sizeof *new);
    if (!new || !program_file_take(&new->file, &program_kind, words, instructions)) {
        free(new);
        return TESS_NO_MEMORY;
    }
    *program = new;
    return TESS_OK;
}

void tess_gp_program_free(struct tess_gp_program *program)
{
    if (!program)
        return;
    program_file_free(&program->file);
    free(program);
}

/* --- access --- */

const uint32_t *tess_gp_program_code(const struct tess_gp_program *program, size_t *instructions)
{
    if (instructions)
        *instructions = program ? program->file.units : 0;
    return program ? program->file.words : NULL;
}

const struct tess_gp_symbol *tess_gp_program_symbol(const struct tess_gp_program *program,
                                                    size_t index)
{
    const struct tess_gp_symbol *symbols = program ? program->file.interface.symbols : NULL;
    return symbols && index < program->file.interface.count ? &symbols[index] : NULL;
}

const struct tess_gp_symbol *tess_gp_program_find(const struct tess_gp_program *program,
                                                  enum tess_gp_kind kind, const char *name)
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; name && (symbol = tess_gp_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == kind && strcmp(symbol->name, name) == 0)
            return symbol;
    return NULL;
}

/* --- varyings that are stored, attributes that are loaded --- */

/* Returns a mask of the components that a store unit writes. Bit first is set if the first
 * component has a source, and bit first + 1 is set if the second component has one. */
static uint32_t stored(unsigned source, unsigned next, unsigned first)
{
    return (uint32_t)(source != GP_STORE_NONE) << first | (uint32_t)(next != GP_STORE_NONE)
                                                              << (first + 1);
}

uint32_t tess_gp_program_stores(const struct tess_gp_program *program, uint32_t varying)
{
    uint32_t components = 0;
    for (size_t i = 0; program && i < program->file.units; i++) {
        struct gp_insn insn = gp_decode(program->file.words + i * GP_WORDS);
        if (insn.store0_varying && !insn.store0_temporary && insn.store0_addr == varying)
            components |= stored(insn.store0_src_x, insn.store0_src_y, 0);
        if (insn.store1_varying && !insn.store1_temporary && insn.store1_addr == varying)
            components |= stored(insn.store1_src_z, insn.store1_src_w, 2);
    }
    return components;
}

bool tess_gp_program_loads(const struct tess_gp_program *program, uint32_t attribute)
{
    for (size_t i = 0; program && i < program->file.units; i++) {
        struct gp_insn insn = gp_decode(program->file.words + i * GP_WORDS);
        if (insn.register0_attribute && insn.register0_addr == attribute)
            return true;
    }
    return false;
}

/* --- source positions --- */

static bool has_instruction(const struct tess_gp_program *program, size_t instruction)
{
    return program && instruction < program->file.units;
}

static uint32_t address_of(const struct tess_gp_program *program, size_t instruction)
{
    return program->file.address + (uint32_t)(instruction * GP_INSN_BYTES);
}

void tess_gp_program_line(const struct tess_gp_program *program, size_t instruction,
                          const char **file, uint32_t *line)
{
    program_file_line(program ? &program->file : NULL, instruction, GP_INSN_BYTES, 0, file, line);
}

const char *tess_gp_program_label(const struct tess_gp_program *program, size_t instruction)
{
    if (!has_instruction(program, instruction))
        return NULL;
    uint32_t address = address_of(program, instruction);
    for (size_t i = 0; i < program->file.image.symbol_count; i++)
        if (program->file.image.symbols[i].address == address)
            return program->file.image.symbols[i].name;
    return NULL;
}

static const char *label_at(void *user, unsigned instruction)
{
    return tess_gp_program_label(user, instruction);
}

size_t gp_program_put(const struct tess_gp_program *program, size_t instruction, char *text,
                      size_t size, struct operation_list *operations)
{
    if (!has_instruction(program, instruction))
        return 0;
    const uint32_t *words = program->file.words + instruction * GP_WORDS;
    const struct gp_surroundings around = {
        .previous = instruction ? words - GP_WORDS : NULL,
        .instructions = (unsigned)program->file.units,
        .label = label_at,
        .user = (void *)program,
        .operations = operations,
    };
    return gp_print_line(text, size, words, &around);
}

size_t tess_gp_program_text(const struct tess_gp_program *program, size_t instruction, char *text,
                            size_t size)
{
    return gp_program_put(program, instruction, text, size, NULL);
}
