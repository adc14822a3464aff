/* SPDX-License-Identifier: MIT */
/* kernel.c - finds a kernel's files, and loads them into a machine.
 *
 * In:  the path of an image, an ELF file or a boot folder.
 * Out: memory of the machine, its registers.
 *
 * Source: raspberrypi/documentation, config_txt/boot: names of kernels and their addresses.
 * Choices: a device tree is loaded at the end of the ARM's memory, an initial RAM disk before it.
 *          */
#include "cli/pi/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/input_file.h"
#include "cli/paths.h"

enum {
    LARGEST = 256 << 20,
    ADDRESS_32 = 0x8000,
    ADDRESS_64 = 0x80000,
    PAGE = 0x1000,
};

/* Names of kernels in a boot folder, the firmware's first choice first, and the boards that take
 * them. */
static const struct {
    const char *file, *boards;
    bool wide;
} names[] = {
    {"kernel8.img", "pi3", true},
    {"kernel7.img", "pi2 pi3", false},
    {"kernel.img", "zero pi1 pi2 pi3", false},
};

enum { NAMES = sizeof names / sizeof names[0] };

static void report(void *user, const struct tess_diag *diag)
{
    fprintf(stderr, "%s: '%s' %s\n", (const char *)user, diag->file, diag->text);
}

