/* SPDX-License-Identifier: MIT */
/* output.c - see steps.h. Patterns of file names have a subset of printf()'s conversions, which is
 * %d, %3d, %03d, and %% for a percent sign. */
#include "scene/steps.h"

#include <string.h>

#include "base/diag.h"

enum { WIDEST = 20 };

static enum tess_status refuse(struct tess_sink sink, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum tess_status refuse(struct tess_sink sink, const char *hint, const char *format, ...)
{
    const struct tess_finding diag = {.level = TESS_ERROR, .id = "scene-output", .hint = hint};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(sink, &diag, format, arguments);
    va_end(arguments);
    return TESS_INVALID;
}

/* Parses a conversion such as "%03d" at text. Sets *width to the width, and *zeros to true if zeros
 * pad the number. Returns the text after the conversion, or NULL if the conversion is invalid. */
static const char *read_number(const char *text, int *width, bool *zeros)
{
    *zeros = text[1] == '0';
    *width = 0;
    for (text++; *text >= '0' && *text <= '9' && *width <= WIDEST; text++)
        *width = *width * 10 + (*text - '0');
    return *text == 'd' && *width <= WIDEST ? text + 1 : NULL;
}

/* Returns the number of conversions in a pattern, or -1 if a conversion is invalid. */
static int count_numbers(const char *output)
{
    int count = 0, width;
    bool zeros;
    while ((output = strchr(output, '%')) != NULL) {
        bool percent = output[1] == '%';
        output = percent ? output + 2 : read_number(output, &width, &zeros);
        if (!output)
            return -1;
        count += !percent;
    }
    return count;
}

static bool is_directory(const char *output)
{
    size_t size = strlen(output);
    return size > 0 && output[size - 1] == '/';
}

static enum tess_status check_frames(const struct tess_scene_options *options, uint32_t frames,
                                     struct tess_sink sink)
{
    uint32_t first = options->first_frame, last = options->last_frame;
    if (!first && !last)
        return TESS_OK;
    if (frames == 0)
        return refuse(sink, NULL, "the scene writes no pictures, so it has no frames to select");
    if (first > frames || last > frames)
        return refuse(sink, NULL, "the scene has %u frames; there is no frame %u", frames,
                      first > frames ? first : last);
    if (last && first > last)
        return refuse(sink, NULL, "the first frame, %u, is after the last frame, %u", first, last);
    return TESS_OK;
}

bool output_is_one_for_all(const struct tess_scene_options *options)
{
    const char *output = options->output;
    return output && (strcmp(output, "-") == 0 || strncmp(output, "/dev/", 5) == 0);
}

enum tess_status output_check(const struct tess_scene_options *options, uint32_t frames,
                              struct tess_sink sink)
{
    static const char hint[] = "write DIR/, or NAME-%03d.png for the picture's number";
    const char *output = options->output;
    uint32_t last = options->last_frame ? options->last_frame : frames;
    uint32_t first = options->first_frame ? options->first_frame : 1;
    enum tess_status status = check_frames(options, frames, sink);
    if (status != TESS_OK || !output || options->quiet_files)
        return status;
    int numbers = count_numbers(output);
    if (numbers < 0)
        return refuse(sink, hint, "invalid conversion in '%s'; only %%d and %%%% are supported",
                      output);
    if (last > first && numbers == 0 && !is_directory(output) && !output_is_one_for_all(options))
        return refuse(sink, hint, "cannot write %u pictures to one file, '%s'", last - first + 1,
                      output);
    return TESS_OK;
}

static const char *last_part(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void expand(struct buffer *name, const char *pattern, uint32_t number)
{
    for (const char *at = pattern; *at;) {
        int width;
        bool zeros;
        if (*at != '%') {
            buffer_byte(name, (uint8_t)*at++);
        } else if (at[1] == '%') {
            buffer_byte(name, '%');
            at += 2;
        } else {
            at = read_number(at, &width, &zeros);
            buffer_printf(name, zeros ? "%0*u" : "%*u", width, number);
        }
    }
}

void output_name(struct buffer *name, const char *output, const char *file, uint32_t number)
{
    if (!output)
        buffer_printf(name, "%s", file);
    else
        expand(name, output, number);
    if (output && is_directory(output))
        buffer_printf(name, "%s", last_part(file));
    buffer_byte(name, 0);
}
