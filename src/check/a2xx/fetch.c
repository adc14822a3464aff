/* SPDX-License-Identifier: MIT */
/* fetch.c - rules about a single fetch, which need no other instructions, and about the fetch
 * constants of a program.
 *
 * In:     a fetch of a clause.
 * Out:    findings.
 * Source: named in a2xx_rules.def for each rule. */
#include "check/a2xx/a2xx_check_private.h"
#include "isa/a2xx/attributes.h"

enum { SELECTS = 3, SWIZZLE_UNKNOWN = 6, ALIGNMENT = 4, PLAUSIBLE_OFFSET = 1 << 20 };

/* --- plausible words --- */

static bool has_unknown_swizzle(uint32_t swizzle)
{
    for (unsigned i = 0; i < 4; i++)
        if ((swizzle >> 3 * i & 7) == SWIZZLE_UNKNOWN)
            return true;
    return false;
}

static bool is_plausible_vertex(const struct a2xx_vertex *vertex, enum tess_a2xx_variant variant)
{
    bool plain = variant == TESS_A2XX_XENOS ||
                 (vertex->offset < PLAUSIBLE_OFFSET && !vertex->offset_sign);
    return plain && vertex->must_be_one && vertex->const_sel < SELECTS && vertex->reserved0 == 0 &&
           !has_unknown_swizzle(vertex->dst_swiz) && a2xx_formats[variant][vertex->format].name;
}

/* Returns true if the fetch has no unusual fields. A condition bit without a predicate is unusual.
 * In an ALU instruction, the condition bit is the select bit of source 1, which is often set. */
static bool is_plausible(const struct a2xx_fetch *fetch, enum tess_a2xx_variant variant)
{
    bool condition;
    if (!a2xx_fetch_is_predicated(fetch, &condition) && condition)
        return false;
    if (fetch->form == A2XX_FORM_VERTEX)
        return is_plausible_vertex(&fetch->vertex, variant);
    return a2xx_fetch_ops[fetch->opcode].mnemonic && fetch->texture.reserved0 == 0 &&
           !has_unknown_swizzle(fetch->texture.dst_swiz);
}

/* An ALU instruction in which every source is constant C0 is unusual. In a fetch, the bits of the
 * sources are the stride, the offset and the level of detail. */
bool a2c_looks_like_fetch(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant)
{
    struct a2xx_alu alu = a2xx_decode_alu(words);
    struct a2xx_fetch fetch = a2xx_decode_fetch(words);
    bool odd = !alu.src1_sel && !alu.src2_sel && !alu.src3_sel && alu.src1 == 0 && alu.src2 == 0 &&
               alu.vector_opc == 0 && (alu.src1_swiz || alu.src2_swiz);
    return odd && is_plausible(&fetch, variant);
}

/* Returns true if the words look like an ALU instruction and not like a fetch. */
bool a2c_looks_like_alu(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant)
{
    struct a2xx_alu alu = a2xx_decode_alu(words);
    struct a2xx_fetch fetch = a2xx_decode_fetch(words);
    bool good = a2xx_vector_ops[alu.vector_opc].mnemonic &&
                a2xx_scalar_ops[alu.scalar_opc].mnemonic &&
                (alu.src1_sel || alu.src2_sel || alu.src3_sel);
    return good && !is_plausible(&fetch, variant);
}

/* --- vertex fetches --- */

/* Returns the fields of a vertex fetch, or NULL for a texture fetch. */
static const struct a2xx_vertex *vertex_of(const struct a2c_walk *walk)
{
    return walk->fetch->form == A2XX_FORM_VERTEX ? &walk->fetch->vertex : NULL;
}

