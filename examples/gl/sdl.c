/* SPDX-License-Identifier: MIT */
/* sdl.c - a program of SDL2 and OpenGL ES 2.0 without code of Tessera: waves of colour on the whole
 * screen.
 *
 *     cc sdl.c -o sdl $(pkg-config --cflags --libs sdl2 glesv2)
 *     SDL_VIDEODRIVER=kmsdrm tessera gl --count 10 --frames pictures -- ./sdl */
#include <stdbool.h>
#include <stdio.h>

#include <SDL.h>
#include <SDL_opengles2.h>

static const char vertex_text[] = "attribute vec2 corner;\n"
                                  "varying vec2 place;\n"
                                  "void main() {\n"
                                  "    place = corner;\n"
                                  "    gl_Position = vec4(corner, 0.0, 1.0);\n"
                                  "}\n";

static const char fragment_text[] =
    "precision mediump float;\n"
    "uniform float time;\n"
    "uniform float ratio;\n"
    "varying vec2 place;\n"
    "void main() {\n"
    "    vec2 p = place * vec2(ratio, 1.0);\n"
    "    float rings = sin(12.0 * length(p) - time);\n"
    "    float bars = sin(7.0 * p.x + 2.0 * sin(3.0 * p.y + time));\n"
    "    gl_FragColor = vec4(0.5 + 0.5 * sin(vec3(0.0, 2.1, 4.2) + rings + bars + p.y), 1.0);\n"
    "}\n";

static GLuint make_shader(GLenum type, const char *text)
{
    char message[1024] = "";
    GLint good;
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof message, NULL, message);
    if (!good)
        fprintf(stderr, "sdl: %s\n", message);
    return shader;
}

static GLuint make_program(void)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, make_shader(GL_VERTEX_SHADER, vertex_text));
    glAttachShader(program, make_shader(GL_FRAGMENT_SHADER, fragment_text));
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

static bool wants_to_end(void)
{
    SDL_Event event;
    while (SDL_PollEvent(&event))
        if (event.type == SDL_QUIT || event.type == SDL_KEYDOWN)
            return true;
    return false;
}

static void draw(SDL_Window *window)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    int width, height;
    GLuint program = make_program();
    SDL_GL_GetDrawableSize(window, &width, &height);
    glViewport(0, 0, width, height);
    glUniform1f(glGetUniformLocation(program, "ratio"), (float)width / (float)height);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    for (unsigned frame = 0; !wants_to_end(); frame++) {
        glUniform1f(glGetUniformLocation(program, "time"), (float)frame * 0.1f);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        SDL_GL_SwapWindow(window);
    }
}

int main(int count, char **arguments)
{
    (void)count;
    (void)arguments;
    if (SDL_Init(SDL_INIT_VIDEO) == 0) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2);
        SDL_Window *window = SDL_CreateWindow("waves", 0, 0, 640, 480,
                                              SDL_WINDOW_OPENGL | SDL_WINDOW_FULLSCREEN_DESKTOP);
        if (window && SDL_GL_CreateContext(window)) {
            SDL_ShowCursor(SDL_DISABLE);
            draw(window);
            SDL_Quit();
            return 0;
        }
    }
    fprintf(stderr, "sdl: %s\n", SDL_GetError());
    return 1;
}
