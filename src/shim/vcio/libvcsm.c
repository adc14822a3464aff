/* SPDX-License-Identifier: MIT */
/* libvcsm.c - the functions of libvcsm, which allocate memory shared with VideoCore. The shim
 * contains them. A library with the name libvcsm contains them, too, for programs that are linked
 * with it.
 *
 * In:  calls.
 * Out: requests to /dev/vcsm or /dev/vcsm-cma; mappings.
 *
 * Source: raspberrypi/userland, host_applications/linux/libs/sm/user-vcsm.h and .c (return values
 *         on success and on failure; the functions that do not work with one of the two drivers).
 * Choices: the original library passes addresses to the driver, which has 32 bits for an address.
 *          This library looks addresses up itself. It accepts any address inside a block. */
#include "user-vcsm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "vcsm_kernel.h"

#define API __attribute__((visibility("default")))

struct block {
    struct block *next;
    unsigned handle;
    int fd; /* descriptor of the dma-buf (/dev/vcsm-cma), or -1 (/dev/vcsm) */
    uint8_t *start;
    size_t size;
    uint32_t vc_handle, vc_address;
};

static struct {
    pthread_mutex_t lock;
    int fd;
    bool cma;
    unsigned users;
    struct block *blocks;
} library = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static void hold(void)
{
    pthread_mutex_lock(&library.lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&library.lock);
}

/* The library's lock is taken before the devices' lock. So a fork must take the library's lock
 * first, too. */
static void watch_forks(void)
{
    pthread_atfork(hold, leave, leave);
}

static void enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    hold();
}

/* --- Requests --- */

static int command(unsigned number, uint32_t *words, unsigned count)
{
    return ioctl(library.fd, _IOC(_IOC_READ, VCSM_TYPE, number, 4 * count), words);
}

static int cma_command(unsigned number, void *structure, unsigned size)
{
    return ioctl(library.fd, _IOC(_IOC_READ, CMA_TYPE, number, size), structure);
}

static int synchronise(const struct block *block, uint64_t flags)
{
    return ioctl(block->fd, DMA_BUF_IOCTL_SYNC, &(struct dma_buf_sync){.flags = flags});
}

static void set_name(uint32_t *words, const char *name)
{
    char text[4 * VCSM_NAME_WORDS] = {0};
    if (name)
        strncpy(text, name, sizeof text - 1);
    memcpy(words, text, sizeof text);
}

/* --- Blocks --- */

static struct block *block_of(unsigned handle)
{
    struct block *block = library.blocks;
    while (block && block->handle != handle)
        block = block->next;
    return block;
}

static struct block *block_at(const void *address)
{
    struct block *block = library.blocks;
    while (block && (uintptr_t)address - (uintptr_t)block->start >= block->size)
        block = block->next;
    return address ? block : NULL;
}

/* Maps a block and adds it to the list. Returns the block's handle, or 0 on error. */
static unsigned add_block(const struct block *new, int fd, off_t offset)
{
    struct block *block = malloc(sizeof *block);
    if (!block)
        return 0;
    *block = *new;
    block->start = mmap(NULL, block->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (block->start == MAP_FAILED) {
        free(block);
        return 0;
    }
    block->next = library.blocks;
    library.blocks = block;
    return block->handle;
}

static void remove_block(struct block *block)
{
    struct block **link = &library.blocks;
    while (*link != block)
        link = &(*link)->next;
    *link = block->next;
    free(block);
}

static size_t whole_pages(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) & ~(page - 1);
}

/* --- Initialization --- */

static int open_device(bool cma)
{
    int fd = open(cma ? "/dev/vcsm-cma" : "/dev/vcsm", O_RDWR);
    if (fd >= 0)
        library.cma = cma;
    return fd;
}

static void open_any(bool want_export)
{
    library.fd = open_device(want_export);
    if (library.fd < 0)
        library.fd = open_device(!want_export);
}

API int vcsm_init_ex(int want_export, int fd)
{
    enter();
    if (library.users == 0 && fd != -1) {
        library.fd = dup(fd);
        library.cma = want_export;
    } else if (library.users == 0) {
        open_any(want_export);
    }
    bool good = library.fd >= 0 && (library.users == 0 || library.cma || !want_export);
    library.users += good;
    leave();
    return good ? 0 : -1;
}

API int vcsm_init(void)
{
    return vcsm_init_ex(0, -1);
}

