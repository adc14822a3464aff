// SPDX-License-Identifier: MIT
// compute_qpulib.cpp - compares Tessera with the emulator of QPULib (github.com/mn416/QPULib), in QPU instructions per
// second. Two programs are written with QPULib's public interface and compiled by QPULib. QPULib's emulator runs its own
// form of the compiled code. Tessera runs the words that QPULib would pass to the hardware, on the same memory. The
// results of both are compared.
//
// QPULib is not part of Tessera. To use this measurement, build it with QPULib (docs/speed.md has the command), and name
// the program in TESSERA_QPULIB for scripts/bench. QPULIB_BUILT is a text about the compilation of QPULib.
//
// Source: QPULib's README for the language; Lib/VideoCore/Invoke.cpp of QPULib for the contents of the uniforms.
#include <QPULib.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <tessera/vc4.h>

#ifndef QPULIB_BUILT
#define QPULIB_BUILT "QPULib"
#endif

enum {
    QPUS = 12,
    TRIES = 9,
    SIDE = 96,         // number of rows and of columns of the matrices
    LOG_POINTS = 11,   // logarithm (to base 2) of the transform's length
    POINTS = 1 << LOG_POINTS,
    CODE = 0x100000,   // bus addresses after QPULib's heap, which begins at 0
    UNIFORMS = 0x140000,
    MORE_MEMORY = 0x80000,
};

// --- the programs ---

// Computes C = A B for square matrices. Each QPU computes every twelfth row of C, 16 columns at a time. The element of A
// is the same for all 16 lanes.
static void sgemm(Int n, Ptr<Float> a, Ptr<Float> b, Ptr<Float> c)
{
    For (Int row = me(), row < n, row = row + numQPUs())
        For (Int column = 0, column < n, column = column + 16)
            Ptr<Float> p = a + row * n;
            Ptr<Float> q = b + column + index();
            Float sum = 0.0f;
            Float x, y;
            gather(p);
            gather(q);
            For (Int k = 1, k < n, k = k + 1)
                p = p + 1;
                q = q + n;
                gather(p);
                gather(q);
                receive(x);
                receive(y);
                sum = sum + x * y;
            End
            receive(x);
            receive(y);
            store(sum + x * y, c + row * n + column + index());
        End
    End
}

// Computes a pass of a Fourier transform (the transposed Stockham algorithm). half is half of the number of points. r is
// the number of transforms after the pass.
static void fft_pass(Int half, Int r, Ptr<Float> from, Ptr<Float> to, Ptr<Float> roots)
{
    Int points = half + half;
    For (Int first = me() << 4, first < half, first = first + (numQPUs() << 4))
        Int i = first + index();
        Int k = i & (r - 1);
        Ptr<Float> root = roots + (i - k);
        Ptr<Float> even = from + (i + i - k);
        Ptr<Float> odd = even + r;
        Float root_re, root_im, odd_re, odd_im, even_re, even_im;
        gather(root);
        gather(root + half);
        gather(odd);
        gather(odd + points);
        receive(root_re);
        receive(root_im);
        gather(even);
        gather(even + points);
        receive(odd_re);
        receive(odd_im);
        Float re = root_re * odd_re - root_im * odd_im;
        Float im = root_re * odd_im + root_im * odd_re;
        receive(even_re);
        receive(even_im);
        Ptr<Float> sum = to + i;
        store(even_re + re, sum);
        store(even_re - re, sum + half);
        store(even_im + im, sum + points);
        store(even_im - im, sum + (points + half));
    End
}

// --- both emulators ---

struct result {
    // Processor time of QPULib's emulator; processor time of Tessera with one thread, and elapsed time with two threads.
    // All in seconds.
    double emulator, tessera[2];
    uint64_t instructions;
};

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void report(void *, const struct tess_finding *diag)
{
    fprintf(stderr, "%s\n", diag->text);
}

