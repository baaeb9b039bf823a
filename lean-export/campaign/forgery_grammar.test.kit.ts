import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { type RunTexts, rational } from "../../reference/index.ts";
import { checkGraph } from "../../spec/documents/index.ts";
import { nodeId, type TraceJson } from "../../spec/index.ts";
import { arithmeticOf } from "../emit/arithmetic.ts";
import { flattenEngine } from "../emit/engine_trace.ts";
import type { EngineTrace, FlatTrace, Numbers } from "../emit/flat.ts";
import { type CertifiedSystem, leanObstruction } from "../emit/obstruction.ts";
import { type LeanOperator, leanOperator } from "../emit/operator.ts";
import { checkTrace } from "../emit/read.ts";
import { leanFile, questionOfTrace, readTraceJson } from "../index.ts";
import { type Subject, subjects } from "./forgery_subjects.test.kit.ts";

/**
 * A file that passes itself off as a subject's. It is *false* if Lean must not accept what it claims, or what
 * it seems to claim: wrong data, covered up or not. It is *another* if all of it is true, of something else.
 */
export interface Forgery {
  readonly kind: "false" | "another";
  readonly what: string;
  readonly subject: Subject;
  readonly text: string;
}

type RunSubject = Subject & { readonly kind: "run" };
type SystemSubject = Subject & { readonly kind: "system" };

class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    // Neighbouring seeds of this generator begin alike.
    this.#random = new Random(xoroshiro128plus(Math.imul(seed + 1, 0x9e3779b1)));
  }

  below(count: number): number {
    return count < 1 ? 0 : this.#random.nextInt(0, count - 1);
  }

  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }
}

/** The list with one entry changed, at a place drawn; `undefined` where it has none. */
function oneChanged<T>(
  list: readonly T[],
  chance: Chance,
  change: (entry: T, at: number) => T | undefined,
): readonly T[] | undefined {
  const places = list.flatMap((entry, at) => {
    const changed = change(entry, at);
    return changed === undefined ? [] : [{ at, changed }];
  });
  const chosen = chance.of(places);
  return chosen && list.with(chosen.at, chosen.changed);
}

const offBy =
  (chance: Chance) =>
  (rows: readonly Numbers[]): readonly Numbers[] | undefined =>
    oneChanged(rows, chance, (row) =>
      oneChanged(row, chance, (x) => {
        const by = BigInt(chance.below(9) + 1) * (chance.below(2) === 0 ? 1n : -1n);
        return { ...x, numerator: x.numerator + by };
      }),
    );

const operators: readonly LeanOperator["kind"][] = ["add", "subtract", "multiply", "divide"];

/**
 * Changes an operator that has an index map, so that others are its elements; `undefined` where it has none.
 */
type MapEdit = (operator: LeanOperator, chance: Chance) => LeanOperator | undefined;

const mapEdits: Readonly<Record<string, MapEdit>> = {
  "an index map that skips": (operator, chance) => {
    if (operator.kind === "slice")
      return { ...operator, steps: operator.steps.map((step) => step + Math.sign(step)) };
    if (operator.kind === "pad") return { ...operator, low: operator.low.map((count) => count + 1) };
    const beside = (at: number): number => (at > 0 ? at - 1 : at + 1);
    const indices = "indices" in operator && oneChanged(operator.indices, chance, beside);
    return indices ? { ...operator, indices } : undefined;
  },
  "an index that is named twice": (operator) => {
    if (operator.kind !== "gather" && operator.kind !== "scatter_add") return undefined;
    return { ...operator, indices: operator.indices.map(() => operator.indices[0] ?? 0) };
  },
  "another axis to count along": (operator) => {
    if (operator.kind !== "iota" && operator.kind !== "cumulative_sum") return undefined;
    return { ...operator, axis: operator.axis === 0 ? 1 : operator.axis - 1 };
  },
  "other random words": (operator) =>
    operator.kind === "bernoulli_mask"
      ? { ...operator, key: [operator.key[0] + 1, operator.key[1]] }
      : undefined,
};

