/* SPDX-License-Identifier: MIT */
/* streams.c - see streams.h.
 *
 * In:  calls from the shim's code.
 * Out: read() and write(), or bytes in memory.
 *
 * Source: fopen(3), open_memstream(3), fopencookie(3), setvbuf(3), printf(3).
 * Choices: if a write fails, its bytes are dropped. ferror() and fclose() report the loss.
 * Left out: streams that are both read and written; seeking in output streams. */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "next.h"

enum { ROOM = 4096, SHORT_TEXT = 1024, MODE = 0666 };

/* Structure that a shim's FILE pointer points to. */
struct stream {
    enum { INPUT, OUTPUT, MEMORY, COOKIE } kind;
    int file;          /* descriptor of an INPUT or OUTPUT stream */
    bool error, ended; /* ended: true if an INPUT stream has been read up to the end of the file */
    bool borrowed;     /* true if the caller owns the buffer */
    char *room;        /* buffer; NULL for an unbuffered stream */
    size_t size;       /* size of the buffer in bytes */
    /* In an INPUT stream, room[from] to room[used - 1] are the unread bytes. In other streams,
     * `used` is the number of unwritten bytes. */
    size_t from, used;
    char **text; /* MEMORY stream: where to store the address and the length of the text */
    size_t *length;
    void *cookie;
    cookie_write_function_t *write;
    cookie_close_function_t *close;
};

static struct stream standard[] = {
    {.kind = INPUT, .file = STDIN_FILENO},
    {.kind = OUTPUT, .file = STDOUT_FILENO},
    {.kind = OUTPUT, .file = STDERR_FILENO},
};

FILE *__wrap_stdin = (FILE *)&standard[0];
FILE *__wrap_stdout = (FILE *)&standard[1];
FILE *__wrap_stderr = (FILE *)&standard[2];

static struct stream *of(FILE *stream)
{
    return (struct stream *)stream;
}

/* --- opening --- */

/* Returns a stream with a buffer of size bytes, or NULL if there is no memory. */
static struct stream *make(size_t size)
{
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (struct stream){.file = -1, .size = size, .room = malloc(size)};
    if (stream->room)
        return stream;
    free(stream);
    return NULL;
}

FILE *__wrap_fdopen(int file, const char *mode)
{
    struct stream *stream = make(ROOM);
    if (!stream)
        return NULL;
    stream->kind = mode[0] == 'r' ? INPUT : OUTPUT;
    stream->file = file;
    return (FILE *)stream;
}

/* Returns the flags of open() for a mode of fopen(). */
static int flags_of(const char *mode)
{
    int flags = O_LARGEFILE | (mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT);
    if (mode[0] != 'r')
        flags |= mode[0] == 'a' ? O_APPEND : O_TRUNC;
    return strchr(mode, 'e') ? flags | O_CLOEXEC : flags;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    const int file = open(path, flags_of(mode), MODE);
    FILE *stream = file < 0 ? NULL : __wrap_fdopen(file, mode);
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}

FILE *__wrap_open_memstream(char **text, size_t *length)
{
    struct stream *stream = make(ROOM);
    if (!stream)
        return NULL;
    stream->kind = MEMORY;
    stream->text = text;
    stream->length = length;
    return (FILE *)stream;
}

FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    struct stream *stream = make(ROOM);
    (void)mode;
    if (!stream)
        return NULL;
    stream->kind = COOKIE;
    stream->cookie = cookie;
    stream->write = functions.write;
    stream->close = functions.close;
    return (FILE *)stream;
}

static void drop_room(struct stream *stream)
{
    if (!stream->borrowed)
        free(stream->room);
    stream->room = NULL;
    stream->size = 0;
}

int __wrap_setvbuf(FILE *file, char *room, int mode, size_t size)
{
    struct stream *stream = of(file);
    if (stream->kind == MEMORY || stream->used || (mode != _IONBF && !room))
        return EOF;
    drop_room(stream);
    if (mode == _IONBF)
        return 0;
    stream->borrowed = true;
    stream->room = room;
    stream->size = size;
    return 0;
}

/* --- writing --- */

