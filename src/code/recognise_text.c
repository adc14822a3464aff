/* SPDX-License-Identifier: MIT */
/* recognise_text.c - refuses text whose name has the extension of another format, unless its
 * content is a source.
 *
 * In:     text, and the instruction set of the source.
 * Out:    true if few lines begin like an instruction, a label or a directive. Choice: text is
 * refused if at most half of its lines begin in this way. The share is large, because lines of
 * prose can also begin in this way: English words such as "and" and "or" are also instructions.
 * Only sources for the QPU are tested, because it is the default machine. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/diag.h"
#include "code/recognise.h"
#include "isa/asm_isa.h"

enum { LINES_LOOKED_AT = 400, SHARE = 2 };

static bool is_mnemonic(const struct asm_isa *isa, const char *word, size_t length)
{
    const char *name;
    for (size_t i = 0; isa->mnemonic && (name = isa->mnemonic(i)) != NULL; i++)
        if (strlen(name) == length && strncasecmp(name, word, length) == 0)
            return true;
    return false;
}

/* Returns true if a line begins like code. line starts at its first character that is not blank. */
static bool begins_as_code(const struct asm_isa *isa, const char *line, size_t length)
{
    size_t word = 0;
    if (strchr(".:;(", line[0]))
        return true;
    while (word < length && ascii_in_name(line[word]))
        word++;
    return word > 0 && ((word < length && line[word] == ':') || is_mnemonic(isa, line, word));
}

static bool is_prose(const struct asm_isa *isa, const char *text, size_t size)
{
    unsigned lines = 0, good = 0;
    for (size_t at = 0, length; at < size && lines < LINES_LOOKED_AT; at += length + 1) {
        const char *end = memchr(text + at, '\n', size - at);
        length = end ? (size_t)(end - text) - at : size - at;
        size_t blanks = 0;
        while (blanks < length && isspace((unsigned char)text[at + blanks]))
            blanks++;
        if (blanks == length || text[at + blanks] == '#')
            continue;
        lines++;
        good += begins_as_code(isa, text + at + blanks, length - blanks);
    }
    return lines > 0 && good * SHARE <= lines;
}

static bool ends_in(const char *name, const char *const *endings)
{
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && endings[i]; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}

/* Returns true if the name has the extension of another text format. Text with other names is not
 * tested. */
static bool says_text(const char *name)
{
    static const char *const endings[] = {".txt", ".md", ".rst", ".html", ".xml",  ".c",   ".h",
                                          ".cpp", ".py", ".sh",  ".json", ".yaml", ".csv", NULL};
    return ends_in(name, endings);
}

bool recognise_refuse_prose(const char *text, size_t size, const char *name,
                            enum tess_machine machine, struct tess_sink sink)
{
    const struct asm_isa *isa = machine_isa(machine);
    const struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = "foreign-file",
        .hint = "give a source (.qasm, .gp or .a2xx), or words as text or bytes",
        .file = name};
    if (machine != TESS_MACHINE_QPU || !says_text(name) || !is_prose(isa, text, size))
        return false;
    diag_report(sink, &diag,
                "this is text, but few of its lines are instructions, labels or directives");
    return true;
}
