/*
 * All yardsticks read the numbers of a workload, time themselves and answer by this.
 *
 * Usage: NAME DATA SIZES..., where DATA holds the workload's float64 numbers, little-endian, inputs first.
 * Then each line of stdin is a command, and each line of stdout an answer:
 *   values N      N computations of the value: "<least ns> <median ns> <value>" of one computation
 *   gradients N   the same of value and gradient
 *   gradient PATH writes the gradient, float64, the inputs one behind the other: "ok"
 * Computations shorter than a clock can tell are timed `batch` at a time. Ends with stdin.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each yardstick defines these: `compute` returns the value, and with_gradient fills `gradient`. */
static double compute(int with_gradient);
static double *gradient;
static size_t gradient_size;
/* This is called before the gradient is written, outside all times. */
static void prepare_answer(void);

static void *room(size_t count, size_t size) {
  void *memory = aligned_alloc(64, (count * size + 63) / 64 * 64 + 64);
  if (!memory) exit(2);
  memset(memory, 0, count * size);
  return memory;
}

/* Reads the first `count` numbers of a file. */
static double *numbers(const char *path, size_t count) {
  double *all = room(count, sizeof(double));
  FILE *file = fopen(path, "rb");
  if (!file || fread(all, sizeof(double), count, file) != count) exit(2);
  fclose(file);
  return all;
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

static void measure(int with_gradient, int times, int batch) {
  double *ns = room(times, sizeof(double)), value = 0;
  for (int n = 0; n < times; n++) {
    double begin = now();
    for (int call = 0; call < batch; call++) {
      value = compute(with_gradient);
      /* Each call is made, and what it wrote is taken to be read. */
      __asm__ volatile("" : "+x"(value) : "r"(gradient) : "memory");
    }
    ns[n] = (now() - begin) / batch;
  }
  qsort(ns, times, sizeof(double), compared);
  printf("%.17g %.17g %.17g\n", ns[0], ns[times / 2], value);
  free(ns);
}

static int serve(int batch) {
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "values ", 7)) measure(0, atoi(line + 7), batch);
    else if (!strncmp(line, "gradients ", 10)) measure(1, atoi(line + 10), batch);
    else if (!strncmp(line, "gradient ", 9)) {
      compute(1);
      prepare_answer();
      FILE *file = fopen(line + 9, "wb");
      if (!file || fwrite(gradient, sizeof(double), gradient_size, file) != gradient_size) return 2;
      fclose(file);
      puts("ok");
    } else return 2;
    fflush(stdout);
  }
  return 0;
}
