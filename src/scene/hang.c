/* SPDX-License-Identifier: MIT */
/* hang.c - loads the state of a hung GPU as a scene. The saved buffer objects become memory, and
 * steps run the saved control lists again from their starts.
 *
 * In:      a file with the word 0 (version), struct drm_vc4_get_hang_state, an array of struct
 *          drm_vc4_get_hang_state_bo whose length is in the state's bo_count, and the contents of
 *          these buffer objects. Words are little-endian. The layout is the same for 32-bit and
 *          64-bit kernels.
 * Out:     segments, symbols and steps, like those that scene_elf.c reads from a scene.
 *
 * Source: anholt/vc4-gpu-tools, tools/vc4_dump_hang_state.c (the file); Linux,
 *         include/uapi/drm/vc4_drm.h (structures), drivers/gpu/drm/vc4/vc4_gem.c (their contents),
 *         vc4_validate.c, vc4_v3d.c (memory for tile lists).
 * Choices: newer kernels keep tile lists in a buffer object that the file does not contain, so this
 *          memory is allocated again. If a rendering list hung after its job's binning list had
 *          finished, the job's tile lists may therefore be missing. The binning list, which is
 *          still at the start of its buffer object, is then run again before the rendering list.
 *          Binning receives new overflow memory. */
#include "scene/hang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/diag.h"
#include "base/order.h"
#include "isa/cl/cl.h"
#include "scene/job_lists.h"

/* Maximum size of a file in bytes. The limit is larger than the 1 GiB address space, because the
 * file contains a buffer object twice if two jobs share it. */
#define MOST_BYTES (UINT32_C(3) << 30)

enum {
    VERSION_BYTES = 4,
    STATE_BYTES = 4 * HANG_WORDS,
    BO_BYTES = 16,
    HEADER_BYTES = VERSION_BYTES + STATE_BYTES,
    OVERFLOW_BYTES = 16 << 20, /* size of the kernel's overflow memory for all jobs */
    MOST_TILE_BYTES = 64 << 20,
    MORE_SYMBOLS = 16,
    ALIGNMENT = 1 << 20,
    SEMAPHORE_BYTES = 19, /* size of semaphore_list, which has the records 112, 6, 7 and 4 */
    SEMAPHORE_MEMORY = 4096,
    LOWEST = 1 << 20, /* Lower addresses stay unmapped, so that null pointers cause findings. */
};

struct maker {
    struct tess_scene *scene;
    struct hang *hang;
    struct elf *elf;
    struct tess_sink sink;
    uint32_t bo_count;  /* number of buffer objects */
    uint32_t semaphore; /* offset of semaphore_list in the file */
};

/* A control list in the saved memory. `size` is 0 if there is no such list. */
struct list {
    uint32_t start, size;
    struct job_list job;
};

/* --- diagnostics --- */

