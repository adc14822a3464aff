/* SPDX-License-Identifier: MIT */
/* loop.c - a program of SDL2 and OpenGL ES 2.0 that hangs the GPU: in the right half of the
 * picture, its shader decrements the counter of a loop. docs/gl-debug.md finds the cause.
 *
 *     cc loop.c -o loop $(pkg-config --cflags --libs sdl2 glesv2)
 *     SDL_VIDEODRIVER=kmsdrm tessera gl --mode 128x128 --hang gpu.hang -- ./loop */
#include <stdio.h>

#include <SDL.h>
#include <SDL_opengles2.h>

static const char vertex_text[] = "attribute vec2 corner;\n"
                                  "varying vec2 v;\n"
                                  "void main() {\n"
                                  "    v = 0.5 * corner + 0.5;\n"
                                  "    gl_Position = vec4(corner, 0.0, 1.0);\n"
                                  "}\n";

static const char fragment_text[] = "precision mediump float;\n"
                                    "varying vec2 v;\n"
                                    "void main() {\n"
                                    "    float s = 0.0;\n"
                                    "    for (int i = 0; i < 1000; i++) {\n"
                                    "        if (v.x > 0.5)\n"
                                    "            i -= 1;\n"
                                    "        s += v.y * 0.001;\n"
                                    "    }\n"
                                    "    gl_FragColor = vec4(s, v.y, 0.0, 1.0);\n"
                                    "}\n";

static void attach(GLuint program, GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static void draw(void)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, vertex_text);
    attach(program, GL_FRAGMENT_SHADER, fragment_text);
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

int main(int count, char **arguments)
{
    (void)count;
    (void)arguments;
    if (SDL_Init(SDL_INIT_VIDEO) == 0) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2);
        SDL_Window *window = SDL_CreateWindow("loop", 0, 0, 128, 128,
                                              SDL_WINDOW_OPENGL | SDL_WINDOW_FULLSCREEN_DESKTOP);
        if (window && SDL_GL_CreateContext(window)) {
            draw();
            SDL_GL_SwapWindow(window);
            SDL_Quit();
            return 0;
        }
    }
    fprintf(stderr, "loop: %s\n", SDL_GetError());
    return 1;
}
