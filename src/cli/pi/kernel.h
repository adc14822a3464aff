/* SPDX-License-Identifier: MIT */
/* kernel.h - the kernel of tessera pi: a raw image, an ELF file or a boot folder. */
#ifndef CLI_PI_KERNEL_H
#define CLI_PI_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

enum { KERNEL_PATH = 4096, KERNEL_LINE = 1024 };

/* What is known about a kernel before a machine exists: from its name, from config.txt, and from
 * options, which are applied later. */
struct kernel {
    char path[KERNEL_PATH];     /* of the image or ELF file */
    bool wide;                  /* a kernel of 64 bits */
    const char *board;          /* the board that the name selects, or NULL */
    bool has_address;
    uint32_t address;           /* of a raw image; default 0x8000 or, with 64 bits, 0x80000 */
    bool no_tags;               /* disable_commandline_tags */
    uint32_t gpu_mib;           /* gpu_mem, or 0 */
    uint32_t width, height, depth; /* framebuffer_ keys, or 0 */
    char device_tree[KERNEL_PATH], initrd[KERNEL_PATH];
    char command_line[KERNEL_LINE];
};

/* Fills *kernel from the path of a kernel or of a boot folder. In a folder, reads config.txt and
 * cmdline.txt, and selects kernel.img, kernel7.img or kernel8.img for `board`, or for any board if
 * board is NULL. Returns false after an error message. */
bool kernel_find(const char *title, const char *path, const char *board, struct kernel *kernel);

/* Loads the kernel into a machine and starts it. Returns false after an error message. */
bool kernel_start(const char *title, const struct kernel *kernel, struct tess_pi_machine *machine);

#endif