void a2c_check_stride(const struct a2c_walk *walk)
{
    const struct a2xx_vertex *vertex = vertex_of(walk);
    if (!vertex || walk->checker->variant == TESS_A2XX_XENOS)
        return;
    if (vertex->stride % ALIGNMENT)
        REPORT(walk, CHECK_A2XX_FETCH_STRIDE, CHECK_SUBJECT(0),
               "the stride is %u bytes, not a multiple of %d", vertex->stride, ALIGNMENT);
    if (vertex->offset % ALIGNMENT)
        REPORT(walk, CHECK_A2XX_FETCH_STRIDE, CHECK_SUBJECT(1),
               "the offset is %u bytes, not a multiple of %d", vertex->offset, ALIGNMENT);
}

/* Checks that the element of a vertex fetch ends inside its vertex. A mini fetch is not checked,
 * because it uses the stride of the last full fetch, which depends on the path. */
void a2c_check_offset(const struct a2c_walk *walk)
{
    const struct a2xx_vertex *vertex = vertex_of(walk);
    if (!vertex || (walk->checker->variant == TESS_A2XX_XENOS && vertex->mini_fetch))
        return;
    struct a2xx_element element = a2xx_element(vertex, vertex, walk->checker->variant);
    if (a2xx_passes_stride(&element))
        REPORT(walk, CHECK_A2XX_FETCH_OFFSET, CHECK_ALONE,
               "the element has bytes %d to %d of a vertex, but vertices are only %d bytes apart",
               (int)element.offset, (int)element.offset + (int)element.bytes - 1,
               (int)element.stride);
}

bool a2c_lacks_must_be_one(const struct a2c_walk *walk)
{
    return vertex_of(walk) && !vertex_of(walk)->must_be_one;
}

void a2c_check_select(const struct a2c_walk *walk)
{
    const struct a2xx_vertex *vertex = vertex_of(walk);
    if (vertex && vertex->const_sel >= SELECTS)
        REPORT(
            walk, CHECK_A2XX_FETCH_SELECT, CHECK_ALONE,
            "the fetch has CONST(%u, %u), but a fetch constant holds only vertex constants 0 to %d",
            vertex->const_index, vertex->const_sel, SELECTS - 1);
}

void a2c_check_format(const struct a2c_walk *walk)
{
    const struct a2xx_vertex *vertex = vertex_of(walk);
    if (vertex && !a2xx_formats[walk->checker->variant][vertex->format].name)
        REPORT(walk, CHECK_A2XX_FETCH_FORMAT, CHECK_ALONE, "undefined format %u", vertex->format);
}

/* --- texture fetches --- */

/* Returns the fields of a texture fetch with a defined operation, or NULL. */
static const struct a2xx_texture *texture_of(const struct a2c_walk *walk)
{
    bool known = !vertex_of(walk) && a2xx_fetch_ops[walk->fetch->texture.opcode].mnemonic;
    return known ? &walk->fetch->texture : NULL;
}

void a2c_check_fetch_operation(const struct a2c_walk *walk)
{
    if (!vertex_of(walk) && !texture_of(walk))
        REPORT(walk, CHECK_A2XX_FETCH_OPERATION, CHECK_ALONE, "undefined fetch operation %u",
               walk->fetch->texture.opcode);
}

void a2c_check_sampler(const struct a2c_walk *walk)
{
    const struct a2c_interface *interface = &walk->checker->interface;
    const struct a2xx_texture *texture = texture_of(walk);
    if (texture && texture->opcode < A2XX_FETCH_SET_TEX_LOD && interface->any_sampler &&
        !(interface->samplers >> texture->const_index & 1))
        REPORT(walk, CHECK_A2XX_SAMPLER_UNDECLARED, CHECK_ALONE,
               "texture %u is sampled, but not declared", texture->const_index);
}