function withOtherMap(flat: FlatTrace | EngineTrace, chance: Chance, edit: MapEdit): typeof flat | undefined {
  return withNodes(flat, chance, ({ operator, ...node }) => {
    const other = edit(operator, chance);
    const isSame = other === undefined || leanOperator(other) === leanOperator(operator);
    return isSame ? undefined : { ...node, operator: other };
  });
}

/** Changes of what a file shows of its run; each makes the claims false, or the run another. */
const dataEdits: Readonly<
  Record<string, (flat: FlatTrace | EngineTrace, chance: Chance) => FlatTrace | EngineTrace | undefined>
> = {
  "a value": (flat, chance) => withRun(flat, "values", offBy(chance)),
  "a cotangent": (flat, chance) => withRun(flat, "cotangents", offBy(chance)),
  "an input": (flat, chance) => withRun(flat, "inputs", offBy(chance)),
  "a seed": (flat, chance) => withRun(flat, "seed", offBy(chance)),
  "an operator": (flat, chance) =>
    withNodes(flat, chance, ({ operator, ...node }) => {
      if (!operators.includes(operator.kind)) return undefined;
      const kind = (["add", "subtract", "multiply"] as const)[chance.below(3)] ?? "add";
      return operator.kind === kind ? undefined : { ...node, operator: { kind } };
    }),
  "a parent": (flat, chance) =>
    withNodes(flat, chance, (node, at) => {
      const parents = oneChanged(node.parents, chance, (id) => {
        const other = chance.below(flat.program.inputs.length + at);
        return other === id ? undefined : other;
      });
      return parents && { ...node, parents };
    }),
  "a shape": (flat, chance) => withNodes(flat, chance, (node) => ({ ...node, shape: [...node.shape, 1] })),
  ...Object.fromEntries(
    Object.entries(mapEdits).map(([what, edit]) => [
      what,
      (flat: FlatTrace | EngineTrace, chance: Chance) => withOtherMap(flat, chance, edit),
    ]),
  ),
  "a mask turned round": (flat, chance) =>
    withRow(flat, "values", chance, ["less", "equal"], (row) =>
      oneChanged(row, chance, (x) => ({ ...x, numerator: 1n - x.numerator })),
    ),
  "a tie to the second": (flat) => {
    const at = flat.program.nodes.findIndex(({ operator }) => operator.kind === "maximum");
    const [first = 0, second = 0] = flat.program.nodes[at]?.parents ?? [];
    const { cotangents } = flat.run;
    const [x, y] = [cotangents[first], cotangents[second]];
    if (at < 0 || x === undefined || y === undefined) return undefined;
    const tied = flat.run.values[first]?.findIndex((value, place) => {
      const other = flat.run.values[second]?.[place];
      return other !== undefined && rational.isSame(value, other);
    });
    const [own, others] = [x[tied ?? -1], y[tied ?? -1]];
    if (tied === undefined || own === undefined || others === undefined) return undefined;
    const swapped = cotangents.with(first, x.with(tied, others)).with(second, y.with(tied, own));
    return { ...flat, run: { ...flat.run, cotangents: swapped } };
  },
  "a cofactor of the other sign": (flat, chance) =>
    withParentRow(flat, chance, ["det", "solve"], (row) =>
      oneChanged(row, chance, (x) => (x.numerator === 0n ? undefined : { ...x, numerator: -x.numerator })),
    ),
  "the last node left out": (flat) => ({
    ...flat,
    program: { ...flat.program, nodes: flat.program.nodes.slice(0, -1) },
  }),
  "an engine's number": (flat, chance) => withEngine(flat, "values", offBy(chance)),
  "an engine's cotangent": (flat, chance) => withEngine(flat, "cotangents", offBy(chance)),
  "a bound of ten millions": (flat, chance) =>
    withEngine(flat, chance.below(2) === 0 ? "valueBounds" : "cotangentBounds", (rows) =>
      oneChanged(rows, chance, (row) =>
        oneChanged(row, chance, () => ({ numerator: 10_000_000n, denominator: 1n })),
      ),
    ),
  "a bound of nothing": (flat, chance) =>
    withEngine(flat, chance.below(2) === 0 ? "valueBounds" : "cotangentBounds", (rows) =>
      oneChanged(rows, chance, (row) =>
        oneChanged(row, chance, (x) => (x.numerator === 0n ? undefined : { numerator: 0n, denominator: 1n })),
      ),
    ),
  "another format": (flat, chance) => {
    if (!("engine" in flat)) return undefined;
    const names = ["float64", "float32", "float16", "bfloat16", "posit32(quire)"];
    const arithmetic = arithmeticOf(
      chance.of(names.filter((name) => name !== flat.engine.arithmetic.name)) ?? "",
    );
    return arithmetic && { ...flat, engine: { ...flat.engine, arithmetic } };
  },
  "a value a thousandth off, in bfloat16 under bounds of ten millions": (flat) => {
    const arithmetic = arithmeticOf("bfloat16");
    if (!("engine" in flat) || arithmetic === undefined) return undefined;
    const { engine } = flat;
    const last = engine.values.at(-1) ?? [];
    const off = last.map((x) => ({ numerator: 1001n * x.numerator, denominator: 1000n * x.denominator }));
    const bounds = engine.values.map((row) => row.map(() => ({ numerator: 10_000_000n, denominator: 1n })));
    const values = engine.values.with(-1, off);
    return {
      ...flat,
      engine: { ...engine, arithmetic, values, valueBounds: bounds, cotangentBounds: bounds },
    };
  },
};

