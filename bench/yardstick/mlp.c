/*
 * This yardstick computes a perceptron in float32: the mean cross-entropy of three affine layers, the first
 * two rectified, and its gradient by weights and biases. Loops over blocks of four rows multiply matrices;
 * WITH_BLAS, cblas_sgemm does. Usage: mlp DATA batch w0 w1 w2 w3; DATA is weight and bias of each layer,
 * pixels, labels; see protocol.h.
 */
#include "protocol.h"
#ifdef WITH_BLAS
#include <cblas.h>
extern void openblas_set_num_threads(int);
#endif

enum { LAYERS = 3 };
static int batch, width[LAYERS + 1];
static float *weight[LAYERS], *bias[LAYERS], *layer[LAYERS + 1], *labels;
static float *weight_bar[LAYERS], *bias_bar[LAYERS], *layer_bar[LAYERS + 1], *turned[LAYERS];

#ifndef WITH_BLAS
/* Adds a [m, k] b [k, n] to c [m, n]; four rows of c share reads of b, in column blocks that stay cached. */
static void multiply(int m, int n, int k, const float *restrict a, const float *restrict b, float *restrict c) {
  enum { BLOCK = 64 };
  for (int from = 0; from < n; from += BLOCK) {
    int size = n - from < BLOCK ? n - from : BLOCK, i = 0;
    for (; i + 4 <= m; i += 4) {
      float s0[BLOCK] = {0}, s1[BLOCK] = {0}, s2[BLOCK] = {0}, s3[BLOCK] = {0};
      const float *a0 = a + i * k, *a1 = a0 + k, *a2 = a1 + k, *a3 = a2 + k;
      if (size == BLOCK) {
        for (int p = 0; p < k; p++) {
          const float *restrict row = b + p * n + from;
          for (int j = 0; j < BLOCK; j++) {
            s0[j] += a0[p] * row[j];
            s1[j] += a1[p] * row[j];
            s2[j] += a2[p] * row[j];
            s3[j] += a3[p] * row[j];
          }
        }
      } else {
        for (int p = 0; p < k; p++) {
          const float *restrict row = b + p * n + from;
          for (int j = 0; j < size; j++) {
            s0[j] += a0[p] * row[j];
            s1[j] += a1[p] * row[j];
            s2[j] += a2[p] * row[j];
            s3[j] += a3[p] * row[j];
          }
        }
      }
      for (int j = 0; j < size; j++) {
        float *to = c + i * n + from + j;
        to[0] += s0[j], to[n] += s1[j], to[2 * n] += s2[j], to[3 * n] += s3[j];
      }
    }
    for (; i < m; i++)
      for (int p = 0; p < k; p++)
        for (int j = 0; j < size; j++) c[i * n + from + j] += a[i * k + p] * b[p * n + from + j];
  }
}

static void transpose(int rows, int columns, const float *restrict a, float *restrict b) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) b[j * rows + i] = a[i * columns + j];
}
#endif

/* Computes y = x w + b. */
static void affine(int l) {
  int from = width[l], to = width[l + 1];
  float *y = layer[l + 1];
  for (int i = 0; i < batch; i++) memcpy(y + i * to, bias[l], sizeof(float) * to);
#ifdef WITH_BLAS
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, batch, to, from, 1, layer[l], from, weight[l], to, 1, y, to);
#else
  multiply(batch, to, from, layer[l], weight[l], y);
#endif
  if (l < LAYERS - 1)
    for (int e = 0; e < batch * to; e++) y[e] = y[e] > 0 ? y[e] : 0;
}

/* Computes the cotangents of weights and bias, and of the layer below if there is one. */
static void pulled_back(int l) {
  int from = width[l], to = width[l + 1];
  float *y_bar = layer_bar[l + 1];
  memset(bias_bar[l], 0, sizeof(float) * to);
  for (int i = 0; i < batch; i++)
    for (int j = 0; j < to; j++) bias_bar[l][j] += y_bar[i * to + j];
#ifdef WITH_BLAS
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, from, to, batch, 1, layer[l], from, y_bar, to, 0, weight_bar[l], to);
  if (l > 0)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, batch, from, to, 1, y_bar, to, weight[l], to, 0, layer_bar[l], from);
#else
  transpose(batch, from, layer[l], turned[l]);
  memset(weight_bar[l], 0, sizeof(float) * from * to);
  multiply(from, to, batch, turned[l], y_bar, weight_bar[l]);
  if (l > 0) {
    transpose(from, to, weight[l], turned[l]);
    memset(layer_bar[l], 0, sizeof(float) * batch * from);
    multiply(batch, from, to, y_bar, turned[l], layer_bar[l]);
  }
#endif
  if (l > 0)
    for (int e = 0; e < batch * from; e++) layer_bar[l][e] = layer[l][e] > 0 ? layer_bar[l][e] : 0;
}

/* Computes the loss and the cotangent of the last layer. */
static double cross_entropy(void) {
  int classes = width[LAYERS];
  double loss = 0;
  for (int i = 0; i < batch; i++) {
    float *y = layer[LAYERS] + i * classes, *y_bar = layer_bar[LAYERS] + i * classes, most = y[0], sum = 0;
    for (int j = 1; j < classes; j++) most = y[j] > most ? y[j] : most;
    for (int j = 0; j < classes; j++) sum += y_bar[j] = expf(y[j] - most);
    for (int j = 0; j < classes; j++) {
      float label = labels[i * classes + j];
      loss -= label * (y[j] - most - logf(sum));
      y_bar[j] = (y_bar[j] / sum - label) / batch;
    }
  }
  return loss / batch;
}

static double compute(int with_gradient) {
  for (int l = 0; l < LAYERS; l++) affine(l);
  double value = cross_entropy();
  if (with_gradient)
    for (int l = LAYERS - 1; l >= 0; l--) pulled_back(l);
  return value;
}

/* The answer is in float64, as all yardsticks write it. */
static void prepare_answer(void) {
  double *to = gradient;
  for (int l = 0; l < LAYERS; l++) {
    for (int e = 0; e < width[l] * width[l + 1]; e++) *to++ = weight_bar[l][e];
    for (int e = 0; e < width[l + 1]; e++) *to++ = bias_bar[l][e];
  }
}

static float *floats(const double **from, int count) {
  float *to = room(count, sizeof(float));
  for (int e = 0; e < count; e++) to[e] = (*from)[e];
  *from += count;
  return to;
}

int main(int count, char **words) {
  if (count != 4 + LAYERS) return 2;
  batch = atoi(words[2]);
  for (int l = 0; l <= LAYERS; l++) width[l] = atoi(words[3 + l]);
  for (int l = 0; l < LAYERS; l++) gradient_size += (width[l] + 1) * width[l + 1];
  const double *data = numbers(words[1], gradient_size + batch * (width[0] + width[LAYERS]));
  gradient = room(gradient_size, sizeof(double));
  for (int l = 0; l < LAYERS; l++) {
    int size = width[l] * width[l + 1];
    weight[l] = floats(&data, size), bias[l] = floats(&data, width[l + 1]);
    weight_bar[l] = room(size, 4), bias_bar[l] = room(width[l + 1], 4);
    turned[l] = room(width[l] * (width[l + 1] > batch ? width[l + 1] : batch), 4);
    layer[l + 1] = room(batch * width[l + 1], 4), layer_bar[l + 1] = room(batch * width[l + 1], 4);
  }
  layer[0] = floats(&data, batch * width[0]);
  labels = floats(&data, batch * width[LAYERS]);
#ifdef WITH_BLAS
  openblas_set_num_threads(1);
#endif
  return serve(1);
}
