import {
  type DimensionSystem,
  type Equation,
  type UnknownTerm,
  valueWith,
} from "../../reference/units/index.ts";
import { type Graph, nodeAt } from "../../spec/graph/index.ts";
import { assertNever, at, type NodeId, present, visible } from "../../spec/shapes/index.ts";
import type { Certificate } from "./certificate.ts";
import { type Names, namesIn } from "./names.ts";
import { solve } from "./solve.ts";

/** A ground is one equation of an obstruction, in words. */
export interface Ground {
  /** It says the equation, and what its subject is measured in if the others hold. */
  readonly says: string;
  readonly reason: Equation["reason"];
  /** This original id asks it; an entry of Δ has none. */
  readonly id?: NodeId;
  /** A declaration stands here in its document. */
  readonly pointer?: string;
  /** It goes into the contradictory sum this many times. */
  readonly times: string;
  /** These ids of bases and unknowns, each this many times, sum to zero. */
  readonly terms: readonly (readonly [id: number, times: string])[];
}

/** An obstruction tells a person why a graph's dimensions cannot agree. */
export interface Obstruction {
  /** It says which two sides do not meet, and where. */
  readonly says: string;
  /** They meet at this original id. */
  readonly id?: NodeId;
  readonly left: string;
  readonly right: string;
  /** The first ids of terms are these bases. */
  readonly bases: readonly string[];
  /** The later ids of terms are these blocks of values. */
  readonly unknowns: readonly string[];
  /** Every equation here is needed: without any one of them the rest could hold. */
  readonly grounds: readonly Ground[];
}

/**
 * Writes an obstruction in words. Its place is the last equation that compares; the two sides are what all
 * other equations make of them. Cost: solving the system.
 */
export function obstructionOf(
  original: Graph,
  system: DimensionSystem,
  certificate: Certificate,
  as: "dimension" | "scale" = "dimension",
): Obstruction {
  const names = namesIn(system, original, as);
  const parts = certificate.map(({ equation, times }) => ({ asked: at(system.equations, equation), times }));
  const comparing = parts.findLastIndex(
    ({ asked: { reason } }) => reason === "agree" || reason === "number" || reason === "declared",
  );
  const place = comparing < 0 ? parts.length - 1 : comparing;
  const meeting = at(parts, place).asked;
  const others = parts.filter((_, i) => i !== place).map(({ asked }) => asked);
  const { unknowns, aspect } = system;
  const solution = solve({ bases: aspect.bases.length, unknowns, equations: others });
  const rest = present(
    solution.kind === "solved" ? solution.elimination : undefined,
    "a minimal certificate",
  );
  const tell = (terms: readonly UnknownTerm[]): string => names.form(rest.formOf(terms));
  // The rest of the graph may say more of the two sides than the certificate needs.
  const everything = solve({
    bases: aspect.bases.length,
    unknowns,
    equations: system.equations.filter((asked) => asked !== meeting),
  });
  const all = everything.kind === "solved" ? everything.elimination : rest;
  const [left, right] = sidesOf(meeting, aspect.bases.length).map((terms) => names.form(all.formOf(terms)));
  const sides = { left: left ?? "1", right: right ?? "1" };
  const id = system.originOf(meeting.of);
  const ids = idsIn(
    parts.map(({ asked }) => asked),
    aspect.bases.length,
  );
  return {
    says: meetingWords(original, system, names, meeting, sides),
    ...(id === undefined ? {} : { id }),
    ...sides,
    bases: aspect.bases,
    unknowns: [...ids.keys()].map((unknown) => names.block(unknown)),
    grounds: parts.map(({ asked, times }, i) => {
      const origin = system.originOf(asked.of);
      return {
        says:
          i === place
            ? `${asks(system, names, asked)}: here they meet`
            : `${asks(system, names, asked)}: ${tell(toldOf(asked))}`,
        reason: asked.reason,
        ...(origin === undefined ? {} : { id: origin }),
        ...(asked.pointer === undefined ? {} : { pointer: asked.pointer }),
        times: times.toString(),
        terms: asked.terms.map(([unknown, own]) => [ids.get(unknown) ?? unknown, own.toString()] as const),
      };
    }),
  };
}

/** Numbers the unknowns of equations in order of appearance, after the bases. */
function idsIn(equations: readonly Equation[], bases: number): ReadonlyMap<number, number> {
  const ids = new Map<number, number>();
  for (const [unknown] of equations.flatMap(({ terms }) => terms)) {
    if (unknown >= bases && !ids.has(unknown)) ids.set(unknown, bases + ids.size);
  }
  return ids;
}

