import { assertNever } from "../../../spec/index.ts";
import { allows, type Profile } from "../../plan/rewrite.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import { applicationText } from "../emit/functions.ts";
import { numberText } from "../emit/number.ts";
import { ARENA, type Memory, runOf, sourceName } from "../loops/memory.ts";
import type { Scalar, ScalarId } from "./scalars.ts";
import { scalarOperations, unroll } from "./unroll.ts";

/** The most scalar operations of straight-line code. */
export const mostOperations = 2000;

/** How deep an expression may be written into another: a parser recurs into it. */
const deepest = 24;

/**
 * The text of a small program as straight-line code: `run(S, X)` reads every source element that it needs once, computes scalars into constants and
 * stores the results alone. Undefined if the program has lookups or routines, or more than {@link mostOperations}; `isForced` waives the last.
 */
export function straightProgramText(memory: Memory, profile: Profile, isForced: boolean): string | undefined {
  const { program, arithmetic } = memory;
  const operations = scalarOperations(program);
  if (operations > (isForced ? Number.MAX_VALUE : mostOperations)) return undefined;
  const { scalars, values } = unroll(program, arithmetic, allows(profile, "zeros"));
  const stores = [...new Set(program.results)].flatMap((value) => {
    const { offset } = runOf(memory, value);
    return (values[value] ?? []).map((scalar, i) => ({ scalar, place: offset + i }));
  });
  const { lines, texts } = written(
    scalars.all,
    stores.map(({ scalar }) => scalar),
    arithmetic,
  );
  const sources = new Set(
    scalars.all.flatMap((scalar) => (scalar.kind === "element" ? [scalar.source] : [])),
  );
  const opened = [...sources].map((source) => `const ${sourceName(source)}=S[${source}];`);
  const closed = stores.map(({ scalar, place }) => `${ARENA}[${place}]=${texts[scalar]};`);
  return `function run(S,X){${opened.join("")}${lines.join("")}${closed.join("")}}`;
}

/** Declarations of the scalars that are used more than once, and the text of each one that is wanted. */
function written(
  all: readonly Scalar[],
  wanted: readonly ScalarId[],
  arithmetic: Arithmetic,
): { lines: readonly string[]; texts: readonly string[] } {
  const uses = new Uint32Array(all.length);
  for (const id of wanted) uses[id] = (uses[id] ?? 0) + 1;
  for (let id = all.length - 1; id >= 0; id--) {
    const scalar = all[id];
    if (scalar?.kind !== "apply" || uses[id] === 0) continue;
    // The text of a maximum has its operands more than once, so they must be names.
    const times = scalar.function === "maximum" ? 2 : 1;
    for (const operand of scalar.operands) uses[operand] = (uses[operand] ?? 0) + times;
  }
  const lines: string[] = [];
  const texts: string[] = new Array<string>(all.length).fill("");
  const depths = new Uint8Array(all.length);
  for (const [id, scalar] of all.entries()) {
    if (uses[id] === 0) continue;
    const text = textOf(scalar, texts, arithmetic);
    const depth = scalar.kind === "apply" ? 1 + Math.max(...scalar.operands.map((n) => depths[n] ?? 0)) : 0;
    if (scalar.kind === "literal" || (uses[id] === 1 && depth < deepest)) {
      texts[id] = text;
      depths[id] = depth;
    } else {
      texts[id] = `v${id}`;
      lines.push(`const v${id}=${text};`);
    }
  }
  return { lines, texts };
}

function textOf(scalar: Scalar, texts: readonly string[], arithmetic: Arithmetic): string {
  switch (scalar.kind) {
    case "literal":
      return numberText(scalar.value);
    case "element":
      return `${sourceName(scalar.source)}[${scalar.position}]`;
    case "apply": {
      const operands = scalar.operands.map((id) => texts[id] ?? "");
      if (scalar.function !== "maximum") return applicationText(scalar.function, operands, arithmetic);
      const [x, y] = operands;
      return `(${x}<${y}||${y}!==${y}?${y}:${x})`;
    }
    default:
      return assertNever(scalar);
  }
}
