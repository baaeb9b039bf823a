import { type Block, hasBreak } from "../../spec/programs/index.ts";
import { assertNever, at, InvariantError, present } from "../../spec/shapes/index.ts";
import type { SsaEnd, SsaFunction, SsaJump } from "./ssa.ts";
import {
  type Bound,
  contentsOf,
  isPassed,
  passed,
  type Site,
  sharing,
  sitesIn,
  turnOf,
} from "./ssa_names.ts";
import { type Control, type Draft, type Form, StatementWriter, type Task } from "./ssa_statements.ts";

/** Writes what comes behind a point. */
type Next = (draft: Draft) => void;

/** Statements that follow each other. `path` tells them from others of the procedure. */
interface Scope {
  readonly statements: Block;
  readonly path: string;
  readonly isConstant: boolean;
  readonly next: Next;
  /** Ends the innermost loop around. */
  readonly leave: Next;
}

/**
 * Writes one function. A block where control meets is not sealed while it is written: jumps to it may still
 * come, and whatever could differ between them is a parameter. `sealed` removes those that do not differ.
 */
export class FunctionWriter extends StatementWriter {
  readonly #task: Task;
  /** The blocks where control meets, by place and by what is shared there. */
  readonly #meetings: Map<string, Draft> = new Map();
  readonly #pending: (() => void)[] = [];

  constructor(form: Form, task: Task, most: number) {
    super(form, most);
    this.#task = task;
  }

