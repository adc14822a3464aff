/* SPDX-License-Identifier: MIT */
/* Tests of VideoCore memory through /dev/vcsm, /dev/vcsm-cma, /dev/dma_heap and libvcsm. The tests
 * run under the shim.
 *
 * Expected: the answers and errors of raspberrypi/linux, vmcs_sm.c and vc_sm.c, for commands; of
 * raspberrypi/userland, user-vcsm.c, for libvcsm; of Linux, dma-heap.c and dma-buf.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "../../register.h"
#include "shim/vcio/user-vcsm.h"
#include "shim/vcio/vcsm_kernel.h"

enum { PAGE = 4096, HANDLE_OF_ALLOCATE = 3 + VCSM_NAME_WORDS };

static int vcsm = -1, cma = -1;

/* Sends a command to /dev/vcsm. Returns 0 or an errno. */
static int command(unsigned number, uint32_t *words, unsigned count)
{
    int result = ioctl(vcsm, _IOC(_IOC_READ, 'I', number, 4 * count), words);
    return result == 0 ? 0 : errno;
}

static uint32_t allocate(uint32_t size, uint32_t cached)
{
    uint32_t words[HANDLE_OF_ALLOCATE + 1] = {size, 1, cached};
    assert_int_equal(command(VCSM_ALLOCATE, words, HANDLE_OF_ALLOCATE + 1), 0);
    assert_int_not_equal(words[HANDLE_OF_ALLOCATE], 0);
    return words[HANDLE_OF_ALLOCATE];
}

static int release(uint32_t handle)
{
    return command(VCSM_RELEASE, &handle, 1);
}

static uint32_t *map(uint32_t handle, size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, vcsm, (off_t)handle);
}

/* Sends a command with one word, which must succeed. Returns the second word of the answer. */
static uint32_t second(unsigned number, uint32_t first)
{
    uint32_t words[4] = {first};
    assert_int_equal(command(number, words, 4), 0);
    return words[1];
}

/* Sends a command with the process's number, a handle and an address. Returns the word `answer` of
 * the answer. */
static uint32_t ask(unsigned number, uint32_t handle, const void *address, unsigned answer)
{
    uint32_t words[4] = {(uint32_t)getpid(), handle, (uint32_t)(uintptr_t)address, 0};
    assert_int_equal(command(number, words, 4), 0);
    return words[answer];
}

/* Reads the word at a bus address from /dev/mem. */
static uint32_t physical(uint32_t address)
{
    int mem = open("/dev/mem", O_RDONLY | O_CLOEXEC);
    uint32_t *words = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, mem, (off_t)(address & 0x3ffff000));
    assert_true(words != MAP_FAILED);
    uint32_t word = words[(address & 0xfff) / 4];
    munmap(words, PAGE);
    close(mem);
    return word;
}

TEST(life_of_a_handle)
{
    for (uint32_t cached = 0; cached < 4; cached++) {
        uint32_t handle = allocate(5000, cached);
        assert_int_equal(handle % PAGE, 0); /* the handle is an offset for mmap() */
        assert_int_equal(second(VCSM_SIZE, handle), 2 * PAGE);
        assert_int_equal(second(VCSM_LOCK, handle), 0); /* the memory is not mapped yet */
        uint32_t *memory = map(handle, 2 * PAGE);
        assert_true(memory != MAP_FAILED);
        assert_true((uintptr_t)memory <= UINT32_MAX);
        assert_int_equal(memory[0], 0);
        assert_int_equal(second(VCSM_LOCK, handle), (uintptr_t)memory);

        uint32_t bus = ask(VCSM_VC_ADDRESS_FROM_HANDLE, handle, NULL, 2);
        /* the cache alias is 0 if VideoCore caches the memory, otherwise 3 */
        assert_int_equal(bus >> 30, cached & 2 ? 0 : 3);
        memory[0] = 0x12345678;
        assert_int_equal(physical(bus), 0x12345678);

        uint32_t vc_handle = ask(VCSM_VC_HANDLE_FROM_HANDLE, handle, NULL, 1);
        assert_int_not_equal(vc_handle, 0);
        assert_int_equal(ask(VCSM_VC_HANDLE_FROM_ADDRESS, 0, memory + 1, 1), vc_handle);
        assert_int_equal(ask(VCSM_HANDLE_FROM_ADDRESS, 0, memory + 2047, 1), handle);
        assert_int_equal(ask(VCSM_HANDLE_FROM_ADDRESS, 0, memory + 2048, 1), 0);
        assert_int_equal(ask(VCSM_ADDRESS_FROM_HANDLE, handle, NULL, 2), (uintptr_t)memory);

        assert_int_equal(command(VCSM_UNLOCK, &handle, 2), 0);
        munmap(memory, 2 * PAGE);
        assert_int_equal(ask(VCSM_ADDRESS_FROM_HANDLE, handle, NULL, 2), 0);
        assert_int_equal(release(handle), 0);
        assert_int_equal(release(handle), EINVAL);
        assert_int_equal(second(VCSM_SIZE, handle), 0);
    }
}

