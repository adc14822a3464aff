/* SPDX-License-Identifier: MIT */
/* shadow.c - what the shadow of RAM knows after accesses, maintenance and barriers. The rules are
 * those of the ARM Architecture Reference Manual ARMv7-A, A3.8.3 and B2.2.6. */
#include <stdlib.h>
#include <string.h>

#include "../../register.h"
#include "base/hash.h"
#include "base/state.h"
#include "board/machine/shadow.h"

enum { SIZE = 1 << 16, CHECKED = 1 << 15, PLACE = 0x1100, PC = 0x8123 };

static struct arm_access access_of(uint32_t address, unsigned size, enum arm_memory memory)
{
    return (struct arm_access){.address = address, .size = size, .memory = memory};
}

static void store(struct shadow *shadow, uint32_t address, unsigned size, enum arm_memory memory)
{
    const struct arm_access access = access_of(address, size, memory);
    shadow_store(shadow, &access, PC);
}

static bool reads_old(struct shadow *shadow, uint32_t address, enum shadow_unit *unit)
{
    const struct arm_access access = access_of(address, 4, ARM_MEMORY_CACHED);
    return shadow_read(shadow, &access, unit);
}

static void check(struct shadow *shadow, uint32_t address, uint32_t size, enum shadow_fault fault,
                  uint32_t where)
{
    uint32_t at = 0;
    assert_int_equal(shadow_unit_reads(shadow, SHADOW_V3D, address, size, true, &at), fault);
    if (fault)
        assert_int_equal(at, where);
}

static struct shadow *create(void)
{
    struct shadow *shadow = shadow_create(SIZE, CHECKED);
    assert_non_null(shadow);
    return shadow;
}

TEST(unwritten)
{
    struct shadow *shadow = create();
    check(shadow, PLACE, 4, SHADOW_UNWRITTEN, PLACE);
    check(shadow, CHECKED, 64, SHADOW_GOOD, 0);  /* memory of the VideoCore */
    check(shadow, SIZE + 4, 64, SHADOW_GOOD, 0); /* outside */
    shadow_load(shadow, PLACE - 100, 103);       /* up to byte 2 */
    check(shadow, PLACE - 100, 103, SHADOW_GOOD, 0);
    check(shadow, PLACE - 100, 104, SHADOW_UNWRITTEN, PLACE + 3);
    check(shadow, PLACE - 101, 4, SHADOW_UNWRITTEN, PLACE - 101);
    store(shadow, PLACE + 3, 1, ARM_MEMORY_ORDERED);
    check(shadow, PLACE, 4, SHADOW_GOOD, 0);
    uint32_t at;
    assert_false(shadow_unit_writes(shadow, SHADOW_DMA, PLACE + 4, 200, &at));
    check(shadow, PLACE, 204, SHADOW_GOOD, 0);
    check(shadow, PLACE, 205, SHADOW_UNWRITTEN, PLACE + 204);
    shadow_free(shadow);
}

TEST(dirty)
{
    struct shadow *shadow = create();
    shadow_load(shadow, 0, SIZE);
    store(shadow, PLACE + 60, 8, ARM_MEMORY_CACHED); /* in two lines */
    check(shadow, PLACE, 60, SHADOW_GOOD, 0);
    check(shadow, PLACE, 64, SHADOW_DIRTY, PLACE + 60);
    check(shadow, PLACE + 64, 64, SHADOW_DIRTY, PLACE + 64);
    shadow_maintain(shadow, ARM_CLEAN, PLACE, SHADOW_LINE);
    check(shadow, PLACE, 64, SHADOW_GOOD, 0);
    check(shadow, PLACE + 64, 4, SHADOW_DIRTY, PLACE + 64);
    shadow_maintain(shadow, ARM_CLEAN, 0, 0);
    check(shadow, PLACE, 128, SHADOW_GOOD, 0);
    store(shadow, PLACE, 4, ARM_MEMORY_NORMAL);
    check(shadow, PLACE, 4, SHADOW_GOOD, 0);
    assert_int_equal(shadow_writer(shadow, PLACE + 2), PC);
    assert_int_equal(shadow_writer(shadow, PLACE + 4), 0);
    shadow_free(shadow);
}

