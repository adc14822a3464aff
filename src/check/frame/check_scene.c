/* SPDX-License-Identifier: MIT */
/* check_scene.c - see check_scene.h.
 *
 * In:       the lines of a scene; control lists in memory.
 * Out:      the programs of "qpu" steps and of shader records; errors in the records.
 * Source:   docs/scene.md; manual, section 9, shader records (tables 45 to 47).
 * Left out: lists that are written while the scene runs. */
#include "check/frame/check_scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/text.h"
#include "check/frame/check_list.h"
#include "isa/cl/cl.h"
#include "isa/cl/image.h"
#include "isa/cl/images.h"
#include "isa/cl/overlap.h"
#include "isa/cl/primlist.h"

enum {
    RECORDS_MAX = 1 << 16, /* largest number of records that are read in all lists of a scene */
    SUB_LISTS_MAX = 2,
    WORD_MAX = 128,
};

struct list_walk {
    struct check_scene *scene;
    struct check_list rules;
    struct primlist_format format; /* format that the last primitive list format record (56) has
                                    * set */
    unsigned left;                 /* number of records that may still be read */
    uint32_t alike;                /* number of "qpu" steps if all of them run the same program;
                                    * otherwise 0 */
    bool mixed;                    /* true if the "qpu" steps run different programs */
    char step[WORD_MAX];           /* program of the last "qpu" step */
    struct {
        uint32_t code;
        int coordinates;
    } drawn; /* the last program that take_primitives() reported */
    uint32_t back[SUB_LISTS_MAX];
    unsigned depth;
    struct cl_uses binning, rendering; /* memory that the last binning list and the last rendering
                                        * list use */
    struct cl_images images;           /* images that the lists before the current list store */
    uint32_t lists;                    /* number of lists that have been read */
};

/* Returns a pointer to size bytes of memory at an address, or NULL if the memory is shorter. */
static const uint8_t *memory(const struct check_scene *scene, uint32_t address, size_t size)
{
    size_t left = 0;
    const uint8_t *bytes = scene->memory(scene->user, address, &left);
    return bytes && left >= size ? bytes : NULL;
}

static void report_entry(const struct check_scene *scene, struct check_entry entry,
                         uint32_t uniforms)
{
    size_t left = 0;
    entry.sure = true;
    entry.list = scene->list;
    entry.uniforms = scene->memory(scene->user, uniforms, &left);
    entry.uniform_words = entry.uniforms ? left / 4 : 0;
    scene->program(scene->user, &entry);
}

static void report(const struct check_scene *scene, enum tess_shader_kind kind, uint32_t code,
                   uint32_t uniforms, int rows, int outputs)
{
    const struct check_entry entry = {
        .address = code, .kind = kind, .varyings = -1, .rows = rows, .outputs = outputs};
    report_entry(scene, entry, uniforms);
}

/* Reports a fragment shader. implicit is the largest number of coordinates that its primitives may
 * have before the varyings. */
static void report_fragments(const struct check_scene *scene,
                             const struct check_list_shader *shader, int implicit)
{
    const struct check_entry entry = {.address = shader->code,
                                      .kind = TESS_SHADER_FRAGMENT,
                                      .varyings = shader->varyings,
                                      .implicit_most = implicit,
                                      .rows = -1};
    report_entry(scene, entry, shader->uniforms);
}

bool check_stored_add(struct check_stored **items, size_t *count, const struct check_stored *item)
{
    if (!ARRAY_GROW(*items, *count))
        return false;
    (*items)[(*count)++] = *item;
    return true;
}

