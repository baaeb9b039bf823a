import type { AttributesOf, OperatorName } from "../composites/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import type { Shape } from "../shapes/index.ts";

/*
 * The language of programs with memory [SEMANTICS §10.1]: what a machine does, where a graph is what is
 * computed. A name stands for a value, which never changes; a reference, a view of a location, whose contents
 * do; or a counter.
 */

/** A program and its JSON form. The first procedure is the entry. `checkProgram` reads untrusted JSON. */
export interface Program {
  readonly format: "adjudge.program.v1";
  /** The persistent locations, which the entry knows as references: their contents outlive a call. */
  readonly state: readonly Location[];
  /**
   * Other names of persistent locations, each a view of one, or of a name before it [SEMANTICS §10.18]: tied
   * weights, or the parameters that lie in one buffer. The entry knows them too.
   */
  readonly aliases?: readonly StatementOf<"view">[];
  /** Δ: data that is never differentiated, as in a graph. */
  readonly environment: readonly EnvironmentEntry[];
  readonly procedures: readonly Procedure[];
}

/** A persistent location. */
export interface Location {
  readonly name: string;
  readonly shape: Shape;
}

/** Statements with names of their own. */
export interface Procedure {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Block;
  /** Names of the body, values or references, which are read when it ends. */
  readonly results: readonly ResultName[];
}

/** A procedure is called with parameters. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly shape: Shape;
}

/**
 * A procedure gets a copy of a value, shares the caller's location by a reference, or gets a location that is
 * donated: the caller reads and writes it no more.
 */
export type ParameterKind = (typeof parameterKinds)[number];

/** Every way to pass what a procedure is called with. */
export const parameterKinds = ["value", "reference", "donated"] as const;

/** A result, with its shape: so a call can be checked before the body that it calls. */
export interface ResultName {
  readonly name: string;
  readonly shape: Shape;
}

/** Statements in order. The names that they bind end with the block. */
export type Block = readonly Statement[];

/** A place along an axis: a number, the counter of a loop around, or a computed `index`. */
export type Index = number | string;

/** A transform sees the same location otherwise, unless a reshape has no strides that do it. */
export type Transform =
  | {
      readonly kind: "slice";
      readonly starts: readonly Index[];
      readonly sizes: readonly number[];
      /** A negative step goes backwards. */
      readonly steps: readonly number[];
    }
  | { readonly kind: "permute"; readonly axes: readonly number[] }
  /** The elements whose indices along the first two axes are the same. */
  | { readonly kind: "diagonal"; readonly offset?: never; readonly axes?: never }
  /** Those whose index along the second of two axes is `offset` more than along the first. */
  | { readonly kind: "diagonal"; readonly offset: number; readonly axes: readonly [number, number] }
  /** Windows of an axis, which begin so many steps apart; their elements go along a new last axis. */
  | { readonly kind: "unfold"; readonly axis: number; readonly size: number; readonly step: number }
  /** Elements of a reference with one axis, from a start with a stride for each new axis. */
  | {
      readonly kind: "strided";
      readonly start: Index;
      readonly shape: Shape;
      readonly strides: readonly number[];
    }
  | { readonly kind: "broadcast"; readonly shape: Shape }
  | { readonly kind: "reshape"; readonly shape: Shape };

/** A draw is 0 with probability `rate`, else 1; or a multiple of 2⁻³² from 0 to below 1. */
export type Distribution =
  | { readonly kind: "bernoulli"; readonly rate: number }
  | { readonly kind: "uniform" };

/** `name = op(operands)`: a reference among the operands is read at this moment. */
export interface LetOf<K extends OperatorName> {
  readonly do: "let";
  readonly name: string;
  readonly op: K;
  readonly attributes: AttributesOf[K];
  readonly operands: readonly string[];
}

/** A `let` of any operator; `op` tells which. */
export type Let = { readonly [K in OperatorName]: LetOf<K> }[OperatorName];

/** The operators that `update` applies in place. */
export const updates = ["add", "subtract", "multiply", "divide", "maximum", "minimum"] as const;

/** `update v op= e` applies one of these. */
export type UpdateOperator = (typeof updates)[number];

