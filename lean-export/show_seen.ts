import { showPosits } from "./exact.ts";
import type { SeenEngine, SeenInstruction, SeenSystem, SeenTrace } from "./run/seen.ts";
import type { SeenFile } from "./verdict.ts";

/** At most so many ids are shown, and so many numbers of each. */
const MAXIMUM_IDS = 16;
const MAXIMUM_NUMBERS = 8;
const MAXIMUM_CHARACTERS = 40;

/**
 * Tells people what an accepted file proves: the statement, and the graph and run or equations as Lean has
 * them, long ones shortened. It says if a seed is zero, since then every gradient is, whatever the graph.
 */
export function showSeen({ statement, about }: SeenFile): readonly string[] {
  const shown = about.kind === "run" ? showTrace(about.trace) : showSystem(about.system);
  return [`proved: ${statement}`, ...shown];
}

function showSystem({ bases, equations }: SeenSystem): readonly string[] {
  const lines = equations.map((terms) => {
    const shown = terms.map(({ id, times }) => (times === "1" ? `${id}` : `${times}·${id}`));
    return `  0 = ${shown.join(" + ")}`;
  });
  return [`  ids below ${bases} are bases`, ...shortened(lines, "equations")];
}

function showTrace(trace: SeenTrace): readonly string[] {
  const { program, run } = trace;
  const count = program.inputs.length + program.nodes.length;
  const ids = Array.from({ length: count }, (_, id) => {
    const node = program.nodes[id - program.inputs.length];
    const made = node === undefined ? `input [${program.inputs[id]}]` : showInstruction(node);
    const seed = run.seeds.find((one) => one.id === id);
    const parts = [
      `  ${id} = ${made}: value ${showNumbers(run.values[id])}`,
      `cotangent ${showNumbers(run.cotangents[id])}`,
      ...(seed === undefined ? [] : [`seed ${showNumbers(seed.numbers)}`]),
    ];
    return parts.join(", ");
  });
  const environment = run.environment.map((numbers, entry) => `  Δ ${entry}: ${showNumbers(numbers)}`);
  const isZero = run.seeds.every(({ numbers }) => numbers.every((text) => text === "0"));
  return [
    ...(trace.engine === undefined ? [] : [`  the engine rounds ${showRounding(trace.engine)}`]),
    ...shortened(environment, "entries"),
    ...shortened(ids, "ids"),
    ...(isZero ? ["The seed is zero everywhere: all cotangents are zero, whatever the graph."] : []),
  ];
}

function showRounding(engine: SeenEngine): string {
  return engine.kind === "float"
    ? `by ${engine.unit} at most`
    : `to ${showPosits(engine.format)}, sums in a quire once`;
}

function showInstruction({ operator, attributes, parents, shape }: SeenInstruction): string {
  const own = attributes.map((attribute) => shortText(showAttribute(attribute)));
  return `${operator}(${[...parents, ...own].join(", ")}) [${shape}]`;
}

function showAttribute(attribute: unknown): string {
  return Array.isArray(attribute) ? `[${attribute.join(" ")}]` : String(attribute);
}

function showNumbers(numbers: readonly string[] = []): string {
  const shown = numbers.slice(0, MAXIMUM_NUMBERS).map(shortText);
  return `[${shown.join(" ")}${numbers.length > MAXIMUM_NUMBERS ? ` … ${numbers.length} in all` : ""}]`;
}

function shortText(text: string): string {
  return text.length <= MAXIMUM_CHARACTERS ? text : `${text.slice(0, MAXIMUM_CHARACTERS)}…`;
}

function shortened(lines: readonly string[], what: string): readonly string[] {
  if (lines.length <= MAXIMUM_IDS) return lines;
  const half = MAXIMUM_IDS / 2;
  const left = `  … ${lines.length - MAXIMUM_IDS} ${what} more`;
  return [...lines.slice(0, half), left, ...lines.slice(-half)];
}
