/* SPDX-License-Identifier: MIT */
/* steps.c - see steps.h. Each line is one step. docs/scene.md describes the grammar. */
#include "scene/steps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/diag.h"
#include "base/nearest.h"

enum { MAX_WORDS = 8, LAYOUTS = 3 };

const char *const scene_step_names[STEP_KINDS] = {
    "bin", "render", "qpu", "image", "dump", "write", "run", "data", "expect", "interrupt", "qpus"};

/* The names list the channels in memory from the lowest address, for 32-bit formats. rgba8888 has
 * the bytes R, G, B, A. bgra8888 has the bytes B, G, R, A (0xAARRGGBB as a word). */
static const struct pixel_format pixel_formats[] = {
    /* clang-format off */
    /* clang-format off */
    {"rgba8888",  32, {{0,  8}, {8, 8}, {16, 8}, {0,  0}}},
    {"bgra8888",  32, {{16, 8}, {8, 8}, {0,  8}, {0,  0}}},
    {"rgbx8888",  32, {{0,  8}, {8, 8}, {16, 8}, {0,  0}}},
    {"bgrx8888",  32, {{16, 8}, {8, 8}, {0,  8}, {0,  0}}},
    {"rgba8888a", 32, {{0,  8}, {8, 8}, {16, 8}, {24, 8}}},
    {"bgra8888a", 32, {{16, 8}, {8, 8}, {0,  8}, {24, 8}}},
    {"rgb565",    16, {{11, 5}, {5, 6}, {0,  5}, {0,  0}}},
    {"bgr565",    16, {{0,  5}, {5, 6}, {11, 5}, {0,  0}}},
    /* clang-format on */
    /* clang-format on */
};

const char *const scene_layout_names[] = {
    [LAYOUT_RASTER] = "raster", [LAYOUT_T] = "t", [LAYOUT_LT] = "lt"};

