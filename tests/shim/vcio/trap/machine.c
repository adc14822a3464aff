/* SPDX-License-Identifier: MIT */
/* machine.c - replaces the shim's machine and the rest of the shim in the tests of trap.c. */
#include "machine.h"

#include <pthread.h>
#include <stdlib.h>

#include "shim/common/device_lock.h"
#include "shim/common/exit_hooks.h"
#include "shim/common/lock.h"
#include "shim/vcio/access.h"
#include "shim/vcio/guard.h"
#include "shim/vcio/trap.h"
#include "shim/vcio/vcio_machine.h"

volatile uint32_t test_registers[TEST_BYTES / 4];
volatile struct test_access test_accesses[TEST_ACCESSES];
volatile unsigned test_access_count, test_settled;

static struct lock of_machine;
/* state that the holder of the lock had before it took the lock */
static struct lock_before before_lock;
static bool pending;

static void lock(void)
{
    struct lock_before before;
    lock_take(&of_machine, &before);
    before_lock = before;
}

static void unlock(void)
{
    const struct lock_before before = before_lock;
    lock_give(&of_machine, &before);
}

static void before_fork(void)
{
    lock_begin_fork();
    lock();
    lock_close_gate();
    unlock();
}

static void in_child(void)
{
    lock_renew();
    lock_end_fork();
}

/* As in the shim's own machine, a child must not inherit a lock that another thread of its parent
 * holds. */
__attribute__((constructor)) static void register_hooks(void)
{
    static const struct access_ports ports = {machine_read, machine_write, machine_settle};
    access_use(&ports);
    pthread_atfork(before_fork, lock_end_fork, in_child);
}

void exit_hooks_fatal(void)
{
}

const sigset_t *device_set_signals(const sigset_t *blocked)
{
    (void)blocked;
    return NULL;
}

static uint32_t reach(bool write, uint32_t offset, uint32_t value)
{
    uint32_t at = offset - TEST_OFFSET;

    if (at >= TEST_BYTES || at % 4)
        abort();
    lock();
    if (write)
        test_registers[at / 4] = value;
    value = test_registers[at / 4];
    if (test_access_count < TEST_ACCESSES)
        test_accesses[test_access_count++] = (struct test_access){write, at, value};
    unlock();
    return value;
}

uint32_t machine_read(uint32_t offset)
{
    return reach(false, offset, 0);
}

void machine_write(uint32_t offset, uint32_t value)
{
    reach(true, offset, value);
}

void test_pend(void)
{
    pending = true;
    guard_close();
}

void machine_settle(void)
{
    lock();
    test_settled += pending;
    pending = false;
    guard_open();
    unlock();
}
