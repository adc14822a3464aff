/* SPDX-License-Identifier: MIT */
/* program.c - tests of src/shim/drm through a program that uses /dev/dri by system calls alone, run
 * with the shim preloaded.
 *
 * Expected: the manual pages of the calls, and the answers of Linux: drivers/gpu/drm/drm_ioctl.c
 * (permissions, unknown requests), drm_gem.c and drm_prime.c (handles), drm_auth.c (masters),
 * drm_syncobj.c, drm_vma_manager.c and vc4/vc4_bo.c (mapping), vc4/vc4_drv.c (names). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <libdrm/vc4_drm.h>
#include <linux/dma-buf.h>
#include <linux/kd.h>
#include <linux/vt.h>

#include "../../register.h"

#define CARD   "/dev/dri/card0"
#define RENDER "/dev/dri/renderD128"

enum { PAGE = 4096, SYSFS = 0x62656572 };

/* --- helpers --- */

static int open_node(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void expect(int result, int error)
{
    int reason = errno;
    if (error) {
        assert_int_equal(result, -1);
        assert_int_equal(reason, error);
    } else {
        assert_int_equal(result, 0);
    }
}

/* Returns an address that the compiler cannot know, so that it does not warn about the access. */
static void *volatile_address(uintptr_t address)
{
    volatile uintptr_t hidden = address;
    return (void *)hidden;
}

static uint32_t make_bo(int fd, uint32_t size)
{
    struct drm_vc4_create_bo request = {.size = size};
    assert_int_equal(ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &request), 0);
    assert_int_not_equal(request.handle, 0);
    return request.handle;
}

static void close_bo(int fd, uint32_t handle, int error)
{
    struct drm_gem_close request = {.handle = handle};
    expect(ioctl(fd, DRM_IOCTL_GEM_CLOSE, &request), error);
}

static uint64_t offset_of(int fd, uint32_t handle)
{
    struct drm_vc4_mmap_bo request = {.handle = handle};
    assert_int_equal(ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &request), 0);
    return request.offset;
}

static uint32_t *map_bo(int fd, uint32_t handle, size_t size)
{
    void *start = mmap64(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                         (off64_t)offset_of(fd, handle));
    assert_ptr_not_equal(start, MAP_FAILED);
    return start;
}

static int export_bo(int fd, uint32_t handle, uint32_t flags)
{
    struct drm_prime_handle request = {.handle = handle, .flags = flags, .fd = -1};
    assert_int_equal(ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &request), 0);
    return request.fd;
}

static int import_bo(int fd, int file, uint32_t *handle)
{
    struct drm_prime_handle request = {.fd = file};
    int result = ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &request);
    *handle = request.handle;
    return result;
}

static uint32_t make_syncobj(int fd, uint32_t flags)
{
    struct drm_syncobj_create request = {.flags = flags};
    assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &request), 0);
    return request.handle;
}

static int wait_syncobj(int fd, uint32_t handle, uint32_t flags, int64_t timeout)
{
    struct drm_syncobj_wait request = {
        .handles = (uintptr_t)&handle, .count_handles = 1, .flags = flags, .timeout_nsec = timeout};
    return ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &request);
}

static int change_syncobj(int fd, unsigned long what, uint32_t handle)
{
    struct drm_syncobj_array request = {.handles = (uintptr_t)&handle, .count_handles = 1};
    return ioctl(fd, what, &request);
}

/* Runs a function in a child process. Returns the child's wait status, which is 0 on success. A
 * failed assertion ends the child with another status. */
static int in_child(void (*work)(int argument), int argument)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        work(argument);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Assertion for child processes. A cmocka assertion would jump into the parent's test. */
#define NEED(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            _exit(1);                                                       \
        }                                                                   \
    } while (0)

/* --- nodes --- */

