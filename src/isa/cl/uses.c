/* SPDX-License-Identifier: MIT */
/* uses.c - see uses.h.
 *
 * Source:   manual, section 9, tables 38 and 45 to 47.
 * Left out: uniforms after the first branch of a program; textures, whose parameters a program
 *           reads from its uniforms; lists that branch to addresses without memory.
 * Choices:  a program ends at its first program end signal, so that data after the program does not
 *           count as code. */
#include "isa/cl/uses.h"

#include <stdlib.h>

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "isa/cl/image.h"
#include "isa/cl/primlist.h"

#define ADDRESS_MASK UINT32_C(0x3fffffff)

enum {
    RECORDS_MAX = 1 << 16, /* most records of one list */
    SUB_LISTS_MAX = 2,
    RECENT = 4,
    WORDS_MAX = 4096,   /* most words of a program */
    WORK_MAX = 1 << 24, /* limit of the work for one list: examined words, indices and items */
    STATE_BYTES = 48,   /* bytes of a tile's state */
    LEAST_BLOCK = 32,
    ATTRIBUTES_MAX = 8,
};

/* Sizes of the parts of a GL shader record, in bytes. */
enum { GL_BYTES = 36, GL_ARRAY_BYTES = 8, GL_EXTENDED = 8, GL_EXTENDED_BYTES = GL_BYTES + 96 };

struct shader {
    uint8_t code;     /* id of the latest shader state record; 0 before the first one */
    uint32_t word;    /* first 32 data bits of the latest shader state record */
    uint32_t address; /* address of the shader record; 0 if the record is not in memory */
    uint32_t count;   /* number of attribute arrays */
    bool extended;
};

struct walk {
    struct cl_uses *uses;
    const struct cl_memory *memory;
    const struct cl_uses *binning;
    uint8_t thread; /* CL_BY_BINNER or CL_BY_RENDERER */
    uint32_t record;
    struct shader shader;
    struct primlist_format format; /* latest primitive list format (record 56) */
    const uint8_t *frame;          /* data of the latest tile rendering mode (record 113) */
    uint32_t frame_record;
    uint32_t back[SUB_LISTS_MAX];
    unsigned depth;
    uint32_t work;                       /* remainder of WORK_MAX */
    size_t recent[CL_USE_KINDS][RECENT]; /* indices of the latest loads and stores, plus 1 */
    unsigned next[CL_USE_KINDS];
    size_t list; /* index of the latest CL_USE_LIST, plus 1; 0 before the first */
    size_t kept; /* number of uses, from index 0 on, from an earlier list's tile binning mode
                  * (record 112) */
};

/* --- ranges --- */

void cl_uses_add(struct cl_uses *uses, const struct cl_use *use)
{
    if (use->size == 0)
        return;
    if (uses->count == uses->capacity) {
        size_t capacity = uses->capacity ? 2 * uses->capacity : 64;
        struct cl_use *item = realloc(uses->item, capacity * sizeof *item);
        uses->incomplete |= !item;
        if (!item)
            return;
        uses->item = item;
        uses->capacity = capacity;
    }
    struct cl_use *added = &uses->item[uses->count++];
    *added = *use;
    added->address &= ADDRESS_MASK;
    if (added->whole_size == 0) {
        added->whole = use->address;
        added->whole_size = use->size;
    }
}

void cl_uses_free(struct cl_uses *uses)
{
    free(uses->item);
    free(uses->draw);
    *uses = (struct cl_uses){0};
}

static void add(struct walk *walk, enum cl_use_kind kind, uint32_t address, uint32_t size,
                uint8_t number, uint8_t threads)
{
    cl_uses_add(walk->uses, &(struct cl_use){.kind = (uint8_t)kind,
                                             .threads = threads,
                                             .number = number,
                                             .address = address,
                                             .size = size,
                                             .record = walk->record});
}

/* Returns a pointer to size bytes of memory, or NULL if some of the bytes are not in memory. */
static const uint8_t *bytes_at(const struct walk *walk, uint32_t address, size_t size)
{
    size_t left = 0;
    const uint8_t *bytes = walk->memory->at(walk->memory->user, address, &left);
    return bytes && left >= size ? bytes : NULL;
}

