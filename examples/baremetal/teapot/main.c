/* SPDX-License-Identifier: MIT */
/* teapot - a teapot that rotates once in FRAMES frames, with its image in two pages: the GPU draws
 * one while the display shows the other. The 3D block and the system timer interrupt the ARM, which
 * sleeps between. */
#include "list.h"
#include "mailbox.h"
#include "shader.h"
#include "uart.h"
#include "v3d.h"

#ifndef FRAMES
#define FRAMES 240
#endif

enum { WIDTH = 320, HEIGHT = 240, PERIOD = 16667 /* microseconds */ };

/* Interrupt controller and system timer ("BCM2835 ARM Peripherals", sections 7 and 12). */
#define ENABLE_IRQS_1 PERIPHERAL(0xb210)
#define TIMER_CS      PERIPHERAL(0x3000)
#define TIMER_C1      PERIPHERAL(0x3010)
enum { IRQ_TIMER1 = 1 << 1, IRQ_V3D = 1 << 10, TIMER_MATCH1 = 1 << 1 };

/* teapot.qasm */
extern const uint32_t coordinate_shader[], vertex_shader[], fragment_shader[];
extern const uint32_t fragment_uniforms[], counts[2];
extern const float vertices[][6]; /* position and normal */
extern const uint16_t indices[];

/* In the order in which the shaders read them. */
static struct {
    float x[3], y[3], w[3], distance;
    float z_scale, z_offset, x_scale, y_scale;
    float light[3], halfway[3];
} uniforms;

static struct gl_shader shader;
static struct tiles tiles;
static uint8_t binning[256], rendering[2][1024];

/* --- interrupts --- */

static volatile bool drawn, tick;

void interrupt(void)
{
    barrier();
    if (V3D_INTCTL & V3D_INT_FRDONE) {
        V3D_INTCTL = V3D_INT_FRDONE;
        drawn = true;
    }
    barrier();
    if (TIMER_CS & TIMER_MATCH1) {
        TIMER_C1 += PERIOD;
        TIMER_CS = TIMER_MATCH1;
        tick = true;
    }
    barrier();
}

static void start_interrupts(void)
{
    V3D_INTCTL = V3D_INT_FRDONE | V3D_INT_FLDONE;
    V3D_INTENA = V3D_INT_FRDONE;
    barrier();
    TIMER_CS = TIMER_MATCH1;
    TIMER_C1 = microseconds() + PERIOD;
    barrier();
    ENABLE_IRQS_1 = IRQ_TIMER1 | IRQ_V3D;
}

/* Sleeps until an interrupt has set *event, and clears it. Interrupts are off between the test and
 * the sleep, so that none comes unseen: a pending interrupt also ends the sleep. */
static void wait_for(volatile bool *event)
{
    while (!*event) {
        wait_for_interrupt();
        asm volatile("cpsie i\n nop\n cpsid i" ::: "memory");
    }
    *event = false;
}

/* --- one frame --- */

/* Returns the sine of an angle from 0 to 5 pi / 2, by its Taylor series. */
static float sine(float angle)
{
    const float pi = 3.14159265f;
    if (angle > 1.5f * pi)
        angle -= 2 * pi;
    else if (angle > 0.5f * pi)
        angle = pi - angle;
    float square = angle * angle, term = angle, sum = angle;
    for (int i = 2; i < 14; i += 2) {
        term *= -square / (float)(i * (i + 1));
        sum += term;
    }
    return sum;
}

/* Rotates a direction of the camera (x to the right, y upwards, z to the camera) into the teapot's
 * axes. The camera looks down by 0.4 radians. */
static void rotate(float to[3], float sin, float cos, float x, float y, float z)
{
    const float sin_down = 0.38941834f, cos_down = 0.92106099f;
    float ahead = z * cos_down - y * sin_down;
    to[0] = x * cos - ahead * sin;
    to[1] = y * cos_down + z * sin_down;
    to[2] = x * sin + ahead * cos;
}

static void fill_uniforms(uint32_t frame)
{
    const float near = 3, far = 9, focus = 3.2f;
    float angle = 6.28318531f * (float)(frame % FRAMES) / FRAMES;
    float sin = sine(angle), cos = sine(angle + 1.57079633f);
    uniforms.distance = 6;
    uniforms.z_scale = (far + near) / (far - near);
    uniforms.z_offset = -2 * far * near / (far - near);
    uniforms.x_scale = WIDTH / 2 * 16;
    uniforms.y_scale = HEIGHT / 2 * 16;
    rotate(uniforms.x, sin, cos, focus * HEIGHT / WIDTH, 0, 0);
    rotate(uniforms.y, sin, cos, 0, -focus, 0);
    rotate(uniforms.w, sin, cos, 0, 0, -1);
    rotate(uniforms.light, sin, cos, -0.48f, 0.64f, 0.6f);
    rotate(uniforms.halfway, sin, cos, -0.26833f, 0.35777f, 0.89443f);
}

static void fill_shader(void)
{
    shader = (struct gl_shader){
        .flags = SHADER_SINGLE_THREADED | SHADER_CLIPPING,
        .varyings = 2,
        .code = bus_address(fragment_shader),
        .uniforms_address = bus_address(fragment_uniforms),
        .vertex = {.arrays = 3,
                   .bytes = 24,
                   .code = bus_address(vertex_shader),
                   .uniforms_address = bus_address(&uniforms)},
        .coordinate = {.arrays = 1,
                       .bytes = 12,
                       .code = bus_address(coordinate_shader),
                       .uniforms_address = bus_address(&uniforms)},
        .array =
            {
                {bus_address(vertices), 12 - 1, 24, 0, 0},
                {bus_address(vertices) + 12, 12 - 1, 24, 12, 0},
            },
    };
}

int main(void)
{
    struct screen screen;
    struct list bin = {binning}, render[2] = {{rendering[0]}, {rendering[1]}};
    uart_start();
    if (!v3d_start() || !screen_start(&screen, WIDTH, HEIGHT, 2)) {
        uart_text("no 3D block, or no framebuffer\n");
        return 1;
    }
    fill_shader();
    list_binning(&bin, &screen, &tiles,
                 &(struct drawing){
                     .configuration = CONFIG_FORWARD | CONFIG_CLOCKWISE | CONFIG_DEPTH_LESS |
                                      CONFIG_DEPTH_WRITE,
                     .shader = &shader,
                     .arrays = 2,
                     .vertices = counts[1] * 3,
                     .indices = indices,
                     .last_vertex = counts[0] - 1,
                     .centre_x = WIDTH / 2,
                     .centre_y = HEIGHT / 2,
                 });
    for (uint32_t page = 0; page < 2; page++)
        list_rendering(&render[page], &screen, page, &tiles, 0xff302018);
    start_interrupts();

    uint32_t start = microseconds();
    for (uint32_t frame = 0;; frame++) {
        uint32_t page = (frame + 1) % 2; /* the display shows page 0 at first */
        if (frame % FRAMES == 0 && frame) {
            uart_number(frame);
            uart_text(" frames in ");
            uart_number((microseconds() - start) / 1000);
            uart_text(" ms\n");
        }
        fill_uniforms(frame);
        v3d_draw(binning, bin.at, rendering[page], render[page].at);
        wait_for(&drawn);
        wait_for(&tick);
        screen_show(&screen, page);
    }
}
