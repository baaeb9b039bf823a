import { type OperatorName, operatorNames } from "../../spec/composites/index.ts";
import { folded } from "./fold.ts";
import type { Section } from "./json.ts";
import { alignedRows, type Cell, type Palette } from "./terminal.ts";

/** Beside the longest operator name so many sections fit in 80 columns. */
const SECTIONS_BESIDE = 6;

const legend = "✗ to blame so often, ! crashed, – declined, ✓ agrees, ? undecided, · unanswered";

/**
 * Tabulates operators that an engine failed, crashed on or declined, with a column for each section under its
 * number; empty if there are none. More sections than fit 80 columns make further tables.
 */
export function operatorTable(sections: readonly Section[], palette: Palette): string[] {
  const rows = operatorNames.filter((op) => sections.some((section) => isTold(stateOf(section, op))));
  if (rows.length === 0) return [];
  const lines: string[] = [];
  for (let first = 0; first < sections.length; first += SECTIONS_BESIDE) {
    const beside = sections.slice(first, first + SECTIONS_BESIDE);
    const told = rows.filter((op) => beside.some((section) => isTold(stateOf(section, op))));
    if (told.length === 0) continue;
    const head: Cell[] = ["operator", ...beside.map((_, place) => `[${first + place + 1}]`)].map((text) => ({
      text,
      paint: palette.bold,
    }));
    const cells = told.map((op): Cell[] => [
      { text: op },
      ...beside.map((section) => cellOf(stateOf(section, op), palette)),
    ]);
    lines.push(...(lines.length > 0 ? [""] : []), ...alignedRows([head, ...cells]));
  }
  return [...lines, ...folded(legend).map(palette.dim)];
}

/** An engine does this with an operator; an `unoffered` one was never asked for. */
type State =
  | { readonly kind: "blamed"; readonly cases: number }
  | { readonly kind: "agrees" | "crashed" | "declined" | "undecided" | "unanswered" | "unoffered" };

/** A case's crash or refusal counts for its operators only if none of their cases was answered. */
function stateOf({ description, tally }: Section, op: OperatorName): State {
  if (!description.operators.includes(op)) return { kind: "unoffered" };
  const counts = tally.operators.get(op);
  if (counts === undefined) return { kind: "unanswered" };
  if (counts.disagrees > 0) return { kind: "blamed", cases: counts.disagrees };
  const { asked = 0, declined = {} } = tally.promises.get(op) ?? {};
  if (2 * Math.max(0, ...Object.values(declined)) > asked) return { kind: "declined" };
  if (counts.agrees > 0) return { kind: "agrees" };
  // It was answered, so other operators of its cases are to blame, or nobody can say.
  if (tally.asked.has(op)) return { kind: "undecided" };
  if (counts.crashed > 0) return { kind: "crashed" };
  return { kind: counts.unsupported > 0 ? "declined" : "unanswered" };
}

function isTold({ kind }: State): boolean {
  return kind === "blamed" || kind === "crashed" || kind === "declined";
}

function cellOf(state: State, { red, green, yellow, dim }: Palette): Cell {
  switch (state.kind) {
    case "blamed":
      return { text: `✗${state.cases}`, paint: red };
    case "crashed":
      return { text: "!", paint: red };
    case "declined":
      return { text: "–", paint: yellow };
    case "agrees":
      return { text: "✓", paint: green };
    case "undecided":
      return { text: "?", paint: yellow };
    case "unanswered":
      return { text: "·", paint: dim };
    case "unoffered":
      return { text: "" };
  }
}
