/*
 * This yardstick sweeps graphs of scalars, value and gradient, in level-sorted runs or step by step.
 *
 * Build, as the scalar yardstick:     cc -O3 -fno-tree-vectorize scalar.c -o scalar -lm
 *        as the vector yardstick:     cc -O3 -march=native -ffast-math -mprefer-vector-width=512 scalar.c -o vector -lm   (libmvec)
 *        (gcc 12; the pragmas say that the iterations of a run are independent)
 *
 * Usage: scalar GRAPH, where GRAPH is a file of little-endian words:
 *   int32 inputs, int32 nodes;
 *   int32 code[nodes]      0 add, 1 multiply, 2 sin, 3 exp
 *   int32 x[nodes], y[nodes]   operands: smaller ids in inputs ++ nodes; y is 0 where there is none
 *   float64 point[inputs]
 * The output is the last node. Then one command a line on stdin, one answer a line on stdout:
 *   runs N     N sweeps, level by level: "<least ns> <median ns> <value>"
 *   steps N    the same, node after node by a switch
 *   gradient PATH   writes the gradient of the last sweep, float64 per input: "ok"
 * Each sweep is value and gradient at the point; ns is the time of one whole sweep. Ends with stdin.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ADD, MULTIPLY, SIN, EXP, CODES };

typedef struct { int code, from, to; } Run;

/* This is a graph in the order in which it is computed: slots, the inputs first. */
typedef struct {
  int inputs, slots, output, run_count;
  uint8_t *code;
  int32_t *x, *y;
  Run *runs;
  double *values, *cotangents;
} Program;

static int inputs, nodes;
static int32_t *code, *x, *y;
static double *point;

static void *room(size_t count, size_t size) {
  void *memory = aligned_alloc(64, (count * size + 63) / 64 * 64 + 64);
  if (!memory) exit(2);
  memset(memory, 0, count * size);
  return memory;
}

static void load(const char *path) {
  FILE *file = fopen(path, "rb");
  int32_t head[2];
  if (!file || fread(head, 4, 2, file) != 2) exit(2);
  inputs = head[0], nodes = head[1];
  code = room(nodes, 4), x = room(nodes, 4), y = room(nodes, 4), point = room(inputs, 8);
  size_t n = nodes;
  if (fread(code, 4, n, file) != n || fread(x, 4, n, file) != n || fread(y, 4, n, file) != n) exit(2);
  if (fread(point, 8, inputs, file) != (size_t)inputs) exit(2);
  fclose(file);
}

/* Makes the program whose slots are the ids in the order `ids`. */
static Program program_of(const int *ids) {
  int slots = inputs + nodes;
  Program p = {inputs, slots, 0, 0, room(slots, 1), room(slots, 4), room(slots, 4), 0, room(slots, 8), room(slots, 8)};
  int *slot_of = room(slots, 4);
  for (int s = 0; s < slots; s++) slot_of[ids[s]] = s;
  for (int s = inputs; s < slots; s++) {
    int node = ids[s] - inputs;
    p.code[s] = code[node];
    p.x[s] = slot_of[x[node]];
    p.y[s] = slot_of[y[node]];
  }
  p.output = slot_of[slots - 1];
  free(slot_of);
  return p;
}

static Program steps_program(void) {
  int *ids = room(inputs + nodes, sizeof(int));
  for (int id = 0; id < inputs + nodes; id++) ids[id] = id;
  Program p = program_of(ids);
  free(ids);
  return p;
}

/* Sorts by (level, code), by two counting sorts. */
static Program runs_program(void) {
  int slots = inputs + nodes, top = 0;
  int *level = room(slots, sizeof(int)), *by_code = room(nodes, sizeof(int)), *ids = room(slots, sizeof(int));
  int count[CODES + 1] = {0};
  for (int n = 0; n < nodes; n++) {
    int a = level[x[n]], b = code[n] <= MULTIPLY ? level[y[n]] : 0;
    level[inputs + n] = (a > b ? a : b) + 1;
    if (level[inputs + n] > top) top = level[inputs + n];
    count[code[n] + 1]++;
  }
  for (int c = 0; c < CODES; c++) count[c + 1] += count[c];
  for (int n = 0; n < nodes; n++) by_code[count[code[n]]++] = n;
  int *start = room(top + 2, sizeof(int));
  for (int n = 0; n < nodes; n++) start[level[inputs + n] + 1]++;
  for (int l = 0; l <= top; l++) start[l + 1] += start[l];
  for (int id = 0; id < inputs; id++) ids[id] = id;
  for (int n = 0; n < nodes; n++) ids[inputs + start[level[inputs + by_code[n]]]++] = inputs + by_code[n];
  Program p = program_of(ids);
  p.runs = room(nodes, sizeof(Run));
  for (int s = inputs; s < slots;) {
    int to = s + 1;
    while (to < slots && p.code[to] == p.code[s] && level[ids[to]] == level[ids[s]]) to++;
    p.runs[p.run_count++] = (Run){p.code[s], s, to};
    s = to;
  }
  free(level), free(by_code), free(ids), free(start);
  return p;
}

