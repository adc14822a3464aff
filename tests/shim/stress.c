/* SPDX-License-Identifier: MIT */
/* stress.c - a program whose threads, forked children and signal handlers all use a device. No
 * call may wait for ever. The program contains no code of Tessera.
 *
 *     stress drm|vcio             runs the tests
 *     stress drm|vcio for-ever    uses the device until it is killed
 *
 * Expected: fork(2); signal-safety(7), which permits access() in handlers; ioctl() is a system
 * call, which the kernel carries out in every context. The tags for memory are those of the
 * firmware's wiki page "Mailbox property interface". */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <libdrm/drm.h>
#include <libdrm/vc4_drm.h>

#include "../register.h"

enum { THREADS = 4, FORKS = 2000, HANDLED = 2000, BUFFER = 4096 };

/* --- devices --- */

static struct device {
    const char *name, *path;
    bool (*use)(int fd); /* allocates memory on the device and frees it; returns true on success */
} const *device;

static bool use_drm(int fd)
{
    struct drm_vc4_create_bo made = {.size = BUFFER};
    struct drm_gem_close closed = {0};
    if (ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &made) != 0)
        return false;
    closed.handle = made.handle;
    return ioctl(fd, DRM_IOCTL_GEM_CLOSE, &closed) == 0;
}

static bool use_vcio(int fd)
{
    enum { ALLOCATE = 0x3000c, RELEASE = 0x3000f, DIRECT = 4 };
    uint32_t make[9] = {sizeof make, 0, ALLOCATE, 12, 12, BUFFER, BUFFER, DIRECT, 0};
    if (ioctl(fd, _IOWR(100, 0, char *), make) != 0 || make[5] == 0)
        return false;
    uint32_t release[7] = {sizeof release, 0, RELEASE, 4, 4, make[5], 0};
    return ioctl(fd, _IOWR(100, 0, char *), release) == 0;
}

static const struct device devices[] = {
    {"drm", "/dev/dri/renderD128", use_drm},
    {"vcio", "/dev/vcio", use_vcio},
};

static int open_device(void)
{
    int fd = open(device->path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

/* --- threads that use the device --- */

static atomic_bool over;
static int device_fd;

static void list_folder(void)
{
    DIR *entries = opendir("/dev");
    while (entries && readdir(entries))
        continue;
    if (entries)
        closedir(entries);
}

static void *work(void *good)
{
    struct stat status;
    while (!atomic_load(&over)) {
        bool done = device->use(device_fd) && access(device->path, R_OK) == 0 &&
                    stat(device->path, &status) == 0;
        list_folder();
        usleep(100); /* lets the other threads run */
        if (!done)
            atomic_store((atomic_bool *)good, false);
    }
    return NULL;
}

static pthread_t thread[THREADS];
static atomic_bool good;

static void start_threads(void)
{
    device_fd = open_device();
    atomic_store(&over, false);
    atomic_store(&good, true);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &good), 0);
}

static void stop_threads(void)
{
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    close(device_fd);
    assert_true(good);
}

/* --- forks --- */

/* Forks once. Every tenth child uses the device. */
static void fork_one(int number)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(access(device->path, R_OK) != 0 || (number % 10 == 0 && !device->use(device_fd)));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TEST(test_forks)
{
    start_threads();
    for (int i = 0; i < FORKS; i++)
        fork_one(i);
    stop_threads();
}

/* --- signals --- */

static atomic_int handled; /* number of handled signals, in all threads */
static atomic_bool handler_good;

static void handle(int number)
{
    const int error = errno;
    (void)number;
    atomic_fetch_add(&handled, 1);
    if (!device->use(device_fd) || access(device->path, R_OK) != 0)
        atomic_store(&handler_good, false);
    errno = error;
}

static void set_timer(long microseconds)
{
    const struct itimerval span = {{0, microseconds}, {0, microseconds}};
    assert_int_equal(setitimer(ITIMER_REAL, &span, NULL), 0);
}

