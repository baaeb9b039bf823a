import type { Coefficients } from "../coefficients.ts";
import type { Nest } from "../javascript/index.ts";
import { isWorthThreads, type Order, type Precision, type Regime, type ValueId } from "../plan/index.ts";
import type { Writing } from "./blocks.ts";
import { type ForeignName, functionsText, isForeign } from "./functions/index.ts";
import { instructionText, type Stage } from "./loops.ts";
import { ARENA, indexName, Operands, pointerTo, sourceName } from "./operands.ts";
import { routineText } from "./routines.ts";
import { type Functions, Scalars } from "./scalars.ts";

/** Spoils a part of the text: a planted fault. */
export interface Fault {
  readonly nest?: (nest: Nest) => Nest;
  readonly coefficients?: (right: Coefficients) => Coefficients;
  readonly text?: (right: string) => string;
}

/** How a program is written. */
export interface SourceOptions {
  /** The name of the function. */
  readonly name: string;
  /** Names of the sources and index sources; numbers by default. */
  readonly parameters?: { readonly sources: readonly string[]; readonly indices: readonly string[] };
  /** Large loops are shared by threads: the function takes the number of a thread and how many there are. */
  readonly threads?: boolean;
}

/** How a file is written. */
export interface FileOptions {
  readonly precision: Precision;
  readonly regime: Regime;
  readonly functions: Functions;
  readonly fault?: Fault;
}

/** The function of a program in a file. */
export interface SourceFunction {
  /** The declaration of the function, without a semicolon. */
  readonly declaration: string;
  /** Numbers of the workspace. */
  readonly workspace: number;
  /** The function is to be called by each thread, and the engine hands in the team of threads. */
  readonly isForThreads: boolean;
}

/** A program as C11 text: what comes before its function, the function itself, and nothing else. */
export interface Source extends SourceFunction {
  readonly text: string;
  /** The functions that an engine hands in. */
  readonly called: readonly ForeignName[];
}

/** Calls in one function: a compiler's time grows faster than a function. */
const callsPerFunction = 200;

/** Writes a program as one C11 file: no allocation, no recursion, no library. */
export function sourceText(
  order: Order,
  { functions, fault, ...options }: SourceOptions & Pick<FileOptions, "functions" | "fault">,
): Source {
  const { precision, regime } = order;
  const file = new SourceFile({ precision, regime, functions, ...(fault === undefined ? {} : { fault }) });
  const made = file.add(order, options);
  return { ...made, text: file.text, called: file.called };
}

/** A C11 file of the functions of programs, which share their kernels. */
export class SourceFile {
  readonly #options: FileOptions;
  readonly #scalars: Scalars;
  readonly #known = new Map<string, string>();
  readonly #definitions: string[] = [];
  readonly #routines = new Set<string>();
  readonly #functions: string[] = [];
  #parts = 0;
  #hasThreads = false;

  constructor(options: FileOptions) {
    this.#options = options;
    this.#scalars = new Scalars(options.precision, options.regime, options.functions);
  }

