/* SPDX-License-Identifier: MIT */
/* user-vcsm.h - memory that a program shares with VideoCore: the interface of the library libvcsm.
 *
 * A program first initializes the library. Then it allocates blocks. It locks a block before it
 * uses the block's address, and frees the block at the end. Blocks have handles, which are not 0.
 * Functions that return int return 0, or a negative number on error. */
#ifndef USER_VCSM_H
#define USER_VCSM_H

#ifdef __cplusplus
extern "C" {
#endif

/* The caches that may contain a block's data. PINNED can be added to the other values. It maps the
 * block in advance. */
typedef enum {
    VCSM_CACHE_TYPE_NONE,
    VCSM_CACHE_TYPE_HOST,
    VCSM_CACHE_TYPE_VC,
    VCSM_CACHE_TYPE_HOST_AND_VC,
    VCSM_CACHE_TYPE_PINNED = 0x80
} VCSM_CACHE_TYPE_T;

typedef enum {
    VCSM_STATUS_VC_WALK_ALLOC,
    VCSM_STATUS_HOST_WALK_MAP,
    VCSM_STATUS_HOST_WALK_PID_MAP,
    VCSM_STATUS_HOST_WALK_PID_ALLOC,
    VCSM_STATUS_VC_MAP_ALL,
    VCSM_STATUS_NONE
} VCSM_STATUS_T;

/* vcsm_init() opens /dev/vcsm, or /dev/vcsm-cma if that fails. vcsm_init_ex() with want_export
 * first tries /dev/vcsm-cma. `fd` is an open descriptor of the device, or -1. Initializations are
 * counted. The library stays open until vcsm_exit() has been called once for each of them. */
int vcsm_init(void);
int vcsm_init_ex(int want_export, int fd);
void vcsm_exit(void);

/* Makes the driver list its memory in the kernel's log. */
void vcsm_status(VCSM_STATUS_T status, int pid);

/* vcsm_malloc() and vcsm_malloc_cache() allocate whole pages. vcsm_malloc_share() returns another
 * handle for the same block. vcsm_resize() changes the size of a block that is not locked. These
 * two functions need /dev/vcsm. vcsm_free() releases a handle. */
unsigned int vcsm_malloc(unsigned int size, const char *name);
unsigned int vcsm_malloc_cache(unsigned int size, VCSM_CACHE_TYPE_T cache, const char *name);
unsigned int vcsm_malloc_share(unsigned int handle);
int vcsm_resize(unsigned int handle, unsigned int new_size);
void vcsm_free(unsigned int handle);

/* The functions with vc_ return VideoCore's handle or bus address of a block. The functions with
 * usr_ return the block's handle or address in the program. All of them return 0 or NULL if the
 * block does not exist. */
unsigned int vcsm_vc_hdl_from_ptr(void *usr_ptr);
unsigned int vcsm_vc_hdl_from_hdl(unsigned int handle);
unsigned int vcsm_vc_addr_from_hdl(unsigned int handle);
unsigned int vcsm_usr_handle(void *usr_ptr);
void *vcsm_usr_address(unsigned int handle);

/* vcsm_lock() locks a block and returns its address, or NULL. vcsm_lock_cache() also changes the
 * host's caching mode if possible. It needs /dev/vcsm. The other functions unlock a block.
 * cache_no_flush of 1 means that the host's caches are not written back. */
void *vcsm_lock(unsigned int handle);
void *vcsm_lock_cache(unsigned int handle, VCSM_CACHE_TYPE_T cache_update,
                      VCSM_CACHE_TYPE_T *cache_result);
int vcsm_unlock_ptr(void *usr_ptr);
int vcsm_unlock_ptr_sp(void *usr_ptr, int cache_no_flush);
int vcsm_unlock_hdl(unsigned int handle);
int vcsm_unlock_hdl_sp(unsigned int handle, int cache_no_flush);

/* Cleans (cmd 2), invalidates (cmd 1), or cleans and invalidates (cmd 3) the host's caches. An
 * entry with cmd 0 ends the list. Needs /dev/vcsm. */
#define VCSM_MAX_CLEAN_INVALIDATE_ENTRIES 8
struct vcsm_user_clean_invalid_s {
    struct {
        unsigned int cmd, handle, addr, size;
    } s[VCSM_MAX_CLEAN_INVALIDATE_ENTRIES];
};
int vcsm_clean_invalid(struct vcsm_user_clean_invalid_s *s);

/* Like vcsm_clean_invalid(), but for any addresses. Each entry describes block_count blocks with
 * the same distance between them. */
struct vcsm_user_clean_invalid2_s {
    unsigned char op_count;
    unsigned char zero[3];
    struct vcsm_user_clean_invalid2_block_s {
        unsigned short invalidate_mode;
        unsigned short block_count;
        void *start_address;
        unsigned int block_size;
        unsigned int inter_block_stride;
    } s[0];
};
int vcsm_clean_invalid2(struct vcsm_user_clean_invalid2_s *s);

/* vcsm_import_dmabuf() returns a handle for a dma-buf, or 0 on error. vcsm_export_dmabuf() returns
 * a descriptor of a block as a dma-buf, or -1 on error. It needs /dev/vcsm-cma. */
unsigned int vcsm_import_dmabuf(int dmabuf, const char *name);
int vcsm_export_dmabuf(unsigned int vcsm_handle);

#ifdef __cplusplus
}
#endif

#endif
