/* SPDX-License-Identifier: MIT */
/* scene.h - a scene: memory, control lists and what to do with them, in one ELF file.
 *
 * A scene is an ELF32 little-endian file (EM_NONE or EM_ARM). Its PT_LOAD segments are memory at bus
 * addresses (bytes beyond the file size are zero; nothing else is mapped), its symbols name things, and
 * its section ".tessera" is text with one step a line:
 *
 *   bin     FROM TO                       run control-list thread 0
 *   render  FROM TO                       run control-list thread 1
 *   qpu     SHADER UNIFORMS [COUNT]       run a user program through the scheduler queue
 *   image   ADDRESS WIDTH HEIGHT FORMAT LAYOUT FILE   write a PNG
 *   dump    ADDRESS COUNT TYPE FILE       write CSV
 *
 * Operands are symbols, numbers or symbol+number. docs/scene.md has every format, layout and type.
 */
#ifndef TESSERA_SCENE_H
#define TESSERA_SCENE_H

#include <tessera/tessera.h>
#include <tessera/vc4.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_scene;

/* Loads a scene from a file ("-" is standard input) or from memory, where name stands for the file in
 * diagnostics. *out is NULL unless the result is TESS_OK. Errors: TESS_IO, TESS_BAD_INPUT (the sink
 * has the reason), TESS_NO_MEMORY. Release with tess_scene_free(). */
TESS_API enum tess_status tess_scene_load(struct tess_scene **out, const char *path,
                                          struct tess_sink sink);
TESS_API enum tess_status tess_scene_load_memory(struct tess_scene **out, const void *bytes,
                                                 size_t size, const char *name,
                                                 struct tess_sink sink);

/* Releases a scene. NULL is allowed. */
TESS_API void tess_scene_free(struct tess_scene *scene);

/* Zero every member that you do not care about. */
struct tess_scene_options {
    const char *output;    /* overrides the file of every "image" step; NULL keeps them */
    const char *directory; /* where relative file names of steps are put; NULL: current directory */
    uint64_t max_instructions; /* as in tess_vc4_options */
    uint64_t max_records;
    uint64_t max_total_instructions;
    bool strict; /* as in tess_vc4_options; what a list leaves behind counts, too */
    bool sanitize;
    uint32_t threads;
    uint32_t qpus;
    bool quiet_files; /* run the steps but write no files */
    /* Called after each file is written; may be NULL. */
    void (*wrote)(void *user, const char *path);
    /* Called with the device after the last step, to ask for its statistics; may be NULL. */
    void (*finished)(void *user, const struct tess_vc4 *vc4);
    void *user;
};

/* Runs all steps in order on a fresh device. Steps that write files are carried out even after a
 * finding, so that what was drawn can be seen. stats may be NULL. Result: TESS_OK; TESS_WRONG when an
 * error was found in the program; TESS_IO, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_scene_run(struct tess_scene *scene,
                                         const struct tess_scene_options *options,
                                         struct tess_sink sink, struct tess_vc4_stats *stats);

/* Receives text piece by piece. */
struct tess_text_out {
    void (*write)(void *user, const char *text, size_t size);
    void *user;
};

enum tess_decode_format { TESS_DECODE_TEXT, TESS_DECODE_JSON };

/* Lists every control record that the scene's steps execute: address, raw bytes, name, every field
 * with value and meaning, following branches, sub-lists, shader records and shader code. The scene's
 * steps are run first, so that tile lists exist. Same results as tess_scene_run(). */
TESS_API enum tess_status tess_scene_decode(struct tess_scene *scene,
                                            const struct tess_scene_options *options,
                                            enum tess_decode_format format,
                                            struct tess_text_out out, struct tess_sink sink);

/* The name of the symbol at or before address, with *offset the distance; NULL if there is none. The
 * string lives as long as the scene. */
TESS_API const char *tess_scene_symbol(const struct tess_scene *scene, uint32_t address,
                                       uint32_t *offset);

/* "NV Shader State" for 65: the manual's name of a control record; NULL for a reserved id. */
TESS_API const char *tess_control_record_name(uint32_t id);

#ifdef __cplusplus
}
#endif

#endif
