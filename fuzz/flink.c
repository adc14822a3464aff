/* SPDX-License-Identifier: MIT */
/* flink.c - fuzz target: opening buffer objects of another process by name,
 * src/shim/drm/gem/flink.c. The other process has a table of names with any contents, and
 * descriptors of all kinds. The input sets entries of the table, and names to open. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shim/common/device_lock.h"
#include "shim/drm/device/device.h"
#include "shim/drm/gem/bo.h"
#include "shim/drm/gem/flink.h"
#include "shim/drm/vc4/gpu.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES = 512, PAGE = 4096, OPENED = 16 };

static int32_t *table;
static pid_t other;
static uint32_t own_name;

static void end_other(void)
{
    kill(other, SIGKILL);
}

/* Opens descriptors of all kinds in the other process. */
static void open_things(void)
{
    int ends[2], sizes[] = {0, 1, PAGE, 3 * PAGE, PAGE + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (ftruncate(memfd_create("tessera-bo", 0), sizes[i]) != 0)
            abort();
    if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
        open("/", O_RDONLY) < 0 || open("/dev/null", O_RDWR) < 0 ||
        open("/proc/self/mem", O_RDONLY) < 0)
        abort();
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    struct bo *bo;
    int ready[2];
    char done = 0;
    (void)count;
    (void)arguments;
    int file = memfd_create("tessera-names", MFD_CLOEXEC);
    if (pipe(ready) != 0 || ftruncate(file, NAMES * (off_t)sizeof *table) != 0)
        abort();
    table = mmap(NULL, NAMES * sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        open_things();
        if (write(ready[1], &done, 1) != 1)
            abort();
        for (;;)
            pause();
    }
    if (table == MAP_FAILED || other < 0 || read(ready[0], &done, 1) != 1)
        abort();
    close(file);
    atexit(end_other);
    device_begin();
    device_lock();
    if (bo_create(&bo, PAGE) != 0 || flink_name(bo) != 0)
        abort();
    own_name = bo->name;
    return 0;
}

static size_t count_objects(void)
{
    size_t count = 0;
    for (const struct bo *bo = bo_first(); bo; bo = bo->next)
        count++;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bo *opened[OPENED];
    const size_t before = count_objects();
    unsigned count = 0;
    memset(table, 0, NAMES * sizeof *table);
    for (; size >= 4 && count < OPENED; data += 4, size -= 4) {
        int32_t value = data[3] & 1 ? data[2] % 32 : (int32_t)(data[2] * 0x01010101u);
        uint32_t index = data[1], name = (uint32_t)other << 9 | index;
        table[index] = value;
        if (data[0] & 1)
            name = data[0] & 2 ? own_name : name ^ 1u << data[0] % 32;
        int error = flink_open(&opened[count], name);
        if (error && error != ENOENT && error != ENOMEM)
            abort();
        if (!error && (!opened[count] || !opened[count]->size || opened[count]->size % PAGE))
            abort();
        count += !error;
    }
    while (count > 0)
        bo_release(opened[--count]);
    if (count_objects() != before)
        abort();
    return 0;
}
