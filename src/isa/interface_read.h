/* SPDX-License-Identifier: MIT */
/* interface_read.h - reads a program's interface from the lines of its section ".tessera". An
 * interface has the names of the program's inputs and outputs. Used for every machine that has
 * interfaces.
 *
 * In:  text with one entry per line: a word for its kind, a name, decimal numbers, four 32-bit
 *      words for values.
 * Out: entries, and the machine's symbols for the entries. Lines that are malformed or have a
 *      number out of range are reported. */
#ifndef ISA_INTERFACE_READ_H
#define ISA_INTERFACE_READ_H

#include <tessera/tessera.h>

enum { INTERFACE_NUMBERS = 4, INTERFACE_VALUES = 4 };

/* A number in a line, and its range. If .within is set, the number is a count of units, and the
 * previous number of the line is the first unit. The last unit must not exceed .most of the
 * previous number. */
struct interface_number {
    const char *what; /* name in diagnostics, or NULL after the last number */
    int32_t least, most;
    bool within;
};

/* A kind of line in section ".tessera". */
struct interface_form {
    const char *word;
    int kind;    /* the machine's code for this kind */
    bool named;  /* true if a name follows the word */
    bool values; /* true if four 32-bit words follow the numbers */
    struct interface_number numbers[INTERFACE_NUMBERS];
};

struct interface_entry {
    const struct interface_form *form;
    const char *name; /* "" if the entry has no name */
    int32_t numbers[INTERFACE_NUMBERS];
    float values[INTERFACE_VALUES];
};

/* The interfaces of a machine's programs. */
struct interface_kind {
    const char *rule, *hint; /* rule and hint of diagnostics */
    const struct interface_form *forms;
    size_t form_count;
    size_t symbol_size; /* size of the machine's symbol for an entry */
    void (*make)(void *symbol, const struct interface_entry *entry);
};

extern const struct interface_kind gp_interface, a2xx_interface;

/* The interface of a program. Free it with interface_free(). */
struct interface_lines {
    void *symbols; /* the machine's symbols, one for each line, in the same order */
    size_t count;  /* number of symbols, or 0 if a line has an error */
    char *names;   /* storage of the names */
};

/* Reads size bytes of text. name is the file name. text and name may be NULL. Reads all lines even
 * after an error, so that one run reports all mistakes. Returns TESS_OK, TESS_BAD_INPUT or
 * TESS_NO_MEMORY. *lines must be freed in every case. */
enum tess_status interface_read(struct interface_lines *lines, const struct interface_kind *kind,
                                const char *text, size_t size, const char *name,
                                struct tess_sink sink);

void interface_free(struct interface_lines *lines);

#endif
