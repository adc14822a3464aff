/* SPDX-License-Identifier: MIT */
/* user-program - a QPU program that squares numbers, started by the firmware and by registers. */
#include "mailbox.h"
#include "uart.h"
#include "v3d.h"

enum { COUNT = 16 };

extern const uint32_t program[]; /* program.qasm */

static uint32_t numbers[COUNT] __attribute__((aligned(64)));
static volatile uint32_t results[COUNT] __attribute__((aligned(64)));
static uint32_t uniforms[2] __attribute__((aligned(16)));
static uint32_t start[2] __attribute__((aligned(16))); /* for the firmware: uniforms and code */

/* The firmware starts the program, and answers when it has ended. */
static bool run_by_mailbox(void)
{
    start[0] = bus_address(uniforms);
    start[1] = bus_address(program);
    uint32_t words[] = {1, bus_address(start), 0,
                        1000}; /* programs, address, caches, milliseconds */
    barrier();
    return mailbox_tag(TAG_EXECUTE_QPU, words, 4) && words[0] == 0;
}

/* The kernel starts the program itself. */
static bool run_by_registers(void)
{
    barrier();
    v3d_clear_caches();
    V3D_SRQCS = 1 << 7 | 1 << 8 | 1 << 16; /* clear the queue and its counts */
    V3D_SRQUA = bus_address(uniforms);
    V3D_SRQUL = 2;
    V3D_SRQPC = bus_address(program); /* starts it */
    uint32_t begin = microseconds();
    while ((V3D_SRQCS >> 16 & 0xff) != 1) /* ended programs */
        if (microseconds() - begin > 1000000)
            return false;
    barrier();
    return true;
}

static void compute(const char *name, bool (*run)(void))
{
    for (int i = 0; i < COUNT; i++)
        results[i] = 0;
    uart_text(name);
    uart_text(run() ? ":" : ": failed:");
    for (int i = 0; i < COUNT; i++) {
        uart_text(" ");
        uart_number(results[i]);
    }
    uart_text("\n");
}

int main(void)
{
    uart_start();
    if (!v3d_start()) {
        uart_text("no 3D block\n");
        return 1;
    }
    for (uint32_t i = 0; i < COUNT; i++)
        numbers[i] = i * 3;
    uniforms[0] = bus_address(numbers);
    uniforms[1] = bus_address(results);
    compute("mailbox", run_by_mailbox);
    compute("registers", run_by_registers);
    return 0;
}
