import {
  type Index,
  knownNumber,
  type NameScope,
  type StatementOf,
  startsOf,
  type Transform,
  transformed,
  wholeView,
} from "../../programs/index.ts";
import { outlineOf, type Validator } from "../../schema/registry.ts";
import { type Issue, quote } from "../../shapes/index.ts";
import { bind, checkShape, type Known, lookUp, referenced, referenceTo } from "./known.ts";

const readAlias: Validator<StatementOf<"view">> = outlineOf(
  "program-outline.schema.json#/$defs/statement_view",
);

/** Checks another name of a persistent location, which is a view and no copy [SEMANTICS §10.18]. */
export function checkAlias(json: unknown, pointer: string, scope: NameScope<Known>, issues: Issue[]): void {
  const alias = readAlias(json, pointer);
  if (!alias.ok) {
    issues.push(...alias.error);
    return;
  }
  const { name, of, how } = alias.value;
  const found = referenced(of, `${pointer}/of`, scope, issues);
  const seen = found && checkTransform(found, how, `${pointer}/how`, scope, issues);
  bind(scope, name, seen ?? { kind: "unknown" }, `${pointer}/name`, issues);
  const moved = seen && found.view && transformed(found.view, how, knownNumber);
  if (moved?.ok !== true || moved.value !== undefined) return;
  issues.push({
    code: "program/copy",
    pointer: `${pointer}/how`,
    message: `${quote(name)} would be a copy: no strides see the elements in this order.`,
    hint: "let another name of a persistent location see it by a transform that is a view",
  });
}

/** Finds what a transform sees, whatever its counters are; `undefined` if something is wrong. */
export function checkTransform(
  { shape, view }: Known & { readonly kind: "reference" },
  how: Transform,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): Known | undefined {
  const starts = startsOf(how);
  const counted = starts.map((index, i) => {
    const place = how.kind === "strided" ? "start" : `starts/${i}`;
    return checkIndex(index, `${pointer}/${place}`, scope, issues);
  });
  if (counted.includes(undefined)) return undefined;
  if ("shape" in how && !checkShape(how.shape, `${pointer}/shape`, issues)) return undefined;
  // A counter is tried where it begins and where it ends: what is between is then within the axis too.
  const ends = [0, 1].map((end) =>
    transformed(view ?? wholeView(shape), how, (index) => {
      const times = typeof index === "number" ? 1 : counted[starts.indexOf(index)];
      if (typeof index === "number" || times === "any") return typeof index === "number" ? index : undefined;
      return end * Math.max(0, (times ?? 1) - 1);
    }),
  );
  const fault = ends.find((end) => !end.ok);
  if (fault !== undefined && !fault.ok) {
    issues.push({ ...fault.error, pointer });
    return undefined;
  }
  const seen = ends[0]?.ok ? ends[0].value : undefined;
  if (seen === undefined && "shape" in how) return referenceTo(how.shape);
  return seen && { kind: "reference", shape: seen.shape, view: view && seen };
}

/** Counts the values that an index takes: one, as many as the loop has turns, or any number of them. */
export function checkIndex(
  index: Index,
  pointer: string,
  scope: NameScope<Known>,
  issues: Issue[],
): number | "any" | undefined {
  if (typeof index === "number") return 1;
  const found = lookUp(index, pointer, scope, issues);
  if (found.kind === "counter") return found.times ?? "any";
  if (found.kind === "unknown") return undefined;
  issues.push({
    code: "program/kind",
    pointer,
    message: `${quote(index)} is a ${found.kind}, and an index is a number or a counter.`,
    hint: "name the counter of a loop around, or make an index of a number",
  });
  return undefined;
}
