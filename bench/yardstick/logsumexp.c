/*
 * This yardstick computes logsumexp: maximum, exponentials, their sum, and the gradient by one more pass.
 * Usage: logsumexp DATA n; see protocol.h.
 */
#include "protocol.h"

static size_t n;
static double *x;

static double compute(int with_gradient) {
  double most = x[0], sum = 0;
  for (size_t i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
  if (!with_gradient) {
    for (size_t i = 0; i < n; i++) sum += exp(x[i] - most);
    return most + log(sum);
  }
  for (size_t i = 0; i < n; i++) {
    gradient[i] = exp(x[i] - most);
    sum += gradient[i];
  }
  double scale = 1 / sum;
  for (size_t i = 0; i < n; i++) gradient[i] *= scale;
  return most + log(sum);
}

static void prepare_answer(void) {}

int main(int count, char **words) {
  if (count != 3) return 2;
  n = strtoul(words[2], 0, 10);
  x = numbers(words[1], n);
  gradient_size = n;
  gradient = room(n, sizeof(double));
  return serve(1);
}
