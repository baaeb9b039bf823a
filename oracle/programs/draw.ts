import type { Random } from "fast-check";
import {
  entryOf,
  type FlatTensor,
  isSameShape,
  nodeId,
  type Program,
  type ProgramBuilder,
  type ProgramCounter,
  type ProgramOperand,
  type ProgramProcedure,
  type ProgramReference,
  type ProgramValue,
  program,
  type Shape,
  type StatementKind,
  sizeOf,
  type Transform,
  type UpdateOperator,
} from "../../spec/index.ts";
import { randomAt } from "../generate/campaign.ts";
import { drawElements, happens, oneOf } from "../generate/values.ts";
import type { ProgramTask } from "./ask.ts";

/** What random programs are made of. */
export interface ProgramProfile {
  readonly name: string;
  /** How many things are done, those within blocks too; a loop does them several times. */
  readonly actions: number;
  /** Whether rational numbers suffice. */
  readonly isExact: boolean;
  /** Statements that are left out: those of a known fault, behind which one searches on. */
  readonly without?: readonly StatementKind[];
}

/** Programs over any field. */
export const exactPrograms: ProgramProfile = { name: "exact", actions: 14, isExact: true };

/** Programs with elementary functions. */
export const floatPrograms: ProgramProfile = { name: "float", actions: 14, isExact: false };

/** A program, and floats to run it with. */
export interface DrawnProgram {
  readonly program: Program;
  readonly parameters: readonly Numbers[];
  readonly state: readonly Numbers[];
  readonly generator: { readonly key: readonly [number, number]; readonly drawn: number };
  readonly received: ReadonlyMap<string, readonly Numbers[]>;
  /** A cotangent for each result of the entry. */
  readonly cotangents: readonly Numbers[];
  /** Of the parameters, then of the persistent locations. */
  readonly tangents: readonly Numbers[];
}

/** A tensor of floats that are multiples of ⅛. */
export interface Numbers {
  readonly shape: Shape;
  readonly data: readonly number[];
}

/** What may be named where a program is being written. */
interface Reach {
  readonly values: ProgramValue[];
  readonly references: ProgramReference[];
  /** The counters of the loops around, with their turns. */
  readonly counters: readonly { readonly counter: ProgramCounter; readonly times: number }[];
  readonly depth: number;
}

const shapes: readonly [Shape, ...Shape[]] = [[], [2], [3], [2, 2], [2, 3]];

/**
 * Program number `index` of the campaign that `seed` names: well-formed and terminating, a function of its arguments alone. What is written overlaps
 * what was read before and other views of it, in branches that depend on values, in loops, in procedures that get a location or a copy.
 */
export function programAt(profile: ProgramProfile, seed: number, index: number): DrawnProgram {
  const random = randomAt(seed, index);
  const drawn: number[] = [];
  const numbers = (shape: Shape): Numbers => ({
    shape,
    data: [...drawElements(random, sizeOf(shape), "special", drawn)],
  });
  const inputs = [oneOf(random, shapes), oneOf(random, shapes)];
  const stored = [oneOf(random, shapes)];
  const built = program((builder) => new Writer(random, profile, builder).write(inputs, stored));
  const world = Array.from({ length: MOST_RECEIVED }, () => numbers([2]));
  return {
    program: built,
    parameters: inputs.map(numbers),
    state: stored.map(numbers),
    generator: { key: [random.nextInt(0, 2 ** 31 - 1), random.nextInt(0, 2 ** 31 - 1)], drawn: 0 },
    received: new Map([["in", world]]),
    cotangents: entryOf(built).results.map(({ shape }) => numbers(shape)),
    tangents: [...inputs, ...stored].map(numbers),
  };
}

/**
 * A drawn program as a task: called once, and each fourth program once more with the same arguments over what that leaves. What a second call costs is
 * spent better on another program.
 */
export function taskAt(profile: ProgramProfile, seed: number, index: number): ProgramTask {
  const {
    program: drawn,
    parameters,
    state,
    generator,
    received,
    ...along
  } = programAt(profile, seed, index);
  const flat = ({ shape, data }: Numbers): FlatTensor => ({ shape, data: Float64Array.from(data) });
  const question = {
    program: drawn,
    point: { inputs: [...parameters, ...state].map(flat), environment: new Map() },
    generator,
    received: new Map([...received].map(([channel, tensors]) => [channel, tensors.map(flat)])),
    seeds: along.cotangents.map((cotangent, place) => ({ id: nodeId(place), cotangent: flat(cotangent) })),
  };
  const again = { parameters: parameters.map(flat), received: question.received, seeds: [] };
  return { case: question, calls: index % 4 === 0 ? [again] : [], tangents: along.tangents.map(flat) };
}

