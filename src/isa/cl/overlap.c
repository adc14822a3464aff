/* SPDX-License-Identifier: MIT */
/* overlap.c - see overlap.h.
 *
 * Source:  manual, sections 8 and 9: the binner is done before its lists are drawn. A tile is
 *          stored once all of its primitives have been drawn, while other tiles are still to come.
 * Choices: uses that are legal on silicon are not reported: ranges that are only read; loads
 *          from the address that stores write; overflow memory in the rest of the tile
 *          allocation memory. */
#include "isa/cl/overlap.h"

#include "base/text.h"
#include "isa/cl/image.h"

enum { WRITERS_MAX = 64 }; /* most written uses of a list that are compared */

static bool is_binners(const struct cl_use *use)
{
    return use->kind <= CL_USE_OVERFLOW;
}

static bool is_store(const struct cl_use *use)
{
    return use->kind >= CL_USE_FRAME && use->kind <= CL_USE_DUMP;
}

/* Returns true if the binner uses the memory only when a tile list does not fit in its first
 * block. */
static bool is_reserve(const struct cl_use *use)
{
    return use->kind == CL_USE_POOL || use->kind == CL_USE_OVERFLOW;
}

/* Returns true if one of the two uses is the overflow memory, which all frames share. */
static bool is_overflow(const struct cl_use *a, const struct cl_use *b)
{
    return a->kind == CL_USE_OVERFLOW || b->kind == CL_USE_OVERFLOW;
}

static enum cl_overlap_kind binner_writes(const struct cl_use *writer, const struct cl_use *other)
{
    const bool two_frames = is_binners(other) && other->record != writer->record;
    if ((is_reserve(writer) && is_reserve(other)) || (two_frames && !is_overflow(writer, other)))
        return CL_OVERLAP_NONE;
    return is_reserve(writer) || is_reserve(other) ? CL_OVERLAP_RISK : CL_OVERLAP_BROKEN;
}

/* Compares a store with another use. A frame of a single tile is stored after all of the frame's
 * data has been read. */
static enum cl_overlap_kind store_writes(const struct cl_use *writer, const struct cl_use *other)
{
    bool other_frame = other->frame && writer->frame && other->frame != writer->frame;
    if (other_frame || (other->kind == CL_USE_LOAD && other->whole == writer->whole))
        return CL_OVERLAP_NONE;
    if (is_store(other))
        return CL_OVERLAP_BROKEN;
    bool later = is_reserve(other) || other->kind == CL_USE_STATE || writer->tiles == 1 ||
                 (!is_binners(other) && !(other->threads & CL_BY_RENDERER));
    return later ? CL_OVERLAP_RISK : CL_OVERLAP_BROKEN;
}

static enum cl_overlap_kind compare(const struct cl_use *writer, const struct cl_use *other)
{
    if (!cl_uses_meet(writer, other))
        return CL_OVERLAP_NONE;
    return is_store(writer) ? store_writes(writer, other) : binner_writes(writer, other);
}

/* Returns true if overlap a of a written use comes before overlap b: CL_OVERLAP_BROKEN before
 * CL_OVERLAP_RISK, then the lower address. */
static bool is_before(const struct cl_overlap *a, const struct cl_overlap *b)
{
    if (a->kind != b->kind)
        return b->kind == CL_OVERLAP_NONE || a->kind == CL_OVERLAP_BROKEN;
    uint32_t from = a->writer.address;
    uint32_t a_at = (a->other.address - from) & CL_ADDRESS_MASK,
             b_at = (b->other.address - from) & CL_ADDRESS_MASK;
    return a_at < b_at;
}

static void look_at(struct cl_overlap *best, const struct cl_use *writer,
                    const struct cl_use *other)
{
    const struct cl_overlap pair = {compare(writer, other), *writer, *other};
    if (pair.kind != CL_OVERLAP_NONE && is_before(&pair, best))
        *best = pair;
}

/* If the binner writes both ranges, makes the range at the lower address the writer. */
static void order(struct cl_overlap *best)
{
    if (!is_binners(&best->other) || !is_binners(&best->writer) ||
        best->other.address >= best->writer.address)
        return;
    struct cl_use writer = best->writer;
    best->writer = best->other;
    best->other = writer;
}

/* A search for overlaps of one kind. The search for CL_OVERLAP_RISK is made only if the search for
 * CL_OVERLAP_BROKEN has found nothing. */
