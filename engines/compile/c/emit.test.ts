import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Graph, graph, InvariantError, type Value } from "../../../spec/index.ts";
import { unaryNames } from "../../../spec/operators/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { compile } from "../browser.ts";
import { type EmitOptions, emitC } from "./emit.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-c-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every elementary function, and every kind of instruction: folds, scans, scatters, pieces and routines. */
const everything: Graph = graph(({ input, indices }) => {
  const x = input("x y", [5]);
  const matrix = input("float", [2, 2]);
  const rows = indices("rows", [3]);
  const half = x.tanh().multiply(x.tanh()).multiply(0.3).add(0.2);
  const above = half.add(1.5);
  let sum: Value = x.pow(2).add(half.atan2(above)).add(half.pow(above)).add(half.hypot(above));
  for (const name of unaryNames) sum = sum.add((name === "acosh" ? above : half)[name]());
  const scanned = sum.cumulative_sum({ axis: 0 }).floor().add(sum);
  const looked = scanned.take({ indices: rows, axis: 0 }).max({ axes: [0], keepdims: false });
  return looked.add(matrix.det()).add(scanned.sum({ axes: [0], keepdims: false }));
});

function emitted(options: EmitOptions = {}, given: Graph = everything) {
  const made = emitC(given, options);
  if (!made.ok) throw new InvariantError(made.error.message);
  return made.value;
}

