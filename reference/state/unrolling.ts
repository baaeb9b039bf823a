import { type View, wholeView } from "../../spec/programs/index.ts";
import { assertNever, InvariantError, present } from "../../spec/shapes/index.ts";
import { tensor } from "../tensor.ts";
import type { Domain, Shaped } from "./domain.ts";
import { StateFault } from "./fault.ts";
import { drawnFrom, receivedOn } from "./outside.ts";
import type { Decision, Sent, Setting } from "./setting.ts";
import {
  assignedBy,
  type SsaBlock,
  type SsaEnd,
  type SsaForm,
  type SsaFunction,
  type SsaIndex,
  type SsaInstruction,
  type SsaOperand,
  type SsaTensor,
  type SsaValue,
  type SsaView,
} from "./ssa.ts";

/** One call of a function assigns these: tensors of the domain, and numbers. */
type Assigned<V> = Map<SsaValue, V | number>;

/**
 * A form in which every name is assigned once, on a domain, along decisions: a run that decides nothing
 * itself. Owns how many decisions are left; throws {@link StateFault}.
 */
export class Unrolling<S, V extends Shaped, M> {
  readonly sent: Sent<V>[] = [];
  readonly #domain: Domain<S, V, M>;
  readonly #form: SsaForm;
  readonly #decisions: readonly Decision[];
  readonly #setting: Setting<S>;

  constructor(domain: Domain<S, V, M>, form: SsaForm, decisions: readonly Decision[], setting: Setting<S>) {
    this.#domain = domain;
    this.#form = form;
    this.#decisions = decisions;
    this.#setting = setting;
  }

