/* SPDX-License-Identifier: MIT */
/* program.c - a program for a Raspberry Pi. It has parts, each of which tests one feature. vcio.py
 * runs the parts under the shim. The program contains no code of Tessera. Expected: the answers of
 * the kernel's drivers (raspberrypi/linux, drivers/char/broadcom/vcio.c, drivers/char/mem.c), the
 * manual pages of the calls, and the firmware's wiki page "Mailbox property interface".
 *
 *     program PART [ARGUMENT]... */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(what) check((what), #what, __LINE__)

static void check(int good, const char *what, int line)
{
    if (good)
        return;
    fprintf(stderr, "program.c:%d: not so: %s (%s)\n", line, what, strerror(errno));
    exit(99);
}

/* True if the call fails with `error` in errno. */
#define FAILS(error, call)     (errno = 0, (call) == -1 && errno == (error))
#define MAP_FAILS(error, call) (errno = 0, (call) == MAP_FAILED && errno == (error))

/* Assembled from add.qasm and spin.qasm. */
static const uint32_t add_code[] =
#include "add.h"
    ;
static const uint32_t spin_code[] =
#include "spin.h"
    ;

/* --- The mailbox --- */

enum { PAGE = 4096, VIA_L2 = 12 /* allocation flags that GPU_FFT uses on a Pi 1 */ };

#define PROPERTY     _IOWR(100, 0, char *)
#define OLD_PROPERTY _IOWR(249, 0, char *)
#define ANSWERED     0x80000000u
#define TIMED_OUT    0x80000000u

static int vcio(void)
{
    int fd = open("/dev/vcio", 0);
    CHECK(fd >= 0);
    return fd;
}

/* Sends one tag with up to six words. Returns the first word of the reply. */
static uint32_t send_tag(int fd, uint32_t tag, unsigned count, const uint32_t *words)
{
    uint32_t buffer[16] = {(6 + count) * 4, 0, tag, count * 4, count * 4};
    memcpy(buffer + 5, words, count * 4);
    CHECK(ioctl(fd, PROPERTY, buffer) == 0);
    CHECK(buffer[1] == ANSWERED);
    return buffer[5];
}

#define SEND(fd, tag, ...) \
    send_tag(fd, tag, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

enum {
    GET_REVISION = 0x10002,
    ALLOCATE = 0x3000c,
    LOCK,
    UNLOCK,
    RELEASE,
    EXECUTE = 0x30011,
    ENABLE,
};

/* Allocated GPU memory: the firmware's handle, the bus address, the size in bytes, and its mapping
 * in this process. */
struct memory {
    uint32_t handle, bus, size;
    uint32_t *words;
};

static uint32_t physical(uint32_t bus)
{
    return bus & 0x3fffffff;
}

static uint32_t *map_physical(uint32_t address, uint32_t size)
{
    int mem = open("/dev/mem", O_RDWR | O_SYNC);
    CHECK(mem >= 0);
    uint32_t *words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, mem, address);
    CHECK(words != MAP_FAILED);
    CHECK(close(mem) == 0);
    return words;
}

static struct memory allocate(int fd, uint32_t size)
{
    struct memory memory = {.size = size, .handle = SEND(fd, ALLOCATE, size, PAGE, VIA_L2)};
    CHECK(memory.handle != 0);
    memory.bus = SEND(fd, LOCK, memory.handle);
    CHECK(memory.bus != 0);
    memory.words = map_physical(physical(memory.bus), size);
    return memory;
}

static void release(int fd, struct memory *memory)
{
    CHECK(munmap(memory->words, memory->size) == 0);
    CHECK(SEND(fd, UNLOCK, memory->handle) == 0);
    CHECK(SEND(fd, RELEASE, memory->handle) == 0);
}

/* Offsets of the parts of a program's memory, in words. */
enum { CODE = 0, UNIFORMS = 64, CONTROL = 96, RESULT = 128 };

/* Writes the code of add.qasm, its uniforms and its control block to the memory. */
static void lay_out(struct memory *memory, uint32_t value)
{
    memcpy(memory->words + CODE, add_code, sizeof add_code);
    memory->words[UNIFORMS] = value;
    memory->words[UNIFORMS + 1] = memory->bus + 4 * RESULT;
    memory->words[UNIFORMS + 2] = 1;
    memory->words[CONTROL] = memory->bus + 4 * UNIFORMS;
    memory->words[CONTROL + 1] = memory->bus + 4 * CODE;
    memset(memory->words + RESULT, 0, 64);
}

static int has_result(const struct memory *memory, uint32_t value)
{
    for (uint32_t i = 0; i < 16; i++)
        if (memory->words[RESULT + i] != value + i)
            return 0;
    return 1;
}

static void run_once(int fd, struct memory *memory, uint32_t value)
{
    lay_out(memory, value);
    CHECK(SEND(fd, EXECUTE, 1, memory->bus + 4 * CONTROL, 1, 1000) == 0);
    CHECK(has_result(memory, value));
}

static void run_programs(uint32_t value, int times)
{
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory memory = allocate(fd, PAGE);
    for (int i = 0; i < times; i++)
        run_once(fd, &memory, value + (uint32_t)i);
    release(fd, &memory);
    CHECK(close(fd) == 0);
}

static void part_run(char **arguments)
{
    (void)arguments;
    run_programs(1000, 3);
}

/* Sends a request with each request number: of the old and the new driver, from 32-bit and 64-bit
 * programs. */
static void part_numbers(char **arguments)
{
    static const unsigned long numbers[] = {0xc0046400, 0xc0086400, 0xc004f900, 0xc008f900};
    (void)arguments;
    int fd = vcio();
    for (int i = 0; i < 4; i++) {
        uint32_t buffer[8] = {28, 0, GET_REVISION, 4, 0};
        CHECK(ioctl(fd, numbers[i], buffer) == 0);
        CHECK(buffer[1] == ANSWERED && buffer[4] == (ANSWERED | 4) && buffer[5] != 0);
    }
    uint32_t unknown[8] = {28, 0, 0x7fff0001, 4, 4};
    CHECK(ioctl(fd, PROPERTY, unknown) == 0);
    CHECK(unknown[1] == 0x80000001 && unknown[4] == 4);
}

/* Runs a program that never ends. The reply must come after the timeout, and the machine must work
 * after that. */
static void part_timeout(char **arguments)
{
    (void)arguments;
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory memory = allocate(fd, PAGE);
    lay_out(&memory, 5);
    memcpy(memory.words, spin_code, sizeof spin_code);
    CHECK(SEND(fd, EXECUTE, 1, memory.bus + 4 * CONTROL, 1, 2) == TIMED_OUT);
    run_once(fd, &memory, 7);
    release(fd, &memory);
}

/* --- Registers. The argument of these parts is the peripheral base --- */

enum {
    PERIPHERALS = 0x01000000,
    V3D = 0xc00000 / 4,
    SRQPC = 0x430 / 4,
    SRQUA = 0x434 / 4,
    SRQCS = 0x43c / 4
};

static volatile uint32_t *map_v3d(const char *base)
{
    return map_physical((uint32_t)strtoul(base, NULL, 0), PERIPHERALS) + V3D;
}

static void start(volatile uint32_t *v3d, const struct memory *memory)
{
    v3d[SRQUA] = memory->bus + 4 * UNIFORMS;
    v3d[SRQPC] = memory->bus + 4 * CODE;
}

static void part_registers(char **arguments)
{
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory memory = allocate(fd, PAGE);
    volatile uint32_t *v3d = map_v3d(arguments[0]);
    /* V3D_IDENT0: "V3D" and 2 (VideoCore IV 3D Architecture Reference Guide, table 79) */
    CHECK(v3d[0] == 0x02443356);
    v3d[SRQCS] = 1 << 16 | 1 << 8 | 1 << 7;
    lay_out(&memory, 70);
    start(v3d, &memory);
    while ((v3d[SRQCS] >> 16 & 0xff) != 1)
        ;
    CHECK(has_result(&memory, 70));
    CHECK(munmap((void *)(v3d - V3D), PERIPHERALS) == 0);
    release(fd, &memory);
}

/* The program does not read a register after the start. The program's own reads, reads by the
 * kernel, and reads after a wait must all return the results. */
static void part_looks(char **arguments)
{
    int fd = vcio(), ends[2];
    CHECK(SEND(fd, ENABLE, 1) == 0 && pipe(ends) == 0);
    struct memory memory = allocate(fd, PAGE);
    volatile uint32_t *v3d = map_v3d(arguments[0]);
    uint32_t copy[16];
    lay_out(&memory, 1);
    start(v3d, &memory);
    CHECK(has_result(&memory, 1));
    lay_out(&memory, 2);
    start(v3d, &memory);
    CHECK(write(ends[1], memory.words + RESULT, sizeof copy) == sizeof copy);
    CHECK(read(ends[0], copy, sizeof copy) == sizeof copy && copy[0] == 2 && copy[15] == 17);
    lay_out(&memory, 3);
    FILE *file = tmpfile();
    start(v3d, &memory);
    CHECK(fwrite(memory.words, PAGE, 1, file) == 1 && fflush(file) == 0);
    CHECK(pread(fileno(file), copy, sizeof copy, 4 * RESULT) == sizeof copy && copy[0] == 3);
    lay_out(&memory, 4);
    start(v3d, &memory);
    usleep(1);
    int mem = open("/dev/mem", O_RDONLY);
    CHECK(pread(mem, copy, sizeof copy, physical(memory.bus) + 4 * RESULT) == sizeof copy &&
          copy[0] == 4);
    lay_out(&memory, 5);
    start(v3d, &memory);
    pid_t child = fork(); /* the run started before the fork, so the child must read its result */
    if (child == 0) {
        CHECK(has_result(&memory, 5));
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* Runs a program on the QPUs that never ends. A signal must end this process. If seconds is not 0,
 * an alarm sends the signal. */
static void spin(char **arguments, unsigned seconds)
{
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory memory = allocate(fd, PAGE);
    volatile uint32_t *v3d = map_v3d(arguments[0]);
    memcpy(memory.words, spin_code, sizeof spin_code);
    alarm(seconds);
    start(v3d, &memory);
    while ((v3d[SRQCS] >> 16 & 0xff) != 1)
        ;
}

/* part_endless() sends an alarm. part_hung() does not. */
static void part_endless(char **arguments)
{
    spin(arguments, 1);
}

static void part_hung(char **arguments)
{
    spin(arguments, 0);
}

/* Polls for the end of a program that was never started. */
static void part_poll(char **arguments)
{
    CHECK(SEND(vcio(), ENABLE, 1) == 0);
    volatile uint32_t *v3d = map_v3d(arguments[0]);
    printf("polling");
    while ((v3d[SRQCS] >> 16 & 0xff) != 1)
        ;
}

/* --- invalid requests --- */

static void part_bad_buffers(char **arguments)
{
    (void)arguments;
    int fd = vcio();
    uint8_t *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0);
    CHECK(pages != MAP_FAILED && mprotect(pages + PAGE, PAGE, PROT_NONE) == 0);
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, NULL)));
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, (void *)1)));
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, (void *)(UINTPTR_MAX - 1))));
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, pages + PAGE)));
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, pages + PAGE - 2)));

    const uint32_t request[7] = {28, 0, GET_REVISION, 4, 0, 0, 0};
    uint8_t *last = pages + PAGE - sizeof request;
    memcpy(last, request, sizeof request);
    CHECK(ioctl(fd, PROPERTY, last) == 0);
    /* memory after the buffer's first words is not mapped */
    memcpy(last + 4, request, sizeof request - 4);
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, last + 4)));

    uint8_t *odd = pages + 2 * PAGE + 1;
    memcpy(odd, request, sizeof request);
    CHECK(ioctl(fd, PROPERTY, odd) == 0);
    memcpy(odd, request, sizeof request);
    CHECK(mprotect(pages + 2 * PAGE, PAGE, PROT_READ) == 0);
    /* the reply cannot be written to read-only memory */
    CHECK(FAILS(EFAULT, ioctl(fd, PROPERTY, odd)));

    static const uint32_t sizes[] = {0, 4, 8, 13, 27, 0x100004, 0x7fffffff, 0x80000000, 0xfffffffc};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(pages, &sizes[i], 4);
        CHECK(FAILS(EINVAL, ioctl(fd, PROPERTY, pages)));
    }
    CHECK(FAILS(EINVAL, ioctl(fd, _IOWR(100, 1, char *), pages)));
    CHECK(FAILS(EINVAL, ioctl(fd, 0, NULL)));
    CHECK(close(fd) == 0);
    CHECK(FAILS(EBADF, close(fd)));
    CHECK(FAILS(EBADF, ioctl(fd, PROPERTY, pages)));
}

