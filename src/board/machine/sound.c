/* SPDX-License-Identifier: MIT */
/* sound.c - records the samples of PWM and PCM as a WAV file.
 *
 * In:  samples, at the times when they leave the board.
 * Out: the bytes of a WAV file.
 *
 * Choices: the rate of a sample is the rate of the samples before, until the time between two
 *          samples differs by more than a hundredth. */
#include "board/machine/machine.h"

#include <stdlib.h>

#include "board/machine/wav.h"

enum { DEFAULT_RATE = 44100, SLOWEST = 1000, TOLERANCE = 100 };

struct machine_sound {
    struct wav wav;
    uint64_t latest; /* time of the latest sample, in nanoseconds; 0 before the first */
    uint32_t rate;   /* of the latest samples, 0 if unknown */
};

/* Sets the rate by the time since the latest sample. */
static void note_time(struct machine_sound *sound, uint64_t now)
{
    uint64_t interval = now - sound->latest;
    bool known = sound->latest && interval && interval <= DEVICE_SECOND / SLOWEST;
    uint32_t rate = known ? (uint32_t)((DEVICE_SECOND + interval / 2) / interval) : sound->rate;
    uint32_t difference = rate > sound->rate ? rate - sound->rate : sound->rate - rate;
    if (difference > sound->rate / TOLERANCE)
        sound->rate = rate;
    sound->latest = now;
}

void machine_sample(struct tess_pi_machine *machine, int16_t left, int16_t right)
{
    struct machine_sound *sound = machine->sound;
    if (!sound)
        return;
    note_time(sound, machine_now(machine));
    wav_sample(&sound->wav, left, right, sound->rate);
}

enum tess_status tess_pi_machine_record_sound(struct tess_pi_machine *machine,
                                              tess_pi_write_bytes *write, void *user)
{
    struct machine_sound *sound = calloc(1, sizeof *sound);
    if (!sound)
        return TESS_NO_MEMORY;
    wav_open(&sound->wav, write, user);
    free(machine->sound);
    machine->sound = sound;
    return TESS_OK;
}

bool tess_pi_machine_end_sound(struct tess_pi_machine *machine)
{
    bool good = !machine->sound || wav_close(&machine->sound->wav, DEFAULT_RATE);
    free(machine->sound);
    machine->sound = NULL;
    return good;
}