API void vcsm_exit(void)
{
    enter();
    if (library.users && --library.users == 0) {
        close(library.fd);
        library.fd = -1;
    }
    leave();
}

API void vcsm_status(VCSM_STATUS_T status, int pid)
{
    static const uint8_t commands[] = {VCSM_WALK_VC, VCSM_WALK_MAPPINGS, VCSM_WALK_PROCESS_MAPPINGS,
                                       VCSM_WALK_PROCESS};
    uint32_t word = (uint32_t)(pid == -1 ? getpid() : pid);
    bool takes_process = status >= VCSM_STATUS_HOST_WALK_PID_MAP;
    if (!library.cma && (unsigned)status < sizeof commands)
        command(commands[status], &word, takes_process);
}

/* --- Allocation --- */

/* Asks VideoCore about a handle of /dev/vcsm. Returns one word of the answer, or 0 on error. */
static uint32_t ask_vc(unsigned number, unsigned handle, unsigned answer)
{
    enum { PROCESS, HANDLE, WORDS = 4 };
    uint32_t words[WORDS] = {[PROCESS] = (uint32_t)getpid(), [HANDLE] = handle};
    return command(number, words, WORDS) == 0 ? words[answer] : 0;
}

/* Adds a block for a new handle of the driver. On error, releases the handle and returns 0. */
static unsigned add_handle(unsigned handle, size_t size)
{
    enum { HANDLE = 1, ADDRESS = 2 };
    const struct block new = {
        .handle = handle,
        .fd = -1,
        .size = size,
        .vc_handle = ask_vc(VCSM_VC_HANDLE_FROM_HANDLE, handle, HANDLE),
        .vc_address = ask_vc(VCSM_VC_ADDRESS_FROM_HANDLE, handle, ADDRESS),
    };
    unsigned added = add_block(&new, library.fd, (off_t)handle);
    uint32_t words[] = {handle};
    if (!added)
        command(VCSM_RELEASE, words, 1);
    return added;
}

static unsigned allocate(size_t size, uint32_t cache, const char *name)
{
    enum { SIZE, NUMBER, CACHED, NAME, HANDLE = NAME + VCSM_NAME_WORDS, WORDS };
    uint32_t words[WORDS] = {[SIZE] = (uint32_t)size, [NUMBER] = 1, [CACHED] = cache};
    set_name(&words[NAME], name);
    if (command(VCSM_ALLOCATE, words, WORDS) != 0)
        return 0;
    return add_handle(words[HANDLE], size);
}

/* Adds a block for a dma-buf. The block's handle is the descriptor plus 1, because the descriptor
 * may be 0. */
static unsigned add_buffer(int fd, size_t size, uint32_t vc_handle, uint64_t dma_address)
{
    const struct block new = {
        .handle = (unsigned)fd + 1,
        .fd = fd,
        .size = size,
        .vc_handle = vc_handle,
        .vc_address = dma_address > UINT32_MAX ? 0 : (uint32_t)dma_address,
    };
    unsigned added = add_block(&new, fd, 0);
    if (!added)
        close(fd);
    return added;
}

static unsigned allocate_cma(size_t size, uint32_t cache, const char *name)
{
    struct cma_allocate request = {.size = (uint32_t)size, .number = 1, .cached = cache};
    set_name(request.name, name);
    if (cma_command(CMA_ALLOCATE, &request, sizeof request) != 0)
        return 0;
    return add_buffer(request.handle, size, request.vc_handle, request.dma_address);
}

API unsigned int vcsm_malloc_cache(unsigned int size, VCSM_CACHE_TYPE_T cache, const char *name)
{
    size_t whole = whole_pages(size);
    if (library.fd < 0 || size == 0 || whole > UINT32_MAX)
        return 0;
    enter();
    unsigned handle = library.cma ? allocate_cma(whole, cache, name) : allocate(whole, cache, name);
    leave();
    return handle;
}

API unsigned int vcsm_malloc(unsigned int size, const char *name)
{
    return vcsm_malloc_cache(size, VCSM_CACHE_TYPE_NONE, name);
}

API unsigned int vcsm_malloc_share(unsigned int handle)
{
    uint32_t words[] = {handle, 0};
    unsigned again = 0;
    enter();
    if (library.fd >= 0 && !library.cma && command(VCSM_SHARE, words, 2) == 0)
        again = add_handle(words[0], words[1]);
    leave();
    return again;
}

