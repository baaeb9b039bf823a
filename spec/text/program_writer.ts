import {
  type Block,
  type Let,
  type Procedure,
  type Program,
  type Statement,
  type StatementOf,
  statementsIn,
  type Transform,
} from "../programs/index.ts";
import { assertNever, at, type Shape } from "../shapes/index.ts";
import { derivativeText, givenText, signOf } from "./graph_writer.ts";
import { updateSigns } from "./program_statements.ts";
import { attributeText, nameText, numberText, programNameText, shapeText } from "./words.ts";

/** The sign of each operator that updates a location. */
const updateSignOf: ReadonlyMap<string, string> = new Map(
  Object.entries(updateSigns).map(([sign, op]) => [op, sign]),
);

/** What a statement's text depends on. */
interface Context {
  readonly program: Program;
  /** Names that a procedure binds: an entry of Δ of such a name is written in full. */
  readonly bound: ReadonlySet<string>;
}

/**
 * Writes a program. Law: it is read as the same program. A sole procedure that is called main stands in the
 * program's own lines. Cost: linear.
 */
export function programText(program: Program, name: string = "f"): string {
  const { state, environment, procedures } = program;
  const bound = new Set([...state.map((location) => location.name), ...procedures.flatMap(namesOf)]);
  const context = { program, bound };
  const [entry] = procedures;
  const isSole = procedures.length === 1 && entry?.name === "main";
  const given = isSole ? parametersText(entry) : "";
  return [
    `program ${nameText(name)}${given}${givenText(environment)}`,
    ...state.map((location) => `  state ${declarationText(location)}`),
    ...(isSole
      ? bodyLines(entry, "  ", context)
      : procedures.flatMap((procedure) => procedureLines(procedure, context))),
    "",
  ].join("\n");
}

/** Writes a statement with its blocks, each line indented. */
export function statementLines(statement: Statement, program: Program, indent = ""): string[] {
  return linesOf(statement, indent, { program, bound: new Set(program.procedures.flatMap(namesOf)) });
}

function namesOf({ parameters, body }: Procedure): string[] {
  const names = statementsIn(body).flatMap((statement) => {
    if (statement.do === "call") return statement.names;
    if (statement.do === "for") return [statement.counter];
    return "name" in statement ? [statement.name] : [];
  });
  return [...parameters.map(({ name }) => name), ...names];
}

function procedureLines(procedure: Procedure, context: Context): string[] {
  const head = `  procedure ${programNameText(procedure.name)}${parametersText(procedure)}`;
  return [head, ...bodyLines(procedure, "    ", context)];
}

function parametersText({ parameters }: Procedure): string {
  const all = parameters.map(
    (parameter) => `${parameter.kind === "reference" ? "&" : ""}${declarationText(parameter)}`,
  );
  return `(${all.join(", ")})`;
}

/** A declaration has the shape of a scalar if it has none. */
function declarationText({ name, shape }: { readonly name: string; readonly shape: Shape }): string {
  return shape.length === 0 ? programNameText(name) : `${programNameText(name)}: ${shapeText(shape)}`;
}

function bodyLines({ body, results }: Procedure, indent: string, context: Context): string[] {
  const returned = results.map(({ name, shape }) => `${programNameText(name)}: ${shapeText(shape)}`);
  return [
    ...blockLines(body, indent, context),
    ...(results.length === 0 ? [] : [`${indent}return ${returned.join(", ")}`]),
  ];
}

function blockLines(block: Block, indent: string, context: Context): string[] {
  return block.flatMap((statement) => linesOf(statement, indent, context));
}

function linesOf(statement: Statement, indent: string, context: Context): string[] {
  const inner = (block: Block): string[] => blockLines(block, `${indent}  `, context);
  const text = programNameText;
  switch (statement.do) {
    case "if":
      return [
        `${indent}if ${text(statement.condition)}:`,
        ...inner(statement.body),
        ...(statement.otherwise.length === 0 ? [] : [`${indent}else:`, ...inner(statement.otherwise)]),
      ];
    case "for":
      return [`${indent}for ${text(statement.counter)} in ${statement.times}:`, ...inner(statement.body)];
    case "while":
      return [
        `${indent}while ${text(statement.condition)}, at most ${statement.fuel}:`,
        ...inner(statement.body),
      ];
    case "no_grad":
    case "checkpoint":
      return [`${indent}${statement.do}:`, ...inner(statement.body)];
    default:
      return [indent + lineOf(statement, indent, context)];
  }
}

/** Statements without blocks. */
type Simple = Exclude<Statement, StatementOf<"if" | "for" | "while" | "no_grad" | "checkpoint">>;