/* Uses one unit of work. Returns false if none is left. */
static bool spend(struct walk *walk)
{
    walk->uses->incomplete |= walk->work == 0;
    walk->work -= walk->work > 0;
    return walk->work > 0;
}

/* --- programs --- */

enum {
    SIGNAL_END = 3,
    SIGNAL_BRANCH = 15,
    SLOTS = 2,
    READ_UNIFORM = 32,
    SIGNAL_SMALL = 13,
    SIGNAL_IMMEDIATE = 14
};

/* Returns true if an ALU instruction reads a uniform through a port (manual, figure
 * 4 and table 14). */
static bool reads_uniform(uint64_t word, unsigned signal)
{
    if (signal == SIGNAL_IMMEDIATE || signal == SIGNAL_BRANCH)
        return false;
    return (word >> 18 & 63) == READ_UNIFORM ||
           (signal != SIGNAL_SMALL && (word >> 12 & 63) == READ_UNIFORM);
}

/* Returns the number of words up to the program's end. Stores the number of uniforms that are read
 * before the program's first branch in *uniforms. */
static uint32_t measure(struct walk *walk, uint32_t code, uint32_t *uniforms)
{
    bool straight = true;
    *uniforms = 0;
    for (uint32_t n = 0; n < WORDS_MAX; n++) {
        const uint8_t *at = spend(walk) ? bytes_at(walk, code + n * 8, 8) : NULL;
        if (!at)
            return n;
        uint64_t word = load_le64(at);
        unsigned signal = (unsigned)(word >> 60);
        straight &= signal != SIGNAL_BRANCH;
        *uniforms += straight && reads_uniform(word, signal);
        if (signal == SIGNAL_END)
            return n + 1 + SLOTS;
    }
    return WORDS_MAX;
}

static void add_program(struct walk *walk, enum cl_use_shader shader, uint32_t code,
                        uint32_t uniforms, uint8_t threads)
{
    uint32_t count, words = measure(walk, code & ~UINT32_C(7), &count);
    add(walk, CL_USE_CODE, code & ~UINT32_C(7), words * 8, (uint8_t)shader, threads);
    add(walk, CL_USE_UNIFORMS, uniforms & ~UINT32_C(3), count * 4, (uint8_t)shader, threads);
}

/* --- shader records --- */

static void take_gl_record(struct walk *walk, uint32_t word)
{
    struct shader *shader = &walk->shader;
    shader->extended = word & GL_EXTENDED;
    shader->count = shader->extended || (word & 7) == 0 ? ATTRIBUTES_MAX : word & 7;
    uint32_t size = shader->extended ? GL_EXTENDED_BYTES
                                     : GL_BYTES + shader->count * GL_ARRAY_BYTES;
    const uint8_t *record = bytes_at(walk, shader->address, size);
    if (!record) {
        shader->address = 0;
        return;
    }
    add(walk, CL_USE_RECORD, shader->address, size, 0, CL_BY_BINNER | CL_BY_RENDERER);
    add_program(walk, CL_SHADER_FRAGMENT, load_le32(record + 4), load_le32(record + 8),
                CL_BY_RENDERER);
    add_program(walk, CL_SHADER_VERTEX, load_le32(record + 16), load_le32(record + 20),
                CL_BY_RENDERER);
    add_program(walk, CL_SHADER_COORDINATE, load_le32(record + 28), load_le32(record + 32),
                CL_BY_BINNER);
}

/* Adds the memory of an NV or VG shader record. Both kinds have the same first 12 bytes. */
static void take_short_record(struct walk *walk, uint32_t size)
{
    const uint8_t *record = bytes_at(walk, walk->shader.address, size);
    if (!record) {
        walk->shader.address = 0;
        return;
    }
    add(walk, CL_USE_RECORD, walk->shader.address, size, 0, CL_BY_BINNER | CL_BY_RENDERER);
    add_program(walk, CL_SHADER_FRAGMENT, load_le32(record + 4), load_le32(record + 8),
                CL_BY_RENDERER);
}

