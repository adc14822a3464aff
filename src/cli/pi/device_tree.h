/* SPDX-License-Identifier: MIT */
/* device_tree.h - what the firmware changes in a device tree. */
#ifndef CLI_PI_DEVICE_TREE_H
#define CLI_PI_DEVICE_TREE_H

#include <stddef.h>
#include <stdint.h>

/* What a device tree says about a run. */
struct device_tree_facts {
    uint32_t memory;                      /* size of the memory from address 0, in bytes */
    uint32_t initrd_address, initrd_size; /* of the initial RAM disk; size 0: there is none */
    const char *command_line;             /* added to the bootargs of the tree; may be empty */
    uint32_t revision;                    /* of the board */
};

/* Returns the number of bytes that a device tree of `size` bytes needs with these facts, or 0 if
 * the bytes are no device tree. Returns `size` if Tessera was built without libfdt: the tree then
 * stays as it is. */
size_t device_tree_room(const void *bytes, size_t size, const struct device_tree_facts *facts);

/* Writes a device tree with the facts to `to`, which has the `room` that device_tree_room()
 * returned. Returns NULL, or libfdt's words for what is wrong with the tree. */
const char *device_tree_fill(const void *bytes, size_t size, const struct device_tree_facts *facts,
                             void *to, size_t room);

#endif
