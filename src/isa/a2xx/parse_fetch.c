/* SPDX-License-Identifier: MIT */
/* parse_fetch.c - parses vertex and texture fetches of the A2xx: a result, a source, and arguments
 * in any order.
 *
 * Source:  freedreno's assembler, fdre-a2xx/asm/parser.y and ir.c; Mesa 22.3.6,
 *          src/freedreno/ir2/disasm-a2xx.c, for the names of arguments; docs/hardware/a2xx.md,
 *          sections 14, 15, 18 and 20. */
#include "base/ascii.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/operand.h"
#include "isa/a2xx/parse.h"

#include <string.h>

#include "base/nearest.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* --- arguments --- */

/* The fetch that is being parsed. Either .vertex or .texture is NULL. */
struct fetch {
    struct a2xx_line *line;
    struct a2xx_vertex *vertex;
    struct a2xx_texture *texture;
    bool has_format;
    bool one_argument; /* true if CONST has one argument */
};

struct argument {
    const char *name;
    bool (*take)(struct fetch *fetch, const struct argument *argument);
    size_t field;        /* offset of the field in struct a2xx_vertex or a2xx_texture, in bytes */
    int32_t least, most; /* bounds of a number; a single word sets the field to .most */
    enum a2xx_kind kind; /* kind of the field, for named values */
};

static void *form_of(const struct fetch *fetch)
{
    return fetch->vertex ? (void *)fetch->vertex : (void *)fetch->texture;
}

static uint32_t *field_of(const struct fetch *fetch, const struct argument *argument)
{
    return (uint32_t *)(void *)((char *)form_of(fetch) + argument->field);
}

static bool take_word(struct fetch *fetch, const struct argument *argument)
{
    *field_of(fetch, argument) = (uint32_t)argument->most;
    return true;
}

/* Parses "(NUMBER)". The encoder truncates negative numbers to the field's width. */
static bool take_number(struct fetch *fetch, const struct argument *argument)
{
    int64_t number = 0;
    if (!a2xx_argument(fetch->line, argument->name, argument->least, argument->most, &number))
        return false;
    *field_of(fetch, argument) = (uint32_t)number;
    return true;
}

/* Parses "(NAME)" or "(NUMBER)". A name may begin with a digit, as in "2x4_SYM" and "3D". */
static bool take_value(struct fetch *fetch, const struct argument *argument)
{
    struct a2xx_line *line = fetch->line;
    size_t start = line->at;
    if (!a2xx_expect(line, '(', NULL))
        return false;
    ASM_PEEK(line);
    size_t length = asm_word_length(line->text, line->length, line->at);
    if (a2xx_value_find(argument->kind, line->text + line->at, length, field_of(fetch, argument))) {
        line->at += length;
        return a2xx_expect(line, ')', NULL);
    }
    line->at = start;
    return take_number(fetch, argument);
}

static bool take_vertex_constant(struct fetch *fetch, const struct argument *argument)
{
    struct a2xx_line *line = fetch->line;
    int64_t index = 0, third = 0;
    (void)argument;
    if (!a2xx_expect(line, '(', "CONST(20, 0)") ||
        !a2xx_number(line, "the index of the constant", 0, A2XX_FETCH_CONSTANTS - 1, &index))
        return false;
    fetch->one_argument = !ASM_ACCEPT(line, ',');
    if (!fetch->one_argument && !a2xx_number(line, "the second argument of CONST", 0, 3, &third))
        return false;
    fetch->vertex->const_index = (uint32_t)index;
    fetch->vertex->const_sel = (uint32_t)third;
    return a2xx_expect(line, ')', "CONST(20, 0)");
}

/* Parses an offset: bytes on Adreno, signed dwords on the Xenos. */
static bool take_vertex_offset(struct fetch *fetch, const struct argument *argument)
{
    bool xenos = fetch->line->names->variant == TESS_A2XX_XENOS;
    int64_t offset = 0;
    if (!a2xx_argument(fetch->line, argument->name, xenos ? -(1 << 22) : 0, (1 << 22) - 1, &offset))
        return false;
    fetch->vertex->offset = (uint32_t)offset & 0x3fffff;
    fetch->vertex->offset_sign = offset < 0;
    return true;
}

