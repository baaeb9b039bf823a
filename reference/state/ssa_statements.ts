import { shapeOfNode } from "../../spec/expansion/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import {
  type Compound,
  type Custom,
  customPartsOf,
  derivedCallOf,
  type Index,
  knownNumber,
  type Procedure,
  type Program,
  plainOf,
  type Statement,
  type StatementOf,
  seesTwice,
  startsOf,
  transformed,
} from "../../spec/programs/index.ts";
import { assertNever, at, InvariantError, present, type Shape } from "../../spec/shapes/index.ts";
import {
  type SsaCount,
  type SsaEnd,
  type SsaIndex,
  type SsaInstruction,
  type SsaOperand,
  type SsaTensor,
  type SsaValue,
  type Summand,
  summed,
} from "./ssa.ts";
import {
  type Bound,
  contentsOf,
  found,
  held,
  isAll,
  type Known,
  locate,
  plain,
  referenceTo,
  type Site,
  turnOf,
} from "./ssa_names.ts";
import { nodeOf, reshapeTo, stopGradient } from "./statement_nodes.ts";

/** The function to write: a procedure whose parameters stand for something. */
export interface Task {
  readonly procedure: Procedure;
  readonly name: string;
  readonly names: ReadonlyMap<string, Bound>;
  /** The locations that are passed, and returned. */
  readonly sites: readonly Site[];
  readonly isConstant: boolean;
}

/** A writer asks this of the form that it writes for. */
export interface Form {
  readonly program: Program;
  /** The name of the function that does this task. */
  readonly function: (task: Omit<Task, "name">) => string;
}

/** A block that is being written, and what is known at its end so far. */
export interface Draft extends Known {
  readonly label: string;
  readonly parameters: readonly SsaValue[];
  readonly body: SsaInstruction[];
  end: SsaEnd | undefined;
}

/** Statements with statements in them. */
export type Control = Extract<Statement, { readonly do: "if" | "for" | "while" | "no_grad" | "checkpoint" }>;

/** Statements that leave the blocks around them. */
export type Leaving = Extract<Statement, { readonly do: "break" | "return" }>;

/** Writes statements without statements in them, one after the other, into a block. */
export class StatementWriter {
  protected readonly form: Form;
  protected readonly drafts: Draft[] = [];
  /** So many instructions and blocks may still be written. */
  protected left: number;
  readonly #labels: Map<string, number> = new Map();
  readonly #used: Map<string, number> = new Map();

  constructor(form: Form, most: number) {
    this.form = form;
    this.left = most;
  }

