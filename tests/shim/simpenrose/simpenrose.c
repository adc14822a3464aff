/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/simpenrose through the interface that Mesa's simulator uses. The tests draw the
 * first triangle in GL mode (examples/vc4/gl-triangle). Its control lists and shaders are those of
 * the article "Vertex and Coordinate Shaders".
 *
 * The alias bits of the example's addresses do not select memory: 0x40000000 is the first byte of
 * the memory. The example clears the picture with 0xff00ffff. It draws a triangle with the corners
 * (320, 32), (32, 448) and (608, 448) and the colour 0xffffffff. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../register.h"
#include "base/bits.h"
#include "shim/simpenrose/simpenrose.h"

enum { MEMORY = 4 << 20, WIDTH = 640, FRAMEBUFFER = 0x100000, OVERFLOW = 0x300000, THREADS = 4 };

#define CLEARED UINT32_C(0xff00ffff)
#define WHITE   UINT32_C(0xffffffff)

static uint8_t *memory, *elf;
static size_t elf_size;

/* Start and end of the binner's list, then of the renderer's list. The records of the binner's list
 * have 16 + 1 + 1 + 9 + 4 + 5 + 9 + 5 + 10 + 1 bytes. Those of the renderer's list have 1 + 14 + 11
 * + 3 + 7 bytes, and 3 + 5 + 1 bytes for each of 80 tiles. The renderer's list begins at a multiple
 * of 16. */
static const uint32_t lists[4] = {0x40010000, 0x4001003d, 0x40010040, 0x40010040 + 36 + 80 * 9};

/* Loads the segments of an ELF file (type PT_LOAD, which is 1). Clears the alias bits of the
 * segments' addresses. */
static void load(void)
{
    memset(memory, 0, MEMORY);
    const uint8_t *headers = elf + load_le32(elf + 28);
    for (unsigned i = 0; i < load_le16(elf + 44); i++) {
        const uint8_t *header = headers + 32 * i;
        if (load_le32(header) == 1)
            memcpy(memory + (load_le32(header + 8) & 0x3fffffff), elf + load_le32(header + 4),
                   load_le32(header + 16));
    }
}

static uint32_t pixel(uint32_t x, uint32_t y)
{
    return load_le32(memory + FRAMEBUFFER + 4 * (WIDTH * y + x));
}

static void assert_triangle(void)
{
    assert_int_equal(pixel(0, 0), CLEARED);
    assert_int_equal(pixel(639, 479), CLEARED);
    assert_int_equal(pixel(320, 30), CLEARED);
    assert_int_equal(pixel(320, 36), WHITE);
    assert_int_equal(pixel(320, 300), WHITE);
    assert_int_equal(pixel(40, 446), WHITE);
    assert_int_equal(pixel(320, 450), CLEARED);
}

/* Calls the functions before the simulator has memory. They must fail. */
TEST(nothing_is_there)
{
    assert_int_equal(simpenrose_do_binning(0, 16), 0);
    assert_int_equal(simpenrose_hw_addr(memory), UINT32_MAX);
    simpenrose_init_hardware_supply_mem(NULL, MEMORY);
    assert_int_equal(simpenrose_do_rendering(0, 16), 0);
}

TEST(addresses_are_offsets)
{
    simpenrose_init_hardware_supply_mem(memory, MEMORY);
    assert_int_equal(simpenrose_hw_addr(memory), 0);
    assert_int_equal(simpenrose_hw_addr(memory + 4096), 4096);
    assert_int_equal(simpenrose_hw_addr(memory + MEMORY - 1), MEMORY - 1);
    assert_int_equal(simpenrose_hw_addr(memory + MEMORY), UINT32_MAX);
}

TEST(a_triangle)
{
    load();
    simpenrose_init_hardware_supply_mem(memory, MEMORY);
    simpenrose_supply_overflow_mem(OVERFLOW, MEMORY - OVERFLOW);
    for (unsigned i = 0; i < 2; i++) {
        memset(memory + FRAMEBUFFER, 0, 4 * WIDTH * 480);
        assert_int_equal(simpenrose_do_binning(lists[0], lists[1]), 1);
        assert_int_equal(simpenrose_do_rendering(lists[2], lists[3]), 1);
        assert_triangle();
    }
}

/* Record 112 of the list specifies memory for only one block of 32 bytes per tile, for 80 tiles. So
 * the tile lists of the triangle need the overflow memory. */
TEST(tile_lists_overflow)
{
    load();
    store_le32(memory + (lists[0] & 0x3fffffff) + 5, 80 * 32);
    simpenrose_init_hardware_supply_mem(memory, MEMORY);
    simpenrose_supply_overflow_mem(OVERFLOW, MEMORY - OVERFLOW);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(simpenrose_do_binning(lists[0], lists[1]), 1);
        assert_int_equal(simpenrose_do_rendering(lists[2], lists[3]), 1);
        assert_triangle();
    }
}

/* Runs a list that stops at once (record 0), an invalid list (record 255), and then a valid list,
 * which must draw the triangle. */
TEST(hangs_end)
{
    load();
    simpenrose_init_hardware_supply_mem(memory, MEMORY);
    simpenrose_supply_overflow_mem(OVERFLOW, MEMORY - OVERFLOW);
    memory[MEMORY - 1] = 255;
    assert_int_equal(simpenrose_do_binning(MEMORY - 16, MEMORY - 8), 0);
    assert_int_equal(simpenrose_do_rendering(MEMORY - 1, MEMORY), 0);
    assert_int_equal(simpenrose_do_rendering(lists[2], lists[3]),
                     0); /* the binner never releases the semaphore */
    memory[MEMORY - 1] = 0;
    assert_int_equal(simpenrose_do_binning(lists[0], lists[1]), 1);
    assert_int_equal(simpenrose_do_rendering(lists[2], lists[3]), 1);
    assert_triangle();
}

static void *ask(void *user)
{
    (void)user;
    for (unsigned i = 0; i < 1000; i++)
        if (simpenrose_hw_addr(memory + i) != i)
            return memory;
    return NULL;
}

TEST(threads_may_ask_while_a_job_runs)
{
    pthread_t threads[THREADS];
    void *result;
    load();
    simpenrose_init_hardware_supply_mem(memory, MEMORY);
    simpenrose_supply_overflow_mem(OVERFLOW, MEMORY - OVERFLOW);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, NULL), 0);
    assert_int_equal(simpenrose_do_binning(lists[0], lists[1]), 1);
    assert_int_equal(simpenrose_do_rendering(lists[2], lists[3]), 1);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    assert_triangle();
}

static int assemble(void **state)
{
    const char *path = TEST_EXAMPLE;
    const struct tess_asm_options options = {.format = TESS_ASM_ELF};
    (void)state;
    memory = malloc(MEMORY);
    return memory && tess_assemble(&path, 1, &options, (struct tess_sink){0}, &elf, &elf_size) ==
                         TESS_OK
               ? 0
               : -1;
}

static int clean(void **state)
{
    (void)state;
    tess_free(elf);
    return 0;
}

TEST_GROUP(assemble, clean)
