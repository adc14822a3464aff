/* SPDX-License-Identifier: MIT */
/* wav.h - writes stereo samples of 16 bits as a WAV file. */
#ifndef BOARD_MACHINE_WAV_H
#define BOARD_MACHINE_WAV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAV_HEADER = 44, WAV_FRAME = 4, WAV_BUFFER = 4096 };

/* Writes size bytes at a position of the file. Returns false if the write fails. */
typedef bool wav_write(void *user, uint64_t position, const void *bytes, size_t size);

/* A WAV file that is being written. */
struct wav {
    wav_write *write;
    void *user;
    uint32_t rate;   /* samples per second of the file; 0 while it is not known */
    uint32_t phase;  /* part of a sample of the file that is still to write, in 1 / source rate */
    uint64_t frames; /* pairs of samples in the file, with those in the buffer */
    size_t used;     /* bytes in the buffer */
    bool failed;
    uint8_t buffer[WAV_BUFFER];
};

/* Starts a file. */
void wav_open(struct wav *wav, wav_write *write, void *user);

/* Appends a pair of samples that were played at a rate, or at an unknown rate, 0. The first known
 * rate becomes the rate of the file. Pairs of another rate are repeated or left out, so that their
 * time stays right. */
void wav_sample(struct wav *wav, int16_t left, int16_t right, uint32_t rate);

/* Completes the file. rate is the rate of the file if no pair had a known rate. Returns false if a
 * write has failed. */
bool wav_close(struct wav *wav, uint32_t rate);

#endif
