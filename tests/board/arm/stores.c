/* SPDX-License-Identifier: MIT */
/* stores.c - finds the tables of Unicorn, wherever the host places Unicorn's objects. */
#include <stdlib.h>

#include "../../register.h"
#include "board/arm/unicorn/core.h"

enum { TIMES = 24, STEP = 9 << 10 };

/* Searches with blocks of growing sizes between Unicorn's objects. */
static void find_often(bool wide)
{
    void *blocks[TIMES];
    struct uc_tlb first = {0};
    assert_true(uc_find_tlb(&first, wide));
    for (unsigned i = 0; i < TIMES; i++) {
        struct uc_tlb tlb = {0};
        blocks[i] = malloc(i * STEP);
        assert_true(uc_find_tlb(&tlb, wide));
        assert_int_equal(tlb.registers, first.registers);
        assert_int_equal(tlb.list, first.list);
        assert_int_equal(tlb.count, first.count);
        assert_int_equal(tlb.mark, first.mark);
    }
    for (unsigned i = 0; i < TIMES; i++)
        free(blocks[i]);
}

TEST(tables_of_32_bits)
{
    find_often(false);
}

TEST(tables_of_64_bits)
{
    find_often(true);
}
