import { representationPlot } from "../../conformance/report/index.ts";
import { explain } from "../../oracle/diagnosis/index.ts";
import {
  type GradientsAsked,
  type GrownTrees,
  gradientTrees,
  signaturesOf,
} from "../../oracle/gradients/index.ts";
import { representationsOf } from "../../oracle/representations/index.ts";
import type { BoundedSum, Register } from "../../reference/numerics/index.ts";
import type { ExplanationJson } from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { MeasuredGraph } from "../../spec/units/index.ts";
import { type AskedIds, askedIds, type IdFlags } from "../given/given_ids.ts";
import { type GivenUnits, measuredIn } from "../given/given_units.ts";
import { type FormatFlags, formatsAsked } from "../options/format_flags.ts";
import { accumulationAsked, type GradientFlags, widthsTooLarge } from "../options/gradient_flags.ts";
import { gradientModes, type MemoryFlags, memoryAsked } from "../options/memory_flags.ts";

/** What a graph is asked before it runs. */
export interface QuestionFlags extends IdFlags, MemoryFlags, FormatFlags, GradientFlags {
  readonly units?: string;
  readonly sheaf?: boolean;
  readonly memory?: boolean;
  readonly formats?: boolean;
  readonly signature?: boolean;
}

/** A graph is explained so, with a drawing of its formats if they are asked about. */
export interface Explained extends MeasuredGraph {
  readonly explanation: ExplanationJson;
  readonly plot?: string;
  /** The trees of gradients state that these sums fit. */
  readonly widths?: { readonly sums: readonly BoundedSum[]; readonly register: Register };
}

/** Explains the graph of a file. Fails: as its parts do, and `flag/inapplicable`. */
export async function explanationOf(file: string, flags: QuestionFlags): Promise<Result<Explained, Issue[]>> {
  const given = await measuredIn(file, flags.units);
  const asked = given.ok ? askedIds(given.value.graph, flags, "explain", given.value) : given;
  if (!given.ok) return given;
  if (!asked.ok) return asked;
  const stray = strayFlags(flags);
  if (stray.length > 0) return fail(stray);
  const { graph, declarations } = given.value;
  const memory = flags.memory === true ? memoryAsked(graph, flags) : undefined;
  if (memory?.ok === false) return memory;
  const explained = explain(graph, declarations, {
    ...asked.value,
    sheaf: flags.sheaf === true,
    ...(memory === undefined ? {} : { memory: memory.value }),
  });
  if (!explained.ok) return explained;
  const formatted = await withFormats(
    { graph, declarations, explanation: explained.value },
    given.value,
    asked.value,
    flags,
  );
  const treed = formatted.ok ? await withTrees(formatted.value, given.value, asked.value, flags) : formatted;
  return treed.ok && flags.signature === true ? withSignatures(treed.value, asked.value, flags) : treed;
}

/** Adds formats, and their drawing, if they are asked about. */
async function withFormats(
  explained: Explained,
  { json, graph, ranges }: GivenUnits,
  asked: AskedIds,
  flags: QuestionFlags,
): Promise<Result<Explained, Issue[]>> {
  if (flags.formats !== true) return ok(explained);
  const formats = await formatsAsked(json, graph, flags, ranges);
  if (!formats.ok) return formats;
  const representations = representationsOf(graph, { ...asked, ...formats.value });
  if (!representations.ok) return representations;
  return ok({
    ...explained,
    explanation: { ...explained.explanation, representations: representations.value },
    plot: representationPlot(representations.value, formats.value.targets),
  });
}

/** Adds a tree for each gradient that is asked for by name. */
async function withTrees(
  explained: Explained,
  { json, graph, ranges }: GivenUnits,
  asked: AskedIds,
  flags: QuestionFlags,
): Promise<Result<Explained, Issue[]>> {
  if (flags.wrt === undefined) return ok(explained);
  const memory = memoryAsked(graph, { mode: gradientModes, ...flags });
  if (!memory.ok) return memory;
  const accumulation = await accumulationAsked(json, graph, flags, ranges);
  if (!accumulation.ok) return accumulation;
  const { dimensions, representations } = explained.explanation;
  const told = representations === undefined ? {} : { representations };
  const question = { ...asked, ...memory.value, ...accumulation.value, dimensions, ...told };
  const grown = treesIn(graph, question);
  if (!grown.ok) return grown;
  const { trees, sums } = grown.value;
  return ok({
    ...explained,
    explanation: { ...explained.explanation, gradients: trees },
    widths: { sums, register: accumulation.value.register },
  });
}

/** Grows the trees. Fails: `widths/size`, where the lowering finds a tensor too large to count in. */
function treesIn(graph: Graph, asked: GradientsAsked): Result<GrownTrees, Issue[]> {
  try {
    return gradientTrees(graph, asked);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return fail([widthsTooLarge(thrown.message)]);
  }
}

/** Adds the table of signatures. */
function withSignatures(
  explained: Explained,
  asked: AskedIds,
  flags: QuestionFlags,
): Result<Explained, Issue[]> {
  const memory = memoryAsked(explained.graph, flags);
  if (!memory.ok) return memory;
  const signatures = signaturesOf(explained.graph, { ...asked, ...memory.value });
  return signatures.ok
    ? ok({ ...explained, explanation: { ...explained.explanation, signatures: signatures.value } })
    : signatures;
}

/** Returns an issue for each flag that qualifies a question which is not asked. */
function strayFlags(flags: QuestionFlags): Issue[] {
  const isGiven = (some: readonly unknown[]): boolean => some.some((one) => one !== undefined);
  const hasTree = flags.wrt !== undefined;
  const hasMemory = flags.memory === true || hasTree || flags.signature === true;
  const hasFormats = flags.formats === true;
  return [
    ...(flags.mode !== undefined && flags.memory !== true && !hasTree ? [withoutMemory] : []),
    ...((flags.axis !== undefined || flags.views === false) && !hasMemory ? [withoutMemory] : []),
    ...(isGiven([flags.digits, flags.plot, flags.rate, flags.calls, flags.statistics, flags.share]) &&
    !hasFormats
      ? [withoutFormats]
      : []),
    ...(isGiven([flags.ranges, flags.within, flags.targets]) && !hasFormats && !hasTree
      ? [withoutFormats]
      : []),
    ...(flags.accumulator !== undefined && !hasTree ? [withoutTree] : []),
  ];
}

const withoutMemory: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--mode, --axis and --no-views say how memory is told, which is not asked for.",
  hint: "add --memory, or --wrt for the tree of a gradient; --signature takes --axis and --no-views too",
};

const withoutFormats: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message:
    "--digits, --ranges, --within, --statistics, --targets and --plot qualify --formats, which is not given.",
  hint: "add --formats; --ranges, --within and --targets are of the trees of --wrt too",
};

const withoutTree: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--accumulator qualifies the trees of gradients, and none is asked for by name.",
  hint: "add --wrt",
};