void check_scene_merge(struct check_entry *to, const struct check_entry *from)
{
    bool first = to->varyings < 0 || (from->drawn && !to->drawn && to->implicit_most > 0);
    if (first) {
        to->varyings = from->varyings;
        to->implicit_least = from->implicit_least;
        to->implicit_most = from->implicit_most;
        to->drawn = from->drawn;
    } else if (from->drawn && to->drawn) {
        if (from->implicit_least < to->implicit_least)
            to->implicit_least = from->implicit_least;
        if (from->implicit_most > to->implicit_most)
            to->implicit_most = from->implicit_most;
    }
    if (to->kind == TESS_SHADER_UNKNOWN)
        to->kind = from->kind;
    if (to->rows < 0)
        to->rows = from->rows;
    if (to->outputs == 0)
        to->outputs = from->outputs;
    if (!to->list)
        to->list = from->list;
    if (!to->uniforms) {
        to->uniforms = from->uniforms;
        to->uniform_words = from->uniform_words;
    }
    to->alike = from->alike;
    to->mixed = from->mixed;
}

/* Reports a finding. Inserts the symbol's name after each address in the text. */
static void report_text(const struct check_scene *scene, enum check_rule rule, uint32_t address,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

static void report_text(const struct check_scene *scene, enum check_rule rule, uint32_t address,
                        const char *format, ...)
{
    const struct address_namer namer = {scene->name, scene->user};
    char plain[400], text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plain, sizeof plain, format, arguments);
    va_end(arguments);
    address_text(text, sizeof text, plain, &namer);
    scene->found(scene->user, rule, address, text);
}

/* --- shader records --- */

enum { POINT_COORDINATES = 2, LINE_COORDINATES = 1 };

/* Reads the fragment shader's fields, which are the same in all kinds of shader records. */
static struct check_list_shader shader_of(const uint8_t *record)
{
    return (struct check_list_shader){
        .varyings = record[3], .code = load_le32(record + 4), .uniforms = load_le32(record + 8)};
}

/* Reports attribute arrays in use whose elements are longer than their stride. */
static void check_arrays(const struct check_scene *scene, uint32_t address, const uint8_t *record,
                         uint32_t count)
{
    enum { SELECT_VERTEX = 14, SELECT_COORDINATE = 26, SIZE = 36, ARRAY_BYTES = 8 };
    for (uint32_t n = 0; n < count; n++) {
        const uint8_t *array = memory(scene, address + SIZE + n * ARRAY_BYTES, ARRAY_BYTES);
        uint32_t bytes = array ? array[4] + 1u : 0, stride = array ? array[5] : 0;
        if (!((record[SELECT_VERTEX] | record[SELECT_COORDINATE]) >> n & 1) || stride == 0 ||
            bytes <= stride)
            continue;
        report_text(scene, CHECK_LIST_ATTRIBUTES_BYTES, address,
                    "attribute array %u has %u bytes per vertex, but a stride of %u bytes", n,
                    bytes, stride);
    }
}

/* The functions below report the programs that a shader record names, and return the record's other
 * contents. */
/* named is true if a control record refers to the shader record. The low bits of address are then
 * the number of attribute arrays. */
static struct check_list_shader read_gl_record(const struct check_scene *scene, uint32_t address,
                                               bool named)
{
    enum { SIZE = 36, ROW_BYTES = 4, COUNT = 7, EXTENDED = 8, ARRAYS = 8, POINT_SIZE = 1 << 1 };
    enum {
        VERTEX_WORDS = 3,
        COORDINATE_WORDS = 7
    }; /* words of a shaded vertex without point size and varyings; manual, figures 10 and 11 */
    const uint8_t *record = memory(scene, address & ~UINT32_C(15), SIZE);
    uint32_t count = address & COUNT ? address & COUNT : ARRAYS;
    if (!record)
        return (struct check_list_shader){0};
    if (!(address & EXTENDED) && named)
        check_arrays(scene, address & ~UINT32_C(15), record, count);
    int size = (record[0] & POINT_SIZE) != 0;
    const struct check_list_shader shader = shader_of(record);
    report_fragments(scene, &shader, POINT_COORDINATES);
    report(scene, TESS_SHADER_VERTEX, load_le32(record + 16), load_le32(record + 20),
           record[15] / ROW_BYTES, VERTEX_WORDS + size + record[3]);
    report(scene, TESS_SHADER_COORDINATE, load_le32(record + 28), load_le32(record + 32),
           record[27] / ROW_BYTES, COORDINATE_WORDS + size);
    return shader;
}