static bool take_texture_offset(struct fetch *fetch, const struct argument *argument)
{
    struct a2xx_line *line = fetch->line;
    uint32_t *const fields[] = {&fetch->texture->offset_x, &fetch->texture->offset_y,
                                &fetch->texture->offset_z};
    for (unsigned i = 0; i < COUNT(fields); i++) {
        int64_t offset = 0;
        if (!a2xx_expect(line, i == 0 ? '(' : ',', "OFFSET(0, 0, 0)") ||
            !a2xx_number(line, "an offset", argument->least, argument->most, &offset))
            return false;
        *fields[i] = (uint32_t)offset;
    }
    return a2xx_expect(line, ')', "OFFSET(0, 0, 0)");
}

static bool take_type(struct fetch *fetch, const struct argument *argument)
{
    fetch->has_format = true;
    return take_number(fetch, argument);
}

#define V(field) offsetof(struct a2xx_vertex, field)
#define T(field) offsetof(struct a2xx_texture, field)

/* clang-format off */
static const struct argument vertex_arguments[] = {
    {"TYPE", take_type, V(format), 0, 63, 0},
    {"SIGNED", take_word, V(format_comp_all), 0, 1, 0},
    {"UNSIGNED", take_word, V(format_comp_all), 0, 0, 0},
    {"NORMALIZED", take_word, V(num_format_all), 0, 0, 0},
    {"STRIDE", take_number, V(stride), 0, 255, 0},
    {"OFFSET", take_vertex_offset, V(offset), 0, 0, 0},
    {"CONST", take_vertex_constant, V(const_index), 0, 0, 0},
    {"ROUND", take_word, V(index_round), 0, 1, 0},
    {"NO_ZERO", take_word, V(signed_rf_mode_all), 0, 1, 0},
    {"EXP_ADJUST", take_number, V(exp_adjust_all), -32, 63, 0},
    {"PREFETCH", take_number, V(prefetch), 0, 7, 0},
    {"MINI", take_number, V(mini_fetch), 0, 1, 0},
    {"MUST_BE_ONE", take_number, V(must_be_one), 0, 1, 0},
};
static const struct argument texture_arguments[] = {
    {"CONST", take_number, T(const_index), 0, A2XX_FETCH_CONSTANTS - 1, 0},
    {"VALID_ONLY", take_word, T(fetch_valid_only), 0, 1, 0},
    {"DENORM", take_word, T(coord_denorm), 0, 1, 0},
    {"MAG", take_value, T(mag_filter), 0, 3, A2XX_KIND_FILTER},
    {"MIN", take_value, T(min_filter), 0, 3, A2XX_KIND_FILTER},
    {"MIP", take_value, T(mip_filter), 0, 3, A2XX_KIND_FILTER},
    {"ANISO", take_value, T(aniso_filter), 0, 7, A2XX_KIND_ANISO},
    {"ARBITRARY", take_value, T(arbitrary_filter), 0, 7, A2XX_KIND_ARBITRARY},
    {"VOL_MAG", take_value, T(vol_mag_filter), 0, 3, A2XX_KIND_FILTER},
    {"VOL_MIN", take_value, T(vol_min_filter), 0, 3, A2XX_KIND_FILTER},
    {"LOD", take_number, T(use_comp_lod), 0, 1, 0},
    {"LOD_BIAS", take_number, T(lod_bias), -64, 127, 0},
    {"REG_LOD", take_number, T(use_reg_lod), 0, 3, 0},
    {"USE_REG_GRADIENTS", take_word, T(use_reg_gradients), 0, 1, 0},
    {"LOCATION", take_value, T(sample_location), 0, 1, A2XX_KIND_LOCATION},
    {"OFFSET", take_texture_offset, T(offset_x), -16, 31, 0},
    {"DIM", take_value, T(dimension), 0, 3, A2XX_KIND_DIMENSION},
};
/* clang-format on */

/* Returns the code of a format such as "FMT_8_8" in a variant, or -1. */
static int format_code(const char *name, size_t length, unsigned variant)
{
    static const char prefix[] = "FMT_";
    const struct a2xx_format *formats = a2xx_formats[variant];
    size_t skip = strlen(prefix);
    if (length <= skip || memcmp(name, prefix, skip) != 0)
        return -1;
    for (int i = 0; i < (int)COUNT(a2xx_formats[0]); i++)
        if (formats[i].name && asm_is_name(name + skip, length - skip, formats[i].name))
            return i;
    return -1;
}

