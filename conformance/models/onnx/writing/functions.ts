import { present } from "../../../../spec/shapes/index.ts";
import { readMessage, writeMessage } from "../wire/message.ts";
import { type FunctionProto, modelProto } from "../wire/model.ts";
import { tensorOf, Writer } from "./nodes.ts";

/** The version of ONNX's operators that is written. */
export const WRITTEN_VERSION = 21;

/** Functions that ONNX lacks stand in this domain of a model, with a body of ONNX's own operators. */
export const domain = "adjudge";

type Body = (w: Writer, x: string, y: string) => string;

/** Constants in a function are nodes, since it has no initializers. */
class FunctionWriter extends Writer {
  override number(x: number): string {
    return this.node("Constant", [], { tensor: tensorOf(this.type, [], [x]) });
  }
}

/** Near 1 the difference u − 1 of u = eˣ is put right by log u. Source: Higham, Accuracy (2002), 1.14.1. */
const expm1: Body = (w, x) => {
  const one = w.number(1);
  const u = w.node("Exp", [x]);
  const rest = w.node("Sub", [u, one]);
  const right = w.node("Div", [w.node("Mul", [rest, x]), w.node("Log", [u])]);
  const near = w.node("Where", [w.node("Equal", [u, one]), x, right]);
  return w.node("Where", [w.node("Less", [w.node("Abs", [x]), one]), near, rest]);
};

const log1p: Body = (w, x) => {
  const one = w.number(1);
  const u = w.node("Add", [x, one]);
  const log = w.node("Log", [u]);
  const right = w.node("Div", [w.node("Mul", [log, x]), w.node("Sub", [u, one])]);
  const near = w.node("Where", [w.node("Equal", [u, one]), x, right]);
  return w.node("Where", [w.node("Less", [w.node("Abs", [x]), one]), near, log]);
};

const log2: Body = (w, x) => w.node("Div", [w.node("Log", [x]), w.number(Math.LN2)]);

/** By the quadrant of (y, x); a zero tells its sign by its reciprocal. */
const atan2: Body = (w, y, x) => {
  const [zero, one] = [w.number(0), w.number(1)];
  const isNegative = (z: string): string =>
    w.node("Or", [
      w.node("Less", [z, zero]),
      w.node("And", [w.node("Equal", [z, zero]), w.node("Less", [w.node("Div", [one, z]), zero])]),
    ]);
  const signed = (size: number): string => w.node("Where", [isNegative(y), w.number(-size), w.number(size)]);
  const quotient = w.node("Atan", [w.node("Div", [y, x])]);
  const left = w.node("Add", [quotient, signed(Math.PI)]);
  const side = w.node("Where", [isNegative(x), left, quotient]);
  const onAxis = w.node("Where", [
    w.node("Equal", [y, zero]),
    w.node("Where", [isNegative(x), signed(Math.PI), y]),
    signed(Math.PI / 2),
  ]);
  return w.node("Where", [w.node("Equal", [x, zero]), onAxis, side]);
};

/** The larger times √(1 + (smaller/larger)²). */
const hypot: Body = (w, x, y) => {
  const [a, b] = [w.node("Abs", [x]), w.node("Abs", [y])];
  const [low, high] = [w.node("Min", [a, b]), w.node("Max", [a, b])];
  const ratio = w.node("Div", [low, high]);
  const root = w.node("Sqrt", [w.node("Add", [w.node("Mul", [ratio, ratio]), w.number(1)])]);
  return w.node("Where", [w.node("Equal", [high, w.number(0)]), high, w.node("Mul", [high, root])]);
};

/** Bodies by the operator of ours that each is. */
const bodies: Readonly<Record<FunctionName, Body>> = { expm1, log1p, log2, atan2, hypot };

/** These operators are functions of a model. */
export type FunctionName = "expm1" | "log1p" | "log2" | "atan2" | "hypot";

export const functionNames: readonly FunctionName[] = ["expm1", "log1p", "log2", "atan2", "hypot"];

/** Tells whether an operator is one of them. */
export function isFunctionName(op: string): op is FunctionName {
  return functionNames.some((name) => name === op);
}

/** Writes a function for one type of floats. */
export function functionOf(op: FunctionName, type: number): FunctionProto {
  const writer = new FunctionWriter(type);
  const inputs = op === "atan2" || op === "hypot" ? ["x", "y"] : ["x"];
  for (const name of inputs) writer.named(name);
  const [x = "", y = ""] = inputs;
  const result = bodies[op](writer, x, y);
  return {
    name: op,
    inputs,
    outputs: [result],
    attributes: [],
    nodes: writer.nodes,
    domain,
    defaults: [],
    opsets: [{ domain: "", version: WRITTEN_VERSION }],
  };
}

/** Returns a function as it comes back from a file. */
export function readAgain(own: FunctionProto): FunctionProto {
  const model = { irVersion: undefined, producer: undefined, graph: undefined, opsets: [], functions: [own] };
  const read = readMessage(modelProto, writeMessage(modelProto, model));
  return present("wrong" in read ? undefined : read.functions[0], "a function that was written");
}
