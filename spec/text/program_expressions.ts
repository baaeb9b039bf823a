import { operators } from "../composites/index.ts";
import type { Let, Program, StatementOf, Transform } from "../programs/index.ts";
import { assertNever, at } from "../shapes/index.ts";
import { applied, type Form, tight } from "./forms.ts";
import { derivativeForm } from "./graph_writer.ts";
import type { Waiting, Want } from "./waiting.ts";
import { nameText, numberText, programNameText, shapeText } from "./words.ts";

/** Writes what an operator makes of operands that may wait. `bound` are the names that hide entries of Δ. */
export function letForm(
  statement: Let,
  waiting: Waiting<string>,
  bound: ReadonlySet<string>,
  indent: string,
): Form {
  const { op, attributes } = statement;
  if (op === "constant" && !bound.has(attributes.name)) return tight(nameText(attributes.name));
  const { isElementwise = false } = operators[op];
  const given = waiting.take(wantsOf(statement, waiting, isElementwise), isElementwise);
  if (op === "differentiate") return derivativeForm({ attributes }, given, indent);
  // A reader drops the axes unless they are kept.
  const named = Object.entries(attributes).filter(([key, value]) => key !== "keepdims" || value !== false);
  return applied(op, given, Object.fromEntries(named));
}

/** A shape is due to numbers and broadcasts beside an operand that has one of its own. */
function wantsOf(
  { op, operands }: Let,
  waiting: Waiting<string>,
  isElementwise: boolean,
): readonly Want<string>[] {
  const hasShape = operands.some((name) => waiting.find(name)?.implied === undefined);
  const implied = op === "negative" ? "none" : isElementwise && hasShape ? "any" : "scalar";
  return operands.map((key) => ({ key, implied }));
}

/** Writes how a reference is seen. */
export function transformText(how: Transform): string {
  switch (how.kind) {
    case "slice": {
      const axes = how.starts.map((start, axis) =>
        sliceText(start, at(how.sizes, axis), at(how.steps, axis)),
      );
      return `[${axes.join(", ")}]`;
    }
    case "permute":
      return `.permute(${how.axes.join(", ")})`;
    case "diagonal":
      return how.axes === undefined ? ".diagonal()" : `.diagonal(${how.offset}, ${how.axes.join(", ")})`;
    case "unfold":
      return `.unfold(${how.axis}, ${how.size}, ${how.step})`;
    case "strided":
      return `.strided(${indexText(how.start)}, ${shapeText(how.shape)}, [${how.strides.join(", ")}])`;
    case "broadcast":
    case "reshape":
      return `.${how.kind}(${shapeText(how.shape)})`;
    default:
      return assertNever(how);
  }
}

/** Writes a place: a number, or the name of a counter. */
export function indexText(index: number | string): string {
  return typeof index === "number" ? `${index}` : programNameText(index);
}

/** One place, or `start:end:step`, where the end behind a counter counts from it: `i:i + 4:2`. */
function sliceText(start: number | string, size: number, step: number): string {
  const from = indexText(start);
  if (size === 1 && step === 1) return from;
  const end = `${from}:${endText(start, size * step)}`;
  return step === 1 ? end : `${end}:${step}`;
}

/** The end at a length behind a start: nothing where a slice goes backwards to the first element. */
function endText(start: number | string, length: number): string {
  if (typeof start === "number") return start + length < 0 ? "" : `${start + length}`;
  if (length === 0) return indexText(start);
  return `${indexText(start)} ${length < 0 ? "-" : "+"} ${Math.abs(length)}`;
}

/** Writes a draw. */
export function drawText({ from, shape, key }: StatementOf<"draw">): string {
  const rate = from.kind === "bernoulli" ? `, rate=${numberText(from.rate)}` : "";
  const words = key?.map(indexText);
  const own = words === undefined ? "" : `, key=[${words.join(", ")}]`;
  return `draw(${from.kind}${rate}, shape=${shapeText(shape)}${own})`;
}

/** Writes the derivative of a procedure at operands, of which the last is the direction. */
export function derivedText(
  { procedure, mode, of, wrt }: StatementOf<"differentiate">,
  operands: readonly Form[],
  { procedures }: Program,
): string {
  const called = procedures.find(({ name }) => name === procedure);
  const texts = operands.map(({ text }) => text);
  const result = called?.results.length === 1 ? "" : ` of ${of}`;
  const parameter = called?.parameters[wrt]?.name;
  const by = parameter === undefined ? `${wrt}` : programNameText(parameter);
  const given = `${programNameText(procedure)}(${texts.slice(0, -1).join(", ")})`;
  return `${mode} call ${given}${result} by ${by} along ${texts.at(-1) ?? ""}`;
}

/** Writes a call with derivatives; the forms are of its operands, and behind them of the directions. */
export function derivedCallText(
  { procedure, mode, of, wrt, operands }: StatementOf<"differentiate_call">,
  forms: readonly Form[],
  { procedures }: Program,
): string {
  const called = procedures.find(({ name }) => name === procedure);
  const [parameters, results] = [called?.parameters ?? [], called?.results ?? []];
  const texts = forms.map(({ text }) => text);
  const byNames = wrt.map((place) => nameIn(parameters, place));
  const ofNames = of.map((place) => nameIn([...results, ...parameters], place, results.length));
  const call = `call ${programNameText(procedure)}(${texts.slice(0, operands.length).join(", ")})`;
  const along = texts.slice(operands.length).join(", ");
  return `${call} ${mode} of ${ofNames.join(", ")} by ${byNames.join(", ")} along ${along}`;
}

/** Names what stands at a place by its name, if no other has it; results are told by their place. */
function nameIn(all: readonly { readonly name: string }[], place: number, first = 0): string {
  const name = all[place]?.name;
  const isOwn = place >= first && all.filter((one) => one.name === name).length === 1;
  return name === undefined || !isOwn ? `${place}` : programNameText(name);
}
