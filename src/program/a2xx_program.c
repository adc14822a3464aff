/* SPDX-License-Identifier: MIT */
/* a2xx_program.c - programs for the A2xx, and queries about them.
 *
 * In:  three words for each slot, or a file: assembly source, or machine code in any form that
 *      code/code.h reads.
 * Out: kinds of slots, vertex fetches, exports, textures; the interface in section ".tessera";
 *      source lines. Choice: slots that no clause contains are ignored, even if they look like
 *      instructions. */
#include "program/a2xx_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/text.h"
#include "check/frame/rules.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/attributes.h"
#include "isa/a2xx/facts.h"
#include "isa/a2xx/view.h"

static const uint32_t *words_of(const struct tess_a2xx_program *program, size_t slot)
{
    return program->words + slot * A2XX_WORDS;
}

/* --- vertex fetches --- */

/* Describes a vertex fetch. On Adreno, every fetch is a full fetch. On the Xenos, a mini fetch uses
 * the buffer and stride of the last full fetch. */
static struct tess_a2xx_vertex_fetch describe(const struct tess_a2xx_program *program, size_t slot,
                                              const struct a2xx_vertex *vertex,
                                              const struct a2xx_vertex *full)
{
    bool xenos = program->variant == TESS_A2XX_XENOS;
    const struct a2xx_format *format = &a2xx_formats[program->variant][vertex->format];
    int32_t offset = xenos ? a2xx_signed(vertex->offset | vertex->offset_sign << 22, 23) * 4
                           : (int32_t)vertex->offset;
    return (struct tess_a2xx_vertex_fetch){
        .slot = slot,
        .constant = (full->const_index * 3 + full->const_sel) % A2XX_VERTEX_CONSTANTS,
        .format = vertex->format,
        .stride = full->stride * (xenos ? 4 : 1),
        .offset = offset,
        .reg = vertex->dst_reg,
        .components = a2xx_format_components(format),
        .is_signed = vertex->format_comp_all,
        .normalized = !vertex->num_format_all,
    };
}

/* Returns the name of the attribute whose registers contain reg, or NULL. */
static const char *attribute_name(const struct tess_a2xx_program *program, uint32_t reg)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == TESS_A2XX_ATTRIBUTE && reg >= symbol->number &&
            reg - symbol->number < symbol->count)
            return symbol->name;
    return NULL;
}

static bool find_fetches(struct tess_a2xx_program *program)
{
    struct a2xx_vertex full = {0};
    program->fetches = calloc(program->slots, sizeof *program->fetches);
    if (!program->fetches)
        return false;
    for (size_t i = 0; i < program->slots; i++) {
        struct a2xx_fetch fetch = a2xx_decode_fetch(words_of(program, i));
        if (!(program->kinds[i] & A2XX_SLOT_FETCH) || fetch.form != A2XX_FORM_VERTEX)
            continue;
        if (!a2xx_is_mini_fetch(&fetch, program->variant))
            full = fetch.vertex;
        program->fetches[program->fetch_count] = describe(program, i, &fetch.vertex, &full);
        program->fetches[program->fetch_count++].name = attribute_name(program,
                                                                       fetch.vertex.dst_reg);
    }
    return true;
}

/* --- programs --- */

static const struct program_kind program_kind = {
    .machine = TESS_MACHINE_A2XX,
    .unit = "slot",
    .bytes = A2XX_SLOT_BYTES,
    .most = A2XX_SLOTS_MAX,
    .gap = "a2xx-program-gap",
    .empty = "a2xx-program-empty",
    .size = "a2xx-program-size",
    .bytes_hint =
        "use whole slots of 12 bytes: two control-flow instructions, or one other instruction",
    .most_hint = "shorten the program; a clause address can reach only 4096 slots",
    .interface = &a2xx_interface,
};

/* Creates the view, which provides the text of instructions. Returns false if the host is out of
 * memory. */
static bool make_view(struct tess_a2xx_program *program)
{
    uint8_t *bytes = malloc(program->slots * A2XX_SLOT_BYTES);
    for (size_t i = 0; bytes && i < program->slots * A2XX_WORDS; i++)
        store_le32(bytes + 4 * i, program->words[i]);
    program->view = bytes ? a2xx_view_make(bytes, program->slots, program->variant) : NULL;
    free(bytes);
    return program->view != NULL;
}

