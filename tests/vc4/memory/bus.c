/* SPDX-License-Identifier: MIT */
/* Tests of the bus: aliases, bounds, adjacent regions, findings. Expected values are worked out
 * by hand from docs/vc4/bus.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "vc4/memory/bus.h"

static struct fault_log fault_log_of_test;

static struct bus fresh(void)
{
    fault_log_of_test = (struct fault_log){0};
    return (struct bus){.log = &fault_log_of_test};
}

static uint64_t misses(void)
{
    return fault_log_of_test.count[FAULT_BUS_UNMAPPED];
}

TEST(aliases_are_one_memory)
{
    struct bus bus = fresh();
    assert_int_equal(bus_map(&bus, 0x40001000, 0x1000, NULL), TESS_OK);
    bus_write32(&bus, BUS_TLB, 0xc0001004, 0x11223344);
    assert_int_equal(bus_read32(&bus, BUS_TLB, 0x00001004), 0x11223344);
    assert_int_equal(bus_read32(&bus, BUS_TLB, 0x80001004), 0x11223344);
    assert_int_equal(bus_read16(&bus, BUS_TLB, 0x40001005), 0x2233);
    assert_int_equal(bus_read8(&bus, BUS_TLB, 0x1007), 0x11);
    assert_int_equal(misses(), 0);
    bus_free(&bus);
}

TEST(mapping_rules)
{
    struct bus bus = fresh();
    uint8_t host[16] = {0};
    assert_int_equal(bus_map(&bus, 0x1000, 0, NULL), TESS_INVALID);
    assert_int_equal(bus_map(&bus, 0x3ffffff0, 0x11, host), TESS_INVALID); /* beyond the end */
    assert_int_equal(bus_map(&bus, 0x3ffffff0, 0x10, host), TESS_OK);
    assert_int_equal(bus_map(&bus, 0x2000, 0x100, NULL), TESS_OK);
    assert_int_equal(bus_map(&bus, 0x20ff, 1, NULL), TESS_INVALID);
    assert_int_equal(bus_map(&bus, 0x1fff, 2, NULL), TESS_INVALID);
    assert_int_equal(bus_map(&bus, 0x1000, 0x2000, NULL), TESS_INVALID);
    assert_int_equal(bus_map(&bus, 0xc0002000, 1, NULL), TESS_INVALID); /* alias of address
                                                                           0x2000 */
    assert_int_equal(bus_map(&bus, 0x2100, 1, NULL), TESS_OK);
    assert_int_equal(bus_map(&bus, 0x1fff, 1, NULL), TESS_OK);
    assert_int_equal(bus_unmap(&bus, 0x2001), TESS_INVALID);
    assert_int_equal(bus_unmap(&bus, 0x2000), TESS_OK);
    assert_null(bus_peek(&bus, 0x2000, 1));
    assert_non_null(bus_peek(&bus, 0x2100, 1));
    bus_write8(&bus, BUS_TLB, 0xffffffff, 7);
    assert_int_equal(host[15], 7);
    bus_free(&bus);
}

/* A view of a region stays valid when other regions are mapped (mapping moves all regions in the
 * host's memory) and unmapped. */
TEST(views_see_changes)
{
    struct bus bus = fresh(), view;
    assert_int_equal(bus_map(&bus, 0x2000, 0x100, NULL), TESS_OK);
    bus_view(&view, &bus, &fault_log_of_test, NULL);
    assert_non_null(bus_peek(&view, 0x2000, 1));
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(bus_map(&bus, 0x10000 + 0x200 * i, 0x100, NULL), TESS_OK);
    assert_int_equal(bus_unmap(&bus, 0x2000), TESS_OK);
    struct bus_watch watch = {0};
    bus.watch = &watch;
    bus_view_again(&view, &bus);
    assert_ptr_equal(view.watch, &watch);
    bus.watch = NULL;
    bus_view_again(&view, &bus);
    assert_null(view.watch);
    assert_null(bus_peek(&view, 0x2000, 1));
    assert_non_null(bus_region(&view, 0x10000 + 0x200 * 63));
    bus_write8(&view, BUS_TLB, 0x10000, 9);
    assert_int_equal(bus_read8(&bus, BUS_TLB, 0x10000), 9);
    bus_free(&bus);
}

