/* SPDX-License-Identifier: MIT */
/* tree.c - see tree.h.
 *
 * In:  paths.
 * Out: a small tree of real files, and the paths of these files.
 *
 * Choices: programs use sysfs in many ways: by path, by descriptors of folders, component by
 *          component, through symbolic links. So the tree consists of real files in a folder of the
 *          process. Symbolic links are relative, as in sysfs, so they stay in the tree. If a
 *          process is killed, its folder remains, and a later process removes it. All processes of
 *          one "tessera gl" share a tree (TESSERA_TREE), and so share changes of the nodes' modes
 *          and owners. Other processes have separate trees.
 * Source: /sys of a Raspberry Pi 3 with Linux 6.1; Linux, drivers/gpu/drm/drm_sysfs.c; libdrm,
 *         xf86drm.c (the files that programs read). */
#include "shim/drm/interpose/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/stale_files.h"
#include "shim/common/device_lock.h"
#include "shim/common/entries.h"
#include "shim/common/lock.h"
#include "shim/common/next.h"
#include "shim/common/paths.h"
#include "shim/common/private_fds.h"
#include "shim/common/settings.h"
#include "shim/drm/device/device.h"
#include "shim/drm/driver.h"
#include "shim/drm/kms/kms.h"

/* In the texts below, "@" stands for the name of the platform device, "$" for that name as a tag,
 * and "!" for the name of the kernel's driver (driver.h). */
#define SOC    "/sys/devices/platform/soc"
#define GPU    SOC "/@"
#define CARD   GPU "/drm/card0"
#define RENDER GPU "/drm/renderD128"
#define HDMI   CARD "/card0-HDMI-A-1"

/* --- contents --- */

/* Files of the tree. Folders are created as needed. Those of the display exist only if the device
 * has a display. */
static const struct {
    const char *path, *text;
    bool of_display;
} files[] = {
    /* clang-format off */
    {SOC "/uevent",
     "OF_NAME=soc\nOF_FULLNAME=/soc\nOF_COMPATIBLE_0=simple-bus\nOF_COMPATIBLE_N=1\n", false},
    {CARD "/uevent",
     "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n",                     false},
    {CARD "/dev",                                "226:0\n",                            false},
    {RENDER "/uevent",
     "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n",              false},
    {RENDER "/dev",                              "226:128\n",                          false},
    {HDMI "/uevent",                             "DEVTYPE=drm_connector\n",            true},
    {HDMI "/status",                             "connected\n",                        true},
    {HDMI "/enabled",                            "enabled\n",                          true},
    {HDMI "/dpms",                               "On\n",                               true},
    {"/sys/class/drm/version",                   "drm 1.1.0 20060810\n",               false},
    {"/sys/bus/platform/uevent",                 "",                                   false},
    {"/sys/bus/platform/drivers/!/uevent",       "",                                   false},
    {"/dev/dri/card0",                           "",                                   false},
    {"/dev/dri/renderD128",                      "",                                   false},
    {"/run/udev/data/c226:0",
     "I:1\nE:ID_PATH=platform-@\nE:ID_PATH_TAG=platform-$\nE:ID_FOR_SEAT=drm-platform-$\n"
     "G:master-of-seat\nG:seat\nG:uaccess\nQ:master-of-seat\nQ:seat\nQ:uaccess\nV:1\n",  false},
    {"/run/udev/data/c226:128",
     "I:1\nE:ID_PATH=platform-@\nE:ID_PATH_TAG=platform-$\nV:1\n",                     false},
    {"/run/udev/data/+drm:card0-HDMI-A-1",       "I:1\nV:1\n",                         true},
    /* clang-format on */
};