/* VCSM_CHECK reports memory that the ARM caches. Such memory may be cleaned only inside its
 * mapping. */
TEST(cleaning)
{
    uint32_t cached = allocate(PAGE, 1), other = allocate(PAGE, 0);
    uint32_t check[4] = {cached};
    uint32_t range[3] = {cached, 0, PAGE};
    assert_int_equal(command(VCSM_FLUSH, range, 3), EINVAL); /* the memory is not mapped */
    uint32_t *memory = map(cached, PAGE);
    uint32_t start = (uint32_t)(uintptr_t)memory;
    assert_int_equal(command(VCSM_CHECK, check, 4), 0);
    assert_memory_equal(check, ((const uint32_t[]){cached, start, PAGE, 1}), 16);
    const struct {
        uint32_t address, size;
        int error;
    } cases[] = {
        /* clang-format off */
        {start,       PAGE,     0},
        {start + 64,  64,       0},
        {start + 64,  PAGE,     EFAULT},
        {start - 64,  64,       EFAULT},
        {start,       2 * PAGE, EFAULT},
        {0xffffffc0u, 128,      EFAULT},
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        range[1] = cases[i].address;
        range[2] = cases[i].size;
        assert_int_equal(command(VCSM_FLUSH, range, 3), cases[i].error);
        assert_int_equal(command(VCSM_INVALIDATE, range, 3), cases[i].error);
        uint32_t list[32] = {3, cached, cases[i].address, cases[i].size, 0, 1, 2, 3};
        assert_int_equal(command(VCSM_CLEAN_LIST, list, 32), cases[i].error);
    }
    uint32_t list[32] = {9, cached, start, 64};
    assert_int_equal(command(VCSM_CLEAN_LIST, list, 32), EINVAL); /* the operation is unknown */
    list[0] = 3;
    list[1] = 12345;
    assert_int_equal(command(VCSM_CLEAN_LIST, list, 32), EINVAL); /* the handle is unknown */

    check[0] = other;
    assert_int_equal(command(VCSM_CHECK, check, 4), 0);
    assert_memory_equal(check, ((const uint32_t[]){other, 0, 0, 0}), 16);
    range[0] = other;
    /* the ARM does not cache the memory, so nothing has to be cleaned */
    assert_int_equal(command(VCSM_FLUSH, range, 3), 0);
    munmap(memory, PAGE);
    release(cached);
    release(other);
}

