/* SPDX-License-Identifier: MIT */
/* xml.h - writes parts of an XML document. The caller writes the end of a start tag, ">". */
#ifndef FRONT_XML_H
#define FRONT_XML_H

#include <stdio.h>

void xml_head(FILE *stream);

/* Write the beginning of a start tag, and an end tag with a line feed, after some spaces. */
void xml_begin(FILE *stream, int spaces, const char *element);
void xml_end(FILE *stream, int spaces, const char *element);

/* Write an attribute after a space. Its value is two texts, or a number. */
void xml_attribute(FILE *stream, const char *name, const char *text, const char *more);
void xml_attribute_number(FILE *stream, const char *name, size_t number);

/* Writes text. White space but blanks becomes character references. Bytes that are not UTF-8 and
 * characters that XML 1.0 does not allow become U+FFFD. */
void xml_text(FILE *stream, const char *text);

#endif