static const struct value_type value_types[] = {
    /* clang-format off */
    {"u8",  1, VALUE_UNSIGNED},
    {"s8",  1, VALUE_SIGNED},
    {"u16", 2, VALUE_UNSIGNED},
    {"s16", 2, VALUE_SIGNED},
    {"u32", 4, VALUE_UNSIGNED},
    {"s32", 4, VALUE_SIGNED},
    {"x32", 4, VALUE_HEX},
    {"f16", 2, VALUE_FLOAT},
    {"f32", 4, VALUE_FLOAT},
    /* clang-format on */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A word of a line. The quotes of a quoted word are not included. */
struct word {
    const char *text;
    size_t size;
};

struct parser {
    struct tess_scene *scene;
    struct tess_sink sink;
    const char *line;
    size_t line_size;
    uint32_t line_number;
    struct word words[MAX_WORDS];
    uint32_t word_count;
    bool wrong; /* true if an error was reported */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Reports an error at a position of the current line. Always returns false. */
static bool complain(struct parser *parser, const char *at, const char *rule, const char *hint,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

static bool complain(struct parser *parser, const char *at, const char *rule, const char *hint,
                     const char *format, ...)
{
    char line[256];
    size_t size = parser->line_size < sizeof line ? parser->line_size : sizeof line - 1;
    memcpy(line, parser->line, size);
    line[size] = 0;
    struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = rule,
        .hint = hint,
        .file = parser->scene->text_name,
        .line = parser->line_number,
        .column = (uint32_t)(at - parser->line) + 1,
        .source_line = line,
    };
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(parser->sink, &diag, format, arguments);
    va_end(arguments);
    parser->wrong = true;
    return false;
}

/* Returns the number of characters of a word that a message quotes, at most 80. */
static int shown(struct word word)
{
    return word.size < 80 ? (int)word.size : 80;
}

static bool same(struct word word, const char *name)
{
    return strlen(name) == word.size && memcmp(name, word.text, word.size) == 0;
}

/* --- words --- */

static bool quoted_word(struct parser *parser, const char **at, const char *end, struct word *word)
{
    const char *close = memchr(*at + 1, '"', (size_t)(end - *at - 1));
    if (!close)
        return complain(parser, *at, "scene-syntax", NULL, "unterminated quoted string");
    *word = (struct word){*at + 1, (size_t)(close - *at - 1)};
    *at = close + 1;
    return true;
}

static bool next_word(struct parser *parser, const char **at, const char *end, struct word *word)
{
    if (**at == '"')
        return quoted_word(parser, at, end, word);
    const char *start = *at;
    while (*at < end && !is_space(**at) && **at != '#')
        (*at)++;
    *word = (struct word){start, (size_t)(*at - start)};
    return true;
}

static bool split(struct parser *parser)
{
    const char *at = parser->line, *end = parser->line + parser->line_size;
    const char *zero = memchr(at, 0, parser->line_size);
    parser->word_count = 0;
    if (zero)
        return complain(parser, zero, "scene-syntax", NULL, "the text contains a zero byte");
    for (;;) {
        while (at < end && is_space(*at))
            at++;
        if (at == end || *at == '#')
            return true;
        if (parser->word_count == MAX_WORDS)
            return complain(parser, at, "scene-syntax",
                            "remove the extra operands "
                            "(docs/scene.md describes the steps)",
                            "too many operands");
        if (!next_word(parser, &at, end, &parser->words[parser->word_count++]))
            return false;
    }
}

/* --- operands --- */

/* Parses a decimal, 0x or 0b number without a sign. */
static bool parse_digits64(struct word word, uint64_t *value)
{
    unsigned base = 10;
    if (word.size > 2 && word.text[0] == '0' && (word.text[1] | 0x20) == 'x')
        base = 16;
    else if (word.size > 2 && word.text[0] == '0' && (word.text[1] | 0x20) == 'b')
        base = 2;
    uint64_t sum = 0;
    for (size_t i = base == 10 ? 0 : 2; i < word.size; i++) {
        unsigned digit = (unsigned)ascii_digit_value(word.text[i]);
        if (digit >= base || sum > (UINT64_MAX - digit) / base)
            return false;
        sum = sum * base + digit;
    }
    *value = sum;
    return word.size > 0;
}

static bool parse_digits(struct word word, uint32_t *value)
{
    uint64_t wide;
    if (!parse_digits64(word, &wide) || wide > UINT32_MAX)
        return false;
    *value = (uint32_t)wide;
    return true;
}

static int compare_to_symbol(const void *key, const void *member)
{
    const struct word *word = key;
    const struct elf_symbol *symbol = member;
    int order = strncmp(word->text, symbol->name, word->size);
    return order ? order : symbol->name[word->size] ? -1 : 0;
}

static bool find_symbol(const struct tess_scene *scene, struct word word, uint32_t *value)
{
    if (scene->elf.symbol_count == 0 || word.size == 0)
        return false;
    const struct elf_symbol *symbol = bsearch(&word, scene->elf.symbols, scene->elf.symbol_count,
                                              sizeof *scene->elf.symbols, compare_to_symbol);
    if (symbol)
        *value = symbol->value;
    return symbol != NULL;
}

enum { HINT_MAX = 200 };

/* Returns "did you mean 'NAME'?", or `other` if no name is similar enough. */
static const char *suggestion(char hint[HINT_MAX], const struct nearest *search, const char *other)
{
    if (!search->best)
        return other;
    snprintf(hint, HINT_MAX, "did you mean '%.*s'?", (int)search->best_length, search->best);
    return hint;
}

static bool unknown_symbol(struct parser *parser, struct word word)
{
    const struct elf *elf = &parser->scene->elf;
    struct nearest search = nearest_begin(word.text, word.size);
    char hint[HINT_MAX];
    for (uint32_t i = 0; i < elf->symbol_count; i++)
        nearest_consider(&search, elf->symbols[i].name, strlen(elf->symbols[i].name));
    return complain(parser, word.text, "scene-symbol",
                    suggestion(hint, &search, "list the symbols with 'readelf -s'"),
                    "unknown symbol '%.*s'", shown(word), word.text);
}

static bool parse_term(struct parser *parser, struct word word, uint32_t *value)
{
    if (word.size > 0 && (unsigned)ascii_digit_value(word.text[0]) < 10) {
        if (parse_digits(word, value))
            return true;
        return complain(parser, word.text, "scene-number", "write 640, 0x280 or 0b1010000000",
                        "'%.*s' is not a 32-bit number", shown(word), word.text);
    }
    if (find_symbol(parser->scene, word, value))
        return true;
    return unknown_symbol(parser, word);
}

/* Returns the index of the last plus or minus sign in a word such as symbol+number, or the word's
 * length if there is no sign. Earlier signs belong to the symbol's name. */
static size_t find_sign(struct word word)
{
    for (size_t i = word.size; i-- > 1;)
        if (word.text[i] == '+' || word.text[i] == '-')
            return i;
    return word.size;
}

/* Parses NUMBER, SYMBOL, SYMBOL+NUMBER or SYMBOL-NUMBER. Sums wrap around at 32 bits. */
static bool parse_value(struct parser *parser, struct word word, uint32_t *value)
{
    /* The whole word may be the name of a symbol, since names may contain signs. */
    if (find_symbol(parser->scene, word, value))
        return true;
    size_t sign = find_sign(word);
    uint32_t offset = 0;
    if (!parse_term(parser, (struct word){word.text, sign}, value))
        return false;
    if (sign == word.size)
        return true;
    struct word tail = {word.text + sign + 1, word.size - sign - 1};
    if (!parse_digits(tail, &offset))
        return complain(parser, tail.text, "scene-number", "write symbol+number",
                        "'%.*s' is not a 32-bit number", shown(tail), tail.text);
    *value += word.text[sign] == '-' ? 0 - offset : offset;
    return true;
}

static bool parse_bounded(struct parser *parser, struct word word, uint32_t most, const char *what,
                          uint32_t *value)
{
    if (word.size > 0 && word.text[0] == '-')
        return complain(parser, word.text, "scene-number", NULL, "%s cannot be negative", what);
    if (!parse_value(parser, word, value))
        return false;
    if (*value >= 1 && *value <= most)
        return true;
    return complain(parser, word.text, "scene-number", NULL, "%s is %u; it must be from 1 to %u",
                    what, *value, most);
}

static bool parse_file(struct parser *parser, struct word word, char **file)
{
    if (word.size == 0 || word.size >= PATH_MAX || memchr(word.text, 0, word.size))
        return complain(parser, word.text, "scene-syntax", NULL, "invalid file name");
    *file = strndup(word.text, word.size);
    return *file || complain(parser, word.text, "scene-memory", NULL, "out of memory");
}

/* The names that are allowed for a word. */
struct choice {
    const char *what; /* noun for messages, such as "pixel format" */
    size_t count;
    const char *(*name)(size_t number);
};

static const char *format_name(size_t number)
{
    return pixel_formats[number].name;
}

static const char *layout_name(size_t number)
{
    return scene_layout_names[number];
}

static const char *type_name(size_t number)
{
    return value_types[number].name;
}

/* Appends text, cut to the available room. */
static void append(char hint[HINT_MAX], const char *text)
{
    strncat(hint, text, HINT_MAX - strlen(hint) - 1);
}

/* Sets *number to the index of the name that equals the word. If no name does, reports an error
 * that suggests the most similar name or lists all names. */
static bool choose(struct parser *parser, struct word word, const struct choice *choice,
                   size_t *number)
{
    struct nearest search = nearest_begin(word.text, word.size);
    char all[HINT_MAX] = "use one of: ", hint[HINT_MAX];
    for (*number = 0; *number < choice->count; ++*number) {
        const char *name = choice->name(*number);
        if (same(word, name))
            return true;
        append(all, *number ? ", " : "");
        append(all, name);
        nearest_consider(&search, name, strlen(name));
    }
    return complain(parser, word.text, "scene-name", suggestion(hint, &search, all),
                    "'%.*s' is not a %s", shown(word), word.text, choice->what);
}

static bool parse_format(struct parser *parser, struct word word,
                         const struct pixel_format **format)
{
    static const struct choice formats = {"pixel format", COUNT(pixel_formats), format_name};
    size_t number;
    if (!choose(parser, word, &formats, &number))
        return false;
    *format = &pixel_formats[number];
    return true;
}

static bool parse_layout(struct parser *parser, struct word word, enum layout *layout)
{
    static const struct choice layouts = {"memory layout", LAYOUTS, layout_name};
    size_t number;
    if (!choose(parser, word, &layouts, &number))
        return false;
    *layout = (enum layout)number;
    return true;
}

static bool parse_type(struct parser *parser, struct word word, const struct value_type **type)
{
    static const struct choice types = {"value type", COUNT(value_types), type_name};
    size_t number;
    if (!choose(parser, word, &types, &number))
        return false;
    *type = &value_types[number];
    return true;
}

/* --- steps --- */

/* Checks that the range of memory that a step accesses is inside one region of the scene. */
static bool check_range(struct parser *parser, struct word word, uint32_t address, uint32_t size)
{
    const struct scene_region *region = scene_region_at(parser->scene, address);
    if (region && size <= region->size - ((address & ELF_ADDRESS_MASK) - region->base))
        return true;
    return complain(parser, word.text, "scene-unmapped",
                    "reserve the memory (.space in a source); 'readelf -l' lists the scene's "
                    "memory",
                    "the %u bytes at 0x%08x are not all in the scene's memory", size, address);
}

uint32_t scene_image_bytes(const struct scene_step *step, struct image_layout *layout)
{
    layout_init(layout, step->layout, step->width, step->height, step->format->bits);
    if (step->layout != LAYOUT_RASTER)
        return layout->size_bytes;
    /* The padding after the last row is not needed. */
    return layout_offset(layout, step->width - 1, step->height - 1, NULL) + step->format->bits / 8;
}

static bool parse_list(struct parser *parser, struct scene_step *step)
{
    const struct word *words = parser->words;
    if (!parse_value(parser, words[1], &step->address) ||
        !parse_value(parser, words[2], &step->end))
        return false;
    return step->address != step->end || complain(parser, words[2].text, "scene-empty-list",
                                                  "give the address after the last record as the "
                                                  "end",
                                                  "the list is empty: its start and end are equal");
}

static bool parse_qpu(struct parser *parser, struct scene_step *step)
{
    const struct word *words = parser->words;
    step->counted = parser->word_count == 4;
    step->count = SCENE_MAX_UNIFORMS;
    return parse_value(parser, words[1], &step->address) &&
           parse_value(parser, words[2], &step->uniforms) &&
           (!step->counted || parse_bounded(parser, words[3], SCENE_MAX_UNIFORMS,
                                            "the number of uniforms", &step->count));
}

static bool parse_image(struct parser *parser, struct scene_step *step)
{
    const struct word *words = parser->words;
    struct image_layout layout;
    return parse_value(parser, words[1], &step->address) &&
           parse_bounded(parser, words[2], SCENE_MAX_SIDE, "the width", &step->width) &&
           parse_bounded(parser, words[3], SCENE_MAX_SIDE, "the height", &step->height) &&
           parse_format(parser, words[4], &step->format) &&
           parse_layout(parser, words[5], &step->layout) &&
           check_range(parser, words[1], step->address, scene_image_bytes(step, &layout)) &&
           parse_file(parser, words[6], &step->file);
}

static bool parse_dump(struct parser *parser, struct scene_step *step)
{
    const struct word *words = parser->words;
    return parse_value(parser, words[1], &step->address) &&
           parse_bounded(parser, words[2], SCENE_MAX_VALUES, "the number of values",
                         &step->count) &&
           parse_type(parser, words[3], &step->type) &&
           check_range(parser, words[1], step->address, step->count * step->type->bytes) &&
           parse_file(parser, words[4], &step->file);
}

/* Parses a register name or offset. */
static bool parse_register(struct parser *parser, struct word word, uint32_t *offset)
{
    static const struct {
        const char *name;
        uint32_t offset;
    } registers[] = {
#define REGISTER(offset, name, access, reset, synopsis) {"V3D_" #name, offset},
#include "vc4/device/registers.def"
#undef REGISTER
    };
    struct nearest search = nearest_begin(word.text, word.size);
    char hint[HINT_MAX];
    for (size_t i = 0; i < COUNT(registers); i++) {
        *offset = registers[i].offset;
        if (same(word, registers[i].name))
            return true;
        nearest_consider(&search, registers[i].name, strlen(registers[i].name));
    }
    if (parse_digits(word, offset))
        return true;
    return complain(parser, word.text, "scene-name",
                    suggestion(hint, &search, "see docs/vc4/registers.md for the registers"),
                    "unknown V3D register '%.*s'", shown(word), word.text);
}

static bool parse_write(struct parser *parser, struct scene_step *step)
{
    return parse_register(parser, parser->words[1], &step->address) &&
           parse_value(parser, parser->words[2], &step->value);
}

static bool parse_interrupt(struct parser *parser, struct scene_step *step)
{
    return parse_bounded(parser, parser->words[1], UINT32_MAX, "the interrupt's number",
                         &step->count) &&
           parse_register(parser, parser->words[2], &step->address) &&
           parse_value(parser, parser->words[3], &step->value);
}

static bool parse_run(struct parser *parser, struct scene_step *step)
{
    (void)parser;
    (void)step;
    return true;
}

static bool parse_data(struct parser *parser, struct scene_step *step)
{
    const struct word *words = parser->words;
    uint32_t have = parser->scene->elf.data_size;
    if (!parse_value(parser, words[1], &step->address) ||
        !parse_value(parser, words[2], &step->value) ||
        !parse_bounded(parser, words[3], ELF_ADDRESS_SPACE, "the number of bytes", &step->count) ||
        !check_range(parser, words[1], step->address, step->count))
        return false;
    if (step->value <= have && step->count <= have - step->value)
        return true;
    return complain(parser, words[2].text, "scene-data",
                    "dump the section with 'readelf -x "
                    ".tessera.data'",
                    "the %u bytes at offset %u are not all in section .tessera.data, which has "
                    "%u bytes",
                    step->count, step->value, have);
}

static bool parse_expect(struct parser *parser, struct scene_step *step)
{
    const struct word *words = parser->words;
    if (!parse_value(parser, words[1], &step->address) ||
        !parse_bounded(parser, words[2], ELF_ADDRESS_SPACE, "the number of bytes", &step->count) ||
        !check_range(parser, words[1], step->address, step->count))
        return false;
    if (parse_digits64(words[3], &step->hash))
        return true;
    return complain(parser, words[3].text, "scene-number",
                    "write any number; the run reports the "
                    "correct one",
                    "'%.*s' is not a 64-bit number", shown(words[3]), words[3].text);
}

/* Parses a "qpus" step, which sets a property of the whole scene and must be the first step. */
static bool parse_qpus(struct parser *parser, struct scene_step *step)
{
    struct word word = parser->words[1];
    if (!parse_value(parser, word, &step->count))
        return false;
    if (step->count != 12 && step->count != 16)
        return complain(parser, word.text, "scene-number", NULL,
                        "the number of QPUs is %u; it must be 12 or 16", step->count);
    if (parser->scene->step_count > 0)
        return complain(parser, parser->words[0].text, "scene-syntax", NULL,
                        "'qpus' must be the first step");
    parser->scene->qpus = step->count;
    return true;
}

static const struct {
    uint32_t least, most; /* smallest and largest number of operands */
    bool (*parse)(struct parser *parser, struct scene_step *step);
    const char *usage;
} grammar[STEP_KINDS] = {
    /* clang-format off */
    /* clang-format off */
    [STEP_BIN]       = {2, 2, parse_list,      "bin FROM TO"},
    [STEP_RENDER]    = {2, 2, parse_list,      "render FROM TO"},
    [STEP_QPU]       = {2, 3, parse_qpu,       "qpu SHADER UNIFORMS [COUNT]"},
    [STEP_IMAGE]     = {6, 6, parse_image,     "image ADDRESS WIDTH HEIGHT FORMAT LAYOUT FILE"},
    [STEP_DUMP]      = {4, 4, parse_dump,      "dump ADDRESS COUNT TYPE FILE"},
    [STEP_WRITE]     = {2, 2, parse_write,     "write REGISTER VALUE"},
    [STEP_RUN]       = {0, 0, parse_run,       "run"},
    [STEP_DATA]      = {3, 3, parse_data,      "data ADDRESS OFFSET SIZE"},
    [STEP_EXPECT]    = {3, 3, parse_expect,    "expect ADDRESS SIZE HASH"},
    [STEP_INTERRUPT] = {3, 3, parse_interrupt, "interrupt NUMBER REGISTER VALUE"},
    [STEP_QPUS]      = {1, 1, parse_qpus,      "qpus 12|16"},
    /* clang-format on */
    /* clang-format on */
};

static bool find_kind(struct parser *parser, enum step_kind *kind)
{
    struct word word = parser->words[0];
    struct nearest search = nearest_begin(word.text, word.size);
    char hint[HINT_MAX];
    for (unsigned i = 0; i < STEP_KINDS; i++) {
        if (same(word, scene_step_names[i])) {
            *kind = (enum step_kind)i;
            return true;
        }
        nearest_consider(&search, scene_step_names[i], strlen(scene_step_names[i]));
    }
    return complain(
        parser, word.text, "scene-step",
        suggestion(hint, &search,
                   "see docs/scene.md for all steps, such as bin, render, qpu, image and dump"),
        "unknown step '%.*s'", shown(word), word.text);
}

/* Returns the cost of a step that reads memory. The unit is the time in which an "expect" step
 * compares one byte. */
static uint64_t work_of(const struct scene_step *step)
{
    enum { PIXEL = 8, VALUE = 64 };
    switch (step->kind) {
    case STEP_IMAGE: return (uint64_t)step->width * step->height * PIXEL;
    case STEP_DUMP: return (uint64_t)step->count * VALUE;
    case STEP_EXPECT: return step->count;
    default: return 0;
    }
}

/* Limits the total cost of the steps in proportion to the file's size, so that a short file cannot
 * run for minutes. */
static bool allow(struct parser *parser, const struct scene_step *step)
{
    struct tess_scene *scene = parser->scene;
    const uint64_t most = (UINT64_C(1) << 34) + ((uint64_t)scene->file.size << 14);
    scene->work += work_of(step);
    return scene->work <= most ||
           complain(parser, parser->words[0].text, "scene-work",
                    "split the scene, or reduce the memory that its steps read",
                    "the steps up to this line read more memory than a scene of %zu bytes may: "
                    "%llu bytes, where a pixel counts as 8 and a value of 'dump' as 64",
                    scene->file.size, (unsigned long long)most);
}

static bool parse_step(struct parser *parser, struct scene_step *step)
{
    if (!find_kind(parser, &step->kind))
        return false;
    step->line = parser->line_number;
    uint32_t operands = parser->word_count - 1;
    if (operands < grammar[step->kind].least || operands > grammar[step->kind].most)
        return complain(parser, parser->words[0].text, "scene-syntax", NULL,
                        "'%s' has %u operand%s; usage: %s", scene_step_names[step->kind], operands,
                        operands == 1 ? "" : "s", grammar[step->kind].usage);
    return grammar[step->kind].parse(parser, step) && allow(parser, step);
}

static enum tess_status parse_line(struct parser *parser)
{
    struct tess_scene *scene = parser->scene;
    if (!split(parser) || parser->word_count == 0)
        return TESS_OK;
    if (scene->step_count == SCENE_MAX_STEPS) {
        complain(parser, parser->line, "scene-steps", NULL, "more than %d steps", SCENE_MAX_STEPS);
        return TESS_BAD_INPUT;
    }
    if (!ARRAY_GROW(scene->steps, scene->step_count))
        return TESS_NO_MEMORY;
    struct scene_step step = {0};
    parse_step(parser, &step);
    scene->steps[scene->step_count++] = step;
    return TESS_OK;
}

/* Returns the size of the text without zero bytes at the end. Tools may pad sections with zero
 * bytes. */
static uint32_t unpadded(const char *text, uint32_t size)
{
    while (size > 0 && text[size - 1] == 0)
        size--;
    return size;
}

enum tess_status steps_parse(struct tess_scene *scene, struct tess_sink sink)
{
    const char *at = scene->elf.text, *end = at + unpadded(at, scene->elf.text_size);
    struct parser parser = {.scene = scene, .sink = sink};
    enum tess_status status = TESS_OK;
    while (at < end && status == TESS_OK) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        parser.line = at;
        parser.line_size = (size_t)((stop ? stop : end) - at);
        parser.line_number++;
        status = parse_line(&parser);
        at = stop ? stop + 1 : end;
    }
    return status == TESS_OK && parser.wrong ? TESS_BAD_INPUT : status;
}