function has(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"];

/** A program that calls the function once, and prints the bits of all results; on ARM by Linux's calls. */
function mainText(prefix: string): string {
  return `
static uint8_t text[65536];
static const uint32_t rows[] = { 4, 0, 4 };
static const T x[] = { 0.25, -0.5, 0.75, 1.0, -1.25 }, matrix[] = { 1.5, 2.0, -0.25, 3.0 };
static T workspace[${prefix}_WORKSPACE];
static int hex(int length, const void *from, int size) {
  const uint8_t *bytes = from;
  for (int i = size - 1; i >= 0; i--) {
    text[length++] = (uint8_t)"0123456789abcdef"[bytes[i] >> 4];
    text[length++] = (uint8_t)"0123456789abcdef"[bytes[i] & 15];
  }
  text[length++] = 10;
  return length;
}
static int computed(void) {
  static const int places[][2] = { { ${prefix}_VALUE, 1 }, { ${prefix}_X_Y, 5 }, { ${prefix}_FLOAT_, 4 } };
  int length = 0;
  gradient(x, matrix, rows, workspace);
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < places[r][1]; i++) length = hex(length, workspace + places[r][0] + i, sizeof(T));
  return length;
}
#ifdef __arm__
static int call(int number, int a, const void *b, int c) {
  register int r7 __asm__("r7") = number, r0 __asm__("r0") = a, r2 __asm__("r2") = c;
  register const void *r1 __asm__("r1") = b;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
  return r0;
}
void *memset(void *to, int byte, size_t count) { for (uint8_t *at = to; count--;) *at++ = (uint8_t)byte; return to; }
void *memcpy(void *to, const void *from, size_t count) {
  const uint8_t *source = from;
  for (uint8_t *at = to; count--;) *at++ = *source++;
  return to;
}
void _start(void) { call(4, 1, text, computed()); call(1, 0, text, 0); }
#else
#include <stdio.h>
int main(void) { fwrite(text, 1, (size_t)computed(), stdout); return 0; }
#endif
`;
}

/** Writes a file that prints, and returns its path. */
function printing(dtype: "float64" | "float32"): string {
  const file = join(folder, `printing_${dtype}`);
  const { source, header } = emitted({ dtype });
  writeFileSync(`${file}.h`, header);
  writeFileSync(`${file}.c`, `${source}#include "${file}.h"\n${mainText("GRADIENT")}`);
  return `${file}.c`;
}

function run(command: string, ...words: readonly string[]): string {
  return execFileSync(command, words, { encoding: "utf8" });
}

/** The bits that a compiler's program prints. */
function printedBy(compiler: string, dtype: "float64" | "float32"): string {
  const made = join(folder, `${compiler}_${dtype}.out`);
  run(compiler, ...strict, "-o", made, printing(dtype));
  return run(made);
}

const compilers = ["gcc", "clang"].map((command) => ({ command, isThere: has(command) }));
/** A compiler takes its time, so that each question is asked in one precision in `npm test`. */
const dtypesFor = (question: string) => sampled(question, ["float64", "float32"] as const, 1);

describe.each(compilers)("$command", ({ command, isThere }) => {
  test.skipIf(!isThere).each(dtypesFor(`warnings of ${command}`))(
    "finds nothing to warn of in a file in %s, which needs no library",
    (dtype) => {
      const file = join(folder, `${command}_${dtype}`);
      writeFileSync(`${file}.c`, emitted({ dtype }).source);
      run(command, ...strict, "-c", "-ffreestanding", "-nostdlib", "-o", `${file}.o`, `${file}.c`);
      const missing = run("nm", "-u", `${file}.o`).replaceAll(
        /\b(U|memcpy|memset|_GLOBAL_OFFSET_TABLE_)\b/g,
        "",
      );
      expect(missing.trim()).toBe("");
    },
  );

  test.skipIf(!isThere).each(dtypesFor(`answers of ${command}`))(
    "makes a program of the answers that JavaScript gives, in %s",
    (dtype) => {
      const real = (numbers: readonly number[]) =>
        dtype === "float64" ? Float64Array.from(numbers) : Float32Array.from(numbers);
      const f = compile(everything, { dtype });
      f.bind({ rows: Uint32Array.of(4, 0, 4) });
      const { value, gradient } = f.valueAndGradient(
        real([0.25, -0.5, 0.75, 1, -1.25]),
        real([1.5, 2, -0.25, 3]),
      );
      const wanted = [value, ...gradient].flatMap((numbers) => [...numbers]);
      const found = printedBy(command, dtype)
        .trim()
        .split("\n")
        .map((bits) => numberOf(bits));
      const close = dtype === "float64" ? 1e-13 : 2e-5;
      expect(found.length).toBe(wanted.length);
      for (const [n, number] of wanted.entries()) {
        expect(Math.abs((found[n] ?? Number.NaN) - number) / (1 + Math.abs(number))).toBeLessThan(close);
      }
    },
  );
});

function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`) << (bits.length === 8 ? 32n : 0n));
  return bits.length === 8 ? view.getFloat32(0) : view.getFloat64(0);
}

const isArmThere = has("arm-none-eabi-gcc") && has("qemu-arm") && has("gcc");

// Where they are missing: apt-get install gcc-arm-none-eabi qemu-user.
test.skipIf(!isArmThere).each(dtypesFor("microcontroller"))(
  "a microcontroller's file has the host's bits in %s, by arm-none-eabi-gcc and qemu-arm",
  (dtype) => {
    const made = join(folder, `arm_${dtype}`);
    // The loop of memset must not become a call of it.
    const words = [...strict, "-mcpu=cortex-a7", "-marm", "-ffreestanding", "-nostdlib", "-o", made];
    words.push("-fno-tree-loop-distribute-patterns");
    run("arm-none-eabi-gcc", ...words, printing(dtype), "-lgcc");
    expect(run("qemu-arm", made)).toBe(printedBy("gcc", dtype));
  },
);

test.skipIf(!has("gcc"))(
  "the example of docs/c.md compiles as it stands, with what its command writes",
  () => {
    const example = /```c\n([^`]+)```/.exec(
      readFileSync(new URL("../../../docs/c.md", import.meta.url), "utf8"),
    );
    const perceptron = graph(({ input }) => {
      const [x, w, v] = [input("x", [8, 4]), input("w", [4, 16]), input("v", [16, 1])];
      const y = x.matmul(w).tanh().matmul(v);
      return y.multiply(y).sum({ axes: [0, 1], keepdims: false });
    });
    const { source, header } = emitted({ dtype: "float32" }, perceptron);
    writeFileSync(join(folder, "gradient.h"), header);
    writeFileSync(join(folder, "example.c"), `${example?.[1]}`);
    writeFileSync(join(folder, "gradient.c"), source);
    const files = ["example", "gradient"].map((name) => join(folder, `${name}.c`));
    const main = join(folder, "main.c");
    writeFileSync(
      main,
      `#include <stdio.h>
float step(const float *, float *, float *, float);
int main(void) {
  static float x[32], w[64], v[16];
  for (int i = 0; i < 64; i++) { w[i] = 0.01f * (float)(i % 7); x[i / 2] = 0.1f * (float)i; v[i / 4] = 0.1f; }
  for (int i = 0; i < 3; i++) printf("%g\\n", (double)step(x, w, v, 0.001f));
  return 0;
}`,
    );
    run("gcc", ...strict, "-o", join(folder, "example"), ...files, main);
    const losses = run(join(folder, "example")).trim().split("\n").map(Number);
    expect(losses).toHaveLength(3);
    expect(losses.toSorted((a, b) => b - a)).toEqual(losses);
    expect(new Set(losses).size).toBe(3);
  },
);

describe("a file is refused", () => {
  const vector = graph(({ input }) => input("x", [2]).exp());

  test.each([
    ["emit/output-shape", vector, {}],
    ["emit/output", vector, { output: 7 }],
    ["emit/function-name", vector, { mode: "jvp", name: "for" }],
    ["emit/function-name", vector, { mode: "jvp", name: "a b" }],
    ["emit/function-name", vector, { mode: "jvp", name: "kernel_0" }],
    ["emit/function-name", vector, { mode: "jvp", name: "exp", regime: "bit_exact" }],
    ["emit/function-name", vector, { mode: "jvp", name: "uint32_t" }],
    ["plan/budget", vector, { mode: "vjp", memory: 8 }],
  ] as const)("with %s", (code, given, options) => {
    expect(emitC(given, options)).toMatchObject({ ok: false, error: { code } });
  });
});

test("a graph that differs by the sign of a zero has other hashes", () => {
  const hashes = [0, -0].flatMap((factor) => {
    const { header } = emitted(
      { mode: "vjp" },
      graph(({ input }) => input("x", []).multiply(factor)),
    );
    return header.match(/sha256 \w{64}/g) ?? [];
  });
  expect(new Set(hashes).size).toBe(4);
});

const languages = [
  ["gcc", "-std=c11"],
  ["g++", "-std=c++17"],
] as const;

test.each(
  languages.filter(([compiler]) => has(compiler)),
)("%s reads a header of inputs with names that the file, C or C++ has already", (compiler, standard) => {
  const named = graph(({ input }) => {
    const all = ["h", "WORKSPACE", "value", "class", "uint32_t", "x", "X"].map((name) => input(name, []));
    all.reduce((sum, x) => sum.add(x));
  });
  const including = join(folder, compiler === "gcc" ? "named.c" : "named.cc");
  writeFileSync(join(folder, "named.h"), emitted({}, named).header);
  writeFileSync(including, '#include "named.h"\nint main(void) { return GRADIENT_WORKSPACE * 0; }\n');
  run(compiler, standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", including);
});

test.each(["gradient", "vjp", "jvp"] as const)("the header of a %s names what the file declares", (mode) => {
  const { source, header } = emitted({ mode, name: "f" });
  const [, parameters = ""] = /^void f\((.*)\) \{$/m.exec(source) ?? [];
  expect(header).toContain(`void f(${parameters.replaceAll(" *restrict ", " *")});`);
  expect(header).toMatch(/#define F_WORKSPACE \d+/);
  expect(parameters.includes("cotangent")).toBe(mode === "vjp");
  expect(parameters.includes("tangent_x_y")).toBe(mode === "jvp");
});
