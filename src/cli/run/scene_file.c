/* SPDX-License-Identifier: MIT */
/* scene_file.c - see scene_file.h. */
#include "cli/run/scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input_file.h"
#include "front/message_limit.h"

enum { MOST_BYTES = 1 << 30 };

/* State while a file is loaded. */
struct loading {
    const char *name;
    const struct scene_source *source;
    struct tess_sink sink;
    uint8_t *bytes;
    size_t size;
};

/* Reports an error about the file. The caller sets .rule, .text, .hint and .setting. */
static enum tess_status refuse(const struct loading *loading, struct tess_finding diag)
{
    diag.level = TESS_ERROR;
    diag.file = loading->name;
    loading->sink.report(loading->sink.user, &diag);
    return TESS_BAD_INPUT;
}

static enum tess_status refuse_foreign(const struct loading *loading,
                                       const struct tess_file_kind *kind)
{
    char text[200];
    snprintf(text, sizeof text, "this is %s, not a scene", kind->foreign);
    return refuse(loading, (struct tess_finding){.id = "foreign-file",
                                                 .text = text,
                                                 .hint = kind->advice,
                                                 .setting = kind->setting});
}

/* --- files that are not scenes --- */

static enum tess_status refuse_program(const struct loading *loading, enum tess_machine machine)
{
    if (machine == TESS_MACHINE_GP)
        return refuse(loading, (struct tess_finding){
                                   .id = "scene-program",
                                   .text = "this is a program of the Utgard vertex processor, not "
                                           "a scene",
                                   .hint = "run it over vertices with 'tessera run -m gp', or list "
                                           "it with 'tessera dis -m gp --explain'"});
    return refuse(loading,
                  (struct tess_finding){
                      .id = "scene-program",
                      .text = "this is a program of the Adreno A2xx, not a scene",
                      .hint = "run it over vertices or pixels with 'tessera run -m a2xx', or list "
                              "it with 'tessera dis -m a2xx --explain'"});
}

static enum tess_status refuse_without_steps(const struct loading *loading)
{
    return refuse(
        loading,
        (struct tess_finding){
            .id = "scene-empty",
            .text = "the file has QPU code but no step that runs it",
            .hint = "add a step such as '.scene qpu PROGRAM UNIFORMS' to the source "
                    "(docs/scene.md); 'tessera check' checks QPU code without running it, and "
                    "'tessera qpu' runs the host program that starts it"});
}

static bool is_elf(const struct loading *loading)
{
    return loading->size >= 4 && memcmp(loading->bytes, "\177ELF", 4) == 0;
}

/* Reports a file that cannot be a scene, such as an ELF file without steps, and returns
 * TESS_BAD_INPUT. Otherwise returns TESS_OK. The library reports other errors. */
static enum tess_status verdict(const struct loading *loading)
{
    struct tess_file_kind kind;
    tess_file_recognise(loading->bytes, loading->size, loading->name, &kind);
    if (kind.foreign)
        return refuse_foreign(loading, &kind);
    if (!is_elf(loading) && kind.has_machine && kind.machine != TESS_MACHINE_QPU)
        return refuse_program(loading, kind.machine);
    if (!is_elf(loading) || kind.scene || !kind.has_machine)
        return TESS_OK;
    return kind.machine == TESS_MACHINE_QPU ? refuse_without_steps(loading)
                                            : refuse_program(loading, kind.machine);
}

/* --- sources --- */

/* True if a text is machine code, either hexadecimal words or the initialiser of an array. Such a
 * text begins with a digit or "{", and no source does. */
static bool is_words(const struct loading *loading)
{
    static const char blanks[] = " \t\r\n";
    size_t at = 0;
    while (at < loading->size && loading->bytes[at] && strchr(blanks, loading->bytes[at]))
        at++;
    return at < loading->size && strchr("0123456789{", loading->bytes[at]) && loading->bytes[at] &&
           !memchr(loading->bytes + at, '.', loading->size - at);
}

static bool is_source(const struct loading *loading)
{
    struct tess_file_kind kind;
    tess_file_recognise(loading->bytes, loading->size, loading->name, &kind);
    return kind.text && !(kind.has_machine && kind.machine != TESS_MACHINE_QPU);
}

/* Assembles the source, and replaces loading->bytes by the bytes of the scene. */
static enum tess_status assemble(struct loading *loading)
{
    const struct scene_source *source = loading->source;
    const struct tess_asm_options how = {.machine = TESS_MACHINE_QPU,
                                         .format = TESS_ASM_ELF,
                                         .include_dirs = source->include_dirs.items,
                                         .include_dir_count = source->include_dirs.count,
                                         .defines = source->defines.items,
                                         .define_count = source->defines.count,
                                         .max_errors = message_limit_errors(),
                                         .skip_check = true};
    uint8_t *elf;
    size_t size;
    enum tess_status status = tess_assemble_text((const char *)loading->bytes, loading->size,
                                                 loading->name, &how, loading->sink, &elf, &size);
    if (status != TESS_OK)
        return status;
    free(loading->bytes);
    loading->bytes = malloc(size);
    loading->size = size;
    if (loading->bytes)
        memcpy(loading->bytes, elf, size);
    tess_free(elf);
    return loading->bytes ? TESS_OK : TESS_NO_MEMORY;
}

/* --- scenes and sources --- */

/* Adds the scene's line table and symbols to *sources. A scene without them is not an error. A
 * scene assembled from a source has a line table. */
static enum tess_status add_sources(const struct loading *loading, struct tess_sources **sources)
{
    enum tess_status status = tess_sources_create(sources);
    if (status == TESS_OK)
        status = tess_sources_add_bytes(*sources, loading->bytes, loading->size, loading->name,
                                        (struct tess_sink){0});
    return status == TESS_NO_MEMORY ? status : TESS_OK;
}

enum tess_status scene_file_load(struct tess_scene **scene, const char *path,
                                 const struct scene_source *source, struct tess_sink sink,
                                 struct tess_sources **sources)
{
    struct loading loading = {.name = input_file_name(path), .source = source, .sink = sink};
    enum tess_status status = TESS_OK;
    *scene = NULL;
    *sources = NULL;
    if (!input_file_read(path, MOST_BYTES, sink, &loading.bytes, &loading.size))
        return TESS_IO;
    if (is_source(&loading))
        status = is_words(&loading) ? refuse_without_steps(&loading) : assemble(&loading);
    if (status == TESS_OK)
        status = verdict(&loading);
    if (status == TESS_OK)
        status = tess_scene_load_memory(scene, loading.bytes, loading.size, loading.name, sink);
    if (status == TESS_OK)
        status = add_sources(&loading, sources);
    free(loading.bytes);
    return status;
}
