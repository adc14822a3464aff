/* SPDX-License-Identifier: MIT */
/* diag.c - see diag.h. */
#include "base/diag.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

size_t diag_text_length(const char *text)
{
    const char *end = strstr(text, WITH_HINT);
    return end ? (size_t)(end - text) : strlen(text);
}

const char *diag_own_hint(const char *text)
{
    const char *end = strstr(text, WITH_HINT);
    return end ? end + strlen(WITH_HINT) : NULL;
}

void diag_append(char *to, size_t size, const char *text, const char *added)
{
    size_t length = diag_text_length(text);
    snprintf(to, size, "%.*s%s%s", (int)length, text, added, text + length);
}

enum diag_show diag_limit(uint32_t *shown, uint32_t most)
{
    if (*shown > most)
        return DIAG_HIDE;
    return (*shown)++ < most ? DIAG_SHOW : DIAG_SHOW_NOTE;
}

/* Sets the diagnostic's text, and its hint if text contains one. */
static void set_text(struct tess_finding *diag, char *text)
{
    const char *hint = diag_own_hint(text);
    text[diag_text_length(text)] = '\0';
    diag->text = text;
    if (hint) {
        diag->hint = hint;
        diag->setting = TESS_SETTING_NONE;
    }
}

void diag_vreport(struct tess_sink sink, const struct tess_finding *diag, const char *format,
                  va_list arguments)
{
    if (!sink.report)
        return;
    struct buffer text = {0};
    buffer_vprintf(&text, format, arguments);
    buffer_byte(&text, 0);
    struct tess_finding full = *diag;
    full.text = "(no memory)";
    if (!text.failed)
        set_text(&full, (char *)text.data);
    sink.report(sink.user, &full);
    buffer_free(&text);
}

void diag_report(struct tess_sink sink, const struct tess_finding *diag, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(sink, diag, format, arguments);
    va_end(arguments);
}
