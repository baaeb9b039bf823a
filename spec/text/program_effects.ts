import { type Shape, wellFormedShape } from "../shapes/index.ts";
import { attributeOf, wholeOf, wholesOf } from "./data.ts";
import type { Block, Call, Operand, Target } from "./program_block.ts";
import type { Assignment, Datum, Expression, Word } from "./tree.ts";

/** `draw(uniform, shape=[3], key=[0, k])`, `draw(bernoulli, rate=0.5, shape=[3])`. */
export function drawn(call: Call, block: Block, target?: Target): Operand {
  const { operands, place } = call;
  const kind = wordOf(operands[0]);
  const isBernoulli = kind?.text === "bernoulli";
  if (kind === undefined || operands.length !== 1 || (!isBernoulli && kind.text !== "uniform")) {
    const hint = "write draw(uniform, shape=[3]) or draw(bernoulli, rate=0.5, shape=[3])";
    return block.refuse(operands[0] ?? call, "text/draw", "this is no distribution.", hint);
  }
  const known = ["shape", "key", ...(isBernoulli ? ["rate"] : [])];
  const given = givenOf(call, known, block);
  const shape = shapeGiven(given, block, target);
  const key = given.get("key");
  const rate = given.get("rate");
  if (isBernoulli && rate === undefined)
    block.refuse(call, "text/draw", "the rate is missing, the probability of 0.", "add rate=0.5");
  const words = key && keyOf(key, block);
  if (shape === undefined || (key !== undefined && words === undefined)) return undefined;
  const name = target?.name ?? block.around.fresh();
  const from =
    rate === undefined ? { kind: kind.text } : { kind: kind.text, rate: attributeOf(rate, block.faults) };
  block.push(
    { do: "draw", name, from, shape: [...shape], ...(words === undefined ? {} : { key: words }) },
    place,
    {
      ...(key === undefined ? {} : { key: key.place }),
      ...(rate === undefined ? {} : { rate: rate.place }),
    },
  );
  return { kind: "value", name, shape, place };
}

/** `receive("channel", shape=[3])`. */
export function received(call: Call, block: Block, target?: Target): Operand {
  const { operands, place } = call;
  const channel = wordOf(operands[0]);
  if (channel === undefined || operands.length !== 1) {
    const hint = 'write receive("channel", shape=[3])';
    return block.refuse(operands[0] ?? call, "text/channel", "this is no channel.", hint);
  }
  const shape = shapeGiven(givenOf(call, ["shape"], block), block, target);
  if (shape === undefined) return undefined;
  const name = target?.name ?? block.around.fresh();
  const parts = { channel: channel.place };
  block.push({ do: "receive", name, channel: channel.text, shape: [...shape] }, place, parts);
  return { kind: "value", name, shape, place };
}

/** `send("channel", x)`. */
export function sent(call: Call, block: Block): void {
  const { operands, attributes, place } = call;
  const [first, value] = operands;
  const channel = wordOf(first);
  if (channel === undefined || value === undefined || operands.length !== 2 || attributes.length > 0) {
    const hint = 'write send("channel", x)';
    block.refuse(call, "text/channel", "send takes a channel and a value.", hint);
    return;
  }
  const from = block.shaped(block.operand(value));
  if (from === undefined) return;
  const parts = { channel: channel.place, from: from.place };
  block.push({ do: "send", channel: channel.text, from: from.name }, place, parts);
}

/** The word that an expression is. */
function wordOf(expression: Expression | undefined): Word | undefined {
  return expression?.kind === "name" ? expression.name : undefined;
}

/** The attributes of a call by name; one that it does not have is a fault. */
function givenOf(call: Call, known: readonly string[], { faults }: Block): ReadonlyMap<string, Datum> {
  const { attributes, op } = call;
  for (const { name } of attributes)
    if (!known.includes(name.text))
      faults.addUnknown("text/attribute", `attribute of ${op.text}`, name, known);
  return new Map(attributes.map(({ name, value }: Assignment) => [name.text, value]));
}

/** The shape that a call has as an attribute, or that its line declares. */
function shapeGiven(
  given: ReadonlyMap<string, Datum>,
  block: Block,
  target: Target | undefined,
): Shape | undefined {
  const datum = given.get("shape");
  if (datum === undefined) return target?.shape ?? [];
  const shape = datum.kind === "list" ? wholesOf(datum.entries) : undefined;
  if (shape !== undefined && wellFormedShape(shape).ok) return shape;
  const hint = "a shape is a list of extents from 0: shape=[2, 3]";
  return block.refuse(datum, "text/shape", "this is no shape.", hint);
}

/** The two words of a key: numbers, or counters. */
function keyOf(datum: Datum, block: Block): readonly (number | string)[] | undefined {
  const words = datum.kind === "list" ? datum.entries.map((entry) => nameOf(entry) ?? wholeOf(entry)) : [];
  const known = words.filter((word) => word !== undefined);
  if (known.length === 2 && words.length === 2) return known;
  const hint = "a key is two whole numbers, or counters of loops around: key=[0, k]";
  return block.refuse(datum, "text/key", "this is no key.", hint);
}

function nameOf(datum: Datum): string | undefined {
  return datum.kind === "word" || datum.kind === "quoted" ? datum.text : undefined;
}
