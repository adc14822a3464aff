/* SPDX-License-Identifier: MIT */
/* scene.h - scenes. A scene is one ELF file with memory, control lists and the steps to run them.
 *
 * The file is ELF32 little-endian (EM_NONE or EM_ARM). Its PT_LOAD segments are memory at bus
 * addresses; bytes past the file size are zero, and nothing else is mapped. Its symbols name
 * addresses. Its section ".tessera" is text with one step a line:
 *
 *     bin     FROM TO                       run control-list thread 0
 *     render  FROM TO                       run control-list thread 1
 *     qpu     SHADER UNIFORMS [COUNT]       run a user program through the scheduler queue
 *     image   ADDRESS WIDTH HEIGHT FORMAT LAYOUT FILE   write a PNG
 *     dump    ADDRESS COUNT TYPE FILE       write CSV
 *
 * Captures also contain the steps write, run, data, expect, interrupt and qpus.
 * Functions that read scenes also accept Linux' saved state of a hung GPU (docs/hang.md).
 * Operands are symbols, numbers or symbol+number. docs/scene.md describes every format, layout and
 * type.
 */
#ifndef TESSERA_SCENE_H
#define TESSERA_SCENE_H

#include <tessera/tessera.h>
#include <tessera/vc4.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_scene;

/* Loads a scene from a file; "-" is standard input. The caller releases *out with
 * tess_scene_free(). *out is NULL unless the result is TESS_OK. Returns TESS_IO, TESS_BAD_INPUT
 * (the reason is reported to sink) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_scene_load(struct tess_scene **out, const char *path,
                                          struct tess_sink sink);

/* Loads a scene from size bytes in memory, like tess_scene_load(). name is used in place of a file
 * name in diagnostics. The bytes are copied. */
TESS_API enum tess_status tess_scene_load_memory(struct tess_scene **out, const void *bytes,
                                                 size_t size, const char *name,
                                                 struct tess_sink sink);

/* Releases a scene. NULL is allowed. */
TESS_API void tess_scene_free(struct tess_scene *scene);

/* Progress of a scene's steps. */
struct tess_scene_progress {
    uint32_t frame, frames; /* number of the current picture, counted from 1, and number of all
                             * pictures; both are 0 if the scene has no pictures */
    struct tess_vc4_progress run;
};

/* Options of a run. Must be zero-initialised; members that are 0 have defaults. */
struct tess_scene_options {
    /* Name that replaces the file names of "image" steps, or NULL to keep the names in the steps.
     * "DIR/" puts the files into a directory. "%d" or "%03d" in the name is replaced by the
     * picture's number, from 1. Any other name, including "-", requires that there is only one
     * picture. */
    const char *output;
    /* Range of frames, from 1. Pictures and dumps of other frames are not written, and steps after
     * the last frame are not run. A frame is all steps up to its "image" step. 0 means the first
     * and the last frame of the scene. */
    uint32_t first_frame, last_frame;
    const char *directory;     /* base of relative file names in steps; NULL for the current
                                  directory */
    uint64_t max_instructions; /* as in tess_vc4_options */
    uint64_t max_records;
    uint64_t max_total_instructions;
    bool strict; /* as in tess_vc4_options; also affects findings about the end of a list */
    bool sanitize;
    bool profile;
    uint32_t threads;
    uint32_t qpus;
    uint32_t shown;
    const char *capture; /* file that the run is recorded to as a scene, or NULL */
    bool quiet_files;    /* true to run the steps without writing files */
    /* Called after each file has been written. All files of a run replace their targets at its end,
     * or when the set of outputs in use is committed (output.h). May be NULL. */
    void (*wrote)(void *user, const char *path);
    /* Called at intervals during runs. May be NULL. */
    void (*progress)(void *user, const struct tess_scene_progress *progress);
    /* As in tess_vc4_options, but a stop ends the scene. May be NULL. */
    tess_vc4_tracer *trace;
    /* Called with the device after the last step, for its statistics; may be NULL. */
    void (*finished)(void *user, const struct tess_vc4 *vc4);
    void *user;
};

/* Runs all steps of a scene in order on a new device. Steps that write files are executed even
 * after a finding, so that the drawn parts can be seen. stats may be NULL. Returns TESS_STOPPED if
 * options->trace has stopped the run, TESS_WRONG if an error was found in the program, TESS_INVALID
 * if options do not fit the scene (the reason is reported to sink), TESS_IO or TESS_NO_MEMORY on
 * failure. */
TESS_API enum tess_status tess_scene_run(struct tess_scene *scene,
                                         const struct tess_scene_options *options,
                                         struct tess_sink sink, struct tess_vc4_stats *stats);

