/* SPDX-License-Identifier: MIT */
/* step_files.c - see steps.h. */
#include "scene/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"
#include "base/image.h"
#include "base/output.h"

/* --- files --- */

/* Returns the path of a step's file, or NULL if the host is out of memory. The caller frees the
 * path. */
static char *step_path(const struct machine *machine, const char *file)
{
    const char *directory = machine->options->directory;
    struct buffer path = {0};
    if (directory && *directory && *file != '/' && strcmp(file, "-") != 0)
        buffer_printf(&path, "%s/", directory);
    buffer_printf(&path, "%s", file);
    buffer_byte(&path, 0);
    if (path.failed)
        buffer_free(&path);
    return (char *)path.data;
}

static void report_write_failure(struct machine *machine, const struct scene_step *step)
{
    struct tess_finding diag = {
        .level = TESS_ERROR, .id = "io", .file = machine->scene->text_name, .line = step->line};
    diag_report(machine->sink, &diag, "%s", tess_outputs_error());
}

static enum tess_status write_file(struct machine *machine, const struct scene_step *step,
                                   const char *file, const struct buffer *content)
{
    char *path = content->failed ? NULL : step_path(machine, file);
    if (!path)
        return TESS_NO_MEMORY;
    enum tess_status status = tess_output_write(path, content->data, content->size);
    if (status == TESS_IO)
        report_write_failure(machine, step);
    else if (status == TESS_OK && machine->options->wrote)
        machine->options->wrote(machine->options->user, path);
    free(path);
    return status;
}

/* --- reserving files --- */

uint32_t step_last(const struct machine *machine)
{
    const struct tess_scene *scene = machine->scene;
    uint32_t last = machine->options->last_frame, frame = 1;
    for (uint32_t i = 0; last && last < machine->frames && i < scene->step_count; i++)
        if (scene->steps[i].kind == STEP_IMAGE && frame++ == last)
            return i + 1;
    return scene->step_count;
}

static enum tess_status reserve(struct machine *machine, const struct scene_step *step,
                                const char *file)
{
    char *path = step_path(machine, file);
    enum tess_status status = path ? output_reserve(path) : TESS_NO_MEMORY;
    if (status == TESS_IO)
        report_write_failure(machine, step);
    free(path);
    return status;
}

/* Reserves a picture's file. If all pictures are written to one pipe or device, only reserves it
 * for the first picture. */
static enum tess_status reserve_picture(struct machine *machine, const struct scene_step *step,
                                        uint32_t frame, bool *one_for_all)
{
    struct buffer name = {0};
    if (*one_for_all)
        return TESS_OK;
    *one_for_all = output_is_one_for_all(machine->options);
    output_name(&name, machine->options->output, step->file, frame);
    enum tess_status status = name.failed ? TESS_NO_MEMORY
                                          : reserve(machine, step, (const char *)name.data);
    buffer_free(&name);
    return status;
}

enum tess_status step_report_lost(struct tess_sink sink, enum tess_status status)
{
    const struct tess_finding diag = {.level = TESS_ERROR, .id = "io"};
    if (status == TESS_IO)
        diag_report(sink, &diag, "%s", tess_outputs_error());
    return status;
}

enum tess_status step_reserve_files(struct machine *machine)
{
    const struct tess_scene_options *options = machine->options;
    uint32_t frame = machine->frame, end = step_last(machine);
    enum tess_status status = TESS_OK;
    bool one_for_all = false;
    for (uint32_t i = 0; i < end && status == TESS_OK; i++) {
        const struct scene_step *step = &machine->scene->steps[i];
        bool wanted = !options->quiet_files && frame >= options->first_frame;
        if (wanted && step->kind == STEP_IMAGE)
            status = reserve_picture(machine, step, frame, &one_for_all);
        else if (wanted && step->kind == STEP_DUMP)
            status = reserve(machine, step, step->file);
        frame += step->kind == STEP_IMAGE && frame < machine->frames;
    }
    if (status == TESS_OK && options->capture)
        status = step_report_lost(machine->sink, output_reserve(options->capture));
    return status;
}