/* Returns true if the level of detail is computed from neighbouring pixels. */
static bool uses_neighbours(const struct a2xx_texture *texture)
{
    bool asks = texture->opcode == A2XX_FETCH_GET_COMP_TEX_LOD ||
                texture->opcode == A2XX_FETCH_GET_GRADIENTS;
    bool samples = texture->opcode == A2XX_FETCH_SAMPLE ||
                   texture->opcode == A2XX_FETCH_GET_WEIGHTS ||
                   texture->opcode == A2XX_FETCH_GET_BORDER_COLOR_FRAC;
    return asks || (samples && texture->use_comp_lod && !texture->use_reg_gradients);
}

/* Reports a level of detail that is computed from neighbours: one rule is about vertices, the other
 * about pixels whose neighbours may be inactive. */
void a2c_check_level(const struct a2c_walk *walk, enum check_rule rule)
{
    const struct a2xx_texture *texture = texture_of(walk);
    bool vertex = walk->checker->kind == TESS_SHADER_VERTEX;
    if (!texture || !uses_neighbours(texture) || vertex != (rule == CHECK_A2XX_LOD_VERTEX))
        return;
    const char *mnemonic = a2xx_fetch_ops[texture->opcode].mnemonic;
    if (vertex)
        REPORT(walk, rule, CHECK_ALONE,
               "%s in a vertex program computes its level of detail from neighbours", mnemonic);
    else if (walk->divergent || texture->pred_select)
        REPORT(walk, rule, CHECK_ALONE,
               "%s computes its level of detail from neighbours that may be inactive here",
               mnemonic);
}

/* --- all fetches --- */

bool a2c_has_reserved_bits(const struct a2c_walk *walk)
{
    const struct a2xx_texture *texture = texture_of(walk);
    return vertex_of(walk) ? vertex_of(walk)->reserved0 : texture && texture->reserved0;
}

bool a2c_has_unknown_swizzle(const struct a2c_walk *walk)
{
    return a2xx_fetch_result(walk->fetch).components &&
           has_unknown_swizzle(vertex_of(walk) ? walk->fetch->vertex.dst_swiz
                                               : walk->fetch->texture.dst_swiz);
}

/* Calls `visit` for each fetch of the reached clauses, with its slot. */
static void each_fetch(struct a2c_checker *checker, void *user,
                       void (*visit)(struct a2c_checker *checker, void *user, uint32_t slot))
{
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        const struct a2xx_exec *exec = &checker->cfs[i].exec;
        bool clause = checker->cfs[i].form == A2XX_FORM_EXEC && checker->reached[i];
        uint32_t count = clause ? a2c_count(checker, exec) : 0;
        for (uint32_t k = 0; k < count; k++)
            if (a2xx_is_fetch(exec, k))
                visit(checker, user, exec->address + k);
    }
}

/* --- attributes that share a constant --- */

static bool disagree(const struct a2xx_vertex *one, const struct a2xx_vertex *other,
                     enum tess_a2xx_variant variant)
{
    struct a2xx_element a = a2xx_element(one, one, variant),
                        b = a2xx_element(other, other, variant);
    bool apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
    return a.stride != b.stride || !apart;
}

/* Reports two attributes with names that overlap in one buffer. Fetches without names are not
 * reported, because reading a buffer twice may be intended. */
static void check_overlap(struct a2c_checker *checker, uint32_t slot, uint32_t before)
{
    struct a2xx_fetch fetch = a2xx_decode_fetch(a2c_words(checker, slot)),
                      other = a2xx_decode_fetch(a2c_words(checker, before));
    const struct a2xx_vertex *a = &fetch.vertex, *b = &other.vertex;
    const char *name = checker->interface.attributes[a->dst_reg],
               *earlier = checker->interface.attributes[b->dst_reg];
    if (!name || !earlier || a->dst_reg == b->dst_reg || a->dst_rel || b->dst_rel ||
        a->const_index != b->const_index || a->const_sel != b->const_sel ||
        a2xx_is_mini_fetch(&fetch, checker->variant) ||
        a2xx_is_mini_fetch(&other, checker->variant) || !disagree(a, b, checker->variant))
        return;
    check_report(&checker->out, CHECK_A2XX_FETCH_OVERLAP, slot, CHECK_OTHER(before, 0, 0),
                 "'%.40s' (FMT_%s) is fetched from CONST(%u, %u), which contains '%.40s' (FMT_%s)",
                 name, a2xx_formats[checker->variant][a->format].name, a->const_index, a->const_sel,
                 earlier, a2xx_formats[checker->variant][b->format].name);
}