/** Changes the row of one node of these operators. */
function withRow(
  flat: FlatTrace | EngineTrace,
  part: "values" | "cotangents",
  chance: Chance,
  kinds: readonly LeanOperator["kind"][],
  edit: (row: Numbers) => Numbers | undefined,
): FlatTrace | EngineTrace | undefined {
  const { inputs, nodes } = flat.program;
  const isOne = (id: number): boolean => {
    const kind = nodes[id - inputs.length]?.operator.kind;
    return kind !== undefined && kinds.includes(kind);
  };
  return withRun(flat, part, (rows) =>
    oneChanged(rows, chance, (row, id) => (isOne(id) ? edit(row) : undefined)),
  );
}

/** Changes the cotangent of what a node of these operators reads first. */
function withParentRow(
  flat: FlatTrace | EngineTrace,
  chance: Chance,
  kinds: readonly LeanOperator["kind"][],
  edit: (row: Numbers) => Numbers | undefined,
): FlatTrace | EngineTrace | undefined {
  const read = new Set(
    flat.program.nodes.flatMap(({ operator, parents }) =>
      kinds.includes(operator.kind) ? parents.slice(0, 1) : [],
    ),
  );
  return withRun(flat, "cotangents", (rows) =>
    oneChanged(rows, chance, (row, id) => (read.has(id) ? edit(row) : undefined)),
  );
}

function withRun(
  flat: FlatTrace | EngineTrace,
  part: "inputs" | "seed" | "values" | "cotangents",
  edit: (rows: readonly Numbers[]) => readonly Numbers[] | undefined,
): FlatTrace | EngineTrace | undefined {
  const rows = edit(flat.run[part]);
  return rows && { ...flat, run: { ...flat.run, [part]: rows } };
}

function withNodes(
  flat: FlatTrace | EngineTrace,
  chance: Chance,
  edit: (node: FlatTrace["program"]["nodes"][number], at: number) => typeof node | undefined,
): FlatTrace | EngineTrace | undefined {
  const nodes = oneChanged(flat.program.nodes, chance, edit);
  return nodes && { ...flat, program: { ...flat.program, nodes } };
}

function withEngine(
  flat: FlatTrace | EngineTrace,
  part: "values" | "cotangents" | "valueBounds" | "cotangentBounds",
  edit: (rows: readonly Numbers[]) => readonly Numbers[] | undefined,
): EngineTrace | undefined {
  if (!("engine" in flat)) return undefined;
  const rows = edit(flat.engine[part]);
  return rows && { ...flat, engine: { ...flat.engine, [part]: rows } };
}

/** Changes of a certificate's system, which then can be met, or is not what the certificate is of. */
const systemEdits: Readonly<
  Record<string, (system: CertifiedSystem, chance: Chance) => CertifiedSystem | undefined>
