import { counted, type Shape } from "../shapes/index.ts";
import type { Block, Bound, Call, Operand, Result, Signature, Target } from "./program_block.ts";
import type { DerivedCall, Directions, Expression, Word } from "./tree.ts";

/** A call within an expression is of a procedure with one result. */
export function calledOnce(call: Call, block: Block, target?: Target): Operand {
  if (call.derived !== undefined) {
    const hint = "give its results and derivatives names: y, g = call f(x) vjp of 0 by x along c";
    return block.refuse(call, "text/results", "a call with derivatives stands in a line of its own.", hint);
  }
  const made = calledAs(target && [{ text: target.name, place: call.place }], call, block);
  if (made === undefined) return undefined;
  const { results } = made.signature;
  if (results.length !== 1) {
    const hint = "give its results names in a line of their own: a, b = call f(x)";
    return block.refuse(
      call,
      "text/results",
      `a call with ${counted(results.length, "result")} is no value.`,
      hint,
    );
  }
  const [result] = results;
  return result && { kind: "value", name: made.name, shape: result.shape, place: call.place };
}

/**
 * Appends a call whose results get these names, or one a name of its own; the check of the program counts.
 * Its derivative may be that of another procedure: `call f(x) by h`.
 */
export function calledAs(
  names: readonly Word[] | undefined,
  call: Call,
  block: Block,
): { readonly signature: Signature; readonly name: string } | undefined {
  const { op, operands, attributes, by, place } = call;
  const [attribute] = attributes;
  if (attribute !== undefined) {
    const hint = "leave it out, or leave out call if an operator is meant";
    return block.refuse(attribute.name, "text/attribute", "a procedure has no attributes.", hint);
  }
  const signature = block.around.procedure(op);
  const shapes = signature?.parameters.map(({ shape }) => shape) ?? [];
  const said = by && block.around.procedure(by);
  const given = operandsFor(operands, shapes, block);
  if (signature === undefined || given === undefined || (by !== undefined && said === undefined))
    return undefined;
  const bound = names ?? [{ text: block.around.fresh(), place }];
  const texts = bound.map(({ text }) => text);
  block.push(
    {
      ...{ do: by === undefined ? "call" : "custom", names: texts, procedure: op.text },
      ...(by && { derivative: by.text }),
      operands: given.map(({ name }) => name),
    },
    place,
    { names: bound, procedure: op.place, ...(by && { derivative: by.place }), operands: given },
  );
  // The derivative says all that has a name, then what is overwritten.
  const marked = signature.parameters.filter(({ kind }) => kind === "reference").length;
  const results = said?.results.slice(0, Math.max(0, said.results.length - marked)) ?? signature.results;
  return { signature: { ...signature, results }, name: texts[0] ?? "" };
}

/** `hook(x) by h` is x, whose cotangent the derivative of h changes. */
export function hooked(call: Call, operand: Operand, block: Block, target?: Target): Operand {
  const { by, place } = call;
  const of = block.shaped(operand);
  if (by === undefined)
    return block.refuse(call, "text/by", "a hook names no procedure.", "write hook(x) by h");
  if (of === undefined || block.around.procedure(by) === undefined) return undefined;
  const name = target?.name ?? block.around.fresh();
  block.push({ do: "hook", name, of: of.name, derivative: by.text }, place, {
    ...{ of: of.place, derivative: by.place },
  });
  return { kind: "value", name, shape: of.shape, place };
}