/* Sets the members of *program that follow from its words and its interface. */
static enum tess_status look(struct tess_a2xx_program *program)
{
    program->words = program->file.words;
    program->slots = program->file.units;
    program->kinds = malloc(program->slots);
    if (!program->kinds)
        return TESS_NO_MEMORY;
    program->cf_slots = a2xx_cf_slots(program->words, program->slots);
    a2xx_slot_kinds(program->words, program->slots, program->cf_slots, program->kinds);
    return make_view(program) && find_fetches(program) ? TESS_OK : TESS_NO_MEMORY;
}

static enum tess_status finish(struct tess_a2xx_program *new, enum tess_status status,
                               struct tess_a2xx_program **program)
{
    if (status == TESS_OK)
        status = look(new);
    if (status == TESS_OK)
        *program = new;
    else
        tess_a2xx_program_free(new);
    return status;
}

enum tess_status tess_a2xx_program_words(const uint32_t *words, size_t slots,
                                         enum tess_a2xx_variant variant,
                                         struct tess_a2xx_program **program)
{
    if (!program)
        return TESS_INVALID;
    *program = NULL;
    if (!words || slots == 0 || slots > A2XX_SLOTS_MAX || (unsigned)variant >= A2XX_VARIANTS)
        return TESS_INVALID;
    struct tess_a2xx_program *new = calloc(1, sizeof *new);
    if (!new)
        return TESS_NO_MEMORY;
    new->variant = variant;
    bool good = program_file_take(&new->file, &program_kind, words, slots);
    return finish(new, good ? TESS_OK : TESS_NO_MEMORY, program);
}

enum tess_status tess_a2xx_program_read(const void *bytes, size_t size, const char *name,
                                        const struct tess_asm_options *options,
                                        struct tess_sink sink, struct tess_a2xx_program **program)
{
    if (!program || (!bytes && size) || (options && (unsigned)options->variant >= A2XX_VARIANTS))
        return TESS_INVALID;
    *program = NULL;
    struct tess_a2xx_program *new = calloc(1, sizeof *new);
    if (!new)
        return TESS_NO_MEMORY;
    new->variant = options ? options->variant : TESS_A2XX_ADRENO;
    enum tess_status status = program_file_read(&new->file, &program_kind, bytes, size, name,
                                                options, sink);
    return finish(new, status, program);
}

void tess_a2xx_program_free(struct tess_a2xx_program *program)
{
    if (!program)
        return;
    free(program->kinds);
    free(program->view);
    free(program->fetches);
    program_file_free(&program->file);
    free(program);
}

/* --- queries --- */

const uint32_t *tess_a2xx_program_code(const struct tess_a2xx_program *program, size_t *slots)
{
    if (slots)
        *slots = program ? program->slots : 0;
    return program ? program->words : NULL;
}

const struct tess_a2xx_symbol *tess_a2xx_program_symbol(const struct tess_a2xx_program *program,
                                                        size_t index)
{
    const struct tess_a2xx_symbol *symbols = program ? program->file.interface.symbols : NULL;
    return symbols && index < program->file.interface.count ? &symbols[index] : NULL;
}

