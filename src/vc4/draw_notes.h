/* SPDX-License-Identifier: MIT */
/* draw_notes.h - reasons why a draw changed no pixel, and their text. */
#ifndef VC4_DRAW_NOTES_H
#define VC4_DRAW_NOTES_H

#include "vc4/draws.h"
#include "vc4/fault.h"

/* The step that removed most of the draw's primitives or, if some were drawn, most of its
 * pixels. */
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

/* Returns true if the draw's own state and vertices are the cause. Returns false if other draws may
 * hide the draw, or may have drawn the same pixels. */
bool draw_is_to_blame(const struct draw_live *live, enum draw_reason reason);

/* Returns true if another finding already reports the cause: cl-clip-window, for a clip window
 * without area. */
bool draw_cause_is_reported(const struct draw_live *live, enum draw_reason reason);

/* Returns the number of primitives or pixels that the reason's step removed. */
uint64_t draw_taken(const struct draw_live *live, enum draw_reason reason);

/* Reports a frame of several draws that changes no pixel. The counts of live are the sums of the
 * frame's draws. The state and the record of live are those of the draw that lost the most
 * primitives or pixels. */
void draw_note_frame(struct fault_log *log, const struct draw_live *live, enum draw_reason reason,
                     uint32_t draws);

/* Reports the draw as a finding. */
void draw_note(struct fault_log *log, const struct draw_live *live, enum draw_reason reason);

#endif
