/* SPDX-License-Identifier: MIT */
/* triangles_mesa.c - draws the frame of triangles.qasm with Mesa into memory (OSMesa). Each driver
 * runs in a separate process, since Mesa selects the driver only once per process. */
#include "triangles_mesa.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <GL/gl.h>
#include <GL/osmesa.h>

enum { WIDTH = 1280, HEIGHT = 720, COLUMNS = 100, ROWS = 50, TEXTURE = 256, FRAMES = 10, RUNS = 3 };

struct corner {
    float x, y, z, s, t;
};

static struct corner corners[(COLUMNS + 1) * (ROWS + 1)];
static uint16_t indices[COLUMNS * ROWS * 6];
static uint8_t texels[TEXTURE * TEXTURE * 4], picture[WIDTH * HEIGHT * 4];

static void make_data(void)
{
    for (unsigned i = 0; i < (COLUMNS + 1) * (ROWS + 1); i++) {
        unsigned column = i % (COLUMNS + 1), row = i / (COLUMNS + 1);
        float x = (float)column * WIDTH / COLUMNS, y = (float)row * HEIGHT / ROWS;
        corners[i] = (struct corner){x, y, -(float)(column + row) / (COLUMNS + ROWS), x / 256,
                                     y / 256};
    }
    for (unsigned cell = 0; cell < COLUMNS * ROWS; cell++) {
        uint16_t corner = (uint16_t)(cell / COLUMNS * (COLUMNS + 1) + cell % COLUMNS),
                 below = (uint16_t)(corner + COLUMNS + 1);
        const uint16_t two[6] = {corner, (uint16_t)(corner + 1), below,
                                 below,  (uint16_t)(corner + 1), (uint16_t)(below + 1)};
        memcpy(&indices[6 * cell], two, sizeof two);
    }
    for (unsigned i = 0; i < TEXTURE * TEXTURE; i++) {
        const uint8_t texel[4] = {(uint8_t)i, (uint8_t)(i >> 3), (uint8_t)(i >> 8), 255};
        memcpy(&texels[4 * i], texel, sizeof texel);
    }
}

static bool set_up(void)
{
    OSMesaContext context = OSMesaCreateContextExt(OSMESA_RGBA, 24, 0, 0, NULL);
    if (!context || !OSMesaMakeCurrent(context, picture, GL_UNSIGNED_BYTE, WIDTH, HEIGHT))
        return false;
    glOrtho(0, WIDTH, HEIGHT, 0, 0, 1);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TEXTURE, TEXTURE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glVertexPointer(3, GL_FLOAT, sizeof corners[0], &corners[0].x);
    glTexCoordPointer(2, GL_FLOAT, sizeof corners[0], &corners[0].s);
    return true;
}

static double draw(void)
{
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (unsigned i = 0; i < FRAMES; i++) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawElements(GL_TRIANGLES, COLUMNS * ROWS * 6, GL_UNSIGNED_SHORT, indices);
        glFinish();
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return ((double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9) / FRAMES;
}

/* Returns the best time of a frame in seconds, or 0 on failure. Runs in the child process. */
static double measure(const char *driver)
{
    double best = 0;
    setenv("GALLIUM_DRIVER", driver, 1);
    setenv("LP_NUM_THREADS", "0", 1);
    make_data();
    for (unsigned i = 0; i < RUNS && (i > 0 || set_up()); i++) {
        double seconds = draw();
        best = best == 0 || seconds < best ? seconds : best;
    }
    return best;
}

double mesa_seconds(const char *driver)
{
    int ends[2];
    double seconds = 0;
    if (pipe(ends) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0) {
        seconds = measure(driver);
        _exit(write(ends[1], &seconds, sizeof seconds) != sizeof seconds);
    }
    close(ends[1]);
    if (child > 0 && read(ends[0], &seconds, sizeof seconds) != sizeof seconds)
        seconds = 0;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return seconds;
}
