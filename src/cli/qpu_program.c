/* SPDX-License-Identifier: MIT */
/* qpu_program.c - see qpu_program.h.
 *
 * In:  a program's name; the files that it, and the shims, are in.
 * Out: the path of a shim.
 *
 * Source: System V ABI, chapters 4 and 5 (ELF headers); execve(2) (interpreters of scripts); ld.so(8) (LD_PRELOAD). */
#include "qpu_program.h"

#define _GNU_SOURCE /* realpath(), strchrnul() */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHIM_NAME "libtessera-vcio.so"

/* --- What a file is --- */

/* What must agree between a program and its shim. */
struct kind {
    bool is_elf;
    bool is_whole; /* its headers can be read */
    bool is_dynamic;
    uint8_t class;
    uint16_t machine;
};

static bool read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(file, bytes, size, (off_t)offset) == (ssize_t)size;
}

/* Where the program headers are, in a header of either class. */
struct headers {
    uint64_t offset;
    uint16_t size, count;
};

static bool read_headers(int file, struct kind *kind, struct headers *headers)
{
    union {
        unsigned char ident[EI_NIDENT];
        Elf32_Ehdr narrow;
        Elf64_Ehdr wide;
    } elf;
    if (!read_at(file, elf.ident, sizeof elf.ident, 0) || memcmp(elf.ident, ELFMAG, SELFMAG) != 0)
        return false;
    kind->is_elf = true;
    kind->class = elf.ident[EI_CLASS];
    if (!read_at(file, &elf.narrow, sizeof elf.narrow, 0))
        return false;
    kind->machine = elf.narrow.e_machine; /* at the same place in both */
    if (kind->class == ELFCLASS32) {
        *headers = (struct headers){elf.narrow.e_phoff, elf.narrow.e_phentsize, elf.narrow.e_phnum};
        return true;
    }
    if (kind->class != ELFCLASS64 || !read_at(file, &elf.wide, sizeof elf.wide, 0))
        return false;
    *headers = (struct headers){elf.wide.e_phoff, elf.wide.e_phentsize, elf.wide.e_phnum};
    return true;
}

/* The type comes first in headers of either class. */
static bool has_header(int file, const struct headers *headers, uint32_t wanted)
{
    uint32_t type;
    for (uint16_t i = 0; i < headers->count; i++)
        if (read_at(file, &type, sizeof type, headers->offset + (uint64_t)i * headers->size) &&
            type == wanted)
            return true;
    return false;
}

/* wanted: the header that makes the file of use: PT_INTERP of a program, PT_DYNAMIC of a library. */
static struct kind kind_of(const char *path, uint32_t wanted)
{
    struct kind kind = {0};
    struct headers headers;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return kind;
    kind.is_whole = read_headers(file, &kind, &headers) && has_header(file, &headers, PT_LOAD);
    if (kind.is_whole)
        kind.is_dynamic = has_header(file, &headers, wanted);
    close(file);
    return kind;
}

/* --- The program --- */

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Where execvp() finds a name without a slash. */
static bool find_by_path(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : "/bin:/usr/bin", *end; at;
         at = *end ? end + 1 : NULL) {
        end = strchrnul(at, ':');
        int length = (int)(end - at);
        snprintf(path, size, "%.*s%s%s", length, at, length ? "/" : "", name);
        if (is_program(path))
            return true;
    }
    errno = ENOENT;
    return false;
}

static bool find_program(const char *title, const char *name, char *path, size_t size)
{
    if (!strchr(name, '/')) {
        if (find_by_path(name, path, size))
            return true;
    } else if ((size_t)snprintf(path, size, "%s", name) < size && is_program(name)) {
        return true;
    }
    fprintf(stderr, "%s: cannot run '%s': %s\n", title, name,
            errno ? strerror(errno) : "it is no program");
    return false;
}

/* The interpreter that a script names; false if it is none. */
static bool interpreter(const char *path, char *line, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, line, size - 1);
    if (file >= 0)
        close(file);
    if (length < 3 || line[0] != '#' || line[1] != '!')
        return false;
    line[length] = 0;
    line[strcspn(line, "\n")] = 0;
    char *name = line + 2 + strspn(line + 2, " \t");
    name[strcspn(name, " \t")] = 0;
    memmove(line, name, strlen(name) + 1);
    return *line != 0;
}