function lineOf(statement: Simple, indent: string, context: Context): string {
  const text = programNameText;
  const list = (names: readonly string[]): string => names.map(text).join(", ");
  switch (statement.do) {
    case "let":
      return letText(statement, indent, context);
    case "rebind":
      return `${text(statement.name)} := ${text(statement.to)}`;
    case "buffer":
      return `${text(statement.name)} = buffer(${text(statement.from)})`;
    case "view":
      return `${text(statement.name)} = ${text(statement.of)}${transformText(statement.how)}`;
    case "write":
      return `${text(statement.to)} <- ${text(statement.from)}`;
    case "update":
      return `${text(statement.to)} ${updateSignOf.get(statement.op) ?? ""} ${text(statement.from)}`;
    case "detach":
      return `${text(statement.name)} = detach(${text(statement.of)})`;
    case "call": {
      const left = statement.names.length === 0 ? "" : `${list(statement.names)} = `;
      return `${left}call ${text(statement.procedure)}(${list(statement.operands)})`;
    }
    case "draw":
      return `${text(statement.name)} = ${drawText(statement)}`;
    case "receive":
      return `${text(statement.name)} = receive(${JSON.stringify(statement.channel)}, shape=${shapeText(statement.shape)})`;
    case "send":
      return `send(${JSON.stringify(statement.channel)}, ${text(statement.from)})`;
    case "retain":
    case "release":
      return `${statement.do} ${text(statement.of)}`;
    case "differentiate":
      return `${text(statement.name)} = ${derivedText(statement, context)}`;
    default:
      return assertNever(statement);
  }
}

function letText({ name, op, attributes, operands }: Let, indent: string, { bound }: Context): string {
  const names = operands.map(programNameText);
  const [left = "", right, third] = names;
  const sign = signOf.get(op);
  const to = programNameText(name);
  if (op === "differentiate") return `${to} = ${derivativeText(attributes, names, indent)}`;
  if (op === "constant" && !bound.has(attributes.name)) return `${to} = ${nameText(attributes.name)}`;
  if (op === "full") return filledText(to, attributes);
  if (sign !== undefined && right !== undefined && third === undefined)
    return `${to} = ${left} ${sign} ${right}`;
  if (op === "negative") return `${to} = -${left}`;
  const named = Object.entries(attributes).map(([key, value]) => `${key}=${attributeText(value)}`);
  return `${to} = ${op}(${[...names, ...named].join(", ")})`;
}

/** A number fills the shape that is declared. */
function filledText(
  name: string,
  { shape, value }: { readonly shape: Shape; readonly value: number },
): string {
  return shape.length === 0
    ? `${name} = ${numberText(value)}`
    : `${name}: ${shapeText(shape)} = ${numberText(value)}`;
}

function transformText(how: Transform): string {
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
      return ".diagonal()";
    case "broadcast":
    case "reshape":
      return `.${how.kind}(${shapeText(how.shape)})`;
    default:
      return assertNever(how);
  }
}

/** One place, or `start:end:step`, where the end behind a counter counts from it: `i:i + 4:2`. */
function sliceText(start: number | string, size: number, step: number): string {
  const from = typeof start === "number" ? `${start}` : programNameText(start);
  if (size === 1 && step === 1) return from;
  const length = size * step;
  const end = typeof start === "number" ? `${start + length}` : length === 0 ? from : `${from} + ${length}`;
  return step === 1 ? `${from}:${end}` : `${from}:${end}:${step}`;
}

function drawText({ from, shape, key }: StatementOf<"draw">): string {
  const rate = from.kind === "bernoulli" ? `, rate=${numberText(from.rate)}` : "";
  const words = key?.map((word) => (typeof word === "number" ? `${word}` : programNameText(word)));
  const own = words === undefined ? "" : `, key=[${words.join(", ")}]`;
  return `draw(${from.kind}${rate}, shape=${shapeText(shape)}${own})`;
}

function derivedText(
  { procedure, mode, of, wrt, operands }: StatementOf<"differentiate">,
  { program }: Context,
): string {
  const called = program.procedures.find(({ name }) => name === procedure);
  const names = operands.map(programNameText);
  const result = called?.results.length === 1 ? "" : ` of ${of}`;
  const parameter = called?.parameters[wrt]?.name;
  const by = parameter === undefined ? `${wrt}` : programNameText(parameter);
  const given = `${programNameText(procedure)}(${names.slice(0, -1).join(", ")})`;
  return `${mode} call ${given}${result} by ${by} along ${names.at(-1) ?? ""}`;
}
