/* SPDX-License-Identifier: MIT */
/* hang.h - loads the saved state of a hung GPU as a scene. Linux' vc4 driver keeps the state after
 * a hang, and vc4-gpu-tools saves the state to a file. */
#ifndef SCENE_HANG_H
#define SCENE_HANG_H

#include "scene/scene_private.h"

struct listing;
struct machine;

/* Words of struct drm_vc4_get_hang_state that a file contains. */
enum hang_word {
    HANG_BO_COUNT = 2,
    HANG_START_BIN,
    HANG_START_RENDER,
    HANG_CT0CA,
    HANG_CT0EA,
    HANG_CT1CA,
    HANG_CT1EA,
    HANG_CT0CS,
    HANG_CT1CS,
    HANG_CT0RA0,
    HANG_CT1RA0,
    HANG_BPCA,
    HANG_BPCS,
    HANG_BPOA,
    HANG_BPOS,
    HANG_VPMBASE,
    HANG_DBGE,
    HANG_FDBGO,
    HANG_FDBGB,
    HANG_FDBGR,
    HANG_FDBGS,
    HANG_ERRSTAT,
    HANG_WORDS = 40,
};

enum { HANG_NAME = 24 };

struct hang {
    uint32_t words[HANG_WORDS];
    bool has_registers;       /* false for files of Mesa's simulator, which saves no registers */
    bool is_whole;            /* true if the steps run all lists of the hung jobs */
    struct buffer text;       /* steps of the scene */
    char (*names)[HANG_NAME]; /* names of the symbols */
};

/* True if the file begins with the version word of a saved state, and so is not an ELF file. */
bool hang_is(const struct buffer *file);

/* Fills scene->hang and scene->elf from scene->file. Appends a few bytes to scene->file. Errors:
 * TESS_BAD_INPUT (reported to the sink), TESS_NO_MEMORY. */
enum tess_status hang_read(struct tess_scene *scene, struct tess_sink sink);

/* Releases hang, which may be NULL. */
void hang_free(struct hang *hang);

/* hang_report() reports the saved state before a run. hang_compare() is called after the run, and
 * reports a note if the run did not hang and had no findings. */
void hang_report(struct machine *machine);
void hang_compare(struct machine *machine);

/* hang_list() lists the registers. hang_note_record() adds a note to the record at which a
 * control-list thread stopped. */
void hang_list(struct listing *listing, const struct hang *hang);
void hang_note_record(struct listing *listing, const struct hang *hang, uint32_t address,
                      uint32_t size);

#endif