static void release(struct block *block)
{
    uint32_t words[] = {block->handle};
    munmap(block->start, block->size);
    if (block->fd >= 0)
        close(block->fd);
    else
        command(VCSM_RELEASE, words, 1);
    remove_block(block);
}

API void vcsm_free(unsigned int handle)
{
    enter();
    struct block *block = block_of(handle);
    if (block)
        release(block);
    leave();
}

/* Resizes a block. The driver resizes only blocks that are not mapped. So the block is unmapped
 * first. It is mapped again even if resizing fails. */
static int resize(struct block *block, size_t size)
{
    uint32_t words[] = {block->handle, (uint32_t)size, 0};
    munmap(block->start, block->size);
    int result = command(VCSM_RESIZE, words, 3);
    if (result == 0)
        block->size = size;
    void *start = mmap(NULL, block->size, PROT_READ | PROT_WRITE, MAP_SHARED, library.fd,
                       (off_t)block->handle);
    block->start = start == MAP_FAILED ? NULL : start;
    block->vc_handle = ask_vc(VCSM_VC_HANDLE_FROM_HANDLE, block->handle, 1);
    block->vc_address = ask_vc(VCSM_VC_ADDRESS_FROM_HANDLE, block->handle, 2);
    return result;
}

API int vcsm_resize(unsigned int handle, unsigned int new_size)
{
    if (library.fd < 0 || handle == 0)
        return -EIO;
    enter();
    struct block *block = block_of(handle);
    int result = library.cma ? -EFAULT : block ? resize(block, whole_pages(new_size)) : -EINVAL;
    leave();
    return result;
}

/* --- Lookup --- */

/* by_handle() returns a copy of the block with a handle. by_address() returns a copy of the block
 * that contains an address. If no block is found, all members of the copy are 0. */
static struct block by_handle(unsigned handle)
{
    enter();
    const struct block *block = block_of(handle);
    struct block known = block ? *block : (struct block){0};
    leave();
    return known;
}

static struct block by_address(const void *address)
{
    enter();
    const struct block *block = block_at(address);
    struct block known = block ? *block : (struct block){0};
    leave();
    return known;
}

API unsigned int vcsm_vc_hdl_from_ptr(void *usr_ptr)
{
    return by_address(usr_ptr).vc_handle;
}

API unsigned int vcsm_vc_hdl_from_hdl(unsigned int handle)
{
    return by_handle(handle).vc_handle;
}

API unsigned int vcsm_vc_addr_from_hdl(unsigned int handle)
{
    return by_handle(handle).vc_address;
}

API unsigned int vcsm_usr_handle(void *usr_ptr)
{
    return by_address(usr_ptr).handle;
}

API void *vcsm_usr_address(unsigned int handle)
{
    return by_handle(handle).start;
}

/* --- Locking --- */

static bool lock(const struct block *block)
{
    uint32_t words[] = {block->handle, 0};
    if (block->fd >= 0)
        return synchronise(block, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW) == 0;
    return command(VCSM_LOCK, words, 2) == 0;
}

API void *vcsm_lock(unsigned int handle)
{
    enter();
    const struct block *block = block_of(handle);
    void *result = block && lock(block) ? block->start : NULL;
    leave();
    return result;
}

/* Returns the new caching mode. The host's part is as requested. VideoCore's part does not
 * change. */
static uint32_t new_caching(uint32_t now, uint32_t wanted)
{
    return (now & VCSM_CACHE_TYPE_VC) | (wanted & VCSM_CACHE_TYPE_HOST);
}

static void *lock_cache(const struct block *block, uint32_t wanted, VCSM_CACHE_TYPE_T *result)
{
    enum { HANDLE, ADDRESS, SIZE, CACHED, WORDS };
    uint32_t words[WORDS] = {[HANDLE] = block->handle};
    if (command(VCSM_CHECK, words, WORDS) != 0)
        return NULL;
    uint32_t caching = new_caching(words[CACHED], wanted), change[] = {block->handle, caching};
    if (result)
        *result = (VCSM_CACHE_TYPE_T)caching;
    bool same = caching == words[CACHED];
    bool locked = same ? lock(block) : command(VCSM_LOCK_CACHE, change, 2) == 0;
    return locked ? block->start : NULL;
}

