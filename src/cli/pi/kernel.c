/* SPDX-License-Identifier: MIT */
/* kernel.c - finds a kernel's files, and loads them into a machine.
 *
 * In:  the path of an image, an ELF file or a boot folder.
 * Out: memory of the machine, its registers.
 *
 * Source: raspberrypi/documentation, config_txt/boot: names of kernels and their addresses.
 * Choices: an initial RAM disk without an address ("followkernel") is loaded at the end of the
 *          ARM's memory, where no kernel decompresses itself, but not above 752 MiB, because 32-bit
 *          kernels map memory above only on demand (the firmware has the same limit); a device tree
 *          is loaded before it. */
#include "cli/pi/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/pi/device_tree.h"

enum {
    ADDRESS_32 = 0x8000,
    ADDRESS_64 = 0x80000,
    PAGE = 0x1000,
    HIGHEST = 0x2f000000, /* end of device tree and initial RAM disk */
};

static bool find_file(const char *title, const char *path, const char *board, struct kernel *kernel)
{
    if (strlen(path) >= sizeof kernel->path) {
        fprintf(stderr, "%s: the path of the kernel is too long\n", title);
        return false;
    }
    memcpy(kernel->path, path, strlen(path) + 1);
    const char *own = kernel_board(path, &kernel->wide);
    kernel->board = *tess_pi_board_find(board ? board : own);
    kernel->uart = kernel_has_uart(&kernel->board);
    return true;
}

bool kernel_find(const char *title, const char *path, const char *board, struct kernel *kernel)
{
    *kernel = (struct kernel){0};
    if (!(paths_is_folder(path) ? boot_folder_find : find_file)(title, path, board, kernel))
        return false;
    if (!kernel->wide || kernel_is_board_wide(&kernel->board))
        return true;
    fprintf(stderr,
            "%s: '%s' is a kernel of 64 bits, and the board %s has cores of 32 bits; choose "
            "--board pi3 or zero2\n",
            title, kernel->path, kernel->board.name);
    return false;
}

/* --- loading --- */

static void too_large(const char *title, const char *path)
{
    fprintf(stderr,
            "%s: '%s' does not fit into the ARM's memory; link or load it at a lower address, or "
            "choose less GPU memory (--gpu-mem)\n",
            title, path);
}

/* Returns true if a file is no ELF file, or one for ARM or AArch64. */
static bool is_arm(const uint8_t *bytes, size_t size)
{
    enum { MACHINE = 18, EM_ARM = 40, EM_AARCH64 = 183 };
    if (size < MACHINE + 2 || memcmp(bytes, "\177ELF", 4) != 0)
        return true;
    int machine = bytes[MACHINE] | bytes[MACHINE + 1] << 8;
    return machine == EM_ARM || machine == EM_AARCH64;
}

static bool load_image(const char *title, const struct kernel *kernel,
                       struct tess_pi_machine *machine, uint32_t *entry)
{
    uint8_t *bytes;
    size_t size;
    if (!kernel_read(title, kernel->path, &bytes, &size))
        return false;
    if (!is_arm(bytes, size)) {
        fprintf(stderr, "%s: '%s' is a program for another machine; build the kernel for ARM\n",
                title, kernel->path);
        free(bytes);
        return false;
    }
    uint32_t address = kernel->wide ? ADDRESS_64 : ADDRESS_32;
    kernel_is_linux(bytes, size, &address);
    if (kernel->has_address)
        address = kernel->address;
    enum tess_status status = tess_pi_machine_load_kernel(machine, address, bytes, size, entry);
    free(bytes);
    if (status == TESS_BAD_INPUT)
        fprintf(stderr, "%s: the ELF file '%s' is incomplete; copy the whole file\n", title,
                kernel->path);
    else if (status != TESS_OK)
        too_large(title, kernel->path);
    return status == TESS_OK;
}

