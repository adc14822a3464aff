/* SPDX-License-Identifier: MIT */
/* vcsm.c - fuzz target: the drivers of VideoCore memory, src/shim/vcio/vcsm.c and dma_buf.c. The
 * input is a series of calls that make requests with any words, map memory, and close descriptors.
 * The rest of the shim is replaced by the functions below. */
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame.h"
#include "shim/vcio/devices.h"
#include "shim/vcio/files.h"
#include "shim/vcio/kept_files.h"
#include "shim/vcio/shared.h"
#include "shim/vcio/vcio_machine.h"
#include "shim/vcio/vcsm_kernel.h"

enum { ARM_SIZE = 1 << 20, VC_SIZE = 4 << 20, MOST = 8, WORDS = 64, PAGE = 4096 };

/* --- Replacements for the machine, its memory, and calls of the C library --- */

static struct tess_vc4 *vc4;
static struct tess_pi *pi;
static int kept[2] = {-1, -1}; /* descriptors of the physical memory and of a scratch file */
static uint8_t *memory;

void machine_at_renew(void (*call)(void))
{
    (void)call;
}

int machine_request(int (*carry_out)(unsigned long request, uintptr_t argument),
                    unsigned long request, uintptr_t argument)
{
    return carry_out(request, argument) ? -1 : 0;
}

struct tess_pi *machine_pi(void)
{
    return pi;
}

int machine_file(void)
{
    return 0;
}

uint8_t *machine_memory(uint32_t physical, uint32_t size)
{
    if (physical < ARM_SIZE || physical - ARM_SIZE > VC_SIZE - size)
        __builtin_trap();
    return memory + (physical - ARM_SIZE);
}

int kept_files_make(const char *name, uint64_t size, int seals)
{
    (void)seals;
    int number = kept[0] >= 0;
    kept[number] = memfd_create(name, MFD_CLOEXEC);
    return ftruncate(kept[number], (off_t)size) == 0 ? number : -1;
}

int kept_files_fd(int number)
{
    return kept[number];
}

const struct file *file_behind(int fd)
{
    (void)fd;
    return NULL;
}

void *mappings_map(void *start, size_t size, int prot, int flags, int fd, uint64_t physical)
{
    if (physical < ARM_SIZE || physical + size > ARM_SIZE + VC_SIZE)
        __builtin_trap();
    return mmap(start, size, prot, flags, fd, (off_t)physical);
}

/* --- The program --- */

static int fds[MOST];
static uint32_t keys[MOST];
static struct {
    void *start;
    size_t size;
} maps[MOST];

static void note_fd(int fd)
{
    unsigned slot = (unsigned)fd % MOST;
    if (fds[slot])
        close(fds[slot]);
    fds[slot] = fd;
}

/* Reads the words of a request. Selected words are replaced by existing handles, descriptors or
 * addresses. */
static void read_words(struct input *input, uint32_t *words)
{
    for (unsigned i = 0; i < 8; i++) {
        uint32_t kind = input_bits(input, 1), which = kind % MOST;
        uint32_t known[] = {keys[which], (uint32_t)fds[which],
                            (uint32_t)(uintptr_t)maps[which].start, (uint32_t)maps[which].size,
                            (uint32_t)getpid()};
        words[i] = kind < 200 ? known[kind / MOST % 5] : input_bits(input, kind < 230 ? 2 : 4);
    }
}

static void note_answer(unsigned number, const uint32_t *words)
{
    uint32_t key = number == VCSM_ALLOCATE ? words[3 + VCSM_NAME_WORDS]
                   : number == VCSM_IMPORT ? words[2 + VCSM_NAME_WORDS]
                   : number == VCSM_SHARE  ? words[0]
                                           : 0;
    if (key)
        keys[key / PAGE % MOST] = key;
}

static void request(struct input *input, unsigned device)
{
    uint32_t words[WORDS] = {0};
    unsigned number = 0x58 + input_bits(input, 1) % 0x1c;
    read_words(input, words);
    uintptr_t argument = input_bits(input, 1) == 255 ? 64 : (uintptr_t)words;
    int result;
    switch (device) {
    case 0:
        if (vcsm_device_ioctl(_IOC(_IOC_READ, 'I', number, 4), argument) == 0)
            note_answer(number, words);
        return;
    case 1:
        result = vcsm_cma_ioctl(_IOC(_IOC_READ, 'J', number, 4), argument);
        if (result == 0 && number == CMA_ALLOCATE)
            note_fd(((struct cma_allocate *)words)->handle);
        if (result == 0 && number == CMA_IMPORT)
            note_fd(((struct cma_import *)words)->handle);
        return;
    case 2:
        words[1] = words[2] = 0;
        if (dma_heap_ioctl(_IOC(_IOC_READ | _IOC_WRITE, 'H', 0, 24), argument) == 0)
            note_fd((int)words[2]);
        return;
    default: dma_buf_ioctl(_IOC(_IOC_WRITE, 'b', number % 4, 8), argument); return;
    }
}

static void unmap(unsigned which)
{
    if (!maps[which].start)
        return;
    shared_forget(maps[which].start, maps[which].size);
    munmap(maps[which].start, maps[which].size);
    maps[which].start = NULL;
}

static void map(struct input *input, unsigned which)
{
    size_t size = input_bits(input, 2);
    uint64_t offset = input_bits(input, 1) & 7;
    int prot = PROT_READ | PROT_WRITE;
    unmap(which);
    void *start = input_bits(input, 1) & 1
                      ? vcsm_device_map(NULL, size, prot, MAP_SHARED, keys[which])
                      : dma_buf_map(fds[which], NULL, size, prot, MAP_SHARED, offset * PAGE);
    if (start == MAP_FAILED)
        return;
    maps[which].start = start;
    maps[which].size = (size + PAGE - 1) / PAGE * PAGE;
    memset(start, 1, maps[which].size);
}

static void drop(unsigned which)
{
    if (fds[which])
        close(fds[which]);
    fds[which] = 0;
}

static void call(struct input *input)
{
    unsigned kind = input_bits(input, 1), which = kind / 8 % MOST;
    switch (kind % 8) {
    case 4: map(input, which); return;
    case 5: unmap(which); return;
    case 6: drop(which); return;
    case 7:
        if (maps[which].start) /* as if another mapping replaced the second page */
            shared_forget((uint8_t *)maps[which].start + PAGE, PAGE);
        return;
    default: request(input, kind % 8); return;
    }
}

/* Releases all mappings and descriptors. Then all memory must be free. */
static void check_nothing_is_lost(void)
{
    for (unsigned i = 0; i < MOST; i++) {
        unmap(i);
        drop(i);
        keys[i] = 0;
    }
    struct shared *all = shared_new(VC_SIZE, 0);
    if (!all)
        __builtin_trap();
    shared_drop(all);
}

static bool open_machine(void)
{
    const struct tess_pi_options options = {
        .arm_size = ARM_SIZE, .vc_size = VC_SIZE, .memory = memory};
    return tess_vc4_create(&vc4, NULL) == TESS_OK && tess_pi_create(&pi, vc4, &options) == TESS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    if (!memory) {
        kept_files_make("memory", ARM_SIZE + VC_SIZE, 0);
        memory = mmap(NULL, VC_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, kept[0], ARM_SIZE);
    }
    if (memory == MAP_FAILED || !open_machine())
        abort();
    while (input.left > 0)
        call(&input);
    check_nothing_is_lost();
    tess_pi_destroy(pi);
    tess_vc4_destroy(vc4);
    return 0;
}