static void part_bad_mappings(char **arguments)
{
    (void)arguments;
    int fd = vcio(), mem = open("/dev/mem", O_RDWR), readable = open("/dev/mem", O_RDONLY);
    struct memory memory = allocate(fd, 4 * PAGE);
    off_t at = physical(memory.bus);
    CHECK(mem >= 0 && readable >= 0);
    CHECK(MAP_FAILS(EINVAL, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, mem, at + 1)));
    CHECK(MAP_FAILS(EINVAL, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, mem, at + 2048)));
    CHECK(MAP_FAILS(EINVAL, mmap(NULL, 0, PROT_READ, MAP_SHARED, mem, at)));
    CHECK(MAP_FAILS(EINVAL, mmap(NULL, PAGE, PROT_READ, 0, mem, at)));
    CHECK(MAP_FAILS(EACCES, mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, readable, at)));
    CHECK(MAP_FAILS(EACCES, mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, readable,
                                 0x20000000 + 4 * V3D)));
    CHECK(MAP_FAILS(ENOMEM, mmap(NULL, SIZE_MAX - PAGE, PROT_READ, MAP_SHARED, mem, 0)));
    CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, readable, at) != MAP_FAILED);
    CHECK(mmap(NULL, 1, PROT_READ, MAP_SHARED, readable, at) != MAP_FAILED);
    CHECK(SEND(fd, LOCK, 12345) == 0);
    CHECK(SEND(fd, ALLOCATE, 0xffffffff, PAGE, VIA_L2) == 0);
}

