/* SPDX-License-Identifier: MIT */
/* interface_read.h - what a program calls its inputs and outputs: the lines of its section ".tessera", whichever the machine.
 *
 * In:  text, one thing a line: a word for its kind, a name, decimal numbers, four words of 32 bits for values.
 * Out: entries, and the machine's symbols for them. What is malformed or out of range is a diagnostic. */
#ifndef ISA_INTERFACE_READ_H
#define ISA_INTERFACE_READ_H

#include <tessera/tessera.h>

enum { INTERFACE_NUMBERS = 4, INTERFACE_VALUES = 4 };

/* A number of a line, from least to most; within: not most counts, but as many as are left from the number before it on. */
struct interface_number {
    const char *what; /* in diagnostics; NULL behind the last */
    int32_t least, most;
    bool within;
};

/* A kind of line. */
struct interface_form {
    const char *word;
    int kind;    /* the machine's */
    bool named;  /* a name stands behind the word */
    bool values; /* four words stand at the end */
    struct interface_number numbers[INTERFACE_NUMBERS];
};

struct interface_entry {
    const struct interface_form *form;
    const char *name; /* "" if it has none */
    int32_t numbers[INTERFACE_NUMBERS];
    float values[INTERFACE_VALUES];
};

/* What a machine's interfaces consist of. */
struct interface_kind {
    const char *rule, *hint; /* of diagnostics */
    const struct interface_form *forms;
    size_t form_count;
    size_t symbol_size; /* of what the machine makes of an entry */
    void (*make)(void *symbol, const struct interface_entry *entry);
};

/* Zero-initialise it, free it with interface_free(). */
struct interface_lines {
    struct interface_entry *entries; /* in the order of the lines */
    size_t count;
    char *names;   /* where the names are */
    void *symbols; /* the machine's, one for each entry; NULL if a line is wrong */
};

/* Reads size bytes of text; name is that of the file. All lines are looked at, so that one run shows all mistakes.
 * Errors: TESS_BAD_INPUT, TESS_NO_MEMORY. *lines must be freed in any case. */
enum tess_status interface_read(struct interface_lines *lines, const struct interface_kind *kind,
                                const char *text, size_t size, const char *name,
                                struct tess_sink sink);

void interface_free(struct interface_lines *lines);

#endif
