/* SPDX-License-Identifier: MIT */
/* assemble.c - see asm.h. Runs the two passes of the assembler.
 *
 * The first pass reports nothing and finds the addresses of labels. The second pass runs the same
 * lines again with known addresses, and reports. Both passes must emit the same number of bytes, so
 * everything that affects the layout (.org, .if, counts) may only use symbols that are defined
 * further up.
 *
 * In:  a request: sources, definitions, an instruction set.
 * Out: a program: regions, symbols, steps; diagnostics. */
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/internal.h"

/* Defines a constant that the request contains as NAME=VALUE. */
static void define_from_request(struct assembler *a, const struct tess_asm_define *define)
{
    struct asm_names names = as_names_here(a);
    struct asm_value value;
    struct asm_error error = {0};
    const char *text = define->value ? define->value : "1";
    size_t length = strlen(define->name), at = 0;
    if (length == 0 || asm_name_length(define->name, length, 0) != length) {
        as_report_at(a, TESS_ERROR, "asm-syntax", NULL, "cannot define '%s': not a valid name",
                     define->name);
        return;
    }
    bool good = asm_evaluate(text, strlen(text), &at, &names, &value, &error);
    if (good && at != strlen(text))
        good = asm_fail(&error, "asm-syntax", at, NULL, "unexpected '%c'", text[at]);
    if (good)
        as_define_constant(a, define->name, length, &value);
    else
        as_report_at(a, TESS_ERROR, error.rule, NULL, "in the definition of '%s': %s", define->name,
                     error.text);
}

static void forget_pass(struct assembler *a)
{
    a->stop = a->said = a->in_back = a->join_first = false;
    a->work = a->open = a->exact = 0;
    a->serial = a->bits = 0;
    a->segment = SEGMENT_AUTOMATIC;
    a->whole.line = NULL;
    a->run.first_target = a->run.records.size = a->run.origins.size = a->pending.text.size = 0;
    a->numbered_seen = a->joins_seen = a->kept_seen = a->target_count = a->copy_count = 0;
    symbols_free(&a->numbered_names);
    as_macros_free(a);
    regions_free(&a->program->regions);
    a->program->scene.size = a->program->steps.size = 0;
    if (a->state)
        memset(a->state, 0, a->request->isa->state_size);
}

static void run_pass(struct assembler *a, struct source_file **sources)
{
    const struct asm_request *request = a->request;
    a->pass++;
    forget_pass(a);
    if (!as_start_region(a, a->request->address))
        return;
    for (size_t i = 0; i < request->define_count; i++)
        define_from_request(a, &request->defines[i]);
    a->line = NULL;
    for (size_t i = 0; i < request->pre_include_count + request->source_count && !a->stop; i++)
        as_run_file(a, sources[i]);
    as_complete(a);
    as_end_run(a);
}

static void check_layout(struct assembler *a)
{
    const struct asm_regions *regions = &a->program->regions;
    size_t one, other;
    a->line = NULL;
    for (size_t i = 0; i < regions->count; i++) {
        const struct asm_region *region = &regions->items[i];
        uint64_t end = (uint64_t)(region->address & 0x3fffffff) + region_size(region);
        if (end > UINT64_C(1) << 30)
            as_report_at(a, TESS_ERROR, "asm-region", region->line,
                         "the region at 0x%08x has %u bytes and exceeds the 1 GiB address space",
                         region->address, region_size(region));
    }
    if (!regions_overlap(regions, &one, &other))
        return;
    const struct asm_region *low = &regions->items[one], *high = &regions->items[other];
    as_report_at(a, TESS_ERROR, "asm-region", high->line,
                 "the region at 0x%08x overlaps the region at 0x%08x, which has %u bytes",
                 high->address, low->address, region_size(low));
    if (low->line)
        as_report_at(a, TESS_NOTE, "asm-region", low->line,
                     "the other region begins here (the top two address bits are ignored)");
}

/* Reports global labels without a definition. ".global name" may precede the label, so this check
 * runs last. */
static void check_globals(struct assembler *a)
{
    const struct asm_symbols *labels = &a->program->labels;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].pass == 0)
            as_report_at(a, TESS_ERROR, "asm-undefined", labels->items[i].line,
                         "label '%s' is declared global but never defined", labels->items[i].name);
}

static bool keep_source(struct asm_program *program, struct source_file *source)
{
    if (!source)
        return false;
    source->next = program->files;
    program->files = source;
    return true;
}

static struct source_file *pre_include(const char *name)
{
    struct buffer text = {0};
    buffer_printf(&text, ".include <%s>", name);
    struct source_file *source = text.failed ? NULL
                                             : source_from_text("<command line>", (char *)text.data,
                                                                text.size, false);
    buffer_free(&text);
    return source;
}

/* Reads the sources and adds each of them at the front of program->files. */
static bool read_sources(struct asm_program *program, const struct asm_request *request,
                         struct source_file **sources)
{
    for (size_t i = 0; i < request->pre_include_count; i++, sources++) {
        *sources = pre_include(request->pre_includes[i]);
        if (!keep_source(program, *sources))
            return false;
    }
    for (size_t i = 0; i < request->source_count; i++, sources++) {
        const struct asm_source *source = &request->sources[i];
        *sources = source_from_text(source->path, source->text, source->size,
                                    request->isa->semicolon_comments);
        if (!keep_source(program, *sources))
            return false;
    }
    return true;
}

static void finish(struct assembler *a)
{
    as_finish_copies(a);
    check_layout(a);
    check_globals(a);
}

static void free_assembler(struct assembler *a)
{
    as_binaries_free(a);
    as_macros_free(a);
    symbols_free(&a->numbered_names);
    buffer_free(&a->joins);
    buffer_free(&a->kept);
    buffer_free(&a->pending.text);
    buffer_free(&a->pending.pieces);
    buffer_free(&a->run.records);
    buffer_free(&a->run.origins);
    free(a->numbered);
    free(a->targets);
    free(a->copies);
    free(a->state);
}

enum tess_status asm_assemble(const struct asm_request *request, struct asm_program *program)
{
    const struct asm_isa *isa = request->isa;
    *program = (struct asm_program){.unit = isa->unit ? isa->unit : isa->alignment};
    struct assembler a = {.request = request, .program = program};
    struct source_file **sources = calloc(request->pre_include_count + request->source_count + 1,
                                          sizeof *sources);
    size_t state_size = isa->state_size;
    a.state = state_size > 0 ? calloc(1, state_size) : NULL;
    if ((a.state || state_size == 0) && sources && read_sources(program, request, sources)) {
        run_pass(&a, sources);
        if (!a.no_memory)
            run_pass(&a, sources);
        if (!a.no_memory && !a.stop)
            finish(&a);
    } else {
        a.no_memory = true;
    }
    free(sources);
    free_assembler(&a);
    if (a.no_memory || program->scene.failed || program->steps.failed || a.joins.failed ||
        a.kept.failed)
        return TESS_NO_MEMORY;
    return a.errors > 0 || a.stop ? TESS_WRONG : TESS_OK;
}

void asm_program_free(struct asm_program *program)
{
    regions_free(&program->regions);
    symbols_free(&program->labels);
    symbols_free(&program->constants);
    buffer_free(&program->scene);
    buffer_free(&program->steps);
    for (size_t i = 0; i < program->trace_count; i++)
        free(program->traces[i].name);
    free(program->traces);
    free(program->origins);
    source_free(program->files);
}