static const struct {
    const char *path, *target;
    bool of_display;
} links[] = {
    /* clang-format off */
    {GPU "/subsystem",                           "../../../../bus/platform", false},
    {GPU "/driver",                              "../../../../bus/platform/drivers/!", false},
    {SOC "/subsystem",                           "../../../bus/platform", false},
    {CARD "/subsystem",                          "../../../../../../class/drm", false},
    {CARD "/device",                             "../../../@", false},
    {RENDER "/subsystem",                        "../../../../../../class/drm", false},
    {RENDER "/device",                           "../../../@", false},
    {HDMI "/subsystem",                          "../../../../../../../class/drm", true},
    {HDMI "/device",                             "../../card0", true},
    {"/sys/class/drm/card0",                     "../../devices/platform/soc/@/drm/card0", false},
    {"/sys/class/drm/card0-HDMI-A-1",
     "../../devices/platform/soc/@/drm/card0/card0-HDMI-A-1", true},
    {"/sys/class/drm/renderD128",                "../../devices/platform/soc/@/drm/renderD128",
 false},
    {"/sys/dev/char/226:0",                      "../../devices/platform/soc/@/drm/card0", false},
    {"/sys/dev/char/226:128",                    "../../devices/platform/soc/@/drm/renderD128",
 false},
    {"/sys/bus/platform/devices/@",              "../../../devices/platform/soc/@", false},
    {"/sys/bus/platform/drivers/!/@",            "../../../../devices/platform/soc/@", false},
    {"/dev/dri/by-path/platform-@-card",         "../card0", false},
    {"/dev/dri/by-path/platform-@-render",       "../renderD128", false},
    /* clang-format on */
};

/* Paths of the tree. They and all paths below them replace the system's. */
static const char *const ours[] = {
    "/dev/dri",
    "/sys/class/drm",
    "/sys/dev/char/226:0",
    "/sys/dev/char/226:128",
    SOC,
    "/sys/bus/platform/devices/@",
    "/sys/bus/platform/drivers/!",
    "/run/udev/data/c226:0",
    "/run/udev/data/c226:128",
    "/run/udev/data/+drm:card0-HDMI-A-1",
};

/* Returns the text for a letter of the texts above, or NULL for a letter that stands for itself. */
static const char *name_of(char letter)
{
    const struct drm_platform *platform = &device_driver()->platform;
    return letter == '@'   ? platform->device
           : letter == '$' ? platform->tag
           : letter == '!' ? platform->driver
                           : NULL;
}

/* Replaces the letters in a text. Returns room. */
static char *expand(char room[PATH_MAX], const char *text)
{
    size_t used = 0;
    for (; *text && used + 1 < PATH_MAX; text++) {
        const char *name = name_of(*text);
        if (name)
            used += (size_t)snprintf(room + used, PATH_MAX - used, "%s", name);
        else
            room[used++] = *text;
    }
    room[used] = 0;
    return room;
}

/* --- creation --- */

static struct {
    struct lock lock;
    char root[PATH_MAX]; /* path of the tree, empty if there is no tree */
    /* descriptor of the tree's folder; a file lock on it marks the folder as used */
    int fd;
    struct stat64 folder;
    pid_t maker;
} tree = {.fd = -1};

static void make_folders(char *path)
{
    for (char *at = strchr(path + strlen(tree.root) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0755);
        *at = '/';
    }
}

/* Writes the path of the real file for a path of the tree, in which letters are replaced. */
static bool path_in(char room[PATH_MAX], const char *path)
{
    char full[PATH_MAX];
    return snprintf(room, PATH_MAX, "%s%s", tree.root, expand(full, path)) < PATH_MAX;
}

static bool make_file(const char *path, const void *bytes, size_t size)
{
    char full[PATH_MAX];
    if (!path_in(full, path))
        return false;
    make_folders(full);
    int fd = real_open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return false;
    bool written = write(fd, bytes, size) == (ssize_t)size;
    real_close(fd);
    return written;
}

static bool make_text(const char *path, const char *text)
{
    char room[PATH_MAX];
    expand(room, text);
    return make_file(path, room, strlen(room));
}

