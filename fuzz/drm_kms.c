/* SPDX-License-Identifier: MIT */
/* drm_kms.c - fuzz target: the display of the DRM device, src/shim/drm/kms*.c and scanout.c. The
 * input is a series of steps of a mode-setting program. Steps create buffers and framebuffers of
 * any kind, make atomic commits with properties of any objects, and make legacy requests. Most
 * object numbers are those of existing objects. After each step, the picture of the screen is
 * computed.
 *
 * After the steps, the file is closed, and then no buffer may exist. */
#include <stdlib.h>
#include <string.h>

#include <libdrm/drm_fourcc.h>

#include "shim/common/device_lock.h"
#include "shim/drm/device/device.h"
#include "shim/drm/gem/bo.h"
#include "shim/drm/kms/kms.h"
#include "shim/drm/vc4/gpu.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 48, MOST_PIXELS = 1 << 14, WORDS = 32 };

static struct file *file;
static uint32_t pixels[MOST_PIXELS];
static uint32_t handles[8];
static unsigned handle_count;

struct input {
    const uint8_t *at, *end;
};

static uint32_t take(struct input *input, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && input->at < input->end; i++)
        value |= (uint32_t)*input->at++ << 8 * i;
    return value;
}

/* --- numbers --- */

static uint32_t take_object(struct input *input)
{
    return take(input, 1) % (KMS_ID_FREE + 24);
}

static uint32_t take_handle(struct input *input)
{
    return handles[take(input, 1) % 8];
}

/* Returns a small positive or negative number, a fixed-point number, an object's number, or any
 * number. */
static uint64_t take_value(struct input *input)
{
    switch (take(input, 1) % 6) {
    case 0: return take(input, 1);
    case 1: return (uint64_t)take(input, 1) << 16;
    case 2: return (uint64_t) - (int64_t)take(input, 1);
    case 3: return take_object(input);
    case 4: return take(input, 4);
    default: return take(input, 4) | (uint64_t)take(input, 4) << 32;
    }
}

/* --- steps --- */

static void make_buffer(struct input *input)
{
    struct drm_mode_create_dumb create = {
        .width = take(input, 1), .height = take(input, 1), .bpp = 8u << take(input, 1) % 3};
    if (kms_create_dumb(file, &create) != 0)
        return;
    struct bo *bo = file_bo(file, create.handle);
    bo_set_tiled(bo, take(input, 1) & 1);
    memset(bo->memory.host, (int)take(input, 1), bo->size);
    handles[handle_count++ % 8] = create.handle;
}

static void drop_buffer(struct input *input)
{
    struct drm_mode_destroy_dumb destroy = {take_handle(input)};
    kms_destroy_dumb(file, &destroy);
}

static void add_fb(struct input *input)
{
    const struct scanout_format *format = scanout_format_at(take(input, 1) % 20);
    struct drm_mode_fb_cmd2 add = {
        .width = take(input, 1), .height = take(input, 1), .pixel_format = format->fourcc};
    add.flags = take(input, 1) & 3;
    for (unsigned i = 0; i < format->parts; i++) {
        add.handles[i] = take_handle(input);
        add.pitches[i] = add.width * format->bytes[i] + (take(input, 1) & 0x80 ? 64 : 0);
        add.offsets[i] = take(input, 2);
        add.modifier[i] = add.flags & 2 && add.offsets[0] & 1 ? DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED
                                                              : 0;
    }
    kms_add_fb2(file, &add);
}

static void remove_fb(struct input *input)
{
    unsigned id = take_object(input);
    kms_remove_fb(file, &id);
}

static struct drm_mode_modeinfo take_mode(struct input *input)
{
    struct drm_mode_modeinfo mode = *kms_mode(0);
    if (take(input, 1) & 1)
        mode.hdisplay = (uint16_t)take(input, 2);
    if (take(input, 1) & 1)
        mode.flags = take(input, 4);
    return mode;
}

static void make_blob(struct input *input)
{
    uint16_t table[KMS_CURVE_SIZE * 4];
    struct drm_mode_modeinfo mode = take_mode(input);
    struct drm_color_ctm matrix;
    const void *const contents[] = {&mode, &matrix, table, table};
    const uint32_t sizes[] = {sizeof mode, sizeof matrix, sizeof table, take(input, 1)};
    unsigned kind = take(input, 1) % 4;
    memset(table, (int)take(input, 1), sizeof table);
    for (unsigned i = 0; i < 9; i++)
        matrix.matrix[i] = take_value(input) << (take(input, 1) % 64);
    struct drm_mode_create_blob create = {.data = (uintptr_t)contents[kind], .length = sizes[kind]};
    kms_create_blob(file, &create);
}