/* Registers are not memory. Reads and writes of /dev/mem by the kernel must fail after the end of
 * the RAM, with EFAULT (drivers/char/mem.c). */
static void part_end_of_memory(char **arguments)
{
    (void)arguments;
    int mem = open("/dev/mem", O_RDWR);
    uint32_t word = 1;
    CHECK(mem >= 0);
    CHECK(pread(mem, &word, sizeof word, 0x20000000 + 4 * V3D) <= 0);
    CHECK(pwrite(mem, &word, sizeof word, 0x20000000 + 4 * V3D) == -1);
    CHECK(ftruncate(mem, 0) == -1); /* the file must not shrink while it is mapped */
}

/* --- Memory --- */

static void part_memory(char **arguments)
{
    (void)arguments;
    int fd = vcio();
    struct memory memory = allocate(fd, 4 * PAGE);
    uint32_t *again = map_physical(physical(memory.bus), 2 * PAGE), *words = memory.words;
    words[0] = 1;
    words[1024] = 2;
    words[3072] = 4;
    CHECK(again[0] == 1 && again[1024] == 2);
    CHECK(munmap(words + 1024, PAGE) == 0); /* unmaps the second page */
    CHECK(words[0] == 1 && words[3072] == 4 && again[1024] == 2);
    again = mremap(again, 2 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
    CHECK(again != MAP_FAILED && again[1024] == 2 && again[3072] == 4);
    CHECK(mremap(again, 4 * PAGE, 2 * PAGE, 0) == again); /* stays at the same address */
    CHECK(mremap(again, 2 * PAGE, 4 * PAGE, 0) == again && again[3072] == 4);
    CHECK(mprotect(again, PAGE, PROT_READ) == 0);
    words[0] = 8;
    CHECK(again[0] == 8);
    uint32_t *plain = mmap(again, PAGE, PROT_READ | PROT_WRITE,
                           MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(plain == again && plain[0] == 0 && again[1024] == 2);
    plain[0] = 9;
    CHECK(words[0] == 8);
    int copied = open("/dev/mem", O_RDONLY);
    uint32_t copy[2];
    CHECK(pread(copied, copy, sizeof copy, physical(memory.bus)) == sizeof copy && copy[0] == 8);
}

/* Returns the pointer after a conversion to 32 bits. Programs for these boards store pointers in 32
 * bits. */
static uint32_t *short_pointer(void *pointer)
{
    const uint32_t kept = (uint32_t)(uintptr_t)pointer;
    CHECK(pointer != MAP_FAILED && (void *)(uintptr_t)kept == pointer);
    return (uint32_t *)(uintptr_t)kept;
}

static uint32_t *map_short(int file, uint32_t size, off_t at)
{
    return short_pointer(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, at));
}

/* If the program lets mmap() choose the address, every address must fit in 32 bits: of many
 * mappings, large mappings, registers, and a second mapping of the same memory. If the program
 * requests a higher address, it must receive that address. */
static void part_low(char **arguments)
{
    enum { MANY = 300, LARGE = 64 << 20 };
    const off_t peripherals = (off_t)strtoul(arguments[0], NULL, 0);
    const int fd = vcio(), mem = open("/dev/mem", O_RDWR | O_SYNC);
    const int gpio = open("/dev/gpiomem", O_RDWR | O_SYNC);
    struct memory memory = allocate(fd, PAGE);
    CHECK(mem >= 0 && gpio >= 0);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t *words = map_short(mem, PAGE, physical(memory.bus));
        words[i] = i;
        CHECK(memory.words[i] == i);
    }
    map_short(mem, LARGE, 0);
    CHECK(munmap(map_short(mem, LARGE, 0), LARGE) == 0);
    CHECK(SEND(fd, ENABLE, 1) == 0);
    CHECK(map_short(mem, PERIPHERALS, peripherals)[V3D] == 0x02443356); /* V3D_IDENT0 */
    map_short(gpio, PAGE, 0);
    if (sizeof(void *) > 4) {
        void *high = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK((uintptr_t)high > UINT32_MAX && munmap(high, PAGE) == 0);
        CHECK(mmap(high, PAGE, PROT_READ, MAP_SHARED, mem, physical(memory.bus)) == high);
    }
}