static bool make_link(const char *path, const char *target)
{
    char full[PATH_MAX], room[PATH_MAX];
    if (!path_in(full, path))
        return false;
    make_folders(full);
    return symlink(expand(room, target), full) == 0;
}

/* Creates the files that describe the display's connector. */
static bool make_connector(void)
{
    uint8_t edid[KMS_EDID_BYTES];
    char modes[1024] = "";
    size_t used = 0;
    const struct drm_mode_modeinfo *mode;
    for (uint32_t i = 0; (mode = kms_mode(i)) && used + sizeof mode->name + 2 < sizeof modes; i++)
        used += (size_t)snprintf(modes + used, sizeof modes - used, "%s\n", mode->name);
    kms_edid(edid);
    return make_file(HDMI "/edid", edid, sizeof edid) && make_file(HDMI "/modes", modes, used);
}

static const char *const node_paths[] = {
    [FILE_CARD] = "/dev/dri/card0", [FILE_RENDER] = "/dev/dri/renderD128"};

/* Permits all users to read and write a file, even if the process's umask would not permit it. */
static bool permit(const char *path)
{
    char full[PATH_MAX];
    return path_in(full, path) && NEXT(chmod)(full, 0666) == 0;
}

static bool fill(void)
{
    const struct drm_driver *driver = device_driver();
    bool good =
        (!driver->has_display || make_connector()) &&
        make_file(GPU "/uevent", driver->platform.uevent, strlen(driver->platform.uevent)) &&
        make_file(GPU "/modalias", driver->platform.modalias, strlen(driver->platform.modalias));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (driver->has_display || !files[i].of_display)
            good &= make_text(files[i].path, files[i].text);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (driver->has_display || !links[i].of_display)
            good &= make_link(links[i].path, links[i].target);
    for (size_t i = 0; i < sizeof node_paths / sizeof *node_paths; i++)
        good &= permit(node_paths[i]);
    return good;
}

/* --- the descriptor --- */

static bool is_folder(const struct stat64 *status)
{
    return status->st_dev == tree.folder.st_dev && status->st_ino == tree.folder.st_ino;
}

/* True if the descriptor still refers to the tree's folder. The program may have closed the
 * descriptor with a direct system call, and the number may now belong to another file. */
static bool has_descriptor(void)
{
    struct stat64 status;
    return tree.fd >= 0 && real_fstat(tree.fd, &status) == 0 && is_folder(&status);
}

static void close_descriptor(void)
{
    if (has_descriptor())
        private_fds_close(&tree.fd);
    else
        private_fds_forget(&tree.fd);
}

/* Opens the tree's folder, and marks the folder as used. Returns false if another process has
 * removed the folder. */
