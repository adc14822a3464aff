/* SPDX-License-Identifier: MIT */
/* config_txt.h - the firmware's config.txt. */
#ifndef CLI_PI_CONFIG_TXT_H
#define CLI_PI_CONFIG_TXT_H

#include "cli/pi/kernel.h"

/* Applies the lines of a config.txt to *kernel. board is the board's name, for sections such as
 * [pi3]; NULL stands for all boards. Lines that the model does not need have no effect. */
void config_txt_apply(const char *text, const char *board, struct kernel *kernel);

#endif