/* --- Descriptors --- */

static void part_descriptors(char **arguments)
{
    (void)arguments;
    int fd = vcio(), closing = open("/dev/vcio", O_RDWR | O_CLOEXEC);
    CHECK(fcntl(fd, F_GETFD) == 0 && fcntl(closing, F_GETFD) == FD_CLOEXEC);
    CHECK(ioctl(fd, FIOCLEX) == 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK(ioctl(fd, FIONCLEX) == 0 && fcntl(fd, F_GETFD) == 0);
    int copy = dup(fd), high = fcntl(fd, F_DUPFD, 600);
    CHECK(close(fd) == 0);
    CHECK(SEND(copy, GET_REVISION, 0) != 0 && SEND(high, GET_REVISION, 0) != 0);
    CHECK(dup2(copy, 1000) == 1000 && dup2(copy, 1001) == 1001 && dup2(copy, 1002) == 1002);
    CHECK(SEND(1001, GET_REVISION, 0) != 0);
    for (int i = 3; i < 4096; i++)
        close(i);
    run_programs(1, 1);
    CHECK(close_range(3, ~0u, 0) == 0);
    run_programs(2, 1);
    closefrom(3);
    run_programs(3, 1);
}

/* Gives up the process's privileges, like a daemon. After that, neither other users nor the process
 * itself can read the process's entries in /proc. */
static void part_rights(char **arguments)
{
    (void)arguments;
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    if (geteuid() == 0)
        CHECK(setgid(65534) == 0 && setuid(65534) == 0);
    CHECK(prctl(PR_SET_DUMPABLE, 0) == 0);
    run_programs(1, 1);
}

/* Sends the descriptor to another process through a socket. That process must be able to use it. */
static void part_passing(char **arguments)
{
    (void)arguments;
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    char byte = 'x';
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    int fd = vcio();
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    CHECK(sendmsg(ends[0], &message, 0) == 1);
    CHECK(recvmsg(ends[1], &message, 0) == 1);
    int got;
    memcpy(&got, CMSG_DATA(&control.header), sizeof got);
    CHECK(got != fd && SEND(got, GET_REVISION, 0) != 0);
}

/* --- Nodes --- */

static int uses_node(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    int good = fd >= 0 && SEND(fd, GET_REVISION, 0) != 0 && close(fd) == 0;
    return good && stat(path, &status) == 0 && S_ISCHR(status.st_mode) && access(path, R_OK) == 0;
}

static void part_nodes(char **arguments)
{
    (void)arguments;
    CHECK(mknod("mine", S_IFCHR | 0600, makedev(100, 0)) == 0 && uses_node("mine"));
    CHECK(mknod("old", S_IFCHR | 0600, makedev(249, 0)) == 0 && uses_node("old"));
    CHECK(FAILS(EEXIST, mknod("old", S_IFCHR | 0600, makedev(100, 0))));
    CHECK(FAILS(ENOENT, mknod("nowhere/node", S_IFCHR | 0600, makedev(100, 0))));
    /* the usual name in the documentation of GPGPU programs, although no node was created */
    CHECK(uses_node("char_dev"));
    CHECK(FAILS(ENOENT, open("other", O_RDONLY)));
    CHECK(unlink("mine") == 0 && FAILS(ENOENT, open("mine", O_RDONLY)));
}

/* --- Files. The arguments are the board's model, revision, peripheral base and SDRAM address
 * --- */

static uint32_t cell(const char *path, long number)
{
    uint8_t bytes[4] = {0};
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fseek(file, 4 * number, SEEK_SET) == 0 && fread(bytes, 4, 1, file) == 1);
    CHECK(fclose(file) == 0);
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 0);
}

