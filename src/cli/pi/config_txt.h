/* SPDX-License-Identifier: MIT */
/* config_txt.h - the firmware's config.txt, and what it says of a kernel. */
#ifndef CLI_PI_CONFIG_TXT_H
#define CLI_PI_CONFIG_TXT_H

#include <stdbool.h>
#include <stdint.h>

enum { KERNEL_PATH = 4096, KERNEL_LINE = 1024 };

/* What is known about a kernel before a machine exists: from its name, from config.txt, and from
 * options, which are applied later. */
struct kernel {
    char path[KERNEL_PATH]; /* of the image or ELF file */
    bool wide;              /* a kernel of 64 bits */
    const char *board;      /* the board that the name selects, or NULL */
    bool has_address;
    uint32_t address; /* of a raw image; default 0x8000 or, with 64 bits, 0x80000 */
    bool no_tags;     /* disable_commandline_tags */
    bool uart;        /* enable_uart */
    uint32_t gpu_mib; /* gpu_mem, or 0 */
    char device_tree[KERNEL_PATH], initrd[KERNEL_PATH];
    char command_line[KERNEL_LINE];
};

/* Applies the lines of a config.txt to *kernel. board is the board's name, for sections such as
 * [pi3]; NULL stands for all boards. Lines that the model does not need have no effect. */
void config_txt_apply(const char *text, const char *board, struct kernel *kernel);

#endif
