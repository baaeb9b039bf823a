import {
  type Procedure,
  type Statement,
  type StatementOf,
  seesTwice,
  transformed,
} from "../../spec/programs/index.ts";
import { assertNever, at, InvariantError, present } from "../../spec/shapes/index.ts";
import type { SsaInstruction, SsaOperand, SsaTensor, SsaView } from "./ssa.ts";
import { type Draft, Drafts } from "./ssa_drafts.ts";
import {
  bind,
  contentsOf,
  found,
  indexOf,
  isAll,
  plainStrides,
  referenceTo,
  type Site,
  type Stand,
} from "./ssa_stand.ts";
import type { Given } from "./ssa_task.ts";
import { nodeOf, reshapeTo } from "./statement_nodes.ts";

/** Writes statements without statements in them, one after the other, into a block. */
export class StatementWriter extends Drafts {
  /** A statement without statements in it; `undefined` where no run goes on behind it. */
  protected statement(
    draft: Draft,
    statement: Exclude<Statement, { readonly do: "if" | "for" | "while" | "no_grad" | "checkpoint" }>,
    isConstant: boolean,
    stand: Stand,
  ): Stand | undefined {
    const quiet = (value: SsaTensor): SsaTensor => (isConstant ? this.detached(draft, value) : value);
    const bindValue = (name: string, value: SsaTensor): Stand =>
      bind(stand, name, { kind: "value", value: quiet(value) });
    const emit = (instruction: SsaInstruction): void => this.emit(draft, instruction);
    const read = (name: string): SsaTensor => this.valueOf(draft, name, stand);
    switch (statement.do) {
      case "let": {
        const operands = statement.operands.map(read);
        return bindValue(statement.name, this.applied(draft, statement.name, nodeOf(statement), operands));
      }
      case "rebind":
        return bind(stand, statement.name, found(stand, statement.to));
      case "buffer":
        return this.located(stand, statement.name, quiet(read(statement.from)));
      case "view":
        return this.viewed(draft, statement, stand);
      case "write":
        return this.written(draft, statement, read(statement.from), isConstant, stand);
      case "update": {
        const operands = [read(statement.to), read(statement.from)];
        const value = this.applied(draft, statement.to, nodeOf(statement), operands);
        return this.written(draft, statement, value, isConstant, stand);
      }
      case "detach": {
        const bound = found(stand, statement.of);
        return bound.kind === "reference"
          ? bind(stand, statement.name, { ...bound, isDetached: true })
          : bind(stand, statement.name, { kind: "value", value: this.detached(draft, read(statement.of)) });
      }
      case "call":
        return this.call(draft, statement, isConstant, stand);
      case "draw": {
        const to = this.tensor(statement.name, statement.shape);
        const key =
          statement.key && ([indexOf(statement.key[0], stand), indexOf(statement.key[1], stand)] as const);
        emit({ do: "draw", to, from: statement.from, key });
        return bindValue(statement.name, to);
      }
      case "receive": {
        const to = this.tensor(statement.name, statement.shape);
        emit({ do: "receive", to, channel: statement.channel });
        return bindValue(statement.name, to);
      }
      case "send":
        emit({ do: "send", channel: statement.channel, from: read(statement.from) });
        return stand;
      case "retain":
        emit({ do: "retain", of: read(statement.of) });
        return stand;
      case "release":
        return stand;
      case "differentiate": {
        const { procedure, mode, of, wrt } = statement;
        const operands = statement.operands.map(read);
        const given = operands.slice(0, -1).map((): Given => ({ kind: "value" }));
        const { results } = this.procedure(procedure);
        const { shape } = mode === "vjp" ? at(operands, wrt) : at(results, of);
        const to = this.tensor(statement.name, shape);
        const callee = this.task.callee(procedure, given, [], isConstant);
        emit({ do: "differentiate", to, callee, mode, of, wrt, operands });
        return bindValue(statement.name, to);
      }
      default:
        return assertNever(statement);
    }
  }

  protected call(
    draft: Draft,
    { names, procedure, operands }: StatementOf<"call">,
    isConstant: boolean,
    stand: Stand,
  ): Stand {
    const called = this.procedure(procedure);
    const sites: Site[] = [];
    const passed: SsaOperand[] = [];
    const given = called.parameters.map(({ kind }, i): Given => {
      const name = at(operands, i);
      if (kind === "value") {
        passed.push(this.valueOf(draft, name, stand));
        return { kind };
      }
      const { site, view, isDetached } = referenceTo(stand, name);
      if (!sites.includes(site)) sites.push(site);
      const isAtStart = view.offset === 0;
      if (!isAtStart) passed.push(view.offset);
      return { kind, site: sites.indexOf(site), strides: view.strides, isDetached, isAtStart };
    });
    const callee = this.task.callee(procedure, given, sites, isConstant);
    const results = called.results.map(({ name, shape }, i) => this.tensor(names[i] ?? name, shape));
    const left = sites.map((site) => this.tensor(site.name, site.shape));
    const contents = sites.map((site) => contentsOf(stand, site));
    this.emit(draft, { do: "call", to: [...results, ...left], callee, operands: [...passed, ...contents] });
    const after = new Map(stand.contents);
    for (const [i, site] of sites.entries()) after.set(site, at(left, i));
    const bound = names.map((name, i) => [name, { kind: "value", value: at(results, i) }] as const);
    return { names: new Map([...stand.names, ...bound]), contents: after };
  }

  /** The location seen otherwise; where no view of it is so, a copy. */
  protected viewed(draft: Draft, { name, of, how }: StatementOf<"view">, stand: Stand): Stand {
    const reference = referenceTo(stand, of);
    const { offset, shape, strides } = reference.view;
    const seen = transformed({ offset: 0, shape, strides }, how, (index) =>
      typeof index === "number" ? index : 0,
    );
    if (!seen.ok) throw new InvariantError(`a view that was checked: ${seen.error.message}`);
    if (seen.value === undefined) {
      const row = this.valueOf(draft, of, stand);
      const copy = this.applied(draft, name, reshapeTo("shape" in how ? how.shape : []), [row]);
      return this.located(stand, name, copy);
    }
    const starts = how.kind === "slice" ? how.starts : [];
    const terms = starts.flatMap((start, axis) =>
      typeof start === "number" ? [] : [{ of: indexOf(start, stand), times: at(strides, axis) }],
    );
    const begins = this.sum(draft, `${name}.offset`, seen.value.offset, [{ of: offset, times: 1 }, ...terms]);
    const view: SsaView = { offset: begins, shape: seen.value.shape, strides: plainStrides(seen.value) };
    return bind(stand, name, { ...reference, view });
  }

  protected written(
    draft: Draft,
    statement: StatementOf<"write"> | StatementOf<"update">,
    value: SsaTensor,
    isConstant: boolean,
    stand: Stand,
  ): Stand | undefined {
    const { site, view, isDetached } = referenceTo(stand, statement.to);
    if (seesTwice({ ...view, offset: 0 })) {
      draft.end = { kind: "stop", name: statement.to };
      return undefined;
    }
    const from = isDetached || isConstant ? this.detached(draft, value) : value;
    const contents = new Map(stand.contents);
    if (isAll(view, site)) return { ...stand, contents: contents.set(site, from) };
    const to = this.tensor(site.name, site.shape);
    this.emit(draft, { do: "write", to, contents: contentsOf(stand, site), view, from, statement });
    return { ...stand, contents: contents.set(site, to) };
  }

  protected procedure(name: string): Procedure {
    const called = this.task.program.procedures.find((one) => one.name === name);
    return present(called, "a procedure of a program that was checked");
  }
}
