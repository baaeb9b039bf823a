import type { CoeffectJson, CoeffectsJson, FigureJson } from "../../spec/wire/index.ts";
import { folded, indented, labelled } from "./folded.ts";

/** At most so many promotions of a mode are shown; `--json` has all. */
const MOST_SHOWN = 20;

/** Labels before figures have so many columns. */
const LABEL = 18;

/** Says how a graph's memory grows, in lines of 80 columns. */
export function memoryLines({ layers, axis, modes }: CoeffectsJson): string[] {
  const growing = [
    ...(layers === undefined
      ? []
      : [`L = ${layers.count} layers of ${layers.nodes} ${layers.nodes === 1 ? "node" : "nodes"}`]),
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
    ...modes.flatMap(modeLines),
  ];
}

function modeLines({ mode, classes, kept, peak, computedAgain, promotions }: CoeffectJson): string[] {
  const stored = classes
    .filter(({ values, class: name }) => values > 0 && name !== "static")
    .map(({ class: name, values, elements }) => `${name} ${elements} (${values})`);
  const arena = promotions.filter((promotion) => promotion.class !== "heap");
  return [
    "",
    mode,
    ...labelled("by class (values)", stored.join(", "), LABEL),
    ...labelled("at once, at most", figure(peak), LABEL),
    ...(kept.now === 0 ? [] : labelled("for the way back", figure(kept), LABEL)),
    ...(computedAgain.now === 0 ? [] : labelled("computed again", figure(computedAgain), LABEL)),
    ...arena
      .slice(0, MOST_SHOWN)
      .flatMap(({ value, class: name, from, to, because }) =>
        indented(`${value} to ${name}, steps ${from}–${to}: ${because}`, 2),
      ),
    ...(arena.length > MOST_SHOWN ? [`  … and ${arena.length - MOST_SHOWN} more, which --json has`] : []),
  ];
}

function figure({ now, grows }: FigureJson): string {
  return grows === undefined || grows === `${now}` ? `${now}` : `${now} = ${grows}`;
}
