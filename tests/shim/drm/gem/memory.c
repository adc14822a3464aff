/* SPDX-License-Identifier: MIT */
/* memory.c - unit tests of src/shim/drm/gem/memory.c, private_fds.c and user.c: allocations,
 * private descriptors, and addresses outside the program's memory.
 *
 * Expected: the rules in memory.h, private_fds.h and user.h. Addresses are below 1 GiB, the range
 * of V3D. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../register.h"
#include "shim/common/private_fds.h"
#include "shim/common/user.h"
#include "shim/drm/device/device.h"
#include "shim/drm/gem/bo.h"
#include "shim/drm/vc4/gpu.h"

enum { MEBIBYTE = 1 << 20, LIMIT = 8 * MEBIBYTE };

TEST(gives_memory)
{
    struct memory one, two;
    assert_int_equal(memory_take(&one, 1), 0);
    assert_int_equal(memory_take(&two, MEMORY_PAGE + 1), 0);
    assert_int_equal(one.size, MEMORY_PAGE);
    assert_int_equal(two.size, 2 * MEMORY_PAGE);
    assert_int_equal(memory_used(), 3 * MEMORY_PAGE);
    assert_int_not_equal(one.address, 0);
    assert_int_equal(one.address % MEMORY_PAGE, 0);
    assert_true(two.address < 1u << 30);
    assert_true(two.address > one.address + one.size); /* a free page is between the two pieces */
    assert_null(tess_vc4_memory(gpu_get(), one.address + one.size, 1));
    one.host[5] = 6;
    assert_int_equal(*(uint8_t *)tess_vc4_memory(gpu_get(), one.address + 5, 1), 6);
    uint32_t address = one.address;
    memory_give_back(&one);
    assert_null(tess_vc4_memory(gpu_get(), address, 1));
    assert_int_equal(memory_take(&one, 1), 0);
    assert_int_not_equal(one.address, address); /* the address is not reused at once */
    assert_int_equal(one.host[5], 0);
    memory_give_back(&one);
    memory_give_back(&two);
    assert_int_equal(memory_used(), 0);
}

TEST(keeps_to_its_limit)
{
    struct memory memory, more;
    assert_int_equal(memory_limit(), LIMIT);
    assert_int_equal(memory_take(&memory, 0), EINVAL);
    assert_int_equal(memory_take(&memory, LIMIT + 1), ENOMEM);
    assert_int_equal(memory_take(&memory, UINT64_MAX), ENOMEM);
    assert_int_equal(memory_take(&memory, LIMIT), 0);
    assert_int_equal(memory_take(&more, 1), ENOMEM);
    memory_give_back(&memory);
    assert_int_equal(memory_take(&more, 1), 0);
    memory_give_back(&more);
}

/* Addresses must be reused after all other addresses have been used. */
TEST(comes_around)
{
    struct memory memory;
    for (unsigned i = 0; i < 300; i++) {
        assert_int_equal(memory_take(&memory, 4 * MEBIBYTE), 0);
        assert_true(memory.address > 0 && memory.address <= (1u << 30) - memory.size);
        memory_give_back(&memory);
    }
}

TEST(imports_pieces_only)
{
    struct memory memory, again;
    int file, other = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(other, MEMORY_PAGE), 0);
    assert_int_equal(memory_import(&again, other), EINVAL);
    assert_int_equal(memory_import(&again, -1), EINVAL);
    assert_int_equal(memory_take(&memory, MEMORY_PAGE), 0);
    assert_int_equal(memory_export(&memory, true, true, &file), 0);
    uint64_t device, inode;
    assert_true(memory_identify(file, &device, &inode));
    assert_true(device == memory.device && inode == memory.inode);
    assert_false(memory_identify(-1, &device, &inode));
    assert_true(memory_is_file(file));
    assert_false(memory_is_file(other));
    assert_int_equal(memory_import(&again, file), 0);
    memory.host[9] = 10;
    assert_int_equal(again.host[9], 10);
    assert_int_equal(ftruncate(file, 0), -1);
    close(file);
    close(other);
    memory_give_back(&memory);
    assert_int_equal(again.host[9], 10);
    memory_give_back(&again);
}