static void check_earlier(struct a2c_checker *checker, void *user, uint32_t slot)
{
    uint32_t *compared = user; /* bit for each slot, set for earlier vertex fetches */
    if (a2xx_decode_fetch(a2c_words(checker, slot)).form != A2XX_FORM_VERTEX)
        return;
    for (uint32_t before = checker->cf_slots; before < slot; before++)
        if (compared[before / 32] >> before % 32 & 1)
            check_overlap(checker, slot, before);
    compared[slot / 32] |= UINT32_C(1) << slot % 32;
}

void a2c_check_overlaps(const struct a2c_walk *walk)
{
    uint32_t compared[A2XX_SLOTS_MAX / 32] = {0};
    each_fetch(walk->checker, compared, check_earlier);
}

/* --- constants --- */

/* First slot that uses each fetch constant as a vertex buffer, and as a texture. */
struct users {
    uint32_t vertex[A2XX_FETCH_CONSTANTS], texture[A2XX_FETCH_CONSTANTS];
};

static void note_user(struct a2c_checker *checker, void *user, uint32_t slot)
{
    struct users *users = user;
    struct a2xx_fetch fetch = a2xx_decode_fetch(a2c_words(checker, slot));
    bool vertex = fetch.form == A2XX_FORM_VERTEX;
    bool sets = fetch.opcode >= A2XX_FETCH_SET_TEX_LOD;
    uint32_t *first = vertex ? &users->vertex[fetch.vertex.const_index]
                             : &users->texture[fetch.texture.const_index];
    if (!sets && *first == CHECK_NONE)
        *first = slot;
}

static void report_attribute(void *user, const struct a2xx_attribute_finding *found)
{
    struct a2c_checker *checker = user;
    bool use = found->kind == A2XX_ATTRIBUTE_USE;
    check_report(&checker->out, use ? CHECK_A2XX_ATTRIBUTE_USE : CHECK_A2XX_ATTRIBUTE_UNREAD,
                 found->slot, found->other ? CHECK_OTHER(found->other, 0, 0) : CHECK_ALONE, "%s",
                 found->text);
}

/* Checks the names of attributes. Does nothing if the file has several programs: they share one
 * list of attributes, and a program need not read the attributes of the others. */
void a2c_check_attributes(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    const struct a2xx_attribute_input input = {.words = checker->words,
                                               .slots = checker->slots,
                                               .cf_slots = checker->cf_slots,
                                               .variant = checker->variant,
                                               .names = checker->interface.attributes};
    if (checker->kind == TESS_SHADER_VERTEX && checker->input->entry_count <= 1)
        a2xx_attributes_check(&input, report_attribute, checker);
}

void a2c_check_fetch_constants(const struct a2c_walk *walk)
{
    struct a2c_checker *checker = walk->checker;
    struct users users;
    for (unsigned i = 0; i < A2XX_FETCH_CONSTANTS; i++)
        users.vertex[i] = users.texture[i] = CHECK_NONE;
    each_fetch(checker, &users, note_user);
    for (unsigned i = 0; i < A2XX_FETCH_CONSTANTS; i++)
        if (users.vertex[i] != CHECK_NONE && users.texture[i] != CHECK_NONE)
            check_report(&checker->out, CHECK_A2XX_FETCH_SHARED, users.texture[i],
                         CHECK_OTHER(users.vertex[i], 0, 0),
                         "fetch constant %u is a texture here, and a vertex buffer elsewhere", i);
}
