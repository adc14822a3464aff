/* SPDX-License-Identifier: MIT */
/* shader_draw.c - see shader_draw.h. */
#include "cli/run/shader_draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/csv.h"
#include "cli/number.h"
#include "cli/option_rows.h"

enum { DEFAULT_WIDTH = 640, DEFAULT_HEIGHT = 480, HINT_MOST = 300 };

/* --- options --- */

void shader_draw_defaults(struct shader_draw_options *options, const char *title)
{
    *options = (struct shader_draw_options){
        .title = title,
        .width = DEFAULT_WIDTH,
        .height = DEFAULT_HEIGHT,
        .draw = {.primitive = TESS_DRAW_TRIANGLES},
    };
}

void shader_draw_options_free(struct shader_draw_options *options)
{
    free(options->path);
    options->path = NULL;
}

/* Parses a width or height and advances *text. Returns false if the number is 0 or too large. */
static bool parse_side(const char **text, uint32_t *side)
{
    *side = 0;
    for (; **text >= '0' && **text <= '9' && *side <= TESS_PICTURE_MOST; ++*text)
        *side = *side * 10 + (uint32_t)(**text - '0');
    return *side >= 1 && *side <= TESS_PICTURE_MOST;
}

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    return parse_side(&text, width) && *text++ == 'x' && parse_side(&text, height) && *text == 0;
}

static bool refuse_size(const struct option_use *use, const char *size)
{
    return option_refuse(use, "invalid size '%s': expected WIDTHxHEIGHT, at most %dx%d", size,
                         TESS_PICTURE_MOST, TESS_PICTURE_MOST);
}

static bool take_size(const struct option_use *use)
{
    struct shader_draw_options *options = use->target;
    options->has_size = parse_size(use->value, &options->width, &options->height);
    return options->has_size || refuse_size(use, use->value);
}

/* Checks the name of a PNG file. Accepts names that end in ".png", names without an ending, paths
 * in /dev/ and "-". Returns false after an error message for other names. */
static bool is_png(const struct option_use *use, size_t length)
{
    const char *path = use->value, *slash = strrchr(path, '/');
    size_t start = slash && slash < path + length ? (size_t)(slash - path) + 1 : 0, dot = length;
    while (dot > start && path[dot - 1] != '.')
        dot--;
    bool device = strncmp(path, "/dev/", 5) == 0;
    if (dot > start + 1 && !device && (length - dot != 3 || strncasecmp(path + dot, "png", 3) != 0))
        return option_refuse(use, "invalid picture file '%.*s': expected a name that ends in .png",
                             (int)length, path);
    if (length == 0 || path[0] == '-' ? length != 1 : false)
        return option_refuse(use,
                             "--draw needs a file, as in --draw OUT.png or --draw OUT.png,640x480");
    return true;
}

/* Parses OUT.png or OUT.png,WIDTHxHEIGHT. */
static bool take_file(const struct option_use *use)
{
    struct shader_draw_options *options = use->target;
    const char *name = use->value, *comma = strrchr(name, ',');
    uint32_t width, height;
    size_t length = strlen(name);
    if (comma && !strchr(comma, '.') && comma - name >= 4 && memcmp(comma - 4, ".png", 4) == 0 &&
        !parse_size(comma + 1, &width, &height))
        return refuse_size(use, comma + 1);
    if (comma && parse_size(comma + 1, &width, &height)) {
        length = (size_t)(comma - name);
        options->width = width;
        options->height = height;
        options->has_size = true;
    }
    if (!is_png(use, length))
        return false;
    free(options->path);
    options->path = strndup(name, length);
    if (!options->path)
        cli_no_memory(use->title);
    return options->path != NULL;
}

static bool take_background(const struct option_use *use)
{
    struct shader_draw_options *options = use->target;
    const char *at = use->value;
    unsigned i = 0;
    for (; i < 3; i++) {
        size_t length = strcspn(at, ",");
        float *colour = &options->background[i];
        if (!number_parse(at, length, colour) || !(*colour >= 0 && *colour <= 1))
            break;
        at += length + (at[length] == ',');
    }
    if (i == 3 && *at == 0)
        return true;
    return option_refuse(use, "invalid colour '%s': expected RED,GREEN,BLUE, each from 0 to 1",
                         use->value);
}

OPTION_FINDER(find_primitive, tess_draw_primitive_find)

