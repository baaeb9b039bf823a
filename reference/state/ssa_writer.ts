import type { Block, Parameter, StatementOf } from "../../spec/programs/index.ts";
import { at, present } from "../../spec/shapes/index.ts";
import type {
  SsaBlock,
  SsaCount,
  SsaEnd,
  SsaFunction,
  SsaJump,
  SsaOperand,
  SsaTensor,
  SsaValue,
} from "./ssa.ts";
import type { Draft } from "./ssa_drafts.ts";
import {
  type Bound,
  bind,
  contentsOf,
  keyOf,
  operandsOf,
  type Reference,
  type Site,
  type Stand,
  turnOf,
  whole,
  within,
  without,
} from "./ssa_stand.ts";
import { StatementWriter } from "./ssa_statements.ts";
import type { Given } from "./ssa_task.ts";

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

/** Writes one function: where control goes and meets. Owns the points that are still to write. */
export class FunctionWriter extends StatementWriter {
  /** By place and by what is shared there, where control meets. */
  readonly #joins: Map<string, Draft> = new Map();
  readonly #pending: (() => void)[] = [];

  /** The function; `undefined` where it has more than so many instructions. */
  write(most: number): SsaFunction | undefined {
    this.left = most;
    const { procedure, name, isConstant } = this.task;
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
    const first = this.draft("begin", []);
    this.#pending.push(() => this.#go(first, place, stand));
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      next();
      if (this.left < 0) return undefined;
    }
    const blocks = this.drafts.map(({ label, parameters: own, body, end }): SsaBlock => {
      return { label, parameters: own, body, end: present(end, "the end of a block") };
    });
    return { name, parameters, blocks };
  }

  /** The parameters, and what the names of the procedure stand for. */
  #begin(): { readonly parameters: readonly SsaValue[]; readonly stand: Stand } {
    const { procedure, sites, given } = this.task;
    const names = new Map<string, Bound>();
    const values: SsaValue[] = [];
    for (const [i, parameter] of procedure.parameters.entries()) {
      const known = given === "entry" ? undefined : given[i];
      const { bound, passed } = this.#parameter(parameter, known);
      names.set(parameter.name, bound);
      if (typeof passed !== "number") values.push(passed);
    }
    const contents = new Map(sites.map((site) => [site, this.tensor(site.name, site.shape)] as const));
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
      const value = this.tensor(name, shape);
      return { bound: { kind: "value", value }, passed: value };
    }
    const { strides, isDetached, isAtStart } = given;
    const site = at(this.task.sites, given.site);
    const offset = isAtStart ? 0 : this.count(`${name}.offset`);
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
          const next = this.statement(draft, statement, place.isConstant, stand);
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
    const decided = this.valueOf(draft, condition, stand);
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
      const condition = statement.do === "while" ? this.valueOf(draft, statement.condition, met) : undefined;
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
    const turn = this.counted(draft, statement.counter, turnOf(stand, statement.counter), 1);
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
    const draft = this.draft(label, parameters);
    this.#joins.set(key, draft);
    this.#pending.push(() => go(draft, met));
    return { label: draft.label, operands };
  }

  /** A block that control comes to from one place alone. */
  #open(label: string, place: Place, stand: Stand): SsaJump {
    const draft = this.draft(label, []);
    this.#pending.push(() => this.#go(draft, place, stand));
    return { label: draft.label, operands: [] };
  }

  /** The locations that somebody may still see: those of the procedure, then others in the order of the names that see them. */
  #sitesIn({ names }: Stand): readonly Site[] {
    const seen = [...names.values()].flatMap((bound) => (bound.kind === "reference" ? [bound.site] : []));
    return [...new Set([...this.task.sites, ...seen])];
  }

  /** A parameter for all that may differ, and what names stand for behind it. */
  #parametersFor(
    stand: Stand,
    sites: readonly Site[],
  ): { readonly met: Stand; readonly parameters: readonly SsaValue[] } {
    const parameters: SsaValue[] = [];
    const names = new Map<string, Bound>();
    const count = (name: string): SsaCount => {
      const made = this.count(name);
      parameters.push(made);
      return made;
    };
    for (const [name, bound] of stand.names) {
      if (bound.kind === "counter") names.set(name, { kind: "counter", turn: count(name) });
      else if (bound.kind === "value") {
        const value = this.tensor(name, bound.value.shape);
        parameters.push(value);
        names.set(name, { kind: "value", value });
      } else if (typeof bound.view.offset === "number") names.set(name, bound);
      else names.set(name, { ...bound, view: { ...bound.view, offset: count(`${name}.offset`) } });
    }
    const contents = new Map<Site, SsaTensor>();
    for (const site of sites) {
      const value = this.tensor(site.name, site.shape);
      parameters.push(value);
      contents.set(site, value);
    }
    return { met: { names, contents }, parameters };
  }

  #returned(draft: Draft, stand: Stand): SsaEnd {
    const { procedure, sites } = this.task;
    const results = procedure.results.map(({ name }) => this.valueOf(draft, name, stand));
    return { kind: "return", values: [...results, ...sites.map((site) => contentsOf(stand, site))] };
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
