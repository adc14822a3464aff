/* SPDX-License-Identifier: MIT */
/* a2xx_dis.c - the A2xx part of the disassembler for whole files.
 *
 * In:     a segment: control flow, two instructions per slot, then ALU and fetch instructions.
 * Out: the listing of the segment, in which each clause follows the control-flow instruction that
 *      runs the clause. The text comes from print.c, explain.c and mesa.c.
 * Source: docs/hardware/a2xx.md, section 2. Choice: a segment is a program. If a segment has more
 * slots than a clause address can reach, or does not begin at a multiple of 4, it is written as
 * data with the instructions as comments, so that the text still assembles to the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/bits.h"
#include "base/text.h"
#include "dis/dis_map.h"
#include "isa/a2xx/explain.h"
#include "isa/a2xx/facts.h"
#include "isa/a2xx/view.h"
#include "isa/dis_isa.h"

static const struct a2xx_view *view_of(const struct dis_insn *insn)
{
    return insn->map->listings[insn->segment].view;
}

/* Position of an instruction. */
struct place {
    const struct a2xx_view *view;
    size_t slot;
    unsigned half;
    bool control;
};

static struct place place_of(const struct dis_insn *insn)
{
    size_t offset = (size_t)(insn->bytes - insn->slots);
    struct place place = {.view = view_of(insn), .slot = offset / A2XX_SLOT_BYTES};
    place.half = (unsigned)(offset % A2XX_SLOT_BYTES / A2XX_CF_BYTES);
    place.control = place.slot < place.view->cf_slots;
    return place;
}

static const uint32_t *words_of(const struct place *place)
{
    return place->view->words + place->slot * A2XX_WORDS;
}

static uint64_t cf_of(const struct place *place)
{
    return a2xx_cf_half(words_of(place), place->half);
}

static struct a2xx_insn insn_of(const struct dis_insn *insn)
{
    struct place place = place_of(insn);
    enum tess_a2xx_variant variant = place.view->variant;
    if (place.control)
        return a2xx_insn_cf(cf_of(&place), variant);
    if (place.view->kinds[place.slot] == A2XX_SLOT_FETCH)
        return a2xx_insn_fetch(words_of(&place), variant);
    return a2xx_insn_alu(words_of(&place), variant);
}

/* --- the listing --- */

/* Returns true if the assembler can generate the program of a segment. */
static bool is_program(const struct dis_map *map, size_t number)
{
    const struct a2xx_view *view = map->listings[number].view;
    return dis_first_slot(map, &map->image->segments[number]) == 0 && view->slots <= A2XX_SLOTS_MAX;
}

/* Returns true if the text consists of data lines, one for each slot. */
static bool is_data(const struct dis_map *map, size_t number)
{
    return map->options->output == TESS_DIS_TEXT && !is_program(map, number);
}

static size_t piece_of(const struct a2xx_view *view, size_t slot, unsigned half, bool data)
{
    if (data)
        return slot;
    return slot < view->cf_slots ? slot * A2XX_CF_PER_SLOT + half : view->cf_slots + slot;
}

struct lister {
    struct dis_listing *listing;
    const struct a2xx_view *view;
    size_t next;
};

static void take_piece(void *user, size_t slot, unsigned half)
{
    struct lister *lister = user;
    lister->listing->order[lister->next++] = piece_of(lister->view, slot, half, false);
}

static void fill_pieces(struct dis_listing *listing, const struct a2xx_view *view, size_t first,
                        bool data)
{
    for (size_t i = 0; i < view->slots; i++) {
        bool control = i < view->cf_slots && !data;
        for (unsigned half = 0; half < (control ? A2XX_CF_PER_SLOT : 1); half++)
            listing->pieces[piece_of(view, i, half, data)] = (struct dis_piece){
                .offset = (uint32_t)(first + i * A2XX_SLOT_BYTES + half * A2XX_CF_BYTES),
                .size = control ? A2XX_CF_BYTES : A2XX_SLOT_BYTES,
                .labelled = control || data,
            };
    }
}