static bool open_descriptor(void)
{
    close_descriptor();
    int fd = real_open(tree.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    if (!stale_files_keep(fd, tree.root) || real_fstat(fd, &tree.folder) != 0) {
        real_close(fd);
        return false;
    }
    tree.fd = fd;
    private_fds_keep(&tree.fd);
    return true;
}

/* --- removal --- */

static void remove_all(int parent, const char *name)
{
    struct entries entries;
    int fd = (int)NEXT(openat64)(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    entries_begin(&entries, fd);
    for (const char *entry; fd >= 0 && (entry = entries_next(&entries));)
        if (unlinkat(fd, entry, 0) != 0)
            remove_all(fd, entry);
    if (fd >= 0)
        real_close(fd);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Removes a stale folder. Locks the folder first, so that no process starts to use it. */
static void remove_left(int parent, const char *name)
{
    struct stat64 status;
    int folder = (int)NEXT(openat64)(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && real_fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
        stale_files_is_left(folder))
        remove_all(parent, name);
    if (folder >= 0)
        real_close(folder);
}

/* Removes the stale folders in `folder`. */
static void sweep(const char *folder)
{
    struct entries entries;
    const int fd = real_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    entries_begin(&entries, fd);
    for (const char *entry; fd >= 0 && (entry = entries_next(&entries));)
        if (strncmp(entry, STALE_FILE_TREE, strlen(STALE_FILE_TREE)) == 0)
            remove_left(fd, entry);
    if (fd >= 0)
        real_close(fd);
}

void tree_remove(pid_t process)
{
    if (!tree.root[0] || tree.maker != process)
        return;
    remove_all(AT_FDCWD, tree.root);
    tree.root[0] = 0;
}

/* Creates the tree's folder. The folder counts as used while this process or a child has it
 * open. */
static bool make_root(const char *folder)
{
    if (snprintf(tree.root, sizeof tree.root, "%s/" STALE_FILE_TREE "%ld-XXXXXX", folder,
                 (long)getpid()) >= (int)sizeof tree.root ||
        !mkdtemp(tree.root))
        return false;
    /* A process that has changed its user must still be able to read the folder. */
    return open_descriptor() && NEXT(fchmod)(tree.fd, 0755) == 0;
}

/* --- sharing a tree between the processes of one run --- */

static bool is_filled(void)
{
    struct stat64 status;
    return real_fstatat(tree.fd, "filled", &status, 0) == 0;
}

/* Fills the shared tree unless it is filled already. The first process of a run fills it. A later
 * process that has changed its user could not fill it. */
static bool fill_once(void)
{
    const int turn = is_filled() ? -1
                                 : (int)NEXT(openat64)(tree.fd, "turn",
                                                       O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
    if (turn >= 0 && flock(turn, LOCK_EX) == 0 && !is_filled() && fill())
        mkdirat(tree.fd, "filled", 0755);
    if (turn >= 0)
        real_close(turn);
    return is_filled();
}

/* Uses the shared tree. Returns false if there is no shared tree, or if the shared tree has been
 * removed. */
static bool share(void)
{
    const char *root = setting("TESSERA_TREE");
    if (!root || strlen(root) >= sizeof tree.root)
        return false;
    strcpy(tree.root, root);
    tree.maker = 0;
    return open_descriptor() && fill_once();
}

/* Creates a tree. Another process may remove the new folder before it is marked as used. So this
 * function tries three times. */
static bool make(void)
{
    const char *folder = stale_files_folder();
    bool made = false;
    device_begin();
    if (share())
        return true;
    sweep(folder);
    for (int i = 0; i < 3 && !made; i++)
        made = make_root(folder);
    if (!made)
        tree.root[0] = 0;
    tree.maker = getpid();
    return made && fill();
}

/* True if the tree exists. A child uses its parent's tree as long as that tree exists. */
static bool exists(void)
{
    struct stat64 status;
    return tree.root[0] && real_fstatat(AT_FDCWD, tree.root, &status, 0) == 0 && is_folder(&status);
}

/* Opens the folder of an existing tree again if the program has closed all descriptors with direct
 * system calls. Returns false if that is impossible. */
static bool is_usable(void)
{
    return exists() && (has_descriptor() || open_descriptor());
}

/* Makes sure that there is a tree. Takes the device's lock before the tree's lock, because private
 * descriptors need the device's lock. */
static bool have_made(void)
{
    struct lock_before before;
    device_lock();
    lock_take(&tree.lock, &before);
    bool there = is_usable() || make();
    lock_give(&tree.lock, &before);
    device_unlock();
    return there;
}

static bool have(void)
{
    struct lock_before before;
    lock_take(&tree.lock, &before);
    bool there = exists() && has_descriptor();
    lock_give(&tree.lock, &before);
    return there || have_made();
}

/* --- paths --- */

/* True if a path is the folder, or is inside the folder. */
static bool is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static bool is_ours(const char *path)
{
    char folder[PATH_MAX];
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (is_in(path, expand(folder, ours[i])))
            return true;
    return false;
}

/* Cheap test: every path of the tree contains one of these names. Threads with a small stack may
 * not have enough stack for the full test. */
static bool may_be_ours(const char *path)
{
    if (!path)
        return false;
    const char *const parts[] = {"dri", "drm", "226:", "soc", "card0", "renderD128", name_of('@')};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(path, parts[i]))
            return true;
    return false;
}

__attribute__((noinline)) static const char *lead(int folder, const char *path, char room[PATH_MAX],
                                                  bool *is)
{
    char full[PATH_MAX];
    if (!paths_absolute(folder, path, full))
        return path;
    bool through = is_ours(full);
    paths_tidy(full);
    if (is_ours(full) && have() && path_in(room, full)) {
        *is = true;
        return room;
    }
    /* the path enters the tree and leaves it again through ".." */
    return through ? strcpy(room, full) : path;
}

const char *tree_lead(int folder, const char *path, char room[PATH_MAX], bool *is)
{
    *is = false;
    return may_be_ours(path) ? lead(folder, path, room, is) : path;
}

__attribute__((noinline)) static bool find_node(int folder, const char *path, enum file_node *node)
{
    static const char *const by_path[] = {[FILE_CARD] = "/dev/dri/by-path/platform-@-card",
                                          [FILE_RENDER] = "/dev/dri/by-path/platform-@-render"};
    char full[PATH_MAX], other[PATH_MAX];
    if (!paths_absolute(folder, path, full))
        return false;
    paths_tidy(full);
    tree_hide(full);
    for (int i = 0; i < 2; i++)
        if (strcmp(full, node_paths[i]) == 0 || strcmp(full, expand(other, by_path[i])) == 0) {
            *node = (enum file_node)i;
            return true;
        }
    return false;
}

bool tree_node(int folder, const char *path, enum file_node *node)
{
    return may_be_ours(path) && find_node(folder, path, node);
}

const char *tree_path(enum file_node node)
{
    return node_paths[node];
}

/* If a file's owner is the tree's owner, reports root as the file's owner. */
bool tree_rights(enum file_node node, struct tree_rights *rights)
{
    struct stat64 status, root;
    char full[PATH_MAX];
    if (!have() || !path_in(full, node_paths[node]) ||
        real_fstatat(AT_FDCWD, full, &status, 0) != 0 ||
        real_fstatat(AT_FDCWD, tree.root, &root, 0) != 0)
        return false;
    *rights = (struct tree_rights){.mode = status.st_mode & 07777,
                                   .uid = status.st_uid == root.st_uid ? 0 : status.st_uid,
                                   .gid = status.st_gid == root.st_gid ? 0 : status.st_gid,
                                   .accessed = status.st_atim,
                                   .modified = status.st_mtim,
                                   .changed = status.st_ctim};
    return true;
}

int tree_refuses(enum file_node node, int flags)
{
    static const int wanted[] = {[O_RDONLY] = R_OK, [O_WRONLY] = W_OK, [O_RDWR] = R_OK | W_OK};
    char full[PATH_MAX];
    const int way = flags & O_ACCMODE, before = errno;
    if (way > O_RDWR || !have() || !path_in(full, node_paths[node]))
        return 0;
    const bool may = NEXT(faccessat)(AT_FDCWD, full, wanted[way], AT_EACCESS) == 0;
    const int error = may ? 0 : errno;
    errno = before;
    return error;
}

bool tree_has(const char *path)
{
    return tree.root[0] && is_in(path, tree.root);
}

void tree_hide(char *path)
{
    if (!tree_has(path))
        return;
    const char *rest = path + strlen(tree.root);
    memmove(path, *rest ? rest : "/", strlen(rest) + 1 + !*rest);
}

const char *tree_missing(const char *folder, unsigned number)
{
    const struct {
        const char *folder, *name;
    } missing[] = {
        {"/dev", "dri"},
        {"/sys/class", "drm"},
        {"/sys/dev/char", "226:0"},
        {"/sys/dev/char", "226:128"},
        {"/sys/devices/platform", "soc"},
        {"/sys/bus/platform/devices", name_of('@')},
    };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcmp(folder, missing[i].folder) == 0 && number-- == 0)
            return missing[i].name;
    return NULL;
}
