/* SPDX-License-Identifier: MIT */
/* kernel_file.c - what a kernel's file shows: the board and the width of its instructions.
 *
 * In:  the path of an image or ELF file.
 * Out: the name of a board; whether the kernel has 64 bits; bytes.
 *
 * Source: Linux, Documentation/arm64/booting.rst: the header of a Linux image;
 *         ARM Architecture Reference Manual ARMv8-A, C5.6.129 (mrs); raspberrypi/documentation,
 *         "Configuring UARTs": the default of enable_uart. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
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
    uint32_t offset = load_le32(bytes + OFFSET);
    *address = offset ? offset : DEFAULT;
    return true;
}

/* Returns true if instructions contain mrs of MPIDR_EL1 or CurrentEL, with which kernels of 64 bits
 * begin: each core finds out whether it is the first, and its exception level. */
static bool reads_wide_registers(const uint8_t *bytes, size_t size)
{
    const uint32_t mpidr = 0xd53800a0, current_el = 0xd5384240, target = 31;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word = load_le32(bytes + i) & ~target;
        if (word == mpidr || word == current_el)
            return true;
    }
    return false;
}

/* Returns the width of a kernel without a header. The firmware knows its width by its name; the
 * instructions show the width of other files. */
static bool is_raw_wide(const char *name, const uint8_t *bytes, size_t size)
{
    if (strcmp(name, "kernel8.img") == 0)
        return true;
    bool is_narrow = strcmp(name, "kernel7.img") == 0 || strcmp(name, "kernel.img") == 0;
    return !is_narrow && reads_wide_registers(bytes, size);
}

const char *kernel_board(const char *path, bool *wide)
{
    const char *name = last_part(path);
    uint8_t head[1024];
    uint32_t address;
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    if (size >= 4 && memcmp(head, "\177ELF", 4) == 0)
        *wide = tess_pi_kernel_is_wide(head, size);
    else
        *wide = kernel_is_linux(head, size, &address) || is_raw_wide(name, head, size);
    return *wide ? "pi3" : strcmp(name, "kernel7.img") == 0 ? "pi2" : "zero";
}

bool kernel_is_board_wide(const struct tess_pi_board *board)
{
    return strcmp(board->soc, "brcm,bcm2837") == 0;
}

bool kernel_has_uart(const struct tess_pi_board *board)
{
    return !board->mini_uart;
}
