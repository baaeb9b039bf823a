/*
 * This yardstick of small calls sums 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2, with its gradient, by hand.
 * Usage: rosenbrock DATA n; see protocol.h. The size is known when it is compiled, as in generated code.
 */
#include "protocol.h"

enum { N = 10 };
static double *x;

static __attribute__((noinline)) double compute(int with_gradient) {
  double value = 0;
  if (with_gradient) for (int i = 0; i < N; i++) gradient[i] = 0;
  for (int i = 0; i < N - 1; i++) {
    double valley = x[i + 1] - x[i] * x[i], slope = 1 - x[i];
    value += 100 * valley * valley + slope * slope;
    if (with_gradient) {
      gradient[i] += -400 * valley * x[i] - 2 * slope;
      gradient[i + 1] += 200 * valley;
    }
  }
  return value;
}

static void prepare_answer(void) {}

int main(int count, char **words) {
  if (count != 3 || atoi(words[2]) != N) return 2;
  x = numbers(words[1], N);
  gradient_size = N;
  gradient = room(N, sizeof(double));
  return serve(10000);
}