static bool find_cull(const char *word, void *value)
{
    bool clockwise = strcmp(word, "clockwise") == 0;
    *(enum tess_draw_cull *)value = clockwise ? TESS_DRAW_CULL_CLOCKWISE
                                              : TESS_DRAW_CULL_COUNTER_CLOCKWISE;
    return clockwise || strcmp(word, "counter-clockwise") == 0;
}

#define TARGET struct shader_draw_options
const struct option_row draw_rows[] = {
#include "cli/run/draw.def"
    OPTIONS_END};
#undef TARGET

/* --- varyings --- */

static bool find_varying(const struct shader_draw *draw, const struct shader_names *names,
                         const char *text, uint32_t *number)
{
    struct shader_name name;
    char hint[HINT_MOST];
    if (shader_names_find(names, text, strlen(text), &name)) {
        *number = name.number;
        return true;
    }
    return cli_refuse(draw->options->title, "unknown varying '%s'; %s", text,
                      shader_names_list(names, hint, sizeof hint));
}

/* Returns the number of a varying's name, or SHADER_MOST_VARYINGS if the name is unknown. */
static uint32_t find_known(const struct shader_names *names, const char *text)
{
    struct shader_name name;
    return shader_names_find(names, text, strlen(text), &name) ? name.number : SHADER_MOST_VARYINGS;
}

static bool find_position(struct shader_draw *draw, const struct shader_names *names)
{
    if (draw->options->position)
        return find_varying(draw, names, draw->options->position, &draw->position);
    draw->position = names->count ? find_known(names, "gl_Position") : 0;
    if (draw->position != SHADER_MOST_VARYINGS)
        return true;
    return cli_refuse(
        draw->options->title,
        "the program has no gl_Position; name the varying of the position with --position");
}

static bool find_colour(struct shader_draw *draw, const struct shader_output *output)
{
    const struct shader_names *names = &output->options->names;
    if (draw->options->colour)
        return find_varying(draw, names, draw->options->colour, &draw->colour);
    draw->colour = SHADER_MOST_VARYINGS;
    for (size_t i = output->order_count; i-- > 0;)
        if (output->order[i] != draw->position && output->order[i] != draw->point_size)
            draw->colour = output->order[i];
    return true;
}

/* --- indices --- */

static bool complain_of_memory(const struct shader_draw *draw)
{
    return cli_no_memory(draw->options->title);
}

/* Makes room for one more item after count items. Returns the possibly moved array, or NULL if the
 * host is out of memory. */
static void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? 2 * *capacity : 4096;
    void *larger = realloc(items, wanted * size);
    if (larger)
        *capacity = wanted;
    return larger;
}

static bool take_index(struct shader_draw *draw, const struct csv *csv,
                       const struct csv_field *field)
{
    uint64_t index = 0;
    bool good = field->length > 0 && field->length <= 10;
    for (size_t i = 0; i < field->length && good; i++) {
        good = field->text[i] >= '0' && field->text[i] <= '9';
        index = index * 10 + (uint64_t)(field->text[i] - '0');
    }
    if (!good || index > UINT32_MAX)
        return csv_complain(csv, field->column, "csv-index",
                            "write vertex numbers from 0, separated by commas",
                            "invalid vertex number '%.*s'",
                            field->length < 60 ? (int)field->length : 60, field->text);
    uint32_t *larger = grow(draw->indices, draw->index_count, &draw->index_capacity,
                            sizeof *larger);
    if (!larger)
        return complain_of_memory(draw);
    draw->indices = larger;
    draw->indices[draw->index_count++] = (uint32_t)index;
    return true;
}

static bool read_indices(struct shader_draw *draw)
{
    struct csv csv;
    bool good = csv_open(&csv, draw->options->indices, draw->sink);
    enum csv_status status = CSV_ROW;
    while (good && (status = csv_next(&csv)) == CSV_ROW) {
        size_t count = csv.count;
        while (count > 1 && csv.fields[count - 1].length == 0)
            count--; /* ignores empty fields at the end of a row */
        for (size_t i = 0; i < count && good; i++)
            good = take_index(draw, &csv, &csv.fields[i]);
    }
    csv_close(&csv);
    return good && status == CSV_END;
}

/* --- vertices and the picture --- */