/** Appends a call with derivatives; names are those of its results, and behind them of the derivatives. */
export function calledDerived(
  names: readonly Word[],
  call: Call,
  { mode, of, by, along }: Directions,
  block: Block,
): readonly (Shape | undefined)[] {
  const { op, place } = call;
  const signature = block.around.procedure(op);
  if (signature === undefined) return [];
  const { parameters, results } = signature;
  const left = [...results, ...parameters];
  const [ofPlaces, wrt] = [
    of.map((word) => placeNamed(word, left, "result or parameter", block)),
    by.map((word) => placeNamed(word, parameters, "parameter", block)),
  ];
  const isForward = mode.text === "jvp";
  if (!isForward && mode.text !== "vjp")
    block.refuse(mode, "text/along", "a call is differentiated by vjp or jvp.", "write vjp or jvp");
  const [ofShapes, byShapes] = [
    ofPlaces.map((one) => (one === undefined ? undefined : left[one]?.shape)),
    wrt.map((one) => (one === undefined ? undefined : parameters[one]?.shape)),
  ];
  const [given, answered] = isForward ? [byShapes, ofShapes] : [ofShapes, byShapes];
  const shapes = parameters.map(({ shape }) => shape);
  const [operands, directions] = [
    operandsFor(call.operands, shapes, block),
    operandsFor(along, given, block),
  ];
  if (operands === undefined || directions === undefined) return [];
  const texts = names.map(({ text }) => text);
  block.push(
    {
      do: "differentiate_call",
      names: texts.slice(0, results.length),
      derivatives: texts.slice(results.length),
      procedure: op.text,
      mode: isForward ? "jvp" : "vjp",
      of: ofPlaces.flatMap((one) => one ?? []),
      wrt: wrt.flatMap((one) => one ?? []),
      operands: operands.map(({ name }) => name),
      along: directions.map(({ name }) => name),
    },
    place,
    {
      names: names.slice(0, results.length),
      derivatives: names.slice(results.length),
      procedure: op.place,
      of,
      wrt: by,
      operands,
      along: directions,
    },
  );
  return [...results.map((result) => result?.shape), ...answered];
}

/**
 * The derivative of a procedure's result: of its only one, by its first parameter, unless the line says so.
 */
export function derivedCall(expression: DerivedCall, block: Block, target?: Target): Operand {
  const { mode, procedure, operands, of, by, along, place } = expression;
  const signature = block.around.procedure(procedure);
  if (signature === undefined) return undefined;
  const { parameters, results } = signature;
  const ofPlace = of === undefined ? 0 : placeNamed(of, results, "result", block);
  const byPlace = by === undefined ? 0 : placeNamed(by, parameters, "parameter", block);
  const isForward = mode.text !== "vjp";
  if (along === undefined && mode.text !== "derivative")
    block.refuse(mode, "text/along", `${mode.text} takes a direction.`, "add along and a value");
  const shapes = parameters.map(({ shape }) => shape);
  const moved = isForward ? shapes[byPlace ?? -1] : results[ofPlace ?? -1]?.shape;
  const answer = isForward ? results[ofPlace ?? -1]?.shape : shapes[byPlace ?? -1];
  const given = operandsFor(operands, shapes, block);
  const direction =
    along === undefined ? ({ kind: "literal", value: 1, place } as const) : block.operand(along);
  const last = block.shaped(direction, direction?.kind === "literal" ? moved : undefined);
  if (given === undefined || last === undefined || ofPlace === undefined || byPlace === undefined)
    return undefined;
  const name = target?.name ?? block.around.fresh();
  const asked = { mode: isForward ? "jvp" : "vjp", of: ofPlace, wrt: byPlace };
  const all = [...given, last];
  block.push(
    { do: "differentiate", name, procedure: procedure.text, ...asked, operands: all.map((one) => one.name) },
    place,
    { procedure: procedure.place, of: of?.place ?? place, wrt: by?.place ?? place, operands: all },
  );
  return { kind: "value", name, shape: answer ?? [], place };
}

/** Operands of parameters with these shapes; a number takes the shape of its own. */
function operandsFor(
  operands: readonly Expression[],
  shapes: readonly (Shape | undefined)[],
  block: Block,
): readonly Bound[] | undefined {
  const given = operands.flatMap((expression, i) => {
    const operand = block.operand(expression);
    return block.shaped(operand, operand?.kind === "literal" ? shapes[i] : undefined) ?? [];
  });
  return given.length < operands.length ? undefined : given;
}

/** The place of a result or a parameter that a word counts from 0, or names if no other has that name. */
export function placeNamed(
  word: Word,
  all: readonly (Pick<Result, "name"> | undefined)[],
  what: string,
  { faults }: Pick<Block, "faults">,
): number | undefined {
  const { text, place, isQuoted } = word;
  const isPlace = isQuoted !== true && /^[0-9]+$/.test(text);
  const places = all.flatMap((one, i) => ((isPlace ? i === Number(text) : one?.name === text) ? [i] : []));
  const [found, second] = places;
  if (second !== undefined) {
    const hint = `name it by its place: ${places.join(" or ")}`;
    faults.add("text/name", place, `${places.length} ${what}s have the name "${text}".`, hint);
    return undefined;
  }
  if (found === undefined) {
    const names = all.map((one, i) => one?.name ?? `${i}`);
    faults.addUnknown("text/name", what, word, names);
  }
  return found;
}
