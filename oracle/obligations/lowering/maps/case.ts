import type { Access, Instruction, LoopProgram, ValueId } from "../../../../engines/compile/plan/index.ts";
import {
  Draft,
  type LoweredName,
  type Lowering,
  lowerings,
} from "../../../../engines/compile/plan/lower/index.ts";
import type { AttributesOf } from "../../../../spec/composites/index.ts";
import { InvariantError, present, type Shape } from "../../../../spec/shapes/index.ts";

/** A part of a rule is lowered on its own: the value, its tangents, or the cotangent of an operand. */
type Part = "value" | "tangents" | `cotangent_${number}`;

/** An access of a loop nest, by the number of its instruction among those of its part. */
export interface Expected {
  readonly part: Part;
  readonly instruction: number;
  readonly kind: Instruction["kind"];
  /** It is the read of this number, or the place that a piece or a scatter writes. */
  readonly site: `read_${number}` | `place_${number}`;
  /** The loops have these extents, outermost first; a term may name the unknowns. */
  readonly loops: readonly string[];
  /** The tensor has these extents. */
  readonly tensor: readonly string[];
  /**
   * It is read or written at these coordinates: terms of unknowns, `i0`, `i1`, … of the loops, and entries.
   */
  readonly at: readonly string[];
  /** Entries that are looked up: each lies in its index entry, at coordinates, and is below an extent. */
  readonly entries?: readonly Entry[];
}

/** An entry of an index source: `e0`, `e1`, … in the order of its lookups. */
export interface Entry {
  readonly shape: readonly string[];
  readonly at: readonly string[];
  readonly below: string;
}

/** An operator at extents and attributes that are unknown. */
export interface MapCase {
  readonly name: string;
  /** They rise in this order. */
  readonly symbols: readonly string[];
  readonly degree: number;
  /** These hold of the unknowns besides. */
  readonly fits?: string;
  /** With this no piece meets itself. */
  readonly apart?: string;
  /** These hold of small values at which a model is run. */
  readonly small?: string;
  readonly accesses: readonly Expected[];
  /** Lowers one part at values of the unknowns; its operands are the first values. */
  readonly lower: (part: Part, values: Readonly<Record<string, number>>) => LoopProgram;
}

/** Stands for an extent or an attribute: a name, or a number. */
export type Extent = string | number;

/** The tangents of so many directions are computed at once. */
export const TANGENTS = 2;

interface Applied<K extends LoweredName> {
  readonly op: K;
  readonly attributes: (value: (extent: Extent) => number) => AttributesOf[K];
  readonly shapes: readonly (readonly Extent[])[];
  readonly shape: readonly Extent[];
  readonly index?: readonly Extent[];
}

/** Lowers the parts of an operator's rule by the engines' own table. */
export function lowering<K extends LoweredName>(applied: Applied<K>): MapCase["lower"] {
  const own: Lowering<K> = lowerings[applied.op];
  return (part, values) => {
    const value = (extent: Extent): number =>
      typeof extent === "number" ? extent : present(values[extent], "an unknown");
    const shapeOf = (extents: readonly Extent[]): Shape => extents.map(value);
    const shapes = applied.shapes.map(shapeOf);
    const shape = shapeOf(applied.shape);
    const draft = new Draft();
    const source = (of: Shape): ValueId => draft.source({ origin: { kind: "seed", id: 0 }, shape: of });
    const operands = shapes.map(source);
    const [result, cotangent] = [source(shape), source(shape)];
    const dots = shapes.map((of) => source([TANGENTS, ...of]));
    const index = { number: 0, shape: shapeOf(applied.index ?? []) };
    const application = {
      attributes: applied.attributes(value),
      operands,
      shapes,
      shape,
      environment: { real: () => present(operands[0], "an operand"), index: () => index },
      regime: "bit_exact" as const,
    };
    if (part === "value") own.forward(draft, application);
    else if (part === "tangents") own.tangent(draft, application, result, { count: TANGENTS, values: dots });
    else {
      const operand = Number(part.slice("cotangent_".length));
      own.cotangents(draft, application, result, cotangent, (other) => other === operand);
    }
    return draft.finish([]);
  };
}

/** An access, the loops that it is made in, and the shape of its tensor. */
export interface Found {
  readonly access: Access;
  readonly tensor: Shape;
  readonly loops: Shape;
}

/** Finds an access of a program. Throws {@link InvariantError} where there is no such instruction. */
export function accessOf(program: LoopProgram, { instruction: number, kind, site }: Expected): Found {
  const instruction = present(program.instructions[number], "an instruction");
  if (instruction.kind !== kind) throw new InvariantError(`${instruction.kind} where ${kind} is expected`);
  const [what = "", position = "0"] = site.split("_");
  return (what === "read" ? readOf : placeOf)(program, instruction, Number(position));
}

function readOf(program: LoopProgram, instruction: Instruction, position: number): Found {
  const piece = instruction.kind === "assemble" ? instruction.pieces[position] : undefined;
  if (instruction.kind === "routine") throw new InvariantError("a routine has no loops");
  const body = instruction.kind === "assemble" ? present(piece, "a piece") : instruction;
  const access = present(body.reads[piece === undefined ? position : 0], "a read");
  const { sources, instructions } = program;
  const { shape: tensor } = present([...sources, ...instructions][access.value], "a value");
  return { access, tensor, loops: loopsOf(instruction, position) };
}

function placeOf(_program: LoopProgram, instruction: Instruction, position: number): Found {
  const loops = loopsOf(instruction, position);
  if (instruction.kind === "scatter") return { access: instruction.place, tensor: instruction.shape, loops };
  if (instruction.kind !== "assemble") throw new InvariantError("its place is its index");
  const { place } = present(instruction.pieces[position], "a piece");
  return { access: place, tensor: instruction.shape, loops };
}

function loopsOf(instruction: Instruction, position: number): Shape {
  switch (instruction.kind) {
    case "map":
    case "scan":
      return instruction.shape;
    case "fold":
      return [...instruction.shape, ...instruction.over];
    case "scatter":
      return instruction.over;
    case "assemble":
      return present(instruction.pieces[position], "a piece").shape;
    case "routine":
      throw new InvariantError("a routine has no loops");
  }
}
