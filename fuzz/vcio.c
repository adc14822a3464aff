/* SPDX-License-Identifier: MIT */
/* vcio.c - fuzz target: the functions that the vcio shim's interposed calls use: ioctl() of
 * every device with any request and buffer, mmap() with any arguments, register accesses, and
 * open() of any path. The input is a series of operations, each with its arguments.
 *
 * Traps, reports and the interposed functions of the C library are replaced by the functions below.
 * The program's memory ends before an inaccessible page, so that accesses past its end are
 * detected. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame.h"

#include "shim/common/exit_hooks.h"
#include "shim/common/report.h"
#include "shim/vcio/access.h"
#include "shim/vcio/devices.h"
#include "shim/vcio/files.h"
#include "shim/vcio/guard.h"
#include "shim/vcio/shared.h"
#include "shim/vcio/signals.h"
#include "shim/vcio/trap.h"
#include "shim/vcio/vcio_machine.h"

enum { PAGE = 4096, PAGES = 4, OPERATIONS = 64, MOST_PATH = 64, HANDLES = 64 };

/* --- Replacements of omitted parts --- */

bool trap_install(void)
{
    return true;
}

bool trap_watch(void *start, size_t size, uint32_t offset, int protection)
{
    (void)start, (void)size, (void)offset, (void)protection;
    return true;
}

bool guard_watch(void *start, size_t size, int protection)
{
    (void)start, (void)size, (void)protection;
    return true;
}

void trap_forget(void *start, size_t size)
{
    (void)start, (void)size;
}

void guard_close(void)
{
}

void guard_open(void)
{
}

void access_use(const struct access_ports *ports)
{
    (void)ports;
}

int signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    return pthread_sigmask(how, set, old);
}

bool signals_defer(bool deferred)
{
    (void)deferred;
    return false;
}

void exit_hooks_install(void (*end)(void), void (*crash)(void))
{
    (void)end, (void)crash;
}

void exit_hooks_watch_forks(void (*before)(void), void (*in_child)(bool whole))
{
    (void)before, (void)in_child;
}

void report_begin(const struct report_options *options, struct tess_vc4_options *device)
{
    (void)options;
    device->machine.max_instructions = 300;
    device->max_total_instructions = 3000;
    device->max_records = 300;
}

void report_watch(struct tess_vc4 *vc4, const struct tess_pi *pi)
{
    (void)vc4, (void)pi;
}

void report_count_error(void)
{
}

void report_child(void)
{
}

void report_end(void)
{
}

/* --- Operations --- */

static uint8_t *pages; /* PAGES pages, followed by an inaccessible page */

/* Returns size bytes at the end of the pages, filled from the input. */
static uintptr_t buffer(struct input *input)
{
    size_t size = input_bits(input, 2) % (PAGES * PAGE + 1), given = size;
    uint8_t *at = pages + PAGES * PAGE - size;
    const uint8_t *bytes = input_bytes(input, &given);
    memset(at, 0, size);
    memcpy(at, bytes, given);
    return (uintptr_t)at;
}

static uintptr_t argument(struct input *input, uint32_t kind)
{
    return kind & 0x80 ? (uintptr_t)input_bits(input, 4) << (kind & 0x40 ? 32 : 0) : buffer(input);
}

static unsigned long request(struct input *input, uint32_t kind)
{
    static const unsigned long mailbox[] = {0xc0046400, 0xc0086400, 0xc004f900, 0xc008f900};
    return kind & 0x20 ? input_bits(input, 4) : mailbox[kind >> 3 & 3];
}

static void use_device(struct input *input, uint32_t kind)
{
    static int (*const ioctls[])(unsigned long, uintptr_t) = {
        mailbox_ioctl,  vcsm_device_ioctl, vcsm_cma_ioctl,
        dma_heap_ioctl, dma_buf_ioctl,     mailbox_ioctl,
    };
    unsigned device = (kind & 7) < 6 ? kind & 7 : 0;
    int (*call)(unsigned long, uintptr_t) = ioctls[device];
    unsigned long number = device == 0 || device == 5 ? request(input, kind) : input_bits(input, 4);
    call(number, argument(input, kind));
}

/* Maps memory of a device with any protection, flags, size and offset, and unmaps it. */
static void use_mapping(struct input *input, uint32_t kind)
{
    int prot = (int)(kind & 7), flags = (int)input_bits(input, 1);
    size_t size = input_bits(input, kind & 0x10 ? 4 : 2);
    uint64_t offset = (uint64_t)input_bits(input, 4) << (kind & 0x20 ? 12 : 0);
    int fd = file_open(file_of_kind(FILE_MEM), kind & 8 ? O_RDWR : O_RDONLY);
    void *at = kind & 0x40 ? vcsm_device_map(NULL, size, prot, flags & ~MAP_FIXED, offset)
                           : mappings_map(NULL, size, prot, flags & ~MAP_FIXED, fd, offset);
    if (at != MAP_FAILED) {
        shared_forget(at, size);
        if (munmap(at, size) != 0)
            __builtin_trap();
    }
    close(fd);
}

static void use_path(struct input *input)
{
    char path[MOST_PATH + 1] = "";
    size_t size = input_bits(input, 1) % MOST_PATH;
    const uint8_t *bytes = input_bytes(input, &size);
    memcpy(path, bytes, size);
    const struct file *file = file_find(AT_FDCWD, path);
    int fd = file ? file_open(file, (int)(input_bits(input, 3) & ~(uint32_t)O_CREAT)) : -1;
    if (fd < 0)
        return;
    if (file->kind >= FILE_VCIO && file_behind(fd) != file && !(fcntl(fd, F_GETFL) & O_PATH))
        __builtin_trap();
    close(fd);
}

static void use_register(struct input *input, uint32_t kind)
{
    uint32_t offset = kind & 8 ? input_bits(input, 4)
                               : TESS_PI_V3D + (input_bits(input, 2) & 0xffc);
    if (kind & 0x10)
        (void)machine_read(offset);
    else
        machine_write(offset, input_bits(input, kind & 0x20 ? 4 : 1));
}

static void operate(struct input *input)
{
    uint32_t what = input_bits(input, 1), kind = input_bits(input, 1);
    switch (what % 5) {
    case 0:
    case 1: use_device(input, kind); break;
    case 2: use_mapping(input, kind); break;
    case 3: use_path(input); break;
    case 4: use_register(input, kind); break;
    }
}

/* Removes the effects of one input, so that the next input starts without them. */
static void clean(void)
{
    machine_settle();
    for (uint32_t handle = 1; handle <= HANDLES; handle++) {
        while (tess_pi_unlock(machine_pi(), handle)) {
        }
        tess_pi_release(machine_pi(), handle);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    setenv("TESSERA_MEMORY", "1048576", 1);
    setenv("TESSERA_THREADS", "1", 1);
    pages = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0);
    return pages == MAP_FAILED || mprotect(pages + PAGES * PAGE, PAGE, PROT_NONE) != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    if (!machine_get())
        return 0;
    for (int i = 0; i < OPERATIONS && input.left > 0; i++)
        operate(&input);
    clean();
    return 0;
}
