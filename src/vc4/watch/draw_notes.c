/* SPDX-License-Identifier: MIT */
/* draw_notes.c - see draw_notes.h.
 *
 * In:  the counts of a draw, and its state.
 * Out: one note, which names the step that removed the draw's pixels and the state that caused
 *      it. */
#include "vc4/watch/draw_notes.h"

#include <inttypes.h>

#include "base/text.h"
#include "finding/rules.h"
#include "vc4/state/tlb_setup.h"
#include "vc4/state/vertex.h"

enum { TEXT_SIZE = 512 };

static void put_no_primitive(struct text *text, const struct draw_live *live);
static void put_culled(struct text *text, const struct draw_live *live);
static void put_outside(struct text *text, const struct draw_live *live);
static void put_z_limits(struct text *text, const struct draw_live *live);
static void put_depth(struct text *text, const struct draw_live *live);
static void put_stencil(struct text *text, const struct draw_live *live);
static void put_unchanged(struct text *text, const struct draw_live *live);

/* Data of each reason: the rule, the counter of removed primitives or pixels, the counter of all
 * primitives or pixels, the nouns and the words of the note, and the function that appends the
 * relevant state. */
static const struct {
    enum fault_rule rule;
    enum tess_vc4_draw_counter counter, whole;
    const char *things, *words;
    void (*put_state)(struct text *text, const struct draw_live *live);
} reasons[DRAW_REASONS] = {
#define REASON(name, whole, things, words, state) \
    [DRAW_##name] = {                             \
        FAULT_DRAW_##name, TESS_VC4_DRAW_##name, TESS_VC4_DRAW_##whole, things, words, state}
    [DRAW_NO_PRIMITIVE] = {FAULT_DRAW_NO_PRIMITIVE, TESS_VC4_DRAW_PRIMITIVES,
                           TESS_VC4_DRAW_PRIMITIVES, "primitive", "", put_no_primitive},
    REASON(CLIPPED, PRIMITIVES, "primitive", "outside the clip volume", NULL),
    REASON(NOT_FINITE, PRIMITIVES, "primitive",
           "dropped: a clip coordinate is infinite or not a number", NULL),
    REASON(NO_AREA, PRIMITIVES, "primitive", "without area", NULL),
    REASON(CULLED, PRIMITIVES, "primitive", "culled", put_culled),
    REASON(OUTSIDE, PRIMITIVES, "primitive", "outside the clip window or the tiles", put_outside),
    [DRAW_NOT_RENDERED] = {FAULT_DRAW_NOT_RENDERED, TESS_VC4_DRAW_BINNED, TESS_VC4_DRAW_PRIMITIVES,
                           "primitive", "in tile lists that no rendering list has executed", NULL},
    REASON(UNCOVERED, DRAWN, "primitive", "without a pixel centre inside", NULL),
    REASON(Z_LIMITS, PIXELS, "pixel", "outside the limits of Z Min and Max Clipping Planes (104)",
           put_z_limits),
    REASON(EARLY_Z, PIXELS, "pixel", "rejected by the early depth test", put_depth),
    REASON(NO_COVERAGE, PIXELS, "pixel", "without coverage, in a frame of coverage mode", NULL),
    REASON(STENCIL, PIXELS, "pixel", "rejected by the stencil test", put_stencil),
    REASON(DEPTH, PIXELS, "pixel", "rejected by the depth test", put_depth),
    REASON(DISCARDED, PIXELS, "pixel", "discarded: the fragment shader wrote nothing there", NULL),
    REASON(UNCHANGED, PIXELS, "pixel", "written with their previous value", put_unchanged),
#undef REASON
};

/* --- reasons --- */

uint64_t draw_taken(const struct draw_live *live, enum draw_reason reason)
{
    return live->counts.of[reasons[reason].counter];
}

/* Returns the reason from first to last with the highest count. If several reasons have the highest
 * count, returns the earliest of these reasons. */
static enum draw_reason greatest(const struct draw_live *live, enum draw_reason first,
                                 enum draw_reason last)
{
    enum draw_reason most = first;
    for (enum draw_reason reason = first; reason <= last; reason++)
        if (draw_taken(live, reason) > draw_taken(live, most))
            most = reason;
    return most;
}

enum draw_reason draw_reason(const struct draw_live *live)
{
    const uint64_t *of = live->counts.of;
    if (of[TESS_VC4_DRAW_PIXELS])
        return greatest(live, DRAW_Z_LIMITS, DRAW_UNCHANGED);
    if (of[TESS_VC4_DRAW_DRAWN])
        return DRAW_UNCOVERED;
    if (of[TESS_VC4_DRAW_BINNED])
        return DRAW_NOT_RENDERED;
    if (of[TESS_VC4_DRAW_PRIMITIVES])
        return greatest(live, DRAW_CLIPPED, DRAW_OUTSIDE);
    return DRAW_NO_PRIMITIVE;
}

static uint32_t depth_function(const struct draw_live *live)
{
    return CONFIGURATION_GET(live->state.configuration, DEPTH_TEST);
}

bool draw_is_to_blame(const struct draw_live *live, enum draw_reason reason)
{
    if (reason == DRAW_UNCHANGED)
        return false;
    if (reason == DRAW_DEPTH || reason == DRAW_EARLY_Z)
        return depth_function(live) == TLB_NEVER ||
               live->counts.at_clear >=
                   draw_taken(live, DRAW_DEPTH) + draw_taken(live, DRAW_EARLY_Z);
    return true;
}

bool draw_cause_is_reported(const struct draw_live *live, enum draw_reason reason)
{
    return reason == DRAW_OUTSIDE && (live->state.clip_width == 0 || live->state.clip_height == 0);
}

/* --- the state --- */

static const char *const functions[] = {
    [TLB_NEVER] = "never",         [TLB_LT] = "less",       [TLB_EQ] = "equal",
    [TLB_LE] = "less or equal",    [TLB_GT] = "greater",    [TLB_NE] = "not equal",
    [TLB_GE] = "greater or equal", [TLB_ALWAYS] = "always",
};

static void put_no_primitive(struct text *text, const struct draw_live *live)
{
    static const char *const modes[MODE_COUNT] = {"points",        "lines",     "a line loop",
                                                  "a line strip",  "triangles", "a triangle strip",
                                                  "a triangle fan"};
    if (live->record.code == CL_INDEXED_PRIMITIVE_LIST ||
        live->record.code == CL_VERTEX_ARRAY_PRIMITIVES)
        text_put(text, "%" PRIu32 " vert%s no primitive: the mode is %s", live->record.length,
                 live->record.length == 1 ? "ex makes" : "ices make", modes[live->record.mode]);
    else
        text_put(text, "the list has no primitive");
}

static void put_culled(struct text *text, const struct draw_live *live)
{
    uint32_t bits = live->state.configuration;
    bool forward = CONFIGURATION_GET(bits, FORWARD), reverse = CONFIGURATION_GET(bits, REVERSE);
    const char *drawn = forward   ? "forward faces only"
                        : reverse ? "reverse faces only"
                                  : "no faces";
    text_put(text, "; Configuration Bits (96) enables %s, and its clockwise bit is %u", drawn,
             CONFIGURATION_GET(bits, CLOCKWISE));
}

static void put_outside(struct text *text, const struct draw_live *live)
{
    const struct cl_state *state = &live->state;
    const struct draw_area *area = &live->outside;
    text_put(text, "; the clip window is %u x %u pixels at (%u, %u)", state->clip_width,
             state->clip_height, state->clip_left, state->clip_bottom);
    if (area->left < area->right)
        text_put(text,
                 ", the primitives lie between (%" PRId32 ", %" PRId32 ") and (%" PRId32
                 ", %" PRId32 ")",
                 area->left, area->bottom, area->right, area->top);
}

static void put_z_limits(struct text *text, const struct draw_live *live)
{
    text_put(text, ", which are %g and %g", (double)live->state.z_min, (double)live->state.z_max);
}

static void put_depth(struct text *text, const struct draw_live *live)
{
    uint32_t function = depth_function(live);
    text_put(text, ", whose function is \"%s\" (%" PRIu32 ")", functions[function], function);
    if (live->counts.at_clear && function != TLB_NEVER)
        text_put(text,
                 "; %" PRIu64
                 " of them were compared with the depth of Clear Colors (114), 0x%06" PRIx32,
                 live->counts.at_clear, live->counts.clear_z);
}

static void put_stencil(struct text *text, const struct draw_live *live)
{
    uint32_t word = live->counts.stencil, function = word >> 16 & 7;
    if (word & DRAW_STENCIL_KNOWN)
        text_put(text,
                 ", whose function for %s faces is \"%s\" (%" PRIu32
                 ") with the reference 0x%02" PRIx32 " and the mask 0x%02" PRIx32,
                 word & DRAW_STENCIL_BACK ? "back" : "front", functions[function], function,
                 word >> 8 & 0xff, word & 0xff);
}

static void put_unchanged(struct text *text, const struct draw_live *live)
{
    uint64_t alpha = live->counts.of[TESS_VC4_DRAW_ALPHA_ZERO];
    if (live->counts.blended)
        text_put(text,
                 "; the shader read the tile's colour for %" PRIu64 " of them, as blending does",
                 live->counts.blended);
    if (alpha)
        text_put(text, "; %" PRIu64 " had an alpha of 0", alpha);
}

/* --- the note --- */

static bool is_pixel_reason(enum draw_reason reason)
{
    return reason >= DRAW_Z_LIMITS;
}

static void put_reason(struct text *text, const struct draw_live *live, enum draw_reason reason)
{
    uint64_t count = draw_taken(live, reason), whole = live->counts.of[reasons[reason].whole];
    const char *things = reasons[reason].things, *plural = text_plural(whole);
    if (whole == 1)
        text_put(text, "its only %s", things);
    else if (count == whole)
        text_put(text, "all %" PRIu64 " %s%s", whole, things, plural);
    else
        text_put(text, "%" PRIu64 " of %" PRIu64 " %s%s", count, whole, things, plural);
    text_put(text, " %s %s", count == 1 ? "is" : "are", reasons[reason].words);
    if (reasons[reason].put_state)
        reasons[reason].put_state(text, live);
}

/* Appends the other reasons that removed primitives or pixels. */
static void put_others(struct text *text, const struct draw_live *live, enum draw_reason reason)
{
    bool pixels = is_pixel_reason(reason);
    enum draw_reason first = pixels ? DRAW_Z_LIMITS : DRAW_CLIPPED;
    enum draw_reason last = pixels ? DRAW_UNCHANGED : DRAW_OUTSIDE;
    for (enum draw_reason other = first; other <= last && reason != DRAW_UNCOVERED; other++)
        if (other != reason && draw_taken(live, other))
            text_put(text, "; %" PRIu64 " %s %s", draw_taken(live, other),
                     draw_taken(live, other) == 1 ? "is" : "are", reasons[other].words);
}

static void put_cause(char buffer[TEXT_SIZE], const struct draw_live *live, enum draw_reason reason)
{
    struct text text = {.text = buffer, .size = TEXT_SIZE};
    if (reason == DRAW_NO_PRIMITIVE) {
        put_no_primitive(&text, live);
    } else {
        put_reason(&text, live, reason);
        put_others(&text, live, reason);
    }
}

void draw_note_frame(struct fault_log *log, const struct draw_live *live, enum draw_reason reason,
                     uint32_t draws)
{
    char buffer[TEXT_SIZE] = "";
    put_cause(buffer, live, reason);
    fault(log, FAULT_DRAW_NO_FRAME,
          "none of the %" PRIu32 " draws of this frame changes a pixel: %s" WITH_HINT "%s", draws,
          buffer, rule_table[RULE_VC4_FIRST + reasons[reason].rule].instead);
}

void draw_note(struct fault_log *log, const struct draw_live *live, enum draw_reason reason)
{
    char buffer[TEXT_SIZE] = "";
    put_cause(buffer, live, reason);
    log->place = (struct tess_place){.known = TESS_PLACE_LIST,
                                     .thread = live->record.thread,
                                     .list_address = live->record.address,
                                     .record = live->record.code};
    fault(log, reasons[reason].rule, "this draw changes no pixel: %s", buffer);
}
