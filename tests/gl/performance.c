/* SPDX-License-Identifier: MIT */
/* performance.c - tests hardware counters through AMD_performance_monitor.
 *
 * Expected: the extension's specification. Quads of 2 x 2 pixels were counted by hand: a triangle
 * over 64 x 64 pixels has 32 * 32 quads. The names of the counters are those of Mesa 22.3.6,
 * vc4_query.c. */
#include "gl_test.h"

#include <stdlib.h>
#include <string.h>

static PFNGLGETPERFMONITORGROUPSAMDPROC get_groups;
static PFNGLGETPERFMONITORCOUNTERSAMDPROC get_counters;
static PFNGLGETPERFMONITORCOUNTERSTRINGAMDPROC get_counter_string;
static PFNGLGENPERFMONITORSAMDPROC generate;
static PFNGLDELETEPERFMONITORSAMDPROC delete_monitors;
static PFNGLSELECTPERFMONITORCOUNTERSAMDPROC select_counters;
static PFNGLBEGINPERFMONITORAMDPROC begin;
static PFNGLENDPERFMONITORAMDPROC end;
static PFNGLGETPERFMONITORCOUNTERDATAAMDPROC get_data;

struct counter {
    GLuint group, number;
};

static void get_functions(void)
{
    gl_need("GL_AMD_performance_monitor");
    get_groups = gl_function("glGetPerfMonitorGroupsAMD");
    get_counters = gl_function("glGetPerfMonitorCountersAMD");
    get_counter_string = gl_function("glGetPerfMonitorCounterStringAMD");
    generate = gl_function("glGenPerfMonitorsAMD");
    delete_monitors = gl_function("glDeletePerfMonitorsAMD");
    select_counters = gl_function("glSelectPerfMonitorCountersAMD");
    begin = gl_function("glBeginPerfMonitorAMD");
    end = gl_function("glEndPerfMonitorAMD");
    get_data = gl_function("glGetPerfMonitorCounterDataAMD");
    GLint groups = 0;
    get_groups(&groups, 0, NULL);
    if (groups == 0)
        gl_skip("no groups of counters");
}

static bool find_in_group(GLuint group, const char *name, struct counter *counter)
{
    GLint count = 0, at_once;
    GLuint numbers[64];
    get_counters(group, &count, &at_once, 0, NULL);
    CHECK(count <= 64);
    get_counters(group, &count, &at_once, count, numbers);
    for (GLint i = 0; i < count; i++) {
        char text[128] = "";
        get_counter_string(group, numbers[i], sizeof(text), NULL, text);
        *counter = (struct counter){group, numbers[i]};
        if (strcmp(text, name) == 0)
            return true;
    }
    return false;
}

static struct counter find_counter(const char *name)
{
    GLint count = 0;
    GLuint groups[16];
    struct counter counter;
    get_groups(&count, 16, groups);
    for (GLint i = 0; i < count; i++)
        if (find_in_group(groups[i], name, &counter))
            return counter;
    FAIL("no counter %s", name);
}

/* Creates a monitor of one counter. */
static GLuint make_monitor(const char *name)
{
    struct counter counter = find_counter(name);
    GLuint monitor;
    generate(1, &monitor);
    select_counters(monitor, GL_TRUE, counter.group, 1, &counter.number);
    return monitor;
}

/* Returns the monitor's value. In the result, the counter's group and number precede the value. */
static uint64_t value_of(GLuint monitor)
{
    GLuint available = 0, words[8] = {0};
    GLsizei written = 0;
    for (int i = 0; i < 1000 && !available; i++)
        get_data(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD, sizeof(available), &available, &written);
    CHECK(available);
    get_data(monitor, GL_PERFMON_RESULT_AMD, sizeof(words), words, &written);
    CHECK(written >= 12);
    return words[2] | (written >= 16 ? (uint64_t)words[3] << 32 : 0);
}

/* Draws a triangle that covers the target, `count` times. */
static void draw_triangles(int count)
{
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    gl_use_color(0, 1, 0, 1);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    for (int i = 0; i < count; i++)
        glDrawArrays(GL_TRIANGLES, 0, 3);
}

static uint64_t count_of(const char *name, int triangles)
{
    GLuint monitor = make_monitor(name);
    begin(monitor);
    draw_triangles(triangles);
    end(monitor);
    uint64_t value = value_of(monitor);
    delete_monitors(1, &monitor);
    return value;
}

static void expect_count(const char *name, int triangles, uint64_t expected)
{
    gl_about(name);
    uint64_t is = count_of(name, triangles);
    if (is != expected)
        FAIL("%d triangles count %llu, expected %llu", triangles, (unsigned long long)is,
             (unsigned long long)expected);
}

static void quads(void)
{
    get_functions();
    for (int n = 1; n <= 5; n += 2) {
        uint64_t count = (uint64_t)n;
        expect_count("FEP-valid-primitives-rendered-pixels", n, count);
        expect_count("FEP-valid-quads", n, 1024 * count);
        expect_count("TLB-quads-written-to-color-buffer", n, 1024 * count);
        expect_count("TLB-quads-not-passing-z-and-stencil-test", n, 0);
    }
}

/* In half of the target, the stored depth is nearer than the draw. So 512 of the 1024 quads
 * fail. */
static void failing_quads(void)
{
    get_functions();
    gl_use_color(1, 0, 0, 1);
    glEnable(GL_DEPTH_TEST);
    gl_quad(0, 0, 32, 64, -0.5f);
    EXPECT_PIXEL(0, 0, RED, 0);
    expect_count("TLB-quads-written-to-color-buffer", 1, 512);
    EXPECT_RECT(0, 0, 32, 64, RED, 0);
    EXPECT_RECT(32, 0, 32, 64, GREEN, 0);
}

/* The same draws must have the same count each time, because nothing else runs on the modelled
 * hardware. */
static void repeatable(void)
{
    get_functions();
    count_of("QPU-total-clk-cycles-fragment-shading", 3); /* the first draw also compiles the
                                                             shader */
    uint64_t first = count_of("QPU-total-clk-cycles-fragment-shading", 3);
    CHECK(first > 0);
    for (int i = 0; i < 3; i++)
        CHECK(count_of("QPU-total-clk-cycles-fragment-shading", 3) == first);
}

/* A monitor adds up several frames. Beginning it again resets the sum. */
static void sums(void)
{
    get_functions();
    GLuint monitor = make_monitor("FEP-valid-primitives-rendered-pixels");
    for (int round = 1; round <= 2; round++) {
        begin(monitor);
        for (int i = 0; i < 4; i++) {
            draw_triangles(round);
            glFinish();
        }
        end(monitor);
        CHECK(value_of(monitor) == 4 * (uint64_t)round);
    }
    delete_monitors(1, &monitor);
}

const struct gl_case gl_cases[] = {
    {"quads", quads, ON_FBO},
    {"failing_quads", failing_quads, ON_FBO},
    {"repeatable", repeatable, ON_FBO},
    {"sums", sums, ON_FBO},
    {NULL, NULL, ON_BOTH},
};