API void *vcsm_lock_cache(unsigned int handle, VCSM_CACHE_TYPE_T cache_update,
                          VCSM_CACHE_TYPE_T *cache_result)
{
    enter();
    const struct block *block = library.cma ? NULL : block_of(handle);
    void *result = block ? lock_cache(block, cache_update, cache_result) : NULL;
    leave();
    return result;
}

static int unlock(const struct block *block, bool flush)
{
    uint32_t words[] = {block->handle, 0};
    if (block->fd < 0)
        return command(VCSM_UNLOCK, words, 2);
    return flush ? synchronise(block, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW) : 0;
}

API int vcsm_unlock_ptr_sp(void *usr_ptr, int cache_no_flush)
{
    if (library.fd < 0 || !usr_ptr)
        return -EIO;
    enter();
    const struct block *block = block_at(usr_ptr);
    int result = block ? unlock(block, !cache_no_flush) : -EINVAL;
    leave();
    return result;
}

API int vcsm_unlock_ptr(void *usr_ptr)
{
    return vcsm_unlock_ptr_sp(usr_ptr, 0);
}

API int vcsm_unlock_hdl_sp(unsigned int handle, int cache_no_flush)
{
    if (library.fd < 0 || handle == 0)
        return -EIO;
    enter();
    const struct block *block = block_of(handle);
    int result = block ? unlock(block, !cache_no_flush) : -EINVAL;
    leave();
    return result;
}

API int vcsm_unlock_hdl(unsigned int handle)
{
    return vcsm_unlock_hdl_sp(handle, 0);
}

/* --- Caches --- */

API int vcsm_clean_invalid(struct vcsm_user_clean_invalid_s *s)
{
    if (library.fd < 0 || library.cma)
        return -1;
    return command(VCSM_CLEAN_LIST, (uint32_t *)s, sizeof *s / 4);
}

static int clean_cma(const struct vcsm_user_clean_invalid2_s *s)
{
    size_t size = s->op_count * sizeof(struct cma_clean_block);
    struct cma_clean_blocks *request = calloc(1, sizeof *request + size);
    if (!request)
        return -1;
    request->count = s->op_count;
    for (unsigned i = 0; i < s->op_count; i++)
        request->block[i] = (struct cma_clean_block){
            .operation = s->s[i].invalidate_mode,
            .count = s->s[i].block_count,
            .start = s->s[i].start_address,
            .size = s->s[i].block_size,
            .stride = s->s[i].inter_block_stride,
        };
    int result = cma_command(CMA_CLEAN_BLOCKS, request, sizeof *request);
    free(request);
    return result;
}

API int vcsm_clean_invalid2(struct vcsm_user_clean_invalid2_s *s)
{
    if (library.fd < 0)
        return -1;
    if (library.cma)
        return clean_cma(s);
    return ioctl(library.fd, _IOC(_IOC_READ, VCSM_TYPE, VCSM_CLEAN_BLOCKS, sizeof *s), s);
}

/* --- dma-bufs --- */

static unsigned import(int fd, const char *name)
{
    enum { FD, CACHED, NAME, HANDLE = NAME + VCSM_NAME_WORDS, WORDS };
    uint32_t words[WORDS] = {[FD] = (uint32_t)fd}, size[2];
    set_name(&words[NAME], name);
    if (command(VCSM_IMPORT, words, WORDS) != 0)
        return 0;
    size[0] = words[HANDLE];
    command(VCSM_SIZE, size, 2);
    return add_handle(words[HANDLE], size[1]);
}

static unsigned import_cma(int fd, const char *name)
{
    struct cma_import request = {.fd = fd};
    set_name(request.name, name);
    if (cma_command(CMA_IMPORT, &request, sizeof request) != 0)
        return 0;
    return add_buffer(request.handle, request.size, request.vc_handle, request.dma_address);
}

API unsigned int vcsm_import_dmabuf(int dmabuf, const char *name)
{
    if (library.fd < 0)
        return (unsigned)-1;
    enter();
    unsigned handle = library.cma ? import_cma(dmabuf, name) : import(dmabuf, name);
    leave();
    return handle;
}

API int vcsm_export_dmabuf(unsigned int vcsm_handle)
{
    enter();
    const struct block *block = block_of(vcsm_handle);
    int fd = block && block->fd >= 0 ? dup(block->fd) : -1;
    leave();
    return fd;
}
