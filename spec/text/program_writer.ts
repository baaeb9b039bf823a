import {
  type Block,
  type Procedure,
  type Program,
  type Statement,
  type StatementOf,
  statementsIn,
  type UpdateOperator,
} from "../programs/index.ts";
import { assertNever } from "../shapes/index.ts";
import {
  applied,
  declarationText,
  type Form,
  givenText,
  numeral,
  parameterSigns,
  tight,
  typed,
} from "./forms.ts";
import { treeOf } from "./lines.ts";
import { Places } from "./places.ts";
import {
  derivedCallText,
  derivedText,
  drawText,
  indexText,
  letForm,
  transformText,
} from "./program_expressions.ts";
import { ProgramReading } from "./program_reader.ts";
import { updateSigns } from "./program_statements.ts";
import type { Style } from "./question_writer.ts";
import { type Entry, Waiting, type Want } from "./waiting.ts";
import { nameText, programNameText, shapeText } from "./words.ts";

/** The sign of each operator that updates a location. */
const updateSignOf: ReadonlyMap<string, string> = new Map(
  Object.entries(updateSigns).map(([sign, op]) => [op, sign]),
);

/** Written within a line, a value has so many characters at most. */
const LONGEST = 48;

/** What a procedure's lines depend on. */
interface Context {
  readonly program: Program;
  /** Names that a program binds: an entry of Δ of such a name is written in full. */
  readonly bound: ReadonlySet<string>;
  /** Made-up names of values that are used once, and so may stand where they are used. */
  readonly single: ReadonlySet<string>;
}

/**
 * Writes a program. Law: it is read as the same program. Where it is nested, a value with a made-up name,
 * such as %3, stands within the statement that uses it, unless a reader would make up other names: then each
 * statement has a line. A sole procedure that is called main stands in the program's own lines. Cost: linear.
 */
export function programText(program: Program, name: string = "f", style: Style = "nested"): string {
  const nested = style === "nested" ? textOf(program, name, true) : undefined;
  return nested !== undefined && isReadAs(nested, program) ? nested : textOf(program, name, false);
}

/** Tells whether a text is read as a program. */
function isReadAs(text: string, program: Program): boolean {
  const { lines, faults } = treeOf(text);
  const [header] = lines;
  if (header?.kind !== "header") return false;
  const reading = new ProgramReading(header, faults, new Places(header.place));
  return faults.all.length === 0 && isSameJson(reading.program, program);
}

/** Tells whether two values are the same JSON, whatever the order of their properties. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry: unknown, i) => isSameJson(entry, other[i]));
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other;
  const [entries, others] = [Object.entries(one), Object.entries(other)];
  if (entries.length !== others.length) return false;
  return entries.every(([key, value]) =>
    others.some((entry) => entry[0] === key && isSameJson(value, entry[1])),
  );
}

function textOf(program: Program, name: string, isNested: boolean): string {
  const { state, aliases = [], environment, procedures } = program;
  const names = [...state, ...aliases].map((location) => location.name);
  const bound = new Set([...names, ...procedures.flatMap(namesOf)]);
  const [entry] = procedures;
  const isSole = procedures.length === 1 && entry?.name === "main";
  const body = (procedure: Procedure, indent: string): string[] => {
    const single = isNested ? singleIn(procedure) : new Set<string>();
    return linesOf(procedure.body, indent, { program, bound, single }, procedure.results);
  };
  const stored = isNested ? singleIn({ body: aliases, results: [] }) : new Set<string>();
  const lines = [
    `program ${nameText(name)}${isSole ? parametersText(entry) : ""}${givenText(environment)}`,
    ...state.map((location) => `  state ${declarationText(location, programNameText)}`),
    ...linesOf(aliases, "  state ", { program, bound, single: stored }),
    ...(isSole
      ? body(entry, "  ")
      : procedures.flatMap((procedure) => [
          `  procedure ${programNameText(procedure.name)}${parametersText(procedure)}`,
          ...body(procedure, "    "),
        ])),
  ];
  return `${lines.join("\n")}\n`;
}

/** Writes a statement with its blocks, a line for each. */
export function statementLines(statement: Statement, program: Program): string[] {
  const bound = new Set(program.procedures.flatMap(namesOf));
  return linesOf([statement], "", { program, bound, single: new Set() });
}

function parametersText({ parameters }: Procedure): string {
  const all = parameters.map(
    (parameter) => `${parameterSigns[parameter.kind]}${declarationText(parameter, programNameText)}`,
  );
  return `(${all.join(", ")})`;
}

function linesOf(
  block: Block,
  indent: string,
  context: Context,
  results: Procedure["results"] = [],
): string[] {
  const writing = new BlockWriting(indent, context);
  for (const statement of block) writing.write(statement);
  writing.finish(results);
  return writing.lines;
}

/** Writes the lines of one block. */
class BlockWriting {
  readonly lines: string[] = [];
  readonly #indent: string;
  readonly #context: Context;
  readonly #waiting: Waiting<string>;