TEST(sharing_and_resizing)
{
    uint32_t handle = allocate(PAGE, 0);
    uint32_t share[2] = {handle, 0};
    assert_int_equal(command(VCSM_SHARE, share, 2), 0);
    assert_int_not_equal(share[0], handle);
    assert_int_equal(share[1], PAGE);
    uint32_t *one = map(handle, PAGE), *two = map(share[0], PAGE);
    one[5] = 99;
    assert_int_equal(two[5], 99);
    munmap(two, PAGE);
    release(share[0]);
    assert_int_equal(one[5], 99);

    uint32_t resize[3] = {handle, 3 * PAGE, 0};
    assert_int_equal(command(VCSM_RESIZE, resize, 3), EFAULT); /* the memory is mapped */
    munmap(one, PAGE);
    second(VCSM_LOCK, handle);
    assert_int_equal(command(VCSM_RESIZE, resize, 3), EFAULT); /* the memory is locked */
    command(VCSM_UNLOCK, &handle, 2);
    assert_int_equal(command(VCSM_RESIZE, resize, 3), 0);
    assert_int_equal(resize[2], PAGE);
    one = map(handle, 3 * PAGE);
    assert_int_equal(one[5], 99);
    one[3000] = 1;
    munmap(one, 3 * PAGE);
    release(handle);
}

/* No argument of a program may cause more than an error. */
TEST(wrong_requests)
{
    uint32_t handle = allocate(PAGE, 0), words[32] = {0};
    assert_true(map(handle, 2 * PAGE) == MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    assert_true(map(handle + PAGE, PAGE) == MAP_FAILED);
    assert_int_equal(errno, ENOMEM);
    release(handle);
    for (unsigned number = 0; number < 256; number++) {
        int result = ioctl(vcsm, _IOC(_IOC_READ, 'I', number, 4), (void *)16);
        bool walks = number == VCSM_WALK_VC || number == VCSM_WALK_MAPPINGS;
        assert_int_equal(result, walks ? 0 : -1);
        assert_true(walks || errno == EFAULT || errno == EINVAL);
        assert_int_equal(ioctl(cma, _IOC(_IOC_READ, 'J', number, 4), (void *)16), -1);
        assert_true(errno == EFAULT || errno == EINVAL);
    }
    static const uint32_t sizes[][2] = {
        /* clang-format off */
        {0,          1},
        {PAGE,       0},
        {UINT32_MAX, UINT32_MAX},
        {1u << 31,   1},
        {PAGE,       1u << 20},
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(words, sizes[i], 8);
        assert_int_equal(command(VCSM_ALLOCATE, words, 12), ENOMEM);
    }
    words[0] = 7;
    static const unsigned with_handle[] = {VCSM_LOCK, VCSM_LOCK_CACHE, VCSM_UNLOCK, VCSM_RELEASE,
                                           VCSM_CHECK};
    for (unsigned i = 0; i < sizeof with_handle / sizeof *with_handle; i++)
        assert_int_equal(command(with_handle[i], words, 4), EINVAL);
    assert_int_equal(command(VCSM_SHARE, words, 2), ENOMEM);
    words[0] = (uint32_t)vcsm; /* the descriptor is not a dma-buf */
    assert_int_equal(command(VCSM_IMPORT, words, 11), EINVAL);
}

/* Memory must be free again after its descriptors have been closed, or after the device of its
 * handles has been closed. */
TEST(lost_memory_comes_back)
{
    for (unsigned i = 0; i < 40; i++) {
        struct cma_allocate request = {.size = 64 << 20, .number = 1};
        assert_int_equal(ioctl(cma, _IOC(_IOC_READ, 'J', CMA_ALLOCATE, sizeof request), &request),
                         0);
        int again = dup(request.handle);
        close(request.handle);
        void *memory = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, again, 0);
        close(again);
        assert_int_equal(*(uint32_t *)memory, 0);
        munmap(memory, PAGE);
    }
    for (unsigned i = 0; i < 10; i++) {
        allocate(64 << 20, 0);
        close(vcsm);
        struct cma_allocate request = {.size = PAGE, .number = 1};
        assert_int_equal(ioctl(cma, _IOC(_IOC_READ, 'J', CMA_ALLOCATE, sizeof request), &request),
                         /* this request searches for memory that the program cannot reach any
                          * more */
                         0);
        close(request.handle);
        vcsm = open("/dev/vcsm", O_RDWR | O_CLOEXEC);
    }
}

