/* SPDX-License-Identifier: MIT */
/* streams.h - the C library's streams, for the code of a shim alone. The C library keeps its
 * streams in memory of malloc(), which may be the program's own; these are in the shim's (heap.h).
 *
 * The code calls fopen(), fprintf() and their like as usual. The linker leads those calls here
 * (--wrap, meson.build): a FILE of a shim is none of the C library's, and must not leave the shim.
 * Streams that a shim makes for the program are NEXT(fdopen)'s.
 *
 * No stream has a lock: who shares one between threads keeps them apart. Standard output and error
 * have no buffer, and each call is one write(). */
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

/* NULL: all streams of the program. */
int __wrap_fflush(FILE *stream);
int __wrap_setvbuf(FILE *stream, char *room, int mode, size_t size);
int __wrap_fileno(FILE *stream);
int __wrap_feof(FILE *stream);
int __wrap_ferror(FILE *stream);

char *__wrap_fgets(char *line, int size, FILE *stream);
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *stream);

/* Of streams that are read. */
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

/* What a compiler makes of some of those where _FORTIFY_SOURCE is set. */
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
