/* SPDX-License-Identifier: MIT */
/* inside.c - a program that calls every function that a shim interposes, in the contexts that
 * are most difficult for the shim: in a thread of the model, in the middle of a run, and in a
 * signal handler that interrupts a run. The program defines pthread_mutex_lock() and fesetenv(),
 * which the model also calls. Through these functions, the program's code runs in threads of the
 * model, like the code of a program's allocator.
 *
 *     inside list                  prints the names in interposed.def
 *     inside drm|vcio WAY BASE     uses the device; WAY selects the context of the calls;
 *                                  BASE is the address of the peripherals
 *
 * Values of WAY: "plain": no calls. "hook": calls in the model's threads, and in the thread that
 * runs the model. "handler": calls in signal handlers. "late": calls in threads of the model that
 * start late and read the clock after the end of the run. "end NAME": a thread of the model calls a
 * function that ends the program. The program prints the results that the device has computed. They
 * must be the same for every value of WAY.
 *
 * Expected: the device's results do not depend on calls that the program makes while the device
 * runs. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include <libdrm/drm.h>
#include <libdrm/vc4_drm.h>

#undef fread_unlocked
#undef fwrite_unlocked

enum { PAGE = 4096, ENDED = 9 };

#define CHECK(what) check((what), #what, __LINE__)

static void check(int good, const char *what, int line)
{
    if (good)
        return;
    dprintf(STDERR_FILENO, "inside.c:%d: not so: %s (%s)\n", line, what, strerror(errno));
    syscall(SYS_exit_group, 99);
}

/* --- the device --- */

static struct device {
    const char *name, *path;
    void (*prepare)(const char *base);
    void (*run)(uint32_t round); /* runs the device in several threads of the model */
    unsigned long request;
    int refusal; /* errno of requests that the program makes during a run */
} const *device;

static int device_fd;
static atomic_bool running; /* true while a run is in progress */

static bool by_handler; /* true if a signal has to interrupt the run */

/* Sets `running` at the start and at the end of a run. If by_handler is true, starts a timer whose
 * signal interrupts the run. */