> = {
  "a multiple in an equation": (system, chance) =>
    withGrounds(system, chance, ({ terms, times }) => {
      const other = oneChanged(terms, chance, ([id, own]) => [id, String(BigInt(own) + 1n)] as const);
      return other && { terms: other, times };
    }),
  "a multiple of an equation": (system, chance) =>
    withGrounds(system, chance, ({ terms, times }) => ({ terms, times: String(BigInt(times) + 1n) })),
  "an equation left out": (system, chance) => ({
    ...system,
    grounds: system.grounds.toSpliced(chance.below(system.grounds.length), 1),
  }),
};

function withGrounds(
  system: CertifiedSystem,
  chance: Chance,
  edit: (ground: CertifiedSystem["grounds"][number]) => typeof ground | undefined,
): CertifiedSystem | undefined {
  const grounds = oneChanged(system.grounds, chance, edit);
  return grounds && { ...system, grounds };
}

interface Theorem {
  readonly name: string;
  readonly proposition: string;
  readonly proof: string;
}

/** Writes every theorem of a file anew. */
function restated(text: string, how: (theorem: Theorem) => string): string {
  return text.replace(
    /^theorem (\w+) : ([^\n]*) :=\n((?: {2}.*\n)+)/gm,
    (_, name: string, proposition: string, proof: string) =>
      `${how({ name, proposition, proof: proof.trim() })}\n`,
  );
}

const firstTheorem = /^(?=theorem )/m;

/** A file that shows wrong data, so that Lean accepts it nevertheless, or seems to. */
const covers: Readonly<
  Record<
    string,
    (files: { readonly right: string; readonly wrong: string; readonly chance: Chance }) => string
  >
