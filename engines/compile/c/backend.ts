import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { serialize } from "node:v8";
import { at, sizeOf } from "../../../spec/shapes/index.ts";
import {
  allows,
  type Backend,
  type Executable,
  type Numbers,
  type Order,
  type Precision,
  type Regime,
  shapeOfValue,
} from "../plan/index.ts";
import type { CCompiler } from "./compiler.ts";
import { keep, type Library, loaded } from "./foreign.ts";
import type { Functions } from "./scalars.ts";
import { type Fault, SourceFile, sourceText } from "./source.ts";
import { teamText } from "./threads.ts";

/** The backend is made with these. */
interface CBackendOptions {
  /** Threads that compute large programs; as many as there are cores, by default. */
  readonly threads?: number;
  /** A test may plant a fault. */
  readonly fault?: Fault;
}

/** Makes the backend that has a C compiler make a library of each program. */
export function cBackend(compiler: CCompiler, options: CBackendOptions = {}): Backend {
  return { name: "c", build: (order) => runnable(order, madeAlone(order, compiler, options)) };
}

/** A source of so many numbers is read where it lies, unless there are many such; others are copied. */
const LARGE = 4096;
const mostDirect = 16;

/** Bytes of a cache line: no two arrays share one, if the first begins at one. */
const LINE = 64;

/** Orders are written as one file and compiled together, so many at a time. */
const together = 100;

/** Backends that have many programs compiled by few calls of the compiler. */
interface CBatch {
  /** Notes which programs will be run, and computes nothing: all results are 0. */
  readonly notes: Backend;
  /** Compiles all that was noted when the first program is built; what was not is compiled alone. */
  readonly runs: Backend;
}

/** Makes backends for those who know beforehand which programs they will run; one thread computes each. */
export function cBatch(compiler: CCompiler, fault: Fault = {}): CBatch {
  const noted = new Map<string, Order>();
  const made = new Map<string, Made>();
  const compileNoted = (): void => {
    const groups = Map.groupBy(noted, ([, { precision, regime }]) => `${precision} ${regime}`);
    for (const group of groups.values())
      for (let first = 0; first < group.length; first += together)
        for (const [key, one] of madeTogether(group.slice(first, first + together), compiler, fault))
          made.set(key, one);
    noted.clear();
  };
  return {
    notes: {
      name: "c, noted",
      build: (order) => {
        const key = keyOf(order);
        if (!made.has(key)) noted.set(key, order);
        const results = order.program.results.map((value) =>
          numbersOf(order.precision, sizeOf(shapeOfValue(order.program, value))),
        );
        return { results, bytes: 0, run: () => {} };
      },
    },
    runs: {
      name: "c",
      build: (order) => {
        compileNoted();
        return runnable(order, made.get(keyOf(order)) ?? madeAlone(order, compiler, { threads: 1, fault }));
      },
    },
  };
}

/** Tells orders apart. Two of the same numbers may have two keys, and are then compiled twice. */
const keyOf = ({ program, layout, precision, regime }: Order): string =>
  createHash("sha256")
    .update(serialize([program, layout, precision, regime]))
    .digest("hex");

/** A library that is loaded, with a program's function in it. */
interface Made {
  readonly call: (...values: unknown[]) => unknown;
  readonly workspace: number;
}

function* madeTogether(
  orders: readonly (readonly [key: string, order: Order])[],
  compiler: CCompiler,
  fault: Fault,
): Generator<readonly [key: string, made: Made]> {
  const [first] = orders;
  if (first === undefined) return;
  const { precision, regime } = first[1];
  const file = new SourceFile({ precision, regime, functions: functionsIn(regime), fault });
  const written = orders.map(([key, order], n) => {
    const { workspace } = file.add(order, { name: `run_${n}` });
    return { key, workspace, ...entryOf(order, `_${n}`, false) };
  });
  const path = compiler.compile([file.text, ...written.map(({ text }) => text), ""].join("\n\n"));
  const library = loaded(path, file.called);
  for (const { key, workspace, name, types } of written)
    yield [key, { workspace, call: library.func(name, "void", types) }];
}

function madeAlone(
  order: Order,
  compiler: CCompiler,
  { threads = availableParallelism(), fault = {} }: CBackendOptions,
): Made {
  const functions = functionsIn(order.regime);
  const written = sourceText(order, { name: "run", functions, threads: true, fault });
  const entry = entryOf(order, "", written.isForThreads);
  const path = compiler.compile(`${written.text}\n\n${entry.text}\n`);
  const library = loaded(path, written.called);
  if (written.isForThreads) {
    // A thread that comes late may be in it.
    keep(path);
    joinTeam(library, compiler, threads);
  }
  return { workspace: written.workspace, call: library.func(entry.name, "void", entry.types) };
}

const functionsIn = (regime: Regime): Functions => (allows(regime, "own_functions") ? "own" : "host");