/** A statement; `do` tells which. */
export type Statement =
  | Let
  /** The name changes what it stands for. */
  | { readonly do: "rebind"; readonly name: string; readonly to: string }
  /** A new location with a copy. */
  | { readonly do: "buffer"; readonly name: string; readonly from: string }
  /** The name stands for the same location, seen otherwise. */
  | { readonly do: "view"; readonly name: string; readonly of: string; readonly how: Transform }
  /** The location changes where the reference sees it. */
  | { readonly do: "write"; readonly to: string; readonly from: string }
  /** `to op= from`. */
  | { readonly do: "update"; readonly to: string; readonly op: UpdateOperator; readonly from: string }
  /** Rows change one after the other: `to[rows[0]] ← from[0]`, then `to[rows[1]] ← from[1]`; or `op=`. */
  | {
      readonly do: "write_rows";
      readonly to: string;
      readonly rows: readonly Index[];
      readonly op?: UpdateOperator;
      readonly from: string;
    }
  /** The location changes where the mask is not 0; or is updated there. A scalar fills all such places. */
  | {
      readonly do: "write_where";
      readonly to: string;
      readonly mask: string;
      readonly op?: UpdateOperator;
      readonly from: string;
    }
  /** Where the mask is not 0, the location is written, or updated, with the elements of a row in order. */
  | {
      readonly do: "write_scatter";
      readonly to: string;
      readonly mask: string;
      readonly op?: UpdateOperator;
      readonly from: string;
    }
  /** The name is a place, like the counter of a loop: the whole number that a scalar is at this moment. */
  | { readonly do: "index"; readonly name: string; readonly of: string }
  /** The name stands for the same value or view, constant under differentiation, writes included. */
  | { readonly do: "detach"; readonly name: string; readonly of: string }
  | { readonly do: "if"; readonly condition: string; readonly body: Block; readonly otherwise: Block }
  | { readonly do: "for"; readonly counter: string; readonly times: number; readonly body: Block }
  /** The condition is looked at before each turn, of which there are at most `fuel`. */
  | { readonly do: "while"; readonly condition: string; readonly fuel: number; readonly body: Block }
  /** The innermost loop around ends. It is the last statement of its block. */
  | { readonly do: "break" }
  | {
      readonly do: "call";
      readonly names: readonly string[];
      readonly procedure: string;
      readonly operands: readonly string[];
    }
  /**
   * A call of a procedure whose derivative is that of another one. This gets the same operands, then the
   * results that stand behind those with a name: what was saved. Its results are what it says of the named
   * ones, then of each location that the procedure overwrites.
   */
  | {
      readonly do: "custom";
      readonly names: readonly string[];
      readonly procedure: string;
      readonly derivative: string;
      readonly operands: readonly string[];
    }
  /** The same value; the cotangent that passes it is what the derivative of the procedure makes of it. */
  | { readonly do: "hook"; readonly name: string; readonly of: string; readonly derivative: string }
  /** The procedure ends within a block, with these results, read now. It is the block's last statement. */
  | { readonly do: "return"; readonly operands: readonly string[] }
  /** Numbers are drawn from the state's generator, or from a key of its own. */
  | {
      readonly do: "draw";
      readonly name: string;
      readonly from: Distribution;
      readonly shape: Shape;
      readonly key?: readonly [Index, Index];
    }
  /** The next tensor that the world has on a channel. */
  | { readonly do: "receive"; readonly name: string; readonly channel: string; readonly shape: Shape }
  /** A tensor for the world. */
  | { readonly do: "send"; readonly channel: string; readonly from: string }
  /** Whatever the body computes and writes is constant under differentiation. */
  | { readonly do: "no_grad"; readonly body: Block }
  /** A tape need not keep what the body computes: it may compute it again. */
  | { readonly do: "checkpoint"; readonly body: Block }
  /** The cotangent of this value is asked for too. */
  | { readonly do: "retain"; readonly of: string }
  /** The location ends: nobody may read or write it any more. */
  | { readonly do: "release"; readonly of: string }
  /** The derivative of a result of a procedure of values by a parameter, at the last operand. */
  | {
      readonly do: "differentiate";
      readonly name: string;
      readonly procedure: string;
      readonly mode: "vjp" | "jvp";
      readonly of: number;
      readonly wrt: number;
      readonly operands: readonly string[];
    }
  /** A call whose run is differentiated too: its results, then derivatives of results and of locations. */
  | {
      readonly do: "differentiate_call";
      readonly names: readonly string[];
      /** With `vjp` there is one for each of `wrt`, with `jvp` one for each of `of`. */
      readonly derivatives: readonly string[];
      readonly procedure: string;
      readonly mode: "vjp" | "jvp";
      /** Counts results, and behind them parameters, whose locations are meant as the call leaves them. */
      readonly of: readonly number[];
      /** Counts parameters; a location is meant as the call finds it. */
      readonly wrt: readonly number[];
      readonly operands: readonly string[];
      /** With `vjp` a cotangent for each of `of`, with `jvp` a tangent for each of `wrt`. */
      readonly along: readonly string[];
    };

