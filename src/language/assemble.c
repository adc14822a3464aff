/* SPDX-License-Identifier: MIT */
/* assemble.c - public functions of the assembler: connects an instruction set to the assembler
 * core, reads the sources and writes the outputs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "asm/asm.h"
#include "asm/write.h"
#include "base/diag.h"
#include "base/file.h"
#include "check/frame/assembler_warnings.h"
#include "check/frame/check.h"
#include "code/recognise.h"
#include "isa/asm_isa.h"

/* --- machines --- */

static const struct {
    const char *name;
    const struct asm_isa *isa;
} machines[] = {
#define MACHINE(NAME, name, extension, prefix, MODEL) \
    [TESS_MACHINE_##NAME] = {name, &prefix##_asm_isa},
#include "isa/machines.def"
};

enum { MACHINE_COUNT = sizeof machines / sizeof machines[0] };

const struct asm_isa *machine_isa(enum tess_machine machine)
{
    return (size_t)machine < MACHINE_COUNT ? machines[machine].isa : NULL;
}

const char *tess_machine_name(enum tess_machine machine)
{
    return (size_t)machine < MACHINE_COUNT ? machines[machine].name : NULL;
}

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

/* --- public functions --- */

/* The input of one assembly. */
struct job {
    const struct tess_asm_options *options;
    struct tess_sink sink;
    const struct asm_source *sources;
    size_t source_count;
    const char *name; /* name of the first source */
};

static enum tess_status assemble_at(const struct job *job, uint32_t address, struct tess_sink sink,
                                    struct asm_program *program)
{
    const struct asm_request request = {
        .isa = machines[job->options->machine].isa,
        .sources = job->sources,
        .source_count = job->source_count,
        .include_dirs = job->options->include_dirs,
        .include_dir_count = job->options->include_dir_count,
        .pre_includes = job->options->pre_includes,
        .pre_include_count = job->options->pre_include_count,
        .defines = job->options->defines,
        .define_count = job->options->define_count,
        .max_errors = job->options->max_errors,
        .address = address,
        .variant = job->options->variant,
        .sink = sink,
    };
    return asm_assemble(&request, program);
}

/* Returns the name of the output that is a C header, so that a C output can include the header.
 * Returns NULL if no output is a header. */
static const char *header_name(const struct tess_asm_output *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (outputs[i].format == TESS_ASM_HEADER)
            return outputs[i].name;
    return NULL;
}

static enum tess_status write_output(const struct job *job, const struct asm_program *program,
                                     const struct asm_program *moved, const char *header,
                                     struct tess_asm_output *output)
{
    const struct asm_output request = {
        .format = output->format,
        .name = output->name ? output->name : job->name,
        .header = header,
        .source = job->name,
        .comments = job->options->comments,
        .no_symbols = job->options->no_symbols,
        .moved = moved,
    };
    struct buffer bytes;
    enum tess_status status = asm_write(program, &request, job->sink, &bytes);
    /* The output of an empty program is an empty block, not NULL. */
    if (status == TESS_OK && !bytes.data)
        bytes.data = calloc(1, 1);
    if (status == TESS_OK && !bytes.data)
        status = TESS_NO_MEMORY;
    if (status != TESS_OK) {
        buffer_free(&bytes);
        return status;
    }
    output->bytes = bytes.data;
    output->size = bytes.size;
    return TESS_OK;
}

static bool wants_object(const struct tess_asm_output *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (outputs[i].format == TESS_ASM_OBJECT)
            return true;
    return false;
}

static enum tess_status write_outputs(const struct job *job, const struct asm_program *program,
                                      struct tess_asm_output *outputs, size_t count)
{
    struct asm_program moved = {0};
    const struct asm_program *usable = NULL;
    enum tess_status status = TESS_OK;
    if (wants_object(outputs, count)) {
        /* The first assembly has already reported all diagnostics. */
        status = assemble_at(job, asm_moved_address(program), (struct tess_sink){0}, &moved);
        usable = status == TESS_OK ? &moved : NULL;
        status = status == TESS_NO_MEMORY ? status : TESS_OK;
    }
    for (size_t i = 0; i < count && status == TESS_OK; i++)
        status = write_output(job, program, usable, header_name(outputs, count), &outputs[i]);
    asm_program_free(&moved);
    return status;
}

/* Reports an error and returns true if a source is not assembler text, for example machine code.
 * Only warns about an empty source. */
static bool refuse_foreign(const struct job *job)
{
    const struct tess_asm_options *options = job->options;
    for (size_t i = 0; i < job->source_count; i++) {
        const struct asm_source *source = &job->sources[i];
        const struct tess_finding empty = {
            .level = TESS_WARNING, .id = "foreign-file", .file = source->path};
        if (source->size == 0)
            diag_report(job->sink, &empty, "the file is empty: nothing is assembled from it");
        else if (recognise_refuse(source->text, source->size, source->path, job->sink) ||
                 recognise_refuse_code(source->text, source->size, source->path, job->sink) ||
                 (options->pre_include_count == 0 && job->source_count == 1 &&
                  recognise_refuse_prose(source->text, source->size, source->path, options->machine,
                                         job->sink)))
            return true;
    }
    return false;
}

static enum tess_status assemble(const struct asm_source *sources, size_t source_count,
                                 const struct tess_asm_options *options, struct tess_sink sink,
                                 struct tess_asm_output *outputs, size_t count)
{
    const char *name = source_count > 0 ? sources[0].path : "program";
    const struct job job = {options, sink, sources, source_count, name};
    struct check_said said = {.sink = sink};
    struct asm_program program = {0};
    enum tess_status status = refuse_foreign(&job)
                                  ? TESS_BAD_INPUT
                                  : assemble_at(&job, 0, check_warnings_sink(&said), &program);
    if (status == TESS_OK && said.no_memory)
        status = TESS_NO_MEMORY;
    if (status == TESS_OK && options->machine == TESS_MACHINE_QPU)
        status = check_steps(&program, sink);
    if (status == TESS_OK && !options->skip_check)
        status = check_for_assembler(&program, options->machine, options->variant, &said, sink);
    if (status == TESS_OK)
        status = write_outputs(&job, &program, outputs, count);
    asm_program_free(&program);
    check_warnings_free(&said);
    for (size_t i = 0; i < count && status != TESS_OK; i++) {
        free(outputs[i].bytes);
        outputs[i].bytes = NULL;
        outputs[i].size = 0;
    }
    return status;
}

static bool is_valid(const struct tess_asm_options *options, const void *input,
                     const struct tess_asm_output *outputs, size_t output_count)
{
    if (!options || !input || !outputs || (size_t)options->machine >= MACHINE_COUNT ||
        (unsigned)options->variant > TESS_A2XX_XENOS)
        return false;
    for (size_t i = 0; i < output_count; i++)
        if ((unsigned)outputs[i].format > TESS_ASM_OBJECT)
            return false;
    return true;
}

/* Reads a source file. The path "-" means standard input. name is the file name in diagnostics. */
static enum tess_status read_source(const char *path, const char *name, struct tess_sink sink,
                                    struct buffer *text)
{
    enum tess_status status = file_read(path, text);
    if (status == TESS_IO) {
        struct tess_finding diag = {.level = TESS_ERROR, .id = "asm-io", .file = name};
        diag_report(sink, &diag, "cannot be read: %s", strerror(errno));
    }
    return status;
}

enum tess_status tess_assemble_outputs(const char *const *paths, size_t path_count,
                                       const struct tess_asm_options *options,
                                       struct tess_sink sink, struct tess_asm_output *outputs,
                                       size_t output_count)
{
    if (!is_valid(options, paths, outputs, output_count))
        return TESS_INVALID;
    for (size_t i = 0; i < output_count; i++) {
        outputs[i].bytes = NULL;
        outputs[i].size = 0;
    }
    struct asm_source *sources = calloc(path_count + 1, sizeof *sources);
    struct buffer *texts = calloc(path_count + 1, sizeof *texts);
    enum tess_status status = sources && texts ? TESS_OK : TESS_NO_MEMORY;
    for (size_t i = 0; i < path_count && status == TESS_OK; i++) {
        const char *name = strcmp(paths[i], "-") == 0 ? "<stdin>" : paths[i];
        status = read_source(paths[i], name, sink, &texts[i]);
        sources[i] = (struct asm_source){name, (const char *)texts[i].data, texts[i].size};
    }
    if (status == TESS_OK)
        status = assemble(sources, path_count, options, sink, outputs, output_count);
    for (size_t i = 0; texts && i < path_count; i++)
        buffer_free(&texts[i]);
    free(texts);
    free(sources);
    return status;
}

enum tess_status tess_assemble(const char *const *paths, size_t path_count,
                               const struct tess_asm_options *options, struct tess_sink sink,
                               uint8_t **out, size_t *out_size)
{
    struct tess_asm_output output = {.format = options ? options->format : TESS_ASM_BIN};
    if (!out || !out_size || !is_valid(options, paths, &output, 1))
        return TESS_INVALID;
    enum tess_status status = tess_assemble_outputs(paths, path_count, options, sink, &output, 1);
    *out = output.bytes;
    *out_size = output.size;
    return status;
}

enum tess_status tess_assemble_text(const char *text, size_t size, const char *name,
                                    const struct tess_asm_options *options, struct tess_sink sink,
                                    uint8_t **out, size_t *out_size)
{
    struct tess_asm_output output = {.format = options ? options->format : TESS_ASM_BIN};
    if (!out || !out_size || !is_valid(options, text, &output, 1))
        return TESS_INVALID;
    const struct asm_source source = {name ? name : "<text>", text, size};
    enum tess_status status = assemble(&source, 1, options, sink, &output, 1);
    *out = output.bytes;
    *out_size = output.size;
    return status;
}
