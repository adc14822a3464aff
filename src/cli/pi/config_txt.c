/* SPDX-License-Identifier: MIT */
/* config_txt.c - reads the keys of config.txt that select and place a kernel.
 *
 * In:  text; a board's name.
 * Out: members of struct kernel.
 *
 * Source: raspberrypi/documentation, configuration/config-txt (boot, memory, video, conditional).
 *         */
#include "cli/pi/config_txt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if a section applies to a board. Sections that name no board apply to all. */
static bool section_applies(const char *name, size_t length, const char *board)
{
    static const struct {
        const char *section, *boards;
    } sections[] = {
        {"pi0", "zero"}, {"pi0w", "zero"}, {"pi1", "pi1"},  {"pi2", "pi2"},   {"pi3", "pi3"},
        {"pi3+", "pi3"}, {"pi4", "none"},  {"pi5", "none"}, {"none", "none"},
    };
    for (unsigned i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strlen(sections[i].section) == length &&
            strncmp(sections[i].section, name, length) == 0)
            return !board || strcmp(sections[i].boards, board) == 0;
    return true;
}

static void copy_path(char *to, const char *value)
{
    snprintf(to, KERNEL_PATH, "%s", value);
}

static void apply_initramfs(struct kernel *kernel, const char *value)
{
    size_t length = strcspn(value, " \t");
    snprintf(kernel->initrd, sizeof kernel->initrd, "%.*s", (int)length, value);
}

static void apply_key(struct kernel *kernel, const char *key, const char *value)
{
    uint32_t number = (uint32_t)strtoul(value, NULL, 0);
    if (strcmp(key, "kernel") == 0) {
        copy_path(kernel->path, value);
    } else if (strcmp(key, "kernel_address") == 0) {
        kernel->has_address = true;
        kernel->address = number;
    } else if (strcmp(key, "kernel_old") == 0 && number) {
        kernel->has_address = true;
        kernel->address = 0;
    } else if (strcmp(key, "arm_64bit") == 0 || strcmp(key, "arm_control") == 0) {
        kernel->wide = strcmp(key, "arm_64bit") == 0 ? number != 0 : (number & 0x200) != 0;
    } else if (strcmp(key, "disable_commandline_tags") == 0) {
        kernel->no_tags = number != 0;
    } else if (strcmp(key, "enable_uart") == 0) {
        kernel->uart = number != 0;
    } else if (strcmp(key, "gpu_mem") == 0) {
        kernel->gpu_mib = number;
    } else if (strcmp(key, "device_tree") == 0) {
        copy_path(kernel->device_tree, value);
    } else if (strcmp(key, "initramfs") == 0) {
        apply_initramfs(kernel, value);
    }
}

static void trim(char *text)
{
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
}

/* Applies one line. Returns whether the lines of the present section apply. */
static bool apply_line(char *line, const char *board, bool applies, struct kernel *kernel)
{
    line[strcspn(line, "#")] = 0;
    line += strspn(line, " \t");
    trim(line);
    if (*line == '[')
        return section_applies(line + 1, strcspn(line + 1, "]"), board);
    char *value = line + strcspn(line, "= \t");
    if (!*value)
        return applies;
    *value++ = 0;
    value += strspn(value, "= \t");
    if (applies)
        apply_key(kernel, line, value);
    return applies;
}

void config_txt_apply(const char *text, const char *board, struct kernel *kernel)
{
    bool applies = true;
    while (*text) {
        char line[KERNEL_PATH];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1),
                 text);
        applies = apply_line(line, board, applies, kernel);
        text += length + (text[length] == '\n');
    }
}
