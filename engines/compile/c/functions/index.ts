import { type BinaryName, forBinary, forUnary, type UnaryName } from "../../../../spec/operators/index.ts";
import { type Coefficients, coefficients } from "../../coefficients.ts";
import type { Precision, ScalarFunction } from "../../plan/index.ts";
import type { Functions } from "../scalars.ts";
import { type Chunks, textOf } from "./chunk.ts";
import { elementaryChunks } from "./elementary.ts";
import { otherChunks } from "./others.ts";
import { turnsChunks } from "./turns.ts";

/** How many operands each elementary function has. */
const arities: Readonly<Record<ElementaryName, number>> = { ...forUnary(() => 1), ...forBinary(() => 2) };

type ElementaryName = UnaryName | BinaryName;

/** The root is rounded correctly everywhere, and so it is always the file's own. */
export type ForeignName = Exclude<ElementaryName, "sqrt">;

/** Functions that a file has in the precision of its numbers; others it has in float64, and rounds. */
const inBoth: ReadonlySet<string> = new Set([
  "exp",
  "expm1",
  "log",
  "log1p",
  "sin",
  "cos",
  "tanh",
  "erf",
  "sqrt",
  "floor",
]);

/** A file needs these functions. */
interface Needs {
  readonly used: Iterable<ScalarFunction>;
  readonly precision: Precision;
  readonly functions: Functions;
  /** The constants of polynomials, of a mutant. */
  readonly terms?: (right: Coefficients) => Coefficients;
}

/** Returns the definitions of the functions that a file calls, by the names `exp_T` and so on. */
export function functionsText({ used, precision, functions, terms = (right) => right }: Needs): string {
  const suffix = precision === "float64" ? "D" : "F";
  const names = new Set<string>([`bits_${suffix}`]);
  const words: string[] = [];
  const host: string[] = [];
  for (const name of used) {
    if (isForeign(name) && functions !== "own") {
      if (functions === "host") host.push(hostText(name));
      words.push(`#define ${name}_T${rounded(name, functions === "host" ? `host_${name}` : name)}`);
    } else if (isForeign(name) || name === "sqrt" || name === "floor") {
      const own = inBoth.has(name) ? suffix : "D";
      names.add(`${name}_${own}`);
      words.push(`#define ${name}_T${own === suffix ? ` ${name}_${own}` : rounded(name, `${name}_D`)}`);
    } else if (name === "select") {
      names.add(`select_${suffix}`);
      words.push(`#define select_T select_${suffix}`);
    }
  }
  const chunks: Chunks = {
    ...turnsChunks(),
    ...elementaryChunks("float64", terms(coefficients.float64)),
    ...elementaryChunks("float32", terms(coefficients.float32)),
    ...otherChunks,
  };
  return [textOf(chunks, names), ...host, words.join("\n")].filter((text) => text !== "").join("\n\n");
}

/** Says whether a file whose functions are not its own takes this one from elsewhere. */
export function isForeign(name: ScalarFunction): name is ForeignName {
  return name !== "sqrt" && Object.hasOwn(arities, name);
}

function rounded(name: ElementaryName | "floor", callee: string): string {
  return name !== "floor" && arities[name] === 2
    ? `(x, y) ((T)${callee}((double)(x), (double)(y)))`
    : `(x) ((T)${callee}((double)(x)))`;
}

/** An engine hands a function in before the first run: each thread of Node.js its own. */
function hostText(name: ForeignName): string {
  const parameters = arities[name] === 1 ? "double" : "double, double";
  return `static _Thread_local double (*host_${name})(${parameters});
void set_${name}(double (*given)(${parameters})) { host_${name} = given; }`;
}