/* Allocates blocks of all sizes, so that the signal often interrupts malloc(). */
static void use_heap(void)
{
    enum { BLOCKS = 64 };
    static void *block[BLOCKS];
    for (unsigned i = 0; i < 10 * BLOCKS; i++) {
        free(block[i % BLOCKS]);
        block[i % BLOCKS] = malloc((i * 7919u) % 70000);
    }
}

TEST(test_signals)
{
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigset_t alarm_alone;
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    atomic_store(&handler_good, true);
    pthread_sigmask(SIG_BLOCK, &alarm_alone, NULL);
    start_threads();
    pthread_sigmask(SIG_UNBLOCK, &alarm_alone, NULL);
    set_timer(200);
    while (atomic_load(&handled) < HANDLED)
        use_heap();
    set_timer(0);
    stop_threads();
    assert_true(handler_good);
}

/* Forks while signal handlers run. */
TEST(test_both)
{
    atomic_store(&handled, 0);
    start_threads();
    set_timer(2000);
    for (int i = 0; i < FORKS / 10; i++) {
        use_heap();
        fork_one(i);
    }
    set_timer(0);
    stop_threads();
    assert_true(handler_good);
}

/* --- forks that wait for a thread whose handler uses the device --- */

/* Allocates and frees blocks in a thread. */
static void *use_heap_in_thread(void *unused)
{
    while (!atomic_load(&over))
        free(malloc(70000));
    return unused;
}

static void *hurry(void *unused)
{
    while (!atomic_load(&over))
        if (!device->use(device_fd))
            atomic_store(&good, false);
    return unused;
}

/* fork() waits for a thread that is in malloc(). A signal handler interrupts that thread again and
 * again, and uses the device. Two other threads use the device without a pause. Each child uses the
 * device, too. No fork() may wait for ever. */
TEST(test_fork_waits_for_heap)
{
    enum { OTHERS = 3, COUNT = 600 };
    static void *(*const others[OTHERS])(void *) = {use_heap_in_thread, hurry, hurry};
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigset_t alarm_alone;
    pthread_t other[OTHERS];
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    device_fd = open_device();
    atomic_store(&over, false);
    atomic_store(&good, true);
    atomic_store(&handler_good, true);
    for (int i = 0; i < OTHERS; i++) {
        assert_int_equal(pthread_create(&other[i], NULL, others[i], NULL), 0);
        /* the signal is blocked in all threads except the first */
        pthread_sigmask(SIG_BLOCK, &alarm_alone, NULL);
    }
    set_timer(20000);
    for (int i = 0; i < COUNT; i++)
        fork_one(10 * i);
    set_timer(0);
    atomic_store(&over, true);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(other[i], NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm_alone, NULL);
    close(device_fd);
    assert_true(good && handler_good);
}

/* --- signals that kill --- */

/* Uses the device in all threads until it is killed. */
static int use_for_ever(void)
{
    start_threads();
    if (write(STDOUT_FILENO, "", 1) != 1)
        return 1;
    for (;;)
        pause();
}

static void kill_twice(pid_t process)
{
    kill(process, SIGTERM);
    usleep(300);
    kill(process, SIGTERM);
}

/* The signals must end the process, and no child process may remain. */
TEST(test_two_signals)
{
    enum { COUNT = 20 };
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    for (int i = 0; i < COUNT; i++) {
        int status, ends[2];
        char byte;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], STDOUT_FILENO);
            execl("/proc/self/exe", "stress", device->name, "for-ever", (char *)NULL);
        }
        assert_int_equal(read(ends[0], &byte, 1), 1);
        kill_twice(child);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        close(ends[0]);
        close(ends[1]);
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof devices / sizeof *devices; i++)
        if (strcmp(argv[1], devices[i].name) == 0)
            device = &devices[i];
    if (device && argc > 2)
        return use_for_ever();
    return device ? tests_run() : 2;
}
