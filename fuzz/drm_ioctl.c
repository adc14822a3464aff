/* SPDX-License-Identifier: MIT */
/* drm_ioctl.c - fuzz target: the ioctl() requests of the DRM device, src/shim/drm/calls/ioctl.c and
 * all functions that it calls. The input is a series of steps. Steps make requests, map memory, and
 * close and open device nodes. The structures of requests have any words, among them addresses of
 * valid, too short or unmapped memory, and handles, descriptors and offsets from earlier requests.
 *
 * After the steps, all nodes are closed. Then no handle, no descriptor and no memory may remain,
 * except for memory that is kept for later jobs. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/drm.h>

#include "shim/common/device_lock.h"
#include "shim/common/private_fds.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/device/device.h"
#include "shim/drm/gem/bo.h"
#include "shim/drm/jobs/dma_buf.h"
#include "shim/drm/jobs/syncobj.h"
#include "shim/drm/vc4/gpu.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    FILES = 3,
    STEPS = 64,     /* maximum number of steps */
    ARGUMENT = 512, /* bytes of an argument, more than the largest structure has */
    SCRATCH = 1 << 16,
    PAGE = 4096,
    RESULTS = 32,      /* number of words from earlier results that are kept */
    DESCRIPTORS = 512, /* more descriptors than are ever open */
    SLOTS = 32 << 20,  /* most bytes that are kept for later jobs */
};

static struct file *files[FILES];
static uint8_t *scratch; /* followed by a page without access */
static uint32_t results[RESULTS];
static unsigned result_count;
static uint8_t was_open[DESCRIPTORS];

struct input {
    const uint8_t *at, *end;
};

/* --- the program's memory --- */

/* The linker's --wrap redirects calls of user_read() and user_write() to these wrappers. The
 * wrappers treat scratch and the argument as the program's only memory, so that a wrong address in
 * the input cannot change the fuzz target's own memory. */
static const uint8_t *argument_start;

bool __real_user_read(void *bytes, uint64_t from, size_t size);
bool __real_user_write(uint64_t to, const void *bytes, size_t size);
bool __wrap_user_read(void *bytes, uint64_t from, size_t size);
bool __wrap_user_write(uint64_t to, const void *bytes, size_t size);

static bool is_within(uint64_t address, const uint8_t *start, size_t size)
{
    return address - (uintptr_t)start <= size;
}

static bool may_be_there(uint64_t address)
{
    return is_within(address, scratch, SCRATCH) || is_within(address, argument_start, ARGUMENT) ||
           address < 1 << 16 || address >> 48;
}

bool __wrap_user_read(void *bytes, uint64_t from, size_t size)
{
    return may_be_there(from) && __real_user_read(bytes, from, size);
}

bool __wrap_user_write(uint64_t to, const void *bytes, size_t size)
{
    bool fits = !is_within(to, argument_start, ARGUMENT) ||
                is_within(to + size, argument_start, ARGUMENT);
    return fits && may_be_there(to) && __real_user_write(to, bytes, size);
}

static uint32_t take(struct input *input, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && input->at < input->end; i++)
        value |= (uint32_t)*input->at++ << 8 * i;
    return value;
}

/* --- arguments --- */

static void put(uint8_t *argument, unsigned word, uint64_t value, unsigned bytes)
{
    unsigned offset = word * 4 % ARGUMENT;
    memcpy(argument + offset, &value, offset + bytes > ARGUMENT ? 4 : bytes);
}

/* Replaces one word of the argument, or two words for a 64-bit value. */
static void patch(struct input *input, uint8_t *argument, unsigned words)
{
    unsigned word = take(input, 1) % words, kind = take(input, 1) % 9;
    uint32_t value = take(input, 2);
    switch (kind) {
    case 0: put(argument, word, value, 4); break;
    case 1: put(argument, word, value << 12, 4); break;
    case 2: put(argument, word & ~1u, (uintptr_t)scratch + value, 8); break;
    case 3: put(argument, word & ~1u, (uintptr_t)scratch + SCRATCH - value % 64, 8); break;
    case 4: put(argument, word, UINT32_MAX, 4); break;
    case 5: put(argument, word, results[value % RESULTS], 4); break;
    case 6: put(argument, word & ~1u, value, 8); break;
    case 7: put(argument, word, value | take(input, 2) << 16, 4); break;
    default: put(argument, word & ~1u, UINT64_MAX << (value % 64), 8); break;
    }
}

static void fill(struct input *input, uint8_t *argument, size_t size)
{
    unsigned words = size >= 4 ? (unsigned)size / 4 : 1;
    memset(argument, 0, ARGUMENT);
    for (unsigned count = take(input, 1) % 16; count > 0; count--)
        patch(input, argument, words);
}

static void remember(const uint8_t *argument)
{
    for (unsigned i = 0; i < 6; i++)
        memcpy(&results[result_count++ % RESULTS], argument + 4 * i, 4);
}

/* --- requests --- */

/* Returns the request with this number. If there is no such request, returns the one whose index is
 * `number` modulo the number of requests. */
static const struct ioctl_entry *entry_at(unsigned number)
{
    const struct ioctl_entry *all[256], *entry = ioctl_at(number);
    unsigned count = 0;
    if (entry)
        return entry;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (ioctl_at(i))
            all[count++] = ioctl_at(i);
    return all[number % count];
}