static bool read_file(const char *title, const char *path, uint8_t **bytes, size_t *size)
{
    return input_file_read(path, LARGEST, (struct tess_sink){report, (void *)(uintptr_t)title},
                           bytes, size);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Sets what a kernel's name shows: kernel7.img is for a Pi 2, kernel8.img for a Pi 3. */
static void apply_name(struct kernel *kernel)
{
    const char *name = last_part(kernel->path);
    for (unsigned i = 0; i < NAMES; i++)
        if (strcmp(names[i].file, name) == 0) {
            kernel->wide = names[i].wide;
            kernel->board = i == 0 ? "pi3" : i == 1 ? "pi2" : "zero";
        }
}

/* An ELF file of 64 bits is a kernel of 64 bits, whatever its name is. */
static void apply_class(struct kernel *kernel)
{
    uint8_t head[64];
    FILE *file = fopen(kernel->path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    if (!tess_pi_kernel_is_wide(head, size))
        return;
    kernel->wide = true;
    kernel->board = "pi3";
}

/* --- boot folders --- */

/* Writes folder/name to `to`, which has KERNEL_PATH bytes; nothing if the path is too long. */
static void join(char *to, const char *folder, const char *name)
{
    size_t first = strlen(folder), second = strlen(name);
    char joined[KERNEL_PATH] = "";
    if (first + second + 2 <= sizeof joined) {
        memcpy(joined, folder, first);
        joined[first] = '/';
        memcpy(joined + first + 1, name, second + 1);
    }
    memcpy(to, joined, sizeof joined);
}

/* Reads a text file of a folder, or returns NULL. */
static char *read_text(const char *folder, const char *name)
{
    char path[KERNEL_PATH];
    uint8_t *bytes;
    size_t size;
    join(path, folder, name);
    if (access(path, R_OK) != 0 || !read_file("", path, &bytes, &size))
        return NULL;
    char *text = realloc(bytes, size + 1);
    if (text)
        text[size] = 0;
    else
        free(bytes);
    return text;
}

static bool select_image(const char *title, const char *folder, const char *board,
                         struct kernel *kernel)
{
    for (unsigned i = 0; i < NAMES; i++) {
        join(kernel->path, folder, names[i].file);
        if ((!board || strstr(names[i].boards, board)) && access(kernel->path, R_OK) == 0)
            return true;
    }
    fprintf(
        stderr,
        "%s: the folder '%s' has no kernel.img, kernel7.img or kernel8.img for this board; name "
        "the kernel's file, or add kernel=FILE to its config.txt\n",
        title, folder);
    return false;
}

static void in_folder(char *path, const char *folder)
{
    char name[KERNEL_PATH];
    if (!*path || *path == '/')
        return;
    memcpy(name, path, sizeof name);
    join(path, folder, name);
}

static bool find_in_folder(const char *title, const char *folder, const char *board,
                           struct kernel *kernel)
{
    struct kernel config = {0};
    char *text = read_text(folder, "config.txt");
    if (text)
        config_txt_apply(text, board, &config);
    free(text);
    *kernel = config;
    if (*config.path) {
        in_folder(kernel->path, folder);
    } else if (!select_image(title, folder, board, kernel)) {
        return false;
    }
    bool wide = kernel->wide;
    apply_name(kernel);
    kernel->wide |= wide;
    apply_class(kernel);
    in_folder(kernel->device_tree, folder);
    in_folder(kernel->initrd, folder);
    char *line = read_text(folder, "cmdline.txt");
    if (line)
        snprintf(kernel->command_line, sizeof kernel->command_line, "%.*s",
                 (int)strcspn(line, "\r\n"), line);
    free(line);
    return true;
}

bool kernel_find(const char *title, const char *path, const char *board, struct kernel *kernel)
{
    *kernel = (struct kernel){0};
    if (paths_is_folder(path))
        return find_in_folder(title, path, board, kernel);
    if (strlen(path) >= sizeof kernel->path) {
        fprintf(stderr, "%s: the path of the kernel is too long\n", title);
        return false;
    }
    memcpy(kernel->path, path, strlen(path) + 1);
    apply_name(kernel);
    apply_class(kernel);
    return true;
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
    if (!read_file(title, kernel->path, &bytes, &size))
        return false;
    if (!is_arm(bytes, size)) {
        fprintf(stderr, "%s: '%s' is a program for another machine; build the kernel for ARM\n",
                title, kernel->path);
        free(bytes);
        return false;
    }
    uint32_t address = kernel->has_address ? kernel->address
                       : kernel->wide      ? ADDRESS_64
                                           : ADDRESS_32;
    enum tess_status status = tess_pi_machine_load_kernel(machine, address, bytes, size, entry);
    free(bytes);
    if (status == TESS_BAD_INPUT)
        fprintf(stderr, "%s: the ELF file '%s' is incomplete; copy the whole file\n", title,
                kernel->path);
    else if (status != TESS_OK)
        too_large(title, kernel->path);
    return status == TESS_OK;
}

/* Loads a file below *end, and moves *end to its start. */
static bool load_below(const char *title, const char *path, struct tess_pi_machine *machine,
                       uint32_t *end, uint32_t *size)
{
    uint8_t *bytes;
    size_t length;
    if (!read_file(title, path, &bytes, &length))
        return false;
    bool good = length < *end;
    if (good) {
        *end = (*end - (uint32_t)length) & ~(uint32_t)(PAGE - 1);
        *size = (uint32_t)length;
        good = tess_pi_machine_load(machine, *end, bytes, *size) == TESS_OK;
    }
    if (!good)
        too_large(title, path);
    free(bytes);
    return good;
}

bool kernel_start(const char *title, const struct kernel *kernel, struct tess_pi_machine *machine)
{
    struct tess_pi_kernel start = {
        .command_line = kernel->command_line, .no_tags = kernel->no_tags, .uart = kernel->uart};
    uint32_t end = tess_pi_machine_arm_size(machine), size;
    if (!load_image(title, kernel, machine, &start.entry))
        return false;
    if (*kernel->device_tree) {
        if (!load_below(title, kernel->device_tree, machine, &end, &size))
            return false;
        start.device_tree = end;
    }
    if (*kernel->initrd) {
        if (!load_below(title, kernel->initrd, machine, &end, &start.initrd_size))
            return false;
        start.initrd_address = end;
    }
    start.no_stub = start.entry == 0;
    if (tess_pi_machine_start(machine, &start) == TESS_OK)
        return true;
    fprintf(stderr, "%s: '%s' begins at address 0x%x, outside of the ARM's memory\n", title,
            kernel->path, start.entry);
    return false;
}