static bool has_memory_without_a_file(void)
{
    const struct rlimit none = {.rlim_cur = 3, .rlim_max = 3};
    struct memory memory;
    int file;
    if (setrlimit(RLIMIT_NOFILE, &none) != 0 || memory_take(&memory, 2 * MEMORY_PAGE) != 0)
        return false;
    bool exported = memory_export(&memory, true, true, &file) != ENOMEM;
    uint8_t *mapped = memory_map(&memory, NULL, MEMORY_PAGE, PROT_READ, MAP_SHARED, MEMORY_PAGE);
    if (memory.fd != -1 || exported || mapped == MAP_FAILED)
        return false;
    memory.host[MEMORY_PAGE + 3] = 4;
    return mapped[3] == 4;
}

/* If no descriptors are left, memory can still be allocated and mapped, but not exported. The test
 * runs in a child process, because a hard limit cannot be raised again. */
TEST(does_without_descriptors)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(!has_memory_without_a_file());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* The program's limit of descriptors must not change. The shim's private descriptors must not
 * reduce the number of descriptors that the program can open. */
TEST(leaves_the_limit_of_descriptors)
{
    struct rlimit before, few, after;
    struct memory memory;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){.rlim_cur = 16, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    int error = memory_take(&memory, MEMORY_PAGE);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(error, 0);
    assert_int_equal(after.rlim_cur, 16);
    assert_int_equal(after.rlim_max, before.rlim_max);
    if (before.rlim_max > 2048)
        assert_true(memory.fd >= 1024);
    memory_give_back(&memory);
}

TEST(keeps_descriptors)
{
    int low = memfd_create("low", MFD_CLOEXEC), fd = low;
    unsigned first;
    private_fds_keep(&fd);
    assert_true(fd >= 1024);
    assert_int_equal(fcntl(low, F_GETFD), -1);
    assert_true(private_fds_has(fd));
    assert_false(private_fds_has(0));
    assert_true(private_fds_first(0, UINT32_MAX, &first));
    assert_int_equal(first, fd);
    assert_false(private_fds_first(0, (unsigned)fd - 1, &first));
    int before = fd;
    int moved = private_fds_make_way(before);
    assert_int_equal(moved, fd);
    assert_int_not_equal(fd, before);
    assert_false(private_fds_has(before));
    assert_true(fcntl(fd, F_GETFD) >= 0);
    assert_int_equal(private_fds_make_way(before), -1);
    before = fd;
    private_fds_close(&fd);
    assert_int_equal(fd, -1);
    assert_false(private_fds_has(before));
}

TEST(copies_what_is_there)
{
    uint8_t *pages = mmap(NULL, 2 * MEMORY_PAGE, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uintptr_t end = (uintptr_t)pages + MEMORY_PAGE;
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {0};
    void *copy;
    munmap(pages + MEMORY_PAGE, MEMORY_PAGE);
    assert_true(user_write(end - 8, bytes, 8));
    assert_true(user_read(back, end - 8, 8));
    assert_memory_equal(back, bytes, 8);
    assert_false(user_read(back, end - 4, 8));
    assert_false(user_write(end - 4, bytes, 8));
    assert_false(user_read(back, 0, 1));
    assert_false(user_read(back, UINT64_MAX - 3, 8));
    assert_true(user_read(back, 0, 0)); /* 0 bytes can be read from any address */
    assert_true(user_write(end - 8, bytes, 8));
    assert_int_equal(user_array(&copy, end - 8, 2, 4, 8), 0);
    assert_memory_equal(copy, bytes, 8);
    free(copy);
    assert_int_equal(user_array(&copy, end - 8, 3, 4, 12), EFAULT);
    assert_null(copy);
    assert_int_equal(user_array(&copy, end - 8, 2, 4, 7), ENOMEM);
    assert_int_equal(user_array(&copy, end - 8, SIZE_MAX, 4, 1 << 20), ENOMEM);
    assert_int_equal(user_array(&copy, 0, 0, 4, 8), 0);
    assert_null(copy);
    mprotect(pages, MEMORY_PAGE, PROT_READ);
    assert_true(user_read(back, end - 8, 8));
    assert_false(user_write(end - 8, bytes, 8));
    munmap(pages, MEMORY_PAGE);
}

int main(void)
{
    setenv("TESSERA_MEMORY", "8388608", 1);
    device_begin();
    return tests_run();
}