/* Changes the arguments of requests that wait, so that the requests return soon. */
static void hurry(unsigned long request, uint8_t *argument)
{
    if (_IOC_NR(request) == _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT))
        ((struct drm_syncobj_wait *)(void *)argument)->timeout_nsec %= 1000;
    if (_IOC_NR(request) == _IOC_NR(DRM_IOCTL_WAIT_VBLANK))
        ((union drm_wait_vblank *)(void *)argument)->request.type |= _DRM_VBLANK_EVENT;
}

static void request(struct input *input)
{
    _Alignas(8) uint8_t argument[ARGUMENT];
    const struct ioctl_entry *entry = entry_at(take(input, 1));
    struct file *file = files[take(input, 1) % FILES];
    argument_start = argument;
    fill(input, argument, _IOC_SIZE(entry->request));
    hurry(entry->request, argument);
    ioctl_carry_out(file, entry->request, (uintptr_t)argument);
    remember(argument);
}

/* Makes a request with any number, direction and size. The memory at the argument's address may be
 * too short. */
static void strange_request(struct input *input)
{
    uint32_t number = take(input, 4), away = take(input, 2);
    struct file *file = files[take(input, 1) % FILES];
    if (_IOC_NR(number) == _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT) ||
        _IOC_NR(number) == _IOC_NR(DRM_IOCTL_WAIT_VBLANK))
        return;
    ioctl_carry_out(file, number, (uintptr_t)scratch + SCRATCH - away);
}

static void map(struct input *input)
{
    const struct file *file = files[take(input, 1) % FILES];
    const struct bo *bo = bo_first();
    for (unsigned i = take(input, 1) % 8; bo && i > 0; i--)
        bo = bo->next;
    uint32_t length = take(input, 2) << 4, away = take(input, 1);
    device_lock();
    uint8_t *start = file_map(file, NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED,
                              bo ? bo_offset(bo) + (away % 4 ? 0 : away * PAGE) : away);
    device_unlock();
    if (start == MAP_FAILED)
        return;
    start[0] = start[length - 1] = 1;
    munmap(start, length);
}

static void open_node(unsigned index)
{
    device_lock();
    if (files[index])
        file_destroy(files[index]);
    files[index] = file_create(index == 0 ? FILE_CARD : FILE_RENDER);
    device_unlock();
    if (!files[index])
        abort();
}

static void renew(struct input *input)
{
    open_node(take(input, 1) % FILES);
}

static void request_of_file(struct input *input)
{
    static const unsigned types[] = {'b', '>'};
    int fd = (int)results[take(input, 1) % RESULTS];
    unsigned long number = _IOC(_IOC_READ | _IOC_WRITE, types[take(input, 1) % 2], take(input, 1),
                                take(input, 1));
    uint64_t argument = (uintptr_t)scratch + SCRATCH - take(input, 2);
    device_lock();
    if (dma_buf_is(fd))
        dma_buf_ioctl(number, argument);
    if (fence_is(fd))
        fence_ioctl(number, argument);
    device_unlock();
}

static void write_scratch(struct input *input)
{
    uint32_t at = take(input, 2), count = take(input, 1);
    for (uint32_t i = 0; i < count && at + i < SCRATCH; i++)
        scratch[at + i] = (uint8_t)take(input, 1);
}

/* --- descriptors --- */

static bool is_open(int fd)
{
    return !private_fds_has(fd) && fcntl(fd, F_GETFD) >= 0;
}

static void close_new(void)
{
    for (int fd = 3; fd < DESCRIPTORS; fd++)
        if (!was_open[fd] && is_open(fd))
            close(fd);
}

/* --- the target --- */

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    setenv("TESSERA_MEMORY", "67108864", 1);
    setenv("TESSERA_THREADS", "1", 1);
    setenv("TESSERA_MODE", "64x64@240", 1);
    device_begin();
    scratch = mmap(NULL, SCRATCH + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                   0);
    if (scratch == MAP_FAILED || mprotect(scratch + SCRATCH, PAGE, PROT_NONE) != 0)
        abort();
    for (int fd = 3; fd < DESCRIPTORS; fd++)
        was_open[fd] = is_open(fd);
    return 0;
}

static void check_nothing_left(void)
{
    uint64_t size = 0;
    for (const struct bo *bo = bo_first(); bo; bo = bo->next) {
        size += bo->memory.size;
        if (bo->handles != 0)
            abort();
    }
    if (size > SLOTS || size != memory_used())
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const steps[])(struct input * input) = {
        request,         request, request, request,         request,
        strange_request, map,     renew,   request_of_file, write_scratch};
    struct input input = {data, data + size};
    memset(scratch, 0, SCRATCH);
    memset(results, 0, sizeof results);
    result_count = 0;
    for (unsigned i = 0; i < FILES; i++)
        open_node(i);
    for (unsigned i = 0; i < STEPS && input.at < input.end; i++)
        steps[take(&input, 1) % (sizeof steps / sizeof *steps)](&input);
    for (unsigned i = 0; i < FILES; i++) {
        device_lock();
        file_destroy(files[i]);
        device_unlock();
        files[i] = NULL;
    }
    close_new();
    check_nothing_left();
    return 0;
}
