/* SPDX-License-Identifier: MIT */
/* settings.h - values of environment variables. What cannot be understood is complained about on standard error, and is as if
 * the variable were not set. */
#ifndef SHIM_COMMON_SETTINGS_H
#define SHIM_COMMON_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* A variable's value; NULL if it is not set or empty. It lasts until the environment is changed; the second one is a copy that
 * stays. */
const char *setting(const char *name);
const char *setting_text(const char *name);

/* "0" or "1"; false if it is not set. */
bool setting_flag(const char *name);

/* A number in C's notation, within bounds. */
uint32_t setting_number(const char *name, uint32_t least, uint32_t most, uint32_t otherwise);

/* TESSERA_THREADS: as many as the host has processors, if it is not set. */
uint32_t setting_threads(void);

/* TESSERA_MEMORY: the GPU's memory in bytes. */
uint32_t setting_memory(void);

/* Complains: "tessera: NAME=TEXT: WANTED". */
void setting_complain(const char *name, const char *text, const char *wanted);

#endif
