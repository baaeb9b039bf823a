/**
 * `node tests/new_operators.ts` plants two operators into a copy of the sources, the cube root (a primitive)
 * and the cube (a composite), and counts the files that they take. The compiler must ask for these edits and
 * no others; then the engines and the oracle must know the functions. Ends with 1 otherwise, or if a limit on
 * files is exceeded.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ReportJson } from "../spec/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Text put in behind the first match of a pattern: `[pattern, text]`. */
type Insertion = readonly [behind: RegExp, text: string];

/** A person makes these edits: the `first` files define the operator, and the compiler names the others. */
interface Planting {
  readonly what: string;
  readonly limit: number;
  readonly first: number;
  readonly edits: ReadonlyMap<string, readonly Insertion[]>;
}

const primitive: Readonly<Record<string, readonly Insertion[]>> = {
  "spec/operators/elementary.ts": [
    [/"atanh", "erf",/, ' "cbrt",'],
    [
      /export const unaryFunctions: .* = \{\n/,
      `  cbrt: unary({
    summary: "the cube root of x",
    domain: "everywhere; at 0 the derivative is infinite",
    source: "https://en.cppreference.com/w/cpp/numeric/math/cbrt",
    scale: (a, c, { y }) => c.over(a.multiply(a.add(a.one, a.add(a.one, a.one)), a.multiply(y, y))),
    course: "increasing",
    keepsZero: true,
    ulps: 2,
    hasPlainSlope: false,
    drawnFrom: [MARGIN, MAX],
    example: { at: [1, 8], value: [1, 2], slope: [1 / 3, 1 / 12] },
  }),
`,
    ],
    [/erf: row\("erf"\),/, '\n    cbrt: row("cbrt"),'],
  ],
  "spec/operators/table.ts": [[/ {2}det: linearAlgebra\.det,\n/, "  cbrt: unaryFunctions.cbrt,\n"]],
  "reference/algebras/float.ts": [[/const functions: .* = \{\n/, "  cbrt: Math.cbrt,\n"]],
  "reference/operators/planted/elementwise.ts": [
    [
      /export const plantedElementwise: .* = \{\n/,
      `  cbrt: [slope<"real">("forgets-3", "forgets the 3", (a, x, c) => a.divide(c, a.multiply(a.cbrt(x), a.cbrt(x))))],\n`,
    ],
  ],
  "oracle/obligations/derivatives/planted/elementwise.ts": [
    [
      /export const plantedElementwise: .* = \{\n/,
      `  cbrt: [slope("forgets-3", "forgets the 3", (at, c) => c.divide(at.value.multiply(at.value)))],\n`,
    ],
  ],
  "reference/algebras/dual.test.ts": [
    [
      / {2}exp: \{ first: exp,.*\n/,
      `  cbrt: {
    first: (x) => x ** (-2 / 3) / 3,
    second: (x) => (-2 / 9) * x ** (-5 / 3),
    third: 3,
  },
`,
    ],
  ],
  "spec/contract/accuracy.ts": [[/export const hostUlps: .* = \{\n/, "  cbrt: 1.5,\n"]],
  "engines/compile/plan/functions/functions.ts": [
    [/const elementaryFunctions: .* = \{\n/, "  cbrt: Math.cbrt,\n"],
  ],
  "engines/interpretation/kernels/elementary.ts": [
    [
      / {2}\.\.\.frequent,\n/,
      "  cbrt: smooth(Math.cbrt, (c, _x, y, isSingle) => c / rounded(3 * rounded(y * y, isSingle), isSingle)),\n",
    ],
  ],
  "engines/operators.test.cases.ts": [
    [
      /export const byHand: .* = \{\n/,
      `  cbrt: {
    ...question([tensor([1, 0.125])], [node("cbrt", {}, 0)]),
    value: tensor([1, 0.5]),
    tangents: [tensor([3, 3])],
    tangent: tensor([1, 4]),
    cotangent: tensor([6, 3]),
    pulled: [tensor([2, 4])],
  },
`,
    ],
  ],
  "oracle/truth/centre/growth.ts": [
    [
      /export const growths: .* = \{\n/,
      "  cbrt: (x, dx, reach) => dx / (3 * Math.cbrt(above(0, Math.abs(x), reach)) ** 2),\n",
    ],
  ],
  "oracle/obligations/operators/slope_table.ts": [
    [
      / {2}exp: slope\("\(eˣ\)'.*\n/,
      `  cbrt: slope(
    "(∛x)' = ∛x / (3 x)",
    derived("of Mathlib's Real.hasStrictDerivAt_rpow, both parts times ∛x"),
    (a, x) => a.divide(a.cbrt(x), a.multiply(a.literal(3), x)),
    { known: (a, x) => [equal("cube", a.multiply(a.cbrt(one(x)), squared(a, a.cbrt(one(x)))), one(x))] },
  ),
`,
    ],
  ],
};

const composite: Readonly<Record<string, readonly Insertion[]>> = {
  "spec/composites/elementwise.ts": [
    [
      /(?=export const reciprocal)/,
      `export const cube: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "x · x · x",
  domain: "everywhere",
  convention: "none needed",
  source: "https://en.wikipedia.org/wiki/Cube_(algebra)",
  expand: (_scope, _attributes, x: Value) => x.multiply(x).multiply(x),
});

`,
    ],
  ],
  "spec/composites/table.ts": [
    [/ {2}square,\n(?=[^}]*\} from)/, "  cube,\n"],
    [/ {2}readonly square: typeof square;\n/, "  readonly cube: typeof cube;\n"],
    [/ {2}square,\n(?=[^}]*\};)/, "  cube,\n"],
  ],
  "oracle/generate/composites.ts": [[/ {2}square: plain\("square", 1\),\n/, '  cube: plain("cube", 1),\n']],
};

const plantings: readonly Planting[] = [
  { what: "elementary function", limit: 12, first: 1, edits: new Map(Object.entries(primitive)) },
  { what: "composite", limit: 4, first: 2, edits: new Map(Object.entries(composite)) },
];

const copy = mkdtempSync(join(tmpdir(), "adjudge-primitive-"));
const isSource = (path: string): boolean =>
  !["node_modules", "dist", ".git", ".venv"].includes(basename(path));
const node = process.execPath;

/** Returns what a command prints, whether it succeeds or not. */
function output(...argv: readonly string[]): string {
  return spawnSync(node, argv, { cwd: copy, encoding: "utf8" }).stdout;
}

/** Returns the files in which the compiler finds something wrong. */
function namedByCompiler(): ReadonlySet<string> {
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  const said = output(tsc, "-b") + output(tsc, "-p", "tsconfig.tests.json");
  return new Set([...said.matchAll(/^(\S+\.ts)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file));
}

function edit(file: string, insertions: readonly Insertion[]): void {
  const path = join(copy, file);
  let text = readFileSync(path, "utf8");
  for (const [behind, inserted] of insertions) {
    if (!behind.test(text)) throw new Error(`${file} has no ${behind}`);
    text = text.replace(behind, (found) => found + inserted);
  }
  writeFileSync(path, text);
}

/** Makes the first edits, then those that the compiler asks for. Throws if these are not all the others. */
function plant({ what, limit, first, edits }: Planting): void {
  const edited = new Set<string>();
  let asked = [...edits.keys()].slice(0, first);
  while (asked.length > 0) {
    for (const file of asked) {
      const insertions = edits.get(file);
      if (insertions === undefined) throw new Error(`nothing is prepared for ${asked.join(", ")}`);
      edit(file, insertions);
      edited.add(file);
    }
    const named = [...namedByCompiler()];
    asked = named.filter((file) => !edited.has(file));
    if (asked.length === 0 && named.length > 0)
      throw new Error(`still wrong after their edits: ${named.join(", ")}`);
  }
  const unasked = [...edits.keys()].filter((file) => !edited.has(file));
  if (unasked.length > 0) throw new Error(`the compiler did not ask for ${unasked.join(", ")}`);
  console.log(`A new ${what} takes ${edited.size} files:`);
  for (const file of edited) console.log(`  ${file}`);
  if (edited.size > limit) throw new Error(`these are more than ${limit}`);
}

/** Returns a graph of one operator on a scalar, as a file. */
function written(op: string): string {
  const graph = {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [] }],
    environment: [],
    nodes: [{ op, attributes: {}, parents: [0] }],
  };
  writeFileSync(join(copy, `${op}.json`), JSON.stringify(graph));
  return `${op}.json`;
}

try {
  cpSync(root, copy, { recursive: true, filter: isSource });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  for (const planting of plantings) plant(planting);

  // What was written is proved to be its own derivative, computed by every engine, and judged.
  const cli = (...argv: readonly string[]): string =>
    execFileSync(node, ["cli/adjudge.ts", ...argv], { cwd: copy, encoding: "utf8" });
  console.log(cli("prove", "--only", "operators/cbrt/").trim().split("\n").slice(-4).join("\n"));
  // `prove --tier all --write` would record it beside all others.
  const record = join(copy, "reference/operators/discharged.ts");
  const entry = '  cbrt: { rules: "planted", obligations: 5 },\n};';
  writeFileSync(record, readFileSync(record, "utf8").replace(/\};\s*$/, `${entry}\n`));
  for (const op of ["cbrt", "cube"]) console.log(cli("run", written(op), "--input", "x=8"));
  for (const engine of ["interpreter", "javascript", "wasm"]) {
    const report: ReportJson = JSON.parse(
      cli("judge", "-e", engine, "-n", "60", "--profile", "scalar20", "--json"),
    );
    for (const { dtype, operators } of report.engines) {
      const counts = Object.entries(operators).find(([name]) => name === "cbrt")?.[1];
      if (counts === undefined || counts.agrees === 0) throw new Error(`${engine} was not asked for it`);
      console.log(`${engine}, ${dtype}: cbrt ${JSON.stringify(counts)}`);
    }
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
