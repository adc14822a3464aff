/* SPDX-License-Identifier: MIT */
/* kernel.h - the kernel of tessera pi: a raw image, an ELF file or a boot folder. */
#ifndef CLI_PI_KERNEL_H
#define CLI_PI_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

#include "cli/pi/config_txt.h"

/* Fills *kernel from the path of a kernel or of a boot folder. In a folder, reads config.txt and
 * cmdline.txt, and selects kernel.img, kernel7.img or kernel8.img for `board`, or for any board if
 * board is NULL. Returns false after an error message. */
bool kernel_find(const char *title, const char *path, const char *board, struct kernel *kernel);

/* Loads the kernel into a machine of a board and starts it. Returns false after an error
 * message. */
bool kernel_start(const char *title, const struct kernel *kernel, const struct tess_pi_board *board,
                  struct tess_pi_machine *machine);

#endif
