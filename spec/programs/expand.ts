import { type CompositeRows, composites, isCompositeName, type OperatorName } from "../composites/index.ts";
import { expandUnless, shapeOfNode } from "../expansion/index.ts";
import type { Graph, Node } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import { at, InvariantError, nodeId, present, type Shape } from "../shapes/index.ts";
import { type Compound, type Plain, plainOf } from "./plain.ts";
import {
  type Block,
  blocksOf,
  type Let,
  operatorsOfProgram,
  type Program,
  type Statement,
  type StatementOf,
  statementsOf,
  type Transform,
} from "./program.ts";
import { NameScope } from "./scope.ts";
import { shapeSeen } from "./view.ts";

/** The expansion of a composite has to know this of a name. */
export interface Known {
  readonly shape: Shape;
  readonly isReference: boolean;
}

/** All statements share these. */
interface Writing {
  readonly program: Program;
  readonly isKept: (op: OperatorName) => boolean;
  readonly rows: CompositeRows;
  /** A name that the program does not have. */
  readonly fresh: () => string;
}

/**
 * The program with all composites but those that `isKept` written out. A `let` of one becomes those of its
 * expansion, under unused names, the last under its own; `update` by one becomes a `write`. A location among
 * its operands is read once, into a value, so that nothing is saved where the composite would not have been.
 * A kept derivative's inner graph is written out likewise. Law: it leaves, draws, receives, sends and retains
 * what the program does; without composites it is the program. Cost: linear in the result's primitives.
 */
export function expandProgram(
  program: Program,
  isKept: (op: OperatorName) => boolean,
  rows: CompositeRows = composites,
): Program {
  const isWhole = (op: OperatorName): boolean => isKept(op) || !isCompositeName(op);
  const hasInner = operatorsOfProgram(program).includes("differentiate");
  if (!hasInner && operatorsOfProgram(program).every(isWhole)) return program;
  const writing = { program, isKept, rows, fresh: freshNames(program) };
  const globals = new NameScope<Known>();
  learnState(program, globals);
  const procedures = program.procedures.map((procedure, i) => {
    const scope = new NameScope<Known>(i === 0 ? globals : undefined);
    for (const { name, kind, shape } of procedure.parameters)
      scope.bind(name, { shape, isReference: kind !== "value" });
    return { ...procedure, body: blockOf(procedure.body, scope, writing) };
  });
  return { ...program, procedures };
}

/**
 * Returns what each name of the entry stands for behind its body: persistent locations, parameters, and what
 * the statements of the body bind. Takes a checked program. Cost: linear in these statements.
 */
export function namesAtEnd(program: Program): ReadonlyMap<string, Known> {
  const scope = new NameScope<Known>();
  learnState(program, scope);
  const { parameters, body } = present(program.procedures[0], "the entry of a program");
  for (const { name, shape } of parameters) scope.bind(name, { shape, isReference: false });
  for (const statement of body) learn(statement, scope, program);
  return new Map(scope.names().map((name) => [name, known(name, scope)]));
}

/** Records the persistent locations and their other names. */
function learnState(program: Program, scope: NameScope<Known>): void {
  for (const { name, shape } of program.state) scope.bind(name, { shape, isReference: true });
  for (const alias of program.aliases ?? []) learn(alias, scope, program);
}

/** Names that stand nowhere in the program. */
function freshNames(program: Program): () => string {
  const taken = new Set(
    statementsOf(program).flatMap((statement) => [
      ...("name" in statement ? [statement.name] : []),
      ...("names" in statement ? statement.names : []),
      ...("derivatives" in statement ? statement.derivatives : []),
      ...("counter" in statement ? [statement.counter] : []),
    ]),
  );
  for (const { name } of [...program.state, ...(program.aliases ?? [])]) taken.add(name);
  for (const { parameters } of program.procedures) for (const { name } of parameters) taken.add(name);
  let last = 0;
  return () => {
    do last += 1;
    while (taken.has(`%w${last}`));
    return `%w${last}`;
  };
}

