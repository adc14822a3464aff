/* SPDX-License-Identifier: MIT */
/* mailbox.c - the property channel of the mailbox. */
#include "mailbox.h"

#include "board.h"

#define MAIL_READ   PERIPHERAL(0xb880)
#define MAIL_STATUS PERIPHERAL(0xb898)
#define MAIL_WRITE  PERIPHERAL(0xb8a0)

enum {
    MAIL_EMPTY = 1 << 30,
    CHANNEL = 8, /* property tags, from the ARM to the firmware */
    DONE = 0x80000000,
};
#define MAIL_FULL 0x80000000u

bool mailbox_call(volatile uint32_t *buffer)
{
    uint32_t message = bus_address(buffer) | CHANNEL;
    barrier(); /* the firmware reads what the ARM has written */
    while (MAIL_STATUS & MAIL_FULL)
        ;
    MAIL_WRITE = message;
    do
        while (MAIL_STATUS & MAIL_EMPTY)
            ;
    while (MAIL_READ != message);
    barrier();
    return buffer[1] == (uint32_t)DONE;
}

bool mailbox_tag(uint32_t tag, uint32_t *words, uint32_t count)
{
    static volatile uint32_t buffer[16] __attribute__((aligned(16)));
    buffer[0] = (6 + count) * 4;
    buffer[1] = 0;
    buffer[2] = tag;
    buffer[3] = count * 4;
    buffer[4] = 0;
    for (uint32_t i = 0; i < count; i++)
        buffer[5 + i] = words[i];
    buffer[5 + count] = 0;
    bool done = mailbox_call(buffer);
    for (uint32_t i = 0; i < count; i++)
        words[i] = buffer[5 + i];
    return done;
}