TEST(has_nodes)
{
    struct stat status;
    assert_int_equal(stat(CARD, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(status.st_rdev, makedev(226, 0));
    int fd = open_node(RENDER);
    assert_int_equal(fstat(fd, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(status.st_rdev, makedev(226, 128));
    assert_int_equal(access(CARD, R_OK | W_OK), 0);
    char link[64], path[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    assert_int_equal(readlink(link, path, sizeof path), strlen(RENDER));
    assert_string_equal(path, RENDER);
    assert_non_null(realpath(CARD, path));
    assert_string_equal(path, CARD);
    expect(open("/dev/dri/card1", O_RDWR), ENOENT);
    expect(open(CARD, O_RDONLY | O_DIRECTORY), ENOTDIR);
    expect(open(CARD, O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
    expect(stat(CARD, (struct stat *)volatile_address(8)), EFAULT);
    int again = open_node(link); /* a separate open file, which has its own handles */
    make_bo(fd, PAGE);
    close_bo(again, 1, EINVAL);
    close(again);
    close(fd);
}

/* Returns the number of times that a folder lists a name. */
static unsigned lists(const char *folder, const char *name)
{
    unsigned found = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));)
        found += strcmp(entry->d_name, name) == 0;
    closedir(entries);
    return found;
}

TEST(lists_nodes)
{
    assert_int_equal(lists("/dev", "dri"), 1);
    assert_int_equal(lists("/dev/dri", "card0"), 1);
    assert_int_equal(lists("/dev/dri", "renderD128"), 1);
    assert_int_equal(lists("/sys/class", "drm"), 1);
    assert_int_equal(lists("/sys/class/drm", "card0-HDMI-A-1"), 1);
    glob_t found;
    assert_int_equal(glob("/dev/dri/card?", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    assert_string_equal(found.gl_pathv[0], CARD);
    globfree(&found);
}

static void read_text(int folder, const char *path, char *text, size_t size)
{
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    ssize_t length = read(fd, text, size - 1);
    assert_true(length >= 0);
    text[length] = 0;
    close(fd);
}

TEST(has_sysfs)
{
    char path[PATH_MAX] = "", text[512];
    assert_non_null(realpath("/sys/dev/char/226:0/device", path));
    assert_string_equal(path, "/sys/devices/platform/soc/soc:gpu");
    ssize_t length = readlink("/sys/dev/char/226:128/device/subsystem", path, sizeof path - 1);
    assert_true(length > 0);
    path[length] = 0;
    assert_string_equal(strrchr(path, '/'), "/platform");
    read_text(AT_FDCWD, "/sys/dev/char/226:128/device/uevent", text, sizeof text);
    assert_non_null(strstr(text, "OF_COMPATIBLE_0=brcm,bcm2835-vc4\n"));
    FILE *stream = fopen("/sys/class/drm/card0/dev", "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    assert_string_equal(text, "226:0\n");
    fclose(stream);
    struct statfs system;
    assert_int_equal(statfs("/sys/class/drm/card0/uevent", &system), 0);
    assert_int_equal(system.f_type, SYSFS);
}

/* Opens a path like systemd: one component at a time, and through symbolic links. */
TEST(walks_sysfs)
{
    static const char *const parts[] = {"sys", "class", "drm"};
    char text[512];
    int folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int next = openat(folder, parts[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);
        assert_true(next >= 0);
        close(folder);
        folder = next;
    }
    ssize_t length = readlinkat(folder, "card0", text, sizeof text - 1);
    assert_true(length > 0);
    text[length] = 0;
    assert_string_equal(text, "../../devices/platform/soc/soc:gpu/drm/card0");
    read_text(folder, "card0/uevent", text, sizeof text);
    assert_non_null(strstr(text, "DEVNAME=dri/card0\n"));
    struct statfs system;
    assert_int_equal(fstatfs(folder, &system), 0);
    assert_int_equal(system.f_type, SYSFS);
    close(folder);
}

/* --- requests --- */

TEST(tells_version)
{
    char name[16] = "", date[4] = "";
    int fd = open_node(RENDER);
    struct drm_version version = {
        .name = name, .name_len = sizeof name, .date = date, .date_len = 2};
    assert_int_equal(ioctl(fd, DRM_IOCTL_VERSION, &version), 0);
    assert_string_equal(name, "vc4");
    assert_int_equal(version.name_len, 3);
    assert_string_equal(date, "20"); /* the text is truncated to the size of the buffer */
    assert_int_equal(version.date_len, 8);
    version = (struct drm_version){.name = (char *)16, .name_len = 3};
    expect(ioctl(fd, DRM_IOCTL_VERSION, &version), EFAULT);
    close(fd);
}

TEST(refuses_requests)
{
    int card = open_node(CARD), render = open_node(RENDER);
    struct drm_mode_card_res resources = {0};
    expect(ioctl(card, DRM_IO(0xff), 0), EINVAL);
    expect(ioctl(card, DRM_IOCTL_VERSION, (void *)16), EFAULT);
    expect(ioctl(render, DRM_IOCTL_MODE_GETRESOURCES, &resources), EACCES);
    expect(ioctl(card, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    close(card);
    close(render);
}

/* As in setattr_prepare(), root may change all files, and other users only their own. Every user
 * with write access may set the times to the present. */
TEST(changes_rights)
{
    static const struct timespec times[2] = {{1000, 0}, {2000, 0}};
    const bool is_root = geteuid() == 0;
    struct stat status;
    assert_int_equal(stat(CARD, &status), 0);
    assert_int_equal(status.st_mode, S_IFCHR | 0666);
    assert_int_equal(status.st_uid, 0);
    expect(chmod(CARD, 0660), is_root ? 0 : EPERM);
    expect(utimensat(AT_FDCWD, CARD, times, 0), is_root ? 0 : EPERM);
    expect(chown(CARD, (uid_t)-1, (gid_t)-1), 0);
    expect(chown(CARD, 0, 0), is_root ? 0 : EPERM);
    expect(chmod("/dev/dri/card7", 0660), ENOENT);
    assert_int_equal(stat(CARD, &status), 0);
    assert_int_equal(status.st_mode & 0777, is_root ? 0660 : 0666);
    if (is_root)
        assert_int_equal(status.st_mtim.tv_sec, 2000);
    int fd = open_node(CARD);
    expect(fchmod(fd, 0666), is_root ? 0 : EPERM);
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(status.st_mode, S_IFCHR | 0666);
    close(fd);
    expect(utimensat(AT_FDCWD, CARD, NULL, 0), 0);
    assert_int_equal(stat(CARD, &status), 0);
    assert_true(status.st_mtim.tv_sec > 2000);
}

/* The first client is the master. The next client may become master after the first has called
 * DROP_MASTER. */
TEST(has_one_master)
{
    int first = open_node(CARD), second = open_node(CARD);
    struct drm_auth auth = {0};
    struct drm_gem_flink flink = {.handle = 1};
    expect(ioctl(second, DRM_IOCTL_SET_MASTER, 0), EBUSY);
    expect(ioctl(second, DRM_IOCTL_GEM_FLINK, &flink),
           geteuid() == 0 ? ENOENT : EACCES); /* root is always authenticated (drm_open_helper) */
    assert_int_equal(ioctl(second, DRM_IOCTL_GET_MAGIC, &auth), 0);
    expect(ioctl(second, DRM_IOCTL_AUTH_MAGIC, &auth), EACCES);
    expect(ioctl(first, DRM_IOCTL_AUTH_MAGIC, &auth), 0);
    expect(ioctl(second, DRM_IOCTL_GEM_FLINK, &flink), ENOENT);
    expect(ioctl(first, DRM_IOCTL_DROP_MASTER, 0), 0);
    expect(ioctl(first, DRM_IOCTL_DROP_MASTER, 0), EINVAL);
    expect(ioctl(second, DRM_IOCTL_SET_MASTER, 0), 0);
    close(first);
    close(second);
}

/* --- descriptors --- */

TEST(has_duplicates)
{
    int fd = open_node(RENDER);
    uint32_t handle = make_bo(fd, PAGE);
    int other = fcntl(fd, F_DUPFD_CLOEXEC, 3), third = dup(fd);
    assert_true(fcntl(other, F_GETFD) & FD_CLOEXEC);
    close(fd);
    offset_of(other, handle);
    assert_int_equal(dup2(third, other), other);
    offset_of(other, handle);
    close(other);
    close_bo(third, handle, 0);
    close(third);
    fd = open_node(RENDER); /* another open file, with separate handles */
    close_bo(fd, handle, EINVAL);
    close(fd);
    expect(fcntl(fd, F_GETFD), EBADF);
}

/* If dup2() replaces a node's descriptor by another file, calls with that descriptor must use the
 * other file. */
TEST(forgets_descriptors)
{
    int fd = open_node(RENDER), null = open("/dev/null", O_RDWR);
    struct stat status;
    assert_int_equal(dup2(null, fd), fd);
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(status.st_rdev, makedev(1, 3));
    assert_int_equal(ioctl(fd, DRM_IOCTL_VC4_GET_PARAM, &(struct drm_vc4_get_param){0}), -1);
    close(fd);
    close(null);
}

/* True if the process's folder of device files has a lock (flock). Without a lock, another program
 * would remove the folder when that program ends. */
static bool folder_is_locked(void)
{
    char pattern[64];
    glob_t found;
    snprintf(pattern, sizeof pattern, "/tmp/tessera-drm-%d-*", (int)getpid());
    assert_int_equal(glob(pattern, GLOB_ONLYDIR, NULL, &found), 0);
    int folder = open(found.gl_pathv[found.gl_pathc - 1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(folder >= 0);
    bool locked = flock(folder, LOCK_EX | LOCK_NB) != 0;
    close(folder);
    globfree(&found);
    return locked;
}

/* A program that closes all descriptors must not close the shim's private descriptors. Direct
 * system calls can close them. The next use of the device must then lock the folder again. */
TEST(survives_closing)
{
    int fd = open_node(RENDER);
    uint32_t handle = make_bo(fd, PAGE);
    for (int i = 3; i < 4096; i++)
        if (i != fd)
            close(i);
    if (fd > 3)
        close_range(3, (unsigned)fd - 1, 0);
    close_range((unsigned)fd + 1, UINT_MAX, 0);
    uint32_t *words = map_bo(fd, handle, PAGE);
    words[0] = 7;
    for (int i = 1000; i < 1100; i++)
        /* some of these numbers are those of private descriptors */
        assert_int_equal(dup2(fd, i), i);
    uint32_t *again = map_bo(fd, handle, PAGE);
    assert_int_equal(again[0], 7);
    munmap(words, PAGE);
    munmap(again, PAGE);
    close_range(3, UINT_MAX, 0);
    expect(fcntl(fd, F_GETFD), EBADF);
    assert_true(folder_is_locked());
    for (int i = 3; i < 4096; i++)
        syscall(SYS_close, i);
    fd = open_node(RENDER);
    assert_true(folder_is_locked());
    make_bo(fd, PAGE);
    close(fd);
}

/* --- memory --- */

TEST(maps_memory)
{
    int fd = open_node(RENDER), other = open_node(RENDER);
    uint32_t handle = make_bo(fd, PAGE + 1);
    off64_t offset = (off64_t)offset_of(fd, handle);
    uint32_t *words = map_bo(fd, handle, 2 * PAGE);
    assert_int_equal(words[2 * PAGE / 4 - 1], 0);
    words[3] = 0x12345678;
    uint32_t *again = map_bo(fd, handle, PAGE);
    assert_int_equal(again[3], 0x12345678);
    void *start = mmap64(NULL, 3 * PAGE, PROT_READ, MAP_SHARED, fd, offset);
    assert_ptr_equal(start, MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    start = mmap64(NULL, PAGE, PROT_READ, MAP_SHARED, fd, offset + PAGE);
    assert_ptr_equal(start, MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    /* this file has no handle for the buffer object */
    start = mmap64(NULL, PAGE, PROT_READ, MAP_SHARED, other, offset);
    assert_ptr_equal(start, MAP_FAILED);
    assert_int_equal(errno, EACCES);
    close_bo(fd, handle, 0); /* mappings stay valid after the handle is closed */
    assert_int_equal(words[3], 0x12345678);
    munmap(words, 2 * PAGE);
    munmap(again, PAGE);
    close(fd);
    close(other);
}

/* GPU memory does not count towards the program's limit of file sizes. Runs in a child process,
 * because a lowered limit cannot be raised again. */
TEST(needs_no_files)
{
    int status, fd = open_node(RENDER);
    make_bo(fd, PAGE);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {0};
        /* the shim already has its scratch file, and cannot write to it after setrlimit() */
        make_bo(fd, PAGE);
        setrlimit(RLIMIT_FSIZE, &limit);
        uint32_t handle = make_bo(fd, 4 * PAGE);
        uint32_t *words = map_bo(fd, handle, 4 * PAGE);
        words[PAGE] = 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(fd);
}

/* As in vc4_gem_object_mmap(), validated shader code cannot be mapped for writing. */
TEST(maps_shaders)
{
    /* the instructions "nop", "nop; thrend", "nop", "nop" */
    static const uint64_t code[] = {UINT64_C(0x100009e7009e7000), UINT64_C(0x300009e7009e7000),
                                    UINT64_C(0x100009e7009e7000), UINT64_C(0x100009e7009e7000)};
    int fd = open_node(RENDER);
    struct drm_vc4_create_shader_bo request = {.size = sizeof code, .data = (uintptr_t)code};
    expect(ioctl(fd, DRM_IOCTL_VC4_CREATE_SHADER_BO, &request), 0);
    off64_t offset = (off64_t)offset_of(fd, request.handle);
    assert_ptr_equal(mmap64(NULL, PAGE, PROT_WRITE, MAP_SHARED, fd, offset), MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    void *start = mmap64(NULL, PAGE, PROT_READ, MAP_SHARED, fd, offset);
    assert_memory_equal(start, code, sizeof code);
    expect(mprotect(start, PAGE, PROT_READ | PROT_WRITE), EACCES);
    munmap(start, PAGE);
    close(fd);
}

TEST(runs_out_of_memory)
{
    int fd = open_node(RENDER);
    struct drm_vc4_create_bo request = {.size = 1 << 20};
    unsigned made = 0;
    while (made < 100000 && ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &request) == 0)
        made++;
    assert_int_equal(errno, ENOMEM);
    assert_true(made > 8);
    struct drm_vc4_gem_madvise advice = {.handle = request.handle, .madv = VC4_MADV_DONTNEED};
    advice.handle = 1;
    assert_int_equal(ioctl(fd, DRM_IOCTL_VC4_GEM_MADVISE, &advice), 0);
    assert_int_equal(advice.retained, 1);
    /* purges the buffer object of the first file */
    assert_int_equal(ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &request), 0);
    advice = (struct drm_vc4_gem_madvise){.handle = 1, .madv = VC4_MADV_WILLNEED};
    assert_int_equal(ioctl(fd, DRM_IOCTL_VC4_GEM_MADVISE, &advice), 0);
    assert_int_equal(advice.retained, 0);
    close(fd);
    fd = open_node(RENDER);
    make_bo(fd, 1 << 20);
    close(fd);
}

/* --- PRIME --- */

TEST(shares_inside)
{
    int fd = open_node(RENDER), other = open_node(CARD);
    uint32_t handle = make_bo(fd, 2 * PAGE), same, foreign;
    int file = export_bo(fd, handle, DRM_CLOEXEC | DRM_RDWR);
    assert_int_equal(lseek(file, 0, SEEK_END), 2 * PAGE);
    assert_true(fcntl(file, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(import_bo(fd, file, &same), 0);
    assert_int_equal(same, handle);
    assert_int_equal(import_bo(other, file, &foreign), 0);
    uint32_t *one = map_bo(fd, handle, PAGE), *two = map_bo(other, foreign, PAGE);
    uint32_t *three = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
    one[5] = 55;
    assert_int_equal(two[5], 55);
    assert_int_equal(three[5], 55);
    struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ};
    expect(ioctl(file, DMA_BUF_IOCTL_SYNC, &sync), 0);
    sync.flags = 0x100;
    expect(ioctl(file, DMA_BUF_IOCTL_SYNC, &sync), EINVAL);
    munmap(one, PAGE);
    munmap(two, PAGE);
    munmap(three, PAGE);
    assert_ptr_equal(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 2 * PAGE), MAP_FAILED);
    assert_int_equal(errno, EINVAL); /* the range ends after the end of the buffer object */
    expect(import_bo(fd, 9999, &same), EBADF);
    expect(import_bo(fd, fd, &same), EINVAL);
    expect(ftruncate(file, 0), EPERM); /* the size of exported memory cannot change */
    int reader = export_bo(fd, handle, DRM_CLOEXEC);
    assert_ptr_equal(mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, reader, 0), MAP_FAILED);
    close(reader);
    close(file);
    close(fd);
    close(other);
}

/* send_fd() sends a descriptor over a socket. take_fd() receives one. */
static void send_fd(int socket, int fd)
{
    char byte = 0, room[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    NEED(sendmsg(socket, &message, 0) == 1);
}

static int take_fd(int socket)
{
    int fd = -1;
    char byte, room[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    NEED(recvmsg(socket, &message, 0) == 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

/* Imports a buffer object in a process that has inherited nothing from the exporting process. */
static void import_elsewhere(int socket)
{
    uint32_t handle;
    int file = take_fd(socket), node = take_fd(socket);
    struct stat status;
    NEED(fstat(node, &status) == 0 && status.st_rdev == makedev(226, 0));
    int fd = open(RENDER, O_RDWR);
    NEED(import_bo(fd, file, &handle) == 0);
    struct drm_vc4_mmap_bo map = {.handle = handle};
    NEED(ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &map) == 0);
    uint32_t *words = mmap64(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                             (off64_t)map.offset);
    NEED(words != MAP_FAILED && words[1] == 11);
    words[2] = 22;
    struct drm_mode_card_res resources = {0};
    NEED(ioctl(node, DRM_IOCTL_MODE_GETRESOURCES, &resources) == 0);
    close(fd);
}

TEST(shares_with_others)
{
    int sockets[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    pid_t child = fork(); /* fork before anything exists that the child could inherit */
    if (child == 0) {
        import_elsewhere(sockets[1]);
        _exit(0);
    }
    int fd = open_node(RENDER), card = open_node(CARD);
    uint32_t handle = make_bo(fd, PAGE);
    uint32_t *words = map_bo(fd, handle, PAGE);
    words[1] = 11;
    int file = export_bo(fd, handle, DRM_CLOEXEC);
    send_fd(sockets[0], file);
    send_fd(sockets[0], card);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(words[2], 22);
    munmap(words, PAGE);
    close(file);
    close(fd);
    close(card);
    close(sockets[0]);
    close(sockets[1]);
}

static void open_name(int socket)
{
    struct drm_gem_open request = {0};
    NEED(read(socket, &request.name, sizeof request.name) == sizeof request.name);
    int fd = open(CARD, O_RDWR);
    NEED(ioctl(fd, DRM_IOCTL_GEM_OPEN, &request) == 0);
    NEED(request.size == PAGE);
    struct drm_vc4_mmap_bo map = {.handle = request.handle};
    NEED(ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &map) == 0);
    uint32_t *words = mmap64(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                             (off64_t)map.offset);
    NEED(words != MAP_FAILED && words[1] == 33);
    words[2] = 44;
    request.name ^= 1u << 8;
    NEED(ioctl(fd, DRM_IOCTL_GEM_OPEN, &request) == -1 && errno == ENOENT);
}

TEST(names_memory)
{
    int sockets[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    pid_t child = fork();
    if (child == 0) {
        open_name(sockets[1]);
        _exit(0);
    }
    int fd = open_node(CARD);
    struct drm_gem_flink flink = {.handle = make_bo(fd, PAGE)};
    assert_int_equal(ioctl(fd, DRM_IOCTL_GEM_FLINK, &flink), 0);
    uint32_t name = flink.name;
    assert_int_equal(ioctl(fd, DRM_IOCTL_GEM_FLINK, &flink), 0);
    assert_int_equal(flink.name, name);
    uint32_t *words = map_bo(fd, flink.handle, PAGE);
    words[1] = 33;
    assert_int_equal(write(sockets[0], &name, sizeof name), sizeof name);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(words[2], 44);
    munmap(words, PAGE);
    struct drm_gem_open request = {.name = name};
    assert_int_equal(ioctl(fd, DRM_IOCTL_GEM_OPEN, &request), 0);
    assert_int_not_equal(request.handle, flink.handle);
    close_bo(fd, flink.handle, 0);
    close_bo(fd, request.handle, 0);
    /* closing the last handle deletes the name */
    expect(ioctl(fd, DRM_IOCTL_GEM_OPEN, &request), ENOENT);
    make_bo(fd, PAGE);
    request.name = 0; /* 0 is not a name, even though objects without a name have bo->name 0 */
    expect(ioctl(fd, DRM_IOCTL_GEM_OPEN, &request), ENOENT);
    close(fd);
    close(sockets[0]);
    close(sockets[1]);
}

/* --- sync objects --- */

TEST(has_syncobjs)
{
    int fd = open_node(RENDER);
    uint32_t handle = make_syncobj(fd, 0),
             signalled = make_syncobj(fd, DRM_SYNCOBJ_CREATE_SIGNALED);
    expect(wait_syncobj(fd, signalled, 0, 0), 0);
    expect(wait_syncobj(fd, handle, 0, 0), EINVAL);
    expect(wait_syncobj(fd, handle, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, 0), ETIME);
    expect(wait_syncobj(fd, 77, 0, 0), ENOENT);
    expect(change_syncobj(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, handle), 0);
    expect(wait_syncobj(fd, handle, 0, 0), 0);
    expect(change_syncobj(fd, DRM_IOCTL_SYNCOBJ_RESET, handle), 0);
    expect(wait_syncobj(fd, handle, 0, 0), EINVAL);
    struct drm_syncobj_handle request = {
        .handle = signalled, .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE, .fd = -1};
    assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &request), 0);
    struct pollfd ready = {.fd = request.fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 0), 1);
    request.handle = handle;
    expect(ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &request), 0);
    expect(wait_syncobj(fd, handle, 0, 0), 0);
    close(request.fd);
    struct drm_syncobj_destroy destroy = {.handle = handle};
    expect(ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), 0);
    expect(ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), EINVAL);
    struct drm_syncobj_timeline_wait timeline = {.count_handles = 1};
    expect(ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &timeline), EOPNOTSUPP);
    close(fd);
}

/* Signals the sync object in another process while this process waits for it. */
static void signal_elsewhere(int file)
{
    int fd = open(RENDER, O_RDWR);
    struct drm_syncobj_handle request = {.fd = file};
    NEED(ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &request) == 0);
    usleep(20000);
    NEED(change_syncobj(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, request.handle) == 0);
}

TEST(shares_syncobjs)
{
    int fd = open_node(RENDER);
    struct drm_syncobj_handle request = {.handle = make_syncobj(fd, 0), .fd = -1};
    assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &request), 0);
    pid_t child = fork();
    if (child == 0) {
        signal_elsewhere(request.fd);
        _exit(0);
    }
    expect(wait_syncobj(fd, request.handle, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, INT64_MAX), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(request.fd);
    close(fd);
}

/* --- processes and threads --- */

static void use_inherited(int fd)
{
    struct drm_vc4_create_bo request = {.size = PAGE};
    NEED(ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &request) == 0);
    struct drm_gem_close close_it = {.handle = 1};
    NEED(ioctl(fd, DRM_IOCTL_GEM_CLOSE, &close_it) == 0);
}

TEST(forks)
{
    int fd = open_node(RENDER);
    uint32_t handle = make_bo(fd, PAGE);
    assert_int_equal(handle, 1);
    assert_int_equal(in_child(use_inherited, fd), 0);
    offset_of(fd, handle);
    close(fd);
}

/* Checks an inherited descriptor. run_self() runs this program again with the number of that
 * descriptor. */
static int look_at(int fd)
{
    struct drm_vc4_get_param request = {.param = DRM_VC4_PARAM_V3D_IDENT0};
    return ioctl(fd, DRM_IOCTL_VC4_GET_PARAM, &request) == 0 && request.value == 0x02443356 ? 0 : 1;
}

static int run_self(int fd, pid_t (*begin)(char *const arguments[]))
{
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    char *const arguments[] = {"/proc/self/exe", number, NULL};
    pid_t child = begin(arguments);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static pid_t by_exec(char *const arguments[])
{
    pid_t child = fork();
    if (child == 0) {
        execv(arguments[0], arguments);
        _exit(2);
    }
    return child;
}

static pid_t by_vfork(char *const arguments[])
{
    pid_t child = vfork();
    if (child == 0) {
        close(0); /* must not close the parent's descriptor */
        execv(arguments[0], arguments);
        _exit(2);
    }
    return child;
}

extern char **environ;

static pid_t by_spawn(char *const arguments[])
{
    pid_t child;
    assert_int_equal(posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ), 0);
    return child;
}

TEST(executes)
{
    int fd = open(RENDER, O_RDWR);
    uint32_t handle = make_bo(fd, PAGE);
    int status = run_self(fd, by_exec);
    if (status == 2 << 8) { /* under an emulator that cannot execute programs */
        close(fd);
        skip();
    }
    assert_int_equal(status, 0);
    assert_int_equal(run_self(fd, by_vfork), 0);
    assert_int_equal(run_self(fd, by_spawn), 0);
    offset_of(fd, handle);
    close(fd);
}

static void *work_alone(void *failed)
{
    for (int i = 0; i < 100; i++) {
        struct drm_vc4_create_bo request = {.size = PAGE};
        int fd = open(RENDER, O_RDWR | O_CLOEXEC), other = dup(fd);
        bool good = ioctl(other, DRM_IOCTL_VC4_CREATE_BO, &request) == 0 && request.handle == 1;
        close(fd);
        close(other);
        if (!good)
            *(volatile bool *)failed = true;
    }
    return NULL;
}

TEST(has_threads)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    bool failed = false;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work_alone, &failed), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_false(failed);
}

/* --- events --- */

static void *make_and_close(void *argument)
{
    int fd = *(int *)argument;
    for (;;) {
        struct drm_vc4_create_bo request = {.size = PAGE};
        ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &request);
        struct drm_gem_close done = {.handle = request.handle};
        ioctl(fd, DRM_IOCTL_GEM_CLOSE, &done);
        pthread_testcancel();
    }
    return NULL;
}

static void *open_and_look(void *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    fstat(fd, &status);
    stat(path, &status);
    close(fd);
    return NULL;
}

/* A thread with the smallest stack must be able to open files, as without the shim. */
TEST(has_small_threads)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN), 0);
    if (pthread_create(&thread, &attributes, open_and_look, "/etc/hosts") == 0)
        assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}

