/* SPDX-License-Identifier: MIT */
/* check_scene.c - see check_scene.h.
 *
 * In:       the lines of a scene; control lists in memory.
 * Out:      the programs of "qpu" steps, and those that shader records name.
 * Source:   docs/scene.md; manual, section 9, shader records (tables 49 to 52).
 * Left out: lists that are made while the scene runs. */
#include "isa/check_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "isa/cl/cl.h"

enum {
    RECORDS_MAX = 1 << 16, /* of all lists of a scene */
    SUB_LISTS_MAX = 2,
    WORD_MAX = 128,
};

struct list_walk {
    const struct check_scene *scene;
    unsigned left; /* records that may still be read */
    uint32_t back[SUB_LISTS_MAX];
    unsigned depth;
};

static void report(const struct check_scene *scene, uint32_t address, enum tess_shader_kind kind,
                   int varyings, int rows)
{
    const struct check_entry entry = {address, kind, varyings, rows, true};
    scene->program(scene->user, &entry);
}

/* size bytes of memory, or NULL. */
static const uint8_t *memory(const struct check_scene *scene, uint32_t address, size_t size)
{
    size_t left = 0;
    const uint8_t *bytes = scene->memory(scene->user, address, &left);
    return bytes && left >= size ? bytes : NULL;
}

/* --- shader records --- */

static void read_gl_record(const struct check_scene *scene, uint32_t address)
{
    enum { SIZE = 36, ROW_BYTES = 4 };
    const uint8_t *record = memory(scene, address & ~UINT32_C(15), SIZE);
    if (!record)
        return;
    report(scene, load_le32(record + 4), TESS_SHADER_FRAGMENT, record[3], -1);
    report(scene, load_le32(record + 16), TESS_SHADER_VERTEX, -1, record[15] / ROW_BYTES);
    report(scene, load_le32(record + 28), TESS_SHADER_COORDINATE, -1, record[27] / ROW_BYTES);
}

/* NV and VG records begin alike. */
static void read_short_record(const struct check_scene *scene, uint32_t address)
{
    const uint8_t *record = memory(scene, address & ~UINT32_C(15), 8);
    if (record)
        report(scene, load_le32(record + 4), TESS_SHADER_FRAGMENT, record[3], -1);
}

/* --- control lists --- */

/* Where the list goes on behind a branch; false at its end. */
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

static void walk_list(struct list_walk *walk, uint32_t address, uint32_t end)
{
    walk->depth = 0;
    for (; address != end && walk->left > 0; walk->left--) {
        const uint8_t *id = memory(walk->scene, address, 1);
        const struct cl_packet *packet = id ? cl_packet(*id) : NULL;
        const uint8_t *record = packet ? memory(walk->scene, address, packet->bytes) : NULL;
        if (!record && walk->depth == 0)
            return;
        if (!record) { /* a list of the tile allocation memory, which is not there yet */
            address = walk->back[--walk->depth];
            continue;
        }
        address += packet->bytes;
        if (record[0] == CL_GL_SHADER_STATE)
            read_gl_record(walk->scene, load_le32(record + 1));
        else if (record[0] == CL_NV_SHADER_STATE || record[0] == CL_VG_SHADER_STATE)
            read_short_record(walk->scene, load_le32(record + 1));
        if (!follow(walk, record, &address))
            return;
    }
}

/* --- steps --- */

/* "symbol", "0x1000" or "symbol+8". */
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

static void read_step(struct list_walk *walk, const char *line, size_t length)
{
    char text[3 * WORD_MAX], words[3][WORD_MAX] = {{0}};
    uint32_t first, last;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1),
             line);
    if (sscanf(text, "%127s %127s %127s", words[0], words[1], words[2]) < 3 ||
        !operand(walk->scene, words[1], &first))
        return;
    bool list = strcmp(words[0], "bin") == 0 || strcmp(words[0], "render") == 0;
    if (strcmp(words[0], "qpu") == 0)
        report(walk->scene, first, TESS_SHADER_USER, -1, -1);
    else if (list && operand(walk->scene, words[2], &last))
        walk_list(walk, first, last);
}

void check_scene_read(const struct check_scene *scene)
{
    struct list_walk walk = {.scene = scene, .left = RECORDS_MAX};
    for (size_t at = 0; at < scene->size;) {
        const char *line = scene->text + at, *end = memchr(line, '\n', scene->size - at);
        size_t length = end ? (size_t)(end - line) : scene->size - at;
        read_step(&walk, line, length);
        at += length + 1;
    }
}
