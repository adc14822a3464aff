/* SPDX-License-Identifier: MIT */
/* files.c - see files.h.
 *
 * In:  paths and descriptors.
 * Out: files in memory that replace the files of a Raspberry Pi.
 *
 * Source: raspberrypi/linux, drivers/char/broadcom (vcio, vc_mem, bcm2835-gpiomem; the mailbox's
 *         major number was first 249, then 100), arch/arm/boot/dts/bcm283*.dts*;
 *         raspberrypi/userland, bcm_host.c (files that programs read).
 * Modelled: the devices that GPGPU programs open; the parts of the device tree and of /proc/cpuinfo
 * that identify the board.
 * Left out: listing folders.
 * Choices: a device is a file in memory whose content is not used. /dev/mem is an exception: its
 *          content is the physical memory. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kept_files.h"
#include "options.h"
#include "shim/common/lock.h"
#include "shim/common/next.h"
#include "shim/common/paths.h"
#include "shim/vcio/vcio_machine.h"

enum { VCIO_MAJOR = 100, VCIO_OLD_MAJOR = 249, MOST_CONTENT = 4096 };

/* --- Contents --- */

struct content {
    char *text;
    size_t size, length;
};

static void put(struct content *content, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++, content->length++)
        if (content->length < content->size)
            content->text[content->length] = ((const char *)bytes)[i];
}

static void put_string(struct content *content, const char *text)
{
    put(content, text, strlen(text) + 1);
}

/* Writes a 32-bit cell of the device tree. Cells are big-endian. */
static void put_cell(struct content *content, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                              (uint8_t)value};
    put(content, bytes, sizeof bytes);
}

static size_t model(char *text, size_t size)
{
    struct content content = {text, size, 0};
    put_string(&content, machine_board()->model);
    return content.length;
}

static size_t compatible(char *text, size_t size)
{
    struct content content = {text, size, 0};
    put_string(&content, machine_board()->compatible);
    put_string(&content, machine_board()->soc);
    return content.length;
}

/* Content of soc/ranges. Each row has a bus address, an ARM address and a size in bytes. */
static size_t soc_ranges(char *text, size_t size)
{
    enum { PERIPHERALS_BUS = 0x7e000000 };
    struct content content = {text, size, 0};
    put_cell(&content, PERIPHERALS_BUS);
    put_cell(&content, machine_board()->peripheral_base);
    put_cell(&content, machine_board()->peripheral_size);
    return content.length;
}

#define BUS_ADDRESSES UINT32_C(0x40000000) /* size of one cache alias of the bus addresses */

/* Three cells. bcm_host_get_sdram_address() reads the third one. */
static size_t vc_mem_reg(char *text, size_t size)
{
    struct content content = {text, size, 0};
    put_cell(&content, BUS_ADDRESSES - 1);
    put_cell(&content, tess_pi_board_memory_end(machine_board()));
    put_cell(&content, machine_board()->sdram_address);
    return content.length;
}

static size_t revision(char *text, size_t size)
{
    struct content content = {text, size, 0};
    put_cell(&content, machine_board()->revision);
    return content.length;
}

/* Status of the node with which the kernel's graphics driver would use V3D. The node is disabled,
 * because GPGPU programs need V3D for themselves. */
static size_t status_disabled(char *text, size_t size)
{
    struct content content = {text, size, 0};
    put_string(&content, "disabled");
    return content.length;
}

#define SERIAL "0000000000000000" /* not the number of a real board */

static size_t serial(char *text, size_t size)
{
    struct content content = {text, size, 0};
    put_string(&content, SERIAL);
    return content.length;
}

/* Processors by system on chip. `count` is the number of processors. The texts are those of the
 * kernel. */
struct processor {
    const char *soc, *hardware, *name, *part;
    unsigned count;
};

static const struct processor *processor(void)
{
    static const struct processor processors[] = {
        {"brcm,bcm2835", "BCM2835", "ARMv6-compatible processor rev 7 (v6l)", "0xb76", 1},
        {"brcm,bcm2836", "BCM2836", "ARMv7 Processor rev 5 (v7l)", "0xc07", 4},
        {"brcm,bcm2837", "BCM2837", "ARMv7 Processor rev 4 (v7l)", "0xd03", 4},
    };
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        if (strcmp(processors[i].soc, machine_board()->soc) == 0)
            return &processors[i];
    return &processors[0];
}

static size_t cpuinfo(char *text, size_t size)
{
    const struct processor *cpu = processor();
    struct content content = {text, size, 0};
    char line[256];
    for (unsigned i = 0; i < cpu->count; i++) {
        int length = snprintf(line, sizeof line,
                              "processor\t: %u\nmodel name\t: %s\nCPU implementer\t: 0x41\n"
                              "CPU architecture: 7\nCPU part\t: %s\n\n",
                              i, cpu->name, cpu->part);
        put(&content, line, (size_t)length);
    }
    int length = snprintf(line, sizeof line,
                          "Hardware\t: %s\nRevision\t: %04x\nSerial\t\t: %s\nModel\t\t: %s\n",
                          cpu->hardware, machine_board()->revision, SERIAL, machine_board()->model);
    put(&content, line, (size_t)length);
    return content.length;
}