/* Reads an NV or VG shader record. The first 12 bytes of both have the same format. */
static struct check_list_shader read_short_record(const struct check_scene *scene, uint32_t address,
                                                  int implicit)
{
    const uint8_t *record = memory(scene, address & ~UINT32_C(15), 12);
    if (!record)
        return (struct check_list_shader){0};
    const struct check_list_shader shader = shader_of(record);
    report_fragments(scene, &shader, implicit);
    return shader;
}

/* Reads an NV shader record. A shaded vertex consists of the clip coordinates (optional, 16 bytes),
 * x and y (4 bytes), z (4 bytes), 1/w (4 bytes) and the point size (optional). */
static struct check_list_shader read_nv_record(const struct check_scene *scene, uint32_t address)
{
    enum {
        SIZE = 16,
        POINT_SIZE = 1 << 1,
        CLIP_HEADER = 1 << 3,
        CLIP_BYTES = 16,
        XYZW_BYTES = 12,
        INVERSE_W = 8
    };
    struct check_list_shader shader = read_short_record(scene, address, POINT_COORDINATES);
    const uint8_t *record = memory(scene, address & ~UINT32_C(15), SIZE);
    if (!record)
        return shader;
    shader.stride = record[1];
    shader.inverse_w = load_le32(record + 12) + INVERSE_W +
                       (record[0] & CLIP_HEADER ? CLIP_BYTES : 0);
    if (!(record[0] & POINT_SIZE))
        return shader;
    shader.sizes = load_le32(record + 12) + XYZW_BYTES + (record[0] & CLIP_HEADER ? CLIP_BYTES : 0);
    return shader;
}

static struct check_list_shader read_shader(const struct check_scene *scene, const uint8_t *record)
{
    const uint8_t *data = record + 1;
    switch (record[0]) {
    case CL_GL_SHADER_STATE: return read_gl_record(scene, load_le32(data), true);
    case CL_NV_SHADER_STATE: return read_nv_record(scene, load_le32(data));
    case CL_VG_SHADER_STATE: return read_short_record(scene, load_le32(data), 0);
    case CL_VG_INLINE_SHADER_RECORD: {
        const struct check_list_shader shader = {
            .code = CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
            .uniforms = CL_GET(data, VG_INLINE_SHADER_RECORD, UNIFORMS)};
        report_fragments(scene, &shader, 0);
        break;
    }
    }
    return (struct check_list_shader){0};
}

/* Returns the number of implicit coordinates of the primitives that a record draws, or -1 if the
 * record draws nothing or has no primitive mode. */
static int coordinates_of(const uint8_t *record)
{
    enum { LINE_LOOP = 2, LINE_STRIP = 3 };
    uint32_t mode, length;
    if (record[0] == CL_VERTEX_ARRAY_PRIMITIVES) {
        mode = CL_GET(record + 1, VERTEX_ARRAY_PRIMITIVES, MODE);
        length = CL_GET(record + 1, VERTEX_ARRAY_PRIMITIVES, LENGTH);
    } else if (record[0] == CL_INDEXED_PRIMITIVE_LIST) {
        mode = CL_GET(record + 1, INDEXED_PRIMITIVE_LIST, MODE);
        length = CL_GET(record + 1, INDEXED_PRIMITIVE_LIST, LENGTH);
    } else {
        return -1;
    }
    if (length == 0 || (mode == LINE_LOOP && length == 2)) /* a line loop of two vertices is
                                                            * not drawn either */
        return -1;
    return mode == 0 ? POINT_COORDINATES : mode <= LINE_STRIP ? LINE_COORDINATES : 0;
}

/* Reports the current fragment shader, with the number of implicit coordinates of the primitives
 * that a record draws. */