static void stop(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

// Returns a device whose memory begins with QPULib's heap, followed by a program.
static struct tess_vc4 *make_device(Seq<Instr> *target, unsigned threads)
{
    const size_t heap = EMULATOR_HEAP_SIZE * sizeof(int32_t);
    struct tess_vc4_options options;
    struct tess_vc4 *vc4;
    Seq<uint32_t> code;
    encode(target, &code);
    memset(&options, 0, sizeof options);
    options.machine.sink.report = report;
    options.machine.threads = threads;
    if (tess_vc4_create(&vc4, &options) != TESS_OK ||
        tess_vc4_map(vc4, 0, (uint32_t)heap, emuHeap) != TESS_OK ||
        tess_vc4_map(vc4, CODE, MORE_MEMORY, NULL) != TESS_OK)
        stop("no device");
    memcpy(tess_vc4_memory(vc4, CODE, MORE_MEMORY), code.elems, (size_t)code.numElems * 4);
    return vc4;
}

// Runs the program once, on all QPUs.
static void run_device(struct tess_vc4 *vc4, const Seq<int32_t> *parameters)
{
    const uint32_t words = 2 + (uint32_t)parameters->numElems;
    for (uint32_t qpu = 0; qpu < QPUS; qpu++) {
        uint32_t at = UNIFORMS + qpu * words * 4;
        uint32_t *uniforms = (uint32_t *)tess_vc4_memory(vc4, at, words * 4);
        uniforms[0] = qpu;
        uniforms[1] = QPUS;
        memcpy(uniforms + 2, parameters->elems, (words - 2) * sizeof *uniforms);
        tess_vc4_write(vc4, V3D_SRQUA, at);
        tess_vc4_write(vc4, V3D_SRQPC, CODE);
    }
    if (tess_vc4_run(vc4) != TESS_VC4_IDLE)
        stop("a program did not end");
}

// A program that is run several times with different parameters.
struct sequence {
    Seq<Instr> *target;
    int variables;
    Seq<int32_t> parameters[LOG_POINTS];
    unsigned count;
};

// Stores the arguments in the order in which the C++ compiler evaluates the arguments of a call. QPULib generates code
// that reads the parameters in the same order.
template <typename... types, typename... values>
static void set_parameters(Seq<int32_t> *parameters, values... value)
{
    nothing(passParam<types, values>(parameters, value)...);
}

static double time_emulator(struct sequence *sequence)
{
    double start = now(CLOCK_PROCESS_CPUTIME_ID);
    for (unsigned i = 0; i < sequence->count; i++)
        emulate(QPUS, sequence->target, sequence->variables, &sequence->parameters[i], NULL);
    return now(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static double time_device(struct tess_vc4 *vc4, const struct sequence *sequence, clockid_t clock)
{
    double start = now(clock);
    for (unsigned i = 0; i < sequence->count; i++)
        run_device(vc4, &sequence->parameters[i]);
    return now(clock) - start;
}

static void keep_best(double *best, double seconds)
{
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

// Returns the largest difference between two arrays of results, divided by the largest absolute value.
static double difference(const float *one, const float *other, unsigned count)
{
    double most = 0, largest = 0;
    for (unsigned i = 0; i < count; i++) {
        most = fmax(most, fabs((double)one[i] - (double)other[i]));
        largest = fmax(largest, fabs((double)one[i]));
    }
    return most / largest;
}

static struct result measure(struct sequence *sequence, const float *out, unsigned count,
                             double *differs)
{
    struct result result = {0, {0, 0}, 0};
    struct tess_vc4 *vc4[2];
    struct tess_vc4_stats stats;
    float *expected = new float[count];
    for (unsigned i = 0; i < 2; i++)
        vc4[i] = make_device(sequence->target, i + 1);
    *differs = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        keep_best(&result.emulator, time_emulator(sequence));
        memcpy(expected, out, count * sizeof *out);
        keep_best(&result.tessera[0], time_device(vc4[0], sequence, CLOCK_PROCESS_CPUTIME_ID));
        *differs = fmax(*differs, difference(expected, out, count));
        keep_best(&result.tessera[1], time_device(vc4[1], sequence, CLOCK_MONOTONIC));
        *differs = fmax(*differs, difference(expected, out, count));
    }
    tess_vc4_get_stats(vc4[0], &stats);
    result.instructions = stats.instructions / TRIES;
    for (unsigned i = 0; i < 2; i++)
        tess_vc4_destroy(vc4[i]);
    delete[] expected;
    return result;
}

static void print(const char *name, const struct result *result, double differs)
{
    double millions = (double)result->instructions * 1e-6;
    printf("%-16s %5.2f M instructions: %s %6.1f M/s; Tessera, one thread %6.1f M/s, ratio %5.1f; "
           "two threads %6.1f M/s, ratio %5.1f; results differ by %.1g at most\n",
           name, millions, QPULIB_BUILT, millions / result->emulator, millions / result->tessera[0],
           result->emulator / result->tessera[0], millions / result->tessera[1],
           result->emulator / result->tessera[1], differs);
}

// --- measurements ---

static float any_float(void)
{
    return (float)rand() / (float)RAND_MAX - 0.5f;
}

static void measure_sgemm(void)
{
    SharedArray<float> a(SIDE * SIDE), b(SIDE * SIDE), c(SIDE * SIDE);
    auto kernel = compile(sgemm);
    struct sequence sequence;
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = any_float();
        b[i] = any_float();
    }
    set_parameters<Int, Ptr<Float>, Ptr<Float>, Ptr<Float>>(&sequence.parameters[0], (int)SIDE, &a,
                                                            &b, &c);
    sequence.target = &kernel.targetCode;
    sequence.variables = kernel.numVars;
    sequence.count = 1;
    double differs;
    struct result result = measure(&sequence, c.getPointer(), SIDE * SIDE, &differs);
    print("sgemm", &result, differs);
}

static void measure_fft(void)
{
    SharedArray<float> input(2 * POINTS), one(2 * POINTS), other(2 * POINTS), roots(POINTS);
    SharedArray<float> *buffers[] = {&one, &other};
    auto kernel = compile(fft_pass);
    struct sequence sequence;
    for (int i = 0; i < 2 * POINTS; i++)
        input[i] = any_float();
    for (int i = 0; i < POINTS / 2; i++) {
        roots[i] = (float)cos(2 * M_PI * i / POINTS);
        roots[i + POINTS / 2] = (float)-sin(2 * M_PI * i / POINTS);
    }
    for (int pass = 0; pass < LOG_POINTS; pass++) {
        SharedArray<float> *from = pass ? buffers[pass % 2] : &input, *to = buffers[1 - pass % 2];
        set_parameters<Int, Int, Ptr<Float>, Ptr<Float>, Ptr<Float>>(
            &sequence.parameters[pass], POINTS / 2, POINTS >> (pass + 1), from, to, &roots);
    }
    sequence.target = &kernel.targetCode;
    sequence.variables = kernel.numVars;
    sequence.count = LOG_POINTS;
    double differs;
    struct result result = measure(&sequence, buffers[LOG_POINTS % 2]->getPointer(), 2 * POINTS,
                                   &differs);
    print("Fourier", &result, differs);
}

int main(void)
{
    measure_sgemm();
    measure_fft();
    return 0;
}
