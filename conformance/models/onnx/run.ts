import { GraphError } from "../../../spec/builder/index.ts";
import { type Issue, nearestName, quote } from "../../../spec/shapes/index.ts";
import { Call } from "./call.ts";
import { applied } from "./fold.ts";
import { type Known, known, type Operand } from "./operand.ts";
import { rules } from "./operators/table.ts";
import { readTensor } from "./tensor.ts";
import {
  type AttributeProto,
  elementTypes,
  type FunctionProto,
  type GraphProto,
  type NodeProto,
} from "./wire/model.ts";
import type { Workshop } from "./workshop.ts";
import { domain, functionOf, isFunctionName, readAgain } from "./writing/functions.ts";

/** Is thrown where a node is refused; the import catches it. */
export class NodeRefusal extends Error {
  override readonly name = "NodeRefusal";
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** The versions of the operators that are read. */
export const versions: readonly [least: number, most: number] = [17, 28];

/** Loops are written out, up to so many turns. */
const MAXIMUM_TURNS = 1_000;

/** A model may have so many nodes, with those of bodies that are written out. */
const MAXIMUM_NODES = 100_000;

/** A graph gets so many nodes: what stands for more primitives is no graph. */
const MAXIMUM_WRITTEN = 2 ** 18;

/** Functions call each other no deeper. */
const MAXIMUM_CALLS = 16;

/** What stays the same in a whole model. */
export interface Setting {
  readonly workshop: Workshop;
  readonly version: number;
  readonly functions: ReadonlyMap<string, OwnFunction>;
  readonly counted: { nodes: number };
}

/** An operator that a model defines. */
interface OwnFunction {
  readonly body: FunctionProto;
  /** It is one of those that an export writes. */
  readonly isOurs: boolean;
}

/** The values that names have. */
export class Names {
  readonly #own = new Map<string, Operand>();
  readonly #around: Names | undefined;

  constructor(around?: Names) {
    this.#around = around;
  }

  get(name: string): Operand | undefined {
    return this.#own.get(name) ?? this.#around?.get(name);
  }