> = {
  nothing: ({ wrong }) => wrong,
  "or True": ({ wrong }) =>
    restated(
      wrong,
      ({ name, proposition }) => `theorem ${name} : (${proposition}) ∨ True :=\n  .inr trivial`,
    ),
  "a false hypothesis": ({ wrong }) =>
    restated(wrong, ({ name, proposition }) => `theorem ${name} (h : False) : ${proposition} :=\n  h.elim`),
  "a hypothesis of everything": ({ wrong }) =>
    restated(
      wrong,
      ({ name, proposition }) => `theorem ${name} (h : ∀ p : Prop, p) : ${proposition} :=\n  h _`,
    ),
  "a class of everything": ({ wrong }) =>
    restated(
      wrong.replace(firstTheorem, "class Trusted : Prop where\n  all : ∀ p : Prop, p\n\n"),
      ({ name, proposition }) => `theorem ${name} [own : Trusted] : ${proposition} :=\n  own.all _`,
    ),
  "what follows from itself": ({ wrong }) =>
    restated(
      wrong,
      ({ name, proposition }) => `theorem ${name} : (${proposition}) → (${proposition}) :=\n  id`,
    ),
  "some proposition": ({ wrong }) =>
    restated(
      wrong,
      ({ name, proposition }) =>
        `theorem ${name} : ∃ p : Prop, p ∧ ((${proposition}) → p) :=\n  ⟨True, trivial, fun _ => trivial⟩`,
    ),
  "predicates of its own": ({ wrong }) => {
    const heads = new Map(
      [...wrong.matchAll(/^theorem \w+ : ([A-Z]\w+) (.*) :=$/gm)].map(([, head, own]) => [head, own]),
    );
    const carrier = /^def run : Run (\w+)/m.exec(wrong)?.[1] ?? "Rat";
    const types = new Map([
      ["program", "Program"],
      ["run", `Run ${carrier}`],
      ["engine", "Engine"],
    ]);
    const definitions = [...heads].map(([head, own = ""]) => {
      const binders = own.split(" ").map((term) => `(_ : ${types.get(term) ?? "Nat"})`);
      return `def ${head} ${binders.join(" ")} : Prop := True\n\n`;
    });
    return restated(
      wrong.replace(firstTheorem, definitions.join("")),
      ({ name, proposition }) =>
        `theorem ${name} : ${/^[A-Z]/.test(proposition) ? proposition : "True"} :=\n  trivial`,
    );
  },
  "an abbreviation of True": ({ wrong }) =>
    restated(
      wrong.replace(firstTheorem, "abbrev Claim : Prop := True\n\n"),
      ({ name }) => `theorem ${name} : Claim :=\n  trivial`,
    ),
  "an axiom": ({ wrong }) =>
    restated(
      wrong.replace(firstTheorem, "axiom wrong : ∀ p : Prop, p\n\n"),
      ({ name, proposition }) => `theorem ${name} : ${proposition} :=\n  wrong _`,
    ),
  sorry: ({ wrong }) =>
    restated(wrong, ({ name, proposition }) => `theorem ${name} : ${proposition} :=\n  by sorry`),
  "code that is believed": ({ wrong }) => wrong.replaceAll("by decide +kernel", "by native_decide"),
  "a decision of its own": ({ wrong }) =>
    wrong
      .replace(firstTheorem, "opaque truth (p : Prop) : Decidable p\n\n")
      .replaceAll("by decide +kernel", "@of_decide_eq_true _ (truth _) rfl"),
  "fewer claims": ({ wrong }) => {
    const kept = /^(?:shapes?(?:_\w+)?|data)$/;
    const claims = /^-- claims: (.*)$/m.exec(wrong)?.[1]?.split(" ") ?? [];
    const list = claims.filter((name) => kept.test(name));
    return restated(wrong, ({ name, proposition, proof }) =>
      kept.test(name) ? `theorem ${name} : ${proposition} :=\n  ${proof}` : "",
    ).replace(/^-- claims: .*$/m, `-- claims: ${list.join(" ")}`);
  },
  "theorems in a comment": ({ wrong }) =>
    wrong.replace(firstTheorem, "/-\n").replace(/\nend Trace/, "\n-/\nend Trace"),
  "right data under another name": ({ right, wrong }) => {
    const [, ...definitions] = right.slice(0, right.search(firstTheorem)).split(/^(?=def )/m);
    const renamed = (text: string): string =>
      text.replace(/\b(program|run|engine|system)\b(?!\.lean)/g, "$1_");
    const [head = "", ...theorems] = wrong.split(/^(?=theorem )/m);
    return head + renamed(definitions.join("")) + theorems.map(renamed).join("");
  },
  "a number that is written as another": ({ right, chance }) =>
    inData(right, chance, (number) => `(@OfNat.ofNat Rat 8 ⟨${number}⟩)`),
  "a number that a function makes another": ({ right, chance }) =>
    inData(right, chance, (number) => `((fun _ => ${number}) 8)`),
  "a number behind a choice": ({ right, chance }) =>
    inData(right, chance, (number) => `(if 1 = 1 then ${number} else 8)`),
  "a number in a comment": ({ right, chance }) => inData(right, chance, (number) => `8 /- ${number} -/`),
  "notation of its own": ({ wrong }) => wrong.replace(firstTheorem, 'local notation "decide" => trivial\n\n'),
  "a program that runs": ({ wrong }) => wrong.replace(firstTheorem, 'run_cmd Lean.logInfo "accepted"\n\n'),
};

/** Replaces a number of the run or system. */
function inData(text: string, chance: Chance, how: (number: string) => string): string {
  const start = Math.max(text.indexOf("def run"), text.indexOf("def system"));
  const end = text.search(firstTheorem);
  const numbers = [...text.slice(start, end).matchAll(/(?<=[[ (])-?\d+(?=[,\])])/g)];
  const chosen = chance.of(numbers);
  if (chosen === undefined) return `${text}-- nothing to change\n`;
  const at = start + chosen.index;
  return text.slice(0, at) + how(chosen[0]) + text.slice(at + chosen[0].length);
}

