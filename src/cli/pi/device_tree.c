/* SPDX-License-Identifier: MIT */
/* device_tree.c - writes memory, command line and initial RAM disk into a device tree, as the
 * firmware does before it starts a kernel.
 *
 * In:  a device tree blob, facts of the run.
 * Out: the changed blob.
 *
 * Source: Devicetree Specification 0.4, 3.4 (/memory) and 3.6 (/chosen); raspberrypi/documentation,
 *         device-tree ("the firmware passes"); Linux, Documentation/devicetree/bindings/arm/chosen
 *         (linux,initrd-start).
 * Choices: the serial number is that of property tag 0x00010004, which is 0. */
#include "cli/pi/device_tree.h"

#include <libfdt.h>
#include <stdio.h>
#include <string.h>

enum {
    ROOM = 1024,         /* bytes for new nodes and properties, without the command line */
    LARGEST_LINE = 4096, /* bytes of bootargs */
};

size_t device_tree_room(const void *bytes, size_t size, const struct device_tree_facts *facts)
{
    if (size > INT32_MAX || fdt_check_full(bytes, size) != 0)
        return 0;
    return fdt_totalsize(bytes) + ROOM + strlen(facts->command_line);
}

/* Returns the offset of a node below the root, which is added if it is missing. */
static int node(void *tree, const char *name)
{
    int at = fdt_subnode_offset(tree, 0, name);
    return at == -FDT_ERR_NOTFOUND ? fdt_add_subnode(tree, 0, name) : at;
}

/* Stores a number in `cells` words. Returns the word after it. */
static fdt32_t *put_number(fdt32_t *to, int cells, uint32_t value)
{
    for (int i = 1; i < cells; i++)
        *to++ = 0;
    *to++ = cpu_to_fdt32(value);
    return to;
}

static int set_memory(void *tree, const struct device_tree_facts *facts)
{
    fdt32_t range[2 * FDT_MAX_NCELLS];
    int addresses = fdt_address_cells(tree, 0), sizes = fdt_size_cells(tree, 0);
    int at = node(tree, "memory");
    if (addresses < 1 || sizes < 1)
        return -FDT_ERR_BADNCELLS;
    if (at < 0)
        return at;
    const fdt32_t *end = put_number(put_number(range, addresses, 0), sizes, facts->memory);
    int error = fdt_setprop_string(tree, at, "device_type", "memory");
    return error ? error
                 : fdt_setprop(tree, at, "reg", range, (int)((end - range) * (long)sizeof *range));
}

/* The command line follows the bootargs that the tree contains. */
static int set_command_line(void *tree, int chosen, const char *line)
{
    char text[LARGEST_LINE];
    int length;
    const char *before = fdt_getprop(tree, chosen, "bootargs", &length);
    if (!*line)
        return 0;
    if (before && *before)
        snprintf(text, sizeof text, "%.*s %s", length, before, line);
    else
        snprintf(text, sizeof text, "%s", line);
    return fdt_setprop(tree, chosen, "bootargs", text, (int)strlen(text) + 1);
}

static int set_initrd(void *tree, int chosen, const struct device_tree_facts *facts)
{
    if (!facts->initrd_size)
        return 0;
    int error = fdt_setprop_u32(tree, chosen, "linux,initrd-start", facts->initrd_address);
    return error ? error
                 : fdt_setprop_u32(tree, chosen, "linux,initrd-end",
                                   facts->initrd_address + facts->initrd_size);
}

static int set_chosen(void *tree, const struct device_tree_facts *facts)
{
    int chosen = node(tree, "chosen");
    if (chosen < 0)
        return chosen;
    int error = set_command_line(tree, chosen, facts->command_line);
    return error ? error : set_initrd(tree, chosen, facts);
}

static int set_board(void *tree, const struct device_tree_facts *facts)
{
    int error = fdt_setprop_string(tree, 0, "serial-number", "0000000000000000");
    int system = error ? error : node(tree, "system");
    if (system < 0)
        return system;
    error = fdt_setprop_u32(tree, system, "linux,revision", facts->revision);
    return error ? error : fdt_setprop_u64(tree, system, "linux,serial", 0);
}

const char *device_tree_fill(const void *bytes, size_t size, const struct device_tree_facts *facts,
                             void *to, size_t room)
{
    (void)size;
    int error = fdt_open_into(bytes, to, (int)room);
    if (!error)
        error = set_memory(to, facts);
    if (!error)
        error = set_chosen(to, facts);
    if (!error)
        error = set_board(to, facts);
    return error ? fdt_strerror(error) : NULL;
}
