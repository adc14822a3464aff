/* SPDX-License-Identifier: MIT */
/* memory.c - tests VideoCore memory: tags 0x3000c to 0x3000f and the functions that implement
 * them. Unless a comment names another source, expected values are from the firmware wiki's page
 * "Mailbox property interface". */
#include "../../register.h"
#include "machine.h"

#include <stdlib.h>

TEST_WITH(memory_life, set_up, tear_down)
{
    struct machine *m = *fixture;
    /* The alias that the flags select: 0x4 (direct) selects alias 0xC, 0x8 (coherent) selects
     * 0x8, 0xC selects 0x4, and 0 selects 0x0 (GPU_FFT, gpu_fft_base.c). */
    static const struct {
        uint32_t flags, alias;
    } cases[] = {{0x4, 0xc0000000}, {0x8, 0x80000000}, {0xc, 0x40000000}, {0, 0}};
    for (unsigned i = 0; i < 4; i++) {
        send_tag(m, 0x3000c, 12, 5000, 4096, cases[i].flags, 0);
        uint32_t handle = word(m, VALUE);
        assert_int_not_equal(handle, 0);
        assert_int_equal(word(m, REQUEST), 0x80000004);
        send_tag(m, 0x3000d, 4, handle, 0, 0, 0);
        uint32_t address = word(m, VALUE);
        assert_int_equal(word(m, REQUEST), 0x80000004);
        assert_int_equal(address & 0xc0000000, cases[i].alias);
        assert_int_equal(address % 4096, 0);
        assert_non_null(tess_vc4_memory(m->vc4, address, 5000));
        send_tag(m, 0x3000e, 4, handle, 0, 0, 0);
        assert_int_equal(word(m, VALUE), 0);
        send_tag(m, 0x3000f, 4, handle, 0, 0, 0);
        assert_int_equal(word(m, VALUE), 0);
        assert_null(tess_vc4_memory(m->vc4, address, 1));
        send_tag(m, 0x3000f, 4, handle, 0, 0, 0);
        assert_int_equal(word(m, VALUE), UINT32_MAX);
    }
}

TEST_WITH(refused_memory, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t sizes[] = {0, 0x7fffffff, UINT32_MAX, 65u << 20};
    for (unsigned i = 0; i < 4; i++) {
        send_tag(m, 0x3000c, 12, sizes[i], 4096, 4, 0);
        assert_int_equal(word(m, VALUE), 0);
    }
    send_tag(m, 0x3000c, 12, 4096, 3, 4, 0); /* the alignment is not a power of two */
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x3000c, 12, 4096, 0x80000000, 4, 0); /* the alignment is larger than the memory */
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x3000d, 4, 99, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 0);
    send_tag(m, 0x3000e, 4, 99, 0, 0, 0);
    assert_int_equal(word(m, VALUE), UINT32_MAX);
}

/* Locks are counted. All locks of a block return the same address. */
TEST_WITH(locks, set_up, tear_down)
{
    struct machine *m = *fixture;
    uint32_t handle = tess_pi_allocate(m->pi, 100, 0, 4);
    uint32_t address = tess_pi_lock(m->pi, handle);
    assert_int_equal(tess_pi_lock(m->pi, handle), address);
    assert_true(tess_pi_unlock(m->pi, handle));
    assert_true(tess_pi_unlock(m->pi, handle));
    assert_false(tess_pi_unlock(m->pi, handle));
    assert_int_equal(tess_pi_lock(m->pi, handle), address);
    assert_int_equal(m->findings, 0);
    assert_true(tess_pi_release(m->pi, handle));
    assert_string_equal(m->rule, "pi-memory-locked");
    assert_false(tess_pi_release(m->pi, handle));
    assert_int_equal(tess_pi_lock(m->pi, 0), 0);
}

TEST_WITH(alignments, set_up, tear_down)
{
    struct machine *m = *fixture;
    uint32_t first = tess_pi_allocate(m->pi, 1, 1, 0);
    for (uint32_t alignment = 1; alignment <= 1 << 22; alignment <<= 1) {
        uint32_t handle = tess_pi_allocate(m->pi, 1, alignment, 0);
        assert_int_equal(tess_pi_lock(m->pi, handle) % alignment, 0);
    }
    /* Released memory can be allocated again. */
    uint32_t address = tess_pi_lock(m->pi, first);
    tess_pi_unlock(m->pi, first);
    tess_pi_release(m->pi, first);
    assert_int_equal(tess_pi_lock(m->pi, tess_pi_allocate(m->pi, 4096, 4096, 0)), address);
}

static uint8_t byte_of(struct machine *m, uint32_t handle, uint8_t **bytes)
{
    *bytes = tess_vc4_memory(m->vc4, tess_pi_lock(m->pi, handle), 4096);
    tess_pi_unlock(m->pi, handle);
    return **bytes;
}

/* Flag bit 4 clears new memory, and bit 5 leaves its contents unchanged. Otherwise the memory is
 * filled with ones. The memory is the one that the caller supplies. */
TEST_WITH(contents_of_new_memory, set_up, tear_down)
{
    enum { SIZE = 1 << 20 };
    uint8_t *memory = malloc(SIZE), *bytes;
    struct machine m;
    const struct tess_pi_options options = {.arm_size = 1 << 20, .vc_size = SIZE, .memory = memory};
    machine_open(&m, &options, 1);
    memset(memory, 0x5a, SIZE);
    uint32_t handle = tess_pi_allocate(m.pi, 4096, 0, 1 << 5);
    assert_int_equal(byte_of(&m, handle, &bytes), 0x5a);
    assert_ptr_equal(bytes, memory);
    tess_pi_release(m.pi, handle);
    handle = tess_pi_allocate(m.pi, 4096, 0, 1 << 4);
    assert_int_equal(byte_of(&m, handle, &bytes), 0);
    assert_int_equal(bytes[4095], 0);
    assert_int_equal(memory[4096], 0x5a);
    handle = tess_pi_allocate(m.pi, 4096, 0, 0);
    assert_int_equal(byte_of(&m, handle, &bytes), 0xff);
    assert_ptr_equal(bytes, memory + 4096);
    machine_close(&m);
    assert_int_equal(memory[8192], 0x5a);
    free(memory);
}

/* At most 1024 blocks can be allocated. Their total size is limited by the memory. */
TEST_WITH(memory_runs_out, set_up, tear_down)
{
    struct machine *m = *fixture;
    uint32_t all = tess_pi_allocate(m->pi, 64u << 20, 0, 1 << 5);
    assert_int_not_equal(all, 0);
    assert_int_equal(tess_pi_allocate(m->pi, 1, 0, 0), 0);
    tess_pi_release(m->pi, all);
    for (unsigned i = 0; i < 1024; i++)
        assert_int_not_equal(tess_pi_allocate(m->pi, 1, 0, 1 << 5), 0);
    assert_int_equal(tess_pi_allocate(m->pi, 1, 0, 0), 0);
}
