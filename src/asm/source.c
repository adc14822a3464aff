/* SPDX-License-Identifier: MIT */
/* source.c - see source.h.
 *
 * Comments are those of the vc4asm dialect: "#" and "//" up to the end of the line, and C's block
 * comments over any number of lines. ";" separates the halves of an instruction, unless the
 * instruction set uses ";" for comments. */
#include "asm/source.h"

#include <stdlib.h>
#include <string.h>

#include "asm/expr.h"
#include "asm/symbols.h"
#include "base/ascii.h"

static const struct {
    const char *name;
    enum block_mark mark;
} marks[] = {
    /* clang-format off */
    {"rep",     MARK_REP},
    {"rept",    MARK_REP},
    {"endr",    MARK_ENDR},
    {"endrep",  MARK_ENDR},
    {"foreach", MARK_FOREACH},
    {"endfor",  MARK_ENDFOR},
    {"macro",   MARK_MACRO},
    {"endm",    MARK_ENDM},
    {"func",    MARK_FUNC},
    {"endf",    MARK_ENDF},
    {"endfunc", MARK_ENDF},
    {"local",   MARK_LOCAL},
    {"endloc",  MARK_ENDLOC},
    {"back",    MARK_BACK},
    {"endb",    MARK_ENDB},
    {"endback", MARK_ENDB},
    {"if",      MARK_IF},
    {"ifset",   MARK_IF},
    {"elseif",  MARK_ELSEIF},
    {"elif",    MARK_ELSEIF},
    {"else",    MARK_ELSE},
    {"endif",   MARK_ENDIF},
    /* clang-format on */
};

enum block_mark source_mark(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (length > 0 && marks[i].name[0] == name[0] && strlen(marks[i].name) == length &&
            memcmp(marks[i].name, name, length) == 0)
            return marks[i].mark;
    return MARK_NONE;
}

const char *source_mark_name(size_t index)
{
    return index < sizeof marks / sizeof marks[0] ? marks[index].name : NULL;
}

/* Returns a line's block mark. A block directive is the first word of its line, possibly after
 * labels. */
static enum block_mark line_mark(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && text[at] != '.') {
        if (!asm_is_blank(text[at]) && !ascii_in_name(text[at]) && text[at] != ':')
            return MARK_NONE;
        at++;
    }
    if (at == length)
        return MARK_NONE;
    return source_mark(text + at + 1, asm_name_length(text, length, at + 1));
}

/* Returns the end of the quoted text at text[at]. An unclosed string ends at the end of its line.
 * If an apostrophe does not begin a character constant, only the apostrophe is skipped. */
static size_t skip_quoted(const char *text, size_t size, size_t at)
{
    char quote = text[at];
    size_t longest = quote == '"' ? size : at + strlen("'\\x00'");
    size_t end = at + 1;
    for (; end < size && end < longest && text[end] != '\n'; end++) {
        if (text[end] == '\\' && end + 1 < size && text[end + 1] != '\n')
            end++;
        else if (text[end] == quote)
            return end + 1;
    }
    return quote == '"' ? end : at + 1;
}

static size_t blank(char *text, size_t at, size_t end)
{
    for (; at < end; at++)
        if (text[at] != '\n')
            text[at] = ' ';
    return end;
}

static size_t find(const char *text, size_t size, size_t at, const char *what)
{
    size_t length = strlen(what);
    while (at + length <= size) {
        const char *first = memchr(text + at, what[0], size - at - length + 1);
        if (!first)
            break;
        at = (size_t)(first - text);
        if (memcmp(first, what, length) == 0)
            return at;
        at++;
    }
    return size;
}

/* Replaces comments by blanks. Returns the offset of a block comment that is never closed, or size
 * if all are closed. */
static size_t blank_comments(char *text, size_t size, bool semicolons)
{
    size_t at = 0, unclosed = size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        at = blank(text, 0, 3);
    while (at < size) {
        bool two = at + 1 < size && text[at] == '/';
        if (text[at] == '"' || text[at] == '\'')
            at = skip_quoted(text, size, at);
        else if (text[at] == '#' || (semicolons && text[at] == ';') || (two && text[at + 1] == '/'))
            at = blank(text, at, find(text, size, at, "\n"));
        else if (two && text[at + 1] == '*') {
            size_t end = find(text, size, at + 2, "*/");
            unclosed = end == size ? at : size;
            at = blank(text, at, end == size ? size : end + 2);
        } else
            at++;
    }
    return unclosed;
}

static size_t count_lines(const char *text, size_t size)
{
    size_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

/* Replaces NULs by a character that is invalid in every statement, and a final carriage return by a
 * blank. */
static void clean_line(struct source_file *file, size_t start, size_t end)
{
    char *raw = file->raw, *nul;
    while ((nul = memchr(raw + start, '\0', end - start)))
        *nul = file->clean[nul - raw] = '\x01';
    if (end > start && raw[end - 1] == '\r')
        raw[end - 1] = file->clean[end - 1] = ' ';
}

/* Splits the text into lines and ends each one with a NUL. */
static void cut_lines(struct source_file *file, size_t size)
{
    for (size_t start = 0, at; start <= size; start = at + 1) {
        const char *end = memchr(file->raw + start, '\n', size - start);
        at = end ? (size_t)(end - file->raw) : size;
        clean_line(file, start, at);
        file->raw[at] = file->clean[at] = '\0';
        struct source_line *line = &file->lines[file->line_count++];
        *line = (struct source_line){.file = file,
                                     .raw = file->raw + start,
                                     .clean = file->clean + start,
                                     .number = (uint32_t)file->line_count,
                                     .length = (uint32_t)(at - start)};
        line->mark = line_mark(line->clean, line->length);
    }
}

static void note_unclosed(struct source_file *file, size_t at)
{
    size_t line = 0;
    while (line + 1 < file->line_count && file->lines[line + 1].raw <= file->raw + at)
        line++;
    file->unclosed = true;
    file->unclosed_line = line;
    file->unclosed_offset = at - (size_t)(file->lines[line].raw - file->raw);
}

struct source_file *source_from_text(const char *path, const char *text, size_t size,
                                     bool semicolons)
{
    struct source_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->path = asm_copy(path, strlen(path));
    file->raw = asm_copy(text, size);
    file->clean = asm_copy(text, size);
    file->lines = calloc(count_lines(text, size), sizeof *file->lines);
    if (!file->path || !file->raw || !file->clean || !file->lines) {
        source_free(file);
        return NULL;
    }
    size_t unclosed = blank_comments(file->clean, size, semicolons);
    cut_lines(file, size);
    if (unclosed < size)
        note_unclosed(file, unclosed);
    return file;
}

void source_free(struct source_file *files)
{
    while (files) {
        struct source_file *next = files->next;
        free(files->path);
        free(files->raw);
        free(files->clean);
        free(files->lines);
        free(files);
        files = next;
    }
}