  /** Writes a statement without statements in it. It ends the block if no run goes on behind it. */
  protected statement(
    draft: Draft,
    statement: Exclude<Statement, Control | Leaving>,
    isConstant: boolean,
  ): void {
    const read = (name: string): SsaTensor => this.read(draft, name);
    const quiet = (value: SsaTensor): SsaTensor => (isConstant ? this.#detached(draft, value) : value);
    const bind = (name: string, value: SsaTensor): void => {
      draft.names.set(name, { kind: "value", value: quiet(value) });
    };
    switch (statement.do) {
      case "let": {
        const operands = statement.operands.map(read);
        bind(statement.name, this.#applied(draft, statement.name, nodeOf(statement), operands));
        return;
      }
      case "rebind":
        draft.names.set(statement.name, found(draft, statement.to));
        return;
      case "buffer":
        locate(draft, statement.name, quiet(read(statement.from)));
        return;
      case "view":
        this.#view(draft, statement);
        return;
      case "write":
      case "update":
        this.#write(draft, statement, isConstant);
        return;
      case "write_rows":
      case "write_where":
      case "write_scatter":
        this.#compound(draft, statement, isConstant);
        return;
      case "index": {
        const of = read(statement.of);
        const to = this.count(statement.name);
        this.#emit(draft, { do: "index", to, of });
        draft.names.set(statement.name, { kind: "counter", value: to });
        return;
      }
      case "detach": {
        const bound = found(draft, statement.of);
        if (bound.kind === "reference") draft.names.set(statement.name, { ...bound, isDetached: true });
        else {
          const value = this.#detached(draft, read(statement.of));
          draft.names.set(statement.name, { kind: "value", value });
        }
        return;
      }
      case "call":
        this.#call(draft, statement, isConstant);
        return;
      case "custom":
      case "hook":
        this.#custom(draft, statement, isConstant);
        return;
      case "draw": {
        const { name, shape, from } = statement;
        const to = this.tensor(name, shape);
        const turn = (index: Index): SsaIndex => (typeof index === "number" ? index : turnOf(draft, index));
        const key = statement.key && ([turn(statement.key[0]), turn(statement.key[1])] as const);
        this.#emit(draft, { do: "draw", to, from, key });
        bind(name, to);
        return;
      }
      case "receive": {
        const { name, shape, channel } = statement;
        const to = this.tensor(name, shape);
        this.#emit(draft, { do: "receive", to, channel });
        bind(name, to);
        return;
      }
      case "send":
        this.#emit(draft, { do: "send", channel: statement.channel, from: read(statement.from) });
        return;
      case "retain":
        this.#emit(draft, { do: "retain", of: read(statement.of) });
        return;
      case "release":
        return;
      case "differentiate": {
        const { name, procedure, operands, ...asked } = statement;
        const along = at(operands, operands.length - 1);
        bind(name, this.#derived(draft, name, this.#procedure(procedure), asked, operands, along, false));
        return;
      }
      case "differentiate_call":
        this.#derivedCall(draft, statement, isConstant);
        return;
      default:
        assertNever(statement);
    }
  }

  /** Writes the statements that a compound one means, whose names end behind them. */
  #compound(draft: Draft, statement: Compound, isConstant: boolean): void {
    const shapeOf = (name: string): Shape => {
      const bound = found(draft, name);
      if (bound.kind === "counter") return [];
      return bound.kind === "value" ? bound.value.shape : bound.view.shape;
    };
    const all = plainOf(statement, shapeOf(statement.to), shapeOf(statement.from));
    const names = all.flatMap((plain) => ("name" in plain ? [plain.name] : []));
    this.#within(draft, names, () => {
      for (const plain of all) if (draft.end === undefined) this.statement(draft, plain, isConstant);
    });
  }

