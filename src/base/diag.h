/* SPDX-License-Identifier: MIT */
/* diag.h - formats a diagnostic and passes it to a sink. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stddef.h>

#include <tessera/tessera.h>

/* Separates a message from a hint that replaces the hint of its rule:
 *     fault(log, FAULT_TMU_EMPTY, "TMU %u has no result" WITH_HINT "write t%us first", tmu, tmu);
 * Message and hint share one string until the diagnostic is reported. */
#define WITH_HINT "\036\037"

/* Returns the number of characters before the hint. */
size_t diag_text_length(const char *text);

/* Returns the hint within text, or NULL if text contains no hint. */
const char *diag_own_hint(const char *text);

/* Copies text to `to` and inserts `added` before the hint of text. The result is cut to size
 * bytes. */
void diag_append(char *to, size_t size, const char *text, const char *added);

/* Report *diag with the formatted message as its text. A hint in the message replaces
 * diag->hint. */
void diag_report(struct tess_sink sink, const struct tess_finding *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_vreport(struct tess_sink sink, const struct tess_finding *diag, const char *format,
                  va_list arguments) __attribute__((format(printf, 3, 0)));

/* Returns the level of a finding: with strict, TESS_ERROR replaces TESS_WARNING. */
static inline enum tess_level diag_level(enum tess_level level, bool strict)
{
    return strict && level == TESS_WARNING ? TESS_ERROR : level;
}

/* Decides about the next finding of a rule: it is shown while fewer than `most` are; then a note
 * reports once that further findings are not shown. *shown counts both. */
enum diag_show { DIAG_SHOW, DIAG_SHOW_NOTE, DIAG_HIDE };
enum diag_show diag_limit(uint32_t *shown, uint32_t most);

#endif