/* Returns the number of slots before the first slot that is marked as data. */
static size_t count_slots(const struct dis_map *map, size_t number)
{
    const struct code_segment *segment = &map->image->segments[number];
    const uint8_t *contents = map->contents[number];
    size_t first = dis_first_slot(map, segment), count = 0;
    while (first + (count + 1) * A2XX_SLOT_BYTES <= segment->size &&
           contents[first + count * A2XX_SLOT_BYTES] == CODE_INSTRUCTIONS)
        count++;
    return count;
}

static bool list(struct dis_map *map, size_t number)
{
    const struct code_segment *segment = &map->image->segments[number];
    struct dis_listing *listing = &map->listings[number];
    size_t first = dis_first_slot(map, segment), slots = count_slots(map, number);
    struct a2xx_view *view = a2xx_view_make(segment->bytes + first, slots, map->options->variant);
    listing->view = view;
    if (!view)
        return false;
    slots = view->slots;
    size_t end = first + slots * A2XX_SLOT_BYTES;
    bool data = is_data(map, number);
    listing->count = data ? slots : slots + view->cf_slots;
    listing->pieces = calloc(listing->count + 1, sizeof *listing->pieces);
    listing->order = calloc(listing->count + 1, sizeof *listing->order);
    if (!listing->pieces || !listing->order)
        return false;
    fill_pieces(listing, view, first, data);
    for (size_t i = 0; i < listing->count; i++)
        listing->order[i] = i;
    struct lister lister = {.listing = listing, .view = view};
    if (!data)
        a2xx_view_each(view, take_piece, &lister);
    if (end < segment->size)
        memset(map->contents[number] + end, CODE_DATA, segment->size - end);
    return true;
}

static void put_head(struct buffer *out, const struct dis_map *map, size_t number)
{
    const struct a2xx_view *view = map->listings[number].view;
    bool later = number > 0; /* true for a program after the first, which needs explicit settings
                              * because those of the preceding program still apply */
    if (is_data(map, number))
        return;
    if (later || view->idle != A2XX_IDLE_MAXS)
        buffer_printf(out, ".idle %s\n", view->idle == A2XX_IDLE_ZERO ? "zero" : "maxs");
    if (later || view->in_memory)
        buffer_printf(out, ".layout %s\n", view->in_memory ? "memory" : "clauses");
}

/* --- targets --- */

static bool target_number(const struct dis_insn *insn, uint32_t *number)
{
    struct a2xx_insn fields = insn_of(insn);
    if (fields.form == A2XX_FORM_LOOP)
        *number = fields.cf.loop.address;
    if (fields.form == A2XX_FORM_JUMP)
        *number = fields.cf.jump.address;
    bool returns = fields.form == A2XX_FORM_JUMP && fields.cf.opcode == A2XX_CF_RETURN;
    return (fields.form == A2XX_FORM_LOOP || fields.form == A2XX_FORM_JUMP) && !returns;
}

static uint32_t cf_address(const struct dis_insn *insn, uint32_t number)
{
    return insn->address - (uint32_t)(insn->bytes - insn->slots) + A2XX_CF_BYTES * number;
}

static bool target(const struct dis_insn *insn, uint32_t *address)
{
    struct place place = place_of(insn);
    uint32_t number;
    if (!place.control || insn->size != A2XX_CF_BYTES || !target_number(insn, &number) ||
        number >= place.view->cf_slots * A2XX_CF_PER_SLOT)
        return false;
    *address = cf_address(insn, number);
    return true;
}

/* Returns true for names that cannot be labels, because the assembler would read them as a
 * statement or a register. */
