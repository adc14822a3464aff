/* SPDX-License-Identifier: MIT */
/* kernel_file.c - what a kernel's file shows: the board and the width of its instructions.
 *
 * In:  the path of an image or ELF file.
 * Out: the name of a board; whether the kernel has 64 bits; bytes.
 *
 * Source: Linux, Documentation/arm64/booting.rst: the header of a Linux image;
 *         raspberrypi/documentation, "Configuring UARTs": the default of enable_uart. */
#include <stdio.h>
#include <string.h>

#include "cli/input_file.h"
#include "cli/pi/kernel.h"

enum { LARGEST = 256 << 20 /* bytes of a file */ };

static void report(void *user, const struct tess_finding *diag)
{
    fprintf(stderr, "%s: '%s' %s\n", (const char *)user, diag->file, diag->text);
}

bool kernel_read(const char *title, const char *path, uint8_t **bytes, size_t *size)
{
    return input_file_read(path, LARGEST, (struct tess_sink){report, (void *)(uintptr_t)title},
                           bytes, size);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool kernel_is_linux(const uint8_t *bytes, size_t size, uint32_t *address)
{
    enum { OFFSET = 8, MAGIC = 56, END = 64, DEFAULT = 0x200000 };
    if (size < END || memcmp(bytes + MAGIC, "ARM\x64", 4) != 0)
        return false;
    uint32_t offset = (uint32_t)bytes[OFFSET] | (uint32_t)bytes[OFFSET + 1] << 8 |
                      (uint32_t)bytes[OFFSET + 2] << 16 | (uint32_t)bytes[OFFSET + 3] << 24;
    *address = offset ? offset : DEFAULT;
    return true;
}

/* Returns true if a file is an ELF file or a Linux image of 64 bits, and sets *wide to true if it
 * has 64 bits. */
static bool has_header(const char *path, bool *wide)
{
    uint8_t head[64];
    uint32_t address;
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    bool is_linux = kernel_is_linux(head, size, &address);
    *wide = is_linux || tess_pi_kernel_is_wide(head, size);
    return is_linux || (size >= 4 && memcmp(head, "\177ELF", 4) == 0);
}

const char *kernel_board(const char *path, bool *wide)
{
    const char *name = last_part(path);
    bool is_8 = strcmp(name, "kernel8.img") == 0, is_7 = strcmp(name, "kernel7.img") == 0;
    if (!has_header(path, wide))
        *wide = is_8;
    return *wide ? "pi3" : is_7 ? "pi2" : "zero";
}

bool kernel_is_board_wide(const struct tess_pi_board *board)
{
    return strcmp(board->soc, "brcm,bcm2837") == 0;
}

bool kernel_has_uart(const struct tess_pi_board *board)
{
    return !board->mini_uart;
}
