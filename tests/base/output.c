/* SPDX-License-Identifier: MIT */
/* output.c - tests that output files are written completely or not at all, for single files and
 * for sets of files. The requirements are those of docs/output.md. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tessera/output.h>

#include "../register.h"
#include "base/buffer.h"
#include "base/file.h"

static char folder[] = "/tmp/tessera-output-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

/* Empties the folder before each test. */
static int begin(void **state)
{
    (void)state;
    return system("rm -rf ./* .t*");
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect(const char *name, const char *text)
{
    struct buffer file;
    assert_int_equal(file_read(name, &file), TESS_OK);
    assert_string_equal((const char *)file.data, text);
    buffer_free(&file);
}

/* Checks the number of files in the folder, including hidden ones. */
static void expect_count(int wanted)
{
    int count = -1;
    FILE *list = popen("ls -A | wc -l", "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    assert_int_equal(count, wanted);
}

static struct tess_outputs *make(void)
{
    struct tess_outputs *set;
    assert_int_equal(tess_outputs_create(&set), TESS_OK);
    return set;
}

static struct tess_output *open_one(struct tess_outputs *set, const char *name, const char *text)
{
    struct tess_output *output;
    assert_int_equal(tess_output_open(set, name, &output), TESS_OK);
    fputs(text, tess_output_stream(output));
    return output;
}

static void expect_refused(struct tess_outputs *set, const char *name, const char *why)
{
    struct tess_output *output;
    assert_int_equal(tess_output_open(set, name, &output), TESS_IO);
    assert_null(output);
    if (!strstr(tess_outputs_error(), why))
        fail_msg("%s", tess_outputs_error());
}

TEST_WITH(is_there_only_when_committed, begin, NULL)
{
    struct tess_outputs *set = make();
    put("a", "old");
    open_one(set, "a", "new a");
    assert_int_equal(tess_output_finish(open_one(set, "b", "new b")), TESS_OK);
    expect("a", "old");
    assert_int_equal(access("b", F_OK), -1);
    assert_int_equal(tess_outputs_commit(set), TESS_OK);
    expect("a", "new a");
    expect("b", "new b");
    expect_count(2);
    tess_outputs_free(set);
}

TEST_WITH(leaves_nothing_uncommitted, begin, NULL)
{
    struct tess_outputs *set = make();
    put("a", "old");
    open_one(set, "a", "new");
    expect_count(2);
    tess_outputs_free(set);
    expect("a", "old");
    expect_count(1);
}

TEST_WITH(one_failure_is_everybodys, begin, NULL)
{
    struct tess_outputs *set = make();
    put("a", "old");
    open_one(set, "a", "new");
    struct tess_output *full = open_one(set, "/dev/full", "more than there is room for");
    assert_int_equal(tess_output_finish(full), TESS_IO);
    assert_string_equal(tess_outputs_error(), "cannot write to /dev/full: No space left on device");
    assert_int_equal(tess_outputs_commit(set), TESS_IO);
    expect("a", "old");
    expect_count(1);
    tess_outputs_free(set);
}

/* The last output cannot be renamed, because a folder has its name. Outputs that were already
 * renamed must be restored. */
TEST_WITH(takes_back_what_is_renamed, begin, NULL)
{
    struct tess_outputs *set = make();
    put("a", "old");
    open_one(set, "a", "new");
    open_one(set, "b", "new");
    open_one(set, "c", "new");
    assert_int_equal(mkdir("c", 0777), 0);
    assert_int_equal(tess_outputs_commit(set), TESS_IO);
    expect("a", "old");
    expect_count(2);
    tess_outputs_free(set);
}

TEST_WITH(follows_links, begin, NULL)
{
    struct stat status;
    assert_int_equal(mkdir("d", 0777), 0);
    put("d/a", "old");
    assert_int_equal(symlink("d/a", "one"), 0);
    assert_int_equal(symlink("../one", "d/two"), 0);
    assert_int_equal(symlink("d/none", "dangling"), 0);
    assert_int_equal(tess_output_write("d/two", "new", 3), TESS_OK);
    expect("d/a", "new");
    assert_int_equal(lstat("one", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(tess_output_write("dangling", "x", 1), TESS_OK);
    expect("d/none", "x");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(tess_output_write("loop", "x", 1), TESS_IO);
}

static void expect_mode(const char *name, unsigned mode)
{
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    assert_int_equal(status.st_mode & 07777, mode);
}

TEST_WITH(keeps_modes, begin, NULL)
{
    put("private", "old");
    assert_int_equal(chmod("private", 0600), 0);
    put("program", "old");
    assert_int_equal(chmod("program", 04751), 0);
    mode_t before = umask(027);
    assert_int_equal(tess_output_write("private", "new", 3), TESS_OK);
    assert_int_equal(tess_output_write("program", "new", 3), TESS_OK);
    assert_int_equal(tess_output_write("fresh", "new", 3), TESS_OK);
    umask(before);
    expect_mode("private", 0600);
    expect_mode("program", 0751); /* the setuid and setgid bits are removed */
    expect_mode("fresh", 0640);
}

TEST_WITH(keeps_the_owner, begin, NULL)
{
    struct stat status;
    if (geteuid() != 0)
        skip();
    put("a", "old");
    assert_int_equal(chown("a", 12345, 23456), 0);
    assert_int_equal(tess_output_write("a", "new", 3), TESS_OK);
    assert_int_equal(stat("a", &status), 0);
    assert_int_equal(status.st_uid, 12345);
    assert_int_equal(status.st_gid, 23456);
}

TEST_WITH(other_names_keep_the_old_file, begin, NULL)
{
    put("a", "old");
    assert_int_equal(link("a", "b"), 0);
    assert_int_equal(tess_output_write("a", "new", 3), TESS_OK);
    expect("b", "old");
}

TEST_WITH(refuses_inputs, begin, NULL)
{
    struct tess_outputs *set = make();
    put("in", "old");
    assert_int_equal(link("in", "hard"), 0);
    assert_int_equal(symlink("in", "soft"), 0);
    int file = open("in", O_RDONLY);
    assert_int_equal(tess_outputs_add_input(set, file, "in"), TESS_OK);
    expect_refused(set, "in", "cannot write to in: this file is also an input (in)");
    expect_refused(set, ".//hard", "this file is also an input (in)");
    expect_refused(set, "soft", "this file is also an input (in)");
    assert_int_equal(tess_outputs_commit(set), TESS_IO);
    close(file);
    expect("in", "old");
    tess_outputs_free(set);
}

/* The commit must fail if a file that is open as an output is then read as an input. */
TEST_WITH(refuses_inputs_that_come_later, begin, NULL)
{
    struct tess_outputs *set = make();
    struct buffer bytes;
    put("in", "old");
    tess_outputs_use(set);
    open_one(set, "in", "new");
    assert_int_equal(file_read("in", &bytes), TESS_OK);
    buffer_free(&bytes);
    assert_int_equal(tess_outputs_commit(set), TESS_IO);
    tess_outputs_free(set);
    expect("in", "old");
    expect_count(1);
}

TEST_WITH(refuses_the_same_twice, begin, NULL)
{
    static const char *const names[] = {"new", "./new", "d/../new", "link"};
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(symlink("new", "link"), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tess_outputs *set = make();
        open_one(set, "new", "text");
        expect_refused(set, names[i], "another output writes to the same file (new)");
        assert_int_equal(tess_outputs_claim(set, names[i]), TESS_IO);
        tess_outputs_free(set);
    }
    expect_count(2);
}

TEST_WITH(finds_one_among_many, begin, NULL)
{
    char name[32];
    struct tess_outputs *set = make();
    for (unsigned i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "many-%u", i);
        assert_int_equal(tess_outputs_claim(set, name), TESS_OK);
    }
    for (unsigned i = 0; i < 20000; i += 1999) {
        snprintf(name, sizeof name, "./many-%u", i);
        assert_int_equal(tess_outputs_claim(set, name), TESS_IO);
    }
    tess_outputs_free(set);
}

TEST_WITH(devices_take_several, begin, NULL)
{
    struct tess_outputs *set = make();
    open_one(set, "/dev/null", "one");
    open_one(set, "/dev/null", "two");
    assert_int_equal(tess_outputs_commit(set), TESS_OK);
    tess_outputs_free(set);
}

/* A name such as /dev/fd/3 refers to an open descriptor and its position. The file must not be
 * opened again. */
TEST_WITH(writes_to_descriptors, begin, NULL)
{
    char name[40];
    int file = open("log", O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(file, "one ", 4), 4);
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    assert_int_equal(tess_output_write(name, "two ", 4), TESS_OK);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    assert_int_equal(tess_output_write(name, "three", 5), TESS_OK);
    close(file);
    expect("log", "one two three");
    expect_count(1);
}

TEST_WITH(says_why_not, begin, NULL)
{
    assert_int_equal(tess_output_write("nowhere/x", "", 0), TESS_IO);
    assert_string_equal(tess_outputs_error(),
                        "cannot write to nowhere/x: No such file or directory");
    assert_int_equal(tess_output_write(".", "", 0), TESS_IO);
    assert_string_equal(tess_outputs_error(), "cannot write to .: Is a directory");
    assert_int_equal(tess_output_write("new/", "", 0), TESS_IO);
    assert_int_equal(tess_output_write("", "", 0), TESS_IO);
    expect_count(0);
}

TEST_WITH(files_never_get_standard_numbers, begin, NULL)
{
    struct tess_outputs *set = make();
    int input = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    open_one(set, "a", "text");
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    assert_int_equal(tess_outputs_commit(set), TESS_OK);
    dup2(input, STDIN_FILENO);
    close(input);
    tess_outputs_free(set);
    expect("a", "text");
}

TEST_WITH(removes_temporaries_for_signals, begin, NULL)
{
    struct tess_outputs *set = make();
    put("a", "old");
    open_one(set, "a", "new");
    open_one(set, "b", "new");
    expect_count(3);
    tess_outputs_remove_temporaries();
    expect_count(1);
    tess_outputs_free(set);
    expect("a", "old");
}

TEST_GROUP(set_up, tear_down)