static void take_shader(struct walk *walk, uint8_t code, const uint8_t *data)
{
    enum { NV_BYTES = 16, VG_BYTES = 12 };
    uint32_t word = load_le32(data);
    walk->shader = (struct shader){.code = code, .word = word, .address = word & ~UINT32_C(15)};
    switch (code) {
    case CL_GL_SHADER_STATE: take_gl_record(walk, word); break;
    case CL_NV_SHADER_STATE: take_short_record(walk, NV_BYTES); break;
    case CL_VG_SHADER_STATE: take_short_record(walk, VG_BYTES); break;
    default:
        add_program(walk, CL_SHADER_FRAGMENT, CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
                    CL_GET(data, VG_INLINE_SHADER_RECORD, UNIFORMS), CL_BY_RENDERER);
    }
}

/* --- vertices --- */

/* Adds vertices first to last of an array. bytes is the size of an element. */
static void add_array(struct walk *walk, enum cl_use_kind kind, uint32_t address, uint32_t stride,
                      uint32_t bytes, uint32_t first, uint32_t last, uint8_t number,
                      uint8_t threads)
{
    uint64_t size = (uint64_t)(last - first) * stride + bytes;
    if (size <= ADDRESS_MASK)
        add(walk, kind, address + first * stride, (uint32_t)size, number, threads);
}

static void add_attributes(struct walk *walk, const uint8_t *record, uint32_t first, uint32_t last)
{
    enum { SELECT_VERTEX = 14, SELECT_COORDINATE = 26, STRIDES = GL_BYTES + 64 };
    for (uint32_t n = 0; n < walk->shader.count; n++) {
        const uint8_t *array = record + GL_BYTES + n * GL_ARRAY_BYTES;
        uint32_t stride = array[5];
        if (walk->shader.extended)
            stride |= load_le32(record + STRIDES + 4 * n) & UINT32_C(0x03ffff00);
        uint8_t threads = (uint8_t)((record[SELECT_VERTEX] >> n & 1 ? CL_BY_RENDERER : 0) |
                                    (record[SELECT_COORDINATE] >> n & 1 ? CL_BY_BINNER : 0));
        if (threads)
            add_array(walk, CL_USE_ATTRIBUTES, load_le32(array), stride, array[4] + 1u, first, last,
                      (uint8_t)n, threads);
    }
}

static void add_vertices(struct walk *walk, uint32_t first, uint32_t last)
{
    enum { NV_BYTES = 16, LEAST_BYTES = 12, GL_MOST = GL_EXTENDED_BYTES };
    const struct shader *shader = &walk->shader;
    bool gl = shader->code == CL_GL_SHADER_STATE;
    uint32_t size = gl ? shader->extended ? GL_MOST : GL_BYTES + shader->count * GL_ARRAY_BYTES
                       : NV_BYTES;
    const uint8_t *record = shader->address ? bytes_at(walk, shader->address, size) : NULL;
    if (!record || (!gl && shader->code != CL_NV_SHADER_STATE))
        return;
    if (gl)
        add_attributes(walk, record, first, last);
    else
        add_array(walk, CL_USE_VERTICES, load_le32(record + 12), record[1],
                  record[1] ? record[1] : LEAST_BYTES, first, last, 0,
                  CL_BY_BINNER | CL_BY_RENDERER);
}

static void add_draw(struct walk *walk, uint32_t first, uint32_t last)
{
    struct cl_uses *uses = walk->uses;
    if (walk->thread != CL_BY_BINNER)
        return;
    if (uses->draws == uses->draw_capacity) {
        size_t capacity = uses->draw_capacity ? 2 * uses->draw_capacity : 16;
        struct cl_draw *draw = realloc(uses->draw, capacity * sizeof *draw);
        uses->incomplete |= !draw;
        if (!draw)
            return;
        uses->draw = draw;
        uses->draw_capacity = capacity;
    }
    uses->draw[uses->draws++] = (struct cl_draw){walk->record, walk->shader.word, first, last};
}

