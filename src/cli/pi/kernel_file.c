/* SPDX-License-Identifier: MIT */
/* kernel_file.c - what a kernel's file shows: the board and the width of its instructions.
 *
 * In:  the path of an image or ELF file.
 * Out: the name of a board; whether the kernel has 64 bits; bytes. */
#include <stdio.h>
#include <string.h>

#include "cli/input_file.h"
#include "cli/pi/kernel.h"

enum { LARGEST = 256 << 20 /* bytes of a file */ };

static void report(void *user, const struct tess_diag *diag)
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

/* Returns true if a file is an ELF file, and sets *wide to true if it has 64 bits. */
static bool is_elf(const char *path, bool *wide)
{
    uint8_t head[64];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    *wide = tess_pi_kernel_is_wide(head, size);
    return size >= 4 && memcmp(head, "\177ELF", 4) == 0;
}

const char *kernel_board(const char *path, bool *wide)
{
    const char *name = last_part(path);
    bool is_8 = strcmp(name, "kernel8.img") == 0, is_7 = strcmp(name, "kernel7.img") == 0;
    if (!is_elf(path, wide))
        *wide = is_8;
    return *wide ? "pi3" : is_7 ? "pi2" : "zero";
}

bool kernel_is_board_wide(const struct tess_pi_board *board)
{
    return strcmp(board->soc, "brcm,bcm2837") == 0;
}
