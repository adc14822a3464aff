/* SPDX-License-Identifier: MIT */
/* sources.c - fuzz target: reads any bytes as a file that contains a program's code, and as an
 * executable. Then looks up memory with the same bytes in the file. All returned strings are read
 * to their ends. */
#include <stdint.h>
#include <string.h>

#include <tessera/sources.h>

#include "base/bits.h"
#include "code/sources.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
    const uint8_t *bytes;
    size_t size;
};

static bool read_word(void *user, uint32_t address, uint64_t *word)
{
    const struct memory *memory = user;
    if (address > memory->size || memory->size - address < 8)
        return false;
    *word = load_le64(memory->bytes + address);
    return true;
}

static size_t length(const char *text)
{
    return text ? strlen(text) : 0;
}

static void look_up(struct tess_sources *sources, const uint8_t *data, size_t size)
{
    struct memory memory = {data, size};
    struct tess_source_place place;
    for (uint32_t at = 0; at < size && at < 4096; at += 4) {
        bool found = tess_sources_find(sources, at, (struct tess_code_reader){read_word, &memory},
                                       &place);
        if (!found)
            found = tess_sources_at(sources, at, NULL, &place);
        volatile size_t sum = found ? length(place.path) + length(place.symbol) + length(place.file)
                                    : 0;
        (void)sum;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tess_sources *sources;
    if (tess_sources_create(&sources) != TESS_OK)
        return 0;
    if (tess_sources_add_bytes(sources, data, size, "input", (struct tess_sink){0}) !=
            TESS_INVALID &&
        sources->files)
        sources_read_objects(sources, data, size);
    look_up(sources, data, size);
    tess_sources_free(sources);
    return 0;
}
