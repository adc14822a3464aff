/* SPDX-License-Identifier: MIT */
/* written_files.c - see written_files.h.
 *
 * In:  names of files during the run; the sizes of the files at the end of the run.
 * Out: a line per file on standard error. Terminals, pipes and devices are not listed. */
#include "written_files.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MOST = 1024, PNG_HEADER = 24, SHOWN_MOST = 8 };

static struct {
    bool on;
    struct {
        char *path, *contents; /* contents is NULL if the file's size is printed */
    } files[FILES_MOST];
    size_t count, all;
} wrote;

void written_files_begin(void)
{
    wrote.on = true;
}

static bool is_noted(const char *path)
{
    for (size_t i = 0; i < wrote.count; i++)
        if (strcmp(wrote.files[i].path, path) == 0)
            return true;
    return false;
}

static void note(const char *path, const char *contents)
{
    if (!path || strcmp(path, "-") == 0 || is_noted(path))
        return;
    wrote.all++;
    if (wrote.count == FILES_MOST || !(wrote.files[wrote.count].path = strdup(path)))
        return;
    wrote.files[wrote.count++].contents = contents ? strdup(contents) : NULL;
}

void written_files_note(const char *path)
{
    if (wrote.on)
        note(path, NULL);
}

void written_files_note_contents(const char *path, const char *contents)
{
    note(path, contents);
}

static uint32_t load_be32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads the size of a PNG file (PNG specification, 5.2 and 11.2.2). Returns false if the file is
 * not a PNG file. */
static bool find_size(FILE *file, uint32_t *width, uint32_t *height)
{
    uint8_t header[PNG_HEADER];
    if (!file || fread(header, 1, sizeof header, file) != sizeof header ||
        memcmp(header, "\x89PNG\r\n\x1a\n", 8) != 0)
        return false;
    *width = load_be32(header + 16);
    *height = load_be32(header + 20);
    return true;
}

static void print(const char *path, const char *contents)
{
    struct stat found;
    uint32_t width, height;
    if (contents) {
        fprintf(stderr, "wrote %s (%s)\n", path, contents);
        return;
    }
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
        return;
    FILE *file = fopen(path, "rbe");
    if (find_size(file, &width, &height))
        fprintf(stderr, "wrote %s (%" PRIu32 "x%" PRIu32 ")\n", path, width, height);
    else
        fprintf(stderr, "wrote %s (%jd byte%s)\n", path, (intmax_t)found.st_size,
                found.st_size == 1 ? "" : "s");
    if (file)
        fclose(file);
}

void written_files_end(bool shall_print)
{
    size_t shown = wrote.all > SHOWN_MOST + 1 ? SHOWN_MOST : wrote.count;
    for (size_t i = 0; i < wrote.count; i++) {
        if (shall_print && i < shown)
            print(wrote.files[i].path, wrote.files[i].contents);
        free(wrote.files[i].path);
        free(wrote.files[i].contents);
    }
    if (shall_print && wrote.all > shown)
        fprintf(stderr, "wrote %zu more files\n", wrote.all - shown);
    wrote.on = false;
    wrote.count = wrote.all = 0;
}
