/* SPDX-License-Identifier: MIT */
/* source.h - source files: each is read once, comments are replaced by blanks, and the text is
 * split into lines. */
#ifndef ASM_SOURCE_H
#define ASM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* Effect of a line on the block structure, determined before the line is executed. */
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
    /* raw is the text as read, clean is the text with comments replaced by blanks. A NUL ends each
     * line. */
    char *raw, *clean;
    struct source_line *lines;
    size_t line_count;

    /* unclosed is true if a block comment is not closed. The other members are the index of the
     * line that opens the comment, and the offset in that line. */
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

/* Splits text into lines. If semicolons is true, ";" begins a comment. Returns NULL if the host is
 * out of memory. */
struct source_file *source_from_text(const char *path, const char *text, size_t size,
                                     bool semicolons);

void source_free(struct source_file *files);

/* Returns the block mark of a directive name without its dot. */
enum block_mark source_mark(const char *name, size_t length);

/* Returns the name of block directive number index, or NULL after the last; used for
 * suggestions. */
const char *source_mark_name(size_t index);

#endif