  /** Gives a name its value, of which there is one. */
  set(name: string, operand: Operand): boolean {
    if (this.#own.has(name)) return false;
    this.#own.set(name, operand);
    return true;
  }

  get all(): readonly string[] {
    return [...this.#own.keys(), ...(this.#around?.all ?? [])];
  }
}

/** Returns the operators that a model defines, by domain and name. */
export function functionsOf(all: readonly FunctionProto[]): ReadonlyMap<string, OwnFunction> {
  return new Map(all.map((body) => [functionKey(body.domain, body.name), { body, isOurs: isOurs(body) }]));
}

function functionKey(domain: string | undefined, op: string | undefined): string {
  return `${domain ?? ""}:${op ?? ""}`;
}

/** Computes nodes in order. Throws {@link NodeRefusal}. */
export function runNodes(
  nodes: readonly NodeProto[],
  names: Names,
  setting: Setting,
  pointer: string,
  depth = 0,
): void {
  for (const [place, node] of nodes.entries()) {
    setting.counted.nodes++;
    const at = `${pointer}/node/${place}`;
    try {
      if (setting.counted.nodes > MAXIMUM_NODES) {
        throw new GraphError("model", {
          code: "onnx/too-large",
          message: `the model has over ${MAXIMUM_NODES} nodes, with those of its loops.`,
          hint: "import a smaller one",
        });
      }
      runNode(node, names, setting, at, depth);
    } catch (thrown) {
      if (!(thrown instanceof GraphError)) throw thrown;
      const { code, message, hint } = thrown.fault;
      throw new NodeRefusal({ code, pointer: at, message: `${titleOf(node)}: ${message}`, hint });
    }
  }
}

/** Returns how a node is told of: by its name, else by its first result. */
function titleOf({ name = "", op = "", outputs }: NodeProto): string {
  return name === "" ? `the node of ${quote(outputs[0] ?? "")} (${op})` : `the node ${quote(name)} (${op})`;
}

function refuse(op: string, message: string, hint: string): never {
  throw new GraphError(op, { code: "onnx/operator", message, hint });
}

function runNode(node: NodeProto, names: Names, setting: Setting, pointer: string, depth: number): void {
  const { op = "", domain = "", inputs, outputs, attributes } = node;
  const operands = inputs.map((name) => (name === "" ? undefined : valueNamed(op, name, names)));
  const results = resultsOf(node, operands, names, setting, pointer, depth);
  for (const [place, name] of outputs.entries()) {
    if (name === "") continue;
    const result = results[place] ?? refuse(op, `it has no result ${place}.`, "leave the name out");
    if (result.kind === "live" && result.value.id > MAXIMUM_WRITTEN)
      refuse(op, `the graph has over ${MAXIMUM_WRITTEN} nodes.`, "import a smaller model");
    const isNew = names.set(
      name,
      result.kind === "known" && result.name === undefined ? named(result, name) : result,
    );
    if (!isNew) refuse(op, `${quote(name)} is computed twice.`, "give each result a name of its own");
  }
  if (attributes.length > 2 ** 10) refuse(`${domain}:${op}`, "it has too many attributes.", "leave some out");
}

function named(constant: Known, name: string): Known {
  return known(constant.type, constant.shape, constant.data, name);
}

function valueNamed(op: string, name: string, names: Names): Operand {
  const found = names.get(name);
  if (found !== undefined) return found;
  const near = nearestName(name, names.all);
  return refuse(
    op,
    `nothing before it computes ${quote(name)}.`,
    near === undefined
      ? "nodes stand behind what they read, and none in a circle"
      : `did you mean ${quote(near)}?`,
  );
}

function resultsOf(
  node: NodeProto,
  operands: readonly (Operand | undefined)[],
  names: Names,
  setting: Setting,
  pointer: string,
  depth: number,
): readonly Operand[] {
  const { op = "", domain, outputs, attributes } = node;
  const { version, workshop, functions } = setting;
  const own = functions.get(functionKey(domain, op));
  if (own !== undefined) {
    const call = new Call(op, version, operands, outputs.length, attributes, workshop);
    return own.isOurs ? ours(call) : called(own.body, attributes, operands, setting, pointer, depth);
  }
  if (domain !== undefined && domain !== "" && domain !== "ai.onnx")
    return refuse(op, `it is of the domain ${quote(domain)}.`, "export the model with ONNX's own operators");
  const call = new Call(op, version, operands, outputs.length, attributes, workshop);
  if (op === "If") return branched(call, names, setting, pointer, depth);
  if (op === "Loop") return looped(call, names, setting, pointer, depth);
  const rule = rules.get(op);
  if (rule === undefined)
    return refuse(op, `${quote(op)} is not read.`, "docs/models.md lists the operators that are");
  const {
    operands: [least, most],
    since = 0,
  } = rule;
  if (version < since)
    return refuse(op, `there is no ${op} in version ${version}.`, `export with version ${since}`);
  if (operands.length < least || operands.length > most)
    return refuse(op, `it has ${operands.length} operands.`, `it takes ${least} to ${most}`);
  const results = applied(rule, call);
  const [unread] = call.unread;
  if (unread !== undefined)
    return refuse(op, `its attribute ${quote(unread)} has no meaning here.`, "leave it out");
  return results;
}

/** Tells whether a function has the very body that an export writes; then its operator of ours is known. */
function isOurs(own: FunctionProto): boolean {
  const { name = "" } = own;
  if (own.domain !== domain || !isFunctionName(name)) return false;
  const text = JSON.stringify(own);
  return [elementTypes.float, elementTypes.double].some(
    (type) => JSON.stringify(readAgain(functionOf(name, type))) === text,
  );
}

function ours(call: Call): readonly Operand[] {
  const { op } = call;
  const x = call.value(0);
  if (op === "atan2" || op === "hypot") return [call.typed(x[op](call.value(1)), call.type())];
  if (op === "expm1" || op === "log1p" || op === "log2") return [call.typed(x[op](), call.type())];
  return call.refuse("it is none of adjudge's functions.", "write the model again");
}

/** Runs an operator that the model defines. */
function called(
  own: FunctionProto,
  given: readonly AttributeProto[],
  operands: readonly (Operand | undefined)[],
  setting: Setting,
  pointer: string,
  depth: number,
): readonly Operand[] {
  const op = own.name ?? "";
  if (depth >= MAXIMUM_CALLS) return refuse(op, "functions call each other too deep.", "write them out");
  const names = new Names();
  for (const [place, name] of own.inputs.entries()) {
    const operand = operands[place];
    if (operand !== undefined) names.set(name, operand);
  }
  const attributes = new Map([...own.defaults, ...given].map((one) => [one.name ?? "", one]));
  const nodes = own.nodes.map((node) => ({
    ...node,
    attributes: node.attributes.flatMap((one) => referred(one, attributes)),
  }));
  runNodes(nodes, names, setting, `${pointer}/function`, depth + 1);
  return own.outputs.map(
    (name) => names.get(name) ?? refuse(op, `it computes no ${quote(name)}.`, "let a node do so"),
  );
}

/** An attribute may stand for one of the function that the node is in. */
function referred(attribute: AttributeProto, given: ReadonlyMap<string, AttributeProto>): AttributeProto[] {
  const { reference = "", name } = attribute;
  if (reference === "") return [attribute];
  const found = given.get(reference);
  return found === undefined ? [] : [{ ...found, name }];
}

/** Runs the body of a condition or a loop, whose names may be those around it. */
function bodyOf(
  { nodes, initializers, inputs, outputs }: GraphProto,
  given: readonly Operand[],
  around: Names,
  setting: Setting,
  pointer: string,
  depth: number,
): readonly Operand[] {
  if (depth >= MAXIMUM_CALLS) return refuse("body", "bodies are nested too deep.", "write them out");
  const names = new Names(around);
  for (const tensor of initializers)
    names.set(tensor.name ?? "", readTensor(tensor, setting.workshop.limits));
  for (const [place, { name = "" }] of inputs.entries()) {
    const operand = given[place];
    if (operand !== undefined) names.set(name, operand);
  }
  runNodes(nodes, names, setting, pointer, depth + 1);
  return outputs.map(
    ({ name = "" }) => names.get(name) ?? refuse("body", `it has no ${quote(name)}.`, "compute it"),
  );
}

const branched = (
  call: Call,
  names: Names,
  setting: Setting,
  pointer: string,
  depth: number,
): readonly Operand[] => {
  const isTrue = call.number(0, "condition") !== 0;
  const [chosen, other] = isTrue ? ["then_branch", "else_branch"] : ["else_branch", "then_branch"];
  call.graph(other);
  return bodyOf(call.graph(chosen), [], names, setting, `${pointer}/${chosen}`, depth);
};

/** Writes a loop out; how often it turns must be known. */
function looped(
  call: Call,
  names: Names,
  setting: Setting,
  pointer: string,
  depth: number,
): readonly Operand[] {
  const body = call.graph("body");
  const most = call.hasOperand(0) ? call.number(0, "trip count") : Number.POSITIVE_INFINITY;
  let goesOn = call.hasOperand(1) ? call.number(1, "condition") !== 0 : true;
  let carried: readonly Operand[] = call.operands.slice(2).map((_, place) => call.operand(place + 2));
  const scanned: Operand[][] = body.outputs.slice(carried.length + 1).map(() => []);
  for (let turn = 0; turn < most && goesOn; turn++) {
    if (turn >= MAXIMUM_TURNS)
      return refuse("Loop", `it turns over ${MAXIMUM_TURNS} times.`, "let it turn less often");
    const given = [known(elementTypes.int64, [], [turn]), known(elementTypes.bool, [], [1]), ...carried];
    const outputs = bodyOf(body, given, names, setting, `${pointer}/body`, depth);
    const [condition] = outputs;
    if (condition?.kind !== "known")
      return refuse(
        "Loop",
        "whether it goes on depends on the inputs' numbers.",
        "give a constant trip count",
      );
    goesOn = condition.data[0] !== 0;
    carried = outputs.slice(1, carried.length + 1);
    for (const [place, all] of scanned.entries()) {
      const output = outputs[carried.length + 1 + place];
      if (output !== undefined) all.push(output);
    }
  }
  return [...carried, ...scanned.map((all) => piled(all, call, setting))];
}

/** Puts what each turn of a loop gives one after the other along a new axis. */
function piled(all: readonly Operand[], call: Call, { workshop, version }: Setting): Operand {
  const [first] = all;
  if (first === undefined || first.kind === "absent")
    return refuse("Loop", "it never turns, and its results have no shape.", "let it turn once");
  const stacking = new Call("Stack", version, all, 1, [], workshop);
  const [result] = applied(
    {
      operands: [1, MAXIMUM_TURNS],
      folds: "always",
      apply: (turns) => {
        const [head = turns.value(0), ...others] = turns.operands.map((_, place) => turns.value(place));
        return head.stack(...others, { axis: 0 });
      },
    },
    stacking,
  );
  return result ?? call.absent("a loop has no results");
}
