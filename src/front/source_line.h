/* SPDX-License-Identifier: MIT */
/* source_line.h - reads a line of a source file. */
#ifndef FRONT_SOURCE_LINE_H
#define FRONT_SOURCE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the line with the number `wanted`, counted from 1, without its line break. A line that does
 * not fit is truncated to size bytes. Returns false if there is no such line or the file cannot be
 * read. */
bool source_line_read(const char *path, uint32_t wanted, char *text, size_t size);

#endif
