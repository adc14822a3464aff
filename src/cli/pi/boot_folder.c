/* SPDX-License-Identifier: MIT */
/* boot_folder.c - finds the kernel in a boot folder, as the firmware does.
 *
 * In:  config.txt, cmdline.txt, the names of the folder's files.
 * Out: a kernel's description.
 *
 * Source: raspberrypi/documentation, config_txt/boot; configuration/device-tree, for the device
 *         tree that the firmware loads by its name.
 * Choices: without --board, the folder's first kernel in the order of `images` selects the board,
 *          and a kernel of 64 bits selects a Pi 3. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/pi/kernel.h"

/* Names of kernels, the firmware's first choice first, and the boards that load them. */
static const struct {
    const char *file;
    const char *boards[6];
} images[] = {
    {"kernel8.img", {"pi3", "zero2"}},
    {"kernel7.img", {"pi2", "pi3", "zero2"}},
    {"kernel.img", {"zero", "pi1", "pi2", "pi3", "zero2"}},
};

enum { IMAGES = sizeof images / sizeof images[0] };

/* Names of device trees that the firmware loads, and their boards. */
static const struct {
    const char *file, *board;
} trees[] = {
    {"bcm2708-rpi-zero-w.dtb", "zero"},  {"bcm2708-rpi-0-w.dtb", "zero"},
    {"bcm2708-rpi-b.dtb", "pi1"},        {"bcm2709-rpi-2-b.dtb", "pi2"},
    {"bcm2710-rpi-3-b.dtb", "pi3"},      {"bcm2710-rpi-zero-2-w.dtb", "zero2"},
    {"bcm2710-rpi-zero-2.dtb", "zero2"},
};

enum { TREES = sizeof trees / sizeof trees[0] };

/* Writes folder/name to `to`, which has KERNEL_PATH bytes; nothing if the path is too long. An
 * absolute name stays as it is. */
static void join(char *to, const char *folder, const char *name)
{
    int size = *name == '/' ? snprintf(to, KERNEL_PATH, "%s", name)
                            : snprintf(to, KERNEL_PATH, "%s/%s", folder, name);
    if (size < 0 || size >= KERNEL_PATH)
        *to = 0;
}

/* Reads a text file of a folder, or returns NULL. */
static char *read_text(const char *folder, const char *name)
{
    char path[KERNEL_PATH];
    uint8_t *bytes;
    size_t size;
    join(path, folder, name);
    if (access(path, R_OK) != 0 || !kernel_read("", path, &bytes, &size))
        return NULL;
    char *text = realloc(bytes, size + 1);
    if (text)
        text[size] = 0;
    else
        free(bytes);
    return text;
}

static bool takes(unsigned image, const char *board)
{
    for (unsigned i = 0; images[image].boards[i]; i++)
        if (strcmp(images[image].boards[i], board) == 0)
            return true;
    return false;
}

/* Returns true if config.txt wants a kernel of 64 bits. */
static bool wants_wide(const struct config_txt *config)
{
    enum { CONTROL_64BIT = 0x200 };
    return config->number[CONFIG_ARM_64BIT] || config->number[CONFIG_ARM_CONTROL] & CONTROL_64BIT;
}