/* Loads bytes below *end, and moves *end to their start. */
static bool load_below(const char *title, const char *path, struct tess_pi_machine *machine,
                       const void *bytes, size_t size, uint32_t *end)
{
    bool good = size < *end;
    if (good) {
        *end = (*end - (uint32_t)size) & ~(uint32_t)(PAGE - 1);
        good = tess_pi_machine_load(machine, *end, bytes, (uint32_t)size) == TESS_OK;
    }
    if (!good)
        too_large(title, path);
    return good;
}

static bool load_initrd(const char *title, const char *path, struct tess_pi_machine *machine,
                        uint32_t *end, uint32_t *size)
{
    uint8_t *bytes;
    size_t length;
    if (!kernel_read(title, path, &bytes, &length))
        return false;
    bool good = load_below(title, path, machine, bytes, length, end);
    *size = (uint32_t)length;
    free(bytes);
    return good;
}

/* Loads a file at an address. */
static bool load_at(const char *title, const char *path, struct tess_pi_machine *machine,
                    uint32_t address, uint32_t *size)
{
    uint8_t *bytes;
    size_t length;
    if (!kernel_read(title, path, &bytes, &length))
        return false;
    *size = (uint32_t)length;
    bool good = length <= UINT32_MAX &&
                tess_pi_machine_load(machine, address, bytes, *size) == TESS_OK;
    if (!good)
        too_large(title, path);
    free(bytes);
    return good;
}

/* Loads a device tree with the facts of the run. */
static bool load_tree(const char *title, const char *path, struct tess_pi_machine *machine,
                      const struct device_tree_facts *facts, uint32_t *end)
{
    uint8_t *bytes;
    size_t size;
    if (!kernel_read(title, path, &bytes, &size))
        return false;
    size_t room = device_tree_room(bytes, size, facts);
    uint8_t *tree = room ? calloc(1, room) : NULL;
    const char *wrong = !room   ? "it is no device tree blob"
                        : !tree ? "no memory"
                                : device_tree_fill(bytes, size, facts, tree, room);
    if (wrong)
        fprintf(stderr, "%s: '%s' cannot be changed: %s; make a device tree blob (.dtb) with dtc\n",
                title, path, wrong);
    bool good = !wrong && load_below(title, path, machine, tree, room, end);
    free(bytes);
    free(tree);
    return good;
}

static bool load_parameters(const char *title, const struct kernel *kernel,
                            struct tess_pi_machine *machine, struct tess_pi_kernel *start)
{
    uint32_t size = tess_pi_machine_arm_size(machine), end = size < HIGHEST ? size : HIGHEST;
    if (*kernel->initrd && kernel->initrd_address) {
        start->initrd_address = kernel->initrd_address;
        if (!load_at(title, kernel->initrd, machine, start->initrd_address, &start->initrd_size))
            return false;
    } else if (*kernel->initrd) {
        if (!load_initrd(title, kernel->initrd, machine, &end, &start->initrd_size))
            return false;
        start->initrd_address = end;
    }
    if (!*kernel->device_tree)
        return true;
    const struct device_tree_facts facts = {
        .memory = size,
        .initrd_address = start->initrd_address,
        .initrd_size = start->initrd_size,
        .command_line = kernel->command_line,
        .revision = kernel->board.revision,
    };
    start->device_tree = load_tree(title, kernel->device_tree, machine, &facts, &end) ? end : 0;
    return start->device_tree != 0;
}

bool kernel_start(const char *title, const struct kernel *kernel, struct tess_pi_machine *machine)
{
    struct tess_pi_kernel start = {.command_line = kernel->command_line,
                                   .no_tags = kernel->no_tags,
                                   .uart = kernel->uart,
                                   .vsync = kernel->vsync};
    if (!load_image(title, kernel, machine, &start.entry) ||
        !load_parameters(title, kernel, machine, &start))
        return false;
    start.no_stub = start.entry == 0;
    if (tess_pi_machine_start(machine, &start) == TESS_OK)
        return true;
    fprintf(stderr, "%s: '%s' begins at address 0x%x, outside of the ARM's memory\n", title,
            kernel->path, start.entry);
    return false;
}
