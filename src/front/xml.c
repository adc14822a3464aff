/* SPDX-License-Identifier: MIT */
/* xml.c - see xml.h. Source: XML 1.0, sections 2.2 (characters) and 4.1 (references). */
#include "front/xml.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/utf8.h"

void xml_head(FILE *stream)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
}

void xml_begin(FILE *stream, int spaces, const char *element)
{
    fprintf(stream, "%*s<%s", spaces, "", element);
}

void xml_end(FILE *stream, int spaces, const char *element)
{
    fprintf(stream, "%*s</%s>\n", spaces, "", element);
}

void xml_text(FILE *stream, const char *text)
{
    while (*text) {
        uint32_t value = 0;
        size_t bytes = utf8_character(text, &value);
        bool space = value == '\t' || value == '\n' || value == '\r';
        bool wrong = bytes == 0 || (value < 0x20 && !space) || value == 0xfffe || value == 0xffff;
        if (wrong)
            fputs("\xef\xbf\xbd", stream);
        else if (space || value == '&' || value == '<' || value == '>' || value == '"' ||
                 (value >= 0x7f && value < 0xa0))
            fprintf(stream, "&#%" PRIu32 ";", value);
        else
            fwrite(text, 1, bytes, stream);
        text += bytes ? bytes : 1;
    }
}

void xml_attribute(FILE *stream, const char *name, const char *text, const char *more)
{
    fprintf(stream, " %s=%c", name, '"');
    xml_text(stream, text);
    xml_text(stream, more);
    fputc('"', stream);
}

void xml_attribute_number(FILE *stream, const char *name, size_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    xml_attribute(stream, name, text, "");
}