/** True files of something else than the subject. */
const others: Readonly<Record<string, (subject: RunSubject, chance: Chance) => string | undefined>> = {
  "another point": (subject, chance) =>
    rerun(subject, ({ texts }) => {
      const inputs = oneChanged(texts.inputs, chance, (row) =>
        oneChanged(row, chance, () => String(chance.below(9) + 2)),
      );
      return inputs && { texts: { ...texts, inputs } };
    }),
  "another seed": (subject, chance) =>
    rerun(subject, ({ texts }) => ({
      texts: {
        ...texts,
        seeds: new Map([...texts.seeds].map(([id, row]) => [id, row.map(() => String(chance.below(9) + 2))])),
      },
    })),
  "another index": (subject, chance) =>
    rerun(subject, ({ texts }) => {
      const kinds = new Map(subject.trace.graph.environment.map(({ name, kind }) => [name, kind]));
      type Entry = readonly [name: string, row: readonly string[]];
      const entries = oneChanged<Entry>([...texts.environment], chance, ([name, row]) =>
        kinds.get(name) === "index" && row.length > 1 ? [name, row.toReversed()] : undefined,
      );
      return entries && { texts: { ...texts, environment: new Map(entries) } };
    }),
  "another operator in its graph": (subject, chance) =>
    rerun(subject, ({ graph }) => {
      const nodes = oneChanged<LooseNode>(graph.nodes, chance, (node) =>
        node.op === "multiply" || node.op === "add" || node.op === "subtract"
          ? { ...node, op: node.op === "add" ? "subtract" : "add", attributes: {} }
          : undefined,
      );
      return nodes && { graph: { ...graph, nodes } };
    }),
  "another operand in its graph": (subject, chance) =>
    rerun(subject, ({ graph }) => {
      const nodes = oneChanged<LooseNode>(graph.nodes, chance, (node, at) => {
        const parents = oneChanged(node.parents, chance, (id) => {
          const other = chance.below(graph.inputs.length + at);
          return other === id ? undefined : other;
        });
        return parents && { ...node, parents };
      });
      return nodes && { graph: { ...graph, nodes } };
    }),
  "a node more": (subject) =>
    rerun(subject, ({ graph }) => ({
      graph: {
        ...graph,
        nodes: [
          ...graph.nodes,
          { op: "negative", attributes: {}, parents: [nodeId(graph.inputs.length + graph.nodes.length - 1)] },
        ],
      },
    })),
  "numbers of its format, taken for another's": ({ trace, flat }) => {
    const arithmetic = arithmeticOf("bfloat16");
    const own = arithmeticOf(trace.algebra);
    const checked = checkTrace(trace);
    if (!("engine" in flat) || own === undefined || arithmetic === undefined || !checked.ok) return undefined;
    if (trace.algebra === "bfloat16" || trace.algebra.startsWith("posit")) return undefined;
    // All its claims are true: a finer rounding is within bfloat16's allowance, and its bounds are derived.
    const relabelled = flattenEngine(checked.value, { ...arithmetic, read: own.read });
    return relabelled.ok ? leanFile(relabelled.value).text : undefined;
  },
};

/** A node of a document, which may not fit. */
interface LooseNode {
  readonly op: string;
  readonly attributes: unknown;
  readonly parents: readonly number[];
}

type Rerun = { readonly graph: TraceJson["graph"]; readonly texts: RunTexts };
/** A graph that is made of a document's parts, before it is checked. */
type Changed = { readonly graph?: unknown; readonly texts?: RunTexts };

/** Runs something else in the subject's algebra, and exports the run. */
function rerun(subject: RunSubject, change: (asked: Rerun) => Changed | undefined): string | undefined {
  const { graph, texts } = questionOfTrace(subject.trace);
  const changed = change({ graph, texts });
  const checked = changed && checkGraph(changed.graph ?? graph);
  if (checked?.ok !== true) return undefined;
  const trace = subject.run(checked.value, changed?.texts ?? texts);
  const flat = trace && readTraceJson(trace);
  return flat?.ok === true ? leanFile(flat.value).text : undefined;
}

/** Draws wrong data of the subject, under a cover. */
function falseFile(subject: Subject, chance: Chance): Omit<Forgery, "subject"> | undefined {
  const cover = chance.of(Object.keys(covers)) ?? "nothing";
  const edit = chance.of(Object.keys(subject.kind === "run" ? dataEdits : systemEdits)) ?? "";
  const wrong = subject.kind === "run" ? wrongRun(subject, edit, chance) : wrongSystem(subject, edit, chance);
  const text = wrong && covers[cover]?.({ right: subject.text, wrong, chance });
  return text === undefined ? undefined : { kind: "false", what: `${edit}, covered by ${cover}`, text };
}

