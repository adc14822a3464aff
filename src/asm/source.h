/* SPDX-License-Identifier: MIT */
/* source.h - source files: read once, comments blanked out, cut into lines. */
#ifndef ASM_SOURCE_H
#define ASM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* What a line does to the block structure; known before it is executed. */
enum block_mark {
    MARK_NONE,
    MARK_REP,
    MARK_FOREACH,
    MARK_ENDR,
    MARK_ENDFOR,
    MARK_MACRO,
    MARK_ENDM,
    MARK_FUNC,
    MARK_ENDF,
    MARK_LOCAL,
    MARK_ENDLOC,
    MARK_BACK,
    MARK_ENDB,
    MARK_IF,
    MARK_ELSEIF,
    MARK_ELSE,
    MARK_ENDIF,
};

struct source_file {
    struct source_file *next;
    char *path;
    char *raw, *clean; /* as read, and with comments as blanks; every line ends in a NUL */
    struct source_line *lines;
    size_t line_count;

    /* Where a block comment opens that is never closed: index of the line, and offset in it. */
    bool unclosed;
    size_t unclosed_line, unclosed_offset;
};

struct source_line {
    const struct source_file *file;
    const char *raw, *clean;
    uint32_t number;
    uint32_t length;
    enum block_mark mark;
};

/* Cuts text into lines; NULL if the host is out of memory. semicolons: they begin comments. */
struct source_file *source_from_text(const char *path, const char *text, size_t size,
                                     bool semicolons);

void source_free(struct source_file *files);

/* A directive's block mark by its name, without the dot. */
enum block_mark source_mark(const char *name, size_t length);

/* Their names, for suggestions; NULL at the end. */
const char *source_mark_name(size_t index);

#endif