  /** The function before its blocks are sealed; `undefined` if it would be too long. */
  write(): SsaFunction | undefined {
    const { procedure, name, names, sites, isConstant } = this.#task;
    const begin = this.#parametrised("begin", names, sites);
    const next: Next = (draft) =>
      this.#return(
        draft,
        procedure.results.map((result) => result.name),
      );
    const leave: Next = () => {
      throw new InvariantError("a break of a program that was checked stands in a loop");
    };
    const scope = { statements: procedure.body, path: "", isConstant, next, leave };
    this.#pending.push(() => this.#go(begin, scope));
    for (let go = this.#pending.shift(); go !== undefined; go = this.#pending.shift()) {
      go();
      if (this.left < 0) return undefined;
    }
    const blocks = this.drafts.map(({ label, parameters, body, end }) => ({
      label,
      parameters: parameters === begin.parameters ? [] : parameters,
      body,
      end: present(end, "the end of a block"),
    }));
    return { name, parameters: begin.parameters, blocks };
  }

  #return(draft: Draft, names: readonly string[]): void {
    const results = names.map((name) => this.read(draft, name));
    draft.end = { kind: "return", values: [...results, ...contentsOf(draft, this.#task.sites)] };
  }

  /** Writes statements, the first of them at `first`, until control goes elsewhere. */
  #go(draft: Draft, scope: Scope, first = 0): void {
    for (let place = first; place < scope.statements.length; place++) {
      const statement = at(scope.statements, place);
      switch (statement.do) {
        case "if":
        case "for":
        case "while":
        case "no_grad":
        case "checkpoint": {
          const around = { ...scope, path: `${scope.path}/${place}` };
          this.#control(draft, statement, around, (open) => this.#go(open, scope, place + 1));
          return;
        }
        case "break":
          scope.leave(draft);
          return;
        case "return":
          this.#return(draft, statement.operands);
          return;
        default:
          this.statement(draft, statement, scope.isConstant);
          if (draft.end !== undefined) return;
      }
    }
    scope.next(draft);
  }

  /** Writes a block of a control statement. Names that are bound in it end with it. */
  #block(open: Draft, scope: Scope): void {
    this.#go(open, { ...scope, next: outside(open, scope.next) });
  }

  #control(draft: Draft, statement: Control, { path, ...scope }: Scope, rest: Next): void {
    const isConstant = scope.isConstant || statement.do === "no_grad";
    const block = (open: Draft, label: string, statements: Block, next: Next, leave = scope.leave): void =>
      this.#block(open, { statements, path: `${path}/${label}`, isConstant, next, leave });
    const meetAfter = (from: Draft): SsaJump => this.#meet("after", `${path}/after`, from, rest);
    const leave = outside(draft, (end) => {
      end.end = { kind: "jump", to: meetAfter(end) };
    });
    switch (statement.do) {
      case "no_grad":
      case "checkpoint":
        // The rest is queued, so that the stack stays low however many such statements follow each other.
        block(draft, "body", statement.body, (end) => this.#pending.unshift(() => rest(end)));
        return;
      case "if": {
        const meet = (from: Draft): SsaJump => this.#meet("after", path, from, rest);
        const next: Next = (end) => {
          end.end = { kind: "jump", to: meet(end) };
        };
        const arm = (label: string, statements: Block): SsaJump =>
          statements.length === 0
            ? meet(draft)
            : this.#open(label, draft, (open) => block(open, label, statements, next));
        const condition = this.read(draft, statement.condition);
        const body = arm("then", statement.body);
        draft.end = { kind: "branch", condition, body, otherwise: arm("else", statement.otherwise) };
        return;
      }
      case "while":
        this.#loop(draft, path, (head, again) => ({
          kind: "branch",
          condition: this.read(head, statement.condition),
          body: this.#open("body", head, (open) => block(open, "body", statement.body, again, leave)),
          otherwise: hasBreak(statement.body) ? meetAfter(head) : this.#open("after", head, rest),
        }));
        return;
      case "for": {
        const { counter, times, body } = statement;
        draft.names.set(counter, { kind: "counter", value: 0 });
        this.#loop(draft, path, (head, again) => {
          const next: Next = (end) => {
            const value = this.sum(end, counter, 1, [{ of: turnOf(end, counter), times: 1 }]);
            end.names.set(counter, { kind: "counter", value });
            again(end);
          };
          const turn = turnOf(head, counter);
          const to = this.#open("body", head, (open) => block(open, "body", body, next, leave));
          head.names.delete(counter);
          const after = hasBreak(body) ? meetAfter(head) : this.#open("after", head, rest);
          return { kind: "turn", turn, times, body: to, after };
        });
        return;
      }
      default:
        assertNever(statement);
    }
  }

  /** Jumps to the head of a loop, to which the turns come back. */
  #loop(draft: Draft, path: string, end: (head: Draft, again: Next) => SsaEnd): void {
    const again: Next = (from) => {
      const to = this.#meet("loop", path, from, (head) => {
        head.end = end(head, again);
      });
      from.end = { kind: "jump", to };
    };
    again(draft);
  }

  /** Returns the jump to where control meets: a block for each way in which names share locations. */
  #meet(label: string, path: string, from: Draft, next: Next): SsaJump {
    const sites = sitesIn(from.names, this.#task.sites);
    const key = `${path} ${sharing(from.names, sites)}`;
    let to = this.#meetings.get(key);
    if (to === undefined) {
      const draft = this.#parametrised(label, from.names, sites);
      this.#meetings.set(key, draft);
      this.#pending.push(() => next(draft));
      to = draft;
    }
    return { label: to.label, operands: [...passed(from.names), ...contentsOf(from, sites)] };
  }

  /** Returns a block to which control comes from several places: all that may differ is a parameter. */
  #parametrised(label: string, names: ReadonlyMap<string, Bound>, sites: readonly Site[]): Draft {
    const own = new Map([...names].map(([name, bound]) => [name, this.#parameter(name, bound)]));
    const contents = this.contents(sites);
    const parameters = passed(own).filter((one) => typeof one !== "number");
    return this.draft(label, [...parameters, ...contents.values()], own, contents);
  }

  #parameter(name: string, bound: Bound): Bound {
    if (!isPassed(bound)) return bound;
    switch (bound.kind) {
      case "value":
        return { ...bound, value: this.tensor(name, bound.value.shape) };
      case "counter":
        return { ...bound, value: this.count(name) };
      case "reference":
        return { ...bound, view: { ...bound.view, offset: this.count(`${name}.offset`) } };
    }
  }

  /** Returns the jump to a block that no other jump leads to. */
  #open(label: string, from: Draft, next: Next): SsaJump {
    const to = this.draft(label, [], new Map(from.names), new Map(from.contents));
    this.#pending.push(() => next(to));
    return { label: to.label, operands: [] };
  }
}

/** Returns what writes a point behind a block: names that are bound in it have ended. */
function outside({ names }: Draft, next: Next): Next {
  const around = new Set(names.keys());
  return (end) => {
    for (const name of end.names.keys()) if (!around.has(name)) end.names.delete(name);
    next(end);
  };
}
