import type { Access } from "../../../../engines/compile/plan/index.ts";
import { InvariantError, present } from "../../../../spec/shapes/index.ts";
import { integerIn } from "../../accumulators/index.ts";
import { madeAll } from "../../made.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../../obligation.ts";
import { readSExpressions, type SExpression } from "../../solve/index.ts";
import { loopsText, positionText, type ReadAccess, readAccess, rowMajor, sum, within } from "./access.ts";
import { accessOf, type Entry, type Expected, type MapCase } from "./case.ts";
import { mapCases } from "./cases.ts";
import { placesObligations } from "./places.ts";

/**
 * States of each access of a lowered operator that it is the operator's index map: at all extents, and all
 * attributes of a kind, its position is the row-major one of the coordinates that the semantics names.
 */
export function mapObligations(): readonly Obligation[] {
  return mapCases.flatMap((one) => [
    ...one.accesses.flatMap((expected) =>
      madeAll(`lowering/maps/${one.name}/${pathOf(expected)}`, () => [mapObligation(one, expected)]),
    ),
    ...madeAll(`lowering/maps/${one.name}/places`, () => placesObligations(one)),
  ]);
}

function pathOf({ part, instruction, site }: Expected): string {
  return `${part}/${instruction}.${site}`;
}

function goalOf(expected: Expected, access: ReadAccess): string {
  const entries = expected.entries ?? [];
  return `(and ${[
    `(= ${positionText(access)} ${rowMajor(expected.tensor, expected.at)})`,
    ...expected.at.map((coordinate, n) => within(coordinate, expected.tensor[n] ?? "0")),
    ...access.lookups.map((lookup, n) => entryGoal(lookup, present(entries[n], "an entry"))),
  ].join(" ")})`;
}

function entryGoal({ offset, strides }: ReadAccess["lookups"][number], { shape, at }: Entry): string {
  const position = sum([offset, ...strides.map((stride, n) => `(* ${stride} i${n})`)]);
  return `(and (= ${position} ${rowMajor(shape, at)}) ${at.map((one, n) => within(one, shape[n] ?? "0")).join(" ")})`;
}

function mapObligation(one: MapCase, expected: Expected): Obligation {
  const access = readAccess(one, expected);
  const entries = expected.entries ?? [];
  const names = [...one.symbols, ...expected.loops.map((_, n) => `i${n}`), ...entries.map((_, n) => `e${n}`)];
  return {
    id: `lowering/maps/${one.name}/${pathOf(expected)}`,
    statement: `The ${expected.kind} to which ${one.name} is lowered ${expected.site.startsWith("read") ? "reads" : "writes"} what the operator's index map says (${expected.part}), at all extents.`,
    clause: "SEMANTICS §7",
    logic: "QF_NIA",
    scope: { kind: "operator", operator: one.name, shapes: "all of this rank" },
    // The access of all tangents is that of the value, one loop further in.
    tier: expected.part === "tangents" ? "long" : "everyday",
    declarations: names.map((name) => `(declare-const ${name} Int)`).join("\n"),
    hypotheses: [
      { name: "loops", formula: loopsText(expected.loops) },
      ...(one.fits !== undefined && needsFit(one, expected) ? [{ name: "fits", formula: one.fits }] : []),
      ...(entries.length === 0
        ? []
        : [
            {
              name: "entries",
              formula: `(and ${entries.map(({ below }, n) => within(`e${n}`, below)).join(" ")})`,
            },
          ]),
    ],
    goal: goalOf(expected, access),
    rlimit: 2_000_000,
    requiredCore: [],
    mutants: mutantsOf(one, expected, access, names),
    dependsOn: ["wellformed/extents/row_major"],
    metaArgument:
      "The engines' own lowering was run at extents so far apart that its offsets and strides can be read as polynomials of them, and are read the same at another such point. Below each extent by coordinate, the position is below the size by extents/row_major. Axes of one element, where the code branches, are cases of their own.",
  };
}

