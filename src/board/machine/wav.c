/* SPDX-License-Identifier: MIT */
/* wav.c - see wav.h.
 *
 * In:  pairs of samples with their rates.
 * Out: the bytes of a WAV file, through a function.
 *
 * Source: "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft, 1991),
 *         chapter 3, "WAVE".
 * Choices: sizes of more than 4 GiB, which the format does not have, are written as 0xffffffff. */
#include "board/machine/wav.h"

#include <string.h>

#include "base/bits.h"

enum {
    CHANNELS = 2,
    BITS = 16,
    FORMAT_SIZE = 16,
    PCM = 1,
    RIFF_START = 8,     /* bytes that the size of the RIFF chunk does not count */
    MOST_REPEATS = 256, /* of a sample, if the rates differ by more */
};

static void write_bytes(struct wav *wav, uint64_t position, const void *bytes, size_t size)
{
    if (!wav->failed && !wav->write(wav->user, position, bytes, size))
        wav->failed = true;
}

static void flush(struct wav *wav)
{
    uint64_t end = WAV_HEADER + wav->frames * WAV_FRAME;
    if (wav->used)
        write_bytes(wav, end - wav->used, wav->buffer, wav->used);
    wav->used = 0;
}

static void put_frame(struct wav *wav, int16_t left, int16_t right)
{
    store_le16(wav->buffer + wav->used, (uint16_t)left);
    store_le16(wav->buffer + wav->used + 2, (uint16_t)right);
    wav->used += WAV_FRAME;
    wav->frames++;
    if (wav->used == WAV_BUFFER)
        flush(wav);
}

void wav_open(struct wav *wav, wav_write *write, void *user)
{
    memset(wav, 0, sizeof *wav);
    wav->write = write;
    wav->user = user;
}

void wav_sample(struct wav *wav, int16_t left, int16_t right, uint32_t rate)
{
    if (wav->rate == 0)
        wav->rate = rate;
    if (rate == 0 || rate == wav->rate) {
        put_frame(wav, left, right);
        return;
    }
    uint64_t due = (uint64_t)wav->phase + wav->rate, count = due / rate;
    wav->phase = (uint32_t)(due % rate);
    for (uint64_t i = 0; i < count && i < MOST_REPEATS; i++)
        put_frame(wav, left, right);
}

bool wav_close(struct wav *wav, uint32_t rate)
{
    flush(wav);
    uint64_t size = wav->frames * WAV_FRAME, whole = size + WAV_HEADER - RIFF_START;
    uint8_t header[WAV_HEADER] = "RIFF    WAVEfmt                     data";
    rate = wav->rate ? wav->rate : rate;
    store_le32(header + 4, whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX);
    store_le32(header + 16, FORMAT_SIZE);
    store_le16(header + 20, PCM);
    store_le16(header + 22, CHANNELS);
    store_le32(header + 24, rate);
    store_le32(header + 28, rate * WAV_FRAME);
    store_le16(header + 32, WAV_FRAME);
    store_le16(header + 34, BITS);
    store_le32(header + 40, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX);
    write_bytes(wav, 0, header, sizeof header);
    return !wav->failed;
}
