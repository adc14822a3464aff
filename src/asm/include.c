/* SPDX-License-Identifier: MIT */
/* include.c - reads the files of .include and .incbin, each one once.
 *
 * A "file" is searched for in the folder of the including file, then in the include directories.
 * For <file> the order is reversed. Only regular files are read, because a device may never end.
 *
 * The assembler's built-in files, those of share/tessera/include, are searched last. As in vc4asm,
 * an include directory may also be a prefix of the file name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/internal.h"
#include "base/ascii.h"
#include "base/file.h"
#include "gp_inc.h"
#include "vc4_qinc.h"

struct binary {
    struct binary *next;
    char *path;
    struct buffer bytes;
};

/* Reads "name" or <name>. Returns false after an error. */
static bool take_file_name(struct assembler *a, struct cursor *c, const char **name, size_t *length,
                           bool *angled)
{
    ASM_PEEK(c);
    size_t start = c->at;
    char open = start < c->length ? c->text[start] : '\0';
    *angled = open == '<';
    char close = *angled ? '>' : '"';
    if (open == '<' || open == '"') {
        const char *end = memchr(c->text + start + 1, close, c->length - start - 1);
        if (end) {
            *name = c->text + start + 1;
            *length = (size_t)(end - *name);
            c->at = start + *length + 2;
            return true;
        }
    }
    as_report(a, "asm-syntax", start, NULL, "expected a file name in quotes");
    return false;
}

/* Returns directory/name, or name alone if directory is NULL or name is absolute. If the host is
 * out of memory, .failed is set. */
static struct buffer join(const char *directory, size_t directory_length, const char *name,
                          size_t length)
{
    struct buffer path = {0};
    if (directory_length > 0 && name[0] != '/')
        buffer_printf(&path, "%.*s/", (int)directory_length, directory);
    buffer_append(&path, name, length);
    buffer_byte(&path, 0);
    return path;
}

static bool is_readable(const struct buffer *path)
{
    struct stat facts;
    return !path->failed && stat((const char *)path->data, &facts) == 0 && S_ISREG(facts.st_mode) &&
           facts.st_size <= INCLUDE_SIZE_MAX;
}

static struct buffer try_beside(const struct assembler *a, const char *name, size_t length)
{
    const char *path = a->line->file->path;
    const char *slash = strrchr(path, '/');
    return join(path, slash ? (size_t)(slash - path) : 0, name, length);
}

static bool search_directories(struct assembler *a, const char *name, size_t length,
                               struct buffer *path)
{
    for (size_t i = 0; i < a->request->include_dir_count; i++) {
        const char *directory = a->request->include_dirs[i];
        *path = join(directory, strlen(directory), name, length);
        if (is_readable(path))
            return true;
        buffer_free(path);
        buffer_printf(path, "%s%.*s", directory, (int)length, name);
        buffer_byte(path, 0);
        if (is_readable(path))
            return true;
        buffer_free(path);
    }
    return false;
}

/* --- built-in files --- */

struct standard {
    const char *name, *path;
    const char *text;
    const unsigned *size;
};

static const struct standard standards[] = {
    {"vc4.qinc", "<vc4.qinc>", vc4_qinc, &vc4_qinc_size},
    {"gp.inc", "<gp.inc>", gp_inc, &gp_inc_size},
};

/* Finds a built-in file by its name, or by its path if by_path is true. */
static const struct standard *find_standard(const char *name, size_t length, bool by_path)
{
    for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++) {
        const char *other = by_path ? standards[i].path : standards[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return &standards[i];
    }
    return NULL;
}

static bool take_standard(const char *name, size_t length, struct buffer *path)
{
    const struct standard *standard = find_standard(name, length, false);
    if (standard)
        buffer_append(path, standard->path, strlen(standard->path) + 1);
    return standard && !path->failed;
}

/* Returns the standard include file of the instruction set, or NULL. */
static const struct standard *own_standard(const struct assembler *a)
{
    const char *name = a->request->isa->library;
    return name ? find_standard(name, strlen(name), false) : NULL;
}

/* Returns true if the line begins with one of the directives followed by the name. */
static bool line_defines(const char *line, size_t left, const char *const directives[],
                         size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        size_t skip = strlen(directives[i]);
        if (left > skip + length && memcmp(line, directives[i], skip) == 0 &&
            memcmp(line + skip, name, length) == 0 && !ascii_in_name(line[skip + length]))
            return true;
    }
    return false;
}

