/* SPDX-License-Identifier: MIT */
/* draw_notes.h - notes about draws that changed no pixel, and the reasons. */
#ifndef VC4_WATCH_DRAW_NOTES_H
#define VC4_WATCH_DRAW_NOTES_H

#include "vc4/fault/fault.h"
#include "vc4/watch/draw_counts.h"

/* Reasons, in the order of the steps of drawing. A draw's reason is the step that removed most of
 * the draw's primitives. If primitives were drawn, it is the step that removed most pixels. */
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

/* Returns true if the draw's own state and vertices are the cause. Returns false if the cause may
 * be another draw that hides the draw, or that has drawn the same colours at the same pixels. */
bool draw_is_to_blame(const struct draw_live *live, enum draw_reason reason);

/* Returns true if the cause is a clip window without area, which finding cl-clip-window already
 * reports. */
bool draw_cause_is_reported(const struct draw_live *live, enum draw_reason reason);

/* Returns the number of primitives or pixels that the reason's step removed. */
uint64_t draw_taken(const struct draw_live *live, enum draw_reason reason);

/* Reports a frame of several draws that changes no pixel. The counts of live are the sums of the
 * frame's draws. The state and the record of live are those of the draw that lost the most
 * primitives or pixels. */
void draw_note_frame(struct fault_log *log, const struct draw_live *live, enum draw_reason reason,
                     uint32_t draws);

/* Reports a note that the draw changed no pixel, with the reason. */
void draw_note(struct fault_log *log, const struct draw_live *live, enum draw_reason reason);

#endif
