/* SPDX-License-Identifier: MIT */
/* bcm2835.c - fuzz target: all peripherals of src/board/bcm2835, with any series of accesses,
 * inputs and times.
 *
 * Input: a series of actions. The lower two bits of an action's first byte are its kind, the upper
 * six bits the number of a peripheral:
 *
 *   0  reads a register: an offset of two bytes
 *   1  writes a register: an offset of two bytes, a value of four bytes
 *   2  lets time pass: a byte m and a byte e; the time is m * 2^(e % 40) nanoseconds
 *   3  a byte or a level from outside: a kind of one byte, a value of two bytes
 *
 * An offset counts registers. Offsets with bit 15 clear are modulo 64. */
#include "../tests/board/bcm2835/all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SAME_TIME = 1000, FIRST_REGISTERS = 64, INPUTS = INPUT_PIN + 1 };

struct rest {
    const uint8_t *at;
    size_t left;
};

static uint32_t take(struct rest *rest, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && rest->left > 0; i++, rest->at++, rest->left--)
        value |= (uint32_t)*rest->at << 8 * i;
    return value;
}

static void check(bool holds)
{
    if (!holds)
        __builtin_trap();
}

/* Returns the offset of a register of a peripheral. */
static uint32_t take_offset(struct rest *rest, unsigned device)
{
    uint32_t number = take(rest, 2);
    if (!(number & 0x8000))
        number %= FIRST_REGISTERS;
    return number * 4 % all_devices[device]->size;
}

/* Lets time pass, and checks that the peripherals do not ask for the same time for ever. */
static void wait(struct all *a, struct rest *rest)
{
    uint64_t factor = take(rest, 1);
    all_wait(a, factor << take(rest, 1) % 40);
    for (unsigned n = 0; all_next(a) <= a->time; n++) {
        check(n < SAME_TIME);
        for (unsigned i = 0; i < ALL_DEVICES; i++)
            all_advance(a, i);
    }
}

static void act(struct all *a, struct rest *rest)
{
    uint32_t first = take(rest, 1), offset, value;
    unsigned device = (first >> 2) % ALL_DEVICES;
    switch (first & 3) {
    case 0: all_access(a, device, take_offset(rest, device), false, 0); break;
    case 1:
        offset = take_offset(rest, device);
        all_access(a, device, offset, true, take(rest, 4));
        break;
    case 2: wait(a, rest); break;
    default:
        value = take(rest, 1) % INPUTS;
        all_advance(a, device);
        if (all_devices[device]->input)
            all_devices[device]->input(a->states[device], &a->ports, (enum device_input)value,
                                       take(rest, 2));
    }
}

/* Moves all states to other memory, as saving and restoring does. */
static void move(struct all *a)
{
    for (unsigned i = 0; i < ALL_DEVICES; i++) {
        void *moved = malloc(all_devices[i]->state_size + 1);
        check(moved != NULL);
        memcpy(moved, a->states[i], all_devices[i]->state_size);
        free(a->states[i]);
        a->states[i] = moved;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct all a;
    struct rest rest = {data, size};
    all_open(&a);
    while (rest.left > size / 2)
        act(&a, &rest);
    move(&a);
    while (rest.left > 0)
        act(&a, &rest);
    all_close(&a);
    return 0;
}