static void take_primitives(struct list_walk *walk, const uint8_t *record)
{
    const struct check_list_shader *shader = &walk->rules.shader;
    int coordinates = coordinates_of(record);
    if (coordinates < 0 || !walk->rules.has_shader || walk->rules.vg || !shader->code ||
        (walk->drawn.code == shader->code && walk->drawn.coordinates == coordinates))
        return;
    walk->drawn.code = shader->code;
    walk->drawn.coordinates = coordinates;
    const struct check_entry entry = {.address = shader->code,
                                      .kind = TESS_SHADER_FRAGMENT,
                                      .varyings = shader->varyings,
                                      .implicit_least = coordinates,
                                      .implicit_most = coordinates,
                                      .drawn = true,
                                      .rows = -1};
    report_entry(walk->scene, entry, shader->uniforms);
}

/* --- control lists --- */

/* Follows branches and returns: sets *address to the address of the next record. Returns false at
 * the end of the list. */
static bool follow(struct list_walk *walk, const uint8_t *record, uint32_t *address)
{
    switch (record[0]) {
    case CL_HALT: return false;
    case CL_BRANCH_TO_SUB_LIST:
        if (walk->depth == SUB_LISTS_MAX)
            return false;
        walk->back[walk->depth++] = *address;
        *address = load_le32(record + 1);
        return true;
    case CL_BRANCH: *address = load_le32(record + 1); return true;
    case CL_RETURN_FROM_SUB_LIST:
        if (walk->depth == 0)
            return false;
        *address = walk->back[--walk->depth];
        return true;
    }
    return true;
}

/* Returns the address after the coordinates that follow record 42 (VG inline primitives). Returns 0
 * if the coordinates have no end mark. */
static uint32_t behind_coordinates(const struct list_walk *walk, uint32_t address)
{
    const uint32_t end = UINT32_C(0xbfff0000);
    for (const uint8_t *word; (word = memory(walk->scene, address, 4)); address += 4)
        if (load_le32(word) == end)
            return address + 4;
    return 0;
}

/* Returns the address after the primitives that follow records 48 and 49 (compressed and clipped
 * primitive lists). Returns 0 if the primitives have no end mark or contain a branch. Only the
 * binner writes branches. */
static uint32_t behind_primitives(const struct list_walk *walk, uint32_t address)
{
    struct primlist_primitive previous = {.valid = false};
    enum primlist_item item = PRIMLIST_PRIMITIVE;
    while (item == PRIMLIST_PRIMITIVE) {
        size_t left = 0, used = 0;
        unsigned coding;
        int32_t jump;
        const uint8_t *bytes = walk->scene->memory(walk->scene->user, address, &left);
        item = bytes ? primlist_read(&walk->format, bytes, left, &previous, &used, &coding, &jump)
                     : PRIMLIST_BAD;
        address += (uint32_t)used;
    }
    return item == PRIMLIST_END ? address : 0;
}

/* Returns the address after the inline data of a record, or 0 if the data have no end. address is
 * the address after the record. */
static uint32_t behind(struct list_walk *walk, const uint8_t *record, uint32_t address)
{
    switch (record[0]) {
    case CL_PRIMITIVE_LIST_FORMAT:
        walk->format.type = CL_GET(record + 1, PRIMITIVE_LIST_FORMAT, TYPE) & 3;
        walk->format.index_bytes = CL_GET(record + 1, PRIMITIVE_LIST_FORMAT, DATA_TYPE) == 3 ? 4
                                                                                             : 2;
        return address;
    case CL_VG_INLINE_PRIMITIVES: return behind_coordinates(walk, address);
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return behind_primitives(walk, address);
    default: return address;
    }
}

