import { assertNever, at, integerAt, sizeOf } from "../../../spec/shapes/index.ts";
import { type LoopProgram, type RoutineInstruction, shapeOfValue } from "../plan/index.ts";
import { headerOf, prepareMinors } from "../plan/routines/index.ts";

/** The words of a table before its instructions. */
const HEADER = 7;

/** A routine as a function of its own, and the numbers of scratch space that it needs. */
export interface RoutineText {
  /** What several routines share. */
  readonly shared: string;
  /** Statements over `p0`, `p1` …, `x0`, `o` and `scratch`. */
  readonly body: string;
  readonly scratch: number;
}

/** Writes a routine in the order of the reference, with every operation rounded on its own. */
export function routineText(
  program: LoopProgram,
  { routine, operands, shape }: RoutineInstruction,
): RoutineText {
  if (routine.kind === "bernoulli") {
    const threshold = `${routine.rate * 2 ** 32}`;
    const body = `  for (uint32_t i = 0; i < ${sizeOf(shape)}u; i++) o[i] = (T)((double)threefry(x0[0], x0[1], 0, i) >= ${threshold});`;
    return { shared: threefry, body, scratch: 0 };
  }
  const { n } = routine;
  const m = "m" in routine ? routine.m : 0;
  const count = sizeOf(shapeOfValue(program, at(operands, 0)).slice(0, -2));
  const table = prepareMinors(count, n, m);
  const { length, determinant, cofactors, determinantEnd } = headerOf(table);
  const code = Array.from(table.subarray(HEADER), (_, i) => integerAt(table, HEADER + i));
  const end = { determinant: (determinantEnd - HEADER) / 4, cofactors: code.length / 4 };
  const [matrix, sides] = [n * n, n * m];
  const run = (wanted: keyof typeof end): string =>
    `minors(code, ${end[wanted]}, p0 + b * ${matrix}, scratch, ${matrix}, ${length});`;
  const dot = (operand: number, wanted: keyof typeof end): string =>
    `minor_tangents(code, ${end[wanted]}, p${operand} + b * ${matrix}, scratch, ${matrix}, ${length});`;
  const numbers = `${n}, ${m}, ${length}, ${determinant}, ${cofactors}`;
  const start = `b * ${sides}`;
  const statements = (): readonly string[] => {
    switch (routine.kind) {
      case "determinant":
        return [run("determinant"), `o[b] = scratch[${determinant}];`];
      case "cofactors":
        return [
          run("cofactors"),
          `for (I i = 0; i < ${matrix}; i++) o[b * ${matrix} + i] = scratch[${cofactors} + i];`,
        ];
      case "determinant_tangent":
        return [run("determinant"), dot(1, "determinant"), `o[b] = scratch[${length + determinant}];`];
      case "solution":
        return [run("cofactors"), `solution(scratch, p1 + ${start}, o + ${start}, ${numbers});`];
      case "solution_tangent":
        return [
          run("cofactors"),
          dot(2, "cofactors"),
          `solution_tangent(scratch, p1 + ${start}, p3 + ${start}, o + ${start}, ${numbers});`,
        ];
      case "solution_cotangent":
        return [run("cofactors"), `solution_cotangent(scratch, p1 + ${start}, o + ${start}, ${numbers});`];
      default:
        return assertNever(routine);
    }
  };
  const body = [
    `  static const int32_t code[] = { ${code.length === 0 ? "0" : code.join(", ")} };`,
    `  for (I b = 0; b < ${count}; b++) {`,
    ...statements().map((statement) => `    ${statement}`),
    "  }",
  ].join("\n");
  return { shared: minors, body, scratch: 2 * length };
}