struct search {
    enum cl_overlap_kind kind;
    struct cl_overlap_sink sink;
    unsigned found;
};

static void report(struct cl_overlap *best, struct search *search)
{
    if (best->kind != search->kind)
        return;
    order(best);
    search->found++;
    search->sink.found(search->sink.user, best);
}

static void search_binning(const struct cl_uses *binning, struct search *search)
{
    unsigned writers = 0;
    for (size_t i = 0; i < binning->count && writers < WRITERS_MAX; i++) {
        const struct cl_use *writer = &binning->item[i];
        struct cl_overlap best = {.kind = CL_OVERLAP_NONE};
        if (!is_binners(writer))
            continue;
        writers++;
        for (size_t k = 0; k < binning->count; k++)
            if (k > i || !is_binners(&binning->item[k]))
                look_at(&best, writer, &binning->item[k]);
        report(&best, search);
    }
}

void cl_overlaps_bin(const struct cl_uses *binning, struct cl_overlap_sink sink)
{
    struct search search = {CL_OVERLAP_BROKEN, sink, 0};
    search_binning(binning, &search);
    search.kind = CL_OVERLAP_RISK;
    if (search.found == 0)
        search_binning(binning, &search);
}

/* Compares a store with earlier stores, all reads, and all of the binner's memory. */
static void look_at_store(const struct cl_uses *rendering, size_t number,
                          const struct cl_uses *binning, struct search *search)
{
    const struct cl_use *writer = &rendering->item[number];
    struct cl_overlap best = {.kind = CL_OVERLAP_NONE};
    for (size_t i = 0; i < rendering->count; i++)
        if (i < number || !is_store(&rendering->item[i]))
            look_at(&best, writer, &rendering->item[i]);
    for (size_t i = 0; binning && i < binning->count; i++)
        look_at(&best, writer, &binning->item[i]);
    report(&best, search);
}

/* Compares memory that the binner writes with all reads of the rendering list. */
static void look_at_binner(const struct cl_uses *rendering, const struct cl_use *writer,
                           struct search *search)
{
    struct cl_overlap best = {.kind = CL_OVERLAP_NONE};
    for (size_t i = 0; i < rendering->count; i++)
        if (!is_store(&rendering->item[i]))
            look_at(&best, writer, &rendering->item[i]);
    report(&best, search);
}

static void search_rendering(const struct cl_uses *rendering, const struct cl_uses *binning,
                             struct search *search)
{
    unsigned writers = 0;
    for (size_t i = 0; i < rendering->count && writers < WRITERS_MAX; i++) {
        if (!is_store(&rendering->item[i]))
            continue;
        writers++;
        look_at_store(rendering, i, binning, search);
    }
    for (size_t i = 0; binning && i < binning->count; i++)
        if (is_binners(&binning->item[i]))
            look_at_binner(rendering, &binning->item[i], search);
}

/* If the rendering list branches to no tile lists, the last binning list belongs to another
 * frame and is ignored. */
void cl_overlaps_render(const struct cl_uses *rendering, const struct cl_uses *binning,
                        struct cl_overlap_sink sink)
{
    struct search search = {CL_OVERLAP_BROKEN, sink, 0};
    const struct cl_uses *bins = rendering->has_tile_lists ? binning : NULL;
    search_rendering(rendering, bins, &search);
    search.kind = CL_OVERLAP_RISK;
    if (search.found == 0)
        search_rendering(rendering, bins, &search);
}

struct cl_overlap cl_overlap_pair(const struct cl_use *writer, const struct cl_use *read)
{
    const bool writes = is_store(writer) || is_binners(writer);
    return (struct cl_overlap){writes ? compare(writer, read) : CL_OVERLAP_NONE, *writer, *read};
}

/* --- text --- */

struct noun {
    const char *text;
    bool plural;
};