static void check_model(const char *path, const char *model)
{
    char text[128] = "";
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    CHECK(read(fd, text, sizeof text) == (ssize_t)strlen(model) + 1 && strcmp(text, model) == 0);
    struct stat status;
    CHECK(stat(path, &status) == 0 && status.st_size == (off_t)strlen(model) + 1 &&
          S_ISREG(status.st_mode));
    CHECK(close(fd) == 0);
    CHECK(FAILS(EACCES, open(path, O_RDWR)));
}

static uint32_t cpuinfo_revision(void)
{
    char line[256];
    unsigned revision = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "Revision : %x", &revision) == 1)
            break;
    fclose(file);
    return revision;
}

static uint32_t ask_bcm_host(void *library, const char *name)
{
    union {
        void *object;
        unsigned (*function)(void);
    } symbol = {dlsym(library, name)};
    CHECK(symbol.object != NULL);
    return symbol.function();
}

static void check_bcm_host(const char *path, uint32_t base, uint32_t sdram)
{
    void *library = dlopen(path, RTLD_LAZY);
    CHECK(library != NULL);
    CHECK(ask_bcm_host(library, "bcm_host_get_peripheral_address") == base);
    CHECK(ask_bcm_host(library, "bcm_host_get_peripheral_size") == 0x01000000);
    CHECK(ask_bcm_host(library, "bcm_host_get_sdram_address") == sdram);
    CHECK(dlclose(library) == 0);
}

