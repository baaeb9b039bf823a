import type { Node } from "../../spec/graph/index.ts";
import {
  type Block,
  NameScope,
  type ParameterKind,
  type Procedure,
  positionsOf,
  type StatementOf,
  wholeView,
} from "../../spec/programs/index.ts";
import { at, nodeId, present } from "../../spec/shapes/index.ts";
import { ProgramFault } from "./fault.ts";
import { Plain } from "./plain.ts";
import { Recorder } from "./recorder.ts";
import {
  type Derivation,
  type Leaving,
  limits,
  type Manner,
  type Returning,
  type Runner,
  type Setting,
} from "./setting.ts";
import type { Trace } from "./trace.ts";
import { type Bound, type Held, type Names, type Place, type Reference, valued } from "./value.ts";

/** A run calls procedures so, and differentiates them; a mutant overrides a method. */
export abstract class Calls extends Plain {
  /** Runs the statements of a block, whose names are bound in `names`. */
  abstract block(block: Block, names: Names, manner: Manner): Leaving | undefined;

  /** Runs a procedure on its operands, and reads its results. */
  procedure(
    { parameters, body, results }: Procedure,
    operands: readonly Bound[],
    outer: Names | undefined,
    manner: Manner,
  ): Held[] {
    const names = this.scopeWithin(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(operands, i));
    const left = this.block(body, names, manner);
    if (left?.kind === "return") return [...left.results];
    return this.resultsOf(
      results.map(({ name }) => name),
      names,
    );
  }

  /** Reads what a procedure returns. */
  protected resultsOf(results: readonly string[], names: Names): Held[] {
    return results.map((name) => this.copied(this.valueOf(name, names)));
  }

  /** Makes the names of a procedure before it begins. */
  protected scopeWithin(outer: Names | undefined): Names {
    return new NameScope(outer);
  }

  protected returned({ operands }: StatementOf<"return">, names: Names): Returning {
    return { kind: "return", results: this.resultsOf(operands, names) };
  }

  protected call(
    { names: bound, procedure, operands }: StatementOf<"call">,
    names: Names,
    manner: Manner,
  ): void {
    const called = this.procedureNamed(procedure);
    const given = called.parameters.map(({ kind }, i) => this.argument(kind, at(operands, i), names));
    const results = this.procedure(called, given, undefined, this.deeper(manner));
    for (const [i, name] of bound.entries()) names.bind(name, valued(at(results, i)));
  }

  /** Returns a procedure's argument: a copy, the caller's location, or one that the caller has no more. */
  protected argument(kind: ParameterKind, name: string, names: Names): Bound {
    if (kind === "value") return valued(this.copied(this.valueOf(name, names)));
    const reference = this.referenceTo(name, names);
    return kind === "reference" ? reference : { ...reference, place: this.donated(reference.place) };
  }

  /** Moves a location: the place is released, and another one has its elements and what is saved of them. */
  protected donated(place: Place): Place {
    if (place.isReleased) throw new ProgramFault("it gives away a location that was released.");
    const moved = { ...place };
    place.isReleased = true;
    return moved;
  }

  protected derivative(
    { procedure, operands, ...asked }: StatementOf<"differentiate">,
    names: Names,
    manner: Manner,
  ): Held {
    const { sent } = this.setting.progress;
    const before = sent.length;
    const along = at(operands, operands.length - 1);
    const derived = this.derived(this.procedureNamed(procedure), asked, operands, along, names, manner);
    if (sent.length > before) {
      throw new ProgramFault("something is sent from within a procedure that is differentiated.");
    }
    return derived;
  }

  /** Refuses to differentiate by an element that two references see. */
  protected checkApart({ wrt, operands }: StatementOf<"differentiate_call">, names: Names): void {
    const seen = new Map<Place, Set<number>>();
    for (const place of wrt) {
      const bound = this.found(at(operands, place), names);
      if (bound.kind !== "reference") continue;
      const own = seen.get(bound.place) ?? new Set();
      for (const position of positionsOf(bound.view)) {
        if (own.has(position)) throw new ProgramFault("it is differentiated by an element twice.");
        own.add(position);
      }
      seen.set(bound.place, own);
    }
  }

  derived(
    called: Procedure,
    { mode, of, wrt }: Derivation,
    operands: readonly string[],
    along: string,
    names: Names,
    manner: Manner,
  ): Held {
    const recorder = new Recorder(this.setting.declared, this.setting.surroundings);
    const setting: Setting = {
      ...this.setting,
      isForward: false,
      declared: recorder.declared,
      surroundings: recorder.surroundings,
    };
    const input = ({ shape, data }: Held): Held => {
      return { shape, data, tangent: undefined, slot: recorder.input({ shape }), seen: undefined };
    };
    const given = called.parameters.map(({ kind }, i): Bound => {
      const name = at(operands, i);
      return kind === "value" ? valued(this.valueOf(name, names)) : this.referenceTo(name, names);
    });
    const values = given.flatMap((one) => (one.kind === "value" ? [one.value] : []));
    const places = [...new Set(given.flatMap((one) => (one.kind === "reference" ? [one.place] : [])))];
    const contents = places.map((place) => this.copied(this.read(wholeOf(place))));
    const parameters = values.map(input);
    const copies = contents.map((one) => this.setting.memory.located(input(one)));
    let next = 0;
    const bound = given.map((one): Bound => {
      if (one.kind !== "reference") return valued(at(parameters, next++));
      return { ...one, place: at(copies, places.indexOf(one.place)) };
    });
    const deeper = this.mannerOfDerivative(manner);
    const results = this.within(setting, recorder).procedure(called, bound, undefined, deeper);
    const all = [...values, ...contents, this.valueOf(along, names)];
    const node: Node = {
      op: "differentiate",
      attributes: { graph: recorder.graph(), mode, of: nodeId(at(results, of).slot), wrt: nodeId(wrt) },
      parents: all.map((_, place) => nodeId(place)),
    };
    const shapes = all.map(({ shape }) => shape);
    const operation = this.setting.operations.ofNode(node, shapes, recorder.declared);
    return this.operated(operation, all, recorder.surroundings);
  }

  /** Returns how a differentiated procedure runs: `no_grad` around the derivative does not reach it. */
  protected mannerOfDerivative(manner: Manner): Manner {
    return { ...this.deeper(manner), isConstant: false };
  }

  /** Makes a run inside this one. */
  protected within(setting: Setting, trace: Trace): Runner {
    return new setting.runOf(setting, trace);
  }

  protected procedureNamed(name: string): Procedure {
    return present(
      this.setting.program.procedures.find((procedure) => procedure.name === name),
      "a procedure of a program that was checked",
    );
  }

  protected deeper(manner: Manner): Manner {
    if (manner.depth < limits.calls) return { ...manner, depth: manner.depth + 1 };
    throw new ProgramFault(`the call stands within ${limits.calls} others, and that is the most.`);
  }
}

/** All of a location, whatever sees it. */
function wholeOf(place: Place): Reference {
  return { kind: "reference", place, view: wholeView(place.shape), isDetached: false };
}
