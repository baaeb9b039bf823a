import { type Block, blocksOf, type Statement, statementsIn } from "../../spec/programs/index.ts";
import type { Origins } from "./origins.ts";

/** These properties of statements have names, or lists of them; a computed place has one, a number none. */
const named: ReadonlySet<string> = new Set([
  "along",
  "condition",
  "counter",
  "derivatives",
  "from",
  "key",
  "mask",
  "name",
  "names",
  "of",
  "operands",
  "rows",
  "start",
  "starts",
  "to",
]);

/** Gives a new name for each that a block binds, its inner blocks included. */
export function freshNames(block: Block, origins: Origins): Map<string, string> {
  return new Map(
    statementsIn(block)
      .flatMap(boundBy)
      .map((name) => [name, origins.fresh()]),
  );
}

/** Returns the block with other names where `names` has some, bound or read. */
export function renamed(block: Block, names: ReadonlyMap<string, string>, origins: Origins): Block {
  const within = (inner: Block): Block =>
    inner.map((statement) => {
      const blocks = blocksOf(statement).map(([property, body]) => [property, within(body)]);
      const own = { ...statement, ...withNames(statement, names), ...Object.fromEntries(blocks) };
      return origins.note(own, statement);
    });
  return within(block);
}

/** Lists the names that a statement binds: `rebind` changes what one stands for. */
function boundBy(statement: Statement): readonly string[] {
  if (statement.do === "for") return [statement.counter];
  if (statement.do === "differentiate_call") return [...statement.names, ...statement.derivatives];
  if ("names" in statement) return statement.names;
  return "name" in statement && statement.do !== "rebind" ? [statement.name] : [];
}

/** Returns those properties of a statement, or of a transform, in which names may stand. */
function withNames(part: object, names: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const changed = (value: unknown): unknown =>
    typeof value === "string" ? (names.get(value) ?? value) : value;
  const entries = Object.entries(part).flatMap(([property, value]: [string, unknown]) => {
    if (property === "how" && typeof value === "object" && value !== null)
      return [[property, { ...value, ...withNames(value, names) }]];
    if (!named.has(property)) return [];
    return [[property, Array.isArray(value) ? value.map(changed) : changed(value)]];
  });
  return Object.fromEntries(entries);
}