static void set_running(bool runs)
{
    const struct itimerval soon = {.it_value = {0, 200}};
    running = runs;
    if (runs && by_handler)
        CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

/* --- drm: clears a picture tile by tile --- */

enum { SIDE = 512, TILES = SIDE / 64 };

static uint32_t picture;
static const uint32_t *pixels;

static void prepare_drm(const char *base)
{
    (void)base;
    struct drm_vc4_create_bo made = {.size = SIDE * SIDE * 4};
    CHECK(ioctl(device_fd, DRM_IOCTL_VC4_CREATE_BO, &made) == 0);
    struct drm_vc4_mmap_bo map = {.handle = made.handle};
    CHECK(ioctl(device_fd, DRM_IOCTL_VC4_MMAP_BO, &map) == 0);
    pixels = mmap64(NULL, made.size, PROT_READ | PROT_WRITE, MAP_SHARED, device_fd,
                    (off64_t)map.offset);
    CHECK((void *)pixels != MAP_FAILED);
    picture = made.handle;
}

static void run_drm(uint32_t round)
{
    const struct drm_vc4_submit_rcl_surface none = {.hindex = ~0u};
    struct drm_vc4_submit_cl submit = {
        .bo_handles = (uintptr_t)&picture,
        .bo_handle_count = 1,
        .width = SIDE,
        .height = SIDE,
        .max_x_tile = TILES - 1,
        .max_y_tile = TILES - 1,
        .color_read = none,
        .color_write = {.hindex = 0, .bits = 1 << 2},
        .zs_read = none,
        .zs_write = none,
        .msaa_color_write = none,
        .msaa_zs_write = none,
        .clear_color = {round, round},
        .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
    };
    set_running(true);
    CHECK(ioctl(device_fd, DRM_IOCTL_VC4_SUBMIT_CL, &submit) == 0);
    set_running(false);
    for (int i = 0; i < SIDE * SIDE; i += 1023)
        CHECK((pixels[i] & 0xffffff) == (round & 0xffffff));
}

/* --- vcio: user programs that count, on several QPUs --- */

/* Assembled from count.qasm. */
static const uint32_t code[] =
#include "count.h"
    ;

enum {
    QPUS = 12,
    COUNT = 5000,
    PERIPHERALS = 0x01000000,
    V3D = 0xc00000 / 4,
    SRQPC = 0x430 / 4,
    SRQUA,
    SRQCS = 0x43c / 4
};
enum { CODE = 0, UNIFORMS = 64, RESULT = 128, WORDS = 256 }; /* offsets in a program's memory */

#define PROPERTY _IOWR(100, 0, char *)

static volatile uint32_t *v3d;
static uint32_t *memory, memory_bus;

static uint32_t send_tag(uint32_t tag, unsigned count, const uint32_t *words)
{
    uint32_t buffer[16] = {(6 + count) * 4, 0, tag, count * 4, count * 4};
    memcpy(buffer + 5, words, count * 4);
    CHECK(ioctl(device_fd, PROPERTY, buffer) == 0);
    return buffer[5];
}

#define SEND(tag, ...) \
    send_tag(tag, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static void *map_physical(uint32_t address, uint32_t size)
{
    int mem = open("/dev/mem", O_RDWR | O_SYNC);
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, mem, address);
    CHECK(mem >= 0 && start != MAP_FAILED && close(mem) == 0);
    return start;
}

static void prepare_vcio(const char *base)
{
    enum { ALLOCATE = 0x3000c, LOCK, ENABLE = 0x30012, VIA_L2 = 12, SIZE = QPUS * WORDS * 4 };
    SEND(ENABLE, 1);
    memory_bus = SEND(LOCK, SEND(ALLOCATE, SIZE, PAGE, VIA_L2));
    memory = map_physical(memory_bus & 0x3fffffff, SIZE);
    v3d = (uint32_t *)map_physical((uint32_t)strtoul(base, NULL, 0), PERIPHERALS) + V3D;
}

static void lay_out(uint32_t number, uint32_t value)
{
    uint32_t *words = memory + number * WORDS, bus = memory_bus + number * WORDS * 4;
    memcpy(words + CODE, code, sizeof code);
    words[UNIFORMS] = COUNT;
    words[UNIFORMS + 1] = value;
    words[UNIFORMS + 2] = bus + 4 * RESULT;
    words[UNIFORMS + 3] = 1;
}

/* Spends time without calls. So only calls by another thread can cause the device to start pending
 * work. */
static void dawdle(void)
{
    for (volatile int i = 0; i < 500000; i++)
        continue;
}

static void run_vcio(uint32_t round)
{
    v3d[SRQCS] = 1 << 16 | 1 << 8 | 1 << 7;
    for (uint32_t i = 0; i < QPUS; i++)
        lay_out(i, 100 * round + i);
    for (uint32_t i = 0; i < QPUS; i++) {
        const uint32_t bus = memory_bus + i * WORDS * 4;
        v3d[SRQUA] = bus + 4 * UNIFORMS;
        v3d[SRQPC] = bus + 4 * CODE;
        dawdle();
    }
    set_running(true);
    while ((v3d[SRQCS] >> 16 & 0xff) != QPUS)
        continue;
    set_running(false);
    for (uint32_t i = 0; i < QPUS; i++)
        CHECK(memory[i * WORDS + RESULT + 15] == 100 * round + i + 15);
}

static const struct device devices[] = {
    {"drm", "/dev/dri/renderD128", prepare_drm, run_drm, DRM_IOCTL_VC4_CREATE_BO, EIO},
    {"vcio", "/dev/vcio", prepare_vcio, run_vcio, PROPERTY, EBUSY},
};

/* --- the functions --- */

size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
int __fxstat(int, int, struct stat *);
int __fxstat64(int, int, struct stat64 *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __fxstatat64(int, int, const char *, struct stat64 *, int);
int __lxstat(int, const char *, struct stat *);
int __lxstat64(int, const char *, struct stat64 *);
int __open64_2(const char *, int);
int __open_2(const char *, int);
int __openat64_2(int, const char *, int);
int __openat_2(int, const char *, int);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __readlink_chk(const char *, char *, size_t, size_t);
ssize_t __readlinkat_chk(int, const char *, char *, size_t, size_t);
char *__realpath_chk(const char *, char *, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
sighandler_t __sysv_signal(int, sighandler_t);
sighandler_t bsd_signal(int, sighandler_t);
sighandler_t sysv_signal(int, sighandler_t);
int __xmknod(int, const char *, mode_t, dev_t *);
int __xstat(int, const char *, struct stat *);
int __xstat64(int, const char *, struct stat64 *);

static FILE *stream;
static _Thread_local int refused; /* number of requests that the device refused */

static void ask_device(void)
{
    struct drm_vc4_create_bo made = {.size = PAGE}; /* for vcio, a buffer of tags that is too
                                                     * short */
    errno = 0;
    if (ioctl(device_fd, device->request, &made) != 0 && errno == device->refusal)
        refused++;
}

static void list_folder(void)
{
    DIR *folder = opendir("/dev");
    CHECK(folder != NULL);
    readdir(folder);
    readdir64(folder);
    rewinddir(folder);
    closedir(folder);
}

static void close_stream(FILE *opened)
{
    CHECK(opened && fclose(opened) == 0);
}

static void use_memory(void *(*map)(void *, size_t, int, int, int, off_t))
{
    char *start = map(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK((void *)start != MAP_FAILED && mprotect(start, PAGE, PROT_READ) == 0);
    start = mremap(start, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
    CHECK((void *)start != MAP_FAILED && munmap(start, 2 * PAGE) == 0);
}

#define PATH    device->path
#define DEVICE  device_fd
#define NOWHERE "/nonexistent/file"
#define TRUE    "/bin/true"

enum kind { SAFE, HEAP, WAITS, ENDS };

/* Variables for the arguments and results of the calls. */
#define PLACES                                                                              \
    char bytes[PATH_MAX] = "", *arguments[] = {"true", NULL};                               \
    struct stat status;                                                                     \
    struct stat64 status64;                                                                 \
    struct statx statusx;                                                                   \
    struct epoll_event event = {0};                                                         \
    struct statfs system;                                                                   \
    struct statfs64 system64;                                                               \
    struct timespec now;                                                                    \
    struct timeval day;                                                                     \
    struct iovec part = {bytes, 1};                                                         \
    struct msghdr message = {0};                                                            \
    struct sigaction action;                                                                \
    struct dirent **entries;                                                                \
    struct dirent64 **entries64;                                                            \
    glob_t found = {0};                                                                     \
    glob64_t found64 = {0};                                                                 \
    sigset_t signals;                                                                       \
    static const struct timespec none;                                                      \
    (void)bytes, (void)arguments, (void)status, (void)status64, (void)statusx, (void)event; \
    (void)system, (void)system64, (void)now, (void)day, (void)part, (void)message;          \
    (void)action, (void)entries, (void)entries64, (void)found, (void)found64;               \
    (void)signals, (void)none

#define INTERPOSE(name, kind, call) \
    static void call_##name(void)   \
    {                               \
        PLACES;                     \
        (void)(call);               \
    }
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wunused-result"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "interposed.def"
#undef INTERPOSE

static const struct door {
    const char *name;
    enum kind kind;
    void (*call)(void);
} doors[] = {
#define INTERPOSE(name, kind, call) {#name, kind, call_##name},
#include "interposed.def"
#undef INTERPOSE
};

enum { DOORS = sizeof doors / sizeof *doors };

/* --- signals for functions that wait for them --- */

static atomic_int waiting; /* number of the thread that waits for a signal */

static void wake(int number)
{
    (void)number;
}

/* The timer's signal must not interrupt this thread: the handler's calls could wait for the device,
 * whose user may wait to be woken. */
static void *wake_waiting(void *unused)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    const uint64_t all = UINT64_MAX;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all);
    for (;;) {
        const int thread = waiting;
        if (thread)
            syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
        syscall(SYS_nanosleep, &pause, NULL);
    }
    return unused;
}

static void let_signal(int how)
{
    const uint64_t signals = 1 << (SIGUSR2 - 1);
    syscall(SYS_rt_sigprocmask, how, &signals, NULL, sizeof signals);
}

static void call_waiting(const struct door *door)
{
    int free = 0;
    while (!atomic_compare_exchange_strong(&waiting, &free, (int)syscall(SYS_gettid)))
        free = 0;
    let_signal(SIG_UNBLOCK);
    door->call();
    let_signal(SIG_BLOCK);
    waiting = 0;
}

static void call_all(bool in_handler)
{
    const int error = errno;
    for (int i = 0; i < DOORS; i++)
        if (doors[i].kind == WAITS)
            call_waiting(&doors[i]);
        else if (doors[i].kind == SAFE || (doors[i].kind == HEAP && !in_handler))
            doors[i].call();
    errno = error;
}

/* --- contexts of the calls --- */

enum way { PLAIN, HOOK, HANDLER, LATE, END };

static enum way way;
static const struct door *ending;
static _Thread_local bool of_program, in_hook;
static atomic_int called_in_model, called_in_run, called_in_handler, began_late;

static void call_as_hook(void)
{
    in_hook = true;
    refused = 0;
    if (way == END && !of_program)
        ending->call();
    if (way == HOOK) {
        call_all(false);
        CHECK(refused == 1); /* no call waits for itself, and the request is refused */
        atomic_fetch_add(of_program ? &called_in_run : &called_in_model, 1);
    }
    in_hook = false;
}

#define SHOWN __attribute__((visibility("default")))

typedef int lock_mutex(pthread_mutex_t *mutex);

/* The model's threads call this function, and so does the program's thread that runs the model. */
SHOWN int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static lock_mutex *_Atomic next;
    if (!next)
        next = (lock_mutex *)dlsym(RTLD_NEXT, "pthread_mutex_lock");
    if (running && !in_hook && (way == HOOK || way == END))
        call_as_hook();
    return next(mutex);
}

typedef int set_environment(const fenv_t *environment);

/* The model calls this function at the start of each of its threads. */
SHOWN int fesetenv(const fenv_t *environment)
{
    static set_environment *_Atomic next;
    struct timespec now;
    if (!next)
        next = (set_environment *)dlsym(RTLD_NEXT, "fesetenv");
    if (way == LATE && !of_program) {
        for (int i = 0; i < 20000000; i++)
            clock_gettime(CLOCK_MONOTONIC, &now);
        atomic_fetch_add(&began_late, 1);
    }
    return next(environment);
}

static void handle(int number)
{
    (void)number;
    refused = 0;
    if (running)
        call_all(true);
    /* counts the handlers that have interrupted a run */
    atomic_fetch_add(&called_in_handler, refused);
}

/* --- the whole test --- */

static void run_rounds(uint32_t from, uint32_t end)
{
    for (uint32_t round = from; round < end; round++)
        device->run(round);
}

static void go(const char *base)
{
    enum { ROUNDS = 12 };
    device_fd = open(device->path, O_RDWR);
    CHECK(device_fd >= 0);
    device->prepare(base);
    run_rounds(0, 1); /* the first round creates the model's threads */
    if (way == HANDLER) {
        CHECK(signal(SIGALRM, handle) != SIG_ERR);
        by_handler = true;
    }
    run_rounds(1, ROUNDS);
    signal(SIGALRM, SIG_IGN);
    CHECK(way != END && (way != HOOK || (called_in_model > 0 && called_in_run > 0)));
    CHECK(way != HANDLER || called_in_handler > 0);
    printf("%s: %d rounds\n", device->name, ROUNDS);
}

static int list_names(void)
{
    for (int i = 0; i < DOORS; i++)
        puts(doors[i].name);
    return 0;
}

static void choose(char **arguments)
{
    static const char *const ways[] = {"plain", "hook", "handler", "late", "end"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(arguments[0], devices[i].name) == 0)
            device = &devices[i];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(arguments[1], ways[i]) == 0)
            way = (enum way)i;
    for (int i = 0; way == END && i < DOORS; i++)
        if (arguments[3] && strcmp(arguments[3], doors[i].name) == 0)
            ending = &doors[i];
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc < 4)
        return argc == 2 ? list_names() : 2;
    of_program = true;
    choose(argv + 1);
    stream = fopen("/dev/null", "r+");
    CHECK(device && stream && (way != END || ending) && signal(SIGUSR2, wake) != SIG_ERR);
    CHECK(pthread_create(&thread, NULL, wake_waiting, NULL) == 0);
    go(argv[3]);
    return 0;
}
