import type {
  Block,
  Index,
  Let,
  Procedure,
  Program,
  Statement,
  Transform,
} from "../../spec/programs/index.ts";
import { assertNever, formatShape, visible } from "../../spec/shapes/index.ts";

/** Shows a program in lines as people would write it. */
export function showProgram({ state, environment, procedures }: Program): string[] {
  return [
    ...state.map(({ name, shape }) => `state ${name} : ${formatShape(shape)}`),
    ...environment.map(({ name, kind, shape }) => `Δ ${name} (${kind}) : ${formatShape(shape)}`),
    ...procedures.flatMap(showProcedure),
  ];
}

function showProcedure({ name, parameters, body, results }: Procedure): string[] {
  const given = parameters.map(
    (parameter) =>
      `${parameter.kind === "reference" ? "&" : ""}${parameter.name} : ${formatShape(parameter.shape)}`,
  );
  const left = results.map((result) => `${result.name} : ${formatShape(result.shape)}`);
  return [
    `procedure ${name}(${given.join(", ")}):`,
    ...indented([...showBlock(body), `return ${left.join(", ")}`]),
  ];
}

/** Shows the statements of a block, one or more lines each. */
function showBlock(block: Block): string[] {
  return block.length === 0 ? ["nothing"] : block.flatMap(showStatement);
}

/** Holds the signs of operators that have one. */
const signs: Readonly<Record<string, string>> = { add: "+", subtract: "-", multiply: "*", divide: "/" };

/** Shows a statement with its blocks. */
export function showStatement(statement: Statement): string[] {
  switch (statement.do) {
    case "let":
      return [`${statement.name} = ${showApplied(statement)}`];
    case "rebind":
      return [`${statement.name} := ${statement.to}`];
    case "buffer":
      return [`${statement.name} = buffer(${statement.from})`];
    case "view":
      return [`${statement.name} = view ${statement.of}${showTransform(statement.how)}`];
    case "write":
      return [`write ${statement.to} <- ${statement.from}`];
    case "update":
      return [`update ${statement.to} ${signs[statement.op] ?? ` ${statement.op} `}= ${statement.from}`];
    case "detach":
      return [`${statement.name} = detach ${statement.of}`];
    case "if":
      return [
        `if ${statement.condition}:`,
        ...indented(showBlock(statement.body)),
        ...(statement.otherwise.length === 0 ? [] : ["else:", ...indented(showBlock(statement.otherwise))]),
      ];
    case "for":
      return [`for ${statement.counter} in ${statement.times}:`, ...indented(showBlock(statement.body))];
    case "while":
      return [
        `while ${statement.condition}, ${statement.fuel} times at most:`,
        ...indented(showBlock(statement.body)),
      ];
    case "call": {
      const names = statement.names.length === 0 ? "" : `${statement.names.join(", ")} = `;
      return [`${names}call ${statement.procedure}(${statement.operands.join(", ")})`];
    }
    case "draw": {
      const key = statement.key === undefined ? "" : ` with key ${statement.key.join(", ")}`;
      const rate = statement.from.kind === "bernoulli" ? `(${statement.from.rate})` : "";
      const drawn = `${statement.from.kind}${rate} ${formatShape(statement.shape)}`;
      return [`${statement.name} = draw ${drawn}${key}`];
    }
    case "receive":
      return [
        `${statement.name} = effect read ${visible(JSON.stringify(statement.channel))} ${formatShape(statement.shape)}`,
      ];
    case "send":
      return [`effect write ${visible(JSON.stringify(statement.channel))} <- ${statement.from}`];
    case "no_grad":
    case "checkpoint":
      return [`${statement.do}:`, ...indented(showBlock(statement.body))];
    case "retain":
    case "release":
      return [`${statement.do} ${statement.of}`];
    case "differentiate": {
      const asked = `${statement.mode} of result ${statement.of} for parameter ${statement.wrt}`;
      const operands = statement.operands.join(", ");
      return [`${statement.name} = differentiate ${statement.procedure}, ${asked} (${operands})`];
    }
    default:
      return assertNever(statement);
  }
}

function showApplied({ op, attributes, operands }: Let): string {
  const named = Object.entries(attributes).map(
    ([name, value]) => `${name}=${visible(JSON.stringify(value), Number.POSITIVE_INFINITY)}`,
  );
  return `${op}(${[operands.join(", "), named.join(", ")].filter((part) => part !== "").join("; ")})`;
}

/** Shows a transform: `[0:6:2, i]`, from a start, so many elements, with a step unless it is 1. */
function showTransform(how: Transform): string {
  switch (how.kind) {
    case "slice": {
      const axes = how.starts.map((start, axis) =>
        showSlice(start, how.sizes[axis] ?? 0, how.steps[axis] ?? 1),
      );
      return `[${axes.join(", ")}]`;
    }
    case "permute":
      return `.permute(${how.axes.join(", ")})`;
    case "diagonal":
      return ".diagonal()";
    case "broadcast":
    case "reshape":
      return `.${how.kind}(${formatShape(how.shape)})`;
    default:
      return assertNever(how);
  }
}

function showSlice(start: Index, size: number, step: number): string {
  if (size === 1) return `${start}`;
  const end = typeof start === "number" ? `${start + size * step}` : `${start}+${size * step}`;
  return step === 1 ? `${start}:${end}` : `${start}:${end}:${step}`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
