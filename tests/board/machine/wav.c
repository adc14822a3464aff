/* SPDX-License-Identifier: MIT */
/* wav.c - tests the writer of WAV files. Expected bytes are from the format's specification. */
#include "../../register.h"

#include <string.h>

#include "base/bits.h"
#include "board/machine/wav.h"

enum { CAPACITY = 0x10000 };

struct file {
    uint8_t bytes[CAPACITY];
    uint64_t size;
    unsigned writes, fail_at;
};

static bool write_file(void *user, uint64_t position, const void *bytes, size_t size)
{
    struct file *f = user;
    if (++f->writes == f->fail_at)
        return false;
    assert_true(position + size <= CAPACITY);
    memcpy(f->bytes + position, bytes, size);
    if (position + size > f->size)
        f->size = position + size;
    return true;
}

TEST(header_and_samples)
{
    static struct file f;
    static struct wav wav;
    wav_open(&wav, write_file, &f);
    wav_sample(&wav, 0x1234, -2, 44100);
    wav_sample(&wav, -32768, 32767, 44100);
    assert_true(wav_close(&wav, 8000));
    static const uint8_t expected[52] = {
        'R',  'I',  'F',  'F',  44,   0,   0,   0,   'W', 'A',  'V',  'E', 'f',  'm',  't',
        ' ',  16,   0,    0,    0,    1,   0,   2,   0,   0x44, 0xac, 0,   0, /* 44100 samples */
        0x10, 0xb1, 0x02, 0, /* 176400 bytes per second */
        4,    0,    16,   0,    'd',  'a', 't', 'a', 8,   0,    0,    0,   0x34, 0x12, 0xfe,
        0xff, 0x00, 0x80, 0xff, 0x7f,
    };
    assert_int_equal(f.size, sizeof expected);
    assert_memory_equal(f.bytes, expected, sizeof expected);
}

TEST(rate_at_the_end)
{
    static struct file f;
    static struct wav wav;
    wav_open(&wav, write_file, &f);
    for (int16_t i = 0; i < 3000; i++) /* more than the buffer */
        wav_sample(&wav, i, (int16_t)-i, 0);
    assert_true(wav_close(&wav, 8000));
    assert_int_equal(f.size, WAV_HEADER + 3000 * 4);
    assert_int_equal(load_le32(f.bytes + 24), 8000);
    for (int16_t i = 0; i < 3000; i++) {
        assert_int_equal((int16_t)load_le16(f.bytes + WAV_HEADER + 4 * i), i);
        assert_int_equal((int16_t)load_le16(f.bytes + WAV_HEADER + 4 * i + 2), -i);
    }
}

/* Samples of another rate keep their time: 300 samples at 32000 Hz are 450 at 48000 Hz, and 300 at
 * 96000 Hz are 150. */
TEST(changed_rates)
{
    static struct file f;
    static struct wav wav;
    wav_open(&wav, write_file, &f);
    wav_sample(&wav, 1, 1, 48000);
    for (unsigned i = 0; i < 300; i++)
        wav_sample(&wav, (int16_t)i, 2, 32000);
    assert_int_equal(wav.frames, 1 + 450);
    for (unsigned i = 0; i < 300; i++)
        wav_sample(&wav, 3, 3, 96000);
    assert_int_equal(wav.frames, 1 + 450 + 150);
    assert_true(wav_close(&wav, 0));
    assert_int_equal(load_le32(f.bytes + 24), 48000);
    /* Of two samples at 32000 Hz, the second is written twice. */
    assert_int_equal(load_le16(f.bytes + WAV_HEADER + 4), 0);
    assert_int_equal(load_le16(f.bytes + WAV_HEADER + 8), 1);
    assert_int_equal(load_le16(f.bytes + WAV_HEADER + 12), 1);
    assert_int_equal(load_le16(f.bytes + WAV_HEADER + 16), 2);
}

TEST(failed_writes)
{
    static struct wav wav;
    for (unsigned i = 1; i <= 2; i++) {
        static struct file f;
        f = (struct file){.fail_at = i};
        wav_open(&wav, write_file, &f);
        wav_sample(&wav, 1, 1, 48000);
        assert_false(wav_close(&wav, 0));
        assert_int_equal(f.writes, i); /* nothing after an error */
    }
}
