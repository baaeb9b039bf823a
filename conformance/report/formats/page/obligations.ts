import { discharged } from "../../../../reference/operators/index.ts";
import { type OperatorName, operatorNames } from "../../../../spec/composites/index.ts";
import { primitiveNames } from "../../../../spec/operators/index.ts";
import type { ReportJson } from "../../../../spec/wire/index.ts";
import { element, type Markup } from "./markup.ts";
import { wordTable } from "./tables.ts";

/**
 * Tabulates which rules of the reference are proved, for a run's operators, by the record that `adjudge
 * prove` writes. `undefined` where no operator was asked.
 */
export function obligationsTable({ engines }: ReportJson): Markup | undefined {
  const asked = new Set(engines.flatMap((section) => Object.keys(section.operators)));
  const had = operatorNames.filter((name) => asked.has(name));
  if (had.length === 0) return undefined;
  const isPrimitive = new Set<OperatorName>(primitiveNames);
  const composites = had.filter((name) => !isPrimitive.has(name));
  const rows = primitiveNames
    .filter((name) => asked.has(name))
    .map((name) => {
      const record = discharged[name];
      return record === undefined
        ? [name, "not proved", "·"]
        : [name, `${record.obligations} proved`, record.rules];
    });
  const note =
    "What answers are compared with stands on these: for each operator, that the reference's pullback is the adjoint of its tangent, and that this is the derivative, for all inputs within the scopes of docs/obligations.md. Z3 was asked; the hash is that of the rules that were proved, by the record of the adjudge that wrote this page.";
  const others =
    composites.length === 0
      ? []
      : [
          element(
            "p",
            { class: "note" },
            `Composites are what their expansions in primitives are: ${composites.join(", ")}.`,
          ),
        ];
  return element(
    "details",
    {},
    element("summary", {}, "Which rules of the reference are proved"),
    element("p", { class: "note" }, note),
    wordTable("Obligations of the operators of this run", ["operator", "obligations", "rules"], rows),
    ...others,
  );
}
