import type { TapeEntry } from "../../reference/state/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { type Program, pointerOfStatement } from "../../spec/programs/index.ts";
import {
  at,
  counted,
  formatShape,
  type NodeId,
  type Shape,
  sizeOf,
  stridesOf,
  visible,
} from "../../spec/shapes/index.ts";
import { cut, narrowed } from "./folded.ts";
import type { WriteStatement } from "./show_sharing.ts";

/** A tape, the graph of the run without composites, and the program whose run it is, if one. */
export interface ShownTape {
  readonly graph: Pick<PrimitiveGraph, "inputs">;
  readonly entries: readonly TapeEntry[];
  readonly shapes: readonly Shape[];
  readonly program?: { readonly program: Program; readonly write: WriteStatement };
}

/** An entry of a tape as JSON. */
export interface TapeEntryJson {
  readonly id: number;
  /** The id in the graph as it is given, in which composites are not written out. */
  readonly origin: number;
  readonly op: string;
  readonly attributes: object;
  readonly inputs: readonly number[];
  readonly saved: readonly number[];
  readonly savedEntries: readonly string[];
  readonly shape: Shape;
  readonly strides: readonly number[];
  readonly isConstant: boolean;
  readonly inPlace: readonly {
    readonly place: number;
    readonly memory: number;
    readonly offset: number;
    readonly strides: readonly number[];
    readonly overwrittenBy?: string;
  }[];
}

/** Tells a tape entry by entry, as JSON. Strides count elements. */
export function tapeEntriesJson({ entries, program }: ShownTape): readonly TapeEntryJson[] {
  return entries.map(({ id, origin, node, shape, saved, savedEntries, isConstant, inPlace }) => ({
    id,
    origin,
    op: node.op,
    attributes: node.attributes,
    inputs: node.parents,
    saved,
    savedEntries,
    shape,
    strides: stridesOf(shape),
    isConstant,
    inPlace: inPlace.map(({ place, memory, view: { offset, strides }, overwrittenBy }) => ({
      place,
      memory,
      offset,
      strides,
      ...(overwrittenBy === undefined || program === undefined
        ? {}
        : { overwrittenBy: pointerOfStatement(program.program, overwrittenBy) }),
    })),
  }));
}

/** The columns of the table, and how wide they are at most. */
const titles = [
  ["id", 6],
  ["operation", 16],
  ["inputs", 16],
  ["saved", 16],
  ["shape", 12],
  ["strides", 10],
] as const;

/** Shows the same as lines of so many columns: a table, and below it what is read where it lies. */
export function showTapeEntries({ graph, entries, shapes, program }: ShownTape, columns: number): string[] {
  const name = (id: NodeId): string =>
    id < graph.inputs.length ? visible(at(graph.inputs, id).name) : `%${id}`;
  const kept = [...new Set(entries.flatMap(({ saved }) => saved))];
  const elements = kept.reduce((total, id) => total + sizeOf(at(shapes, id)), 0);
  const rows = entries.map(({ id, node, shape, saved, savedEntries, isConstant }) => [
    name(id),
    node.op,
    node.parents.map(name).join(", "),
    isConstant
      ? "constant"
      : [...saved.map(name), ...savedEntries.map((entry) => `Δ ${visible(entry)}`)].join(", "),
    formatShape(shape),
    formatShape(stridesOf(shape)),
  ]);
  const table = [titles.map(([title]) => title), ...rows];
  const widths = titles.map(([, most], i) =>
    Math.min(most, Math.max(...table.map((row) => at(row, i).length))),
  );
  const lines = table.map((row) =>
    `  ${row.map((cell, i) => cut(cell, at(widths, i)).padEnd(at(widths, i))).join(" ")}`.trimEnd(),
  );
  const notes = entries.flatMap(({ id, inPlace }) =>
    inPlace.flatMap(({ place, memory, view: { offset, strides }, overwrittenBy }) => {
      const where = `memory ${memory}, offset ${offset}, strides ${formatShape(strides)}`;
      const then =
        overwrittenBy === undefined || program === undefined
          ? ""
          : `; it is saved, and then overwritten by ${program.write(overwrittenBy)}`;
      return narrowed(`  ${name(id)} reads operand ${place} where it lies: ${where}${then}`, columns);
    }),
  );
  const what = `${counted(kept.length, "value")}, ${counted(elements, "element")}`;
  return [
    `a tape of ${counted(entries.length, "entry", "entries")}; what rules read is saved: ${what}`,
    ...lines,
    ...(notes.length === 0 ? [] : ["operands in memory", ...notes]),
  ].flatMap((line) => narrowed(line, columns));
}
