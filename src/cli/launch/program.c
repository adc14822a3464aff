/* SPDX-License-Identifier: MIT */
/* program.c - see program.h.
 *
 * In:  a program's name; the program's file; for a script, the files of its interpreters.
 * Out: the kind (ELF class and processor) of the file that the kernel will load.
 *
 * Source: System V ABI, chapters 4 and 5 (ELF headers); execve(2) (interpreters of scripts);
 *         ld.so(8) (LD_PRELOAD). */
#define _GNU_SOURCE /* memmem(), strchrnul() */
#include "cli/launch/program.h"

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

#include "cli/input_file.h"
#include "cli/output.h"
#include "cli/paths.h"

/* --- kind of a file --- */

static bool read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(file, bytes, size, (off_t)offset) == (ssize_t)size;
}

int program_open(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
        return file;
    close(file);
    errno = EACCES;
    return -1;
}

/* Offset, size and number of the program headers, for both ELF classes. */
struct headers {
    uint64_t offset;
    uint16_t size, count;
};

static bool read_headers(int file, struct program_kind *kind, struct headers *headers)
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
    kind->machine = elf.narrow.e_machine; /* at the same offset in both classes */
    if (kind->class == ELFCLASS32) {
        *headers = (struct headers){elf.narrow.e_phoff, elf.narrow.e_phentsize, elf.narrow.e_phnum};
        return true;
    }
    if (kind->class != ELFCLASS64 || !read_at(file, &elf.wide, sizeof elf.wide, 0))
        return false;
    *headers = (struct headers){elf.wide.e_phoff, elf.wide.e_phentsize, elf.wide.e_phnum};
    return true;
}

/* True if the file has a program header of type wanted. In both ELF classes, the type is the first
 * word of a header. */
static bool has_header(int file, const struct headers *headers, uint32_t wanted)
{
    uint32_t type;
    for (uint16_t i = 0; i < headers->count; i++)
        if (read_at(file, &type, sizeof type, headers->offset + (uint64_t)i * headers->size) &&
            type == wanted)
            return true;
    return false;
}

/* Reads the kind of a file. is_dynamic is set if the file has a program header of type wanted. The
 * caller passes PT_INTERP for a program and PT_DYNAMIC for a library. */
static struct program_kind kind_of(const char *path, uint32_t wanted)
{
    struct program_kind kind = {0};
    struct headers headers;
    int file = program_open(path);
    if (file < 0)
        return kind;
    input_note(file, path);
    kind.is_whole = read_headers(file, &kind, &headers) && has_header(file, &headers, PT_LOAD);
    if (kind.is_whole)
        kind.is_dynamic = has_header(file, &headers, wanted);
    close(file);
    return kind;
}

/* --- the program --- */

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Searches the folders of PATH for a name without a slash, as execvp() does. Returns false with
 * errno set if the name is not found. */
static bool find_by_path(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    char item[PATH_MAX];
    for (const char *at = folders ? folders : "/bin:/usr/bin", *end; at;
         at = *end ? end + 1 : NULL) {
        end = strchrnul(at, ':');
        int length = (int)(end - at);
        snprintf(item, sizeof item, "%.*s%s%s", length, at, length ? "/" : "", name);
        if (is_program(item))
            return (size_t)snprintf(path, size, "%s", item) < size;
    }
    errno = ENOENT;
    return false;
}

bool program_path(const char *name, char *path, size_t size)
{
    errno = 0;
    if (!strchr(name, '/'))
        return find_by_path(name, path, size);
    return (size_t)snprintf(path, size, "%s", name) < size && is_program(name);
}