static enum tess_status refuse(const struct maker *m, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum tess_status refuse(const struct maker *m, const char *rule, const char *format, ...)
{
    struct tess_finding diag = {.level = TESS_ERROR,
                                .id = rule,
                                .hint = "see docs/hang.md for the format of the file",
                                .file = m->scene->name};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(m->sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_BAD_INPUT;
}

static void remark(const struct maker *m, const char *rule, const char *text)
{
    const struct tess_finding diag = {.level = TESS_NOTE, .id = rule, .file = m->scene->name};
    diag_report(m->sink, &diag, "%s", text);
}

/* --- memory --- */

/* Returns the index of the first segment that ends after an address. */
static uint32_t segment_behind(const struct elf *elf, uint32_t address)
{
    uint32_t low = 0, high = elf->segment_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (elf->segments[middle].base + elf->segments[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum tess_status insert_segment(struct maker *m, const struct elf_segment *segment)
{
    struct elf *elf = m->elf;
    uint32_t at = segment_behind(elf, segment->base);
    if (!ARRAY_GROW(elf->segments, elf->segment_count))
        return TESS_NO_MEMORY;
    memmove(&elf->segments[at + 1], &elf->segments[at],
            (elf->segment_count - at) * sizeof *elf->segments);
    elf->segments[at] = *segment;
    elf->segment_count++;
    return TESS_OK;
}

/* Adds segments for the parts of a range that are not mapped yet. */
static enum tess_status fill_range(struct maker *m, uint32_t base, uint32_t size)
{
    uint32_t end = base + size;
    while (base < end) {
        uint32_t at = segment_behind(m->elf, base), stop = end;
        if (at < m->elf->segment_count && m->elf->segments[at].base < end)
            stop = m->elf->segments[at].base;
        if (stop <= base) {
            base = m->elf->segments[at].base + m->elf->segments[at].size;
            continue;
        }
        enum tess_status status = insert_segment(
            m, &(struct elf_segment){.base = base, .size = stop - base});
        if (status != TESS_OK)
            return status;
        base = stop;
    }
    return TESS_OK;
}

/* Returns the address of `size` unused bytes, or 0 if no unused range is large enough. */
static uint32_t free_place(const struct elf *elf, uint32_t size)
{
    uint32_t at = LOWEST;
    for (uint32_t i = 0; i < elf->segment_count; i++) {
        const struct elf_segment *segment = &elf->segments[i];
        if (segment->base > at && segment->base - at >= size)
            return at;
        uint32_t end = segment->base + segment->size;
        at = most_u32(at, (end + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1));
    }
    return at <= ELF_ADDRESS_SPACE - size ? at : 0;
}

/* Returns a pointer to the saved bytes at an address and sets *size to the number of bytes up to
 * the end of the buffer object. Sets *size to 0 if no buffer object contains the address. */
static const uint8_t *bytes_at(const struct maker *m, uint32_t address, uint32_t *size)
{
    uint32_t base = address & ELF_ADDRESS_MASK, at = segment_behind(m->elf, base);
    *size = 0;
    if (at == m->elf->segment_count || m->elf->segments[at].base > base)
        return NULL;
    const struct elf_segment *segment = &m->elf->segments[at];
    uint32_t offset = base - segment->base;
    if (offset >= segment->file_size)
        return NULL;
    *size = segment->file_size - offset;
    return m->scene->file.data + segment->file_offset + offset;
}

/* --- symbols --- */

static void name_memory(struct maker *m, const char *name, uint32_t number, uint32_t address,
                        uint32_t size)
{
    struct elf *elf = m->elf;
    if (elf->symbol_count == m->bo_count + MORE_SYMBOLS)
        return;
    char *text = m->hang->names[elf->symbol_count];
    snprintf(text, HANG_NAME, name, number);
    elf->symbols[elf->symbol_count] = (struct elf_symbol){.value = address,
                                                          .size = size,
                                                          .order = elf->symbol_count,
                                                          .info = 1 << 4 /* global symbol */,
                                                          .name = text};
    elf->symbol_count++;
}

/* --- the table of buffer objects --- */

static enum tess_status check_header(struct maker *m)
{
    const struct buffer *file = &m->scene->file;
    if (file->size < HEADER_BYTES)
        return refuse(m, "hang-truncated", "the GPU state is truncated: %zu bytes of %d",
                      file->size, HEADER_BYTES);
    for (uint32_t i = 0; i < HANG_WORDS; i++)
        m->hang->words[i] = load_le32(file->data + VERSION_BYTES + 4 * i);
    m->bo_count = m->hang->words[HANG_BO_COUNT];
    for (uint32_t i = HANG_CT0CS; i <= HANG_ERRSTAT; i++)
        m->hang->has_registers |= m->hang->words[i] != 0;
    if (file->size > MOST_BYTES)
        return refuse(m, "hang-no-memory", "the file is larger than all memory of a VideoCore IV");
    if (m->bo_count == 0)
        return refuse(m, "hang-no-memory", "the state contains no buffer objects");
    if (m->bo_count > ELF_MAX_SEGMENTS)
        return refuse(m, "hang-no-memory",
                      "the state contains %u buffer objects; at most %d are "
                      "read",
                      m->bo_count, ELF_MAX_SEGMENTS);
    if (file->size - HEADER_BYTES < (size_t)m->bo_count * BO_BYTES)
        return refuse(m, "hang-truncated", "the table of %u buffer objects is truncated",
                      m->bo_count);
    return TESS_OK;
}

/* True if the buffer object is already mapped. The file contains a buffer object twice if two jobs
 * that run in parallel share it. */
static bool is_there(const struct maker *m, uint32_t base, uint32_t size)
{
    uint32_t at = segment_behind(m->elf, base);
    return at < m->elf->segment_count && m->elf->segments[at].base == base &&
           m->elf->segments[at].size == size;
}

static enum tess_status add_bo(struct maker *m, uint32_t number, uint64_t *offset)
{
    const uint8_t *entry = m->scene->file.data + HEADER_BYTES + (size_t)number * BO_BYTES;
    uint32_t address = load_le32(entry + 4), size = load_le32(entry + 8);
    uint32_t base = address & ELF_ADDRESS_MASK;
    if (size > m->scene->file.size - *offset)
        return refuse(m, "hang-truncated",
                      "buffer object %u at 0x%08x is truncated: %llu bytes of %u", number, address,
                      (unsigned long long)(m->scene->file.size - *offset), size);
    if (size > ELF_ADDRESS_SPACE - base)
        return refuse(m, "hang-overlap",
                      "buffer object %u at 0x%08x exceeds the 1 GiB address space", number,
                      address);
    struct elf_segment segment = {base, size, (uint32_t)*offset, size};
    *offset += size;
    if (size == 0 || is_there(m, base, size))
        return TESS_OK;
    uint32_t at = segment_behind(m->elf, base);
    if (at < m->elf->segment_count && m->elf->segments[at].base < base + size)
        return refuse(m, "hang-overlap",
                      "buffer object %u at 0x%08x overlaps the buffer object "
                      "at 0x%08x",
                      number, address, m->elf->segments[at].base);
    name_memory(m, "bo%u", number, address, size);
    return insert_segment(m, &segment);
}

static enum tess_status add_bos(struct maker *m)
{
    uint64_t offset = HEADER_BYTES + (uint64_t)m->bo_count * BO_BYTES;
    enum tess_status status = TESS_OK;
    for (uint32_t i = 0; i < m->bo_count && status == TESS_OK; i++)
        status = add_bo(m, i, &offset);
    if (status == TESS_OK && m->elf->segment_count == 0)
        return refuse(m, "hang-no-memory", "all buffer objects are empty");
    return status;
}

/* --- lists --- */

static enum tess_status find_list(struct maker *m, enum hang_word start, enum hang_word end,
                                  const char *name, struct list *list)
{
    uint32_t have, from = m->hang->words[start], to = m->hang->words[end];
    *list = (struct list){0};
    if (from == 0 || from == to) /* no such list was running */
        return TESS_OK;
    const uint8_t *bytes = bytes_at(m, from, &have);
    if (!bytes || to - from > have)
        return refuse(m, "hang-list",
                      "the %s list, 0x%08x to 0x%08x, is not inside of one buffer object", name,
                      from, to);
    *list = (struct list){from, to - from, {bytes, to - from}};
    return TESS_OK;
}

/* Finds the binning list that wrote the tile lists at an address. Drivers place a binning list at
 * the start of a buffer object. */
static bool find_binning(const struct maker *m, uint32_t lists, struct list *bin)
{
    for (uint32_t i = 0; i < m->elf->segment_count; i++) {
        const struct elf_segment *segment = &m->elf->segments[i];
        const uint8_t *bytes = m->scene->file.data + segment->file_offset;
        struct job_list all = {bytes, segment->file_size};
        if (!all.size || *bytes != CL_TILE_BINNING_MODE || !job_makes(&all, lists) ||
            !job_flushed(&all))
            continue;
        all.size = job_flushed(&all);
        *bin = (struct list){segment->base | (lists & ~ELF_ADDRESS_MASK), all.size, all};
        return true;
    }
    return false;
}

/* --- steps --- */

static enum tess_status map_range(struct maker *m, const char *name, uint32_t address,
                                  uint32_t size)
{
    if (size == 0 || size > MOST_TILE_BYTES ||
        size > ELF_ADDRESS_SPACE - (address & ELF_ADDRESS_MASK))
        return TESS_OK;
    name_memory(m, name, 0, address, size);
    return fill_range(m, address & ELF_ADDRESS_MASK, size);
}

static enum tess_status map_tiles(struct maker *m, const struct list *bin)
{
    struct job_tiles tiles;
    if (!bin->size || !job_tiles(&bin->job, &tiles))
        return TESS_OK;
    enum tess_status status = map_range(m, "tile_lists", tiles.lists, tiles.lists_size);
    return status == TESS_OK ? map_range(m, "tile_state", tiles.state, tiles.state_size) : status;
}

static enum tess_status add_overflow(struct maker *m)
{
    uint32_t place = free_place(m->elf, OVERFLOW_BYTES);
    if (!place)
        return TESS_OK;
    name_memory(m, "overflow", 0, place, OVERFLOW_BYTES);
    buffer_printf(&m->hang->text, "write V3D_BPOA 0x%08x\nwrite V3D_BPOS 0x%08x\n", place,
                  OVERFLOW_BYTES);
    return fill_range(m, place, OVERFLOW_BYTES);
}

static enum tess_status add_binning(struct maker *m, const struct list *bin, const char *name)
{
    if (!bin->size)
        return TESS_OK;
    name_memory(m, name, 0, bin->start, bin->size);
    buffer_printf(&m->hang->text, "bin 0x%08x 0x%08x\n", bin->start, bin->start + bin->size);
    return map_tiles(m, bin);
}

/* Writes a substitute for a binning list that has finished. The substitute bins one empty tile and
 * increments the semaphore for which the rendering list waits. */
static void write_semaphore_list(uint8_t *list, uint32_t place)
{
    enum { STATE_AT = 64, LISTS_AT = 128 };
    uint8_t *data = list + 1;
    memset(list, 0, SEMAPHORE_BYTES);
    *list = CL_TILE_BINNING_MODE;
    store_le32(data + CL_TILE_BINNING_MODE_ALLOCATION_ADDRESS_BIT / 8, place + LISTS_AT);
    store_le32(data + CL_TILE_BINNING_MODE_ALLOCATION_SIZE_BIT / 8, SEMAPHORE_MEMORY - LISTS_AT);
    store_le32(data + CL_TILE_BINNING_MODE_STATE_ADDRESS_BIT / 8, place + STATE_AT);
    cl_put_bits(data, CL_TILE_BINNING_MODE_WIDTH_BIT, CL_TILE_BINNING_MODE_WIDTH_WIDTH, 1);
    cl_put_bits(data, CL_TILE_BINNING_MODE_HEIGHT_BIT, CL_TILE_BINNING_MODE_HEIGHT_WIDTH, 1);
    cl_put_bits(data, CL_TILE_BINNING_MODE_AUTO_INITIALISE_BIT, 1, 1);
    list[SEMAPHORE_BYTES - 3] = CL_START_TILE_BINNING;
    list[SEMAPHORE_BYTES - 2] = CL_INCREMENT_SEMAPHORE;
    list[SEMAPHORE_BYTES - 1] = CL_FLUSH;
}

static enum tess_status add_semaphore(struct maker *m)
{
    uint32_t place = free_place(m->elf, SEMAPHORE_MEMORY);
    const struct elf_segment segment = {place, SEMAPHORE_MEMORY, m->semaphore, SEMAPHORE_BYTES};
    if (!place)
        return TESS_OK;
    write_semaphore_list(m->scene->file.data + m->semaphore, place);
    name_memory(m, "semaphore_list", 0, place, SEMAPHORE_BYTES);
    buffer_printf(&m->hang->text, "bin 0x%08x 0x%08x\n", place, place + SEMAPHORE_BYTES);
    return insert_segment(m, &segment);
}

/* Adds the steps that must run before the rendering list. Sets *own to the binning list of the same
 * job, if this list is found. *bin is the running binning list. If *bin belongs to the same job,
 * clears *bin, since a step for it is added. Otherwise leaves *bin to the caller. */
static enum tess_status add_before_rendering(struct maker *m, const struct list *render,
                                             struct list *bin, struct list *own)
{
    uint32_t lists, have;
    bool has_tiles = job_first_tile_list(&render->job, &lists);
    bool is_same = bin->size && (!has_tiles || job_makes(&bin->job, lists));
    enum tess_status status = TESS_OK;
    if (is_same) {
        *own = *bin;
        *bin = (struct list){0};
        status = add_binning(m, own, "bin_list");
    } else if (has_tiles && find_binning(m, lists, own)) {
        status = add_binning(m, own, "done_bin_list");
    } else if (has_tiles && !bytes_at(m, lists, &have)) {
        m->hang->is_whole = false;
        remark(m, "hang-no-tile-lists",
               "the file contains neither the tile lists that the rendering list draws nor the "
               "binning list that wrote them, so the rendering list is not run");
    } else if (job_waits(&render->job)) {
        status = add_semaphore(m);
    }
    return status;
}

static void add_image(struct maker *m, const struct list *bin, const struct list *render)
{
    struct job_picture picture;
    struct image_layout layout;
    uint32_t have;
    if (!job_picture(&bin->job, &render->job, &picture) || picture.width > SCENE_MAX_SIDE ||
        picture.height > SCENE_MAX_SIDE || !bytes_at(m, picture.address, &have))
        return;
    layout_init(&layout, picture.layout, picture.width, picture.height, picture.bits);
    if (layout.size_bytes <= have)
        buffer_printf(&m->hang->text, "image 0x%08x %u %u %s %s hang.png\n", picture.address,
                      picture.width, picture.height, picture.format,
                      scene_layout_names[picture.layout]);
}

static enum tess_status add_steps(struct maker *m)
{
    struct list bin, render, own = {0};
    enum tess_status status = find_list(m, HANG_START_BIN, HANG_CT0EA, "binning", &bin);
    if (status == TESS_OK)
        status = find_list(m, HANG_START_RENDER, HANG_CT1EA, "rendering", &render);
    if (status != TESS_OK)
        return status;
    if (!bin.size && !render.size)
        return refuse(m, "hang-list", "no control list was running");
    if (m->hang->words[HANG_VPMBASE])
        buffer_printf(&m->hang->text, "write V3D_VPMBASE 0x%08x\n", m->hang->words[HANG_VPMBASE]);
    m->hang->is_whole = true;
    status = add_overflow(m);
    if (status == TESS_OK && render.size)
        status = add_before_rendering(m, &render, &bin, &own);
    if (status == TESS_OK && render.size && m->hang->is_whole) {
        name_memory(m, "render_list", 0, render.start, render.size);
        buffer_printf(&m->hang->text, "render 0x%08x 0x%08x\n", render.start,
                      render.start + render.size);
        add_image(m, &own, &render);
    }
    return status == TESS_OK ? add_binning(m, &bin, "bin_list") : status;
}

/* --- entry points --- */

bool hang_is(const struct buffer *file)
{
    return file->size >= VERSION_BYTES && load_le32(file->data) == 0;
}

/* Appends room for semaphore_list to the file. Must be called before the steps are added, which
 * keep pointers into the file. */
static enum tess_status append_semaphore(struct maker *m)
{
    static const uint8_t room[SEMAPHORE_BYTES];
    struct buffer *file = &m->scene->file;
    m->semaphore = (uint32_t)file->size;
    buffer_append(file, room, sizeof room);
    return file->failed ? TESS_NO_MEMORY : TESS_OK;
}

static enum tess_status allocate(struct maker *m)
{
    uint32_t symbols = m->bo_count + MORE_SYMBOLS;
    m->elf->symbols = calloc(symbols, sizeof *m->elf->symbols);
    m->hang->names = calloc(symbols, sizeof *m->hang->names);
    return m->elf->symbols && m->hang->names ? TESS_OK : TESS_NO_MEMORY;
}

enum tess_status hang_read(struct tess_scene *scene, struct tess_sink sink)
{
    static enum tess_status (*const stages[])(struct maker *) = {check_header, allocate, add_bos,
                                                                 append_semaphore, add_steps};
    struct maker maker = {.scene = scene, .elf = &scene->elf, .sink = sink};
    enum tess_status status = TESS_OK;
    maker.hang = scene->hang = calloc(1, sizeof *scene->hang);
    if (!scene->hang)
        return TESS_NO_MEMORY;
    for (size_t i = 0; status == TESS_OK && i < sizeof stages / sizeof *stages; i++)
        status = stages[i](&maker);
    if (status == TESS_OK && scene->hang->text.failed)
        status = TESS_NO_MEMORY;
    scene->elf.text = (const char *)scene->hang->text.data;
    scene->elf.text_size = (uint32_t)scene->hang->text.size;
    return status;
}

void hang_free(struct hang *hang)
{
    if (!hang)
        return;
    buffer_free(&hang->text);
    free(hang->names);
    free(hang);
}