/* Returns the host's /proc/meminfo, because the program uses the host's memory. The lines about
 * contiguous memory (CMA) are replaced: they show the size of the GPU memory. */
static size_t meminfo(char *text, size_t size)
{
    struct content content = {text, size, 0};
    char all[MOST_CONTENT], cma[128];
    const int fd = real_open("/proc/meminfo", O_RDONLY | O_CLOEXEC, 0);
    const ssize_t length = fd >= 0 ? NEXT(read)(fd, all, sizeof all - 1) : 0;
    if (fd >= 0)
        real_close(fd);
    all[length > 0 ? length : 0] = 0;
    for (const char *line = all, *next; *line; line = next) {
        next = strchrnul(line, '\n');
        next += *next != 0;
        if (strncmp(line, "Cma", 3) != 0)
            put(&content, line, (size_t)(next - line));
    }
    const unsigned kilobytes = options_get()->memory / 1024;
    snprintf(cma, sizeof cma, "CmaTotal:       %8u kB\nCmaFree:        %8u kB\n", kilobytes,
             kilobytes);
    put(&content, cma, strlen(cma));
    return content.length;
}

/* --- The table --- */

#define TREE       "/proc/device-tree"             /* link to TREE_PLACE */
#define TREE_PLACE "/sys/firmware/devicetree/base" /* target of the link TREE */

static const struct file files[] = {
    /* clang-format off */
    {"/dev/vcio",                     FILE_VCIO,     VCIO_MAJOR, 0,  NULL},
    {"/dev/mem",                      FILE_MEM,      1,          1,  NULL},
    {"/dev/gpiomem",                  FILE_GPIOMEM,  240,        0,  NULL},
    {"/dev/vcsm",                     FILE_VCSM,     241,        0,  NULL},
    {"/dev/vcsm-cma",                 FILE_VCSM_CMA, 10,         62, NULL},
    {"/dev/dma_heap/linux,cma",       FILE_DMA_HEAP, 251,        0,  NULL},
    {"/dev/dma_heap/reserved",        FILE_DMA_HEAP, 251,        1,  NULL},
    {"/proc/cpuinfo",                 FILE_TEXT,     0,          0,  cpuinfo},
    {"/proc/meminfo",                 FILE_TEXT,     0,          0,  meminfo},
    {TREE,                            FILE_FOLDER,   0,          0,  NULL},
    {TREE "/soc",                     FILE_FOLDER,   0,          0,  NULL},
    {TREE "/system",                  FILE_FOLDER,   0,          0,  NULL},
    {TREE "/axi",                     FILE_FOLDER,   0,          0,  NULL},
    {TREE "/model",                   FILE_TEXT,     0,          0,  model},
    {TREE "/compatible",              FILE_TEXT,     0,          0,  compatible},
    {TREE "/serial-number",           FILE_TEXT,     0,          0,  serial},
    {TREE "/soc/ranges",              FILE_TEXT,     0,          0,  soc_ranges},
    {TREE "/axi/vc_mem/reg",          FILE_TEXT,     0,          0,  vc_mem_reg},
    {TREE "/system/linux,revision",   FILE_TEXT,     0,          0,  revision},
    {TREE "/soc/v3d@7ec00000/status", FILE_TEXT,     0,          0,  status_disabled},
    /* clang-format on */
};

enum { FILES = sizeof files / sizeof *files };

/* Normalizes a path, in place. Also removes a slash at the end, and replaces
 * "/sys/firmware/devicetree/base" by "/proc/device-tree". */
static void tidy(char *path)
{
    static const char other[] = TREE_PLACE;
    paths_tidy(path);
    const size_t length = strlen(path);
    if (length > 1 && path[length - 1] == '/')
        path[length - 1] = 0;
    if (strncmp(path, other, sizeof other - 1) != 0)
        return;
    memmove(path + sizeof TREE - 1, path + sizeof other - 1, strlen(path + sizeof other - 1) + 1);
    memcpy(path, TREE, sizeof TREE - 1);
}

/* Cheap test for paths that cannot be faked files. Most calls of the program have such paths. */
static bool may_be_ours(const char *path)
{
    static const char *const places[] = {"/dev/", "/proc/", "/sys/"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0)
            return true;
    return false;
}

const struct file *file_find(int folder, const char *path)
{
    char full[PATH_MAX];
    int reason = errno;
    if (!path || !paths_absolute(folder, path, full))
        return errno = reason, NULL;
    errno = reason;
    tidy(full);
    for (int i = 0; may_be_ours(full) && i < FILES; i++)
        if (strcmp(files[i].path, full) == 0)
            return &files[i];
    return NULL;
}

bool file_real_path(const struct file *file, char path[PATH_MAX])
{
    bool in_tree = strncmp(file->path, TREE, sizeof TREE - 1) == 0;
    return snprintf(path, PATH_MAX, "%s%s", in_tree ? TREE_PLACE : "",
                    in_tree ? file->path + sizeof TREE - 1 : file->path) < PATH_MAX;
}