  /** Writes the function of a program, of the file's precision and regime. */
  add(order: Order, { name, parameters, threads = false }: SourceOptions): SourceFunction {
    const { program, layout, regime } = order;
    const { precision, fault = {} } = this.#options;
    const isForThreads = threads && isWorthThreads(program);
    this.#hasThreads ||= isForThreads;
    const writing: Writing = {
      scalars: this.#scalars,
      regime,
      isForThreads,
      ...(fault.nest === undefined ? {} : { nest: fault.nest }),
    };
    const pointer = (value: ValueId): string => pointerTo(program, layout, value);
    const calls: string[] = [];
    let scratch = 0;
    let stage = 0;
    for (const [n, instruction] of program.instructions.entries()) {
      const out = program.sources.length + n;
      const operands = new Operands(pointer, out);
      let stages: readonly Stage[];
      if (instruction.kind === "routine") {
        for (const value of instruction.operands) operands.next(value);
        if (instruction.routine.kind === "bernoulli") operands.index(instruction.routine.index);
        const routine = routineText(program, instruction);
        this.#routines.add(routine.shared);
        operands.needScratch(routine.scratch);
        stages = [{ text: routine.body, isShared: false }];
      } else stages = instructionText(writing, operands, instruction, out);
      scratch = Math.max(scratch, operands.scratch);
      const joined = isForThreads
        ? stages
        : [{ text: stages.map(({ text }) => text).join("\n"), isShared: false }];
      for (const { text: body, isShared } of joined) {
        if (body === "") continue;
        const kernel = this.#kernel(operands.parameters, body);
        const call = (threads: string): string =>
          `${kernel}(${operands.argumentsWith(`${ARENA} + ${layout.length}`, threads)});`;
        if (isShared) calls.push(`  SHARED(${stage++}, ${call("part, parts").slice(0, -1)})`);
        else calls.push(`  ${isForThreads ? "if (t == 0) " : ""}${call("0, 1")}`);
      }
    }
    // Between kernels a workspace changes by other threads, which `restrict` would deny.
    const star = isForThreads ? "*" : "*restrict ";
    const list = (reals: readonly string[], integers: readonly string[], type: string): string =>
      [
        ...reals.map((real) => `const ${type} ${star}${real}`),
        ...integers.map((integer) => `const uint32_t ${star}${integer}`),
        `${type} ${star}${ARENA}`,
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
    const share = isForThreads ? ", I t, I n" : "";
    const given = [...sources, ...indices, ARENA, ...(isForThreads ? ["t", "n"] : [])];
    const statements = groups.map((group) => {
      const part = `part_${this.#parts++}`;
      const head = `static void ${part}(${list(inner.sources, inner.indices, "T")}${share})`;
      this.#functions.push(`${head} {\n  ${unused}\n${group}\n}`);
      return `  ${part}(${given.join(", ")});`;
    });
    if (groups.length === 0) statements.push(...given.map((some) => `  (void)${some};`));
    const type = precision === "float64" ? "double" : "float";
    const declaration = `void ${name}(${list(sources, indices, type)}${share})`;
    this.#functions.push(`${declaration} {\n${statements.join("\n")}\n}`);
    return { declaration, workspace: Math.max(1, layout.length + scratch), isForThreads };
  }

  /** Returns the name of the kernel of such a text; kernels with the same text are one function. */
  #kernel(parameters: string, body: string): string {
    // Products of vectors go into sums by the compiler, which has no function for it.
    const [contracted, statement] = body.includes("multiply_add_V(")
      ? ["CONTRACTED ", "  CONTRACT\n"]
      : ["", ""];
    const text = `(${parameters}) {\n${statement}${body}\n}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const kernel = `kernel_${this.#known.size}`;
    this.#known.set(text, kernel);
    this.#definitions.push(`${contracted}static void ${kernel}${text}`);
    return kernel;
  }

  /** The file as far as it is written. */
  get text(): string {
    const { precision, functions, fault = {} } = this.#options;
    const text = [
      ...(functions === "math.h" ? ["#include <math.h>"] : []),
      prelude(precision === "float64"),
      functionsText({
        used: this.#scalars.used,
        precision,
        functions,
        ...(fault.coefficients === undefined ? {} : { terms: fault.coefficients }),
      }),
      ...(this.#hasThreads ? [sharing] : []),
      ...(/\b(FEW|LANES)\b/.test(this.#definitions.join()) ? [lanes] : []),
      ...this.#routines,
      ...this.#definitions,
      ...this.#functions,
    ].join("\n\n");
    return (fault.text ?? ((right) => right))(text);
  }

  /** The functions that an engine hands in. */
  get called(): readonly ForeignName[] {
    return this.#options.functions === "host" ? [...this.#scalars.used].filter(isForeign) : [];
  }
}

/**
 * Threads take the parts of a stage as they come, so that one that the system stops holds nobody up; part `t`
 * of `n` has these rounds of a loop. Thread 0 opens a stage, and goes on when all parts are done.
 */
const sharing = `static const struct team {
  int (*enter)(void);
  void (*leave)(void);
  void (*together)(void (*)(I, I), I);
  void (*open)(I);
  I (*take)(I);
  void (*finish)(void);
  void (*close)(void);
} *_Atomic team;
#define FIRST(rounds) ((rounds) * t / n)
#define END(rounds) ((rounds) * (t + 1) / n)
#define SHARED(stage, call) do { \\
    if (n == 1) { const I part = 0, parts = 1; call; break; } \\
    const I parts = 16; \\
    if (t == 0) team->open(stage); \\
    for (I part; (part = team->take(stage)) >= 0; team->finish()) call; \\
    if (t == 0) team->close(); \\
  } while (0);`;

/** What every file begins with. */
export function prelude(isDouble: boolean): string {
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

/** What kernels with lanes begin with. */
const lanes = `/* Vectors of W lanes; the loops over the few that a total has are written out by the compiler. */
#if defined(__GNUC__)
#if defined(__AVX512F__)
#define W (64 / (I)sizeof(T))
#elif defined(__AVX__)
#define W (32 / (I)sizeof(T))
#else
#define W (16 / (I)sizeof(T))
#endif
typedef T V __attribute__((vector_size(W * sizeof(T)), aligned(sizeof(T)), may_alias));
#define VECTOR(x) (*(V *)&(x))
#define LANE(v, i) v[i]
#else
#define W 1
typedef T V;
#define VECTOR(x) (x)
#define LANE(v, i) v
#endif
#define multiply_add_V(x, y, z) ((x) * (y) + (z))
#if defined(__clang__)
#define CONTRACTED
#define CONTRACT _Pragma("STDC FP_CONTRACT ON")
#define FEW _Pragma("unroll")
#define LANES
#elif defined(__GNUC__)
#define CONTRACTED __attribute__((optimize("fp-contract=fast")))
#define CONTRACT
#define FEW _Pragma("GCC unroll 16")
#define LANES _Pragma("GCC unroll 1")
#else
#define CONTRACTED
#define CONTRACT
#define FEW
#define LANES
#endif

HELPER T total_V(V x) {
  T lanes[W];
  FEW for (I i = 0; i < W; i++) lanes[i] = LANE(x, i);
  FEW for (I n = W / 2; n > 0; n /= 2)
    FEW for (I i = 0; i < n; i++) lanes[i] = lanes[i] + lanes[i + n];
  return lanes[0];
}`;
