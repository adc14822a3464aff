/* SPDX-License-Identifier: MIT */
/* input_file.h - reads whole files: programs, pictures, buffers. */
#ifndef CLI_INPUT_FILE_H
#define CLI_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* Returns the name of a file for diagnostics, which is "<stdin>" for the path "-". */
const char *input_file_name(const char *path);

/* Reads a file into *bytes, which the caller frees. Returns false after reporting an error to sink
 * if the file cannot be read or has more than `most` bytes. */
bool input_file_read(const char *path, size_t most, struct tess_sink sink, uint8_t **bytes,
                     size_t *size);

#endif
