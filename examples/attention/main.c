/* Calls the compiled block of attention.hlo: causal self-attention of 4 heads on 64 tokens of width 64; and compares the
 * result with the same in plain C. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "attention.h"

enum { TOKENS = 64, WIDTH = 64, HEADS = 4, HEAD = WIDTH / HEADS };

typedef float Matrix[TOKENS][WIDTH];

static void multiply(float a[TOKENS][WIDTH], float b[WIDTH][WIDTH], float c[TOKENS][WIDTH]) {
    int i, j, k;
    for (i = 0; i < TOKENS; i++)
        for (j = 0; j < WIDTH; j++) {
            double sum = 0;
            for (k = 0; k < WIDTH; k++) sum += (double)a[i][k] * b[k][j];
            c[i][j] = (float)sum;
        }
}

static void normalize(float x[TOKENS][WIDTH], float n[TOKENS][WIDTH]) {
    int i, k;
    for (i = 0; i < TOKENS; i++) {
        double mean = 0, variance = 0;
        for (k = 0; k < WIDTH; k++) mean += x[i][k] / (double)WIDTH;
        for (k = 0; k < WIDTH; k++) variance += (x[i][k] - mean) * (x[i][k] - mean) / WIDTH;
        for (k = 0; k < WIDTH; k++) n[i][k] = (float)((x[i][k] - mean) / sqrt(variance + 1e-5));
    }
}

static void mix(float q[TOKENS][WIDTH], float k[TOKENS][WIDTH], float v[TOKENS][WIDTH], float out[TOKENS][WIDTH]) {
    int h, i, j, d;
    for (h = 0; h < WIDTH; h += HEAD)
        for (i = 0; i < TOKENS; i++) {
            double score[TOKENS], sum = 0;
            for (j = 0; j <= i; j++) { /* causal: no token looks ahead */
                score[j] = 0;
                for (d = 0; d < HEAD; d++) score[j] += (double)q[i][h + d] * k[j][h + d];
                score[j] = exp(score[j] / sqrt(HEAD));
                sum += score[j];
            }
            for (d = 0; d < HEAD; d++) {
                double value = 0;
                for (j = 0; j <= i; j++) value += score[j] / sum * v[j][h + d];
                out[i][h + d] = (float)value;
            }
        }
}

static void plain(Matrix m[5], float out[TOKENS][WIDTH]) {
    static Matrix n, q, k, v, mixed;
    int i, j;
    normalize(m[0], n);
    multiply(n, m[1], q);
    multiply(n, m[2], k);
    multiply(n, m[3], v);
    mix(q, k, v, mixed);
    multiply(mixed, m[4], out);
    for (i = 0; i < TOKENS; i++)
        for (j = 0; j < WIDTH; j++) out[i][j] += m[0][i][j];
}

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(void) {
    static Matrix m[5], got, wanted; /* x, wq, wk, wv, wo */
    _Alignas(64) static unsigned char workspace[JIT_ATTENTION_WORKSPACE_BYTES(1) + 1];
    double worst = 0, start;
    unsigned state = 1;
    int error = 0, i, j, k, calls = 1000;
    for (k = 0; k < 5; k++)
        for (i = 0; i < TOKENS; i++)
            for (j = 0; j < WIDTH; j++) {
                state = state * 1664525u + 1013904223u;
                m[k][i][j] = ((float)(state >> 8) / (1 << 24) - 0.5f) * (k ? 0.5f : 2.0f);
            }
    start = seconds();
    for (i = 0; i < calls && !error; i++)
        error = jit_attention(&m[0][0][0], &m[1][0][0], &m[2][0][0], &m[3][0][0], &m[4][0][0], &got[0][0], workspace,
                              NULL);
    if (error) {
        fprintf(stderr, "jit_attention: %s\n", hlocc_strerror(error));
        return 1;
    }
    printf("hlocc: %.1f us a call\n", 1e6 * (seconds() - start) / calls);
    start = seconds();
    plain(m, wanted);
    printf("plain C: %.1f us\n", 1e6 * (seconds() - start));
    for (i = 0; i < TOKENS; i++)
        for (j = 0; j < WIDTH; j++) worst = fmax(worst, fabs(got[i][j] - wanted[i][j]));
    printf("largest difference: %.2g\n", worst);
    return worst < 1e-4 ? 0 : 1;
}