/** @see plan/routines/minors.ts and solution.ts, whose order this has. */
const minors = `
HELPER T minor_term(T x, int32_t code) { return code & 1 ? -x : x; }
/* Each instruction has target, left, right, and 1 for a minus plus 2 for no product. */
HELPER void minors(const int32_t *code, I count, const T *x, T *s, I matrix, I length) {
  for (I i = 0; i < length; i++) s[i] = 0;
  s[0] = 1;
  for (I i = 0; i < matrix; i++) s[1 + i] = x[i];
  for (I i = 0; i < count; i++) {
    const int32_t *c = code + 4 * i;
    T left = s[c[1]];
    T term = c[3] & 2 ? left : left * s[c[2]];
    s[c[0]] = s[c[0]] + minor_term(term, c[3]);
  }
}
HELPER void minor_tangents(const int32_t *code, I count, const T *x, T *s, I matrix, I length) {
  T *dot = s + length;
  for (I i = 0; i < length; i++) dot[i] = 0;
  for (I i = 0; i < matrix; i++) dot[1 + i] = x[i];
  for (I i = 0; i < count; i++) {
    const int32_t *c = code + 4 * i;
    T term = dot[c[1]];
    if (!(c[3] & 2)) {
      T from_left = dot[c[1]] * s[c[2]], from_right = s[c[1]] * dot[c[2]];
      term = from_left + from_right;
    }
    dot[c[0]] = dot[c[0]] + minor_term(term, c[3]);
  }
}
HELPER T solution_at(const T *s, const T *b, I k, I j, I n, I m, I determinant, I cofactors) {
  T total = 0;
  for (I i = 0; i < n; i++) {
    T term = s[cofactors + i * n + k] * b[i * m + j];
    total = total + term;
  }
  return total / s[determinant];
}
HELPER void solution(const T *s, const T *b, T *x, I n, I m, I length, I determinant, I cofactors) {
  (void)length;
  for (I k = 0; k < n; k++)
    for (I j = 0; j < m; j++) x[k * m + j] = solution_at(s, b, k, j, n, m, determinant, cofactors);
}
HELPER void solution_tangent(const T *s, const T *b, const T *b_dot, T *x_dot, I n, I m, I length, I determinant, I cofactors) {
  for (I k = 0; k < n; k++)
    for (I j = 0; j < m; j++) {
      T total = 0;
      for (I i = 0; i < n; i++) {
        I c = cofactors + i * n + k;
        T from_a = s[length + c] * b[i * m + j];
        T from_b = s[c] * b_dot[i * m + j];
        T both = from_a + from_b;
        total = total + both;
      }
      T drop = solution_at(s, b, k, j, n, m, determinant, cofactors) * s[length + determinant];
      T rest = total - drop;
      x_dot[k * m + j] = rest / s[determinant];
    }
}
HELPER void solution_cotangent(const T *s, const T *c, T *b_bar, I n, I m, I length, I determinant, I cofactors) {
  (void)length;
  for (I i = 0; i < n; i++)
    for (I j = 0; j < m; j++) {
      T total = 0;
      for (I k = 0; k < n; k++) {
        T term = s[cofactors + i * n + k] * c[k * m + j];
        total = total + term;
      }
      b_bar[i * m + j] = total / s[determinant];
    }
}`.trim();

const threefry = `
/* 32 random bits: both words of Threefry-2x32 with 20 rounds [Salmon, Moraes, Dror and Shaw, SC 2011]. */
static uint32_t threefry(uint32_t k0, uint32_t k1, uint32_t c0, uint32_t c1) {
  static const int turns[2][4] = { { 13, 15, 26, 6 }, { 17, 29, 16, 24 } };
  const uint32_t key[3] = { k0, k1, k0 ^ k1 ^ 0x1BD11BDAu };
  uint32_t x = c0 + k0, y = c1 + k1;
  for (uint32_t round = 0; round < 5; round++) {
    for (int i = 0; i < 4; i++) {
      int turn = turns[round & 1][i];
      x += y;
      y = (y << turn | y >> (32 - turn)) ^ x;
    }
    x += key[(round + 1) % 3];
    y += key[(round + 2) % 3] + round + 1;
  }
  return x ^ y;
}`.trim();