static void draw_array(struct walk *walk, const uint8_t *data)
{
    uint32_t length = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, LENGTH);
    uint32_t first = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, FIRST);
    if (length == 0 || length > UINT16_MAX + 1u || first > UINT16_MAX + 1u - length)
        return;
    add_vertices(walk, first, first + length - 1);
    add_draw(walk, first, first + length - 1);
}

/* Finds the lowest and the highest index of a list. Returns false if the list is not
 * entirely in memory. */
static bool index_range(struct walk *walk, uint32_t address, uint32_t length, uint32_t bytes,
                        uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX;
    *high = 0;
    for (uint32_t n = 0; n < length;) {
        size_t left = 0;
        const uint8_t *at = walk->memory->at(walk->memory->user, address + n * bytes, &left);
        if (!at || left < bytes || walk->work == 0)
            return false;
        for (; n < length && left >= bytes && spend(walk); n++, at += bytes, left -= bytes) {
            uint32_t index = bytes == 1 ? at[0] : load_le16(at);
            *low = index < *low ? index : *low;
            *high = index > *high ? index : *high;
        }
    }
    return length > 0;
}

static void draw_indexed(struct walk *walk, const uint8_t *data)
{
    uint32_t length = CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH), low, high;
    uint32_t bytes = CL_GET(data, INDEXED_PRIMITIVE_LIST, INDEX_TYPE) ? 2 : 1;
    uint32_t address = CL_GET_ADDRESS(data, INDEXED_PRIMITIVE_LIST, ADDRESS);
    uint32_t most = CL_GET(data, INDEXED_PRIMITIVE_LIST, MAXIMUM_INDEX);
    if (!index_range(walk, address, length, bytes, &low, &high))
        return;
    add(walk, CL_USE_INDICES, address, length * bytes, 0, walk->thread);
    add_vertices(walk, low < most ? low : most, high < most ? high : most);
    add_draw(walk, low < most ? low : most, high < most ? high : most);
}

/* --- the binner's memory --- */

/* Drops the binner's memory of an earlier list, because this list has its own tile binning mode
 * (record 112). */
static void forget_configuration(struct walk *walk)
{
    struct cl_uses *uses = walk->uses;
    for (size_t i = walk->kept; i < uses->count; i++)
        uses->item[i - walk->kept] = uses->item[i];
    uses->count -= walk->kept;
    walk->list -= walk->list > 0 ? walk->kept : 0;
    walk->kept = 0;
}

static void take_binning(struct walk *walk, const uint8_t *data)
{
    uint32_t tiles = CL_GET(data, TILE_BINNING_MODE, WIDTH) *
                     CL_GET(data, TILE_BINNING_MODE, HEIGHT);
    uint32_t address = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_ADDRESS);
    uint32_t size = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_SIZE);
    uint32_t blocks = tiles * ((uint32_t)LEAST_BLOCK
                               << CL_GET(data, TILE_BINNING_MODE, INITIAL_BLOCK_SIZE));
    uint32_t first = blocks < size ? blocks : size;
    struct cl_use use = {.kind = CL_USE_BLOCKS,
                         .threads = CL_BY_BINNER,
                         .tiles = tiles,
                         .address = address,
                         .size = first,
                         .whole = address,
                         .whole_size = size,
                         .record = walk->record};
    forget_configuration(walk);
    cl_uses_add(walk->uses, &use);
    use.kind = CL_USE_POOL;
    use.address = address + first;
    use.size = size - first;
    cl_uses_add(walk->uses, &use);
    use.kind = CL_USE_STATE;
    use.address = use.whole = CL_GET(data, TILE_BINNING_MODE, STATE_ADDRESS) & ~UINT32_C(15);
    use.size = use.whole_size = tiles * STATE_BYTES;
    cl_uses_add(walk->uses, &use);
}

static void note_alias(struct walk *walk, const char *what, uint32_t written, uint32_t read)
{
    struct cl_alias *alias = &walk->uses->alias;
    if (!alias->what && (written ^ read) & ~ADDRESS_MASK)
        *alias = (struct cl_alias){what, walk->record, written, read};
}