bool shader_draw_begin(struct shader_draw *draw, const struct shader_draw_options *options,
                       const struct shader_output *output, struct tess_sink sink)
{
    const struct shader_names *names = &output->options->names;
    *draw = (struct shader_draw){.options = options, .sink = sink};
    draw->point_size = find_known(names, "gl_PointSize");
    return find_position(draw, names) && find_colour(draw, output) &&
           (!options->indices || read_indices(draw)) &&
           output_open(&draw->file, options->title, options->path);
}

static void take_vertex(const struct shader_draw *draw, const struct shader_output *output,
                        size_t index, struct tess_draw_vertex *vertex)
{
    static const struct tess_draw_vertex plain = {.colour = {1, 1, 1, 1}, .point_size = 1};
    float size[SHADER_COMPONENTS];
    *vertex = plain;
    shader_output_values(&output->varyings[draw->position], index, vertex->position);
    if (draw->colour != SHADER_MOST_VARYINGS)
        shader_output_values(&output->varyings[draw->colour], index, vertex->colour);
    if (draw->point_size == SHADER_MOST_VARYINGS)
        return;
    shader_output_values(&output->varyings[draw->point_size], index, size);
    vertex->point_size = size[0];
}

/* Stores the varyings of a vertex for the pixel program. */
static bool add_varyings(struct shader_draw *draw, const struct shader_output *output, size_t index)
{
    for (uint32_t i = 0; i < draw->varying_count; i++) {
        size_t at = draw->count * draw->varying_count + i;
        float(*larger)[SHADER_COMPONENTS] = grow(draw->varyings, at, &draw->varying_capacity,
                                                 sizeof *larger);
        if (!larger)
            return complain_of_memory(draw);
        draw->varyings = larger;
        shader_output_values(&output->varyings[i], index, draw->varyings[at]);
    }
    return true;
}

bool shader_draw_add(struct shader_draw *draw, const struct shader_output *output, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!add_varyings(draw, output, i))
            return false;
        struct tess_draw_vertex *larger = grow(draw->vertices, draw->count, &draw->capacity,
                                               sizeof *larger);
        if (!larger)
            return complain_of_memory(draw);
        draw->vertices = larger;
        take_vertex(draw, output, i, &draw->vertices[draw->count++]);
    }
    return true;
}

static bool write_file(struct shader_draw *draw, const struct tess_picture *picture)
{
    uint8_t *bytes;
    size_t size;
    if (tess_picture_png(picture, &bytes, &size) != TESS_OK)
        return complain_of_memory(draw);
    fwrite(bytes, 1, size, draw->file.stream);
    tess_free(bytes);
    return output_close(&draw->file);
}

/* A step of drawing that can reject primitives or pixels. */
struct step {
    uint64_t count;
    const char *words; /* predicate of the sentence "N are ..." */
    const char *hint;
};

enum { PRIMITIVE_STEPS = 6, PIXEL_STEPS = 3, STEP_TEXT = 400 };

static const char window_hint[] =
    "give positions in pixels from the top left corner, from 0 to the "
    "size of the picture, or use --clip-space for positions before "
    "the division by w";

static void primitive_steps(const struct shader_draw *draw, struct step steps[PRIMITIVE_STEPS])
{
    const struct tess_draw_counts *counts = &draw->counts;
    bool clip = draw->options->draw.clip_space;
    const char *place =
        clip ? "with --clip-space, give positions with x and y from -w to w, and w above 0"
             : window_hint;
    const struct step all[PRIMITIVE_STEPS] = {
        {counts->skipped, "skipped because of a vertex that cannot be drawn",
         "correct the vertices that the warnings before this one name"},
        {counts->clipped, "behind the eye, or far outside of the picture", place},
        {counts->culled - counts->no_area, "culled by --cull",
         "omit --cull, or use the other winding"},
        {counts->no_area, "without area",
         "give the vertices of each primitive different positions; a varying that the program "
         "does not write is 0"},
        {counts->outside, "outside of the picture", place},
        {counts->uncovered, "too small to cover the centre of a pixel",
         clip ? "make the primitives larger than a pixel"
              : "make the primitives larger than a pixel, or use --clip-space for positions from "
                "-1 to 1"},
    };
    memcpy(steps, all, sizeof all);
}

static void pixel_steps(const struct shader_draw *draw, struct step steps[PIXEL_STEPS])
{
    const struct tess_draw_counts *counts = &draw->counts;
    const struct step all[PIXEL_STEPS] = {
        {counts->killed, "killed by the pixel program",
         "make the conditions of its kill instructions false for visible pixels"},
        {counts->beyond, "outside of the depth range 0 to 1",
         "give positions a depth from 0 to 1 (with --clip-space, z from -w to w), or draw with "
         "--no-depth"},
        {counts->hidden, "hidden by earlier primitives", "draw with --no-depth"},
    };
    memcpy(steps, all, sizeof all);
}