static void part_files(char **arguments)
{
    const char *model = arguments[0];
    uint32_t revision = number(arguments[1]), base = number(arguments[2]),
             sdram = number(arguments[3]);
    check_model("/proc/device-tree/model", model);
    check_model("/sys/firmware/devicetree/base/model", model);
    check_model("//proc/./device-tree//model", model);
    CHECK(cell("/proc/device-tree/soc/ranges", 0) == 0x7e000000);
    CHECK(cell("/proc/device-tree/soc/ranges", 1) == base);
    CHECK(cell("/proc/device-tree/system/linux,revision", 0) == revision);
    CHECK(cpuinfo_revision() == revision);
    CHECK(SEND(vcio(), GET_REVISION, 0) == revision);
    check_bcm_host("libbcm_host.so", base, sdram);
    check_bcm_host("libbcm_host.so.0", base, sdram);
    check_bcm_host("/opt/vc/lib/libbcm_host.so", base, sdram);
    CHECK(dlopen("libnothing-of-that-name.so", RTLD_LAZY) == NULL);
}

static void check_device(const char *path, unsigned number_major)
{
    struct stat status;
    CHECK(stat(path, &status) == 0 && S_ISCHR(status.st_mode) &&
          major(status.st_rdev) == number_major);
    CHECK(lstat(path, &status) == 0 && S_ISCHR(status.st_mode));
    CHECK(fstatat(AT_FDCWD, path, &status, 0) == 0 && S_ISCHR(status.st_mode));
    CHECK(access(path, R_OK | W_OK) == 0 && faccessat(AT_FDCWD, path, F_OK, 0) == 0);
    CHECK(FAILS(EACCES, access(path, X_OK)));
    int fd = open(path, O_RDWR);
    CHECK(fd >= 0 && fstat(fd, &status) == 0 && S_ISCHR(status.st_mode));
    CHECK(close(fd) == 0);
    int folder = open("/dev", O_RDONLY | O_DIRECTORY);
    CHECK((fd = openat(folder, path + strlen("/dev/"), O_RDWR)) >= 0 && close(fd) == 0 &&
          close(folder) == 0);
    CHECK(FAILS(EEXIST, open(path, O_RDWR | O_CREAT | O_EXCL, 0600)));
    CHECK(FAILS(ENOTDIR, open(path, O_RDONLY | O_DIRECTORY)));
}

static void part_devices(char **arguments)
{
    (void)arguments;
    check_device("/dev/vcio", 100); /* number of drivers/char/broadcom/vcio.c; newer kernels use a
                                     * dynamic number */
    check_device("/dev/mem", 1);    /* number in Documentation/admin-guide/devices.txt */
    CHECK(MAP_FAILS(ENODEV, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, open("/dev/vcio", O_RDWR), 0)));
    CHECK(FAILS(ENOENT, open("/dev/vcio-that-is-none", O_RDWR)));
    CHECK(FAILS(ENOENT, access("/proc/device-tree/none", F_OK)));
}

/* Other names of the same file must have the canonical name of realpath(3). On a board,
 * /proc/device-tree is a link to /sys/firmware/devicetree/base. */