/** Splits an equation into its two sides. A declaration's are the value and what is declared. */
function sidesOf({ terms, reason }: Equation, bases: number): readonly [UnknownTerm[], UnknownTerm[]] {
  const isLeft = ([unknown, times]: UnknownTerm): boolean =>
    reason === "declared" ? unknown >= bases : times > 0n;
  const left = terms.filter(isLeft);
  const right = terms.filter((term) => !isLeft(term));
  return [left, right.map(([unknown, times]) => [unknown, -times])];
}

/** Returns the term that is told: the first, which the equation is about. */
function toldOf({ terms: [first] }: Equation): readonly UnknownTerm[] {
  return first === undefined ? [] : [[first[0], 1n]];
}

/** Each of these operators requires one dimension of its operands. */
const meetings: Readonly<Record<string, string>> = {
  add: "is added to",
  subtract: "has subtracted from it",
  maximum: "is compared with",
  less: "is compared with",
  equal: "is compared with",
  where: "stands for the other case beside",
};

function meetingWords(
  original: Graph,
  system: DimensionSystem,
  names: Names,
  asked: Equation,
  { left, right }: { readonly left: string; readonly right: string },
): string {
  const node = names.value(asked.of);
  const shown = (terms: readonly UnknownTerm[]): string =>
    terms
      .map(([unknown]) => names.block(unknown) + sourceOf(original, system, valueWith(system, unknown)))
      .join(" times ");
  const [one, other] = sidesOf(asked, system.aspect.bases.length);
  switch (asked.reason) {
    case "agree": {
      const op = operatorOf(system, asked.of);
      const verb = meetings[op] ?? "has to agree with";
      return `At ${node}, ${shown(one)}, which is ${left}, ${verb} ${shown(other)}, which is ${right}.`;
    }
    case "number":
      return `${node} takes a number, and ${shown(one)} is ${left}.`;
    case "declared":
      return `${node} is declared ${right}, and comes to ${left}.`;
    case "literal":
    case "result":
      return `${node} would be ${left} and ${right}.`;
    default:
      return assertNever(asked.reason);
  }
}

/** Tells where a computed value comes from, if it is one input or one derivative. */
function sourceOf(original: Graph, system: DimensionSystem, value: number): string {
  let id = value < original.inputs.length ? undefined : system.originOf(value);
  for (let node = id; node !== undefined; node = id) {
    const found = nodeAt(original, node);
    if (found === undefined) return ` (from ${inputName(original, node)})`;
    if (found.op === "differentiate") {
      const { mode, graph, wrt } = found.attributes;
      const name =
        nodeAt(original, at(found.parents, wrt)) === undefined
          ? inputName(original, at(found.parents, wrt))
          : inputName(graph, wrt);
      return mode === "vjp" ? ` (from the cotangent of ${name})` : ` (from a derivative by ${name})`;
    }
    const parents = new Set(found.parents);
    id = parents.size === 1 ? found.parents[0] : undefined;
  }
  return "";
}

function inputName({ inputs }: Graph, id: NodeId): string {
  return visible(at(inputs, id).name, 40);
}

function operatorOf({ graph }: DimensionSystem, value: number): string {
  return graph.nodes[value - graph.inputs.length - graph.environment.length]?.op ?? "";
}

/** Says in a few words what an equation asks. */
function asks(system: DimensionSystem, names: Names, { reason, terms, of }: Equation): string {
  const node = names.value(of);
  const blocks = [...new Set(terms.map(([unknown]) => unknown))].filter(
    (unknown) => unknown >= system.aspect.bases.length,
  );
  const shown = blocks.map((unknown) => names.block(unknown));
  const op = operatorOf(system, of);
  // A step's operator differs from that of its composite.
  const doing = node.endsWith(`(${op})`) ? node : `${op} in ${node.replace("a step of ", "")}`;
  switch (reason) {
    case "declared":
      return `${startsWith(node, shown[0])} is declared`;
    case "literal":
      return `${node.replace("a step of", "a number in")}${node.startsWith("a step") ? "" : " is a number"}`;
    case "number":
      return `${doing} takes a number for ${shown[0]}`;
    case "agree":
      return `${doing} wants ${shown.join(" and ")} alike`;
    case "result": {
      const operands = blocks.filter((unknown) => valueWith(system, unknown) !== of);
      const from = operands.map((unknown) => names.block(unknown)).join(", ");
      return `${doing}${from === "" ? "" : ` of ${from}`}`;
    }
    default:
      return assertNever(reason);
  }
}

/** Names a value, and the block where it is only a part. */
function startsWith(value: string, block: string | undefined): string {
  const bracket = block?.indexOf("[") ?? -1;
  return bracket < 0 ? value : `${value}${block?.slice(bracket)}`;
}
