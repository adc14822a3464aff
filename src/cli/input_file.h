/* SPDX-License-Identifier: MIT */
/* input_file.h - whole files that are read at once: programs, pictures, buffers. */
#ifndef CLI_INPUT_FILE_H
#define CLI_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* What diagnostics call a file: "-" is standard input. */
const char *input_file_name(const char *path);

/* Reads a file of up to most bytes, to be freed. False, and the sink has been told, if it cannot be read. */
bool input_file_read(const char *path, size_t most, struct tess_sink sink, uint8_t **bytes,
                     size_t *size);

#endif
