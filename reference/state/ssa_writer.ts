import {
  assertNever,
  at,
  type Block,
  InvariantError,
  type Node,
  type Parameter,
  type Procedure,
  type Program,
  present,
  type Shape,
  type Statement,
  type StatementOf,
  seesTwice,
  shapeOfNode,
  transformed,
} from "../../spec/index.ts";
import type {
  SsaBlock,
  SsaCount,
  SsaEnd,
  SsaFunction,
  SsaIndex,
  SsaInstruction,
  SsaJump,
  SsaOperand,
  SsaTensor,
  SsaValue,
  SsaView,
} from "./ssa.ts";
import {
  type Bound,
  bind,
  contentsOf,
  found,
  indexOf,
  isAll,
  keyOf,
  operandsOf,
  plainStrides,
  type Reference,
  referenceTo,
  type Site,
  type Stand,
  turnOf,
  whole,
  within,
  without,
} from "./ssa_stand.ts";
import { nodeOf, reshapeTo, stopGradient } from "./statement_nodes.ts";

/** What a procedure is given for a parameter: a reference as what is known of it. */
export type Given =
  | { readonly kind: "value" }
  | {
      readonly kind: "reference";
      /** Among the locations that are passed. */
      readonly site: number;
      readonly strides: readonly number[];
      readonly isDetached: boolean;
      /** Whether it begins with the location. */
      readonly isAtStart: boolean;
    };

/** The function that a procedure is where it is given this, and these locations. */
export type Callee = (
  procedure: string,
  given: readonly Given[],
  sites: readonly Site[],
  isConstant: boolean,
) => string;

/** What a writer is told. */
interface Task {
  readonly program: Program;
  readonly procedure: Procedure;
  readonly name: string;
  /** The locations that are passed, and returned. */
  readonly sites: readonly Site[];
  /** By parameter; the entry knows its locations by their names. */
  readonly given: "entry" | readonly Given[];
  readonly isConstant: boolean;
  readonly callee: Callee;
}

/** Where a point is: a place in a block of statements, and what comes behind the block. */
interface Place {
  readonly statements: Block;
  readonly index: number;
  /** Tells it from every other place of the procedure. */
  readonly path: string;
  /** The names that are bound around the block. */
  readonly around: readonly string[];
  readonly isConstant: boolean;
  readonly end: Ending | undefined;
}

/** What comes behind a block: what stands behind its statement, which others may come to too; or the next turn. */
type Ending =
  | { readonly kind: "goes-on"; readonly at: Place }
  | { readonly kind: "joins"; readonly at: Place }
  | {
      readonly kind: "turns";
      readonly statement: StatementOf<"for"> | StatementOf<"while">;
      readonly at: Place;
    };

/** A block that is being written. */
interface Draft {
  readonly label: string;
  readonly parameters: readonly SsaValue[];
  readonly body: SsaInstruction[];
  end: SsaEnd | undefined;
}

/** Writes one function. Owns its blocks, the names that were used, and the points that are still to write. */
export class FunctionWriter {
  readonly #task: Task;
  readonly #drafts: Draft[] = [];
  readonly #labels: Map<string, number> = new Map();
  readonly #used: Map<string, number> = new Map();
  /** By place and by what is shared there, where control meets. */
  readonly #joins: Map<string, Draft> = new Map();
  readonly #pending: (() => void)[] = [];
  #left = 0;

  constructor(task: Task) {
    this.#task = task;
  }