static void forward_runs(const Program *p) {
  double *v = p->values;
  const int32_t *px = p->x, *py = p->y;
  for (int r = 0; r < p->run_count; r++) {
    int from = p->runs[r].from, to = p->runs[r].to;
    switch (p->runs[r].code) {
    case ADD:
#pragma GCC ivdep
      for (int i = from; i < to; i++) v[i] = v[px[i]] + v[py[i]];
      break;
    case MULTIPLY:
#pragma GCC ivdep
      for (int i = from; i < to; i++) v[i] = v[px[i]] * v[py[i]];
      break;
    case SIN:
#pragma GCC ivdep
      for (int i = from; i < to; i++) v[i] = sin(v[px[i]]);
      break;
    case EXP:
#pragma GCC ivdep
      for (int i = from; i < to; i++) v[i] = exp(v[px[i]]);
      break;
    }
  }
}

/* Cosines are computed in blocks, so that they vectorise; the additions behind them cannot. */
enum { BLOCK = 256 };

static void reverse_runs(const Program *p) {
  double *v = p->values, *c = p->cotangents;
  const int32_t *px = p->x, *py = p->y;
  double slope[BLOCK];
  for (int r = p->run_count - 1; r >= 0; r--) {
    int from = p->runs[r].from, to = p->runs[r].to;
    switch (p->runs[r].code) {
    case ADD:
      for (int i = from; i < to; i++) {
        double ci = c[i];
        c[px[i]] += ci;
        c[py[i]] += ci;
      }
      break;
    case MULTIPLY:
      for (int i = from; i < to; i++) {
        double ci = c[i], a = v[px[i]], b = v[py[i]];
        c[px[i]] += ci * b;
        c[py[i]] += ci * a;
      }
      break;
    case SIN:
      for (int block = from; block < to; block += BLOCK) {
        int size = to - block < BLOCK ? to - block : BLOCK;
#pragma GCC ivdep
        for (int i = 0; i < size; i++) slope[i] = c[block + i] * cos(v[px[block + i]]);
        for (int i = 0; i < size; i++) c[px[block + i]] += slope[i];
      }
      break;
    case EXP:
      for (int i = from; i < to; i++) c[px[i]] += c[i] * v[i];
      break;
    }
  }
}

static void forward_steps(const Program *p) {
  double *v = p->values;
  const int32_t *px = p->x, *py = p->y;
  for (int i = p->inputs; i < p->slots; i++) {
    switch (p->code[i]) {
    case ADD: v[i] = v[px[i]] + v[py[i]]; break;
    case MULTIPLY: v[i] = v[px[i]] * v[py[i]]; break;
    case SIN: v[i] = sin(v[px[i]]); break;
    case EXP: v[i] = exp(v[px[i]]); break;
    }
  }
}

static void reverse_steps(const Program *p) {
  double *v = p->values, *c = p->cotangents;
  const int32_t *px = p->x, *py = p->y;
  for (int i = p->slots - 1; i >= p->inputs; i--) {
    double ci = c[i];
    switch (p->code[i]) {
    case ADD: c[px[i]] += ci, c[py[i]] += ci; break;
    case MULTIPLY: {
      double a = v[px[i]], b = v[py[i]];
      c[px[i]] += ci * b, c[py[i]] += ci * a;
      break;
    }
    case SIN: c[px[i]] += ci * cos(v[px[i]]); break;
    case EXP: c[px[i]] += ci * v[i]; break;
    }
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static int compared(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static void measure(const Program *p, int times) {
  double *ns = room(times, 8);
  for (int n = 0; n < times; n++) {
    double begin = now();
    memcpy(p->values, point, 8 * (size_t)p->inputs);
    if (p->runs) forward_runs(p); else forward_steps(p);
    memset(p->cotangents, 0, 8 * (size_t)p->slots);
    p->cotangents[p->output] = 1;
    if (p->runs) reverse_runs(p); else reverse_steps(p);
    ns[n] = now() - begin;
  }
  qsort(ns, times, 8, compared);
  printf("%.0f %.0f %.17g\n", ns[0], ns[times / 2], p->values[p->output]);
  free(ns);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  load(words[1]);
  Program runs = runs_program(), steps = steps_program();
  const Program *last = &runs;
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "runs ", 5)) measure(last = &runs, atoi(line + 5));
    else if (!strncmp(line, "steps ", 6)) measure(last = &steps, atoi(line + 6));
    else if (!strncmp(line, "gradient ", 9)) {
      FILE *file = fopen(line + 9, "wb");
      if (!file || fwrite(last->cotangents, 8, inputs, file) != (size_t)inputs) return 2;
      fclose(file);
      puts("ok");
    } else return 2;
    fflush(stdout);
  }
  return 0;
}