static bool take_format(struct fetch *fetch, const char *name, size_t length)
{
    int code = fetch->vertex ? format_code(name, length, fetch->line->names->variant) : -1;
    if (code < 0)
        return false;
    fetch->vertex->format = (uint32_t)code;
    fetch->has_format = true;
    return true;
}

static bool fail_argument(const struct fetch *fetch, size_t start, const char *name, size_t length)
{
    struct asm_error *error = fetch->line->error;
    bool format = false;
    for (unsigned variant = 0; variant < A2XX_VARIANTS; variant++)
        format = format || format_code(name, length, variant) >= 0;
    if (format && fetch->vertex) {
        asm_fail(error, "a2xx-format", start, "choose the variant, adreno or xenos",
                 "this variant has no format %.*s", (int)length, name);
        error->setting = TESS_SETTING_VARIANT;
        return false;
    }
    if (format)
        return asm_fail(error, "a2xx-argument", start, "remove the format",
                        "the format of a texture is in its constant");
    return asm_fail_name(error, "a2xx-argument", start, name, length, "unknown argument");
}

static bool take_arguments(struct fetch *fetch, const struct argument *list, size_t count,
                           uint32_t *given)
{
    struct a2xx_line *line = fetch->line;
    *given = 0;
    while (!a2xx_at_end(line)) {
        const char *name;
        size_t start = line->at, length = ASM_TAKE_NAME(line, &name), i = 0;
        if (length == 0)
            return a2xx_expect_end(line, NULL);
        if (take_format(fetch, name, length))
            continue;
        while (i < count && !asm_is_name(name, length, list[i].name))
            i++;
        if (i == count) {
            struct nearest search = nearest_begin(name, length);
            for (i = 0; i < count; i++)
                nearest_consider(&search, list[i].name, strlen(list[i].name));
            fail_argument(fetch, start, name, length);
            line->error->near = search.best;
            return false;
        }
        if (*given >> i & 1)
            return asm_fail(line->error, "a2xx-argument", start, NULL, "%s is given twice",
                            list[i].name);
        *given |= UINT32_C(1) << i;
        if (!list[i].take(fetch, &list[i]))
            return false;
    }
    return true;
}

static bool expect(const struct fetch *fetch, const struct argument *list, size_t count,
                   uint32_t given, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if ((given >> i & 1) && strcmp(list[i].name, name) == 0)
            return true;
    return asm_fail(fetch->line->error, "a2xx-argument", fetch->line->length, NULL,
                    "%s(..) is missing", name);
}

/* --- result and source --- */

/* Parses a result such as "R1.xyz1". Each letter gives the new value of a component of the
 * register. Components without a letter keep their old value. */
static bool take_result(struct a2xx_line *line, uint32_t *reg, uint32_t *relative,
                        uint32_t *swizzle)
{
    static const char letters[] = "xyzw01?_";
    enum { KEEP = 7 };
    const char *written = "";
    size_t length;
    unsigned number;
    bool plus_al;
    if (!a2xx_take_register(line, &number, &plus_al) ||
        !a2xx_take_letters(line, letters, 4, &written, &length))
        return false;
    *reg = number;
    *relative = plus_al;
    for (size_t i = 0; i < 4 && length > 0; i++) {
        uint32_t what = i < length ? (uint32_t)(strchr(letters, written[i]) - letters) : KEEP;
        *swizzle = (*swizzle & ~(7u << 3 * i)) | what << 3 * i;
    }
    return a2xx_expect(line, '=', NULL);
}

/* Parses a source such as "R0.x" with `count` components. If it has fewer letters, its last letter
 * also applies to the remaining components. */