static bool is_taken(const char *name, size_t length)
{
    static const char *const words[] = {"ALU", "FETCH", "CF", "S", "aL", "a0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], name, length) == 0)
            return true;
    for (size_t i = 0; i < 16; i++)
        if (strlen(a2xx_cf_ops[i].mnemonic) == length &&
            memcmp(a2xx_cf_ops[i].mnemonic, name, length) == 0)
            return true;
    size_t digits = 1;
    while (digits < length && ascii_is_digit(name[digits]))
        digits++;
    return (name[0] == 'R' || name[0] == 'C') && length > 1 && digits == length;
}

/* --- text --- */

static const char *label_of(void *user, uint32_t number)
{
    const struct dis_insn *insn = user;
    bool inside = number < view_of(insn)->cf_slots * A2XX_CF_PER_SLOT;
    return insn->label_at && inside ? insn->label_at(insn->user, cf_address(insn, number)) : NULL;
}

static void put_half(struct text *text, const struct dis_insn *insn, const struct place *place,
                     unsigned half)
{
    struct dis_insn copy = *insn;
    struct a2xx_surroundings around = a2xx_view_around(place->view, place->slot, half);
    around.label = label_of;
    around.user = &copy;
    a2xx_put_cf(text, a2xx_cf_half(words_of(place), half), &around);
}

/* Joins two lines of a comment into one. */
static void join_lines(char *text)
{
    char *end = strchr(text, '\n');
    if (!end)
        return;
    size_t blanks = strspn(end + 1, " ");
    memcpy(end, " + ", 3);
    memmove(end + 3, end + 1 + blanks, strlen(end + 1 + blanks) + 1);
}

static bool print(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct place place = place_of(insn);
    bool data = is_data(insn->map, insn->segment);
    if (place.control)
        put_half(&output, insn, &place, place.half);
    if (place.control && data) {
        text_put(&output, " | ");
        put_half(&output, insn, &place, 1);
    }
    if (!place.control)
        a2xx_view_put(&output, place.view, place.slot, NULL);
    if (data && size)
        join_lines(text);
    /* Explanations are not assembled, so any text is acceptable. */
    return insn->map->options->output == TESS_DIS_EXPLAIN || is_program(insn->map, insn->segment);
}

static void put_reason(char *text, size_t size, const struct dis_insn *insn)
{
    size_t first = dis_first_slot(insn->map, &insn->map->image->segments[insn->segment]);
    text_put(&(struct text){text, size, 0},
             first ? "programs begin at multiples of 4"
                   : "the program has more slots than a clause address can reach (4096)");
}

static void comment(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct a2xx_insn fields = insn_of(insn);
    struct place place = place_of(insn);
    a2xx_put_comment(&output, &fields);
    if (place.view->serialized[place.slot])
        text_put(&output, "- (S): waits for earlier results\n");
    a2xx_put_names(&output, insn->map, &fields);
}

static void put_mesa_segment(struct buffer *out, const struct dis_map *map, size_t number)
{
    const struct a2xx_view *view = map->listings[number].view;
    a2xx_put_mesa(out, view->words, view->slots);
}

/* --- JSON --- */

static void each_field(const struct dis_insn *insn, dis_field_visitor *visit, void *user)
{
    struct a2xx_insn fields = insn_of(insn);
    a2xx_each_field(&fields, visit, user);
}

static void json_place(void *user, const char *place)
{
    json_string(user, place);
}

static void json_flow(struct json *json, const struct dis_insn *insn)
{
    struct a2xx_insn fields = insn_of(insn);
    json_member_array(json, "reads");
    a2xx_each_read(&fields, json_place, json);
    json_end_array(json);
    json_member_array(json, "writes");
    a2xx_each_write(&fields, json_place, json);
    json_end_array(json);
}

/* Writes an empty list of differences. If the text does not assemble to the same bytes, the reason
 * concerns the whole segment, and put_reason() reports it. */
static void json_differences(struct json *json, const struct dis_insn *insn)
{
    (void)insn;
    json_member_array(json, "differences");
    json_end_array(json);
}

const struct dis_isa a2xx_dis = {
    .name = "a2xx",
    .size = A2XX_SLOT_BYTES,
    .alignment = 4,
    .only_code = true,
    .mark = ";",
    .colons_behind = true,
    .target = target,
    .is_taken = is_taken,
    .print = print,
    .put_reason = put_reason,
    .comment = comment,
    .list = list,
    .put_head = put_head,
    .find_directives = a2xx_find_directives,
    .each_field = each_field,
    .json_flow = json_flow,
    .json_differences = json_differences,
    .put_mesa_segment = put_mesa_segment,
};
