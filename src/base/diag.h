/* SPDX-License-Identifier: MIT */
/* diag.h - formatting a diagnostic and handing it to a sink. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stddef.h>

#include <tessera/tessera.h>

/* A message may have a hint of its own, which replaces the hint of its rule:
 *     fault(log, FAULT_TMU_EMPTY, "TMU %u has no result" WITH_HINT "write t%us first", tmu, tmu);
 * Until it is reported, the hint follows the text in the same string. */
#define WITH_HINT "\036\037"

/* The number of characters before the hint. */
size_t diag_text_length(const char *text);

/* The hint in a text; NULL if it has none. */
const char *diag_own_hint(const char *text);

/* Copies a text and inserts `added` before its hint; cut at size. */
void diag_append(char *to, size_t size, const char *text, const char *added);

/* Reports *diag with its text replaced by the formatted one, and with the hint in that, if there is one. */
void diag_report(struct tess_sink sink, const struct tess_diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_vreport(struct tess_sink sink, const struct tess_diag *diag, const char *format,
                  va_list arguments) __attribute__((format(printf, 3, 0)));

#endif
