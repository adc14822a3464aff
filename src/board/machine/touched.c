/* SPDX-License-Identifier: MIT */
/* touched.c - see touched.h.
 *
 * In:  an allocation.
 * Out: a flag for each page.
 *
 * Reading a page for the first time costs the host a page of memory and much time. Linux shows in
 * /proc/self/pagemap which pages the process has. On other hosts, all pages count as accessed.
 *
 * Source: Linux, Documentation/admin-guide/mm/pagemap.rst: bit 63 is "present", bit 62
 *         "swapped". */
#include "board/machine/touched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <unistd.h>

enum { ENTRIES = 4096 };

/* Sets the flags of all pages in host pages from `first` on, of which `entries` are known. */
static void set_flags(const uint8_t *memory, bool *flags, size_t count, size_t host,
                      uintptr_t first, const uint64_t *entries, size_t known)
{
    for (size_t i = 0; i < known; i++) {
        uintptr_t start = (first + i) * host, base = (uintptr_t)memory;
        for (uintptr_t at = start; at < start + host; at += TOUCHED_PAGE)
            if (at >= base && (at - base) / TOUCHED_PAGE < count)
                flags[(at - base) / TOUCHED_PAGE] = entries[i] >> 62 != 0;
    }
}

static bool read_map(const uint8_t *memory, bool *flags, size_t count)
{
    size_t host = (size_t)sysconf(_SC_PAGESIZE);
    FILE *file = host % TOUCHED_PAGE == 0 ? fopen("/proc/self/pagemap", "rb") : NULL;
    uint64_t *entries = malloc(ENTRIES * sizeof *entries);
    bool good = file && entries && (uintptr_t)memory % TOUCHED_PAGE == 0;
    uintptr_t at = (uintptr_t)memory / host;
    uintptr_t end = ((uintptr_t)memory + count * TOUCHED_PAGE + host - 1) / host;
    good = good && fseek(file, (long)(at * sizeof *entries), SEEK_SET) == 0;
    while (good && at < end) {
        size_t wanted = end - at < ENTRIES ? end - at : ENTRIES;
        good = fread(entries, sizeof *entries, wanted, file) == wanted;
        if (good)
            set_flags(memory, flags, count, host, at, entries, wanted);
        at += wanted;
    }
    free(entries);
    if (file)
        fclose(file);
    return good;
}
#else
static bool read_map(const uint8_t *memory, bool *flags, size_t count)
{
    (void)memory;
    (void)flags;
    (void)count;
    return false;
}
#endif

bool *touched_pages(const uint8_t *memory, size_t count)
{
    bool *flags = malloc(count ? count : 1);
    if (flags && !read_map(memory, flags, count))
        memset(flags, true, count);
    return flags;
}