TEST(barriers)
{
    struct shadow *shadow = create();
    shadow_load(shadow, 0, SIZE);
    shadow_barrier(shadow);
    store(shadow, PLACE, 4, ARM_MEMORY_NORMAL);
    store(shadow, PLACE + 8, 4, ARM_MEMORY_ORDERED);
    shadow_start(shadow, SHADOW_V3D);
    check(shadow, PLACE, 4, SHADOW_EARLY, PLACE);
    check(shadow, PLACE + 4, 60, SHADOW_GOOD, 0);
    store(shadow, PLACE + 4, 4, ARM_MEMORY_NORMAL); /* after the start */
    check(shadow, PLACE + 4, 4, SHADOW_GOOD, 0);
    shadow_start(shadow, SHADOW_V3D); /* a second thread */
    check(shadow, PLACE, 4, SHADOW_EARLY, PLACE);
    check(shadow, PLACE + 4, 4, SHADOW_EARLY, PLACE + 4);
    shadow_barrier(shadow);
    shadow_start(shadow, SHADOW_V3D);
    check(shadow, PLACE, 64, SHADOW_GOOD, 0);
    shadow_free(shadow);
}

/* The barrier comes before the maintenance, so it does not complete the maintenance. */
TEST(maintenance_after_barrier)
{
    struct shadow *shadow = create();
    shadow_load(shadow, 0, SIZE);
    store(shadow, PLACE, 4, ARM_MEMORY_CACHED);
    shadow_barrier(shadow);
    shadow_maintain(shadow, ARM_CLEAN, PLACE, SHADOW_LINE);
    shadow_start(shadow, SHADOW_V3D);
    check(shadow, PLACE, 64, SHADOW_EARLY, PLACE);
    shadow_free(shadow);
}

TEST(old_copies)
{
    struct shadow *shadow = create();
    enum shadow_unit unit = SHADOW_V3D;
    uint32_t at;
    assert_false(reads_old(shadow, PLACE, &unit)); /* now the cache has the line */
    assert_false(shadow_unit_writes(shadow, SHADOW_FIRMWARE, PLACE + 4, 4, &at));
    assert_false(reads_old(shadow, PLACE, &unit)); /* the word has not changed */
    assert_true(reads_old(shadow, PLACE + 4, &unit));
    assert_int_equal(unit, SHADOW_FIRMWARE);
    assert_false(reads_old(shadow, PLACE + 4, &unit)); /* reported once */
    shadow_unit_writes(shadow, SHADOW_DMA, PLACE, 64, &at);
    shadow_maintain(shadow, ARM_INVALIDATE, PLACE, SHADOW_LINE);
    assert_false(reads_old(shadow, PLACE + 4, &unit));
    shadow_unit_writes(shadow, SHADOW_DMA, PLACE, 64, &at);
    shadow_maintain(shadow, ARM_INVALIDATE, 0, 0);
    assert_false(reads_old(shadow, PLACE, &unit));
    shadow_unit_writes(shadow, SHADOW_DMA, PLACE, 64, &at);
    store(shadow, PLACE, 4, ARM_MEMORY_CACHED);
    assert_false(reads_old(shadow, PLACE, &unit)); /* the ARM's own word */
    shadow_free(shadow);
}

/* A changed line that is written back later replaces what the V3D has written to it. */
TEST(written_over)
{
    struct shadow *shadow = create();
    uint32_t at = 0;
    store(shadow, PLACE + 32, 4, ARM_MEMORY_CACHED);
    assert_false(shadow_unit_writes(shadow, SHADOW_V3D, PLACE - 64, 64, &at));
    assert_true(shadow_unit_writes(shadow, SHADOW_V3D, PLACE - 4, 8, &at));
    assert_int_equal(at, PLACE + 32);
    assert_false(shadow_unit_writes(shadow, SHADOW_V3D, PLACE, 64, &at));
    shadow_free(shadow);
}

/* --- saved states --- */

static const struct state_identity identity = {STATE_TAG('S', 'H', 'A', 'D'), 1, HASH_START};

static void fields(struct state_stream *stream, void *object)
{
    shadow_fields(stream, object);
}

TEST(states)
{
    struct shadow *shadow = create(), *other = create();
    shadow_load(shadow, 0, 5000);
    store(shadow, PLACE, 4, ARM_MEMORY_CACHED);
    shadow_start(shadow, SHADOW_V3D);
    size_t size = state_measure(fields, shadow);
    uint8_t *bytes = malloc(size), *again = malloc(size);
    assert_int_equal(state_save(&identity, fields, shadow, bytes, size), TESS_OK);
    assert_int_equal(state_restore(&identity, fields, other, bytes, size), TESS_OK);
    check(other, PLACE, 4, SHADOW_DIRTY, PLACE);
    check(other, 4999, 4, SHADOW_UNWRITTEN, 5000);
    assert_int_equal(shadow_writer(other, PLACE), PC);
    assert_int_equal(state_measure(fields, other), size);
    assert_int_equal(state_save(&identity, fields, other, again, size), TESS_OK);
    assert_memory_equal(bytes, again, size);
    free(bytes);
    free(again);
    shadow_free(shadow);
    shadow_free(other);
}
