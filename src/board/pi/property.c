/* SPDX-License-Identifier: MIT */
/* property.c - executes property buffers. A property buffer contains its size, a response code, and
 * consecutive tags that end with a zero word.
 *
 * In:  a buffer with requests.
 * Out: the same buffer with replies.
 *
 * Source: the firmware's wiki page "Mailbox property interface" (github raspberrypi/firmware) for
 *         unknown tags, whose request word stays unchanged, and for replies, which are cut to the
 *         value buffer but report their full length; Linux' drivers/firmware/raspberrypi.c for
 *         0x80000001 as the response to a buffer with an unknown tag.
 * Choices: request lengths are ignored, because programs leave them zero (JayStation's physical
 *          display tag). */
#include "board/pi/pi.h"

#include <string.h>

#include "base/bits.h"
#include "board/pi/tags.h"

#define RESPONSE_OK  UINT32_C(0x80000000)
#define TAG_RESPONSE UINT32_C(0x80000000)

enum { HEAD = 8, TAG_HEAD = 12, SMALLEST = HEAD + 4 };

/* Executes one tag. value points to the tag's value buffer of size bytes. code points to the tag's
 * request/response word. Returns false if the handler rejects the tag. */
static bool run_tag(struct tess_pi *pi, const struct tag *tag, uint8_t *code, uint8_t *value,
                    uint32_t size)
{
    struct tag_value words = {.reply = tag->reply};
    uint8_t bytes[sizeof words.word] = {0};
    words.given = size < sizeof bytes ? size : (uint32_t)sizeof bytes;
    memcpy(bytes, value, words.given);
    for (unsigned i = 0; i < TAG_WORDS; i++)
        words.word[i] = load_le32(bytes + 4 * i);
    if (!tag->handler(pi, &words))
        return false;
    for (unsigned i = 0; i < TAG_WORDS; i++)
        store_le32(bytes + 4 * i, words.word[i]);
    memcpy(value, bytes, size < words.reply ? size : words.reply);
    store_le32(code, TAG_RESPONSE | words.reply);
    return true;
}

static uint32_t report_buffer(struct tess_pi *pi, uint32_t address, const char *text)
{
    pi_fault(pi, PI_MAILBOX_BUFFER, address, text);
    return PI_RESPONSE_ERROR;
}

/* Returns the bus address of an offset in a buffer, or PI_NOWHERE if the buffer's address is
 * PI_NOWHERE. */
static uint32_t place_in(uint32_t address, uint32_t offset)
{
    return address == PI_NOWHERE ? PI_NOWHERE : address + offset;
}

/* Executes all tags of a buffer. Returns the response code. */
static uint32_t run_tags(struct tess_pi *pi, uint8_t *buffer, uint32_t size, uint32_t address)
{
    uint32_t result = RESPONSE_OK, at;
    for (at = HEAD; at <= size && size - at >= 4;) {
        uint32_t id = load_le32(buffer + at);
        if (id == 0)
            return result;
        if (size - at < TAG_HEAD)
            break;
        uint32_t value_size = load_le32(buffer + at + 4);
        if (value_size > size - at - TAG_HEAD)
            break;
        const struct tag *tag = tag_find(id);
        if (!tag || !run_tag(pi, tag, buffer + at + 8, buffer + at + TAG_HEAD, value_size))
            result = PI_RESPONSE_ERROR;
        at += TAG_HEAD + (value_size + 3) / 4 * 4;
        if (at == size) {
            pi_fault(pi, PI_MAILBOX_END, place_in(address, at),
                     "the tags of the property buffer do not end with a zero word");
            return result;
        }
    }
    return report_buffer(pi, place_in(address, at),
                         "the tags of the property buffer extend past its end");
}

uint32_t pi_property(struct tess_pi *pi, uint8_t *buffer, uint32_t size, uint32_t address)
{
    if (load_le32(buffer + 4) != 0)
        pi_fault(pi, PI_MAILBOX_REQUEST, place_in(address, 4),
                 "the property buffer is not marked as a request");
    uint32_t result = run_tags(pi, buffer, size, address);
    store_le32(buffer + 4, result);
    return result;
}

uint32_t tess_pi_property(struct tess_pi *pi, void *buffer, uint32_t size)
{
    uint8_t *bytes = buffer;
    uint32_t said = size >= 4 ? load_le32(bytes) : 0;
    if (said >= SMALLEST && said <= size)
        return pi_property(pi, bytes, said, PI_NOWHERE);
    if (size >= HEAD)
        store_le32(bytes + 4, PI_RESPONSE_ERROR);
    return report_buffer(pi, PI_NOWHERE,
                         "the first word of the property buffer is not a valid size");
}
