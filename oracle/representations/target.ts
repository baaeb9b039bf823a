import { type TargetJson, validateTarget } from "../../spec/explained/index.ts";
import { fail, type Issue, nearestName, ok, quote, type Result } from "../../spec/shapes/index.ts";
import { type StorageFormat, storageFormats } from "./storage_formats.ts";
import fpga from "./targets/fpga.json" with { type: "json" };
import neuromorphic from "./targets/neuromorphic.json" with { type: "json" };
import x86 from "./targets/x86_64.json" with { type: "json" };

/** A target is a machine with the formats that it keeps values in. */
export interface Target {
  readonly name: string;
  readonly formats: readonly StorageFormat[];
  readonly quire: TargetJson["quire"];
  readonly cacheLine?: TargetJson["cacheLine"];
}

const written: readonly unknown[] = [x86, fpga, neuromorphic];

/** These targets come with adjudge, by name. */
export const bundledTargets: ReadonlyMap<string, Target> = new Map(
  written.flatMap((json) => {
    const target = checkTarget(json);
    return target.ok ? [[target.value.name, target.value]] : [];
  }),
);

/** Reads a target from JSON. Fails: `schema/…`; `target/format` for an unknown format. */
export function checkTarget(json: unknown): Result<Target, Issue[]> {
  const valid = validateTarget(json);
  if (!valid.ok) return valid;
  const { name, formats, quire, cacheLine } = valid.value;
  const found = formats.map((format) => storageFormats.get(format.name));
  const issues = found.flatMap((format, place) =>
    format === undefined ? [noFormat(formats[place]?.name ?? "", place)] : [],
  );
  if (issues.length > 0) return fail(issues);
  const known = found.flatMap((format) => (format === undefined ? [] : [format]));
  return ok({ name, quire, formats: known, ...(cacheLine === undefined ? {} : { cacheLine }) });
}

function noFormat(name: string, place: number): Issue {
  const near = nearestName(name, [...storageFormats.keys()]);
  return {
    code: "target/format",
    pointer: `/formats/${place}/name`,
    message: `there is no format ${quote(name)}.`,
    hint:
      near === undefined
        ? `there are ${[...storageFormats.keys()].join(", ")}`
        : `did you mean ${quote(near)}?`,
  };
}