function blockOf(block: Block, scope: NameScope<Known>, writing: Writing): Block {
  return block.flatMap((statement) => {
    const written = writtenOut(statement, scope, writing);
    learn(statement, scope, writing.program);
    return written;
  });
}

/** Returns the statements that one becomes. */
function writtenOut(statement: Statement, scope: NameScope<Known>, writing: Writing): readonly Statement[] {
  if (statement.do === "let") return letsOf(statement, scope, writing);
  if (statement.do === "update") return updateOf(statement, scope, writing);
  if (statement.do === "write_rows" || statement.do === "write_where" || statement.do === "write_scatter")
    return compoundOf(statement, scope, writing);
  const inner = (block: Block): Block => {
    const within = new NameScope(scope);
    if (statement.do === "for") within.bind(statement.counter, { shape: [], isReference: false });
    return blockOf(block, within, writing);
  };
  const blocks = blocksOf(statement).map(([property, block]) => [property, inner(block)]);
  return blocks.length === 0 ? [statement] : [{ ...statement, ...Object.fromEntries(blocks) }];
}

function updateOf(
  { to, op, from }: StatementOf<"update">,
  scope: NameScope<Known>,
  writing: Writing,
): readonly Statement[] {
  if (writing.isKept(op) || !isCompositeName(op)) return [{ do: "update", to, op, from }];
  const name = writing.fresh();
  const updated: Let = { do: "let", name, op, attributes: {}, operands: [to, from] };
  return [...letsOf(updated, scope, writing), { do: "write", to, from: name }];
}

/** Rows are written one after the other, and masks by `where`, where the engine lacks the operator. */
function compoundOf(statement: Compound, scope: NameScope<Known>, writing: Writing): readonly Statement[] {
  const { op, to, from } = statement;
  if (op === undefined || writing.isKept(op) || !isCompositeName(op)) return [statement];
  const names = new Map<string, string>();
  const named = (name: string): string => names.get(name) ?? name;
  const within = new NameScope(scope);
  return plainOf(statement, known(to, scope).shape, known(from, scope).shape).flatMap((plain) => {
    if ("name" in plain) names.set(plain.name, writing.fresh());
    const renamed = renamedBy(plain, named);
    const written = writtenOut(renamed, within, writing);
    learn(renamed, within, writing.program);
    return written;
  });
}

function renamedBy(plain: Plain, named: (name: string) => string): Statement {
  switch (plain.do) {
    case "let":
      return { ...plain, name: named(plain.name), operands: plain.operands.map(named) };
    case "buffer":
      return { ...plain, name: named(plain.name), from: named(plain.from) };
    case "view":
      return { ...plain, name: named(plain.name), of: named(plain.of), how: renamedPlaces(plain.how, named) };
    case "index":
      return { ...plain, name: named(plain.name), of: named(plain.of) };
    default:
      return { ...plain, to: named(plain.to), from: named(plain.from) };
  }
}

/** A compound statement sees rows and elements alone, by slices. */
function renamedPlaces(how: Transform, named: (name: string) => string): Transform {
  if (how.kind !== "slice") return how;
  return { ...how, starts: how.starts.map((start) => (typeof start === "string" ? named(start) : start)) };
}

