import type { CoeffectJson, CoeffectsJson, EscapeSheafJson, FigureJson } from "../../spec/explained/index.ts";
import { counted } from "../../spec/shapes/index.ts";
import { folded, indented, labelled } from "./folded.ts";

/** At most so many promotions of a mode are shown; `--json` has all. */
const MOST_SHOWN = 20;

/** Labels before figures have so many columns. */
const LABEL = 18;

/** Says how a graph's memory grows, in lines of 80 columns. */
export function memoryLines({ layers, axis, modes }: CoeffectsJson): string[] {
  const growing = [
    ...(layers === undefined ? [] : [layersLine(layers)]),
    ...(axis?.isFollowed === true ? [`B = ${axis.length}, axis ${axis.axis} of ${axis.of}`] : []),
  ];
  const lost =
    axis?.isFollowed === false
      ? folded(`With another length of axis ${axis.axis} of ${axis.of} this would be another graph.`)
      : [];
  return [
    ...folded("memory, in elements beside what is given"),
    ...growing.flatMap((line) => indented(line, 2)),
    ...lost,
    ...modes.flatMap((mode) => modeLines(mode, axis?.length)),
  ];
}

function modeLines(
  { mode, classes, kept, peak, computedAgain, promotions, sheaf }: CoeffectJson,
  length: number | undefined,
): string[] {
  const stored = classes
    .filter(({ values, class: name }) => values > 0 && name !== "static")
    .map(({ class: name, values, elements }) => `${name} ${elements} (${values})`);
  const arena = promotions.filter((promotion) => promotion.class !== "heap");
  return [
    "",
    mode,
    ...labelled("by class (values)", stored.join(", "), LABEL),
    ...labelled("at once, at most", showFigure(peak, length), LABEL),
    ...(kept.now === 0 ? [] : labelled("for the way back", showFigure(kept, length), LABEL)),
    ...(computedAgain.now === 0 ? [] : labelled("computed again", showFigure(computedAgain), LABEL)),
    ...(sheaf === undefined ? [] : labelled("as a sheaf", showEscapeSheaf(sheaf), LABEL)),
    ...arena
      .slice(0, MOST_SHOWN)
      .flatMap(({ value, class: name, from, to, because }) =>
        indented(`${value} to ${name}, steps ${from}–${to}: ${because}`, 2),
      ),
    ...(arena.length > MOST_SHOWN ? [`  … and ${arena.length - MOST_SHOWN} more, which --json has`] : []),
  ];
}

/** Says over how many storages sections extend below each class, and of how many they do not. */
export function showEscapeSheaf({ storages, thresholds }: EscapeSheafJson): string {
  const told = thresholds.map(({ below, h0, obstructed }) => `${below} ${h0} (${obstructed})`);
  return `${counted(storages, "storage")}; rank of H⁰, and obstructed, below ${told.join(", ")}`;
}

/** Says how many layers there are, and how many of them are alike. */
export function layersLine({ count, nodes, alike }: NonNullable<CoeffectsJson["layers"]>): string {
  const own = alike === count ? "" : `, ${alike} of them alike`;
  return `L = ${count} layers of ${counted(nodes, "node")}${own}`;
}

/** Writes a figure, how it grows, from which length on, and for which numbers of layers. */
export function showFigure({ now, grows, fromLength, fromLayers, toLayers }: FigureJson, length = 1): string {
  if (grows === undefined || grows === `${now}`) return `${now}`;
  const from = [
    ...(fromLength === undefined ? [] : [`B ≥ ${fromLength}`]),
    ...(toLayers !== undefined
      ? [`${fromLayers ?? 1} ≤ L ≤ ${toLayers}`]
      : fromLayers !== undefined
        ? [`L ≥ ${fromLayers}`]
        : []),
  ];
  const isYet = fromLength === undefined || length >= fromLength;
  return `${now}${isYet ? " =" : ", and"} ${grows}${from.length === 0 ? "" : ` for ${from.join(", ")}`}`;
}