/* Reads the interpreter of a script into line. Returns false if the file is not a script. */
static bool interpreter(const char *path, char *line, size_t size)
{
    int file = program_open(path);
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

/* Replaces the path of a script by the path of its interpreter, and repeats this while the
 * interpreter is a script. */
static void follow_scripts(char *path, size_t size)
{
    enum { DEEPEST = 5 }; /* the kernel's limit for scripts whose interpreters are scripts */
    char next[PATH_MAX];
    for (int i = 0; i < DEEPEST && interpreter(path, next, sizeof next); i++)
        snprintf(path, size, "%s", next);
}

/* True if a source contains ".scene", and so has a step that "tessera run" executes. */
static bool has_step(const char *path)
{
    enum { MOST = 1 << 26 };
    static const char step[] = ".scene";
    uint8_t *bytes;
    size_t size;
    if (!input_file_read(path, MOST, (struct tess_sink){0}, &bytes, &size))
        return false;
    bool has = memmem(bytes, size, step, sizeof step - 1) != NULL;
    free(bytes);
    return has;
}

/* Prints an error that explains why a program cannot be run, with a suggestion. Always returns
 * false. */
static bool program_complain(const char *title, const char *name, const char *why)
{
    struct tess_file_kind kind;
    char here[PATH_MAX];
    fprintf(stderr, "%s: cannot run '%s': %s\n", title, name, why);
    snprintf(here, sizeof here, "./%s", name);
    if (!strchr(name, '/') && is_program(here)) {
        fprintf(stderr, "The current folder is not searched; use './%s'.\n", name);
        return false;
    }
    paths_recognise(name, &kind);
    if (access(name, F_OK) != 0 || !kind.has_machine)
        return false;
    if (kind.scene || kind.machine != TESS_MACHINE_QPU || has_step(name))
        fprintf(stderr, "It is a GPU program; run it with 'tessera run %s'.\n", name);
    else
        fprintf(stderr,
                "It is QPU code without a step that runs it. Name the host program that loads it "
                "('tessera new compute DIR' writes an example), or add a step ('.scene qpu ...', "
                "docs/scene.md) and use 'tessera run'. 'tessera check %s' finds mistakes in it.\n",
                name);
    return false;
}

/* True if the program is set-user-ID or set-group-ID and so would run as another user or group. For
 * such a program, ld.so ignores LD_PRELOAD. */
static bool changes_rights(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 &&
           (((status.st_mode & S_ISUID) && status.st_uid != geteuid()) ||
            ((status.st_mode & S_ISGID) && status.st_gid != getegid()));
}

bool program_find(const char *title, const char *name, struct program_kind *kind)
{
    char path[PATH_MAX];
    if (!program_path(name, path, sizeof path))
        return program_complain(title, name, errno ? strerror(errno) : "not a program");
    follow_scripts(path, sizeof path);
    if (!is_program(path))
        return program_complain(title, name, "its interpreter is not a program");
    if (changes_rights(path))
        return program_complain(title, name,
                                "it is set-user-ID, so nothing can be preloaded into it; run the "
                                "program that it starts, which needs no privileges here");
    *kind = kind_of(path, PT_INTERP);
    if (!kind->is_elf) /* execvp() runs such a file with the shell */
        *kind = kind_of("/bin/sh", PT_INTERP);
    if (!kind->is_whole)
        return program_complain(title, name, "its ELF headers are invalid");
    if (!kind->is_dynamic)
        return program_complain(title, name,
                                "it is statically linked, so nothing can be preloaded into it; "
                                "link it dynamically");
    return true;
}

struct program_kind program_library(const char *path)
{
    return kind_of(path, PT_DYNAMIC);
}

struct program_kind program_own(void)
{
    return kind_of("/proc/self/exe", PT_INTERP);
}

bool program_agrees(const struct program_kind *one, const struct program_kind *other)
{
    return one->is_dynamic && other->is_dynamic && one->class == other->class &&
           one->machine == other->machine;
}

/* --- names of processors --- */

static const struct processor {
    uint16_t machine;
    uint8_t class;
    uint16_t wide; /* ELF machine of the 64-bit processor that also runs these programs */
    const char *name, *triplet, *emulator;
} processors[] = {
    {EM_X86_64, ELFCLASS64, EM_X86_64, "x86-64", "x86_64-linux-gnu", "qemu-x86_64"},
    {EM_386, ELFCLASS32, EM_X86_64, "i386", "i386-linux-gnu", "qemu-i386"},
    {EM_AARCH64, ELFCLASS64, EM_AARCH64, "arm64", "aarch64-linux-gnu", "qemu-aarch64"},
    {EM_ARM, ELFCLASS32, EM_AARCH64, "arm", "arm-linux-gnueabihf", "qemu-arm"},
};

static const struct processor *processor(const struct program_kind *kind)
{
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        if (processors[i].machine == kind->machine && processors[i].class == kind->class)
            return &processors[i];
    return NULL;
}

const char *program_processor(const struct program_kind *kind)
{
    return processor(kind) ? processor(kind)->name : NULL;
}

const char *program_triplet(const struct program_kind *kind)
{
    return processor(kind) ? processor(kind)->triplet : NULL;
}

const char *program_emulator(const struct program_kind *kind)
{
    const struct processor *own, *other = processor(kind);
    struct program_kind here = program_own();
    own = processor(&here);
    bool runs_itself = !own || !other || own == other || own->machine == other->wide;
    return runs_itself ? NULL : other->emulator;
}