/** Only coordinates that attributes move, and extents that are sums, need to be told that they fit. */
function needsFit({ symbols }: MapCase, { at, tensor }: Expected): boolean {
  const isMoved = at.some((coordinate) => symbols.some((name) => mentions(coordinate, name)));
  return isMoved || tensor.some((extent) => extent.startsWith("("));
}

function mentions(term: string, name: string): boolean {
  return term.split(/[\s()]+/).includes(name);
}

/** A wrong access is made in the same way of terms and of numbers. */
interface Wrong<N> {
  readonly offset: N;
  readonly strides: readonly N[];
}

const wrongs: readonly {
  readonly name: string;
  readonly fault: string;
  of<N>(access: Wrong<N>, next: (offset: N) => N): Wrong<N>;
}[] = [
  {
    name: "next-element",
    fault: "the access is one element further",
    of: ({ offset, strides }, next) => ({ offset: next(offset), strides }),
  },
  {
    name: "stride-of-another-axis",
    fault: "each loop steps as the one inside it should",
    of: ({ offset, strides }) => ({ offset, strides: [...strides.slice(1), ...strides.slice(0, 1)] }),
  },
];

function mutantsOf(
  one: MapCase,
  expected: Expected,
  access: ReadAccess,
  names: readonly string[],
): readonly ObligationMutant[] {
  const isTurnable = new Set(access.strides).size > 1;
  return wrongs.slice(0, isTurnable ? 2 : 1).map(({ name, fault, of }) => ({
    name,
    fault: `${fault}.`,
    goal: goalOf(expected, { ...access, ...of(access, (offset) => `(+ ${offset} 1)`) }),
    instead: [{ name: "small", formula: smallText(one, names) }],
    ask: names,
    execute: (model) =>
      executed(one, expected, model, names, (found) => ({ ...found, ...of(found, (offset) => offset + 1) })),
  }));
}

function smallText({ symbols, small }: MapCase, names: readonly string[]): string {
  return `(and ${[
    ...symbols.map((name) => `(<= 2 ${name} 6)`),
    ...names.filter((name) => !symbols.includes(name)).map((name) => `(<= 0 ${name} 6)`),
    ...(small === undefined ? [] : [small]),
  ].join(" ")})`;
}

/** Lowers the operator at the extents of a model, and looks where the access is at the model's indices. */
function executed(
  { lower }: MapCase,
  expected: Expected,
  model: Model,
  names: readonly string[],
  wrongly: (access: Access) => Access,
): Execution {
  const values = Object.fromEntries(names.map((name) => [name, Number(integerIn(model, name))]));
  const { access } = accessOf(lower(expected.part, values), expected);
  const wanted = computedOf(rowMajor(expected.tensor, expected.at), values);
  const position = ({ offset, strides, indirections }: Access): number =>
    strides.reduce((sum, stride, n) => sum + stride * (values[`i${n}`] ?? 0), offset) +
    indirections.reduce((sum, { scale }, n) => sum + scale * (values[`e${n}`] ?? 0), 0);
  const [right, wrong] = [position(access), position(wrongly(access))];
  return {
    showsFault: right === wanted && wrong !== wanted,
    told: `${JSON.stringify(values)}: element ${wanted}; the lowering's is ${right}, the wrong one's ${wrong}`,
  };
}

/** Computes a term of integers. */
function computedOf(text: string, values: Readonly<Record<string, number>>): number {
  const read = readSExpressions(text);
  if (!read.ok) throw new InvariantError(read.error);
  const compute = (term: SExpression): number => {
    if (typeof term === "string") return values[term] ?? Number(term);
    const [head, ...operands] = term;
    const numbers = operands.map(compute);
    const [first = 0, ...others] = numbers;
    if (head === "+") return numbers.reduce((a, b) => a + b, 0);
    if (head === "*") return numbers.reduce((a, b) => a * b, 1);
    if (head === "-") return others.length === 0 ? -first : others.reduce((a, b) => a - b, first);
    throw new InvariantError(`no term of integers: ${text}`);
  };
  return compute(present(read.value[0], "a term"));
}
