import type { MemoryAsked, Mode } from "../../oracle/diagnosis/coeffects/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";

/** The words behind `--mode` and `--axis`, and whether views have storage of their own. */
export interface MemoryFlags {
  readonly mode?: readonly string[];
  readonly axis?: string;
  readonly views?: boolean;
}

/** The modes that are told unless others are named. */
const usualModes: readonly string[] = ["forward", "tangents:1", "reverse", "checkpointed:4"];

/** Those of them that give a gradient. */
export const gradientModes: readonly string[] = ["tangents:1", "reverse", "checkpointed:4"];

/** The most tangents and snapshots that are asked about. */
const MAXIMUM_COUNT = 1_000;

/** Reads what is asked about memory. Fails: `explain/mode`, `explain/axis`, with the place in the flag. */
export function memoryAsked(
  graph: Graph,
  { mode = usualModes, axis, views = true }: MemoryFlags,
): Result<Omit<MemoryAsked, "of" | "wrt">, Issue[]> {
  const modes = mode.map(modeOf);
  const place = axis === undefined ? undefined : axisOf(graph, axis);
  const unread = modes.flatMap((one, i) => (one === undefined ? [noSuchMode(mode[i] ?? "", i)] : []));
  if (unread.length > 0) return fail(unread);
  const known = modes.flatMap((one) => (one === undefined ? [] : [one]));
  if (place === undefined) return ok({ modes: known, hasViews: views });
  return place.ok ? ok({ modes: known, hasViews: views, axis: place.value }) : fail([place.error]);
}

function modeOf(text: string): Mode | undefined {
  const [, kind, digits] = /^(\w+)(?::(\d{1,4}))?$/.exec(text) ?? [];
  const count = digits === undefined ? undefined : Number(digits);
  if (count !== undefined && (count < 1 || count > MAXIMUM_COUNT)) return undefined;
  if (kind === "forward" && count === undefined) return { kind, tangents: 0 };
  if (kind === "tangents") return { kind: "forward", tangents: count ?? 1 };
  if (kind === "reverse" && count === undefined) return { kind };
  return kind === "checkpointed" ? { kind, slots: count ?? 4 } : undefined;
}

function noSuchMode(text: string, place: number): Issue {
  return {
    code: "explain/mode",
    pointer: `/mode/${place}`,
    message: `there is no mode ${quote(text)}.`,
    hint: `say forward, tangents:K, reverse or checkpointed:SLOTS; K and SLOTS go to ${MAXIMUM_COUNT}`,
  };
}

function axisOf(
  { inputs, environment }: Graph,
  text: string,
): Result<NonNullable<MemoryAsked["axis"]>, Issue> {
  const [, name = "", digits = ""] = /^(.*):(\d{1,3})$/s.exec(text) ?? [];
  const given = [...inputs, ...environment];
  const place = given.findIndex((one) => one.name === name);
  const axis = Number(digits);
  const shape = given[place]?.shape;
  if (shape !== undefined && axis < shape.length) return ok({ given: place, axis });
  const near = nearestName(
    name,
    given.map((one) => one.name),
  );
  return fail({
    code: "explain/axis",
    pointer: "/axis",
    message:
      shape === undefined
        ? `nothing given has the name of ${quote(text)}.`
        : `${quote(name)} has no axis ${axis}.`,
    hint:
      shape !== undefined
        ? `its axes are counted from 0, and there are ${shape.length}`
        : near === undefined
          ? "say NAME:AXIS, of an input or an entry"
          : `did you mean ${quote(near)}? Say NAME:AXIS`,
  });
}