  /** Runs the entry; what the persistent locations hold is behind its results. */
  enter(parameters: readonly V[], state: readonly V[]): { readonly results: V[]; readonly state: V[] } {
    const entry = present(this.#form.functions[0], "the entry of a form");
    const left = this.#function(entry, [...parameters, ...state], 0);
    const { decisions } = this.#setting.progress;
    if (decisions.length < this.#decisions.length) throw otherDecisions("more decisions than conditions");
    const results = left.length - state.length;
    return { results: left.slice(0, results), state: left.slice(results) };
  }

  /** Calls a function, and returns its results. */
  #function({ parameters, blocks }: SsaFunction, given: readonly (V | number)[], depth: number): V[] {
    const assigned: Assigned<V> = new Map();
    assign(assigned, parameters, given);
    const byLabel = new Map(blocks.map((block) => [block.label, block]));
    let block: SsaBlock = present(blocks[0], "the first block of a function");
    for (;;) {
      this.#step();
      for (const instruction of block.body) {
        this.#step();
        assign(assigned, assignedBy(instruction), this.#assigned(instruction, assigned, depth));
      }
      const next = this.#next(block.end, assigned);
      if (next === undefined) return [];
      if ("values" in next) return next.values.map((value) => this.#tensor(value, assigned));
      const operands = next.operands.map((operand) => operandIn(operand, assigned));
      block = present(byLabel.get(next.label), "a block of the function");
      assign(assigned, block.parameters, operands);
    }
  }

  /** Finds the jump that is taken, or the values that are returned. */
  #next(end: SsaEnd, assigned: Assigned<V>) {
    switch (end.kind) {
      case "jump":
        return end.to;
      case "branch":
        this.#domain.condition(this.#tensor(end.condition, assigned));
        return this.#decided() === true ? end.body : end.otherwise;
      case "turn":
        return this.#count(end.turn, assigned) < end.times ? end.body : end.after;
      case "return":
        return end;
      case "stop":
        throw new StateFault(
          "program/write",
          `${end.name} sees some element more than once.`,
          "write through a view that sees each element once",
        );
      default:
        return assertNever(end);
    }
  }

  /** Computes what an instruction assigns to its `to`. */
  #assigned(instruction: SsaInstruction, assigned: Assigned<V>, depth: number): readonly (V | number)[] {
    const tensorOf = (value: SsaTensor): V => this.#tensor(value, assigned);
    const countOf = (index: SsaIndex): number => this.#count(index, assigned);
    const viewOf = (view: SsaView): View => ({ ...view, offset: countOf(view.offset) });
    switch (instruction.do) {
      case "apply":
        return [this.#domain.apply(instruction.node, instruction.operands.map(tensorOf))];
      case "scalar": {
        const number = this.#setting.literals.literal(countOf(instruction.of));
        return [this.#domain.constant(tensor([], () => number))];
      }
      case "index": {
        this.#domain.index(tensorOf(instruction.of));
        const place = this.#decided();
        if (typeof place !== "number") throw otherDecisions("conditions where indices are");
        return [place];
      }
      case "count":
        return [
          instruction.terms.reduce((sum, { of, times }) => sum + countOf(of) * times, instruction.from),
        ];
      case "read": {
        const memory = this.#domain.allocate(tensorOf(instruction.contents));
        return [this.#domain.copied(this.#domain.read(memory, viewOf(instruction.view)))];
      }
      case "write": {
        const { contents, from, statement } = instruction;
        const memory = this.#domain.allocate(tensorOf(contents));
        this.#domain.write(memory, viewOf(instruction.view), tensorOf(from), statement);
        return [this.#domain.copied(this.#domain.read(memory, wholeView(contents.shape)))];
      }
      case "draw": {
        const { to, from, key } = instruction;
        const words = key && ([countOf(key[0]), countOf(key[1])] as const);
        return [drawnFrom(this.#domain, this.#setting, from, to.shape, words)];
      }
      case "receive":
        return [receivedOn(this.#domain, this.#setting, instruction.channel, instruction.to.shape)];
      case "send":
        this.sent.push({ channel: instruction.channel, value: tensorOf(instruction.from) });
        return [];
      case "retain":
        this.#domain.retain(tensorOf(instruction.of));
        return [];
      case "call": {
        const operands = instruction.operands.map((operand) => operandIn(operand, assigned));
        return this.#function(this.#called(instruction.callee), operands, this.#deeper(depth));
      }
      case "differentiate": {
        const { progress } = this.#setting;
        const derived = (): V => this.#derived(instruction, assigned, this.#deeper(depth));
        return [instruction.isCalled ? progress.twice(derived) : derived()];
      }
      default:
        return assertNever(instruction);
    }
  }

  #derived(
    { callee, mode, of, wrt, ...given }: Extract<SsaInstruction, { readonly do: "differentiate" }>,
    assigned: Assigned<V>,
    depth: number,
  ): V {
    const operands = given.operands.map((operand) => operandIn(operand, assigned));
    const tensors = operands.filter((operand) => typeof operand !== "number");
    const all = [...tensors, this.#tensor(given.along, assigned)];
    return this.#domain.differentiate({ mode, wrt }, all, (domain, parameters) => {
      const inner = new Unrolling(domain, this.#form, this.#decisions, this.#setting);
      let next = 0;
      const own = operands.map((operand) =>
        typeof operand === "number" ? operand : present(parameters[next++], "an operand"),
      );
      return present(inner.#function(this.#called(callee), own, depth)[of], "a result");
    });
  }

  #called(name: string): SsaFunction {
    return present(
      this.#form.functions.find((one) => one.name === name),
      "a function of the form",
    );
  }

  #deeper(depth: number): number {
    if (depth < this.#setting.limits.calls) return depth + 1;
    throw new StateFault(
      "program/recursion",
      `the call stands within ${depth} others, and that is the most.`,
      "let the recursion end sooner, or write a loop",
    );
  }

  #decided(): Decision {
    const { decisions } = this.#setting.progress;
    const decision = this.#decisions[decisions.length];
    if (decision === undefined) throw otherDecisions("fewer decisions than conditions");
    decisions.push(decision);
    return decision;
  }

  /** Counts an instruction, or a block. */
  #step(): void {
    const { limits, progress } = this.#setting;
    progress.statements++;
    // A statement is a few instructions: reads, what is applied, a write.
    if (progress.statements <= 8 * limits.statements) return;
    throw new StateFault(
      "program/too-long-a-run",
      `the run has executed ${8 * limits.statements} instructions, and that is the most.`,
      "let the loops end sooner",
    );
  }

  #tensor(value: SsaTensor, assigned: Assigned<V>): V {
    const found = operandIn(value, assigned);
    if (typeof found === "number") throw new InvariantError(`${value.name} is a number`);
    return found;
  }

  #count(index: SsaIndex, assigned: Assigned<V>): number {
    const found = operandIn(index, assigned);
    if (typeof found !== "number") throw new InvariantError("a tensor is no number");
    return found;
  }
}

function assign<V>(assigned: Assigned<V>, names: readonly SsaValue[], values: readonly (V | number)[]): void {
  if (names.length !== values.length) throw new InvariantError("as many values as names");
  for (const [i, name] of names.entries()) assigned.set(name, present(values[i], "a value for each name"));
}

function operandIn<V>(operand: SsaOperand, assigned: Assigned<V>): V | number {
  return typeof operand === "number"
    ? operand
    : present(assigned.get(operand), `${operand.name} before its use`);
}

function otherDecisions(what: string): StateFault {
  return new StateFault(
    "program/decisions",
    `there are ${what}: they are not of a run of this program.`,
    "take the decisions of a recording of it",
  );
}