TEST(dma_bufs)
{
    struct cma_allocate request = {.size = 10000, .number = 1};
    assert_int_equal(ioctl(cma, _IOC(_IOC_READ, 'J', CMA_ALLOCATE, sizeof request), &request), 0);
    assert_int_equal(request.dma_address >> 30, 3);
    struct stat status;
    assert_int_equal(fstat(request.handle, &status), 0);
    assert_int_equal(status.st_size, 3 * PAGE);
    assert_int_equal(fcntl(request.handle, F_GETFD), FD_CLOEXEC);
    uint32_t *memory = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, request.handle, 0);
    memory[2048] = 77;
    assert_int_equal(physical((uint32_t)request.dma_address + 2 * PAGE), 77);
    uint32_t *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, request.handle, 2 * PAGE);
    assert_int_equal(page[0], 77);
    munmap(page, PAGE);
    assert_true(mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, request.handle, 2 * PAGE) ==
                MAP_FAILED);

    static const struct {
        uint64_t flags;
        int result;
    } syncs[] = {
        /* clang-format off */
        {DMA_BUF_SYNC_RW,                    0},
        {DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END, 0},
        {1,                                  0},
        {DMA_BUF_SYNC_END,                   -1},
        {8,                                  -1},
        {UINT64_MAX,                         -1},
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof syncs / sizeof *syncs; i++)
        assert_int_equal(ioctl(request.handle, _IOC(_IOC_WRITE, 'b', 0, 8), &syncs[i].flags),
                         syncs[i].result);
    assert_int_equal(ioctl(request.handle, _IOC(_IOC_WRITE, 'x', 0, 8), &syncs[0].flags), -1);
    assert_int_equal(errno, ENOTTY);

    struct cma_import import = {.fd = request.handle};
    assert_int_equal(ioctl(cma, _IOC(_IOC_READ, 'J', CMA_IMPORT, sizeof import), &import), 0);
    assert_int_equal(import.dma_address, request.dma_address);
    assert_int_equal(import.size, 3 * PAGE);
    close(request.handle);
    munmap(memory, 10000);
    memory = mmap(NULL, 10000, PROT_READ, MAP_SHARED, import.handle, 0);
    assert_int_equal(memory[2048], 77); /* the imported descriptor keeps the memory allocated */
    munmap(memory, 10000);
    import.fd = import.handle;
    uint32_t words[12] = {(uint32_t)import.handle};
    /* the other driver must accept the dma-buf, too */
    assert_int_equal(command(VCSM_IMPORT, words, 11), 0);
    memory = map(words[2 + VCSM_NAME_WORDS], 3 * PAGE);
    assert_int_equal(memory[2048], 77);
    munmap(memory, 3 * PAGE);
    release(words[2 + VCSM_NAME_WORDS]);
    close(import.handle);
}

TEST(heaps)
{
    struct {
        uint64_t size;
        uint32_t fd, fd_flags;
        uint64_t heap_flags;
    } request = {.size = 5000, .fd_flags = O_RDWR | O_CLOEXEC};
    unsigned long allocation = _IOC(_IOC_READ | _IOC_WRITE, 'H', 0, sizeof request);
    int heap = open("/dev/dma_heap/linux,cma", O_RDWR | O_CLOEXEC);
    assert_true(heap >= 0);
    assert_int_equal(ioctl(heap, allocation, &request), 0);
    uint32_t *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, (int)request.fd, 0);
    assert_true((uintptr_t)memory <= UINT32_MAX);
    memory[2047] = 5;
    struct cma_import import = {.fd = (int)request.fd};
    assert_int_equal(ioctl(cma, _IOC(_IOC_READ, 'J', CMA_IMPORT, sizeof import), &import), 0);
    assert_int_equal(physical((uint32_t)import.dma_address + 2047 * 4), 5);
    munmap(memory, 8192);
    close(import.handle);
    close((int)request.fd);
    request.fd = 3;
    assert_int_equal(ioctl(heap, allocation, &request), -1);
    request.fd = 0;
    request.fd_flags = O_APPEND;
    assert_int_equal(ioctl(heap, allocation, &request), -1);
    request.fd_flags = 0;
    request.heap_flags = 1;
    assert_int_equal(ioctl(heap, allocation, &request), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(ioctl(heap, allocation + 1, &request), -1);
    assert_int_equal(errno, ENOTTY);
    close(heap);
}