/* Writes `size` bytes to a descriptor. Returns false with errno set on error. */
static bool write_file(int file, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t count = write(file, bytes, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

/* Writes `size` bytes with a cookie's write function. That function returns 0 on failure. */
static bool write_cookie(const struct stream *stream, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t count = stream->write(stream->cookie, bytes, size);
        if (count <= 0 || (size_t)count > size)
            return false;
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

static bool send(struct stream *stream, const char *bytes, size_t size)
{
    const bool good = stream->kind == COOKIE ? write_cookie(stream, bytes, size)
                                             : write_file(stream->file, bytes, size);
    stream->error |= !good;
    return good;
}

static bool send_room(struct stream *stream)
{
    const size_t used = stream->used;
    stream->used = 0;
    return send(stream, stream->room, used);
}

/* Enlarges the buffer of a MEMORY stream so that `size` more bytes and a terminating 0 fit. The
 * buffer grows by half at least. */
static bool grow(struct stream *stream, size_t size)
{
    if (size < stream->size - stream->used)
        return true;
    if (size > PTRDIFF_MAX / 2 - stream->used)
        return false;
    const size_t wanted = stream->used + size + 1, more = stream->size + stream->size / 2;
    char *room = realloc(stream->room, wanted > more ? wanted : more);
    if (!room)
        return false;
    stream->room = room;
    stream->size = wanted > more ? wanted : more;
    return true;
}

static bool make_room(struct stream *stream, size_t size)
{
    if (stream->kind != MEMORY)
        return size <= stream->size - stream->used || send_room(stream);
    const bool good = grow(stream, size);
    stream->error |= !good;
    return good;
}

/* Appends bytes to the buffer. Bytes that do not fit even in an empty buffer are written
 * directly. */
static bool put(struct stream *stream, const char *bytes, size_t size)
{
    if (stream->kind == INPUT) {
        stream->error = true;
        errno = EBADF;
        return false;
    }
    if (!make_room(stream, size))
        return false;
    if (size > stream->size)
        return send(stream, bytes, size);
    if (size)
        memcpy(stream->room + stream->used, bytes, size);
    stream->used += size;
    return true;
}

size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    return size && put(of(stream), from, size * count) ? count : 0;
}

int __wrap_fputs(const char *text, FILE *stream)
{
    return put(of(stream), text, strlen(text)) ? 1 : EOF;
}

int __wrap_fputc(int byte, FILE *stream)
{
    const char small = (char)byte;
    return put(of(stream), &small, 1) ? (unsigned char)byte : EOF;
}

/* --- formatted output --- */

static int print_long(struct stream *stream, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Prints a text of `size` bytes that does not fit in the caller's buffer on the stack. */
static int print_long(struct stream *stream, size_t size, const char *format, va_list arguments)
{
    char *text = malloc(size + 1);
    if (!text) {
        stream->error = true;
        return -1;
    }
    vsnprintf(text, size + 1, format, arguments);
    const bool good = put(stream, text, size);
    free(text);
    return good ? (int)size : -1;
}

int __wrap_vfprintf(FILE *stream, const char *format, va_list arguments)
{
    char text[SHORT_TEXT];
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(text, sizeof text, format, arguments);
    if (size >= SHORT_TEXT)
        size = print_long(of(stream), (size_t)size, format, again);
    else if (size >= 0 && !put(of(stream), text, (size_t)size))
        size = -1;
    va_end(again);
    return size;
}

int __wrap_vdprintf(int file, const char *format, va_list arguments)
{
    struct stream stream = {.kind = OUTPUT, .file = file};
    return __wrap_vfprintf((FILE *)&stream, format, arguments);
}

/* Body of a function with variable arguments after `last`. `call` passes them on in the va_list
 * `arguments`. */
#define LIST(last, call)       \
    va_list arguments;         \
    va_start(arguments, last); \
    const int result = call;   \
    va_end(arguments);         \
    return result

int __wrap_fprintf(FILE *stream, const char *format, ...)
{
    LIST(format, __wrap_vfprintf(stream, format, arguments));
}

int __wrap_dprintf(int file, const char *format, ...)
{
    LIST(format, __wrap_vdprintf(file, format, arguments));
}

int __wrap___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    LIST(format, __wrap_vfprintf(stream, format, arguments));
}

int __wrap___dprintf_chk(int file, int flag, const char *format, ...)
{
    (void)flag;
    LIST(format, __wrap_vdprintf(file, format, arguments));
}

int __wrap___vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return __wrap_vfprintf(stream, format, arguments);
}

int __wrap___vdprintf_chk(int file, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return __wrap_vdprintf(file, format, arguments);
}

/* --- reading --- */

/* Refills the empty buffer. Returns false at the end of the file or on error. */
static bool fill(struct stream *stream)
{
    ssize_t count;
    if (stream->kind != INPUT || !stream->room) {
        stream->error = true;
        errno = EBADF;
        return false;
    }
    do
        count = read(stream->file, stream->room, stream->size);
    while (count < 0 && errno == EINTR);
    stream->ended |= count == 0;
    stream->error |= count < 0;
    stream->from = 0;
    stream->used = count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* Copies up to `size` unread bytes and returns the number of copied bytes. If `line` is true, stops
 * after the first newline. */
static size_t take(struct stream *stream, char *to, size_t size, bool line)
{
    const char *from = stream->room + stream->from;
    const size_t unread = stream->used - stream->from;
    size_t count = size < unread ? size : unread;
    const char *end = line ? memchr(from, '\n', count) : NULL;
    if (end)
        count = (size_t)(end - from) + 1;
    memcpy(to, from, count);
    stream->from += count;
    return count;
}

static bool has_unread(struct stream *stream)
{
    if (stream == &standard[0] && !stream->room) {
        static char room[ROOM];
        __wrap_setvbuf((FILE *)stream, room, _IOFBF, sizeof room);
    }
    return stream->from < stream->used || fill(stream);
}

char *__wrap_fgets(char *line, int size, FILE *file)
{
    size_t length = 0;
    while (length + 1 < (size_t)size && has_unread(of(file))) {
        length += take(of(file), line + length, (size_t)size - 1 - length, true);
        if (line[length - 1] == '\n')
            break;
    }
    if (!length)
        return NULL;
    line[length] = 0;
    return line;
}

size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file)
{
    const size_t wanted = size * count;
    size_t length = 0;
    while (length < wanted && has_unread(of(file)))
        length += take(of(file), (char *)to + length, wanted - length, false);
    return size ? length / size : 0;
}

int __wrap_fseek(FILE *file, long offset, int whence)
{
    struct stream *stream = of(file);
    const long unread = whence == SEEK_CUR ? (long)(stream->used - stream->from) : 0;
    if (stream->kind != INPUT || lseek(stream->file, offset - unread, whence) < 0)
        return -1;
    stream->from = stream->used = 0;
    stream->ended = false;
    return 0;
}

char *__wrap___fgets_chk(char *line, size_t room, int size, FILE *stream)
{
    (void)room;
    return __wrap_fgets(line, size, stream);
}

size_t __wrap___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
    (void)room;
    return __wrap_fread(to, size, count, stream);
}