static struct noun noun_of(const struct cl_use *use)
{
    static const struct noun nouns[CL_USE_KINDS] = {
        /* clang-format off */
        [CL_USE_STATE]    = {"the tile states",                   true},
        [CL_USE_BLOCKS]   = {"the tile lists",                    true},
        [CL_USE_POOL]     = {"the tile lists",                    true},
        [CL_USE_OVERFLOW] = {"the overflow memory of the binner", false},
        [CL_USE_FRAME]    = {"the frame",                         false},
        [CL_USE_DEPTH]    = {"the depth buffer",                  false},
        [CL_USE_MASK]     = {"the VG mask buffer",                false},
        [CL_USE_DUMP]     = {"the tile dump",                     false},
        [CL_USE_LOAD]     = {"the loaded buffer",                 false},
        [CL_USE_RECORD]   = {"the shader record",                 false},
        [CL_USE_VERTICES] = {"the shaded vertices",               true},
        [CL_USE_INDICES]  = {"the vertex indices",                true},
        [CL_USE_TEXTURE]  = {"the texture",                       false},
        /* clang-format on */
    };
    static const struct noun code[] = {{"the fragment shader", false},
                                       {"the vertex shader", false},
                                       {"the coordinate shader", false}};
    static const struct noun uniforms[] = {{"the uniforms of the fragment shader", true},
                                           {"the uniforms of the vertex shader", true},
                                           {"the uniforms of the coordinate shader", true}};
    switch (use->kind) {
    case CL_USE_CODE: return code[use->number];
    case CL_USE_UNIFORMS: return uniforms[use->number];
    case CL_USE_LIST:
        return use->threads & CL_BY_BINNER ? (struct noun){"the binning list", false}
                                           : (struct noun){"the rendering list", false};
    default: return nouns[use->kind];
    }
}

/* Writes a text such as "the tile lists (32768 bytes from 0x40020400 on)". */
static void put_noun(struct text *text, const struct cl_use *use)
{
    if (use->kind == CL_USE_ATTRIBUTES)
        text_put(text, "attribute array %u", use->number);
    else
        text_put(text, "%s", noun_of(use).text);
    text_put(text, " (%u bytes from 0x%08x on)", use->whole_size, use->whole);
}

static void put_image(struct text *text, const struct cl_use *use)
{
    struct cl_image image;
    const char *noun = noun_of(use).text;
    cl_image_size(&image, use->format, use->width, use->height, use->bits);
    if (image.width != use->width && image.height == use->height)
        text_put(text,
                 "rows of %u pixels are stored as rows of %u, so %s takes %u bytes from 0x%08x on",
                 use->width, image.width, noun, use->whole_size, use->whole);
    else if (image.width != use->width || image.height != use->height)
        text_put(text, "%u x %u pixels are stored as %u x %u, so %s takes %u bytes from 0x%08x on",
                 use->width, use->height, image.width, image.height, noun, use->whole_size,
                 use->whole);
    else
        text_put(text, "%s of %u x %u pixels takes %u bytes from 0x%08x on", noun, use->width,
                 use->height, use->whole_size, use->whole);
}

/* Writes a text such as "36 tiles need 1728 bytes of state from 0x40020000 on". */
static void put_writer(struct text *text, const struct cl_use *use)
{
    const char *many = text_plural(use->tiles), *one = use->tiles == 1 ? "s" : "";
    switch (use->kind) {
    case CL_USE_STATE:
        text_put(text, "%u tile%s need%s %u bytes of state from 0x%08x on", use->tiles, many, one,
                 use->whole_size, use->whole);
        break;
    case CL_USE_BLOCKS:
        text_put(text, "the lists of %u tile%s begin at 0x%08x, with %u bytes of first blocks",
                 use->tiles, many, use->whole, use->size);
        break;
    case CL_USE_POOL:
        text_put(text, "the tile allocation memory has %u bytes from 0x%08x on", use->whole_size,
                 use->whole);
        break;
    case CL_USE_OVERFLOW:
        text_put(text, "the overflow memory of the binner has %u bytes from 0x%08x on",
                 use->whole_size, use->whole);
        break;
    case CL_USE_DUMP:
        text_put(text, "the tile dump takes %u bytes from 0x%08x on", use->whole_size, use->whole);
        break;
    default: put_image(text, use);
    }
}

void cl_overlap_text(char *buffer, size_t size, const struct cl_overlap *overlap)
{
    struct text text = {buffer, size, 0};
    const struct cl_use *writer = &overlap->writer, *other = &overlap->other;
    uint32_t after = (other->whole - writer->whole) & CL_ADDRESS_MASK;
    const char *ending = noun_of(other).plural ? "" : "s";
    put_writer(&text, writer);
    text_put(&text, ", and ");
    put_noun(&text, other);
    if (after == 0)
        text_put(&text, " also begin%s there", ending);
    else if (after < writer->whole_size)
        text_put(&text, " begin%s %u bytes into that range", ending, after);
    else
        text_put(&text, " reach%s into that range", noun_of(other).plural ? "" : "es");
}
