/* SPDX-License-Identifier: MIT */
/* draw_notes.h - why a draw has changed no pixel, in words. */
#ifndef VC4_DRAW_NOTES_H
#define VC4_DRAW_NOTES_H

#include "vc4/draws.h"
#include "vc4/fault.h"

/* The step that took most of the draw's primitives or, if some were drawn, of its pixels. */
enum draw_reason {
    DRAW_NO_PRIMITIVE,
    DRAW_CLIPPED,
    DRAW_NOT_FINITE,
    DRAW_NO_AREA,
    DRAW_CULLED,
    DRAW_OUTSIDE,
    DRAW_NOT_RENDERED,
    DRAW_UNCOVERED,
    DRAW_Z_LIMITS,
    DRAW_EARLY_Z,
    DRAW_NO_COVERAGE,
    DRAW_STENCIL,
    DRAW_DEPTH,
    DRAW_DISCARDED,
    DRAW_UNCHANGED,
    DRAW_REASONS
};

enum draw_reason draw_reason(const struct draw_live *live);

/* Whether the draw's own state and vertices are the cause. Else other draws may be: they hide
 * it, or have drawn the same. */
bool draw_is_to_blame(const struct draw_live *live, enum draw_reason reason);

/* Whether another finding reports the cause already: a clip window without size (cl-clip-
 * window). */
bool draw_cause_is_reported(const struct draw_live *live, enum draw_reason reason);

/* Primitives or pixels that the step of the reason took. */
uint64_t draw_taken(const struct draw_live *live, enum draw_reason reason);

/* Reports a frame of several draws that changes no pixel. The counts of live are the sums of its draws, its state and record
 * those of the draw that lost most. */
void draw_note_frame(struct fault_log *log, const struct draw_live *live, enum draw_reason reason,
                     uint32_t draws);

/* Reports the draw. */
void draw_note(struct fault_log *log, const struct draw_live *live, enum draw_reason reason);

#endif
