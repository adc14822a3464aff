/* SPDX-License-Identifier: MIT */
/* machine.h - a replacement for the shim's machine in the tests of trap.c. Its registers are an
 * array in memory. It records all accesses in a list. */
#ifndef TEST_TRAP_MACHINE_H
#define TEST_TRAP_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TEST_PAGES = 2,
    TEST_BYTES = TEST_PAGES * 4096,
    TEST_OFFSET = 0xc00000,
    TEST_ACCESSES = 4096
};

struct test_access {
    bool write;
    uint32_t offset, value; /* offset is in bytes from TEST_OFFSET */
};

extern volatile uint32_t test_registers[TEST_BYTES / 4];
extern volatile struct test_access test_accesses[TEST_ACCESSES];
extern volatile unsigned test_access_count, test_settled;

/* Marks work as pending. machine_settle() clears the mark. */
void test_pend(void);

#endif