/* Returns true if the sub-list at an address is a tile list, which the binner writes. */
static bool is_tile_list(struct walk *walk, uint32_t address)
{
    for (size_t i = 0; walk->binning && i < walk->binning->count; i++) {
        const struct cl_use *use = &walk->binning->item[i];
        if (use->kind < CL_USE_BLOCKS || use->kind > CL_USE_OVERFLOW ||
            ((address - use->address) & ADDRESS_MASK) >= use->size)
            continue;
        note_alias(walk, "the tile lists", use->whole, address);
        return true;
    }
    return false;
}

/* --- loads and stores --- */

enum { FRAME_8888 = 1, GENERAL_8888 = 0, PLANE_BYTES = 16384 };

static uint32_t tiles_of_frame(const uint8_t *frame)
{
    bool samples = CL_GET(frame, TILE_RENDERING_MODE, MULTISAMPLE);
    bool wide = CL_GET(frame, TILE_RENDERING_MODE, COLOR_64BIT);
    bool halves = CL_GET(frame, TILE_RENDERING_MODE, DOUBLE_BUFFER) && !samples;
    uint32_t width = samples ? 32 : 64, height = 64;
    if (samples)
        height = 32;
    if (wide || halves)
        height /= 2;
    if (wide && halves)
        width /= 2, height = 32;
    uint32_t across = (CL_GET(frame, TILE_RENDERING_MODE, WIDTH) + width - 1) / width;
    return across * ((CL_GET(frame, TILE_RENDERING_MODE, HEIGHT) + height - 1) / height);
}

/* Returns the number of bytes of an image that are accessed. A raster image ends with the last
 * pixel of its last row. Images in other formats are stored with all padding. */
static uint32_t touched(const struct cl_use *use, const struct cl_image *image)
{
    if (use->format != CL_IMAGE_RASTER || use->height == 0)
        return image->bytes;
    return image->row_bytes * (use->height - 1u) + (use->width * use->bits + 7u) / 8;
}

static bool is_same(const struct cl_use *a, const struct cl_use *b)
{
    return a->kind == b->kind && a->frame == b->frame && a->address == b->address &&
           a->size == b->size;
}

static bool continues(const struct cl_use *last, const struct cl_use *use)
{
    return use->width == 0 && last->width == 0 && last->frame == use->frame &&
           last->address + last->size == use->address;
}

/* Merges a use with a recent use of its kind, because the records of each tile name the same images
 * and because dumps of tiles are adjacent. Returns false if no recent use matches. */
static bool joins(struct walk *walk, const struct cl_use *use)
{
    for (unsigned i = 0; i < RECENT; i++) {
        size_t number = walk->recent[use->kind][i];
        struct cl_use *last = number ? &walk->uses->item[number - 1] : NULL;
        if (last && is_same(last, use))
            return true;
        if (!last || !continues(last, use))
            continue;
        last->size += use->size;
        last->whole_size += use->size;
        return true;
    }
    return false;
}

/* Records an alias if an image is loaded and stored through different bus aliases. */
static void note_surface_alias(struct walk *walk, const struct cl_use *use)
{
    for (size_t i = 0; i < walk->uses->count; i++) {
        const struct cl_use *other = &walk->uses->item[i];
        bool loads = use->kind == CL_USE_LOAD;
        const struct cl_use *load = loads ? use : other, *store = loads ? other : use;
        if (load->kind == CL_USE_LOAD && store->kind >= CL_USE_FRAME &&
            store->kind <= CL_USE_DUMP && load->address == store->address)
            note_alias(walk, "pixels", store->whole, load->whole);
    }
}

/* Adds the memory of a load or a store, unless the records of another tile have already added
 * it. */
static void add_surface(struct walk *walk, const struct cl_use *use)
{
    if (use->size == 0 || joins(walk, use))
        return;
    cl_uses_add(walk->uses, use);
    unsigned next = walk->next[use->kind]++ % RECENT;
    walk->recent[use->kind][next] = walk->uses->count;
    note_surface_alias(walk, use);
}

