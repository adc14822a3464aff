/* SPDX-License-Identifier: MIT */
/* assemble.c - the public assembler: binds an instruction set to the assembler core, reads the
 * sources and writes the result. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "asm/asm.h"
#include "asm/write.h"
#include "base/bits.h"
#include "base/diag.h"
#include "base/file.h"
#include "isa/cl/assemble.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/parse.h"
#include "isa/qpu/qpu_isa.h"

/* --- QPU --- */

static size_t qpu_instruction(const char *text, size_t length, uint32_t address,
                              const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                              struct asm_error *error)
{
    uint64_t word;
    if (qpu_parse(text, length, address, names, &word, error) == QPU_PARSE_ERROR)
        return 0;
    store_le64(bytes, word);
    return sizeof word;
}

/* The word as the text of which it could have been made, so that more can follow: loads as moves, which may still share
 * their word, and no nop that only fills the add ALU. */
static size_t open_text(char *text, size_t size, uint64_t word, uint32_t address)
{
    static const char idle[] = "nop; ", load[] = "ldi";
    size_t length = qpu_print(text, size, word, address);
    if (length >= size || text[0] == '.' || word >> 60 == QPU_SIG_BRANCH)
        return 0;
    if (memcmp(text, load, strlen(load)) == 0)
        memcpy(text, "mov", strlen(load));
    if (length > strlen(idle) && memcmp(text, idle, strlen(idle)) == 0) {
        length -= strlen(idle);
        memmove(text, text + strlen(idle), length + 1);
    }
    return length;
}

static size_t qpu_join(const char *text, size_t length, uint32_t address,
                       const struct asm_names *names, const uint8_t *before, size_t before_size,
                       uint8_t bytes[ASM_INSTRUCTION_MAX], struct asm_error *error)
{
    char line[1024];
    uint64_t word;
    if (before_size < sizeof word)
        return 0;
    size_t first = open_text(line, sizeof line, load_le64(before + before_size - sizeof word),
                             address);
    if (first == 0 || length >= sizeof line - first - 1)
        return 0;
    line[first++] = ';';
    memcpy(line + first, text, length);
    enum qpu_parse_result result = qpu_parse(line, first + length, address, names, &word, error);
    if (result == QPU_PARSE_ERROR || (result == QPU_PARSE_OK && !qpu_may_join(word))) {
        error->offset = error->offset > first ? error->offset - first : 0;
        return 0;
    }
    store_le64(bytes, word);
    return sizeof word;
}

static const uint8_t qpu_nop[] = {0x00, 0x70, 0x9e, 0x00, 0xe7, 0x09, 0x00, 0x10};

static bool is_qpu_branch(const uint8_t *bytes)
{
    return bytes[7] >> 4 == QPU_SIG_BRANCH;
}

static const struct asm_isa qpu_isa = {.alignment = 8,
                                       .instruction = qpu_instruction,
                                       .record = cl_assemble,
                                       .operands = &qpu_operands,
                                       .join = qpu_join,
                                       .is_branch = is_qpu_branch,
                                       .nop = qpu_nop};

/* --- machines --- */

static const struct {
    const char *name;
    const struct asm_isa *isa;
} machines[] = {
    [TESS_MACHINE_QPU] = {"qpu", &qpu_isa},
};

enum { MACHINE_COUNT = sizeof machines / sizeof machines[0] };

bool tess_machine_find(const char *name, enum tess_machine *machine)
{
    for (size_t i = 0; name && i < MACHINE_COUNT; i++) {
        if (strcmp(machines[i].name, name) == 0) {
            *machine = (enum tess_machine)i;
            return true;
        }
    }
    return false;
}

/* --- the public assembler --- */

static enum tess_status assemble(const struct asm_source *sources, size_t count,
                                 const struct tess_asm_options *options, struct tess_sink sink,
                                 uint8_t **out, size_t *out_size)
{
    const struct asm_request request = {
        .isa = machines[options->machine].isa,
        .sources = sources,
        .source_count = count,
        .include_dirs = options->include_dirs,
        .include_dir_count = options->include_dir_count,
        .pre_includes = options->pre_includes,
        .pre_include_count = options->pre_include_count,
        .defines = options->defines,
        .define_count = options->define_count,
        .sink = sink,
    };
    struct asm_program program;
    struct buffer bytes = {0};
    enum tess_status status = asm_assemble(&request, &program);
    if (status == TESS_OK)
        status = asm_write(&program, options->format, sink, &bytes);
    asm_program_free(&program);
    /* An empty program is an empty block, not NULL. */
    if (status == TESS_OK && !bytes.data)
        bytes.data = calloc(1, 1);
    if (status == TESS_OK && !bytes.data)
        status = TESS_NO_MEMORY;
    if (status != TESS_OK) {
        buffer_free(&bytes);
        return status;
    }
    *out = bytes.data;
    *out_size = bytes.size;
    return TESS_OK;
}

static bool is_valid(const struct tess_asm_options *options, const void *input, uint8_t **out,
                     const size_t *out_size)
{
    return options && input && out && out_size && (size_t)options->machine < MACHINE_COUNT &&
           (unsigned)options->format <= TESS_ASM_ELF;
}

enum tess_status tess_assemble_text(const char *text, size_t size, const char *name,
                                    const struct tess_asm_options *options, struct tess_sink sink,
                                    uint8_t **out, size_t *out_size)
{
    if (!is_valid(options, text, out, out_size))
        return TESS_INVALID;
    *out = NULL;
    *out_size = 0;
    const struct asm_source source = {name ? name : "<text>", text, size};
    return assemble(&source, 1, options, sink, out, out_size);
}

/* path is "-" for standard input; name is what diagnostics call it. */
static enum tess_status read_source(const char *path, const char *name, struct tess_sink sink,
                                    struct buffer *text)
{
    enum tess_status status = file_read(path, text);
    if (status == TESS_IO) {
        struct tess_diag diag = {.severity = TESS_ERROR, .rule = "asm-io", .file = name};
        diag_report(sink, &diag, "cannot be read: %s", strerror(errno));
    }
    return status;
}

enum tess_status tess_assemble(const char *const *paths, size_t path_count,
                               const struct tess_asm_options *options, struct tess_sink sink,
                               uint8_t **out, size_t *out_size)
{
    if (!is_valid(options, paths, out, out_size))
        return TESS_INVALID;
    *out = NULL;
    *out_size = 0;
    struct asm_source *sources = calloc(path_count + 1, sizeof *sources);
    struct buffer *texts = calloc(path_count + 1, sizeof *texts);
    enum tess_status status = sources && texts ? TESS_OK : TESS_NO_MEMORY;
    for (size_t i = 0; i < path_count && status == TESS_OK; i++) {
        const char *name = strcmp(paths[i], "-") == 0 ? "<stdin>" : paths[i];
        status = read_source(paths[i], name, sink, &texts[i]);
        sources[i] = (struct asm_source){name, (const char *)texts[i].data, texts[i].size};
    }
    if (status == TESS_OK)
        status = assemble(sources, path_count, options, sink, out, out_size);
    for (size_t i = 0; texts && i < path_count; i++)
        buffer_free(&texts[i]);
    free(texts);
    free(sources);
    return status;
}
