/* SPDX-License-Identifier: MIT */
/* diag.h - formatting a diagnostic and handing it to a sink. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>

#include <tessera/tessera.h>

/* Reports *diag with its text replaced by the formatted one. */
void diag_report(struct tess_sink sink, const struct tess_diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_vreport(struct tess_sink sink, const struct tess_diag *diag, const char *format,
                  va_list arguments) __attribute__((format(printf, 3, 0)));

#endif
