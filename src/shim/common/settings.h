/* SPDX-License-Identifier: MIT */
/* settings.h - reads settings from environment variables. For an invalid value, prints a message on
 * standard error, and then uses the default. An invalid flag counts as 1. */
#ifndef SHIM_COMMON_SETTINGS_H
#define SHIM_COMMON_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Return the value of a variable, or NULL if it is not set or empty. The result of setting() is
 * valid until the environment changes; setting_text() returns a copy that is never freed. */
const char *setting(const char *name);
const char *setting_text(const char *name);

/* Reads a number in C's notation, from `least` to `most`. Returns `otherwise` if the variable is
 * not set or invalid. */
uint32_t setting_number(const char *name, uint32_t least, uint32_t most, uint32_t otherwise);

/* Settings of all shims. A string is a copy that is never freed, or NULL if the setting is not
 * set. */
struct settings {
    uint32_t threads; /* host threads, 1 to 64; default: the number of the host's processors */
    bool strict, sanitize, json;
    const char *stats;   /* file for statistics, or "-" */
    const char *verdict; /* file to which the number of errors is appended */
    const char *capture; /* file for the scene, or for scenes of jobs */
};

/* Reads TESSERA_THREADS, TESSERA_STRICT and so on. TESSERA_STRICT implies `sanitize`. */
struct settings settings_read(void);

/* Reads TESSERA_MEMORY, the size of the GPU's memory in bytes. */
uint32_t setting_memory(void);

/* Prints "tessera: NAME=TEXT: WANTED" on standard error. `wanted` is a text such as "expected 0 or
 * 1". */
void setting_complain(const char *name, const char *text, const char *wanted);

#endif