/* --- image --- */

struct picture {
    const uint8_t *memory;
    const struct scene_step *step;
    struct image_layout layout;
    uint32_t channels;
};

/* Widens a channel to 8 bits by repeating the channel's highest bits, so that the maximum becomes
 * 255. */
static uint8_t channel_byte(uint32_t word, uint32_t shift, uint32_t width)
{
    uint32_t value = (uint32_t)bits_get(word, shift + width - 1, shift);
    return (uint8_t)(value << (8 - width) | value >> (2 * width - 8));
}

static void fill_row(void *user, uint32_t y, uint8_t *row)
{
    const struct picture *picture = user;
    const struct pixel_format *format = picture->step->format;
    for (uint32_t x = 0; x < picture->step->width; x++) {
        const uint8_t *pixel = picture->memory + layout_offset(&picture->layout, x, y, NULL);
        uint32_t word = format->bits == 32 ? load_le32(pixel) : load_le16(pixel);
        for (uint32_t c = 0; c < picture->channels; c++)
            *row++ = channel_byte(word, format->channel[c].shift, format->channel[c].width);
    }
}

void step_write_image(struct machine *machine, const struct scene_step *step)
{
    struct picture picture = {.step = step};
    uint32_t size = scene_image_bytes(step, &picture.layout);
    picture.memory = tess_vc4_memory(machine->vc4, step->address, size);
    picture.channels = step->format->channel[3].width ? IMAGE_RGBA : IMAGE_RGB;

    struct buffer png = {0}, name = {0};
    output_name(&name, machine->options->output, step->file, machine->frame);
    enum tess_status status = image_encode(&png, step->width, step->height, picture.channels,
                                           fill_row, &picture);
    if (status == TESS_OK && name.failed)
        status = TESS_NO_MEMORY;
    if (status == TESS_OK)
        status = write_file(machine, step, (const char *)name.data, &png);
    machine_note(machine, status);
    buffer_free(&png);
    buffer_free(&name);
}

/* --- dump --- */

/* Returns the value of an IEEE half (binary16). The conversion to float is exact. */
static float half_float(uint32_t half)
{
    uint32_t exponent = half >> 10 & 31, mantissa = half & 1023;
    float magnitude = exponent == 0   ? ldexpf((float)mantissa, -24)
                      : exponent < 31 ? ldexpf((float)(mantissa | 1024), (int)exponent - 25)
                                      : bits_float(UINT32_C(0x7f800000) | mantissa << 13);
    return half & 0x8000 ? -magnitude : magnitude;
}

static void print_float(struct buffer *out, float value)
{
    if (isnan(value))
        buffer_printf(out, "nan\n");
    else
        buffer_printf(out, "%.9g\n", (double)value);
}

static void print_value(struct buffer *out, const struct value_type *type, const uint8_t *bytes)
{
    uint32_t word = type->bytes == 1   ? bytes[0]
                    : type->bytes == 2 ? load_le16(bytes)
                                       : load_le32(bytes);
    switch (type->kind) {
    case VALUE_UNSIGNED: buffer_printf(out, "%u\n", word); break;
    case VALUE_SIGNED: buffer_printf(out, "%d\n", bits_signed(word, type->bytes * 8)); break;
    case VALUE_HEX: buffer_printf(out, "0x%08x\n", word); break;
    case VALUE_FLOAT:
        print_float(out, type->bytes == 2 ? half_float(word) : bits_float(word));
        break;
    }
}

void step_write_dump(struct machine *machine, const struct scene_step *step)
{
    uint32_t bytes = step->type->bytes;
    const uint8_t *memory = tess_vc4_memory(machine->vc4, step->address, step->count * bytes);
    struct buffer text = {0};
    for (uint32_t i = 0; i < step->count && !text.failed; i++)
        print_value(&text, step->type, memory + (size_t)i * bytes);
    machine_note(machine, write_file(machine, step, step->file, &text));
    buffer_free(&text);
}