  /** Writes what binds these names, which then mean again what they did before, if anything. */
  #within(draft: Draft, names: readonly string[], write: () => void): void {
    const before = names.map((name) => [name, draft.names.get(name)] as const);
    write();
    for (const [name, bound] of before) {
      if (bound === undefined) draft.names.delete(name);
      else draft.names.set(name, bound);
    }
  }

  /** Writes what a statement means whose derivative is said; of the names bound its own stay. */
  #custom(draft: Draft, statement: Custom, isConstant: boolean): void {
    const own = statement.do === "hook" ? [statement.name] : statement.names;
    const all = customPartsOf(statement, this.form.program);
    const names = all.flatMap((part) =>
      part.do === "call" ? part.names : "name" in part ? [part.name] : [],
    );
    const passing = names.filter((name) => !own.includes(name));
    this.#within(draft, passing, () => {
      for (const part of all) if (draft.end === undefined) this.statement(draft, part, isConstant);
    });
  }

  /** Calls the function for what the operands share. */
  #call(draft: Draft, { names, procedure: name, operands }: StatementOf<"call">, isConstant: boolean): void {
    const procedure = this.#procedure(name);
    const { values, sites, callee } = this.#called(draft, procedure, operands, isConstant);
    const results = procedure.results.map((result, i) => this.tensor(names[i] ?? result.name, result.shape));
    const left = this.contents(sites);
    const to = [...results, ...left.values()];
    this.#emit(draft, { do: "call", to, callee, operands: [...values, ...contentsOf(draft, sites)] });
    for (const [site, value] of left) draft.contents.set(site, value);
    for (const [i, result] of names.entries())
      draft.names.set(result, { kind: "value", value: at(results, i) });
  }

  /** Finds the function for what the operands share. As where control meets, what may differ is passed. */
  #called(draft: Draft, procedure: Procedure, operands: readonly string[], isConstant: boolean) {
    const values: SsaOperand[] = [];
    /** Each location is, where it is called, the first parameter that sees it. */
    const sites = new Map<Site, Site>();
    const given = procedure.parameters.map((parameter, i): readonly [string, Bound] => {
      const operand = at(operands, i);
      if (parameter.kind === "value") {
        const value = this.read(draft, operand);
        values.push(value);
        return [parameter.name, { kind: "value", value }];
      }
      const { view, ...seen } = referenceTo(draft, operand);
      const site = sites.get(seen.site) ?? { name: parameter.name, shape: seen.site.shape };
      sites.set(seen.site, site);
      if (view.offset === 0) return [parameter.name, { ...seen, site, view }];
      values.push(view.offset);
      return [parameter.name, { ...seen, site, view: { ...view, offset: somewhere } }];
    });
    const names = new Map(given);
    const callee = this.form.function({ procedure, names, sites: [...sites.values()], isConstant });
    return { values, sites: [...sites.keys()], callee };
  }

  /** Differentiates a procedure at what it is given; what is around, such as `no_grad`, does not reach it. */
  #derived(
    draft: Draft,
    name: string,
    procedure: Procedure,
    { mode, of, wrt }: Pick<StatementOf<"differentiate">, "mode" | "of" | "wrt">,
    given: readonly string[],
    direction: string,
    isCalled: boolean,
  ): SsaTensor {
    const { values, sites, callee } = this.#called(draft, procedure, given, false);
    const along = this.read(draft, direction);
    const { shape } = mode === "vjp" ? at(procedure.parameters, wrt) : at(procedure.results, of);
    const to = this.tensor(name, shape);
    const operands = [...values, ...contentsOf(draft, sites)];
    this.#emit(draft, { do: "differentiate", to, callee, mode, of, wrt, operands, along, isCalled });
    return to;
  }

  /** Writes the derivative of a call, and then the call. Names that are bound between end behind it. */
  #derivedCall(draft: Draft, statement: StatementOf<"differentiate_call">, isConstant: boolean): void {
    const { mode, derivatives } = statement;
    const { before, procedure, operands, along, derivative, after, call } = derivedCallOf(
      statement,
      this.#procedure(statement.procedure),
    );
    const names = [...before, ...after].flatMap((one) => ("name" in one ? [one.name] : []));
    const passing = [...names.filter((name) => !derivatives.includes(name)), derivative];
    this.#within(draft, passing, () => {
      for (const one of before) this.statement(draft, one, isConstant);
      const asked = { mode, of: 0, wrt: 0 } as const;
      const value = this.#derived(draft, derivative, procedure, asked, operands, along, true);
      const bound = isConstant ? this.#detached(draft, value) : value;
      draft.names.set(derivative, { kind: "value", value: bound });
      for (const one of after) this.statement(draft, one, isConstant);
      this.#call(draft, call, isConstant);
    });
  }

  /** Sees the location otherwise. Where no view sees it so, the name stands for a copy. */
  #view(draft: Draft, { name, of, how }: StatementOf<"view">): void {
    const { view, ...seen } = referenceTo(draft, of);
    const moved = transformed({ ...view, offset: 0 }, how, knownNumber);
    if (!moved.ok) throw new InvariantError(`a view that was checked: ${moved.error.message}`);
    if (moved.value === undefined) {
      const copy = reshapeTo("shape" in how ? how.shape : []);
      locate(draft, name, this.#applied(draft, name, copy, [this.read(draft, of)]));
      return;
    }
    const terms = startsOf(how).flatMap((start, axis) =>
      typeof start === "number" ? [] : [{ of: turnOf(draft, start), times: at(view.strides, axis) }],
    );
    const all = [{ of: view.offset, times: 1 }, ...terms];
    const offset = this.sum(draft, `${name}.offset`, moved.value.offset, all);
    draft.names.set(name, { ...seen, view: { ...plain(moved.value), offset } });
  }

  #write(draft: Draft, statement: StatementOf<"write"> | StatementOf<"update">, isConstant: boolean): void {
    const { site, view, isDetached } = referenceTo(draft, statement.to);
    const old = statement.do === "update" ? [this.read(draft, statement.to)] : [];
    const from = this.read(draft, statement.from);
    const value =
      statement.do === "write" ? from : this.#applied(draft, statement.to, nodeOf(statement), [...old, from]);
    if (seesTwice({ ...view, offset: 0 })) {
      draft.end = { kind: "stop", name: statement.to };
      return;
    }
    let left = isDetached || isConstant ? this.#detached(draft, value) : value;
    if (!isAll(view, site)) {
      const to = this.tensor(site.name, site.shape);
      this.#emit(draft, { do: "write", to, contents: held(draft, site), view, from: left, statement });
      left = to;
    }
    draft.contents.set(site, left);
  }

  /** Returns the tensor that is read under a name. */
  protected read(draft: Draft, name: string): SsaTensor {
    const bound = found(draft, name);
    switch (bound.kind) {
      case "value":
        return bound.value;
      case "counter": {
        const to = this.tensor(name, []);
        this.#emit(draft, { do: "scalar", to, of: bound.value });
        return to;
      }
      case "reference": {
        const { site, view, isDetached } = bound;
        let value = held(draft, site);
        if (!isAll(view, site)) {
          const to = this.tensor(name, view.shape);
          this.#emit(draft, { do: "read", to, contents: value, view });
          value = to;
        }
        return isDetached ? this.#detached(draft, value) : value;
      }
    }
  }

  #detached(draft: Draft, value: SsaTensor): SsaTensor {
    return this.#applied(draft, value.name.replace(/\.[0-9]+$/, ""), stopGradient, [value]);
  }

  #applied(draft: Draft, name: string, node: Node, operands: readonly SsaTensor[]): SsaTensor {
    const shapes = operands.map(({ shape }) => shape);
    const shape = shapeOfNode(node, shapes, this.form.program.environment);
    if (!shape.ok) throw new InvariantError(`a statement that was checked: ${shape.error.message}`);
    const to = this.tensor(name, shape.value);
    this.#emit(draft, { do: "apply", to, node, operands });
    return to;
  }

  /** Returns `more + Σ of · times`: a number if all of it is known, and no new count for a count alone. */
  protected sum(draft: Draft, name: string, more: number, all: readonly Summand[]): SsaIndex {
    const { from, terms } = summed(more, all);
    const [only] = terms;
    if (only === undefined) return from;
    if (from === 0 && terms.length === 1 && only.times === 1) return only.of;
    const to = this.count(name);
    this.#emit(draft, { do: "count", to, from, terms });
    return to;
  }

  #procedure(name: string): Procedure {
    const called = this.form.program.procedures.find((one) => one.name === name);
    return present(called, "a procedure of a program that was checked");
  }

  #emit({ body }: Draft, instruction: SsaInstruction): void {
    this.left--;
    body.push(instruction);
  }

  protected draft(
    label: string,
    parameters: readonly SsaValue[],
    names: Draft["names"],
    contents: Draft["contents"],
  ): Draft {
    this.left--;
    const draft: Draft = {
      label: numbered(label, this.#labels),
      parameters,
      body: [],
      names,
      contents,
      end: undefined,
    };
    this.drafts.push(draft);
    return draft;
  }

  protected contents(sites: readonly Site[]): Map<Site, SsaTensor> {
    return new Map(sites.map((site) => [site, this.tensor(site.name, site.shape)]));
  }

  protected tensor(name: string, shape: Shape): SsaTensor {
    return { kind: "tensor", name: numbered(name, this.#used), shape };
  }

  protected count(name: string): SsaCount {
    return { kind: "count", name: numbered(name, this.#used) };
  }
}

/** Each call passes the offset of a view that does not begin where its location does. */
const somewhere: SsaCount = { kind: "count", name: "offset" };

/** Returns the name, with a number behind it where it was used before. */
function numbered(name: string, used: Map<string, number>): string {
  for (let count = used.get(name) ?? 0; ; count++) {
    const whole = count === 0 ? name : `${name}.${count}`;
    if (count > 0 && used.has(whole)) continue;
    used.set(name, count + 1);
    if (count > 0) used.set(whole, 1);
    return whole;
  }
}
