/* SPDX-License-Identifier: MIT */
/* kernel.h - the kernel of tessera pi: a raw image, an ELF file or a boot folder. */
#ifndef CLI_PI_KERNEL_H
#define CLI_PI_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

#include "cli/pi/config_txt.h"

enum { KERNEL_PATH = 4096, KERNEL_LINE = 1024 };

/* What is known about a kernel before a machine exists: from its name and from config.txt. The verb
 * then applies its options. */
struct kernel {
    char path[KERNEL_PATH];     /* of the image or ELF file */
    bool wide;                  /* a kernel of 64 bits */
    struct tess_pi_board board; /* by option or by the kernel's name, changed by config.txt */
    bool has_address;
    uint32_t address; /* of a raw image; default 0x8000 or, with 64 bits, 0x80000 */
    bool no_tags;     /* true to write no ATAGs */
    bool uart;        /* the firmware has switched the UART on */
    bool vsync;       /* the firmware interrupts at vertical syncs */
    uint32_t gpu_mib; /* GPU memory, or 0 */
    char device_tree[KERNEL_PATH], initrd[KERNEL_PATH];
    uint32_t initrd_address; /* 0 for the end of the ARM's memory */
    char command_line[KERNEL_LINE];
    struct tess_pi_display display;
};

/* Fills *kernel from the path of a kernel or of a boot folder. `board` is the name of a board, or
 * NULL to select the board by the kernel. Returns false after an error message, also if the board's
 * cores cannot execute the kernel. */
bool kernel_find(const char *title, const char *path, const char *board, struct kernel *kernel);

/* Loads the kernel into a machine and starts it. Returns false after an error message. */
bool kernel_start(const char *title, const struct kernel *kernel, struct tess_pi_machine *machine);

/* --- boot_folder.c --- */

/* Does the work of kernel_find() for a folder with config.txt, cmdline.txt and one of kernel.img,
 * kernel7.img and kernel8.img. */
bool boot_folder_find(const char *title, const char *folder, const char *board,
                      struct kernel *kernel);

/* --- kernel_file.c --- */

/* Returns the name of the board that a kernel selects by its file name or its contents, and sets
 * *wide to true if the kernel has 64 bits. The contents decide for ELF files, Linux images and raw
 * images whose names are not the firmware's. */
const char *kernel_board(const char *path, bool *wide);

/* Returns true if the bytes begin with the header of a Linux image of 64 bits. Sets *address to the
 * load address: the header's offset from a multiple of 2 MiB, which is 0 since Linux 5.8. */
bool kernel_is_linux(const uint8_t *bytes, size_t size, uint32_t *address);

/* Returns true if a board's cores execute kernels of 64 bits. */
bool kernel_is_board_wide(const struct tess_pi_board *board);

/* Returns true if the firmware switches the board's UART on unless config.txt has enable_uart=0: on
 * boards whose UART of pins 14 and 15 is the PL011. */
bool kernel_has_uart(const struct tess_pi_board *board);

/* Reads a whole file. Returns false after an error message. */
bool kernel_read(const char *title, const char *path, uint8_t **bytes, size_t *size);

#endif