/** Where a program's sources lie: those of some numbers where they are, others in one array. */
function sourcesOf({ program, precision }: Order) {
  const width = precision === "float64" ? 8 : 4;
  const sizes = program.sources.map(({ shape }) => sizeOf(shape));
  const direct = [...sizes.keys()].filter((n) => at(sizes, n) >= LARGE).slice(0, mostDirect);
  const sources = places(
    sizes.map((size, n) => (direct.includes(n) ? 0 : size)),
    width,
  );
  const indices = places(
    program.indexSources.map(({ size }) => size),
    4,
  );
  return { direct, sources, indices };
}

/** Writes the function that the engine calls for the function `run` of an order. */
function entryOf(order: Order, suffix: string, isForThreads: boolean) {
  const { direct, sources, indices } = sourcesOf(order);
  const given = [
    ...sources.starts.map((start, n) =>
      direct.includes(n) ? `from[${2 + direct.indexOf(n)}]` : `from[0] + ${start}`,
    ),
    ...indices.starts.map((start) => `(const uint32_t *)from[1] + ${start}`),
    "to",
  ].join(", ");
  const name = `entry${suffix}`;
  const types = new Array<string>(3 + direct.length).fill("void *");
  return { name, types, text: entryText(name, `run${suffix}(${given}`, direct.length, isForThreads) };
}

const numbersOf = (precision: Precision, length: number): Numbers =>
  precision === "float64" ? new Float64Array(length) : new Float32Array(length);

function runnable(order: Order, { call, workspace }: Made): Executable {
  const { program, layout, precision } = order;
  const { direct, sources, indices } = sourcesOf(order);
  const [S, X, A] = [
    numbersOf(precision, sources.length),
    new Uint32Array(indices.length),
    numbersOf(precision, workspace),
  ];
  const results = program.results.map((value): Numbers => {
    const place = at(layout.places, value - program.sources.length);
    return A.subarray(place, place + sizeOf(shapeOfValue(program, value)));
  });
  return {
    results,
    bytes: S.byteLength + X.byteLength + A.byteLength,
    run(numbers, integers) {
      for (const [n, start] of sources.starts.entries())
        if (!direct.includes(n)) S.set(at(numbers, n), start);
      for (const [n, start] of indices.starts.entries()) X.set(at(integers, n), start);
      call(A, S, X, ...direct.map((n) => apart(at(numbers, n), A)));
    },
  };
}

/** Returns numbers that do not lie in an array, nor where a foreign function might not find them. */
function apart(numbers: Numbers, array: Numbers): Numbers {
  return numbers.buffer === array.buffer || !(numbers.buffer instanceof ArrayBuffer)
    ? numbers.slice()
    : numbers;
}

/** Writes the function that the engine calls, with the workspace and where sources lie. */
function entryText(name: string, run: string, count: number, isForThreads: boolean): string {
  const names = ["S", "X", ...Array.from({ length: count }, (_, n) => `s${n}`)];
  const parameters = ["T *to", ...names.map((some) => `const T *${some}`)].join(", ");
  const here = `const T *from[] = { ${names.join(", ")} };`;
  if (!isForThreads) return `void ${name}(${parameters}) { ${here} ${run}); }`;
  // The places of the caller who has the team; a thread that comes late may read the next one's, and finds
  // no part to do.
  const each = `for (I i = 0; i < ${names.length}; i++)`;
  return `static const T *_Atomic sources[${names.length}];
static T *_Atomic target;
static _Atomic I threads;
static void run_at(const T *const *from, T *to, I t, I n) { ${run}, t, n); }
static void share(I t, I n) {
  const T *from[${names.length}];
  ${each} from[i] = sources[i];
  run_at(from, target, t, n);
}
void set_team(const struct team *given, I most) { team = given, threads = most; }
void ${name}(${parameters}) {
  ${here}
  if (!team->enter()) {
    run_at(from, to, 0, 1);
    return;
  }
  ${each} sources[i] = from[i];
  target = to;
  team->together(share, threads);
  team->leave();
}`;
}

/** Tells a library where the team of threads is, which has a library of its own. */
function joinTeam(library: Library, compiler: CCompiler, threads: number): void {
  team ??= loadedTeam(compiler);
  library.func("set_team", "void", ["uintptr_t", "intptr_t"])(team, threads);
}

let team: unknown;

function loadedTeam(compiler: CCompiler): unknown {
  const path = compiler.compile(teamText);
  const library = loaded(path, []);
  keep(path);
  return library.func("address_of_team", "uintptr_t", [])();
}

/** Places arrays of these sizes one after the other, each on a line of its own. */
function places(sizes: readonly number[], width: number): { starts: readonly number[]; length: number } {
  const line = LINE / width;
  let length = 0;
  const starts = sizes.map((size) => {
    const start = length;
    length += Math.ceil(size / line) * line;
    return start;
  });
  // An array without elements would have no address.
  return { starts, length: Math.max(length, line) };
}