TEST(the_library)
{
    assert_int_equal(vcsm_malloc(PAGE, "none"), 0); /* vcsm_init() was not called before */
    for (int export = 0; export < 2; export ++) {
        assert_int_equal(vcsm_init_ex(export, -1), 0);
        assert_int_equal(vcsm_init(), 0);
        vcsm_exit();
        unsigned handle = vcsm_malloc_cache(5000, VCSM_CACHE_TYPE_HOST, "a block");
        uint32_t *memory = vcsm_lock(handle);
        assert_non_null(memory);
        memory[0] = 0xabcd;
        assert_int_equal(physical(vcsm_vc_addr_from_hdl(handle)), 0xabcd);
        assert_int_equal(vcsm_usr_handle(memory + 7), handle);
        assert_ptr_equal(vcsm_usr_address(handle), memory);
        assert_int_equal(vcsm_vc_hdl_from_ptr(memory), vcsm_vc_hdl_from_hdl(handle));
        struct {
            struct vcsm_user_clean_invalid2_s head;
            struct vcsm_user_clean_invalid2_block_s block[2];
        } clean = {.head = {.op_count = 2}, .block = {{2, 1, memory, 64, 0}, {0}}};
        assert_int_equal(vcsm_clean_invalid2(&clean.head), 0);
        clean.block[0].block_size = 0;
        assert_int_not_equal(vcsm_clean_invalid2(&clean.head), 0);
        assert_int_equal(vcsm_unlock_ptr(memory), 0);
        assert_int_equal(vcsm_unlock_hdl_sp(handle, 1), 0);
        int fd = vcsm_export_dmabuf(handle);
        assert_int_equal(fd >= 0, export);
        if (export) {
            unsigned again = vcsm_import_dmabuf(fd, "again");
            assert_int_equal(*(uint32_t *)vcsm_lock(again), 0xabcd);
            vcsm_free(again);
            close(fd);
        }
        VCSM_CACHE_TYPE_T caching = VCSM_CACHE_TYPE_VC;
        void *uncached = vcsm_lock_cache(handle, VCSM_CACHE_TYPE_NONE, &caching);
        assert_ptr_equal(uncached, export ? NULL : memory);
        assert_int_equal(caching, export ? VCSM_CACHE_TYPE_VC : VCSM_CACHE_TYPE_NONE);
        vcsm_unlock_hdl(handle);
        assert_int_equal(vcsm_resize(handle, 4 * PAGE) == 0, !export);
        memory = vcsm_lock(handle);
        assert_int_equal(memory[0], 0xabcd);
        unsigned share = vcsm_malloc_share(handle);
        assert_int_equal(share != 0, !export);
        vcsm_free(share);
        vcsm_free(handle);
        assert_null(vcsm_lock(handle));
        assert_int_equal(vcsm_usr_handle(memory), 0);
        vcsm_exit();
    }
    vcsm_exit();
}

/* A program must find the library by its name, with any path. */
TEST(the_library_is_opened)
{
    void *library = dlopen("/opt/vc/lib/libvcsm.so", RTLD_NOW);
    assert_non_null(library);
    assert_non_null(dlsym(library, "vcsm_malloc_cache"));
    dlclose(library);
}

int main(void)
{
    vcsm = open("/dev/vcsm", O_RDWR | O_CLOEXEC);
    cma = open("/dev/vcsm-cma", O_RDWR | O_CLOEXEC);
    if (vcsm < 0 || cma < 0)
        return EXIT_FAILURE;
    return tests_run();
}