const struct file *file_of_kind(enum file_kind kind)
{
    for (int i = 0; i < FILES; i++)
        if (files[i].kind == kind)
            return &files[i];
    return NULL;
}

/* --- Device nodes elsewhere --- */

enum { MOST_NODES = 16 };

/* paths of mailbox nodes that the program created, but the system did not permit */
static char *nodes[MOST_NODES];
static int node_count;
static struct lock lock;

bool file_is_mailbox(dev_t device)
{
    return major(device) == VCIO_MAJOR || major(device) == VCIO_OLD_MAJOR;
}

static bool is_noted(const char *path)
{
    struct lock_before before;
    bool result = false;
    lock_take(&lock, &before);
    for (int i = 0; i < node_count && !result; i++)
        result = strcmp(nodes[i], path) == 0;
    lock_give(&lock, &before);
    return result;
}

static int note_node(const char *path)
{
    struct lock_before before;
    int result = -1;
    lock_take(&lock, &before);
    char *copy = node_count < MOST_NODES ? strdup(path) : NULL;
    if (copy) {
        nodes[node_count++] = copy;
        result = 0;
    }
    lock_give(&lock, &before);
    if (result != 0)
        errno = ENOSPC;
    return result;
}

/* Creates a mailbox node. Without the right to create devices, creates a link to /dev/vcio instead.
 * Other programs can see the link, too. If that fails as well, only records the path in this
 * process. */
int file_make_node(int folder, const char *path, mode_t mode)
{
    char full[PATH_MAX];
    if (NEXT(mknodat)(folder, path, mode, makedev(VCIO_MAJOR, 0)) == 0)
        return 0;
    if (errno == EEXIST || errno == ENOENT || errno == EFAULT || errno == ENOTDIR)
        return -1;
    if (symlinkat(files[0].path, folder, path) == 0)
        return 0;
    return paths_absolute(folder, path, full) ? note_node(full) : -1;
}

static bool is_link_to_mailbox(int folder, const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(folder, path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    return strcmp(target, files[0].path) == 0;
}

static bool is_mailbox_device(int folder, const char *path)
{
    struct stat64 status;
    return real_fstatat(folder, path, &status, 0) == 0 && S_ISCHR(status.st_mode) &&
           file_is_mailbox(status.st_rdev);
}

/* True for the name that the documentation of GPGPU programs uses with mknod. */
static bool is_usual_name(const char *path)
{
    const char *name = strrchr(path, '/');
    return strcmp(name ? name + 1 : path, "char_dev") == 0;
}

const struct file *file_find_node(int folder, const char *path)
{
    char full[PATH_MAX];
    int reason = errno;
    bool found = path && (is_link_to_mailbox(folder, path) || is_mailbox_device(folder, path) ||
                          (paths_absolute(folder, path, full) && is_noted(full)) ||
                          (reason == ENOENT && is_usual_name(path)));
    errno = reason;
    return found ? &files[0] : NULL;
}

/* --- Opening --- */

/* number of each open file (kept_files.h) plus 1, or 0 if the file has not been created yet */
static int kept[FILES];

static int make_file(const struct file *file)
{
    char text[MOST_CONTENT];
    size_t length = file->content ? file->content(text, sizeof text) : 0;
    int number = kept_files_make(file->path, 0, 0);
    if (number >= 0 && length > 0 &&
        pwrite(kept_files_fd(number), text, length, 0) != (ssize_t)length)
        return -1;
    return number;
}

static int number_of(const struct file *file)
{
    struct lock_before before;
    int *known = &kept[file - files];
    if (file->kind == FILE_MEM)
        return machine_file();
    lock_take(&lock, &before);
    if (*known == 0)
        *known = make_file(file) + 1;
    int number = *known - 1;
    lock_give(&lock, &before);
    return number;
}

static int open_kept(const struct file *file, int flags)
{
    if (file->kind == FILE_TEXT && (flags & O_ACCMODE) != O_RDONLY) {
        errno = EACCES;
        return -1;
    }
    int number = file->kind == FILE_TEXT || machine_get() ? number_of(file) : -1;
    if (number >= 0)
        return kept_files_open(number, flags);
    errno = ENODEV;
    return -1;
}

int file_open(const struct file *file, int flags)
{
    if ((flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return -1;
    }
    if (flags & O_DIRECTORY && file->kind != FILE_FOLDER) {
        errno = ENOTDIR;
        return -1;
    }
    if (file->kind == FILE_FOLDER)
        return real_open("/", (flags & O_CLOEXEC) | O_PATH | O_DIRECTORY, 0);
    return open_kept(file, flags);
}

const struct file *file_behind(int fd)
{
    int number = kept_files_find(fd);
    if (number < 0)
        return NULL;
    for (int i = 0; i < FILES; i++)
        if (kept[i] == number + 1)
            return &files[i];
    return machine_exists() && number == machine_file() ? file_of_kind(FILE_MEM) : NULL;
}

unsigned file_number(const struct file *file)
{
    return (unsigned)(file - files) + 1;
}
