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
 * and those that captures consist of: write, run, data, expect, interrupt, qpus.
 * In the place of a scene, the state of a hung GPU may stand that Linux keeps (docs/hang.md).
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

/* How far the steps have come. */
struct tess_scene_progress {
    uint32_t frame, frames; /* the picture that is being made, from 1; 0 of 0 if there is none */
    struct tess_vc4_progress run;
};

/* Zero every member that you do not care about. */
struct tess_scene_options {
    /* Overrides the files of the "image" steps; NULL keeps them. "DIR/" puts them into a directory,
     * and "%d" or "%03d" in a name is the picture's number, from 1. Else one picture must do, or "-". */
    const char *output;
    /* Pictures and dumps outside of these frames are not written, and what follows the last is not
     * run. A frame is all steps up to its "image" step, from 1; 0: from the first, to the last. */
    uint32_t first_frame, last_frame;
    const char *directory; /* where relative file names of steps are put; NULL: current directory */
    uint64_t max_instructions; /* as in tess_vc4_options */
    uint64_t max_records;
    uint64_t max_total_instructions;
    bool strict; /* as in tess_vc4_options; what a list leaves behind counts, too */
    bool sanitize;
    bool profile;
    uint32_t threads;
    uint32_t qpus;
    uint32_t shown;
    const char *capture; /* records the run as a scene in this file; NULL does not */
    bool quiet_files; /* run the steps but write no files */
    /* Called after each file is whole; all files of a run get their names at its end, or when the set of outputs that is in use
     * is committed (output.h). May be NULL. */
    void (*wrote)(void *user, const char *path);
    /* Called every now and then during runs; may be NULL. */
    void (*progress)(void *user, const struct tess_scene_progress *progress);
    /* As in tess_vc4_options; may be NULL. */
    void (*trace)(void *user, const struct tess_vc4_step *step);
    /* Called with the device after the last step, to ask for its statistics; may be NULL. */
    void (*finished)(void *user, const struct tess_vc4 *vc4);
    void *user;
};

/* Runs all steps in order on a fresh device. Steps that write files are carried out even after a
 * finding, so that what was drawn can be seen. stats may be NULL. Result: TESS_OK; TESS_WRONG when an
 * error was found in the program; TESS_IO, TESS_NO_MEMORY; TESS_INVALID for options that do not suit
 * the scene (the sink has the reason). */
TESS_API enum tess_status tess_scene_run(struct tess_scene *scene,
                                         const struct tess_scene_options *options,
                                         struct tess_sink sink, struct tess_vc4_stats *stats);

/* --- captures ---
 * A capture records what a host does with a device, as a scene that does the same: memory as it was when
 * a block first reached it, register writes, what the host changed in memory between runs, and hashes
 * of what each run left in memory. docs/scene.md has the steps that it writes. */
struct tess_capture;

/* Begins to record. Best before the first register write: of what a device already holds in itself,
 * only the registers are recorded. *out is NULL unless the result is TESS_OK. End the capture before
 * the device is destroyed. Errors: TESS_INVALID (the device is being recorded), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_capture_start(struct tess_capture **out, struct tess_vc4 *vc4);

/* Names memory from address on; size is in bytes, or 0 if it is not known. Errors: TESS_INVALID for
 * an empty name, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_capture_symbol(struct tess_capture *capture, const char *name,
                                              uint32_t address, uint32_t size);

/* Adds a step as a line of text, "image ..." or "dump ...", that reads size bytes from address; they
 * are expected to be what they are now. Errors: TESS_INVALID if the memory is not mapped, or
 * the text has more than one line. */
TESS_API enum tess_status tess_capture_step(struct tess_capture *capture, uint32_t address,
                                            uint32_t size, const char *step);

/* The two control lists of a job, from the first byte to behind the last; the same address twice: there is no such list. */
struct tess_job_lists {
    uint32_t bin, bin_end, render, render_end;
};

/* Adds an "image" step of the picture that a job's rendering list stores, with size, format and layout as the list has them.
 * 32-bit pixels are taken for BGRA, as displays have them, unless the job draws the right way up, as GL does into textures:
 * RGBA. Errors: TESS_INVALID if it stores none that is mapped (depth only, 64 bits a pixel); TESS_NO_MEMORY. */
TESS_API enum tess_status tess_capture_picture(struct tess_capture *capture,
                                               const struct tess_job_lists *lists,
                                               const char *file);

/* Writes the scene; "-" is standard output. Recording goes on. Errors: TESS_IO; TESS_INVALID if
 * it does not fit a scene's limits (the sink has the reason of both); TESS_NO_MEMORY. */
TESS_API enum tess_status tess_capture_save(struct tess_capture *capture, const char *path,
                                            struct tess_sink sink);

/* The same into memory, to be freed with tess_free(); *bytes is NULL unless the result is TESS_OK. */
TESS_API enum tess_status tess_capture_save_memory(struct tess_capture *capture, uint8_t **bytes,
                                                   size_t *size, struct tess_sink sink);

/* Ends the recording and releases the capture. NULL is allowed. */
TESS_API void tess_capture_end(struct tess_capture *capture);

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

/* Where an address lies, in terms of the symbols. */
struct tess_scene_place {
    const char *name; /* the nearest symbol at or before it; lives as long as the scene */
    uint32_t offset;  /* bytes from the symbol on */
    bool past_end;    /* it is not the symbol's memory: behind its size or its mapped region */
};

/* Also for addresses that are not mapped. False if there is no symbol before it. */
TESS_API bool tess_scene_nearest(const struct tess_scene *scene, uint32_t address,
                                 struct tess_scene_place *place);

/* "NV Shader State" for 65: the manual's name of a control record; NULL for a reserved id. */
TESS_API const char *tess_control_record_name(uint32_t id);

#ifdef __cplusplus
}
#endif

#endif