/* ioctl() is not a cancellation point. So no thread may be cancelled within a request, where it
 * would keep the lock. */
TEST(cancels_threads)
{
    int fd = open_node(RENDER);
    alarm(60);
    for (int i = 0; i < 30; i++) {
        pthread_t thread;
        void *result;
        assert_int_equal(pthread_create(&thread, NULL, make_and_close, &fd), 0);
        usleep(1000);
        pthread_cancel(thread);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_ptr_equal(result, PTHREAD_CANCELED);
        make_bo(fd, PAGE);
    }
    alarm(0);
    close(fd);
}

/* Other sockets must not be able to send to a node's socket, because the program would read the
 * data as an event of the kernel. */
TEST(takes_no_strangers_events)
{
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    char event[32] = {0};
    int fd = open(CARD, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    int stranger = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0 && stranger >= 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(
        sendto(stranger, event, sizeof event, MSG_DONTWAIT, (struct sockaddr *)&address, size), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(connect(stranger, (struct sockaddr *)&address, size), -1);
    assert_int_equal(read(fd, event, sizeof event), -1);
    assert_int_equal(errno, EAGAIN);
    close(stranger);
    close(fd);
}

TEST(reads_events)
{
    int fd = open_node(CARD);
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 0), 0);
    union drm_wait_vblank wait = {
        .request = {.type = _DRM_VBLANK_RELATIVE | _DRM_VBLANK_EVENT, .sequence = 1, .signal = 99}};
    struct drm_mode_card_res resources = {0};
    assert_int_equal(ioctl(fd, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    if (ioctl(fd, DRM_IOCTL_WAIT_VBLANK, &wait) == 0) {
        struct drm_event_vblank event;
        assert_int_equal(poll(&ready, 1, 1000), 1);
        assert_int_equal(read(fd, &event, sizeof event), sizeof event);
        assert_int_equal(event.base.type, DRM_EVENT_VBLANK);
        assert_int_equal(event.user_data, 99);
    } else {
        assert_int_equal(errno, EINVAL); /* the display is off, so no event can be sent */
    }
    close(fd);
}

/* As in drm_file.c, a node cannot be written, and poll() never reports POLLOUT. As in
 * noop_llseek(), lseek() keeps the position. */
TEST(takes_no_bytes)
{
    char bytes[64] = "";
    const struct iovec parts[2] = {{bytes, 32}, {bytes, 32}};
    const int fd = open(CARD, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    expect((int)write(fd, bytes, sizeof bytes), EINVAL);
    expect((int)write(fd, bytes, 0), EINVAL);
    expect((int)writev(fd, parts, 2), EINVAL);
    expect((int)pwrite(fd, bytes, sizeof bytes, 0), EINVAL);
    expect((int)pwritev(fd, parts, 2, 0), EINVAL);
    /* the write stored nothing that could be read */
    expect((int)read(fd, bytes, sizeof bytes), EAGAIN);
    expect((int)pread(fd, bytes, sizeof bytes, 100), EAGAIN);
    expect((int)readv(fd, parts, 2), EAGAIN);
    for (int whence = SEEK_SET; whence <= SEEK_HOLE; whence++)
        assert_int_equal(lseek(fd, 4711, whence), 0);
    expect((int)lseek(fd, 0, SEEK_HOLE + 1), EINVAL);
    assert_int_equal(lseek64(fd, -1, SEEK_END), 0);
    close(fd);
}

static void check_sets(int fd, int other)
{
    struct timeval at_once = {0};
    const struct timespec soon = {0};
    fd_set in, out;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(fd, &in);
    FD_SET(fd, &out);
    FD_SET(other, &out);
    assert_int_equal(select(fd + other + 1, &in, &out, NULL, &at_once), 1);
    assert_true(FD_ISSET(other, &out) && !FD_ISSET(fd, &out) && !FD_ISSET(fd, &in));
    FD_SET(fd, &out);
    assert_int_equal(pselect(fd + other + 1, NULL, &out, NULL, &soon, NULL), 1);
    FD_SET(fd, &out);
    expect(select(-1, NULL, &out, NULL, &at_once), EINVAL);
    assert_true(FD_ISSET(fd, &out));
}

TEST(is_never_writable)
{
    enum { MANY = 200 };
    const int fd = open_node(CARD), other = open("/dev/null", O_RDWR), wait = epoll_create1(0);
    const struct timespec soon = {0};
    struct pollfd files[MANY] = {{.fd = fd, .events = POLLIN | POLLOUT | POLLWRNORM},
                                 {.fd = other, .events = POLLOUT}};
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data = {.fd = fd}};
    for (int i = 2; i < MANY; i++)
        files[i].fd = -1;
    assert_int_equal(poll(files, 1, 0), 0);
    assert_int_equal(poll(files, 2, 0), 1);
    assert_int_equal(files[1].revents, POLLOUT);
    assert_int_equal(ppoll(files, MANY, &soon, NULL), 1);
    /* the program's array is unchanged */
    assert_int_equal(files[0].events, POLLIN | POLLOUT | POLLWRNORM);
    check_sets(fd, other);
    expect(epoll_ctl(wait, EPOLL_CTL_ADD, fd, &event), 0);
    assert_int_equal(epoll_wait(wait, &event, 1, 0), 0);
    close(wait);
    close(other);
    close(fd);
}

/* --- few descriptors --- */

enum { FEW = 64, THEIRS = 40 };

/* Buffer objects do not use the program's descriptors. So the program must be able to open almost
 * all files that its limit of descriptors allows. The shim needs only a few. */
static int live_with_few(void)
{
    int fd = open(RENDER, O_RDWR | O_CLOEXEC), count = 0;
    for (uint32_t i = 0; i < 4 * FEW; i++) {
        struct drm_vc4_create_bo made = {.size = PAGE};
        struct drm_vc4_mmap_bo map = {0};
        if (ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &made) != 0)
            return 1;
        map.handle = made.handle;
        if (ioctl(fd, DRM_IOCTL_VC4_MMAP_BO, &map) != 0)
            return 1;
        uint32_t *words = mmap64(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                                 (off64_t)map.offset);
        if (words == MAP_FAILED)
            return 1;
        words[0] = i;
    }
    while (open("/dev/null", O_RDONLY) >= 0)
        count++;
    return errno == EMFILE && count >= THEIRS ? 0 : 2;
}

TEST(lives_with_few_descriptors)
{
    int status;
    const struct rlimit few = {FEW, FEW};
    const pid_t child = fork();
    if (child == 0) {
        closefrom(3);
        setrlimit(RLIMIT_NOFILE, &few);
        execl("/proc/self/exe", "drm_program", "few", (char *)NULL);
        _exit(3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* --- permissions of nodes --- */

/* open(), access() and stat() must use the same permissions, also after chmod() and after the
 * process has changed its user. */
TEST(asks_for_rights)
{
    int status;
    struct stat seen;
    const pid_t child = geteuid() == 0 ? fork() : -1;
    if (child == 0) {
        bool good = chmod(CARD, 0600) == 0 && open(CARD, O_RDWR) >= 0 && chmod(RENDER, 0444) == 0 &&
                    setuid(1000) == 0;
        good = good && open(CARD, O_RDONLY) < 0 && errno == EACCES && access(CARD, R_OK) != 0 &&
               errno == EACCES && stat(CARD, &seen) == 0 && seen.st_mode == (S_IFCHR | 0600);
        good = good && open(RENDER, O_RDWR) < 0 && errno == EACCES && access(RENDER, W_OK) != 0 &&
               open(RENDER, O_RDONLY) >= 0 && access(RENDER, R_OK) == 0 && chmod(CARD, 0666) != 0;
        _exit(!good);
    }
    if (child < 0)
        skip(); /* only root may change the permissions */
    assert_int_equal(waitpid(child, &status, 0), child);
    chmod(CARD, 0666);
    chmod(RENDER, 0666);
    assert_int_equal(status, 0);
}

/* --- terminals --- */

/* A terminal must accept and discard any amount of text. */
TEST(takes_text)
{
    enum { TIMES = 5000, LARGE = 4 << 20 };
    static char text[LARGE];
    const int fd = open("/dev/tty7", O_RDWR | O_CLOEXEC), again = dup(fd);
    struct pollfd ready = {.fd = fd, .events = POLLIN | POLLOUT};
    FILE *stream = fdopen(again, "w");
    for (int i = 0; i < TIMES; i++) {
        assert_int_equal(write(fd, text, 200), 200);
        assert_true(fprintf(stream, "%0*d", 5000, i) == 5000);
    }
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(write(fd, text, LARGE), LARGE);
    assert_int_equal(writev(fd, &(struct iovec){text, LARGE}, 1), LARGE);
    assert_int_equal(poll(&ready, 1, 0), 1);
    assert_int_equal(ready.revents, POLLOUT);
    close(fd);
}

/* Tests a display server's requests to a terminal. Expected: ioctl_console(2). */
TEST(has_terminals)
{
    struct stat status;
    struct vt_stat console;
    struct vt_mode process = {.mode = VT_PROCESS, .relsig = 10, .acqsig = 12}, got;
    int mode = -1, fd = open("/dev/tty5", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    char letter;
    assert_true(fd >= 0);
    expect(fstat(fd, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(major(status.st_rdev), 4);
    assert_int_equal(minor(status.st_rdev), 5);
    expect(ioctl(fd, KDGETMODE, &mode), 0);
    assert_int_equal(mode, KD_TEXT);
    expect(ioctl(fd, KDSETMODE, KD_GRAPHICS), 0);
    expect(ioctl(fd, KDGETMODE, &mode), 0);
    assert_int_equal(mode, KD_GRAPHICS);
    expect(ioctl(fd, KDSETMODE, 99), EINVAL);
    expect(ioctl(fd, KDGKBMODE, &mode), 0);
    assert_int_equal(mode, K_UNICODE);
    expect(ioctl(fd, KDSKBMODE, K_OFF), 0);
    expect(ioctl(fd, KDGKBMODE, &mode), 0);
    assert_int_equal(mode, K_OFF);
    expect(ioctl(fd, VT_ACTIVATE, 5), 0);
    expect(ioctl(fd, VT_WAITACTIVE, 5), 0);
    expect(ioctl(fd, VT_ACTIVATE, 64), ENXIO);
    expect(ioctl(fd, VT_GETSTATE, &console), 0);
    assert_int_equal(console.v_active, 5);
    expect(ioctl(fd, VT_SETMODE, &process), 0);
    expect(ioctl(fd, VT_GETMODE, &got), 0);
    assert_memory_equal(&got, &process, sizeof got);
    expect(ioctl(fd, VT_GETMODE, (void *)8), EFAULT);
    expect(ioctl(fd, DRM_IOCTL_GEM_CLOSE, &mode), ENOTTY);
    assert_int_equal(read(fd, &letter, 1), -1);
    assert_int_equal(errno, EAGAIN);
    close(fd);
    assert_true(open("/dev/tty64", O_RDWR) < 0);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "few") == 0)
        _exit(live_with_few()); /* exit handlers would find no free descriptor */
    if (count == 2)
        return look_at(atoi(arguments[1]));
    return tests_run();
}