const struct tess_a2xx_symbol *tess_a2xx_program_find(const struct tess_a2xx_program *program,
                                                      enum tess_a2xx_kind kind, const char *name)
{
    const struct tess_a2xx_symbol *symbol;
    for (size_t i = 0; name && (symbol = tess_a2xx_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == kind && strcmp(symbol->name, name) == 0)
            return symbol;
    return NULL;
}

const struct tess_a2xx_vertex_fetch *
tess_a2xx_program_fetch(const struct tess_a2xx_program *program, size_t index)
{
    return program && index < program->fetch_count ? &program->fetches[index] : NULL;
}

/* Returns the components of export `number` that an ALU instruction writes. If the destination is
 * relative, the instruction may write any parameter from the destination's number on, because aL
 * counts up from 0 in the loops that compilers generate. */
static uint32_t exported(const struct a2xx_alu *alu, uint32_t number)
{
    bool parameter = alu->vector_dest < A2XX_EXPORT_PARAMETERS;
    uint32_t last = alu->vector_dest_rel && parameter ? A2XX_EXPORT_PARAMETERS - 1
                                                      : alu->vector_dest;
    if (!alu->export_data || number < alu->vector_dest || number > last)
        return 0;
    return alu->scalar_dest_rel ? 15 : alu->vector_write_mask | alu->scalar_write_mask;
}

uint32_t tess_a2xx_program_exports(const struct tess_a2xx_program *program, uint32_t number)
{
    uint32_t components = 0;
    for (size_t i = 0; program && i < program->slots; i++) {
        struct a2xx_alu alu = a2xx_decode_alu(words_of(program, i));
        if (program->kinds[i] & A2XX_SLOT_ALU)
            components |= exported(&alu, number);
    }
    return components;
}

bool tess_a2xx_program_kills(const struct tess_a2xx_program *program)
{
    for (size_t i = 0; program && i < program->slots; i++) {
        struct a2xx_alu alu = a2xx_decode_alu(words_of(program, i));
        bool vector = alu.vector_opc >= A2XX_V_KILLE && alu.vector_opc <= A2XX_V_KILLNE;
        bool scalar = alu.scalar_opc >= A2XX_S_KILLE && alu.scalar_opc <= A2XX_S_KILLONE;
        if (program->kinds[i] & A2XX_SLOT_ALU && (vector || scalar))
            return true;
    }
    return false;
}

uint32_t tess_a2xx_program_textures(const struct tess_a2xx_program *program)
{
    uint32_t textures = 0;
    for (size_t i = 0; program && i < program->slots; i++) {
        struct a2xx_fetch fetch = a2xx_decode_fetch(words_of(program, i));
        bool sets = fetch.opcode >= A2XX_FETCH_SET_TEX_LOD;
        if (program->kinds[i] & A2XX_SLOT_FETCH && fetch.form == A2XX_FORM_TEXTURE && !sets)
            textures |= UINT32_C(1) << fetch.texture.const_index;
    }
    return textures;
}

enum tess_a2xx_stage tess_a2xx_program_stage(const struct tess_a2xx_program *program)
{
    bool vertex = tess_a2xx_program_exports(program, A2XX_EXPORT_POSITION) ||
                  tess_a2xx_program_fetch(program, 0);
    return vertex ? TESS_A2XX_VERTEX : TESS_A2XX_PIXEL;
}

/* --- attributes --- */

struct attribute_report {
    const struct tess_a2xx_program *program;
    struct tess_sink sink;
};

static void report_attribute(void *user, const struct a2xx_attribute_finding *found)
{
    const struct attribute_report *to = user;
    const struct tess_rule *rule = check_rule(
        found->kind == A2XX_ATTRIBUTE_USE ? CHECK_A2XX_ATTRIBUTE_USE : CHECK_A2XX_ATTRIBUTE_UNREAD);
    struct tess_finding diag = {
        .level = TESS_WARNING, .id = rule->id, .text = found->text, .hint = rule->instead};
    tess_a2xx_program_line(to->program, found->slot, 0, &diag.file, &diag.line);
    to->sink.report(to->sink.user, &diag);
}

void tess_a2xx_program_check_attributes(const struct tess_a2xx_program *program,
                                        struct tess_sink sink)
{
    const char *names[A2XX_REGISTERS];
    if (!program || !sink.report || tess_a2xx_program_stage(program) != TESS_A2XX_VERTEX)
        return;
    for (uint32_t i = 0; i < A2XX_REGISTERS; i++)
        names[i] = attribute_name(program, i);
    const struct a2xx_attribute_input input = {.words = program->words,
                                               .slots = (uint32_t)program->slots,
                                               .cf_slots = (uint32_t)program->cf_slots,
                                               .variant = program->variant,
                                               .names = names};
    struct attribute_report to = {program, sink};
    a2xx_attributes_check(&input, report_attribute, &to);
}

/* --- source positions --- */

void a2xx_program_put_control(struct text *text, const struct tess_a2xx_program *program,
                              size_t number)
{
    size_t slot = number / A2XX_CF_PER_SLOT;
    unsigned half = number % A2XX_CF_PER_SLOT;
    const struct a2xx_surroundings around = a2xx_view_around(program->view, slot, half);
    a2xx_put_cf(text, a2xx_cf_half(words_of(program, slot), half), &around);
}

size_t tess_a2xx_program_text(const struct tess_a2xx_program *program, size_t slot, char *text,
                              size_t size)
{
    struct text out = {text, text ? size : 0, 0};
    if (out.size)
        *text = 0;
    if (!program || slot >= program->slots)
        return 0;
    if (!(program->kinds[slot] & A2XX_SLOT_CONTROL)) {
        a2xx_view_put(&out, program->view, slot, NULL);
        return out.length;
    }
    for (unsigned half = 0; half < A2XX_CF_PER_SLOT; half++) {
        text_put(&out, half ? "\n" : "");
        a2xx_program_put_control(&out, program, slot * A2XX_CF_PER_SLOT + half);
    }
    return out.length;
}

void tess_a2xx_program_line(const struct tess_a2xx_program *program, size_t slot, uint32_t half,
                            const char **file, uint32_t *line)
{
    program_file_line(program ? &program->file : NULL, slot, A2XX_SLOT_BYTES,
                      half ? A2XX_SLOT_BYTES / 2 : 0, file, line);
}