bool as_standard_defines(const struct assembler *a, const char *name, size_t length, bool macro)
{
    static const char *const directives[] = {".set ", ".func ", ".macro "};
    const struct standard *standard = own_standard(a);
    if (!standard)
        return false;
    const char *const *first = macro ? directives + 2 : directives;
    const char *end = standard->text + *standard->size;
    for (const char *line = standard->text, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        next = newline ? newline + 1 : end;
        if (line_defines(line, (size_t)(next - line), first, macro ? 1 : 2, name, length))
            return true;
    }
    return false;
}

/* Sets *path to the file that the directive names. Returns false after an error. */
static bool find_file(struct assembler *a, struct cursor *c, struct buffer *path)
{
    const char *name;
    size_t length, start = c->at;
    bool angled;
    if (!take_file_name(a, c, &name, &length, &angled))
        return false;
    if (angled && search_directories(a, name, length, path))
        return true;
    *path = try_beside(a, name, length);
    if (is_readable(path))
        return true;
    buffer_free(path);
    if (!angled && search_directories(a, name, length, path))
        return true;
    if (take_standard(name, length, path))
        return true;
    as_report(a, "asm-include", start, "add the file's directory with -I",
              "cannot find a readable file '%.*s'", length > 100 ? 100 : (int)length, name);
    return false;
}

static bool read_whole(struct assembler *a, size_t offset, const char *path, struct buffer *bytes)
{
    enum tess_status status = file_read(path, bytes);
    if (status == TESS_NO_MEMORY)
        as_out_of_memory(a);
    else if (status != TESS_OK)
        as_report(a, "asm-include", offset, NULL, "cannot read '%.100s': %s", path,
                  strerror(errno));
    return status == TESS_OK;
}

static struct source_file *read_source(struct assembler *a, size_t offset, const char *path)
{
    for (struct source_file *file = a->program->files; file; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file;
    struct buffer bytes = {0};
    const struct standard *standard = find_standard(path, strlen(path), true);
    if (standard)
        buffer_append(&bytes, standard->text, *standard->size);
    else if (!read_whole(a, offset, path, &bytes))
        return NULL;
    if (bytes.failed) {
        as_out_of_memory(a);
        return NULL;
    }
    struct source_file *file = source_from_text(path, (const char *)bytes.data, bytes.size,
                                                a->request->isa->semicolon_comments);
    buffer_free(&bytes);
    if (!file) {
        as_out_of_memory(a);
        return NULL;
    }
    file->next = a->program->files;
    a->program->files = file;
    return file;
}

struct source_file *as_read_include(struct assembler *a, struct cursor *c)
{
    struct buffer path = {0};
    ASM_PEEK(c);
    size_t offset = c->at;
    if (!find_file(a, c, &path))
        return NULL;
    struct source_file *file = read_source(a, offset, (const char *)path.data);
    buffer_free(&path);
    return file;
}

const void *as_standard_function(void *user, const char *name, size_t length, size_t *parameters)
{
    struct assembler *a = user;
    if (!as_standard_defines(a, name, length, false))
        return NULL;
    const struct source_file *file = read_source(a, 0, own_standard(a)->path);
    if (file)
        as_run_file(a, file);
    return as_function_find(a, name, length, parameters);
}

static struct binary *add_binary(struct assembler *a, size_t offset, const char *path)
{
    struct binary *binary = calloc(1, sizeof *binary);
    char *copy = as_take_text(a, path, strlen(path));
    if (!binary || !copy) {
        as_out_of_memory(a);
    } else if (read_whole(a, offset, path, &binary->bytes)) {
        binary->path = copy;
        binary->next = a->binaries;
        a->binaries = binary;
        return binary;
    }
    free(copy);
    free(binary);
    return NULL;
}

const struct buffer *as_read_binary(struct assembler *a, struct cursor *c)
{
    struct buffer path = {0};
    ASM_PEEK(c);
    size_t offset = c->at;
    if (!find_file(a, c, &path))
        return NULL;
    struct binary *binary = a->binaries;
    while (binary && strcmp(binary->path, (const char *)path.data) != 0)
        binary = binary->next;
    if (!binary)
        binary = add_binary(a, offset, (const char *)path.data);
    buffer_free(&path);
    return binary ? &binary->bytes : NULL;
}

void as_binaries_free(struct assembler *a)
{
    while (a->binaries) {
        struct binary *next = a->binaries->next;
        buffer_free(&a->binaries->bytes);
        free(a->binaries->path);
        free(a->binaries);
        a->binaries = next;
    }
}