/** More than a program asks for: loops within loops have nine turns. */
const MOST_RECEIVED = 128;

/** Writes one program. Owns what is left to do. */
class Writer {
  readonly #random: Random;
  readonly #profile: ProgramProfile;
  readonly #builder: ProgramBuilder;
  #left: number;
  #grow: ProgramProcedure | undefined;
  #descend: ProgramProcedure | undefined;
  #smooth: ProgramProcedure | undefined;

  constructor(random: Random, profile: ProgramProfile, builder: ProgramBuilder) {
    this.#random = random;
    this.#profile = profile;
    this.#builder = builder;
    this.#left = profile.actions;
  }

  write(inputs: readonly Shape[], stored: readonly Shape[]): readonly ProgramOperand[] {
    const values = inputs.map((shape, i) => this.#builder.input(`x${i}`, shape));
    const references = stored.map((shape, i) => this.#builder.state(`s${i}`, shape));
    this.#declare();
    // Something that overlaps from the start.
    references.push(...values.map((value) => this.#builder.buffer(value)));
    const reach: Reach = { values, references, counters: [], depth: 0 };
    while (this.#left > 0) this.#act(reach);
    return [...reach.values.slice(-2), ...reach.references.slice(-3)];
  }

  /** Procedures that overwrite what they are given, that call themselves, and that are differentiated. */
  #declare(): void {
    const { procedure, call, if_, buffer } = this.#builder;
    this.#grow = procedure("grow", [{ name: "v", kind: "reference", shape: [2] }], (v) => {
      if ("isReference" in v) v.at(1).update("add", v.at(0));
      return [v];
    });
    const parameters = [
      { name: "n", kind: "value", shape: [] },
      { name: "w", kind: "reference", shape: [2] },
    ] as const;
    this.#descend = procedure(
      "descend",
      parameters,
      (n, w) => {
        if_(n, () => {
          if ("isReference" in w) w.update("multiply", n);
          call({ name: "descend", results: [] }, n.subtract(1), w);
        });
        return [];
      },
      [],
    );
    this.#smooth = procedure("smooth", [{ name: "u", kind: "value", shape: [2] }], (u) => {
      const b = buffer(u);
      b.at(0).update("multiply", u.sum({ axes: [0], keepdims: false }));
      return [b.multiply(u)];
    });
  }

  #act(reach: Reach): void {
    this.#left--;
    const simple = [
      () => this.#compute(reach),
      () => this.#compute(reach),
      () => this.#overwrite(reach),
      () => this.#overwrite(reach),
      () => this.#overwrite(reach),
      () => this.#look(reach),
      () => this.#look(reach),
      () => reach.references.push(this.#builder.buffer(this.#value(reach))),
      () => this.#save(reach),
      () => this.#rebind(reach),
      () => this.#mark(reach),
      () => this.#call(reach),
      () => this.#outside(reach),
    ];
    const blocks = [
      () => this.#branch(reach),
      () => this.#loop(reach),
      () => this.#loop(reach),
      () => this.#while(reach),
      ...this.#unlessLeftOut("no_grad", () => this.#builder.noGrad(() => this.#block(reach))),
      ...this.#unlessLeftOut("checkpoint", () => this.#builder.checkpoint(() => this.#block(reach))),
    ];
    const isBlock = reach.depth < 2 && happens(this.#random, 1, 4);
    const [first = () => {}, ...others] = isBlock ? blocks : simple;
    oneOf(this.#random, [first, ...others])();
  }

  #unlessLeftOut(kind: StatementKind, action: () => void): readonly (() => void)[] {
    return this.#profile.without?.includes(kind) === true ? [] : [action];
  }

  /** Some actions whose names end with them. */
  #block({ values, references, counters, depth }: Reach, more: Reach["counters"] = []): void {
    const inner: Reach = {
      values: [...values],
      references: [...references],
      counters: [...counters, ...more],
      depth: depth + 1,
    };
    const count = this.#random.nextInt(1, 4);
    for (let i = 0; i < count; i++) this.#act(inner);
  }

  #compute(reach: Reach): void {
    const x = this.#value(reach);
    const same = this.#ofShape(reach, x.shape);
    const linear = [
      () => x.add(same),
      () => x.subtract(same),
      () => x.multiply(same),
      () => x.maximum(same),
      () => x.negative(),
      () => x.relu(),
      () => x.square(),
      () => x.sum({ axes: x.shape.map((_, axis) => axis), keepdims: false }),
      () => x.permute_dims({ axes: x.shape.map((_, axis) => x.shape.length - 1 - axis) }),
      () => x.multiply(0.5),
    ];
    const smooth = [() => x.sin(), () => x.tanh(), () => x.exp(), () => x.divide(same), () => x.sigmoid()];
    const [first = () => x.negative(), ...others] = this.#profile.isExact ? linear : [...linear, ...smooth];
    reach.values.push(oneOf(this.#random, [first, ...others])());
  }

  #overwrite(reach: Reach): void {
    const target = this.#reference(reach);
    const [first, ...others]: [UpdateOperator, ...UpdateOperator[]] = this.#profile.isExact
      ? ["add", "subtract", "multiply", "maximum"]
      : ["add", "subtract", "multiply", "maximum", "divide", "minimum"];
    const { counters } = reach;
    const turn = counters[counters.length - 1];
    const value =
      turn !== undefined && target.shape.length === 0 && happens(this.#random, 1, 3)
        ? turn.counter
        : this.#ofShape(reach, target.shape);
    if (happens(this.#random, 1, 2)) target.write(value);
    else if (typeof value !== "number" && happens(this.#random, 1, 6)) {
      // Nothing divides by 0 here: over the rationals no condition could be decided behind it.
      target.update("divide", value.multiply(value).add(1));
    } else target.update(oneOf(this.#random, [first, ...others]), value);
  }

  /** Another view of a location, by the counter of a loop where there is one. */
  #look(reach: Reach): void {
    const reference = this.#reference(reach);
    const { shape } = reference;
    const [extent] = shape;
    const turn = reach.counters.find(({ times }) => extent !== undefined && times <= extent);
    if (turn !== undefined && happens(this.#random, 1, 2)) {
      reach.references.push(reference.at(turn.counter));
      return;
    }
    const starts = shape.map((length) => this.#random.nextInt(0, length - 1));
    const slice: Transform = {
      kind: "slice",
      starts,
      sizes: shape.map((length, axis) => this.#random.nextInt(1, length - (starts[axis] ?? 0))),
      steps: shape.map(() => 1),
    };
    const options: [Transform, ...Transform[]] = [
      slice,
      slice,
      { kind: "permute", axes: shape.map((_, axis) => shape.length - 1 - axis) },
      { kind: "reshape", shape: [sizeOf(shape)] },
      { kind: "reshape", shape: [1, ...shape] },
    ];
    if (shape.length === 2) options.push({ kind: "diagonal" });
    const how = oneOf(this.#random, options);
    reach.references.push(reference.view(how));
    // What was broadcast is read, and never written.
    if (happens(this.#random, 1, 4))
      reach.values.push(reference.view({ kind: "broadcast", shape: [2, ...shape] }).read());
  }

  /** A product read in place, then a write to the same location: over what was read, through another view of it, or beside it. */
  #save(reach: Reach): void {
    const long = reach.references.find(({ shape }) => (shape[0] ?? 0) > 1);
    const reference = long ?? this.#builder.buffer(this.#pair(reach));
    const [one, other] = [reference.at(this.#random.nextInt(0, 1)), reference.at(this.#random.nextInt(0, 1))];
    reach.values.push(one.multiply(one));
    other.update("add", 0.5);
  }

  #pair(reach: Reach): ProgramValue {
    const found = reach.values.find(({ shape }) => isSameShape(shape, [2]));
    return found ?? this.#builder.full({ shape: [2], value: 0.75 });
  }

  #rebind(reach: Reach): void {
    const name = this.#value(reach);
    const other = reach.values.find(
      (value) => value !== name && !("isCounter" in value) && isSameShape(value.shape, name.shape),
    );
    name.becomes(other ?? name.negative());
  }

  #mark(reach: Reach): void {
    const scratch = (): void => {
      const buffer = this.#builder.buffer(this.#value(reach));
      buffer.update("multiply", 2);
      reach.values.push(buffer.read());
      buffer.release();
    };
    const options = [
      ...this.#unlessLeftOut("detach", () => reach.values.push(this.#value(reach).detach())),
      ...this.#unlessLeftOut("detach", () => reach.references.push(this.#reference(reach).detached())),
      ...this.#unlessLeftOut("retain", () => this.#value(reach).retain()),
    ];
    const [first = scratch, ...others] = [...options, scratch];
    oneOf(this.#random, [first, ...others])();
  }

  #call(reach: Reach): void {
    const { call, derivative } = this.#builder;
    const pair = reach.references.find(({ shape }) => isSameShape(shape, [2]));
    const [grow, descend, smooth] = [this.#grow, this.#descend, this.#smooth];
    const die = this.#random.nextInt(0, 2);
    if (die === 0 && grow !== undefined && pair !== undefined) reach.values.push(...call(grow, pair));
    else if (die === 1 && descend !== undefined && pair !== undefined) {
      call(descend, this.#random.nextInt(0, 2), pair);
    } else if (smooth !== undefined) {
      const mode = oneOf(this.#random, ["vjp", "jvp"] as const);
      const [x, along] = [this.#ofShape(reach, [2]), this.#ofShape(reach, [2])];
      const given = [x, along].map((operand) =>
        typeof operand === "number" ? this.#builder.full({ shape: [2], value: operand }) : operand,
      );
      reach.values.push(derivative(smooth, { mode, of: 0, wrt: 0 }, ...given));
    }
  }

  #outside(reach: Reach): void {
    const { draw, receive, send } = this.#builder;
    const shape = oneOf(this.#random, shapes);
    const options = [
      () => reach.values.push(draw({ kind: "bernoulli", rate: 0.5 }, shape)),
      () => reach.values.push(draw({ kind: "uniform" }, shape)),
      () =>
        reach.values.push(
          draw({ kind: "bernoulli", rate: 0.25 }, shape, [reach.counters[0]?.counter ?? 7, 9]),
        ),
      () => reach.values.push(receive("in", [2])),
      () => send("out", this.#value(reach)),
    ] as const;
    oneOf(this.#random, [options[0], options[1], options[2], options[3], options[4]])();
  }

  #branch(reach: Reach): void {
    const condition = happens(this.#random, 1, 2) ? this.#scalar(reach).less(0.5) : this.#scalar(reach);
    this.#builder.if_(
      condition,
      () => this.#block(reach),
      () => {
        if (happens(this.#random, 1, 2)) this.#block(reach);
      },
    );
  }

  #loop(reach: Reach): void {
    const times = this.#random.nextInt(0, 3);
    this.#builder.for_(times, (counter) => this.#block(reach, [{ counter, times }]));
  }

  #while(reach: Reach): void {
    const left = this.#builder.full({ shape: [], value: this.#random.nextInt(0, 3) });
    this.#builder.while_(left, 4, () => {
      this.#block(reach);
      left.becomes(left.subtract(1));
    });
  }

  #value({ values }: Reach): ProgramValue {
    const [first, ...others] = values;
    return first === undefined
      ? this.#builder.full({ shape: [], value: 1 })
      : oneOf(this.#random, [first, ...others]);
  }

  #reference(reach: Reach): ProgramReference {
    const [first, ...others] = reach.references;
    return first === undefined
      ? this.#builder.buffer(this.#value(reach))
      : oneOf(this.#random, [first, ...others]);
  }

  /** Something of this shape: a location read in place, a value, or a number for all elements. */
  #ofShape({ values, references }: Reach, shape: Shape): ProgramOperand {
    const fitting = [...references, ...references, ...values].filter((one) => isSameShape(one.shape, shape));
    const [first, ...others] = fitting;
    if (first === undefined || happens(this.#random, 1, 8)) return this.#random.nextInt(-8, 8) / 4;
    return oneOf(this.#random, [first, ...others]);
  }

  #scalar(reach: Reach): ProgramValue {
    const x = this.#value(reach);
    return x.sum({ axes: x.shape.map((_, axis) => axis), keepdims: false });
  }
}
