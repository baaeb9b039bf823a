import { availableParallelism } from "node:os";
import { at, sizeOf } from "../../../spec/shapes/index.ts";
import {
  allows,
  type Backend,
  type Executable,
  type Numbers,
  type Order,
  shapeOfValue,
} from "../plan/index.ts";
import type { CCompiler } from "./compiler.ts";
import { keep, type Library, loaded } from "./foreign.ts";
import { type Fault, sourceText } from "./source.ts";
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
  return { name: "c", build: (order) => executable(order, compiler, options) };
}

/** A source of so many numbers is read where it lies, unless there are many such; others are copied. */
const LARGE = 4096;
const mostDirect = 16;

/** Bytes of a cache line: no two arrays share one, if the first begins at one. */
const LINE = 64;

function executable(
  order: Order,
  compiler: CCompiler,
  { threads = availableParallelism(), fault = {} }: CBackendOptions,
): Executable {
  const { program, layout, precision, regime } = order;
  const functions = allows(regime, "own_functions") ? "own" : "host";
  const written = sourceText(order, { name: "run", functions, threads: true, fault });
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
  const given = [
    ...sources.starts.map((start, n) =>
      direct.includes(n) ? `from[${2 + direct.indexOf(n)}]` : `from[0] + ${start}`,
    ),
    ...indices.starts.map((start) => `(const uint32_t *)from[1] + ${start}`),
    "to",
  ].join(", ");
  const entry = entryText(given, direct.length, written.isForThreads);
  const path = compiler.compile(`${written.text}\n\n${entry}\n`);
  const library = loaded(path, written.called);
  if (written.isForThreads) {
    // A thread that comes late may be in it.
    keep(path);
    joinTeam(library, compiler, threads);
  }
  const call = library.func("entry", "void", new Array<string>(3 + direct.length).fill("void *"));
  const make = (length: number): Numbers =>
    precision === "float64" ? new Float64Array(length) : new Float32Array(length);
  const [S, X, A] = [make(sources.length), new Uint32Array(indices.length), make(written.workspace)];
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
function entryText(given: string, count: number, isForThreads: boolean): string {
  const names = ["S", "X", ...Array.from({ length: count }, (_, n) => `s${n}`)];
  const parameters = ["T *to", ...names.map((name) => `const T *${name}`)].join(", ");
  const here = `const T *from[] = { ${names.join(", ")} };`;
  if (!isForThreads) return `void entry(${parameters}) { ${here} run(${given}); }`;
  // The places of the caller who has the team; a thread that comes late may read the next one's, and finds
  // no part to do.
  const each = `for (I i = 0; i < ${names.length}; i++)`;
  return `static const T *_Atomic sources[${names.length}];
static T *_Atomic target;
static _Atomic I threads;
static void run_at(const T *const *from, T *to, I t, I n) { run(${given}, t, n); }
static void share(I t, I n) {
  const T *from[${names.length}];
  ${each} from[i] = sources[i];
  run_at(from, target, t, n);
}
void set_team(const struct team *given, I most) { team = given, threads = most; }
void entry(${parameters}) {
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