/* Selects the kernel's file. Returns false if there is none for the board. */
static bool select_image(const struct config_txt *config, const char *folder, const char *board,
                         char *path)
{
    bool narrow = config->is_set[CONFIG_ARM_64BIT] && !wants_wide(config);
    if (*config->text[CONFIG_KERNEL]) {
        join(path, folder, config->text[CONFIG_KERNEL]);
        return true;
    }
    for (unsigned i = 0; i < IMAGES; i++) {
        join(path, folder, images[i].file);
        bool fits = takes(i, board) && !(i == 0 && narrow) && !(i > 0 && wants_wide(config));
        if (fits && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Returns the board that the names in a folder select. */
static const char *board_of_folder(const char *folder)
{
    static const char *const boards[IMAGES] = {"pi3", "pi2", "zero"};
    char path[KERNEL_PATH];
    for (unsigned i = 0; i < IMAGES; i++) {
        join(path, folder, images[i].file);
        if (access(path, R_OK) == 0)
            return boards[i];
    }
    return "zero";
}

static void read_command_line(const char *folder, const struct config_txt *config,
                              struct kernel *kernel)
{
    const char *name = config->text[CONFIG_COMMAND_LINE];
    char *line = read_text(folder, *name ? name : "cmdline.txt");
    if (line)
        snprintf(kernel->command_line, sizeof kernel->command_line, "%.*s",
                 (int)strcspn(line, "\r\n"), line);
    free(line);
}

/* Finds the device tree: the one that config.txt names, or the board's, if the folder has it. */
static void find_tree(const struct config_txt *config, const char *folder, struct kernel *kernel)
{
    char path[KERNEL_PATH];
    if (*config->text[CONFIG_DEVICE_TREE])
        join(kernel->device_tree, folder, config->text[CONFIG_DEVICE_TREE]);
    for (unsigned i = 0; i < TREES && !config->has_text[CONFIG_DEVICE_TREE]; i++) {
        join(path, folder, trees[i].file);
        if (!*kernel->device_tree && strcmp(trees[i].board, kernel->board.name) == 0 &&
            access(path, R_OK) == 0)
            join(kernel->device_tree, folder, trees[i].file);
    }
}

static void apply(const struct config_txt *config, const char *folder, struct kernel *kernel)
{
    kernel->has_address = config->is_set[CONFIG_KERNEL_ADDRESS] ||
                          config->number[CONFIG_KERNEL_OLD] != 0;
    if (!config->number[CONFIG_KERNEL_OLD])
        kernel->address = (uint32_t)config->number[CONFIG_KERNEL_ADDRESS];
    kernel->no_tags = config->number[CONFIG_NO_TAGS] != 0;
    if (config->is_set[CONFIG_UART])
        kernel->uart = config->number[CONFIG_UART] != 0;
    kernel->vsync = config->number[CONFIG_VSYNC] != 0;
    kernel->gpu_mib = config_txt_gpu_memory(config, &kernel->board);
    kernel->initrd_address = (uint32_t)config->number[CONFIG_RAMFS_ADDRESS];
    find_tree(config, folder, kernel);
    if (*config->text[CONFIG_RAMFS])
        join(kernel->initrd, folder, config->text[CONFIG_RAMFS]);
    config_txt_board(config, &kernel->board);
    kernel->display = config_txt_display(config);
    read_command_line(folder, config, kernel);
}

/* Reads config.txt for a board, and selects the kernel. Sets *wide to true for 64 bits. */
static bool find_for(const char *text, const char *folder, const char *board,
                     struct config_txt *config, struct kernel *kernel)
{
    *config = (struct config_txt){0};
    if (text)
        config_txt_apply(text, tess_pi_board_find(board), config);
    if (!select_image(config, folder, board, kernel->path))
        return false;
    bool elf_or_name;
    kernel_board(kernel->path, &elf_or_name);
    kernel->wide = elf_or_name || wants_wide(config);
    kernel->board = *tess_pi_board_find(board);
    kernel->uart = kernel_has_uart(&kernel->board);
    return true;
}

bool boot_folder_find(const char *title, const char *folder, const char *board,
                      struct kernel *kernel)
{
    struct config_txt *config = malloc(sizeof *config);
    char *text = read_text(folder, "config.txt");
    const char *chosen = board ? board : board_of_folder(folder);
    bool good = config && find_for(text, folder, chosen, config, kernel);
    if (good && !board && kernel->wide && !kernel_is_board_wide(&kernel->board))
        good = find_for(text, folder, "pi3", config, kernel);
    if (good)
        apply(config, folder, kernel);
    else
        fprintf(stderr,
                "%s: the folder '%s' has no kernel.img, kernel7.img or kernel8.img for this board; "
                "name the kernel's file, or add kernel=FILE to its config.txt\n",
                title, folder);
    free(text);
    free(config);
    return good;
}