/* --- status, flushing and closing --- */

int __wrap_fileno(FILE *stream)
{
    return of(stream)->file;
}

int __wrap_feof(FILE *stream)
{
    return of(stream)->ended;
}

int __wrap_ferror(FILE *stream)
{
    return of(stream)->error;
}

/* Stores the text's address and length at the addresses passed to open_memstream(). Appends a 0 to
 * the text. The buffer always has room for the 0. */
static int show(const struct stream *stream)
{
    stream->room[stream->used] = 0;
    *stream->text = stream->room;
    *stream->length = stream->used;
    return stream->error ? EOF : 0;
}

int __wrap_fflush(FILE *file)
{
    struct stream *stream = of(file);
    if (!stream)
        return NEXT(fflush)(NULL);
    if (stream->kind == MEMORY)
        return show(stream);
    return stream->kind == INPUT || send_room(stream) ? 0 : EOF;
}

/* Closes the stream. Does not free the buffer of a MEMORY stream, which belongs to the code that
 * opened the stream. */
static bool end(struct stream *stream)
{
    if (stream->kind == MEMORY)
        return true;
    drop_room(stream);
    if (stream->kind == COOKIE)
        return !stream->close || stream->close(stream->cookie) == 0;
    return close(stream->file) == 0;
}

int __wrap_fclose(FILE *file)
{
    const bool good = __wrap_fflush(file) == 0;
    int error = errno;
    const bool closed = end(of(file));
    if (good)
        error = errno;
    free(file);
    errno = error;
    return good && closed ? 0 : EOF;
}
