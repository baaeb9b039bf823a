import type { LifetimeJson, LifetimesJson } from "../../../../spec/wire/index.ts";
import { counted } from "../../fold.ts";
import { scrolling } from "./frame.ts";
import { element, type Markup, together } from "./markup.ts";
import { wordTable } from "./tables.ts";

/** At most so many values are drawn. */
const MOST_DRAWN = 200;

/** The height of a row, and the left edge and width of the steps, in pixels. */
const ROW = 20;
const LEFT = 220;
const WIDTH = 640;

/** Shows how long a run needs its values, drawn and in a table, and the storage they take. */
export function lifetimesParts(lifetimes: LifetimesJson, id: string): Markup {
  const { values, steps, turn, lowerBound, peaks, plan, dtype } = lifetimes;
  const rows = values.map((value) => [
    value.says,
    value.elements,
    value.bytes,
    value.place,
    `${value.born}–${value.last}`,
    reasonOf(value),
  ]);
  const heads = ["value", "elements", "bytes", "place", "steps", "kept for"];
  const plans = Object.entries(peaks).map(([name, { elements, bytes, isProved }]) => [
    name,
    elements,
    bytes,
    [...(isProved ? ["none is better"] : []), ...(name === plan ? ["places above"] : [])].join("; "),
  ]);
  const bound = ["lower bound", lowerBound.elements, lowerBound.bytes, `at step ${lowerBound.step}`];
  const told = `${counted(steps.length, "step")}: ${turn} forward, the turn, ${steps.length - 1 - turn} in reverse; elements are ${dtype}.`;
  return together(
    element("p", { class: "note" }, told),
    scrolling("When each value is there, drawn", chart(lifetimes, id)),
    element(
      "details",
      {},
      element("summary", {}, "The values as a table"),
      wordTable("How long each value is needed", heads, rows),
    ),
    wordTable("The room that they take", ["plan", "elements", "bytes", "remark"], [bound, ...plans]),
  );
}

function reasonOf(value: LifetimeJson): string {
  if (value.kind === "cotangent") return value.isWanted ? "wanted" : "";
  const rules = value.neededBy.length === 0 ? [] : [`rules of ${value.neededBy.join(", ")}`];
  return [...rules, ...(value.kind === "primal" && value.isResult ? ["a result"] : [])].join("; ");
}

function chart({ values, steps, turn }: LifetimesJson, id: string): Markup {
  const drawn = values.slice(0, MOST_DRAWN);
  const step = WIDTH / Math.max(1, steps.length);
  const height = drawn.length * ROW + 10;
  const bar = (from: number, to: number, place: number, name: string): Markup[] =>
    to < from
      ? []
      : [
          element("rect", {
            x: LEFT + from * step,
            y: place * ROW + 6,
            width: (to - from + 1) * step,
            height: ROW - 6,
            class: name,
          }),
        ];
  const bars = drawn.flatMap(({ says, born, last }, place) => [
    element("text", { x: LEFT - 10, y: place * ROW + ROW - 3, class: "name" }, says),
    ...bar(born, Math.min(last, turn - 1), place, "shade-3"),
    ...bar(Math.max(born, turn), last, place, "shade-5"),
  ]);
  const left = values.length - drawn.length;
  const rest = left > 0 ? `; ${left} more are in the table` : "";
  const title = `When each of ${counted(values.length, "value")} is there, by steps; darker from the turn on${rest}`;
  const width = LEFT + WIDTH + 10;
  return element(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-labelledby": `${id}-chart`,
      class: "digits",
    },
    element("title", { id: `${id}-chart` }, title),
    element("path", { d: `M${LEFT + turn * step} 2V${height}`, class: "grid" }),
    ...bars,
  );
}