function wrongRun({ flat }: RunSubject, edit: string, chance: Chance): string | undefined {
  const wrong = dataEdits[edit]?.(flat, chance);
  return wrong && leanFile(wrong).text;
}

function wrongSystem({ system, measured }: SystemSubject, edit: string, chance: Chance): string | undefined {
  const wrong = systemEdits[edit]?.(system, chance);
  return wrong && leanObstruction(wrong, measured).text;
}

/** Draws a true file of something else; of a certificate that of another case, or one with other comments. */
function otherFile(subject: Subject, chance: Chance): Omit<Forgery, "subject"> | undefined {
  if (subject.kind === "run") {
    const what = chance.of(Object.keys(others)) ?? "";
    const text = others[what]?.(subject, chance);
    return text === undefined ? undefined : { kind: "another", what, text };
  }
  const twin = subjects.find((one) => one.kind === "system" && one !== subject);
  const own = subject.text.split("\n");
  const foreign = twin?.text.split("\n") ?? [];
  const edits: readonly (readonly [string, string | undefined])[] = [
    ["the certificate of another law", twin?.text],
    ["the hash of another law", own.with(2, foreign[2] ?? "").join("\n")],
    ["the names of another law", own.with(3, foreign[3] ?? "").join("\n")],
    [
      "another law under its names",
      foreign
        .with(2, own[2] ?? "")
        .with(3, own[3] ?? "")
        .join("\n"),
    ],
  ];
  const [what, text] = chance.of(edits) ?? ["", undefined];
  return text === undefined ? undefined : { kind: "another", what, text };
}

/**
 * These come first: those that have misled, whose claims were true, and not what somebody took them for; and
 * each change of an index map.
 */
const foremost: readonly (readonly [subject: string, what: string])[] = [
  ["a quotient in float64", "a value a thousandth off, in bfloat16 under bounds of ten millions"],
  ["a quotient in float64", "a bound of ten millions"],
  ["a quotient in float64", "numbers of its format, taken for another's"],
  ["the law newton/missing_factor", "the certificate of another law"],
  ["moves over the integers", "an index map that skips"],
  ["moves over the integers", "an index that is named twice"],
  ["counts and random words over the rationals", "an index map that skips"],
  ["counts and random words over the rationals", "an index that is named twice"],
  ["counts and random words over the rationals", "another axis to count along"],
  ["counts and random words over the rationals", "other random words"],
  ["choices at ties over the rationals", "a mask turned round"],
  ["choices at ties over the rationals", "a tie to the second"],
  ["a determinant and a system", "a cofactor of the other sign"],
];

/**
 * The forgery of that number, fixed by it: first those that are listed, then drawn ones of the subjects in
 * turn, one in three of them a true file of something else.
 */
export function forgeryAt(index: number): Forgery {
  const [name, wanted] = foremost[index] ?? [];
  const own = subjects.find((one) => one.name === name) ?? subjects[index % subjects.length];
  for (let attempt = 0; own !== undefined && attempt < 1_000; attempt++) {
    const drawn =
      wanted === undefined
        ? drawnFile(own, new Chance(index * 1_000 + attempt))
        : foremostFile(own, wanted, new Chance(attempt));
    if (drawn !== undefined && drawn.text !== own.text) return { ...drawn, subject: own };
  }
  throw new Error(`there is no forgery ${index}`);
}

function drawnFile(subject: Subject, chance: Chance): Omit<Forgery, "subject"> | undefined {
  return chance.below(3) === 0 ? otherFile(subject, chance) : falseFile(subject, chance);
}

function foremostFile(
  subject: Subject,
  wanted: string,
  chance: Chance,
): Omit<Forgery, "subject"> | undefined {
  if (subject.kind === "system" || wanted in others) {
    const drawn = otherFile(subject, chance);
    return drawn?.what === wanted ? drawn : undefined;
  }
  const text = wrongRun(subject, wanted, chance);
  return text === undefined ? undefined : { kind: "false", what: wanted, text };
}