static void add_image(struct walk *walk, enum cl_use_kind kind, uint32_t address, uint32_t format,
                      uint32_t bits, uint32_t record)
{
    const uint8_t *frame = walk->frame;
    uint32_t width = CL_GET(frame, TILE_RENDERING_MODE, WIDTH);
    uint32_t height = CL_GET(frame, TILE_RENDERING_MODE, HEIGHT);
    struct cl_image image;
    if (format >= CL_IMAGE_FORMATS || (uint64_t)width * height >= 1 << 26)
        return;
    cl_image_size(&image, format, width, height, bits);
    struct cl_use use = {.kind = (uint8_t)kind,
                         .threads = CL_BY_RENDERER,
                         .format = (uint8_t)format,
                         .bits = (uint8_t)bits,
                         .width = (uint16_t)width,
                         .height = (uint16_t)height,
                         .tiles = tiles_of_frame(frame),
                         .frame = walk->uses->frames,
                         .frame_address = CL_GET(frame, TILE_RENDERING_MODE, ADDRESS),
                         .address = address & ADDRESS_MASK & ~UINT32_C(15),
                         .whole = address & ~UINT32_C(15),
                         .whole_size = image.bytes,
                         .record = record};
    use.size = touched(&use, &image);
    add_surface(walk, &use);
}

/* Adds the planes of a dump: colour, and Z with stencil. */
static void add_dump(struct walk *walk, enum cl_use_kind kind, uint32_t address, uint32_t planes)
{
    bool halves = CL_GET(walk->frame, TILE_RENDERING_MODE, DOUBLE_BUFFER) &&
                  !CL_GET(walk->frame, TILE_RENDERING_MODE, MULTISAMPLE);
    struct cl_use use = {.kind = (uint8_t)kind,
                         .threads = CL_BY_RENDERER,
                         .tiles = tiles_of_frame(walk->frame),
                         .frame = walk->uses->frames,
                         .frame_address = CL_GET(walk->frame, TILE_RENDERING_MODE, ADDRESS),
                         .address = address & ADDRESS_MASK,
                         .size = planes * PLANE_BYTES / (halves ? 2u : 1u),
                         .whole = address,
                         .record = walk->record};
    use.whole_size = use.size;
    add_surface(walk, &use);
}

static uint32_t colour_bits(const uint8_t *frame, bool is_8888)
{
    if (CL_GET(frame, TILE_RENDERING_MODE, COLOR_64BIT))
        return 64;
    return is_8888 ? 32 : 16;
}

/* Adds the memory of a general store (record 28) or load (record 29). Both records have the fields
 * that are read here. */
static void add_general(struct walk *walk, const uint8_t *data, bool store)
{
    static const uint8_t kinds[] = {[CL_BUFFER_COLOUR] = CL_USE_FRAME,
                                    [CL_BUFFER_ZS] = CL_USE_DEPTH,
                                    [CL_BUFFER_Z] = CL_USE_DEPTH,
                                    [CL_BUFFER_MASK] = CL_USE_MASK};
    uint32_t buffer = CL_GET(data, STORE_TILE_BUFFER_GENERAL, BUFFER);
    uint32_t address = CL_GET_ADDRESS(data, STORE_TILE_BUFFER_GENERAL, ADDRESS);
    uint32_t bits = buffer == CL_BUFFER_MASK ? 8 : 32;
    if (buffer == CL_BUFFER_NONE || buffer > CL_BUFFER_FULL)
        return;
    if (buffer == CL_BUFFER_COLOUR)
        bits = colour_bits(walk->frame,
                           CL_GET(data, STORE_TILE_BUFFER_GENERAL, PIXEL_FORMAT) == GENERAL_8888);
    uint32_t planes = 2 - CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_COLOR_DUMP) -
                      CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_ZS_DUMP);
    if (buffer == CL_BUFFER_FULL)
        add_dump(walk, store ? CL_USE_DUMP : CL_USE_LOAD, address, planes);
    else
        add_image(walk, store ? (enum cl_use_kind)kinds[buffer] : CL_USE_LOAD, address,
                  CL_GET(data, STORE_TILE_BUFFER_GENERAL, FORMAT), bits, walk->record);
}