  /** The function; `undefined` where it has more than so many instructions. */
  write(most: number): SsaFunction | undefined {
    this.#left = most;
    const { procedure, name, isConstant } = this.#task;
    const { parameters, stand } = this.#begin();
    const around: readonly string[] = [];
    const place: Place = {
      statements: procedure.body,
      index: 0,
      path: "",
      around,
      isConstant,
      end: undefined,
    };
    const first = this.#draft("begin", []);
    this.#pending.push(() => this.#go(first, place, stand));
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      next();
      if (this.#left < 0) return undefined;
    }
    const blocks = this.#drafts.map(({ label, parameters: own, body, end }): SsaBlock => {
      return { label, parameters: own, body, end: present(end, "the end of a block") };
    });
    return { name, parameters, blocks };
  }

  /** The parameters, and what the names of the procedure stand for. */
  #begin(): { readonly parameters: readonly SsaValue[]; readonly stand: Stand } {
    const { procedure, sites, given } = this.#task;
    const names = new Map<string, Bound>();
    const values: SsaValue[] = [];
    for (const [i, parameter] of procedure.parameters.entries()) {
      const known = given === "entry" ? undefined : given[i];
      const { bound, passed } = this.#parameter(parameter, known);
      names.set(parameter.name, bound);
      if (typeof passed !== "number") values.push(passed);
    }
    const contents = new Map(sites.map((site) => [site, this.#tensor(site.name, site.shape)] as const));
    if (given === "entry") {
      for (const site of sites) names.set(site.name, { kind: "reference", site, ...whole(site.shape) });
    }
    return { parameters: [...values, ...contents.values()], stand: { names, contents } };
  }

  #parameter(
    { name, shape }: Parameter,
    given: Given | undefined,
  ): { readonly bound: Bound; readonly passed: SsaOperand } {
    if (given === undefined || given.kind === "value") {
      const value = this.#tensor(name, shape);
      return { bound: { kind: "value", value }, passed: value };
    }
    const { strides, isDetached, isAtStart } = given;
    const site = at(this.#task.sites, given.site);
    const offset = isAtStart ? 0 : this.#count(`${name}.offset`);
    const bound: Reference = { kind: "reference", site, view: { offset, shape, strides }, isDetached };
    return { bound, passed: offset };
  }

  /** Writes from a point on into a block that is open, until it ends. */
  #go(draft: Draft, from: Place, before: Stand): void {
    let [place, stand] = [from, before];
    for (;;) {
      const statement = place.statements[place.index];
      if (statement === undefined) {
        const { end, around } = place;
        if (end === undefined) {
          draft.end = this.#returned(draft, stand);
          return;
        }
        const outside = within(stand, around);
        if (end.kind === "goes-on") {
          [place, stand] = [end.at, outside];
          continue;
        }
        draft.end = {
          kind: "jump",
          to: end.kind === "joins" ? this.#join(end.at, outside) : this.#turn(draft, end, stand, outside),
        };
        return;
      }
      const behind: Place = { ...place, index: place.index + 1 };
      switch (statement.do) {
        case "if":
          draft.end = this.#if(draft, statement, place, behind, stand);
          return;
        case "for": {
          const begun = bind(stand, statement.counter, { kind: "counter", turn: 0 });
          draft.end = { kind: "jump", to: this.#head(statement, place, begun) };
          return;
        }
        case "while":
          draft.end = { kind: "jump", to: this.#head(statement, place, stand) };
          return;
        case "no_grad":
        case "checkpoint": {
          const isConstant = place.isConstant || statement.do === "no_grad";
          place = {
            ...inner(place, statement.body, "body", stand, { kind: "goes-on", at: behind }),
            isConstant,
          };
          continue;
        }
        default: {
          const next = this.#statement(draft, statement, place, stand);
          if (next === undefined) return;
          [place, stand] = [behind, next];
        }
      }
    }
  }

  #if(
    draft: Draft,
    { condition, body, otherwise }: StatementOf<"if">,
    place: Place,
    behind: Place,
    stand: Stand,
  ): SsaEnd {
    const decided = this.#valueOf(draft, condition, stand);
    const arm = (block: Block, name: string): SsaJump => {
      if (block.length === 0) return this.#join(behind, stand);
      return this.#open(name, inner(place, block, name, stand, { kind: "joins", at: behind }), stand);
    };
    return {
      kind: "branch",
      condition: decided,
      body: arm(body, "then"),
      otherwise: arm(otherwise, "else"),
    };
  }

  /** The head of a loop, where turns begin: looked at before each. */
  #head(statement: StatementOf<"for"> | StatementOf<"while">, place: Place, stand: Stand): SsaJump {
    return this.#meeting("loop", `${place.path}/${place.index}:loop`, stand, (draft, met) => {
      const { body } = statement;
      const again = inner(place, body, "body", met, { kind: "turns", statement, at: place });
      const behind: Place = { ...place, index: place.index + 1 };
      const condition = statement.do === "while" ? this.#valueOf(draft, statement.condition, met) : undefined;
      const bodyJump = this.#open("body", again, met);
      const left = statement.do === "for" ? without(met, statement.counter) : met;
      const after = this.#open("after", behind, left);
      if (statement.do === "while") {
        const decided = present(condition, "the condition of a loop");
        draft.end = { kind: "branch", condition: decided, body: bodyJump, otherwise: after };
        return;
      }
      const turn = turnOf(met, statement.counter);
      draft.end = { kind: "turn", turn, times: statement.times, body: bodyJump, after };
    });
  }

  /** Back to the head of a loop. */
  #turn(
    draft: Draft,
    { statement, at: place }: Ending & { kind: "turns" },
    stand: Stand,
    outside: Stand,
  ): SsaJump {
    if (statement.do === "while") return this.#head(statement, place, outside);
    const turn = this.#counted(draft, statement.counter, turnOf(stand, statement.counter), 1);
    return this.#head(statement, place, bind(outside, statement.counter, { kind: "counter", turn }));
  }

  /** Where control goes on behind a statement, from wherever it comes. */
  #join(place: Place, stand: Stand): SsaJump {
    return this.#meeting("after", `${place.path}/${place.index}`, stand, (draft, met) =>
      this.#go(draft, place, met),
    );
  }

  /** The block of a point where control may meet: one for each way of sharing locations. What may differ is a parameter. */
  #meeting(label: string, path: string, stand: Stand, go: (draft: Draft, met: Stand) => void): SsaJump {
    const sites = this.#sitesIn(stand);
    const key = `${path} ${keyOf(stand, sites)}`;
    const known = this.#joins.get(key);
    const operands = operandsOf(stand, sites);
    if (known !== undefined) return { label: known.label, operands };
    const { met, parameters } = this.#parametersFor(stand, sites);
    const draft = this.#draft(label, parameters);
    this.#joins.set(key, draft);
    this.#pending.push(() => go(draft, met));
    return { label: draft.label, operands };
  }

  /** A block that control comes to from one place alone. */
  #open(label: string, place: Place, stand: Stand): SsaJump {
    const draft = this.#draft(label, []);
    this.#pending.push(() => this.#go(draft, place, stand));
    return { label: draft.label, operands: [] };
  }

  /** The locations that somebody may still see: those of the procedure, then others in the order of the names that see them. */
  #sitesIn({ names }: Stand): readonly Site[] {
    const seen = [...names.values()].flatMap((bound) => (bound.kind === "reference" ? [bound.site] : []));
    return [...new Set([...this.#task.sites, ...seen])];
  }

  /** A parameter for all that may differ, and what names stand for behind it. */
  #parametersFor(
    stand: Stand,
    sites: readonly Site[],
  ): { readonly met: Stand; readonly parameters: readonly SsaValue[] } {
    const parameters: SsaValue[] = [];
    const names = new Map<string, Bound>();
    const count = (name: string): SsaCount => {
      const made = this.#count(name);
      parameters.push(made);
      return made;
    };
    for (const [name, bound] of stand.names) {
      if (bound.kind === "counter") names.set(name, { kind: "counter", turn: count(name) });
      else if (bound.kind === "value") {
        const value = this.#tensor(name, bound.value.shape);
        parameters.push(value);
        names.set(name, { kind: "value", value });
      } else if (typeof bound.view.offset === "number") names.set(name, bound);
      else names.set(name, { ...bound, view: { ...bound.view, offset: count(`${name}.offset`) } });
    }
    const contents = new Map<Site, SsaTensor>();
    for (const site of sites) {
      const value = this.#tensor(site.name, site.shape);
      parameters.push(value);
      contents.set(site, value);
    }
    return { met: { names, contents }, parameters };
  }

  /** A statement without statements in it; `undefined` where no run goes on behind it. */
  #statement(
    draft: Draft,
    statement: Exclude<Statement, { readonly do: "if" | "for" | "while" | "no_grad" | "checkpoint" }>,
    { isConstant }: Place,
    stand: Stand,
  ): Stand | undefined {
    const quiet = (value: SsaTensor): SsaTensor => (isConstant ? this.#detached(draft, value) : value);
    const bindValue = (name: string, value: SsaTensor): Stand =>
      bind(stand, name, { kind: "value", value: quiet(value) });
    const emit = (instruction: SsaInstruction): void => this.#emit(draft, instruction);
    const read = (name: string): SsaTensor => this.#valueOf(draft, name, stand);
    switch (statement.do) {
      case "let": {
        const operands = statement.operands.map(read);
        return bindValue(statement.name, this.#applied(draft, statement.name, nodeOf(statement), operands));
      }
      case "rebind":
        return bind(stand, statement.name, found(stand, statement.to));
      case "buffer":
        return this.#located(stand, statement.name, quiet(read(statement.from)));
      case "view":
        return this.#viewed(draft, statement, stand);
      case "write":
        return this.#write(draft, statement, read(statement.from), isConstant, stand);
      case "update": {
        const operands = [read(statement.to), read(statement.from)];
        const value = this.#applied(draft, statement.to, nodeOf(statement), operands);
        return this.#write(draft, statement, value, isConstant, stand);
      }
      case "detach": {
        const bound = found(stand, statement.of);
        return bound.kind === "reference"
          ? bind(stand, statement.name, { ...bound, isDetached: true })
          : bind(stand, statement.name, { kind: "value", value: this.#detached(draft, read(statement.of)) });
      }
      case "call":
        return this.#call(draft, statement, isConstant, stand);
      case "draw": {
        const to = this.#tensor(statement.name, statement.shape);
        const key =
          statement.key && ([indexOf(statement.key[0], stand), indexOf(statement.key[1], stand)] as const);
        emit({ do: "draw", to, from: statement.from, key });
        return bindValue(statement.name, to);
      }
      case "receive": {
        const to = this.#tensor(statement.name, statement.shape);
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
        const { results } = this.#procedure(procedure);
        const { shape } = mode === "vjp" ? at(operands, wrt) : at(results, of);
        const to = this.#tensor(statement.name, shape);
        const callee = this.#task.callee(procedure, given, [], isConstant);
        emit({ do: "differentiate", to, callee, mode, of, wrt, operands });
        return bindValue(statement.name, to);
      }
      default:
        return assertNever(statement);
    }
  }

  #call(
    draft: Draft,
    { names, procedure, operands }: StatementOf<"call">,
    isConstant: boolean,
    stand: Stand,
  ): Stand {
    const called = this.#procedure(procedure);
    const sites: Site[] = [];
    const passed: SsaOperand[] = [];
    const given = called.parameters.map(({ kind }, i): Given => {
      const name = at(operands, i);
      if (kind === "value") {
        passed.push(this.#valueOf(draft, name, stand));
        return { kind };
      }
      const { site, view, isDetached } = referenceTo(stand, name);
      if (!sites.includes(site)) sites.push(site);
      const isAtStart = view.offset === 0;
      if (!isAtStart) passed.push(view.offset);
      return { kind, site: sites.indexOf(site), strides: view.strides, isDetached, isAtStart };
    });
    const callee = this.#task.callee(procedure, given, sites, isConstant);
    const results = called.results.map(({ name, shape }, i) => this.#tensor(names[i] ?? name, shape));
    const left = sites.map((site) => this.#tensor(site.name, site.shape));
    const contents = sites.map((site) => contentsOf(stand, site));
    this.#emit(draft, { do: "call", to: [...results, ...left], callee, operands: [...passed, ...contents] });
    const after = new Map(stand.contents);
    for (const [i, site] of sites.entries()) after.set(site, at(left, i));
    const bound = names.map((name, i) => [name, { kind: "value", value: at(results, i) }] as const);
    return { names: new Map([...stand.names, ...bound]), contents: after };
  }

  /** The location seen otherwise; where no view of it is so, a copy. */
  #viewed(draft: Draft, { name, of, how }: StatementOf<"view">, stand: Stand): Stand {
    const reference = referenceTo(stand, of);
    const { offset, shape, strides } = reference.view;
    const seen = transformed({ offset: 0, shape, strides }, how, (index) =>
      typeof index === "number" ? index : 0,
    );
    if (!seen.ok) throw new InvariantError(`a view that was checked: ${seen.error.message}`);
    if (seen.value === undefined) {
      const row = this.#valueOf(draft, of, stand);
      const copy = this.#applied(draft, name, reshapeTo("shape" in how ? how.shape : []), [row]);
      return this.#located(stand, name, copy);
    }
    const starts = how.kind === "slice" ? how.starts : [];
    const terms = starts.flatMap((start, axis) =>
      typeof start === "number" ? [] : [{ of: indexOf(start, stand), times: at(strides, axis) }],
    );
    const begins = this.#sum(draft, `${name}.offset`, seen.value.offset, [
      { of: offset, times: 1 },
      ...terms,
    ]);
    const view: SsaView = { offset: begins, shape: seen.value.shape, strides: plainStrides(seen.value) };
    return bind(stand, name, { ...reference, view });
  }

  #write(
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
    const from = isDetached || isConstant ? this.#detached(draft, value) : value;
    const contents = new Map(stand.contents);
    if (isAll(view, site)) return { ...stand, contents: contents.set(site, from) };
    const to = this.#tensor(site.name, site.shape);
    this.#emit(draft, { do: "write", to, contents: contentsOf(stand, site), view, from, statement });
    return { ...stand, contents: contents.set(site, to) };
  }

  /** What is read under a name at this point. */
  #valueOf(draft: Draft, name: string, stand: Stand): SsaTensor {
    const bound = found(stand, name);
    switch (bound.kind) {
      case "value":
        return bound.value;
      case "counter": {
        const to = this.#tensor(name, []);
        this.#emit(draft, { do: "scalar", to, of: bound.turn });
        return to;
      }
      case "reference": {
        const { site, view, isDetached } = bound;
        const contents = contentsOf(stand, site);
        const value = isAll(view, site) ? contents : this.#read(draft, name, contents, view);
        return isDetached ? this.#detached(draft, value) : value;
      }
      default:
        return assertNever(bound);
    }
  }

  #read(draft: Draft, name: string, contents: SsaTensor, view: SsaView): SsaTensor {
    const to = this.#tensor(name, view.shape);
    this.#emit(draft, { do: "read", to, contents, view });
    return to;
  }

  #returned(draft: Draft, stand: Stand): SsaEnd {
    const { procedure, sites } = this.#task;
    const results = procedure.results.map(({ name }) => this.#valueOf(draft, name, stand));
    return { kind: "return", values: [...results, ...sites.map((site) => contentsOf(stand, site))] };
  }

  #located(stand: Stand, name: string, value: SsaTensor): Stand {
    const site: Site = { name, shape: value.shape };
    const contents = new Map(stand.contents).set(site, value);
    return bind({ ...stand, contents }, name, { kind: "reference", site, ...whole(value.shape) });
  }

  #detached(draft: Draft, value: SsaTensor): SsaTensor {
    return this.#applied(draft, value.name.replace(/\.[0-9]+$/, ""), stopGradient, [value]);
  }

  #applied(draft: Draft, name: string, node: Node, operands: readonly SsaTensor[]): SsaTensor {
    const shapes = operands.map(({ shape }) => shape);
    const shape = shapeOfNode(node, shapes, this.#task.program.environment);
    if (!shape.ok) throw new InvariantError(`a statement that was checked: ${shape.error.message}`);
    const to = this.#tensor(name, shape.value);
    this.#emit(draft, { do: "apply", to, node, operands });
    return to;
  }

  #counted(draft: Draft, name: string, turn: SsaIndex, more: number): SsaIndex {
    return this.#sum(draft, name, more, [{ of: turn, times: 1 }]);
  }

  /** `from + Σ of · times`: what is known of it is a number, and a count by itself is itself. */
  #sum(
    draft: Draft,
    name: string,
    from: number,
    all: readonly { readonly of: SsaIndex; readonly times: number }[],
  ): SsaIndex {
    const known = all.reduce((sum, { of, times }) => (typeof of === "number" ? sum + of * times : sum), from);
    const terms = all.flatMap(({ of, times }) =>
      typeof of === "number" || times === 0 ? [] : [{ of, times }],
    );
    const [only] = terms;
    if (only === undefined) return known;
    if (known === 0 && terms.length === 1 && only.times === 1) return only.of;
    const to = this.#count(name);
    this.#emit(draft, { do: "count", to, from: known, terms });
    return to;
  }

  #procedure(name: string): Procedure {
    const called = this.#task.program.procedures.find((one) => one.name === name);
    return present(called, "a procedure of a program that was checked");
  }

  #emit({ body }: Draft, instruction: SsaInstruction): void {
    this.#left--;
    body.push(instruction);
  }

  #draft(label: string, parameters: readonly SsaValue[]): Draft {
    this.#left--;
    const draft: Draft = { label: numbered(label, this.#labels), parameters, body: [], end: undefined };
    this.#drafts.push(draft);
    return draft;
  }

  #tensor(name: string, shape: Shape): SsaTensor {
    return { kind: "tensor", name: numbered(name, this.#used), shape };
  }

  #count(name: string): SsaCount {
    return { kind: "count", name: numbered(name, this.#used) };
  }
}

/** The name, with a number behind it where it was used before. */
function numbered(name: string, used: Map<string, number>): string {
  for (let count = used.get(name) ?? 0; ; count++) {
    const whole = count === 0 ? name : `${name}.${count}`;
    if (count > 0 && used.has(whole)) continue;
    used.set(name, count + 1);
    if (count > 0) used.set(whole, 1);
    return whole;
  }
}

/** The block within a statement. */
function inner(
  { path, index, isConstant }: Place,
  statements: Block,
  name: string,
  { names }: Stand,
  end: Ending,
): Place {
  const around = [...names.keys()];
  return { statements, index: 0, path: `${path}/${index}/${name}`, around, isConstant, end };
}
