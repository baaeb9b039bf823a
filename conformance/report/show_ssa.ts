import type {
  SsaBlock,
  SsaEnd,
  SsaForm,
  SsaFunction,
  SsaInstruction,
  SsaJump,
  SsaOperand,
  SsaValue,
  SsaView,
} from "../../reference/state/index.ts";
import { isRowMajor } from "../../spec/programs/index.ts";
import { assertNever, formatShape, visible } from "../../spec/shapes/index.ts";

/** Shows a program in static single assignment form: functions, blocks, and block parameters. */
export function showSsa({ functions }: SsaForm): string[] {
  return functions.flatMap(showFunction);
}

function showFunction({ name, parameters, blocks }: SsaFunction): string[] {
  const known = new Map(blocks.map((block) => [block.label, block]));
  return [
    `function ${name}(${parameters.map(showDeclared).join(", ")}):`,
    ...blocks.flatMap((block, place) => [...showLabel(block, place), ...showBody(block, known)]),
  ];
}

function showDeclared(value: SsaValue): string {
  return value.kind === "tensor" ? `${value.name} : ${formatShape(value.shape)}` : value.name;
}

/** The first block needs no label, as it begins with its function. */
function showLabel({ label, parameters }: SsaBlock, place: number): string[] {
  if (place === 0) return [];
  const given = parameters.length === 0 ? "" : `(${parameters.map(showDeclared).join(", ")})`;
  return [`${label}${given}:`];
}

function showBody({ body, end }: SsaBlock, known: ReadonlyMap<string, SsaBlock>): string[] {
  return [...body.map(showInstruction), showEnd(end, known)].map((line) => `  ${line}`);
}

function showInstruction(instruction: SsaInstruction): string {
  switch (instruction.do) {
    case "apply": {
      const { to, node, operands } = instruction;
      const named = Object.entries(node.attributes).map(
        ([name, value]) => `${name}=${visible(JSON.stringify(value), Number.POSITIVE_INFINITY)}`,
      );
      const given = [list(operands), named.join(", ")].filter((part) => part !== "").join("; ");
      return `${to.name} = ${node.op}(${given})`;
    }
    case "scalar":
      return `${instruction.to.name} = number(${show(instruction.of)})`;
    case "count": {
      const terms = instruction.terms.map(({ of, times }) => (times === 1 ? of.name : `${of.name}·${times}`));
      const from = instruction.from === 0 ? [] : [`${instruction.from}`];
      return `${instruction.to.name} = ${[...terms, ...from].join(" + ")}`;
    }
    case "index":
      return `${instruction.to.name} = index ${instruction.of.name}`;
    case "read":
      return `${instruction.to.name} = ${instruction.contents.name}${showView(instruction.view)}`;
    case "write": {
      const { to, contents, view, from } = instruction;
      return `${to.name} = ${contents.name} with ${showView(view)} <- ${from.name}`;
    }
    case "draw": {
      const { to, from, key } = instruction;
      const rate = from.kind === "bernoulli" ? `(${from.rate})` : "";
      const own = key === undefined ? "" : ` with key ${list(key)}`;
      return `${to.name} = draw ${from.kind}${rate} ${formatShape(to.shape)}${own}`;
    }
    case "receive":
      return `${instruction.to.name} = receive ${visible(JSON.stringify(instruction.channel))} ${formatShape(instruction.to.shape)}`;
    case "send":
      return `send ${visible(JSON.stringify(instruction.channel))} ${instruction.from.name}`;
    case "retain":
      return `retain ${instruction.of.name}`;
    case "call": {
      const names = instruction.to.length === 0 ? "" : `${list(instruction.to)} = `;
      return `${names}call ${instruction.callee}(${list(instruction.operands)})`;
    }
    case "differentiate": {
      const { to, callee, mode, of, wrt, operands, along, isCalled } = instruction;
      const asked = `${mode} of result ${of} for parameter ${wrt} (${list([...operands, along])})`;
      const again = isCalled ? "; the call that follows draws and receives the same" : "";
      return `${to.name} = differentiate ${callee}, ${asked}${again}`;
    }
    default:
      return assertNever(instruction);
  }
}

/** Shows a view: `[1 : 2x3 by 1, 2]`, from a place, a shape, and strides if elements are not contiguous. */
function showView({ offset, shape, strides }: SsaView): string {
  const seen = shape.length === 0 ? "" : ` : ${shape.join("x")}`;
  const by = isRowMajor({ offset: 0, shape, strides }) ? "" : ` by ${strides.join(", ")}`;
  return `[${show(offset)}${seen}${by}]`;
}

function showEnd(end: SsaEnd, known: ReadonlyMap<string, SsaBlock>): string {
  const jump = ({ label, operands }: SsaJump): string => {
    const names = known.get(label)?.parameters ?? [];
    const given = operands.map((operand, place) => `${names[place]?.name} = ${show(operand)}`);
    return given.length === 0 ? label : `${label}(${given.join(", ")})`;
  };
  switch (end.kind) {
    case "jump":
      return `go to ${jump(end.to)}`;
    case "branch":
      return `if ${end.condition.name} go to ${jump(end.body)}, else ${jump(end.otherwise)}`;
    case "turn":
      return `if ${show(end.turn)} < ${end.times} go to ${jump(end.body)}, else ${jump(end.after)}`;
    case "return":
      return end.values.length === 0 ? "return" : `return ${list(end.values)}`;
    case "stop":
      return `stop: ${end.name} sees some element more than once`;
    default:
      return assertNever(end);
  }
}

function list(operands: readonly SsaOperand[]): string {
  return operands.map(show).join(", ");
}

function show(operand: SsaOperand): string {
  return typeof operand === "number" ? `${operand}` : operand.name;
}