static void add_frame(struct walk *walk)
{
    const uint8_t *frame = walk->frame;
    bool is_8888 = CL_GET(frame, TILE_RENDERING_MODE, COLOR_FORMAT) == FRAME_8888;
    add_image(walk, CL_USE_FRAME, CL_GET(frame, TILE_RENDERING_MODE, ADDRESS),
              CL_GET(frame, TILE_RENDERING_MODE, MEMORY_FORMAT), colour_bits(frame, is_8888),
              walk->frame_record);
}

static void take_tile_record(struct walk *walk, uint8_t code, const uint8_t *data)
{
    if (code == CL_TILE_RENDERING_MODE) {
        walk->frame = data;
        walk->frame_record = walk->record;
        walk->uses->frames++;
    }
    if (!walk->frame)
        return;
    switch (code) {
    case CL_STORE_MS_TILE_BUFFER:
    case CL_STORE_MS_TILE_BUFFER_AND_EOF: add_frame(walk); break;
    case CL_STORE_TILE_BUFFER_GENERAL: add_general(walk, data, true); break;
    case CL_LOAD_TILE_BUFFER_GENERAL: add_general(walk, data, false); break;
    case CL_STORE_FULL_RES_TILE_BUFFER:
    case CL_LOAD_FULL_RES_TILE_BUFFER:
        add_dump(walk, code == CL_STORE_FULL_RES_TILE_BUFFER ? CL_USE_DUMP : CL_USE_LOAD,
                 CL_GET_ADDRESS(data, STORE_FULL_RES_TILE_BUFFER, ADDRESS),
                 2 - CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_COLOR) -
                     CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_ZS));
        break;
    }
}

/* --- lists --- */

static void take_record(struct walk *walk, uint8_t code, const uint8_t *data)
{
    switch (code) {
    case CL_TILE_BINNING_MODE: take_binning(walk, data); break;
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: take_shader(walk, code, data); break;
    case CL_VERTEX_ARRAY_PRIMITIVES: draw_array(walk, data); break;
    case CL_INDEXED_PRIMITIVE_LIST: draw_indexed(walk, data); break;
    case CL_VG_COORDINATE_ARRAY_PRIMITIVES:
    case CL_VG_INLINE_PRIMITIVES:
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: add_draw(walk, 0, UINT32_MAX); break;
    case CL_INCREMENT_SEMAPHORE:
    case CL_WAIT_ON_SEMAPHORE: walk->uses->has_semaphore = true; break;
    default: take_tile_record(walk, code, data);
    }
}

/* Returns the address after the coordinates of record 42 (VG inline primitives), or 0 if the end of
 * the coordinates is not found. */
static uint32_t after_coordinates(struct walk *walk, uint32_t address)
{
    const uint32_t end = UINT32_C(0xbfff0000);
    for (const uint8_t *word; spend(walk) && (word = bytes_at(walk, address, 4)); address += 4)
        if (load_le32(word) == end)
            return address + 4;
    return 0;
}

/* Returns the address after the compressed list of record 48 or 49, or 0 if the end of the list is
 * not found. */
static uint32_t after_primitives(struct walk *walk, uint32_t address)
{
    struct primlist_primitive previous = {.valid = false};
    enum primlist_item item = PRIMLIST_PRIMITIVE;
    while (item == PRIMLIST_PRIMITIVE && spend(walk)) {
        size_t left = 0, used = 0;
        unsigned coding;
        int32_t jump;
        const uint8_t *bytes = walk->memory->at(walk->memory->user, address, &left);
        item = bytes ? primlist_read(&walk->format, bytes, left, &previous, &used, &coding, &jump)
                     : PRIMLIST_BAD;
        address += (uint32_t)used;
    }
    return item == PRIMLIST_END ? address : 0;
}