static void drop_blob(struct input *input)
{
    struct drm_mode_destroy_blob destroy = {take_object(input)};
    kms_destroy_blob(file, &destroy);
}

/* Commits several properties of one object. */
static void commit(struct input *input)
{
    uint32_t object = take_object(input), count = take(input, 1) % WORDS, ids[WORDS];
    uint64_t values[WORDS];
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = KMS_ID_PROPERTY + take(input, 1) % (KMS_PROPERTIES + 2);
        values[i] = ids[i] == KMS_ID_PROPERTY + KMS_OUT_FENCE_PTR ? 0 : take_value(input);
    }
    struct drm_mode_atomic atomic = {.flags = take(input, 2) & DRM_MODE_ATOMIC_FLAGS,
                                     .count_objs = 1,
                                     .objs_ptr = (uintptr_t)&object,
                                     .count_props_ptr = (uintptr_t)&count,
                                     .props_ptr = (uintptr_t)ids,
                                     .prop_values_ptr = (uintptr_t)values};
    kms_atomic(file, &atomic);
}

static void set_crtc(struct input *input)
{
    uint32_t connector = KMS_ID_CONNECTOR;
    struct drm_mode_crtc set = {.set_connectors_ptr = (uintptr_t)&connector,
                                .count_connectors = take(input, 1) % 3,
                                .crtc_id = KMS_ID_CRTC,
                                .fb_id = take_object(input),
                                .x = take(input, 1),
                                .mode_valid = take(input, 1) & 1,
                                .mode = take_mode(input)};
    kms_set_crtc(file, &set);
}

static void set_plane(struct input *input)
{
    struct drm_mode_set_plane set = {.plane_id = take_object(input),
                                     .crtc_id = KMS_ID_CRTC,
                                     .fb_id = take_object(input),
                                     .crtc_x = (int32_t)take_value(input),
                                     .crtc_y = (int32_t)take_value(input),
                                     .crtc_w = (uint32_t)take_value(input),
                                     .crtc_h = (uint32_t)take_value(input),
                                     .src_x = (uint32_t)take_value(input),
                                     .src_y = (uint32_t)take_value(input),
                                     .src_w = (uint32_t)take_value(input),
                                     .src_h = (uint32_t)take_value(input)};
    kms_set_plane(file, &set);
}

static void flip(struct input *input)
{
    struct drm_mode_crtc_page_flip flip = {
        .crtc_id = KMS_ID_CRTC, .fb_id = take_object(input), .flags = take(input, 1)};
    kms_page_flip(file, &flip);
}

static void set_cursor(struct input *input)
{
    struct drm_mode_cursor2 cursor = {.flags = take(input, 1),
                                      .crtc_id = KMS_ID_CRTC,
                                      .x = (int32_t)take_value(input),
                                      .y = (int32_t)take_value(input),
                                      .width = take(input, 1),
                                      .height = take(input, 1),
                                      .handle = take_handle(input)};
    kms_cursor2(file, &cursor);
}

static void set_property(struct input *input)
{
    struct drm_mode_obj_set_property set = {
        .value = take_value(input), .prop_id = take(input, 1), .obj_id = take_object(input)};
    kms_set_property(file, &set);
}

static void look(void)
{
    const struct drm_mode_modeinfo *mode = kms_state_mode(kms_state());
    if (mode && (uint32_t)mode->hdisplay * mode->vdisplay <= MOST_PIXELS)
        kms_picture(pixels);
}

/* --- the target --- */

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    setenv("TESSERA_MEMORY", "16777216", 1);
    setenv("TESSERA_MODE", "48x32@240", 1);
    device_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const steps[])(struct input * input) = {
        make_buffer, make_buffer, drop_buffer, add_fb,       add_fb, add_fb,   remove_fb,
        make_blob,   drop_blob,   commit,      commit,       commit, set_crtc, set_crtc,
        set_plane,   set_plane,   set_cursor,  set_property, flip};
    struct input input = {data, data + size};
    handle_count = 0;
    memset(handles, 0, sizeof handles);
    device_lock();
    file = file_create(FILE_CARD);
    if (!file)
        abort();
    file->client_caps = UINT64_MAX;
    for (unsigned i = 0; i < STEPS && input.at < input.end; i++) {
        steps[take(&input, 1) % (sizeof steps / sizeof *steps)](&input);
        look();
    }
    file_destroy(file);
    if (bo_first())
        abort();
    device_unlock();
    return 0;
}