/* Writes a text such as "2 are culled by --cull; 1 is without area", with each step that rejected
 * primitives or pixels. Returns the step that rejected the most. */
static const struct step *report_steps(char text[STEP_TEXT], const struct step *steps,
                                       unsigned count)
{
    const struct step *most = steps;
    size_t length = 0;
    for (unsigned i = 0; i < count; i++) {
        if (steps[i].count > most->count)
            most = &steps[i];
        if (steps[i].count == 0 || length >= STEP_TEXT)
            continue;
        length += (size_t)snprintf(text + length, STEP_TEXT - length, "%s%" PRIu64 " %s %s",
                                   length ? "; " : "", steps[i].count,
                                   steps[i].count == 1 ? "is" : "are", steps[i].words);
    }
    return most;
}

static void report_draw(const struct shader_draw *draw, enum tess_level severity, const char *text,
                        const char *hint)
{
    const struct tess_finding diag = {
        .level = severity, .id = "draw-nothing", .text = text, .hint = hint};
    if (draw->sink.report)
        draw->sink.report(draw->sink.user, &diag);
}

/* Warns that no pixel was written, and names the steps that rejected primitives or pixels. */
static void warn_of_nothing(const struct shader_draw *draw)
{
    const struct tess_draw_counts *counts = &draw->counts;
    char text[STEP_TEXT + 100], told[STEP_TEXT] = "";
    struct step steps[PRIMITIVE_STEPS];
    bool pixels = counts->covered > 0;
    uint64_t whole = pixels ? counts->covered : counts->primitives + counts->skipped;
    (pixels ? pixel_steps : primitive_steps)(draw, steps);
    const struct step *most = report_steps(told, steps, pixels ? PIXEL_STEPS : PRIMITIVE_STEPS);
    if (whole == 0) {
        report_draw(
            draw, TESS_WARNING, "nothing is drawn: too few vertices for a primitive",
            "give 1 vertex per point, 2 per line or 3 per triangle, or choose another --primitive");
        return;
    }
    snprintf(text, sizeof text, "nothing is drawn of %" PRIu64 " %s%s: %s", whole,
             pixels ? "pixel" : "primitive", whole == 1 ? "" : "s", told);
    report_draw(draw, TESS_WARNING, text, most->hint);
}

/* Prints the note that pixels were written, but that no pixel changed its colour. */
static void note_unchanged(const struct shader_draw *draw)
{
    char text[STEP_TEXT];
    snprintf(text, sizeof text,
             "the picture is empty: all %" PRIu64
             " written pixels have the colour that they had before",
             draw->counts.pixels);
    report_draw(
        draw, TESS_NOTE, text,
        "choose another --background, or write another colour in the program; colours are red, "
        "green and blue from 0 to 1");
}

enum tess_status shader_draw_end(struct shader_draw *draw)
{
    const struct shader_draw_options *options = draw->options;
    struct tess_picture *picture;
    struct tess_draw what = options->draw;
    what.vertices = draw->vertices;
    what.vertex_count = draw->count;
    what.indices = draw->indices;
    what.index_count = draw->index_count;
    what.shade = draw->shade;
    what.user = draw->user;
    what.varyings = (const float(*)[SHADER_COMPONENTS])draw->varyings;
    what.varying_count = draw->varying_count;
    enum tess_status status = tess_picture_create(options->width, options->height,
                                                  options->background, &picture);
    if (status != TESS_OK)
        return status;
    status = tess_picture_draw(picture, &what, draw->sink, &draw->counts);
    if (status == TESS_OK && draw->counts.pixels == 0)
        warn_of_nothing(draw);
    if (status == TESS_OK && draw->counts.pixels && draw->counts.pixels == draw->counts.unchanged)
        note_unchanged(draw);
    if (status == TESS_OK && !write_file(draw, picture))
        status = TESS_IO;
    tess_picture_free(picture);
    return status;
}

void shader_draw_free(struct shader_draw *draw)
{
    free(draw->vertices);
    free(draw->varyings);
    free(draw->indices);
    *draw = (struct shader_draw){0};
}