static uint32_t after_inline(struct walk *walk, uint8_t code, const uint8_t *data, uint32_t address)
{
    switch (code) {
    case CL_PRIMITIVE_LIST_FORMAT:
        walk->format.type = CL_GET(data, PRIMITIVE_LIST_FORMAT, TYPE) & 3;
        walk->format.index_bytes = CL_GET(data, PRIMITIVE_LIST_FORMAT, DATA_TYPE) == 3 ? 4 : 2;
        return address;
    case CL_VG_INLINE_PRIMITIVES: return after_coordinates(walk, address);
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return after_primitives(walk, address);
    default: return address;
    }
}

/* Follows branches. Returns false at the list's end. Tile lists are skipped. */
static bool follow(struct walk *walk, uint8_t code, const uint8_t *data, uint32_t *address)
{
    switch (code) {
    case CL_HALT: return false;
    case CL_BRANCH: *address = load_le32(data); return true;
    case CL_BRANCH_TO_SUB_LIST:
        if (is_tile_list(walk, load_le32(data))) {
            walk->uses->has_tile_lists = true;
            return true;
        }
        if (!bytes_at(walk, load_le32(data), 1))
            return true;
        if (walk->depth == SUB_LISTS_MAX)
            return false;
        walk->back[walk->depth++] = *address;
        *address = load_le32(data);
        return true;
    case CL_RETURN_FROM_SUB_LIST:
        if (walk->depth == 0)
            return false;
        *address = walk->back[--walk->depth];
        return true;
    }
    return true;
}

/* Adds the bytes of a record to the memory of the list. Adjacent records become one use. */
static void add_list(struct walk *walk, uint32_t address, uint32_t bytes)
{
    struct cl_uses *uses = walk->uses;
    struct cl_use *last = walk->list > 0 ? &uses->item[walk->list - 1] : NULL;
    if (last && last->address + last->size == (address & ADDRESS_MASK)) {
        last->size += bytes;
        last->whole_size += bytes;
        return;
    }
    size_t count = uses->count;
    add(walk, CL_USE_LIST, address, bytes, 0, walk->thread);
    if (uses->count > count)
        walk->list = uses->count;
}

static void walk_list(struct walk *walk, uint32_t address, uint32_t end)
{
    unsigned left = RECORDS_MAX;
    for (; address != end && left > 0; left--) {
        const uint8_t *id = bytes_at(walk, address, 1);
        const struct cl_packet *packet = id ? cl_packet(*id) : NULL;
        const uint8_t *record = packet ? bytes_at(walk, address, packet->bytes) : NULL;
        if (!record)
            return;
        walk->record = address;
        take_record(walk, record[0], record + 1);
        add_list(walk, address, packet->bytes);
        address = after_inline(walk, record[0], record + 1, address + packet->bytes);
        if (!address || !follow(walk, record[0], record + 1, &address))
            return;
    }
    walk->uses->incomplete |= left == 0;
}

/* Keeps only the memory of the tile binning mode (record 112). A list without record 112 continues
 * to use that memory. */
static void keep_configuration(struct cl_uses *uses)
{
    size_t kept = 0;
    for (size_t i = 0; i < uses->count; i++)
        if (uses->item[i].kind <= CL_USE_POOL)
            uses->item[kept++] = uses->item[i];
    uses->count = kept;
    uses->draws = 0;
    uses->has_semaphore = uses->incomplete = false;
}

void cl_uses_bin(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start, uint32_t end)
{
    keep_configuration(uses);
    struct walk walk = {.uses = uses,
                        .memory = memory,
                        .kept = uses->count,
                        .thread = CL_BY_BINNER,
                        .work = WORK_MAX,
                        .format = {.type = 2, .index_bytes = 2}};
    walk_list(&walk, start, end);
}

void cl_uses_render(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start,
                    uint32_t end, const struct cl_uses *binning)
{
    struct walk walk = {.uses = uses,
                        .memory = memory,
                        .binning = binning,
                        .thread = CL_BY_RENDERER,
                        .work = WORK_MAX,
                        .format = {.type = 2, .index_bytes = 2}};
    uses->count = 0;
    uses->frames = 0;
    uses->has_tile_lists = uses->has_semaphore = false;
    uses->alias = (struct cl_alias){0};
    walk_list(&walk, start, end);
}
