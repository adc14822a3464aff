/* SPDX-License-Identifier: MIT */
/* config_txt.h - the values of the firmware's config.txt. */
#ifndef CLI_PI_CONFIG_TXT_H
#define CLI_PI_CONFIG_TXT_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

enum { CONFIG_VALUE = 1024 };

/* Keys whose values are numbers, and keys whose values are texts. */
enum config_number {
#define NUMBER(id, key) CONFIG_##id,
#define TEXT(id, key)
#include "cli/pi/config_keys.def"
#undef NUMBER
#undef TEXT
    CONFIG_NUMBERS
};

enum config_text {
#define NUMBER(id, key)
#define TEXT(id, key) CONFIG_##id,
#include "cli/pi/config_keys.def"
#undef NUMBER
#undef TEXT
    CONFIG_TEXTS
};

/* The values of a config.txt. Must be zero-initialised. */
struct config_txt {
    int32_t number[CONFIG_NUMBERS]; /* 0 for keys that are not set */
    bool is_set[CONFIG_NUMBERS];
    char text[CONFIG_TEXTS][CONFIG_VALUE]; /* empty for keys that are not set */
    bool has_text[CONFIG_TEXTS];           /* the key is set, perhaps to an empty text */
};

/* Applies the lines of a config.txt that are for a board, by filters such as [pi3]. Keys that the
 * model does not know have no effect, as in the firmware. */
void config_txt_apply(const char *text, const struct tess_pi_board *board,
                      struct config_txt *config);

/* Returns the size of the GPU memory in MiB that a board gets, or 0 if it is not set. */
uint32_t config_txt_gpu_memory(const struct config_txt *config, const struct tess_pi_board *board);

/* Sets the size of a board's memory, and its clock rates. */
void config_txt_board(const struct config_txt *config, struct tess_pi_board *board);

/* --- config_display.c --- */

/* Returns the settings of the framebuffer. */
struct tess_pi_display config_txt_display(const struct config_txt *config);

#endif