static void walk_list(struct list_walk *walk, uint32_t address, uint32_t end)
{
    walk->depth = 0;
    walk->format = (struct primlist_format){.type = 2, .index_bytes = 2};
    check_list_begin(&walk->rules);
    for (; address != end && walk->left > 0; walk->left--) {
        const uint8_t *id = memory(walk->scene, address, 1);
        const struct cl_packet *packet = id ? cl_packet(*id) : NULL;
        const uint8_t *record = packet ? memory(walk->scene, address, packet->bytes) : NULL;
        if (!record && walk->depth == 0)
            return;
        if (!record) { /* the branch leads to a tile list that the binner has not written yet */
            address = walk->back[--walk->depth];
            continue;
        }
        const struct check_list_shader shader = read_shader(walk->scene, record);
        check_list_record(&walk->rules, address, record, &shader);
        take_primitives(walk, record);
        address = behind(walk, record, address + packet->bytes);
        if (!address || !follow(walk, record, &address))
            return;
    }
}

/* Parses an operand: "symbol", "0x1000" or "symbol+8". */
static bool operand(const struct check_scene *scene, char *text, uint32_t *address)
{
    char *plus = strchr(text, '+'), *end;
    uint32_t offset = 0;
    if (plus) {
        *plus = '\0';
        offset = (uint32_t)strtoul(plus + 1, NULL, 0);
    }
    if (!scene->symbol(scene->user, text, address)) {
        *address = (uint32_t)strtoul(text, &end, 0);
        if (end == text || *end)
            return false;
    }
    *address += offset;
    return true;
}

/* --- shared memory --- */

static void report_overlap(void *user, const struct cl_overlap *overlap)
{
    const struct check_scene *scene = user;
    char text[400];
    cl_overlap_text(text, sizeof text, overlap);
    report_text(scene,
                overlap->kind == CL_OVERLAP_BROKEN ? CHECK_LIST_OVERLAP : CHECK_LIST_OVERLAP_RISK,
                overlap->writer.record, "%s", text);
}

static void report_alias(const struct check_scene *scene, const struct cl_alias *alias)
{
    if (alias->what)
        report_text(scene, CHECK_LIST_ALIAS, alias->record, CL_ALIAS_TEXT, alias->what,
                    alias->written, alias->read);
}

static void report_stored(const struct list_walk *walk)
{
    const struct check_scene *scene = walk->scene;
    for (size_t i = 0; i < walk->rendering.count; i++) {
        const struct check_stored stored = {walk->rendering.item[i], walk->lists};
        if (stored.use.kind >= CL_USE_FRAME && stored.use.kind <= CL_USE_DUMP && scene->stored)
            scene->stored(scene->user, &stored);
    }
}

static void check_overlaps(struct list_walk *walk, bool binning, uint32_t first, uint32_t last)
{
    const struct cl_memory memory = {walk->scene->memory, walk->scene->user};
    const struct cl_overlap_sink sink = {report_overlap, walk->scene};
    if (binning) {
        cl_uses_bin(&walk->binning, &memory, first, last);
        cl_overlaps_bin(&walk->binning, sink);
    } else {
        cl_uses_render(&walk->rendering, &memory, first, last, &walk->binning);
        cl_overlaps_render(&walk->rendering, &walk->binning, sink);
        cl_images_add(&walk->images, &walk->rendering);
        report_stored(walk);
        report_alias(walk->scene, &walk->rendering.alias);
    }
}

/* Checks that a step "image ADDRESS WIDTH HEIGHT FORMAT LAYOUT FILE" reads a picture in the format
 * in which a list has stored it. */
static void check_picture(struct list_walk *walk, char words[][WORD_MAX])
{
    static const char *const layouts[CL_IMAGE_FORMATS] = {"raster", "t", "lt"};
    struct cl_view view = {.format = CL_IMAGE_FORMATS,
                           .width = (uint32_t)strtoul(words[2], NULL, 0)};
    char text[300];
    for (uint32_t i = 0; i < CL_IMAGE_FORMATS; i++)
        if (strcmp(words[5], layouts[i]) == 0)
            view.format = i;
    view.bits = strstr(words[4], "565") ? 16 : 32;
    if (view.format == CL_IMAGE_FORMATS || view.width == 0 || view.width > UINT16_MAX ||
        !operand(walk->scene, words[1], &view.address))
        return;
    const struct cl_use *image = cl_images_find(&walk->images, view.address);
    if (!image || !cl_view_differs(image, &view, text, sizeof text))
        return;
    report_text(walk->scene, CHECK_LIST_IMAGE_FORMAT, image->record, "the picture is read %s",
                text);
}