function letsOf(
  statement: Let,
  scope: NameScope<Known>,
  { program, isKept, rows, fresh }: Writing,
): readonly Let[] {
  const { environment } = program;
  const operands = statement.operands.map((name) => known(name, scope));
  const node = nodeOf(statement);
  const inputs = operands.map(({ shape }, place) => ({ name: `operand${place}`, shape }));
  const graph: Graph = { format: "adjudge.graph.v1", inputs, environment, nodes: [node] };
  const { graph: expanded, ids } = expandUnless(graph, isKept, rows);
  if (expanded === graph) return [statement];
  const [alone] = expanded.nodes;
  if (expanded.nodes.length === 1 && alone?.op === statement.op)
    return [letOf(alone, statement.name, statement.operands)];
  const copies = new Map<string, Let>();
  for (const [place, { shape, isReference }] of operands.entries()) {
    const location = at(statement.operands, place);
    if (!isReference || copies.has(location)) continue;
    const read: Node = { op: "reshape", attributes: { shape }, parents: [nodeId(0)] };
    copies.set(location, letOf(read, fresh(), [location]));
  }
  const names = statement.operands.map((name) => copies.get(name)?.name ?? name);
  const value = at(ids, inputs.length);
  const lets = expanded.nodes.map((one, i) => {
    const name = inputs.length + i === value ? statement.name : fresh();
    names.push(name);
    return letOf(
      one,
      name,
      one.parents.map((id) => at(names, id)),
    );
  });
  return [...copies.values(), ...lets];
}

function nodeOf({ do: _, name: _name, operands, ...applied }: Let): Node {
  return { ...applied, parents: operands.map((_operand, place) => nodeId(place)) };
}

function letOf({ parents: _, ...applied }: Node, name: string, operands: readonly string[]): Let {
  return { do: "let", name, ...applied, operands };
}

/** Records what the names that a statement binds stand for behind it; those within it end with it. */
export function learn(statement: Statement, scope: NameScope<Known>, program: Program): void {
  const value = (name: string, shape: Shape): void => scope.bind(name, { shape, isReference: false });
  switch (statement.do) {
    case "let":
      value(statement.name, shapeOfLet(statement, scope, program.environment));
      return;
    case "buffer":
      scope.bind(statement.name, { shape: known(statement.from, scope).shape, isReference: true });
      return;
    case "view":
      scope.bind(statement.name, { shape: shapeOfView(statement, scope), isReference: true });
      return;
    case "detach":
      scope.bind(statement.name, known(statement.of, scope));
      return;
    case "call":
    case "custom":
    case "differentiate_call": {
      const { results, parameters } = procedureOf(program, statement.procedure);
      for (const [i, name] of statement.names.entries()) value(name, at(results, i).shape);
      if (statement.do !== "differentiate_call") return;
      const all = statement.mode === "vjp" ? parameters : [...results, ...parameters];
      const places = statement.mode === "vjp" ? statement.wrt : statement.of;
      for (const [i, name] of statement.derivatives.entries()) value(name, at(all, at(places, i)).shape);
      return;
    }
    case "hook":
      value(statement.name, known(statement.of, scope).shape);
      return;
    case "index":
      value(statement.name, []);
      return;
    case "draw":
    case "receive":
      value(statement.name, statement.shape);
      return;
    case "differentiate": {
      const { procedure, mode, of, wrt, operands } = statement;
      const result = at(procedureOf(program, procedure).results, of);
      value(statement.name, mode === "jvp" ? result.shape : known(at(operands, wrt), scope).shape);
      return;
    }
    default:
      // The others bind nothing; `rebind` keeps kind and shape.
      return;
  }
}

function shapeOfLet(
  statement: Let,
  scope: NameScope<Known>,
  environment: readonly EnvironmentEntry[],
): Shape {
  const operands = statement.operands.map((name) => known(name, scope).shape);
  const shape = shapeOfNode(nodeOf(statement), operands, environment);
  if (!shape.ok) throw new InvariantError(`not a well-formed program: ${shape.error.message}`);
  return shape.value;
}

function shapeOfView({ of, how }: StatementOf<"view">, scope: NameScope<Known>): Shape {
  const shape = shapeSeen(known(of, scope).shape, how);
  if (!shape.ok) throw new InvariantError(`not a well-formed program: ${shape.error.message}`);
  return shape.value;
}

function known(name: string, scope: NameScope<Known>): Known {
  return present(scope.find(name), "a name of a program that was checked");
}

function procedureOf({ procedures }: Program, name: string): Program["procedures"][number] {
  return present(
    procedures.find((procedure) => procedure.name === name),
    "a procedure of a program that was checked",
  );
}