/** The statement of one kind. */
export type StatementOf<D extends Statement["do"]> = Extract<Statement, { readonly do: D }>;

/** Statements are told apart by this name. */
export type StatementKind = Statement["do"];

/** Every kind of statement, in the order of documents. */
export const statementKinds: readonly StatementKind[] = [
  "let",
  "rebind",
  "buffer",
  "view",
  "write",
  "update",
  "write_rows",
  "write_where",
  "write_scatter",
  "index",
  "detach",
  "if",
  "for",
  "while",
  "break",
  "call",
  "custom",
  "hook",
  "return",
  "draw",
  "receive",
  "send",
  "no_grad",
  "checkpoint",
  "retain",
  "release",
  "differentiate",
  "differentiate_call",
];

/** Returns the blocks within a statement, by the property that holds each. */
export function blocksOf(statement: Statement): readonly (readonly [property: string, block: Block])[] {
  switch (statement.do) {
    case "if":
      return [
        ["body", statement.body],
        ["otherwise", statement.otherwise],
      ];
    case "for":
    case "while":
    case "no_grad":
    case "checkpoint":
      return [["body", statement.body]];
    default:
      return [];
  }
}

/** Tells whether a break in the block leaves a loop around it, not one within. */
export function hasBreak(block: Block): boolean {
  return block.some((statement) => {
    if (statement.do === "for" || statement.do === "while") return false;
    return statement.do === "break" || blocksOf(statement).some(([, inner]) => hasBreak(inner));
  });
}

/** Lists the procedures that a statement names. */
export function proceduresOf(statement: Statement): string[] {
  return [
    ...("procedure" in statement ? [statement.procedure] : []),
    ...("derivative" in statement ? [statement.derivative] : []),
  ];
}

/** Every statement of a block, those within others behind them. */
export function statementsIn(block: Block): Statement[] {
  const statements: Statement[] = [];
  const add = (inner: Block): void => {
    for (const statement of inner) {
      statements.push(statement);
      for (const [, within] of blocksOf(statement)) add(within);
    }
  };
  add(block);
  return statements;
}

/** Returns every statement of a program. */
export function statementsOf({ procedures }: Program): Statement[] {
  return procedures.flatMap(({ body }) => statementsIn(body));
}

/** Returns the operators that a program applies, in place too, each once. */
export function operatorsOfProgram(program: Program): OperatorName[] {
  const applied = statementsOf(program).flatMap((statement) =>
    "op" in statement ? [statement.op ?? []].flat() : [],
  );
  return [...new Set<OperatorName>(applied)];
}

/**
 * Returns the program whose entry begins with the views that other names of persistent locations are. Law: it
 * means the same. It is the program itself where there are none.
 */
export function withAliasesInside(program: Program): Program {
  const { aliases = [], ...rest } = program;
  const [entry, ...others] = program.procedures;
  if (entry === undefined || aliases.length === 0) return program;
  return { ...rest, procedures: [{ ...entry, body: [...aliases, ...entry.body] }, ...others] };
}

/** Returns the JSON pointer of a statement, found by identity; `""` if the program lacks it. Cost: linear. */
export function pointerOfStatement(program: Program, wanted: Statement): string {
  let found = "";
  walkStatements(program, (statement, pointer) => {
    if (statement === wanted && found === "") found = pointer;
  });
  return found;
}

/** Visits every statement of a program with its JSON pointer, those within others behind them. */
export function walkStatements(
  { aliases = [], procedures }: Program,
  visit: (statement: Statement, pointer: string) => void,
): void {
  for (const [i, alias] of aliases.entries()) visit(alias, `/aliases/${i}`);
  const within = (block: Block, pointer: string): void => {
    for (const [i, statement] of block.entries()) {
      const own = `${pointer}/${i}`;
      visit(statement, own);
      for (const [property, inner] of blocksOf(statement)) within(inner, `${own}/${property}`);
    }
  };
  for (const [i, { body }] of procedures.entries()) within(body, `/procedures/${i}/body`);
}