static void part_names(char **arguments)
{
    (void)arguments;
    static const char *const names[][2] = {
        {"/dev/vcio", "/dev/vcio"},
        {"/dev/../dev/./vcio", "/dev/vcio"},
        {"/proc/device-tree/soc/../model", "/sys/firmware/devicetree/base/model"},
        {"/sys/firmware/devicetree/base//", "/sys/firmware/devicetree/base"},
        {"/../dev/mem", "/dev/mem"},
        {"/tmp/..", "/"},
    };
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK(access(names[i][0], R_OK) == 0);
        CHECK(realpath(names[i][0], path) == path && strcmp(path, names[i][1]) == 0);
        char *own = realpath(names[i][0], NULL);
        CHECK(own && strcmp(own, names[i][1]) == 0);
        free(own);
    }
    CHECK(!realpath("/dev/vcio-that-is-none", path));
    CHECK(freopen("/proc/device-tree/model", "r", stdin) == stdin);
    CHECK(fread(path, 1, 12, stdin) == 12 && memcmp(path, "Raspberry Pi", 12) == 0);
    CHECK(!freopen("/proc/device-tree/model", "w", stdin) && errno == EACCES);
}

/* --- Signals --- */

static struct {
    volatile uint32_t *v3d, *words;
    volatile sig_atomic_t calls;
} handled;

/* Reads a result while the GPU runs. The value may be the old one or the new one. */
static void look_at_gpu(int number)
{
    (void)number;
    handled.words[PAGE / 4 - 1] = handled.v3d ? handled.v3d[SRQCS] : handled.words[RESULT];
    handled.calls++;
}

static sigjmp_buf too_late;

static void leave_gpu(int number)
{
    (void)number;
    siglongjmp(too_late, 1);
}

/* Leaves a wait with siglongjmp(), as programs commonly do. This interrupts the model in the middle
 * of a run. Later requests must fail, and the shim must report the reason. */
static void part_leaving(char **arguments)
{
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory memory = allocate(fd, PAGE);
    volatile uint32_t *v3d = map_v3d(arguments[0]);
    uint32_t revision[] = {28, 0, GET_REVISION, 4, 0, 0, 0};
    memcpy(memory.words, spin_code, sizeof spin_code);
    CHECK(signal(SIGALRM, leave_gpu) != SIG_ERR);
    alarm(1);
    if (sigsetjmp(too_late, 1) == 0) {
        start(v3d, &memory);
        while ((v3d[SRQCS] >> 16 & 0xff) != 1)
            ;
    }
    CHECK(FAILS(EBUSY, ioctl(fd, PROPERTY, revision)));
}

/* A signal handler may run at any time, also while the model runs within a trapped access. With an
 * argument after the base, the handler also accesses registers. */
static void part_handlers(char **arguments)
{
    enum { ENOUGH = 300 };
    static char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack}; /* faults use the alternate
                                                                      * stack */
    CHECK(sigaltstack(&other, NULL) == 0);
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory memory = allocate(fd, PAGE);
    volatile uint32_t *v3d = map_v3d(arguments[0]);
    handled.v3d = arguments[1] ? v3d : NULL;
    handled.words = memory.words;
    const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    CHECK(signal(SIGALRM, look_at_gpu) != SIG_ERR && setitimer(ITIMER_REAL, &often, NULL) == 0);
    for (uint32_t i = 0; handled.calls < ENOUGH; i++) {
        lay_out(&memory, i);
        start(v3d, &memory);
        CHECK(has_result(&memory, i));
    }
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

/* --- Processes and threads --- */

