/* SPDX-License-Identifier: MIT */
/* diag.c - see diag.h. */
#include "base/diag.h"

#include "base/buffer.h"

void diag_vreport(struct tess_sink sink, const struct tess_diag *diag, const char *format,
                  va_list arguments)
{
    if (!sink.report)
        return;
    struct buffer text = {0};
    buffer_vprintf(&text, format, arguments);
    buffer_byte(&text, 0);
    struct tess_diag full = *diag;
    full.text = text.failed ? format : (const char *)text.data;
    sink.report(sink.user, &full);
    buffer_free(&text);
}

void diag_report(struct tess_sink sink, const struct tess_diag *diag, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(sink, diag, format, arguments);
    va_end(arguments);
}