static bool take_source(struct a2xx_line *line, unsigned count, uint32_t *reg, uint32_t *relative,
                        uint32_t *swizzle)
{
    static const char letters[] = "xyzw";
    const char *written = "";
    size_t length;
    unsigned number;
    bool plus_al;
    if (!a2xx_take_register(line, &number, &plus_al) ||
        !a2xx_take_letters(line, letters, count, &written, &length))
        return false;
    *reg = number;
    *relative = plus_al;
    *swizzle = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t component = (uint32_t)i;
        if (length > 0)
            component = (uint32_t)(strchr(letters, written[i < length ? i : length - 1]) - letters);
        *swizzle |= component << 2 * i;
    }
    return true;
}

/* --- fetches --- */

static bool parse_vertex(struct a2xx_line *line, struct a2xx_state *state,
                         struct a2xx_vertex *vertex, struct a2xx_record *record)
{
    struct fetch fetch = {.line = line, .vertex = vertex};
    uint32_t given;
    size_t count = COUNT(vertex_arguments);
    if (!take_result(line, &vertex->dst_reg, &vertex->dst_rel, &vertex->dst_swiz) ||
        !take_source(line, 1, &vertex->src_reg, &vertex->src_rel, &vertex->src_swiz) ||
        !take_arguments(&fetch, vertex_arguments, count, &given))
        return false;
    state->has_vertex = true;
    if (fetch.one_argument && line->names->variant == TESS_A2XX_ADRENO)
        record->written |= A2XX_ONE_ARGUMENT;
    if (!fetch.has_format)
        return asm_fail(line->error, "a2xx-argument", line->length,
                        "add a format such as FMT_32_32_32_FLOAT", "the format is missing");
    return expect(&fetch, vertex_arguments, count, given, "STRIDE") &&
           expect(&fetch, vertex_arguments, count, given, "CONST");
}

static bool parse_texture(struct a2xx_line *line, struct a2xx_texture *texture)
{
    struct fetch fetch = {.line = line, .texture = texture};
    uint32_t given;
    size_t count = COUNT(texture_arguments);
    return take_result(line, &texture->dst_reg, &texture->dst_rel, &texture->dst_swiz) &&
           take_source(line, 3, &texture->src_reg, &texture->src_rel, &texture->src_swiz) &&
           take_arguments(&fetch, texture_arguments, count, &given) &&
           expect(&fetch, texture_arguments, count, given, "CONST");
}

/* Returns the opcode of a fetch, given its name without a predicate suffix, or -1 if the name is
 * unknown. */
static int find_fetch(const char *name, size_t length)
{
    for (int i = 0; i < (int)COUNT(a2xx_fetch_ops); i++)
        if (a2xx_fetch_ops[i].mnemonic && asm_is_name(name, length, a2xx_fetch_ops[i].mnemonic))
            return i;
    return -1;
}

bool a2xx_parse_fetch(struct a2xx_line *line, struct a2xx_state *state, struct a2xx_record *record)
{
    const char *name;
    bool predicated = false, condition = false;
    if (ascii_is_digit(ASM_PEEK(line))) {
        bool good = a2xx_parse_words(line, record);
        state->has_vertex = state->has_vertex || (record->words[0] & 31) == A2XX_FETCH_VERTEX;
        return good;
    }
    size_t start = line->at, length = ASM_TAKE_NAME(line, &name), whole = length;
    int opcode = find_fetch(name, length);
    if (opcode < 0 && (predicated = a2xx_take_predicate(name, &length, &condition)))
        opcode = find_fetch(name, length);
    if (opcode < 0)
        return asm_fail_name(line->error, "a2xx-operation", start, name, whole, "unknown fetch");
    struct a2xx_fetch fetch = {.form = A2XX_FORM_TEXTURE, .opcode = (uint8_t)opcode};
    bool good;
    if (opcode == A2XX_FETCH_VERTEX) {
        fetch.form = A2XX_FORM_VERTEX;
        fetch.vertex = a2xx_default_vertex(line->names->variant, !state->has_vertex);
        fetch.vertex.pred_select = predicated;
        fetch.vertex.pred_condition = predicated && condition;
        good = parse_vertex(line, state, &fetch.vertex, record);
    } else {
        fetch.texture = a2xx_default_texture();
        fetch.texture.opcode = (uint32_t)opcode;
        fetch.texture.pred_select = predicated;
        fetch.texture.pred_condition = predicated && condition;
        good = parse_texture(line, &fetch.texture);
    }
    a2xx_encode_fetch(&fetch, record->words);
    return good;
}