/* --- captures ---
 * A capture records a host's use of a device as a scene with the same effect: memory as it was when
 * a block first accessed it, register writes, the host's changes of memory between runs, and hashes
 * of the memory that each run wrote. docs/scene.md describes the steps of captures. */
struct tess_capture;

/* Starts recording a device. Must be called before the first register write, because registers are
 * the only internal state of the device that a capture records. *out is NULL unless the result is
 * TESS_OK. End the capture with tess_capture_end() before the device is destroyed. Returns
 * TESS_INVALID (also if the device is already being recorded) or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_capture_start(struct tess_capture **out, struct tess_vc4 *vc4);

/* Adds a symbol for memory at an address. size is in bytes, or 0 if unknown. The name is copied.
 * Returns TESS_INVALID for an empty name, or TESS_NO_MEMORY. */
TESS_API enum tess_status tess_capture_symbol(struct tess_capture *capture, const char *name,
                                              uint32_t address, uint32_t size);

/* Adds a step that reads size bytes at an address. step is a line of text, "image ..." or "dump
 * ...". The scene also records the present contents of the bytes, and a run of the scene compares
 * them. Returns TESS_INVALID if the memory is not mapped, size is 0, or the text has more than one
 * line. */
TESS_API enum tess_status tess_capture_step(struct tess_capture *capture, uint32_t address,
                                            uint32_t size, const char *step);

/* The binning list and the rendering list of a job. Each has the address of its first byte and the
 * address after its last byte. If the two addresses are equal, the job does not have the list. */
struct tess_job_lists {
    uint32_t bin, bin_end, render, render_end;
};

/* Adds an "image" step for the picture that a job's rendering list stores, with the size, format
 * and layout in the list. 32-bit pixels are assumed to be BGRA, as for displays. If the job draws
 * bottom up, as OpenGL does into textures, they are assumed to be RGBA. Returns TESS_INVALID if the
 * list stores no picture in mapped memory (depth only, or 64 bits a pixel), or TESS_NO_MEMORY. */
TESS_API enum tess_status tess_capture_picture(struct tess_capture *capture,
                                               const struct tess_job_lists *lists,
                                               const char *file);

/* Writes the scene to a file; "-" is standard output. Recording continues. Returns TESS_IO,
 * TESS_INVALID if the recording exceeds a scene's limits (in both cases the reason is reported to
 * sink), or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_capture_save(struct tess_capture *capture, const char *path,
                                            struct tess_sink sink);

/* Writes the scene to memory like tess_capture_save(). The caller frees *bytes with tess_free().
 * *bytes is NULL unless the result is TESS_OK. */
TESS_API enum tess_status tess_capture_save_memory(struct tess_capture *capture, uint8_t **bytes,
                                                   size_t *size, struct tess_sink sink);

/* Ends the recording and releases the capture. NULL is allowed. */
TESS_API void tess_capture_end(struct tess_capture *capture);

/* Receiver of text, which is passed in pieces. */
struct tess_text_out {
    void (*write)(void *user, const char *text, size_t size);
    void *user;
};

enum tess_decode_format { TESS_DECODE_TEXT, TESS_DECODE_JSON };

/* Lists every control record that the scene's steps execute: address, raw bytes, name, and every
 * field with value and meaning. Branches, sub-lists, shader records and shader code are included.
 * The scene's steps are run first, so that tile lists exist. Returns the same values as
 * tess_scene_run(). */
TESS_API enum tess_status tess_scene_decode(struct tess_scene *scene,
                                            const struct tess_scene_options *options,
                                            enum tess_decode_format format,
                                            struct tess_text_out out, struct tess_sink sink);

/* Returns the name of the symbol at or before a mapped address, and stores the distance in *offset.
 * Returns NULL if the address is not mapped, or has no symbol. The string lives as long as the
 * scene. */
TESS_API const char *tess_scene_symbol(const struct tess_scene *scene, uint32_t address,
                                       uint32_t *offset);

/* Position of an address relative to a symbol. */
struct tess_scene_place {
    const char *name; /* nearest symbol at or before the address; lives as long as the scene */
    uint32_t offset;  /* bytes from the symbol */
    bool past_end;    /* true if the address is past the end of the symbol, or past the mapped
                       * region that contains the symbol */
};

/* Finds the symbol at or before an address, which need not be mapped. Returns false if no symbol
 * precedes the address. */
TESS_API bool tess_scene_nearest(const struct tess_scene *scene, uint32_t address,
                                 struct tess_scene_place *place);

/* Returns the manual's name of a control record, for example "NV Shader State" for 65, or NULL for
 * a reserved id. The string is static. */
TESS_API const char *tess_control_record_name(uint32_t id);

#ifdef __cplusplus
}
#endif

#endif
