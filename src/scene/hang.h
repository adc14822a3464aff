/* SPDX-License-Identifier: MIT */
/* hang.h - the state of a hung GPU, as Linux' vc4 driver keeps it and vc4-gpu-tools write it into a file, as a scene. */
#ifndef SCENE_HANG_H
#define SCENE_HANG_H

#include "scene/scene_private.h"

struct listing;
struct machine;

/* The words of struct drm_vc4_get_hang_state in which a file holds something. */
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
    bool has_registers;       /* Mesa's simulator saves none */
    bool is_whole;            /* all of its lists are among the steps */
    struct buffer text;       /* the steps */
    char (*names)[HANG_NAME]; /* of the symbols */
};

/* Whether a file's bytes are such a state rather than an ELF file. */
bool hang_is(const struct buffer *file);

/* Fills scene->hang and scene->elf from scene->file, which may grow. Errors: TESS_BAD_INPUT (the sink has the reason),
 * TESS_NO_MEMORY. */
enum tess_status hang_read(struct tess_scene *scene, struct tess_sink sink);

/* NULL is allowed. */
void hang_free(struct hang *hang);

/* Tells the sink before a run what the state says, and after it whether the run got stuck, too. */
void hang_tell(struct machine *machine);
void hang_compare(struct machine *machine);

/* Lists the registers, and notes a record that a control-list thread was at. */
void hang_list(struct listing *listing, const struct hang *hang);
void hang_note_record(struct listing *listing, const struct hang *hang, uint32_t address,
                      uint32_t size);

#endif
