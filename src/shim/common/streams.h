/* SPDX-License-Identifier: MIT */
/* streams.h - streams like the C library's, for the shim's code only. The C library's streams use
 * memory from malloc(), which may be the program's own function. The streams of this file use the
 * shim's heap (heap.h).
 *
 * The shim's code calls fopen(), fprintf() and so on as usual. The linker redirects those calls to
 * this module (--wrap, meson.build). A FILE of a shim is not a FILE of the C library and must not
 * leave the shim. A stream that a shim returns to the program is opened with NEXT(fdopen).
 *
 * Streams have no locks, so threads that share a stream must synchronize. Standard output and
 * standard error have no buffer: each call is one write(). */
#ifndef SHIM_COMMON_STREAMS_H
#define SHIM_COMMON_STREAMS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

extern FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
int __wrap_fclose(FILE *stream);

/* If stream is NULL, flushes the streams of the C library, which the program uses. */
int __wrap_fflush(FILE *stream);
int __wrap_setvbuf(FILE *stream, char *room, int mode, size_t size);
int __wrap_fileno(FILE *stream);
int __wrap_feof(FILE *stream);
int __wrap_ferror(FILE *stream);

char *__wrap_fgets(char *line, int size, FILE *stream);
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *stream);

/* Works for INPUT streams only. */
int __wrap_fseek(FILE *stream, long offset, int whence);

size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *stream);
int __wrap_fputc(int byte, FILE *stream);
int __wrap_fputs(const char *text, FILE *stream);
int __wrap_vfprintf(FILE *stream, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
int __wrap_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_vdprintf(int file, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
int __wrap_dprintf(int file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* If _FORTIFY_SOURCE is set, the compiler calls these functions in place of some functions
 * above. */
char *__wrap___fgets_chk(char *line, size_t room, int size, FILE *stream);
size_t __wrap___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream);
int __wrap___vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int __wrap___fprintf_chk(FILE *stream, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int __wrap___vdprintf_chk(int file, int flag, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
int __wrap___dprintf_chk(int file, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
