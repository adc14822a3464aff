/* SPDX-License-Identifier: MIT */
/* decoder.c - see decoder.h. */
#include "scene/decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

/* --- set of shown objects --- */

static size_t find_slot(const struct address_set *set, uint64_t key)
{
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (set->capacity - 1);
    while (set->slots[at] && set->slots[at] != key)
        at = (at + 1) & (set->capacity - 1);
    return at;
}

static bool grow_set(struct address_set *set)
{
    struct address_set larger = {.capacity = set->capacity ? 2 * set->capacity : 256,
                                 .count = set->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            larger.slots[find_slot(&larger, set->slots[i])] = set->slots[i];
    free(set->slots);
    *set = larger;
    return true;
}

bool decoder_first_pair(struct decoder *decoder, enum shown_as as, uint32_t address, uint32_t other)
{
    enum { ADDRESS_BITS = 30 };
    struct address_set *set = &decoder->seen;
    uint64_t key = (uint64_t)(as + 1) << (2 * ADDRESS_BITS) |
                   (uint64_t)(other & ELF_ADDRESS_MASK) << ADDRESS_BITS |
                   (address & ELF_ADDRESS_MASK);
    if (2 * set->count >= set->capacity && !grow_set(set)) {
        decoder->no_memory = true;
        return false;
    }
    size_t slot = find_slot(set, key);
    if (set->slots[slot] == key)
        return false;
    set->slots[slot] = key;
    set->count++;
    return true;
}

bool decoder_first_time(struct decoder *decoder, enum shown_as as, uint32_t address)
{
    return decoder_first_pair(decoder, as, address, 0);
}

/* --- notes and diagnostics --- */

void decoder_note(struct decoder *decoder, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    listing_note(&decoder->listing, text);
}

/* Writes the first bytes of malformed memory for a diagnostic, as in "12 34 56". */
static const char *raw_text(char *text, size_t size, const uint8_t *bytes, uint32_t available)
{
    *text = 0;
    for (uint32_t i = 0; i < available && i < 8 && 3 * i + 4 < size; i++)
        snprintf(text + 3 * i, size - 3 * i, "%02x ", bytes[i]);
    size_t length = strlen(text);
    if (length)
        text[length - 1] = 0;
    return text;
}

void decoder_trouble(struct decoder *decoder, const char *rule, uint32_t address,
                     const char *format, ...)
{
    char text[256], raw[32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    uint32_t available;
    const uint8_t *bytes = machine_span(decoder->machine, address, &available);
    decoder_note(decoder, "error: %s", text);
    struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = rule,
        .file = decoder->scene->name,
        .place = {.known = TESS_PLACE_ADDRESS, .address = address},
    };
    if (bytes)
        diag_report(decoder->sink, &diag, "%s; the bytes at 0x%08x are %s", text, address,
                    raw_text(raw, sizeof raw, bytes, available));
    else
        diag_report(decoder->sink, &diag, "%s", text);
    decoder->wrong = true;
}

bool decoder_may_show(struct decoder *decoder)
{
    if (decoder->left > 0 && !decoder->no_memory && !decoder->listing.failed) {
        decoder->left--;
        return true;
    }
    if (!decoder->out_of_budget)
        decoder_note(decoder, "the listing ends here: the limit on records is reached");
    decoder->out_of_budget = true;
    return false;
}

const uint8_t *decoder_need(struct decoder *decoder, uint32_t address, uint32_t size,
                            const char *what)
{
    uint32_t available;
    const uint8_t *bytes = machine_span(decoder->machine, address, &available);
    if (bytes && available >= size)
        return bytes;
    decoder_trouble(decoder, "bus-unmapped", address,
                    "%s at 0x%08x is not completely in mapped memory (%u of %u bytes)", what,
                    address, available, size);
    return NULL;
}

void decoder_show_fields(struct decoder *decoder, const struct cl_part *part, const uint8_t *data)
{
    for (uint32_t i = 0; i < part->field_count; i++)
        listing_field(&decoder->listing, &part->fields[i], data, NULL);
}
