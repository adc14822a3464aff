/* SPDX-License-Identifier: MIT */
/* frames.c - writes and compares the pictures of a machine's display.
 *
 * In:  the display's pixels.
 * Out: PNG files; messages. */
#include "cli/pi/frames.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tessera/draw.h>
#include <tessera/isa.h>

#include "cli/input_file.h"
#include "cli/output.h"

enum { LARGEST = 64 << 20, PATH_SIZE = 4096 };

bool frames_make_folder(const char *title, const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0 ||
        (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    fprintf(stderr, "%s: --frames %s: %s\n", title, folder, strerror(errno));
    return false;
}

static uint64_t hash_of(const uint8_t *bytes, size_t size, uint64_t hash)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool frames_write(const char *title, struct tess_pi_machine *machine, const char *path)
{
    uint8_t *bytes;
    size_t size;
    struct output output;
    if (tess_pi_machine_png(machine, &bytes, &size) != TESS_OK) {
        fprintf(stderr,
                "%s: there is no picture to write to '%s', because the kernel has no "
                "framebuffer; allocate one by mailbox tag 0x40001\n",
                title, path);
        return false;
    }
    bool good = output_open(&output, title, path);
    if (good) {
        fwrite(bytes, 1, size, output.stream);
        good = output_close(&output);
    }
    tess_free(bytes);
    return good;
}

static bool write_numbered(struct frames *frames, struct tess_pi_machine *machine)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/frame-%05u.png", frames->folder, frames->count);
    return frames_write(frames->title, machine, path);
}

bool frames_look(struct frames *frames, struct tess_pi_machine *machine, bool *is_new)
{
    struct picture picture;
    *is_new = false;
    if (tess_pi_machine_picture(machine, &picture.width, &picture.height, &picture.rgba) !=
        TESS_OK) {
        fprintf(stderr, "%s: out of memory\n", frames->title);
        return false;
    }
    if (!picture.rgba)
        return true;
    uint64_t hash = hash_of(picture.rgba, (size_t)picture.width * picture.height * 4,
                            (uint64_t)picture.width << 32 | picture.height);
    frames_free(frames);
    frames->picture = picture;
    if (hash == frames->hash)
        return true;
    frames->hash = hash;
    frames->count++;
    *is_new = true;
    return !frames->folder || write_numbered(frames, machine);
}

void frames_free(struct frames *frames)
{
    tess_free(frames->picture.rgba);
    frames->picture.rgba = NULL;
}

static void report(void *user, const struct tess_finding *diag)
{
    fprintf(stderr, "%s: '%s' %s\n", (const char *)user, diag->file, diag->text);
}

/* Compares pixels, and names the first one that differs. */
static bool compare(const char *title, const char *path, const uint8_t *pixels,
                    const uint8_t *expected_pixels, uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t *is = pixels + (size_t)4 * i, *expected = expected_pixels + (size_t)4 * i;
        if (memcmp(is, expected, 3) == 0)
            continue;
        fprintf(stderr,
                "%s: the picture differs from '%s': pixel (%" PRIu32 ", %" PRIu32
                ") is %u, %u, %u; expected %u, %u, %u\n",
                title, path, i % width, i / width, is[0], is[1], is[2], expected[0], expected[1],
                expected[2]);
        return false;
    }
    return true;
}

static bool compare_file(const char *title, struct tess_pi_machine *machine, const char *path,
                         const uint8_t *bytes, size_t size)
{
    uint32_t width, height, own_width, own_height;
    uint8_t *rgba = NULL, *own = NULL;
    bool good = false;
    if (tess_png_read(bytes, size, &width, &height, &rgba) != TESS_OK)
        fprintf(stderr, "%s: '%s' is not a PNG file\n", title, path);
    else if (tess_pi_machine_picture(machine, &own_width, &own_height, &own) != TESS_OK || !own)
        fprintf(stderr, "%s: there is no picture to compare with '%s'\n", title, path);
    else if (own_width != width || own_height != height)
        fprintf(stderr,
                "%s: the picture has %" PRIu32 "x%" PRIu32 " pixels; '%s' has %" PRIu32 "x%" PRIu32
                "\n",
                title, own_width, own_height, path, width, height);
    else
        good = compare(title, path, own, rgba, width, height);
    tess_free(rgba);
    tess_free(own);
    return good;
}

bool frames_expect(const char *title, struct tess_pi_machine *machine, const char *path)
{
    uint8_t *bytes;
    size_t size;
    if (!input_file_read(path, LARGEST, (struct tess_sink){report, (void *)(uintptr_t)title},
                         &bytes, &size))
        return false;
    bool good = compare_file(title, machine, path, bytes, size);
    free(bytes);
    return good;
}
