import type { Random } from "fast-check";
import type { OperatorName } from "../../spec/composites/index.ts";
import { isPrimitiveName, primitives } from "../../spec/operators/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { happens } from "../random/index.ts";
import { append, type Draft, emptyDraft, newConstant, room } from "./draft.ts";
import { fusionPlanter, plantAnyFusion } from "./fusing.ts";
import { plantMotif } from "./networks.ts";
import { proposals } from "./operators.ts";
import { pairPlanter } from "./pairs.ts";
import type { CaseProfile } from "./profile.ts";
import { reachPlanter, turnPlanter } from "./reaching.ts";
import { drawExtents, drawInputShapes, promisedShape } from "./shapes.ts";
import { plantStructure } from "./structures.ts";

/** An operator's operands are drawn this often before another operator is tried. */
const OPERAND_TRIES = 4;

/** Appends a node of this operator with operands that fit; returns whether it found some. */
function growBy(draft: Draft, name: OperatorName): boolean {
  for (let attempt = 0; attempt < OPERAND_TRIES; attempt++) {
    const proposal = proposals[name](draft);
    if (proposal === undefined) return false;
    if (append(draft, proposal) !== undefined) return true;
  }
  return false;
}

/**
 * Draws an operator of the profile. Elementary functions are many and alike, so half of the time that one is
 * drawn another operator takes its place: else they crowd out structures.
 */
function drawOperator({ profile, random }: Draft): OperatorName | undefined {
  const draw = (): OperatorName | undefined =>
    profile.operators[random.nextInt(0, profile.operators.length - 1)];
  const name = draw();
  return name !== undefined && isElementary(name) && happens(random, 1, 2) ? draw() : name;
}

function isElementary(name: OperatorName): boolean {
  return isPrimitiveName(name) && primitives[name].needs === "real";
}

/** After this many drawn operators the others are tried in turn. */
const OPERATOR_TRIES = 6;

/** Appends a node of some operator of the profile; returns whether one fits. */
function grow(draft: Draft): boolean {
  if (draft.profile.operators.length === 0) return false;
  for (let attempt = 0; attempt < OPERATOR_TRIES; attempt++) {
    const name = drawOperator(draft);
    if (name !== undefined && growBy(draft, name)) return true;
  }
  return draft.profile.operators.some((name) => growBy(draft, name));
}

/** Makes the planter that the profile names; a call returns whether it appended a node. */
function planter(profile: CaseProfile, index: number): (draft: Draft) => boolean {
  const { plants } = profile;
  if (plants === "fusions") return fusionPlanter(index);
  if (plants === "readers") return reachPlanter(index);
  if (plants === "turns") return turnPlanter(index);
  if (plants === undefined) return () => false;
  const plantPair = pairPlanter(profile, index);
  if (plants === "pairs") return plantPair;
  return (draft) => {
    const die = draft.random.nextInt(0, 2);
    return die === 0 ? plantMotif(draft) > 0 : die === 1 && plantPair(draft);
  };
}

/** Counts the primitives that the nodes expand to. */
function primitivesOf({ primitives }: Draft): number {
  return primitives.reduce((total, count) => total + count, 0);
}

/** Tells whether only what was planted is wanted, and something was. */
function isComplete({ profile: { plants }, nodes }: Draft): boolean {
  return (plants === "readers" || plants === "turns") && nodes.length > 0;
}

/** Nodes that a draft begins with leave at least this much room. */
const LEAST_ROOM = 4;

/**
 * Appends constants of the inputs' shapes in one case of six, which everything may then read as it reads
 * inputs: engines that differentiate with respect to some arguments alone have rules of their own for those.
 */
function withhold(draft: Draft): void {
  const { random, profile, inputs } = draft;
  if (!profile.operators.includes("constant") || !happens(random, 1, 6)) return;
  for (let count = random.nextInt(1, 2); count > 0 && room(draft) > LEAST_ROOM; count--) {
    const { shape } = at(inputs, random.nextInt(0, inputs.length - 1));
    const entry = newConstant(draft, shape);
    append(draft, {
      node: { op: "constant", attributes: { name: entry.declaration.name }, parents: [] },
      entry,
    });
  }
}

/**
 * Draws a graph of the profile with its point: inputs, then nodes one by one, each well-typed when it is
 * appended, every sixth time a whole {@link plantStructure structure}, sometimes a fusion, and what the
 * profile plants.
 */
export function growGraph(profile: CaseProfile, random: Random, index = 0): Draft {
  const { maximumPrimitives = Number.POSITIVE_INFINITY } = profile;
  const extents = drawExtents(profile, random);
  const shapes = drawInputShapes(profile, random, extents).map((shape) => promisedShape(profile, shape));
  const draft = emptyDraft(profile, random, extents, shapes);
  const target = random.nextInt(...profile.nodes);
  const plant = planter(profile, index);
  withhold(draft);
  const hasStructures = profile.plants === undefined || profile.plants === "motifs";
  // Patterns would crowd out derivatives of derivatives.
  const hasFusions = hasStructures && profile.maximumRank > 0 && !profile.operators.includes("differentiate");
  while (draft.nodes.length < target && primitivesOf(draft) < maximumPrimitives) {
    if (hasStructures && happens(random, 1, 6)) plantStructure(draft);
    else if (hasFusions && happens(random, 1, 12)) plantAnyFusion(draft);
    else if (!plant(draft) && (isComplete(draft) || !grow(draft))) break;
  }
  return draft;
}