static void wait_for_child(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* After a fork, both processes can use the memory that was allocated before. Memory that is
 * allocated later belongs to one process. */
static void part_fork(char **arguments)
{
    (void)arguments;
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    struct memory shared = allocate(fd, PAGE);
    run_once(fd, &shared, 10);
    pid_t child = fork();
    if (child == 0) {
        CHECK(has_result(&shared, 10));
        run_once(fd, &shared, 20);
        struct memory own = allocate(fd, PAGE);
        memset(own.words, 0x11, PAGE);
        run_programs(30, 3);
        CHECK(own.words[0] == 0x11111111);
        exit(0);
    }
    struct memory own = allocate(fd, PAGE);
    memset(own.words, 0x22, PAGE);
    wait_for_child(child);
    CHECK(has_result(&shared, 20));
    CHECK(own.words[0] == 0x22222222);
    run_once(fd, &shared, 40);
    /* memory of a child must be free again after the child has ended */
    for (int i = 0; i < 20; i++) {
        child = fork();
        if (child == 0) {
            allocate(fd, 100 << 20);
            exit(0);
        }
        wait_for_child(child);
    }
    for (int i = 0; i < 3; i++) { /* several children of a process that is using its machine */
        child = fork();
        if (child == 0) {
            run_programs(100, 20);
            exit(0);
        }
    }
    run_programs(200, 20);
    for (int i = 0, status; i < 3; i++)
        CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *run_in_thread(void *argument)
{
    run_programs((uint32_t)(uintptr_t)argument, 20);
    return NULL;
}

static void part_threads(char **arguments)
{
    (void)arguments;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    CHECK(SEND(vcio(), ENABLE, 1) == 0);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run_in_thread, (void *)(i * 1000)) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void open_and_close(void)
{
    for (int i = 0; i < 2000; i++) {
        const char *path = i % 2 ? "/dev/vcio" : "/proc/device-tree/model";
        CHECK(close(open(path, O_RDONLY)) == 0);
    }
}

/* Threads that use the shim while the process forks. They have started before the first fork and
 * end after the last one: a thread that starts or ends may hold locks of AddressSanitizer, which a
 * child of fork() would never get. */
struct shim_user {
    pthread_t thread;
    pthread_barrier_t *started, *forked;
    bool runs_programs;
};

static void *use_shim(void *argument)
{
    struct shim_user *user = argument;
    pthread_barrier_wait(user->started);
    if (user->runs_programs)
        run_programs(0, 20);
    else
        open_and_close();
    pthread_barrier_wait(user->forked);
    return NULL;
}

/* Forks while other threads are in calls of the shim. No child may inherit a lock that is never
 * released. */
static void part_fork_in_threads(char **arguments)
{
    enum { THREADS = 3, FORKS = 60 };
    struct shim_user users[THREADS];
    pthread_barrier_t started, forked;
    (void)arguments;
    CHECK(pthread_barrier_init(&started, NULL, THREADS + 1) == 0);
    CHECK(pthread_barrier_init(&forked, NULL, THREADS + 1) == 0);
    for (int i = 0; i < THREADS; i++) {
        users[i] = (struct shim_user){
            .started = &started, .forked = &forked, .runs_programs = i == 0};
        CHECK(pthread_create(&users[i].thread, NULL, use_shim, &users[i]) == 0);
    }
    pthread_barrier_wait(&started);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0) {
            CHECK(close(open("/dev/mem", O_RDONLY)) == 0);
            CHECK(SEND(vcio(), GET_REVISION, 0) != 0);
            _exit(0);
        }
        wait_for_child(child);
    }
    pthread_barrier_wait(&forked);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(users[i].thread, NULL) == 0);
}

static void part_exec(char **arguments)
{
    (void)arguments;
    run_programs(5, 1);
    execl("/proc/self/exe", "program", "run", (char *)NULL);
    CHECK(0);
}

/* --- the end of the process --- */

static void part_exit(char **arguments)
{
    run_programs(5, 1);
    exit((int)number(arguments[0]));
}

static void part_signal(char **arguments)
{
    run_programs(5, 1);
    raise((int)number(arguments[0]));
    pause();
}

/* Starts a program at an address without memory. The model must report a finding. */
static void part_wrong(char **arguments)
{
    int fd = vcio();
    CHECK(SEND(fd, ENABLE, 1) == 0);
    if (arguments[0])
        CHECK(setuid((uid_t)strtoul(arguments[0], NULL, 0)) == 0);
    CHECK(SEND(fd, EXECUTE, 1, 0x00001000, 1, 100) == TIMED_OUT);
}

/* --- All --- */

static const struct {
    const char *name;
    void (*run)(char **arguments);
} parts[] = {
    /* clang-format off */
    /* clang-format off */
    {"run",             part_run},
    {"numbers",         part_numbers},
    {"timeout",         part_timeout},
    {"registers",       part_registers},
    {"looks",           part_looks},
    {"endless",         part_endless},
    {"hung",            part_hung},
    {"poll",            part_poll},
    {"bad-buffers",     part_bad_buffers},
    {"bad-mappings",    part_bad_mappings},
    {"memory",          part_memory},
    {"low",             part_low},
    {"descriptors",     part_descriptors},
    {"passing",         part_passing},
    {"rights",          part_rights},
    {"nodes",           part_nodes},
    {"files",           part_files},
    {"devices",         part_devices},
    {"end-of-memory",   part_end_of_memory},
    {"names",           part_names},
    {"handlers",        part_handlers},
    {"leaving",         part_leaving},
    {"fork",            part_fork},
    {"threads",         part_threads},
    {"fork-in-threads", part_fork_in_threads},
    {"exec",            part_exec},
    {"exit",            part_exit},
    {"signal",          part_signal},
    {"wrong",           part_wrong},
    /* clang-format on */
    /* clang-format on */
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, argv[1]) == 0) {
            parts[i].run(argv + 2);
            return 0;
        }
    fprintf(stderr, "there is no such part\n");
    return 98;
}