TEST(misses_read_zero_and_drop_writes)
{
    struct bus bus = fresh();
    uint8_t host[8];
    memset(host, 0xaa, sizeof host);
    assert_int_equal(bus_map(&bus, 0x100, sizeof host, host), TESS_OK);
    assert_int_equal(bus_read32(&bus, BUS_TMU, 0x106), 0); /* two of the bytes are mapped */
    bus_write32(&bus, BUS_TMU, 0x106, 0);
    assert_int_equal(host[6], 0xaa);
    assert_int_equal(host[7], 0xaa);
    assert_int_equal(bus_read8(&bus, BUS_TMU, 0xff), 0);
    bus_write16(&bus, BUS_VDW, 0, 1);
    assert_null(bus_get(&bus, BUS_CLE, 0x101, 8, "record"));
    assert_int_equal(misses(), 5);
    assert_int_equal(fault_log_of_test.errors, 5);
    bus_free(&bus);
}

TEST(an_access_may_cross_adjoining_regions)
{
    struct bus bus = fresh();
    assert_int_equal(bus_map(&bus, 0x100, 2, NULL), TESS_OK);
    assert_int_equal(bus_map(&bus, 0x102, 2, NULL), TESS_OK);
    bus_write32(&bus, BUS_PTB, 0x100, 0xddccbbaa);
    assert_int_equal(bus_read32(&bus, BUS_PTB, 0x100), 0xddccbbaa);
    assert_int_equal(bus_read8(&bus, BUS_PTB, 0x102), 0xcc);
    assert_null(bus_peek(&bus, 0x100, 4)); /* bus_peek() returns bytes of one region only */
    assert_int_equal(misses(), 0);
    bus_free(&bus);
}

static unsigned shown;
static const char *last_text;
static char text_copy[256];

static void keep(void *user, const struct tess_finding *diag)
{
    (void)user;
    shown++;
    strncpy(text_copy, diag->text, sizeof text_copy - 1);
    last_text = text_copy;
}

TEST(findings_are_counted_and_capped)
{
    struct bus bus = fresh();
    fault_log_of_test.sink = (struct tess_sink){keep, NULL};
    shown = 0;
    for (unsigned i = 0; i < 100; i++)
        bus_read8(&bus, BUS_QPU_UNIFORM, 0x5000);
    assert_int_equal(shown, FAULT_SHOWN + 1);
    assert_int_equal(misses(), 100);
    assert_string_equal(last_text, "further findings of this kind are counted but not shown");
    assert_string_equal(fault_id(FAULT_BUS_UNMAPPED), "bus-unmapped");
    bus_free(&bus);
}

/* Repeats of a finding at one instruction are counted, not printed. Otherwise a single lookup of
 * 16 lanes would use up the reports that a rule may print. */
TEST(repeats_at_one_instruction_are_counted_only)
{
    struct fault_log log = {.sink = {keep, NULL},
                            .place = {.known = TESS_PLACE_SHADER, .pc = 0x100}};
    shown = 0;
    for (unsigned i = 0; i < 100; i++)
        fault(&log, FAULT_TMU_OVERFLOW, "first");
    assert_int_equal(shown, 1);
    log.place.pc = 0x108;
    fault(&log, FAULT_TMU_OVERFLOW, "second");
    fault(&log, FAULT_VPM_LEFT, "another rule");
    assert_int_equal(shown, 3);
    assert_int_equal(log.count[FAULT_TMU_OVERFLOW], 101);
    assert_int_equal(log.errors, 101);
    /* Findings about QPUs that wait forever are all printed, also at the same instruction. */
    fault(&log, FAULT_QPU_STUCK, "one");
    fault(&log, FAULT_QPU_STUCK, "two");
    assert_int_equal(shown, 5);
}