  constructor(indent: string, context: Context) {
    this.#indent = indent;
    this.#context = context;
    this.#waiting = new Waiting(
      (line) => this.lines.push(indent + line),
      (name) => tight(programNameText(name)),
    );
  }

  /** Writes what waits, and the last line of a procedure that has results. */
  finish(results: Procedure["results"]): void {
    const names = results.map(({ name }) => name);
    const forms = this.#take(names, "number");
    const texts = results.map(({ shape }, i) => `${forms[i]?.text ?? ""}: ${shapeText(shape)}`);
    if (results.length > 0) this.#line(`return ${texts.join(", ")}`);
    else this.#waiting.flush();
  }

  write(statement: Statement): void {
    const line = this.#lineOf(statement);
    if (line !== undefined) this.#line(line);
  }

  /** Returns a statement's line, unless it is written already, or a value that may wait. */
  #lineOf(statement: Statement): string | undefined {
    const text = programNameText;
    switch (statement.do) {
      case "let":
        return this.#let(statement);
      case "rebind":
        return `${text(statement.name)} := ${this.#one(statement.to, "any")}`;
      case "buffer": {
        // A number fills the shape that the line declares.
        const { kind, shape = [] } = this.#waiting.find(statement.from)?.implied ?? {};
        const own = kind === "number" && shape.length > 0 ? shape : undefined;
        return `${typed(text(statement.name), own)} = buffer(${this.#one(statement.from, "number")})`;
      }
      case "view":
        return this.#value(
          statement.name,
          `${this.#one(statement.of, "none")}${transformText(statement.how)}`,
        );
      case "write":
      case "update": {
        const sign = signOf(statement.do === "write" ? undefined : statement.op);
        const [to, from] = this.#takeEach([
          { key: statement.to, implied: "none" },
          { key: statement.from, implied: "any" },
        ]);
        return `${to?.text ?? ""} ${sign} ${from?.text ?? ""}`;
      }
      case "write_rows": {
        const sign = signOf(statement.op);
        const [to, from] = this.#takeEach([
          { key: statement.to, implied: "none" },
          { key: statement.from, implied: "any" },
        ]);
        return `${to?.text ?? ""}.rows(${statement.rows.map(indexText).join(", ")}) ${sign} ${from?.text ?? ""}`;
      }
      case "write_where":
      case "write_scatter": {
        const isWhere = statement.do === "write_where";
        const [to, from] = this.#takeEach([
          { key: statement.to, implied: "none" },
          { key: statement.from, implied: isWhere ? "scalar" : "none" },
        ]);
        const how = isWhere ? "where" : "scatter";
        return `${to?.text ?? ""}.${how}(${text(statement.mask)}) ${signOf(statement.op)} ${from?.text ?? ""}`;
      }
      case "index":
        return `${text(statement.name)} = index(${this.#one(statement.of, "scalar")})`;
      case "detach":
        return this.#value(statement.name, `detach(${this.#one(statement.of, "scalar")})`);
      case "if":
      case "for":
      case "while":
      case "no_grad":
      case "checkpoint":
        return this.#block(statement);
      case "break":
        return "break";
      case "call":
      case "custom":
        return this.#call(statement);
      case "hook": {
        const said = `by ${text(statement.derivative)}`;
        return this.#value(statement.name, `hook(${this.#one(statement.of, "scalar")}) ${said}`);
      }
      case "return":
        return `return ${this.#take(statement.operands, "scalar")
          .map((form) => form.text)
          .join(", ")}`.trimEnd();
      case "draw":
        return this.#value(statement.name, drawText(statement));
      case "receive": {
        const given = `${JSON.stringify(statement.channel)}, shape=${shapeText(statement.shape)}`;
        return this.#value(statement.name, `receive(${given})`);
      }
      case "send":
        return `send(${JSON.stringify(statement.channel)}, ${this.#one(statement.from, "scalar")})`;
      case "retain":
      case "release":
        return `${statement.do} ${text(statement.of)}`;
      case "differentiate": {
        const forms = this.#take(statement.operands, "number");
        return `${text(statement.name)} = ${derivedText(statement, forms, this.#context.program)}`;
      }
      case "differentiate_call": {
        const given = this.#take([...statement.operands, ...statement.along], "number");
        const names = [...statement.names, ...statement.derivatives].map(text).join(", ");
        return `${names} = ${derivedCallText(statement, given, this.#context.program)}`;
      }
      default:
        return assertNever(statement);
    }
  }

  #let(statement: StatementOf<"let">): string | undefined {
    const { name, op, attributes, operands } = statement;
    if (op === "full") {
      const { shape, value } = attributes;
      const [form, number] = [applied(op, [], { shape, value }), numeral(value)];
      const left = typed(programNameText(name), shape.length === 0 ? undefined : shape);
      const implied = { kind: "number", shape, form: number } as const;
      return this.#wait({ key: name, line: `${left} = ${number.text}`, form, implied });
    }
    const [operand = ""] = operands;
    const inner = op === "broadcast_to" ? this.#waiting.last(operand) : undefined;
    const isPlain = op === "broadcast_to" && this.#waiting.find(operand) === undefined;
    if (op === "broadcast_to" && (isPlain || (inner !== undefined && inner.implied === undefined))) {
      const own = inner?.form ?? tight(programNameText(operand));
      const form = applied(op, [own], attributes);
      const implied = { kind: "broadcast", shape: attributes.shape, form: own } as const;
      return this.#wait({ ...entryOf(name, form), implied, inner });
    }
    const form = letForm(statement, this.#waiting, this.#context.bound, this.#indent);
    if (op === "differentiate") return `${programNameText(name)} = ${form.text}`;
    return this.#wait(entryOf(name, form));
  }

  #call(statement: StatementOf<"call" | "custom">): string | undefined {
    const { names, procedure, operands } = statement;
    const texts = this.#take(operands, "number").map(({ text }) => text);
    const said = statement.do === "custom" ? ` by ${programNameText(statement.derivative)}` : "";
    const call = `call ${programNameText(procedure)}(${texts.join(", ")})${said}`;
    const [name, second] = names;
    if (name !== undefined && second === undefined) return this.#value(name, call);
    return `${names.map(programNameText).join(", ")}${names.length === 0 ? "" : " = "}${call}`;
  }

  #block(statement: StatementOf<"if" | "for" | "while" | "no_grad" | "checkpoint">): undefined {
    const inner = (block: Block): void => {
      for (const line of linesOf(block, `${this.#indent}  `, this.#context)) this.lines.push(line);
    };
    this.#line(`${this.#headOf(statement)}:`);
    inner(statement.body);
    if (statement.do !== "if" || statement.otherwise.length === 0) return;
    this.lines.push(`${this.#indent}else:`);
    inner(statement.otherwise);
  }

  #headOf(statement: StatementOf<"if" | "for" | "while" | "no_grad" | "checkpoint">): string {
    switch (statement.do) {
      case "if":
        return `if ${this.#one(statement.condition, "scalar")}`;
      case "for":
        return `for ${programNameText(statement.counter)} in ${statement.times}`;
      case "while":
        // A condition that stood here would be computed anew in each turn.
        return `while ${programNameText(statement.condition)}, at most ${statement.fuel}`;
      default:
        return statement.do;
    }
  }

  #take(names: readonly string[], implied: Want<string>["implied"]): readonly Form[] {
    return this.#takeEach(names.map((key) => ({ key, implied })));
  }

  #one(name: string, implied: Want<string>["implied"]): string {
    return this.#take([name], implied)[0]?.text ?? "";
  }

  #takeEach(wants: readonly Want<string>[]): readonly Form[] {
    return this.#waiting.take(wants, false);
  }

  /** A value waits for its one use, or has a line. */
  #value(name: string, text: string): undefined {
    return this.#wait(entryOf(name, tight(text)));
  }

  #wait(entry: Entry<string> & { readonly form: Form }): undefined {
    const { key, form } = entry;
    this.#waiting.push(entry, this.#context.single.has(key) && form.text.length <= LONGEST);
  }

  /** Writes a line behind all that waits. */
  #line(text: string): void {
    this.#waiting.flush();
    this.lines.push(this.#indent + text);
  }
}