/* --- steps --- */

static void report_step(const struct list_walk *walk, uint32_t code, uint32_t uniforms)
{
    const struct check_entry entry = {.address = code,
                                      .kind = TESS_SHADER_USER,
                                      .varyings = -1,
                                      .rows = -1,
                                      .alike = walk->alike,
                                      .mixed = walk->mixed};
    report_entry(walk->scene, entry, uniforms);
}

static void read_step(struct list_walk *walk, const char *line, size_t length)
{
    char text[7 * WORD_MAX], words[6][WORD_MAX] = {{0}};
    uint32_t first, last = 0;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1),
             line);
    int count = sscanf(text, "%127s %127s %127s %127s %127s %127s", words[0], words[1], words[2],
                       words[3], words[4], words[5]);
    if (count == 6 && strcmp(words[0], "image") == 0) {
        check_picture(walk, words);
        return;
    }
    if (count < 3 || !operand(walk->scene, words[1], &first))
        return;
    bool list = strcmp(words[0], "bin") == 0 || strcmp(words[0], "render") == 0;
    bool known = operand(walk->scene, words[2], &last);
    walk->lists += list;
    walk->scene->list = walk->lists;
    if (list && known)
        check_overlaps(walk, words[0][0] == 'b', first, last);
    if (strcmp(words[0], "qpu") == 0)
        report_step(walk, first, last);
    else if (list && known)
        walk_list(walk, first, last);
}

/* Calls take() for each line of the scene. */
static void each_line(struct list_walk *walk,
                      void (*take)(struct list_walk *walk, const char *line, size_t length))
{
    const struct check_scene *scene = walk->scene;
    for (size_t at = 0; at < scene->size;) {
        const char *line = scene->text + at, *end = memchr(line, '\n', scene->size - at);
        size_t length = end ? (size_t)(end - line) : scene->size - at;
        take(walk, line, length);
        at += length + 1;
    }
}

/* Counts a "qpu" step in walk->alike, and sets walk->mixed if its program differs from the one of
 * the step before. */
static void count_step(struct list_walk *walk, const char *line, size_t length)
{
    char text[3 * WORD_MAX], one[WORD_MAX];
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1),
             line);
    if (sscanf(text, "qpu %127s", one) != 1)
        return;
    walk->mixed |= walk->alike > 0 && strcmp(one, walk->step) != 0;
    memcpy(walk->step, one, sizeof one);
    walk->alike++;
}

void check_scene_read(const struct check_scene *scene)
{
    struct check_scene numbered = *scene; /* copy of the scene, because the member list changes */
    struct list_walk walk = {
        .scene = &numbered,
        .left = RECORDS_MAX,
        .rules = {.found = scene->found, .memory = scene->memory, .user = scene->user}};
    each_line(&walk, count_step);
    walk.alike = walk.mixed ? 0 : walk.alike;
    each_line(&walk, read_step);
    cl_uses_free(&walk.binning);
    cl_uses_free(&walk.rendering);
}

void check_scene_record(const struct check_scene *scene, const char *statement, uint32_t address)
{
    static const char family[] = "shader.";
    if (strncmp(statement, family, strlen(family)) != 0)
        return;
    const char *name = statement + strlen(family);
    if (strncmp(name, "gl", 2) == 0)
        read_gl_record(scene, address, false);
    else if (strncmp(name, "nv", 2) == 0 || strncmp(name, "vg", 2) == 0)
        read_short_record(scene, address, name[0] == 'n' ? POINT_COORDINATES : 0);
}
