/* SPDX-License-Identifier: MIT */
/* baseline.c - see baseline.h.
 *
 * In:      a file of known findings; findings.
 * Out: for each finding, true if the file contains it; the new contents of the file.
 *
 * Choices: runs of blanks and control characters become single blanks. A finding of a rule that is
 *          reported several times at one place counts once. */
#define _GNU_SOURCE /* realpath() */
#include "front/baseline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "front/source_line.h"

enum { PLACE_BYTES = 4096, LINE_BYTES = 3 * PLACE_BYTES, ENTRIES_MOST = 1 << 20, TEXT_BYTES = 400 };

/* Word that begins a line of baseline_append(). */
#define APPENDED "known\t"

/* An entry: its line in the file, and the place of the finding that matched the entry, or "" if no
 * finding has matched it. */
struct entry {
    char *line, *place;
};

struct baseline {
    /* folder of the baseline file, with a slash at the end; "" if unknown */
    char folder[PLACE_BYTES];
    struct entry *entries;
    size_t count, appended;
};

static const char comment[] =
    "# Known findings of tessera: rule, file and source line of each (docs/ci.md).\n";

struct baseline *baseline_new(const char *path)
{
    struct baseline *baseline = calloc(1, sizeof *baseline);
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL, *real = NULL;
    if (!baseline || !folder) {
        free(folder);
        baseline_free(baseline);
        return NULL;
    }
    if (slash)
        slash[slash == folder] = 0;
    real = realpath(slash ? folder : ".", NULL);
    if (real && strlen(real) + 2 < sizeof baseline->folder)
        snprintf(baseline->folder, sizeof baseline->folder, "%s%s", real,
                 strcmp(real, "/") == 0 ? "" : "/");
    free(real);
    free(folder);
    return baseline;
}

void baseline_free(struct baseline *baseline)
{
    if (!baseline)
        return;
    for (size_t i = 0; i < baseline->count; i++) {
        free(baseline->entries[i].line);
        free(baseline->entries[i].place);
    }
    free(baseline->entries);
    free(baseline);
}

size_t baseline_count(const struct baseline *baseline)
{
    return baseline->count;
}

static bool add(struct baseline *baseline, const char *line, const char *place)
{
    if (!ARRAY_GROW(baseline->entries, baseline->count))
        return false;
    struct entry entry = {strdup(line), strdup(place)};
    if (!entry.line || !entry.place || baseline->count == ENTRIES_MOST) {
        free(entry.line);
        free(entry.place);
        return false;
    }
    baseline->entries[baseline->count++] = entry;
    return true;
}

/* --- the file --- */

static enum tess_status refuse(const char *path, struct tess_sink sink, uint32_t line,
                               const char *text, const char *hint)
{
    const struct tess_finding diag = {.level = TESS_ERROR,
                                      .id = line ? "baseline-line" : "baseline-file",
                                      .text = text,
                                      .hint = hint,
                                      .file = path,
                                      .line = line};
    if (sink.report)
        sink.report(sink.user, &diag);
    return line ? TESS_BAD_INPUT : TESS_IO;
}

static bool is_entry(const char *line)
{
    const char *first = strchr(line, '\t'), *second = first ? strchr(first + 1, '\t') : NULL;
    return first && first > line && second && !strchr(second + 1, '\t');
}

static enum tess_status read_lines(struct baseline *baseline, const char *path, FILE *file,
                                   struct tess_sink sink)
{
    char line[LINE_BYTES];
    for (uint32_t number = 1; fgets(line, sizeof line, file); number++) {
        size_t length = strcspn(line, "\r\n");
        bool whole = line[length] || feof(file);
        line[length] = 0;
        if (length == 0 || line[0] == '#')
            continue;
        if (!whole || !is_entry(line))
            return refuse(path, sink, number,
                          "expected a rule, a file and a source line, separated by tabs",
                          "write the file with --write-baseline");
        if (!add(baseline, line, ""))
            return TESS_NO_MEMORY;
    }
    return TESS_OK;
}

enum tess_status baseline_read(struct baseline *baseline, const char *path, struct tess_sink sink)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return refuse(path, sink, 0, "cannot read the baseline",
                      "write a baseline of the current findings with --write-baseline");
    enum tess_status status = read_lines(baseline, path, file, sink);
    if (ferror(file))
        status = refuse(path, sink, 0, "cannot read the baseline", NULL);
    fclose(file);
    return status;
}