function signOf(op: UpdateOperator | undefined): string {
  return op === undefined ? "<-" : (updateSignOf.get(op) ?? "");
}

function entryOf(key: string, form: Form): Entry<string> & { readonly form: Form } {
  return { key, form, line: `${programNameText(key)} = ${form.text}` };
}

/** The names that a procedure binds. */
function namesOf({ parameters, body }: Procedure): string[] {
  return [...parameters.map(({ name }) => name), ...statementsIn(body).flatMap(namesBoundBy)];
}

function namesBoundBy(statement: Statement): readonly string[] {
  if (statement.do === "call" || statement.do === "custom") return statement.names;
  if (statement.do === "for") return [statement.counter];
  return "name" in statement && statement.do !== "rebind" ? [statement.name] : [];
}

/** The names such as %3 that a procedure uses once. */
function singleIn({ body, results }: Pick<Procedure, "body" | "results">): ReadonlySet<string> {
  const uses = new Map<string, number>();
  const names = [...statementsIn(body).flatMap(namesUsedBy), ...results.map(({ name }) => name)];
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Set(names.filter((name) => uses.get(name) === 1 && /^%[1-9][0-9]*$/.test(name)));
}

function namesUsedBy(statement: Statement): readonly string[] {
  switch (statement.do) {
    case "rebind":
      return [statement.name, statement.to];
    case "write":
    case "update":
    case "write_rows":
      return [statement.to, statement.from];
    case "write_where":
    case "write_scatter":
      // A mask has a line of its own, as what is named twice has.
      return [statement.to, statement.from, statement.mask, statement.mask];
    case "if":
    case "while":
      return [statement.condition];
    default: {
      const operands = "operands" in statement ? statement.operands : [];
      const of = "of" in statement && typeof statement.of === "string" ? [statement.of] : [];
      const from = "from" in statement && typeof statement.from === "string" ? [statement.from] : [];
      return [...operands, ...of, ...from];
    }
  }
}
