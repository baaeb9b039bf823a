import type { Coefficients } from "../coefficients.ts";
import type { Nest } from "../javascript/index.ts";
import type { Order, ValueId } from "../plan/index.ts";
import { type ForeignName, functionsText, isForeign } from "./functions/index.ts";
import { instructionText, type Writing } from "./loops.ts";
import { ARENA, indexName, Operands, pointerTo, sourceName } from "./operands.ts";
import { routineText } from "./routines.ts";
import { type Functions, Scalars } from "./scalars.ts";

/** Spoils a part of the text: a planted fault. */
export interface Fault {
  readonly nest?: (nest: Nest) => Nest;
  readonly coefficients?: (right: Coefficients) => Coefficients;
  readonly text?: (right: string) => string;
}

/** How a file is written. */
export interface SourceOptions {
  /** The name of the function. */
  readonly name: string;
  readonly functions: Functions;
  /** Names of the sources and index sources; numbers by default. */
  readonly parameters?: { readonly sources: readonly string[]; readonly indices: readonly string[] };
  readonly fault?: Fault;
}

/** A program as C11 text. */
export interface Source {
  /** What comes before the function, the function itself, and nothing else. */
  readonly text: string;
  /** The declaration of the function, without a semicolon. */
  readonly declaration: string;
  /** Numbers of the workspace. */
  readonly workspace: number;
  /** The functions that an engine hands in. */
  readonly called: readonly ForeignName[];
}

/** Calls in one function: a compiler's time grows faster than a function. */
const callsPerFunction = 200;

/** Writes a program as one C11 file: no allocation, no recursion, no library. */
export function sourceText(order: Order, { name, functions, parameters, fault = {} }: SourceOptions): Source {
  const { program, layout, precision, regime } = order;
  const scalars = new Scalars(precision, regime, functions);
  const writing: Writing = { scalars, regime, ...(fault.nest === undefined ? {} : { nest: fault.nest }) };
  const pointer = (value: ValueId): string => pointerTo(program, layout, value);
  const known = new Map<string, string>();
  const shared = new Set<string>();
  const calls: string[] = [];
  let scratch = 0;
  for (const [n, instruction] of program.instructions.entries()) {
    const out = program.sources.length + n;
    const operands = new Operands(pointer, out);
    const isRoutine = instruction.kind === "routine";
    let body: string;
    if (isRoutine) {
      for (const value of instruction.operands) operands.next(value);
      if (instruction.routine.kind === "bernoulli") operands.index(instruction.routine.index);
      const routine = routineText(program, instruction);
      shared.add(routine.shared);
      scratch = Math.max(scratch, routine.scratch);
      body = routine.body;
    } else body = instructionText(writing, operands, instruction, out);
    if (body === "") continue;
    const [more, given] = isRoutine ? [", T *restrict scratch", `, ${ARENA} + ${layout.length}`] : ["", ""];
    // Kernels with the same text are one function.
    const text = `(${operands.parameters}${more}) {\n${body}\n}`;
    const kernel = known.get(text) ?? `kernel_${known.size}`;
    known.set(text, kernel);
    calls.push(`  ${kernel}(${operands.arguments}${given});`);
  }
  const list = (reals: readonly string[], integers: readonly string[], type: string): string =>
    [
      ...reals.map((real) => `const ${type} *restrict ${real}`),
      ...integers.map((integer) => `const uint32_t *restrict ${integer}`),
      `${type} *restrict ${ARENA}`,
    ].join(", ");
  const inner = {
    sources: program.sources.map((_, n) => sourceName(n)),
    indices: program.indexSources.map((_, n) => indexName(n)),
  };
  const { sources, indices } = parameters ?? inner;
  const groups: string[] = [];
  for (let first = 0; first < calls.length; first += callsPerFunction)
    groups.push(calls.slice(first, first + callsPerFunction).join("\n"));
  const unused = [...inner.sources, ...inner.indices, ARENA].map((some) => `(void)${some};`).join(" ");
  const parts = groups.map(
    (group, n) =>
      `static void part_${n}(${list(inner.sources, inner.indices, "T")}) {\n  ${unused}\n${group}\n}`,
  );
  const type = precision === "float64" ? "double" : "float";
  const declaration = `void ${name}(${list(sources, indices, type)})`;
  const given = [...sources, ...indices, ARENA];
  const statements =
    parts.length === 0
      ? given.map((some) => `  (void)${some};`)
      : parts.map((_, n) => `  part_${n}(${given.join(", ")});`);
  const main = `${declaration} {\n${statements.join("\n")}\n}`;
  const kernels = [...known].map(([text, kernel]) => `static void ${kernel}${text}`);
  const text = [
    ...(functions === "math.h" ? ["#include <math.h>"] : []),
    prelude(precision === "float64"),
    functionsText({
      used: scalars.used,
      precision,
      functions,
      ...(fault.coefficients === undefined ? {} : { terms: fault.coefficients }),
    }),
    ...shared,
    ...kernels,
    ...parts,
    main,
  ].join("\n\n");
  return {
    text: (fault.text ?? ((right) => right))(text),
    declaration,
    workspace: Math.max(1, layout.length + scratch),
    called: functions === "host" ? [...scalars.used].filter(isForeign) : [],
  };
}

/** What every file begins with. */
function prelude(isDouble: boolean): string {
  return `#include <stddef.h>
#include <stdint.h>

#ifdef __FAST_MATH__
#error "Rounding must be that of IEEE 754: compile without -ffast-math."
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/* What no kernel calls is left out. */
#if defined(__GNUC__)
#define HELPER static inline __attribute__((unused))
#else
#define HELPER static inline
#endif

typedef ${isDouble ? "double" : "float"} T;
typedef ptrdiff_t I;

#define INFINITE_D number_D(0x7FF0000000000000u)
#define NOT_A_NUMBER_D number_D(0x7FF8000000000000u)
#define INFINITE_F number_F(0x7F800000u)
#define NOT_A_NUMBER_F number_F(0x7FC00000u)
#define INFINITE INFINITE_${isDouble ? "D" : "F"}
#define NOT_A_NUMBER NOT_A_NUMBER_${isDouble ? "D" : "F"}

/* x y + z, with one rounding where the machine has it. */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define multiply_add(x, y, z) ${isDouble ? "__builtin_fma" : "__builtin_fmaf"}(x, y, z)
#else
#define multiply_add(x, y, z) ((x) * (y) + (z))
#endif`;
}