static int by_line(const void *one, const void *other)
{
    return strcmp(((const struct entry *)one)->line, ((const struct entry *)other)->line);
}

void baseline_write(const struct baseline *baseline, FILE *stream)
{
    if (baseline->count)
        qsort(baseline->entries, baseline->count, sizeof *baseline->entries, by_line);
    fputs(comment, stream);
    for (size_t i = 0; i < baseline->count; i++)
        fprintf(stream, "%s\n", baseline->entries[i].line);
}

void baseline_append(struct baseline *baseline, FILE *stream)
{
    for (; baseline->appended < baseline->count; baseline->appended++)
        fprintf(stream, APPENDED "%s\n", baseline->entries[baseline->appended].line);
}

bool baseline_take(struct baseline *baseline, const char *line)
{
    char entry[LINE_BYTES];
    if (strncmp(line, APPENDED, sizeof APPENDED - 1) != 0)
        return true;
    line += sizeof APPENDED - 1;
    snprintf(entry, sizeof entry, "%.*s", (int)strcspn(line, "\r\n"), line);
    return !is_entry(entry) || add(baseline, entry, "");
}

/* --- findings --- */

/* Appends text with single blanks in place of runs of blanks and control characters. */
static void append(char *line, size_t size, const char *text)
{
    size_t length = strlen(line), start = length;
    bool blank = false;
    for (; *text && length + 2 < size && length - start < TEXT_BYTES; text++) {
        if ((unsigned char)*text <= ' ') {
            blank = length > start;
            continue;
        }
        if (blank)
            line[length++] = ' ';
        line[length++] = *text;
        blank = false;
    }
    line[length] = 0;
}

/* Appends the file's path relative to the baseline's folder. */
static void append_file(const struct baseline *baseline, char *line, size_t size, const char *file)
{
    char *real = realpath(file, NULL);
    size_t folder = strlen(baseline->folder);
    bool below = real && folder && strncmp(real, baseline->folder, folder) == 0;
    append(line, size, below ? real + folder : file);
    free(real);
}

static void describe(const struct baseline *baseline, const struct tess_finding *diag,
                     const char *key, char line[LINE_BYTES], char place[PLACE_BYTES])
{
    char source[TEXT_BYTES];
    const char *text = diag->source_line;
    if (!text && diag->file && diag->line &&
        source_line_read(diag->file, diag->line, source, sizeof source))
        text = source;
    if (!text)
        text = key ? key : "";
    line[0] = 0;
    append(line, LINE_BYTES, diag->id ? diag->id : "?");
    strcat(line, "\t");
    append_file(baseline, line, LINE_BYTES, diag->file ? diag->file : "-");
    strcat(line, "\t");
    append(line, LINE_BYTES, text);
    snprintf(place, PLACE_BYTES, "%s:%" PRIu32 ":%" PRIu32 ":%s", diag->file ? diag->file : "-",
             diag->line, diag->column, diag->line || !key ? "" : key);
}

bool baseline_has(struct baseline *baseline, const struct tess_finding *diag, const char *key)
{
    char line[LINE_BYTES], place[PLACE_BYTES];
    struct entry *unused = NULL;
    describe(baseline, diag, key, line, place);
    for (size_t i = 0; i < baseline->count; i++) {
        struct entry *entry = &baseline->entries[i];
        if (strcmp(entry->line, line) != 0)
            continue;
        if (strcmp(entry->place, place) == 0)
            return true;
        if (!entry->place[0] && !unused)
            unused = entry;
    }
    char *met = unused ? strdup(place) : NULL;
    if (met) {
        free(unused->place);
        unused->place = met;
    }
    return unused != NULL;
}

bool baseline_add(struct baseline *baseline, const struct tess_finding *diag, const char *key)
{
    char line[LINE_BYTES], place[PLACE_BYTES];
    describe(baseline, diag, key, line, place);
    for (size_t i = 0; i < baseline->count; i++)
        if (strcmp(baseline->entries[i].line, line) == 0 &&
            strcmp(baseline->entries[i].place, place) == 0)
            return true;
    return add(baseline, line, place);
}
