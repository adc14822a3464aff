/* SPDX-License-Identifier: MIT */
/* user-vcsm.h - memory that a program shares with VideoCore: the interface of the library libvcsm.
 *
 * A program initialises the library, allocates blocks, locks a block while it uses its address, and frees it. Handles
 * are the library's; 0 is none. Functions that return int return 0, or a negative number. */
#ifndef USER_VCSM_H
#define USER_VCSM_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whose caches may hold a block; PINNED, to be added, has it mapped up front. */
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

/* Opens /dev/vcsm, or else /dev/vcsm-cma; with want_export the other way round. fd: a descriptor of the device
 * that the caller has, or -1. Calls are counted, and taken back by vcsm_exit(). */
int vcsm_init(void);
int vcsm_init_ex(int want_export, int fd);
void vcsm_exit(void);

/* Has the driver write about its memory to the kernel's log. */
void vcsm_status(VCSM_STATUS_T status, int pid);

/* Allocates whole pages; another handle for the same block (/dev/vcsm only); another size for a block that is not locked
 * (likewise). */
unsigned int vcsm_malloc(unsigned int size, const char *name);
unsigned int vcsm_malloc_cache(unsigned int size, VCSM_CACHE_TYPE_T cache, const char *name);
unsigned int vcsm_malloc_share(unsigned int handle);
int vcsm_resize(unsigned int handle, unsigned int new_size);
void vcsm_free(unsigned int handle);

/* VideoCore's handle of a block, and its bus address; the block's handle and address. 0 or NULL if there is none. */
unsigned int vcsm_vc_hdl_from_ptr(void *usr_ptr);
unsigned int vcsm_vc_hdl_from_hdl(unsigned int handle);
unsigned int vcsm_vc_addr_from_hdl(unsigned int handle);
unsigned int vcsm_usr_handle(void *usr_ptr);
void *vcsm_usr_address(unsigned int handle);

/* Locks a block and returns its address, or NULL; with another kind of caching by the host, as far as that can be changed
 * (/dev/vcsm only). Unlocks it, with or without writing back the host's caches. */
void *vcsm_lock(unsigned int handle);
void *vcsm_lock_cache(unsigned int handle, VCSM_CACHE_TYPE_T cache_update,
                      VCSM_CACHE_TYPE_T *cache_result);
int vcsm_unlock_ptr(void *usr_ptr);
int vcsm_unlock_ptr_sp(void *usr_ptr, int cache_no_flush);
int vcsm_unlock_hdl(unsigned int handle);
int vcsm_unlock_hdl_sp(unsigned int handle, int cache_no_flush);

/* Cleans (2), invalidates (1), or both (3), the host's caches. The list ends with cmd 0 (/dev/vcsm only). */
#define VCSM_MAX_CLEAN_INVALIDATE_ENTRIES 8
struct vcsm_user_clean_invalid_s {
    struct {
        unsigned int cmd, handle, addr, size;
    } s[VCSM_MAX_CLEAN_INVALIDATE_ENTRIES];
};
int vcsm_clean_invalid(struct vcsm_user_clean_invalid_s *s);

/* The same for blocks of bytes at any address, each block_count times with a stride between. */
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

/* A handle for a dma-buf, 0 if that fails; a descriptor of a block as a dma-buf (/dev/vcsm-cma only), -1 if that fails. */
unsigned int vcsm_import_dmabuf(int dmabuf, const char *name);
int vcsm_export_dmabuf(unsigned int vcsm_handle);

#ifdef __cplusplus
}
#endif

#endif
