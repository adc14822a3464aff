/* SPDX-License-Identifier: MIT */
/* device_tree_none.c - device trees without libfdt: a tree stays as it is.
 *
 * In:  a device tree blob.
 * Out: the same bytes. */
#include "cli/pi/device_tree.h"

#include <string.h>

size_t device_tree_room(const void *bytes, size_t size, const struct device_tree_facts *facts)
{
    (void)bytes;
    (void)facts;
    return size;
}

const char *device_tree_fill(const void *bytes, size_t size, const struct device_tree_facts *facts,
                             void *to, size_t room)
{
    (void)facts;
    (void)room;
    memcpy(to, bytes, size);
    return NULL;
}