/* The file that the kernel will load: a script's interpreter, if it is a script. */
static void follow_scripts(char *path, size_t size)
{
    enum { DEEPEST = 5 }; /* the kernel's limit */
    char next[PATH_MAX];
    for (int i = 0; i < DEEPEST && interpreter(path, next, sizeof next); i++)
        snprintf(path, size, "%s", next);
}

static bool complain(const char *title, const char *program, const char *why)
{
    fprintf(stderr, "%s: cannot run '%s': %s\n", title, program, why);
    return false;
}

/* ld.so ignores LD_PRELOAD for a program that gets other rights than its caller's. */
static bool changes_rights(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 &&
           (((status.st_mode & S_ISUID) && status.st_uid != geteuid()) ||
            ((status.st_mode & S_ISGID) && status.st_gid != getegid()));
}

/* --- The shim --- */

/* Folders that shims may be in, from that of the tessera program: in a build tree, installed, and for programs of 32 bits. */
static const char *const folders[] = {
    "src/shim/vcio",
    ("../" TESS_SHIM_DIR),
    "../build-32/src/shim/vcio",
    "../lib/tessera",
    "../lib64/tessera",
    "../lib32/tessera",
    "../lib/x86_64-linux-gnu/tessera",
    "../lib/i386-linux-gnu/tessera",
    "../lib/aarch64-linux-gnu/tessera",
    "../lib/arm-linux-gnueabihf/tessera",
};

static bool fits(const char *shim, const struct kind *program)
{
    struct kind kind = kind_of(shim, PT_DYNAMIC);
    return kind.is_dynamic && kind.class == program->class && kind.machine == program->machine;
}

/* TESSERA_SHIM names one, or some with colons between. */
static bool find_named(const struct kind *program, char *shim, size_t size)
{
    const char *named = getenv("TESSERA_SHIM");
    for (const char *at = named, *end; at && *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, ':');
        snprintf(shim, size, "%.*s", (int)(end - at), at);
        if (fits(shim, program))
            return true;
    }
    return false;
}

static bool find_shim(const struct kind *program, char *shim, size_t size)
{
    char own[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (find_named(program, shim, size))
        return true;
    own[length > 0 ? length : 0] = 0;
    *(strrchr(own, '/') ? strrchr(own, '/') : own) = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s/" SHIM_NAME, own, folders[i]);
        char *full = fits(path, program) ? realpath(path, NULL) : NULL;
        bool found = full && (size_t)snprintf(shim, size, "%s", full) < size;
        free(full);
        if (found)
            return true;
    }
    return false;
}

static bool no_shim(const char *title, const char *program, const struct kind *kind)
{
    fprintf(stderr,
            "%s: cannot run '%s': there is no " SHIM_NAME
            " of %d bits for its processor; build one "
            "(docs/qpu.md), or name it in TESSERA_SHIM\n",
            title, program, kind->class == ELFCLASS32 ? 32 : 64);
    return false;
}

bool qpu_program_shim(const char *title, const char *program, char *shim, size_t size)
{
    char path[PATH_MAX];
    errno = 0;
    if (!find_program(title, program, path, sizeof path))
        return false;
    follow_scripts(path, sizeof path);
    if (!is_program(path))
        return complain(title, program, "the interpreter that it names is no program");
    if (changes_rights(path))
        return complain(title, program,
                        "it is set-user-ID, so that nothing can be preloaded into it; run the "
                        "program that it starts: no rights are needed here");
    struct kind kind = kind_of(path, PT_INTERP);
    if (!kind.is_elf) /* execvp() gives it to the shell */
        kind = kind_of("/bin/sh", PT_INTERP);
    if (!kind.is_whole)
        return complain(title, program, "its ELF headers are broken");
    if (!kind.is_dynamic)
        return complain(
            title, program,
            "it is statically linked, so that nothing can be preloaded into it; link it "
            "dynamically");
    return find_shim(&kind, shim, size) || no_shim(title, program, &kind);
}
