/*
 * This yardstick computes GradBench's Gaussian mixture (evals/gmm/README.md, with m = 0 and gamma = 1), value
 * and gradient by hand. Components lie next to each other, so that a vector holds several.
 * Usage: gmm DATA d k n; DATA is alpha [k], mu [k, d], q [k, d], l [k, d (d - 1) / 2], x [n, d] (protocol.h).
 */
#include "protocol.h"

static int d, k, n, below, wide;
static double *alpha, *mu, *q, *l, *x, constant;

/* These are each component's means and factors, transposed, and what an observation makes of them. */
static double *means, *factors, *base, *difference, *whitened, *beta, *weight, *means_bar, *factors_bar, *base_bar;

/* Returns the place of element (row, column) of the factors: the lower triangle, row by row. */
static int at(int row, int column) { return (row * (row + 1) / 2 + column) * wide; }

static void transpose(void) {
  for (int c = 0; c < k; c++) {
    double determinant = 0;
    for (int i = 0; i < d; i++) {
      means[i * wide + c] = mu[c * d + i];
      factors[at(i, i) + c] = exp(q[c * d + i]);
      determinant += q[c * d + i];
    }
    int place = c * below;
    for (int column = 0; column < d; column++)
      for (int row = column + 1; row < d; row++) factors[at(row, column) + c] = l[place++];
    base[c] = alpha[c] + determinant;
  }
}

/* Computes the logarithm of the sum of exponentials of `terms`, and the exponentials over that sum. */
static double logsumexp(const double *terms, double *shares) {
  double most = terms[0], sum = 0;
  for (int c = 1; c < k; c++) most = terms[c] > most ? terms[c] : most;
  for (int c = 0; c < k; c++) shares[c] = exp(terms[c] - most);
  for (int c = 0; c < k; c++) sum += shares[c];
  double scale = 1 / sum;
  for (int c = 0; c < k; c++) shares[c] *= scale;
  return most + log(sum);
}

static double observed(const double *restrict xi) {
  for (int c = 0; c < k; c++) beta[c] = base[c];
  for (int i = 0; i < d; i++) {
    double *restrict di = difference + i * wide, *restrict wi = whitened + i * wide;
    for (int c = 0; c < k; c++) di[c] = xi[i] - means[i * wide + c];
    for (int c = 0; c < k; c++) wi[c] = 0;
    for (int j = 0; j <= i; j++) {
      const double *restrict f = factors + at(i, j), *restrict dj = difference + j * wide;
      for (int c = 0; c < k; c++) wi[c] += f[c] * dj[c];
    }
    for (int c = 0; c < k; c++) beta[c] -= 0.5 * wi[c] * wi[c];
  }
  return logsumexp(beta, weight);
}

static void pulled_back(void) {
  for (int c = 0; c < k; c++) base_bar[c] += weight[c];
  for (int i = 0; i < d; i++) {
    double *restrict wi = whitened + i * wide;
    for (int c = 0; c < k; c++) wi[c] *= -weight[c];
    for (int j = 0; j <= i; j++) {
      const double *restrict f = factors + at(i, j), *restrict dj = difference + j * wide;
      double *restrict fb = factors_bar + at(i, j), *restrict mb = means_bar + j * wide;
      for (int c = 0; c < k; c++) fb[c] += wi[c] * dj[c];
      for (int c = 0; c < k; c++) mb[c] -= wi[c] * f[c];
    }
  }
}

static double compute(int with_gradient) {
  int triangle = d * (d + 1) / 2;
  transpose();
  if (with_gradient) {
    memset(means_bar, 0, sizeof(double) * d * wide);
    memset(factors_bar, 0, sizeof(double) * triangle * wide);
    memset(base_bar, 0, sizeof(double) * wide);
  }
  double value = constant, squares = 0;
  for (int i = 0; i < n; i++) {
    value += observed(x + i * d);
    if (with_gradient) pulled_back();
  }
  value -= n * logsumexp(alpha, weight);
  for (int place = 0; place < triangle; place++)
    for (int c = 0; c < k; c++) squares += factors[place * wide + c] * factors[place * wide + c];
  value -= 0.5 * squares;
  if (!with_gradient) return value;
  double *alpha_bar = gradient, *mu_bar = alpha_bar + k, *q_bar = mu_bar + k * d, *l_bar = q_bar + k * d;
  for (int c = 0; c < k; c++) {
    alpha_bar[c] = base_bar[c] - n * weight[c];
    for (int i = 0; i < d; i++) {
      double e = factors[at(i, i) + c];
      mu_bar[c * d + i] = means_bar[i * wide + c];
      q_bar[c * d + i] = base_bar[c] + (factors_bar[at(i, i) + c] - e) * e;
    }
    int place = c * below;
    for (int column = 0; column < d; column++)
      for (int row = column + 1; row < d; row++)
        l_bar[place++] = factors_bar[at(row, column) + c] - factors[at(row, column) + c];
  }
  return value;
}

static void prepare_answer(void) {}

int main(int count, char **words) {
  if (count != 5) return 2;
  d = atoi(words[2]), k = atoi(words[3]), n = atoi(words[4]);
  below = d * (d - 1) / 2, wide = (k + 7) / 8 * 8;
  gradient_size = k + 2 * k * d + k * below;
  alpha = numbers(words[1], gradient_size + n * d);
  mu = alpha + k, q = mu + k * d, l = q + k * d, x = l + k * below;
  /* The Wishart prior has this constant for nu = d + 1 degrees of freedom and precision 1. */
  double log_gamma = d * (d - 1) * log(M_PI) / 4;
  for (int j = 0; j < d; j++) log_gamma += lgamma((d + 1 - j) / 2.0);
  constant = k * (-(d + 1) * d * log(2) / 2 - log_gamma) - n * d * log(2 * M_PI) / 2;
  int triangle = d * (d + 1) / 2;
  means = room(d * wide, 8), factors = room(triangle * wide, 8), base = room(wide, 8);
  difference = room(d * wide, 8), whitened = room(d * wide, 8), beta = room(wide, 8), weight = room(wide, 8);
  means_bar = room(d * wide, 8), factors_bar = room(triangle * wide, 8), base_bar = room(wide, 8);
  gradient = room(gradient_size, 8);
  return serve(1);
}
