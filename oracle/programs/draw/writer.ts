import type { Random } from "fast-check";
import type {
  ProgramBuilder,
  ProgramOperand,
  ProgramReference,
  ProgramValue,
} from "../../../spec/program_builder/index.ts";
import type { StatementKind, Transform, UpdateOperator } from "../../../spec/programs/index.ts";
import { isSameShape, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { happens, oneOf } from "../../random/index.ts";
import { writeError, writeIdiom } from "./idioms.ts";
import {
  anyReference,
  anyScalar,
  anyValue,
  backwards,
  has,
  pair,
  type Reach,
  see,
  type Writing,
} from "./reach.ts";

/** A program is given, and draws, tensors of these shapes. */
export const shapes: readonly [Shape, ...Shape[]] = [[], [2], [3], [2, 2], [2, 3]];

/** A loop that counts down takes less fuel than this. */
const FUEL = 4;

/** A program never fails, always at its end, or in the midst of calls whose last input is 2, not 0 or 1. */
export type Failing = "never" | "always" | "if told";

/** Writes one program. Owns what is left to do. */
export class Writer {
  readonly #writing: Writing;
  #left: number;

  constructor(writing: Writing) {
    this.#writing = writing;
    this.#left = writing.profile.actions;
  }

  get #random(): Random {
    return this.#writing.random;
  }

  get #builder(): ProgramBuilder {
    return this.#writing.builder;
  }

  /** Writes the entry's body, with an error where it is to fail, and returns its results. */
  write(inputs: readonly Shape[], stored: readonly Shape[], fails: Failing): readonly ProgramOperand[] {
    const values = inputs.map((shape, i) => this.#builder.input(`x${i}`, shape));
    const persistent = stored.flatMap((shape, i) => this.#stored(shape, `s${i}`, `t${i}`));
    // A location for each input gives the first statements something to write to.
    const references = [...persistent, ...values.map((value) => this.#builder.buffer(value))];
    const reach: Reach = { values, references, persistent, counters: [], depth: 0, isInLoop: false };
    if (fails === "if told") this.#failIfTold(reach);
    while (this.#left > 0) this.#act(reach);
    if (fails === "always") writeError(this.#writing, reach);
    return [...reach.values.slice(-2), ...reach.references.slice(-3)];
  }

  /** Declares a persistent location, and in half of the programs another name of it or of a part. */
  #stored(shape: Shape, name: string, other: string): readonly ProgramReference[] {
    const location = this.#builder.state(name, shape);
    if (happens(this.#random, 1, 2)) return [location];
    const options: readonly [readonly Transform[], ...(readonly Transform[])[]] = [
      [],
      [{ kind: "permute", axes: shape.map((_, axis) => shape.length - 1 - axis) }],
      [{ kind: "reshape", shape: [sizeOf(shape)] }],
      [
        { kind: "reshape", shape: [sizeOf(shape)] },
        { kind: "slice", starts: [Math.min(1, sizeOf(shape) - 1)], sizes: [1], steps: [1] },
      ],
    ];
    return [location, this.#builder.alias(other, location, ...oneOf(this.#random, options))];
  }

  /** Does half of what is left, and then writes to the place of a pair that another input says. */
  #failIfTold(reach: Reach): void {
    const place = this.#builder.input("place", []);
    const half = this.#left >> 1;
    while (this.#left > half) this.#act(reach);
    const row = this.#builder.buffer(this.#builder.full({ shape: [2], value: 0.5 }));
    row.at(this.#builder.index(place)).write(anyScalar(this.#writing, reach));
    reach.references.push(row);
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
      () => reach.references.push(this.#builder.buffer(anyValue(this.#writing, reach))),
      () => this.#save(reach),
      () => this.#rebind(reach),
      () => this.#mark(reach),
      () => this.#call(reach),
      () => this.#outside(reach),
      () => writeIdiom(this.#writing, reach),
      () => writeIdiom(this.#writing, reach),
      () => writeIdiom(this.#writing, reach),
      () => writeIdiom(this.#writing, reach),
      () => writeIdiom(this.#writing, reach),
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
    return has(this.#writing, kind) ? [action] : [];
  }

  /** Writes a block of some statements, whose names end with it. */
  #block(
    { values, references, persistent, counters, depth, isInLoop }: Reach,
    loop?: Reach["counters"],
  ): void {
    const inner: Reach = {
      persistent,
      values: [...values],
      references: [...references],
      counters: [...counters, ...(loop ?? [])],
      depth: depth + 1,
      isInLoop: isInLoop || loop !== undefined,
    };
    const count = this.#random.nextInt(1, 4);
    for (let i = 0; i < count; i++) this.#act(inner);
  }

  #compute(reach: Reach): void {
    const x = anyValue(this.#writing, reach);
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
    const [first = () => x.negative(), ...others] = this.#writing.profile.isExact
      ? linear
      : [...linear, ...smooth];
    reach.values.push(oneOf(this.#random, [first, ...others])());
  }

  #overwrite(reach: Reach): void {
    const target = anyReference(this.#writing, reach);
    const { counters } = reach;
    const turn = counters[counters.length - 1];
    const value =
      turn !== undefined && target.shape.length === 0 && happens(this.#random, 1, 3)
        ? turn.counter
        : this.#ofShape(reach, target.shape);
    if (target.shape.length > 0 && happens(this.#random, 1, 4)) this.#overwritePart(reach, target);
    else if (happens(this.#random, 1, 2)) target.write(value);
    else if (typeof value !== "number" && happens(this.#random, 1, 6)) {
      // No divisor is 0: over the rationals no later condition could be decided.
      target.update("divide", value.multiply(value).add(1));
    } else target.update(oneOf(this.#random, this.#updates()), value);
  }

  /** Returns the operators that are drawn: no division, over the rationals, which could be one by 0. */
  #updates(): readonly [UpdateOperator, ...UpdateOperator[]] {
    return this.#writing.profile.isExact
      ? ["add", "subtract", "multiply", "maximum"]
      : ["add", "subtract", "multiply", "maximum", "divide", "minimum"];
  }

  /** Overwrites or updates rows, some of them perhaps twice, or where a mask is not 0. */
  #overwritePart(reach: Reach, target: ProgramReference): void {
    const [extent = 1, ...rest] = target.shape;
    if (happens(this.#random, 1, 4)) {
      this.#scatter(reach, target);
      return;
    }
    if (happens(this.#random, 1, 2)) {
      const mask = this.#ofShape(reach, target.shape);
      const isFilled = happens(this.#random, 1, 2);
      target.writeWhere(
        mask,
        isFilled ? anyScalar(this.#writing, reach) : this.#ofShape(reach, target.shape),
        oneOf(this.#random, [undefined, undefined, ...this.#updates()]),
      );
      return;
    }
    const turn = reach.counters.find(({ times }) => times <= extent);
    const rows = Array.from({ length: this.#random.nextInt(1, 3) }, () =>
      turn !== undefined && happens(this.#random, 1, 4) ? turn.counter : this.#random.nextInt(0, extent - 1),
    );
    const op = oneOf(this.#random, [undefined, "add", "add", "multiply", "maximum"] as const);
    target.writeRows(rows, this.#ofShape(reach, [rows.length, ...rest]), op);
  }

  /** Writes the elements of a row, some of which may be left over, where something is more than ±0.3. */
  #scatter(reach: Reach, target: ProgramReference): void {
    const [mask, source] = [this.#tensorOf(reach, target.shape), this.#tensorOf(reach, target.shape)];
    const how = { shape: [sizeOf(target.shape)] };
    const row = "isReference" in source ? source.view({ kind: "reshape", ...how }) : source.reshape(how);
    const given = happens(this.#random, 1, 3) ? row.concat(row, { axis: 0 }) : row;
    const op = oneOf(this.#random, [undefined, undefined, ...this.#updates()]);
    target.writeScatter(mask.greater(happens(this.#random, 1, 2) ? 0.3 : -0.3), given, op);
  }

  #tensorOf(reach: Reach, shape: Shape): ProgramValue | ProgramReference {
    const found = this.#ofShape(reach, shape);
    const isScalar = typeof found === "number" || "isCounter" in found;
    return isScalar ? this.#builder.full({ shape, value: 1 }) : found;
  }

  /** Returns another view of a location, by the counter of a loop if there is one. */
  #look(reach: Reach): void {
    const reference = anyReference(this.#writing, reach);
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
    if (shape.length >= 2) options.push({ kind: "diagonal" }, this.#diagonalOf(shape));
    if (shape.length >= 1) options.push(this.#windowsOf(shape));
    if (shape.length === 1) options.push(this.#stridesOver(extent ?? 0));
    see(reach, reference, happens(this.#random, 1, 12) ? backwards(shape) : oneOf(this.#random, options));
    // A broadcast view is read, and never written.
    if (happens(this.#random, 1, 4))
      reach.values.push(reference.view({ kind: "broadcast", shape: [2, ...shape] }).read());
  }

  /** Draws a diagonal beside the main one, or of two axes of several. */
  #diagonalOf(shape: Shape): Transform {
    const last = shape.length - 1;
    const [row, column] = oneOf(this.#random, [
      [0, 1] as const,
      [last - 1, last] as const,
      [last, 0] as const,
    ]);
    const [rows = 1, columns = 1] = [shape[row], shape[column]];
    return { kind: "diagonal", offset: this.#random.nextInt(1 - rows, columns - 1), axes: [row, column] };
  }

  #windowsOf(shape: Shape): Transform {
    const axis = this.#random.nextInt(0, shape.length - 1);
    const size = this.#random.nextInt(1, shape[axis] ?? 1);
    return { kind: "unfold", axis, size, step: this.#random.nextInt(1, 3) };
  }

  /** Draws strides over so many elements in a row: overlapping windows, every other element, or one. */
  #stridesOver(extent: number): Transform {
    const [outer, inner] = [this.#random.nextInt(1, 3), this.#random.nextInt(1, 2)];
    const start = this.#random.nextInt(0, extent - 1);
    const left = extent - 1 - start;
    const first = this.#random.nextInt(0, Math.floor(left / outer));
    const second = this.#random.nextInt(0, Math.floor((left - first * outer) / inner));
    return { kind: "strided", start, shape: [1 + first, 1 + second], strides: [outer, inner] };
  }

  /** Saves a product read in place, then writes over what was read, through another view, or beside it. */
  #save(reach: Reach): void {
    const long = reach.references.find(({ shape }) => (shape[0] ?? 0) > 1);
    const reference = long ?? this.#builder.buffer(pair(this.#writing, reach));
    const [one, other] = [reference.at(this.#random.nextInt(0, 1)), reference.at(this.#random.nextInt(0, 1))];
    reach.values.push(one.multiply(one));
    other.update("add", 0.5);
  }

  #rebind(reach: Reach): void {
    const name = anyValue(this.#writing, reach);
    const other = reach.values.find(
      (value) => value !== name && !("isCounter" in value) && isSameShape(value.shape, name.shape),
    );
    name.becomes(other ?? name.negative());
  }

  #mark(reach: Reach): void {
    const scratch = (): void => {
      const buffer = this.#builder.buffer(anyValue(this.#writing, reach));
      buffer.update("multiply", 2);
      reach.values.push(buffer.read());
      buffer.release();
    };
    const options = [
      ...this.#unlessLeftOut("detach", () => reach.values.push(anyValue(this.#writing, reach).detach())),
      ...this.#unlessLeftOut("detach", () =>
        reach.references.push(anyReference(this.#writing, reach).detached()),
      ),
      ...this.#unlessLeftOut("retain", () => anyValue(this.#writing, reach).retain()),
    ];
    const [first = scratch, ...others] = [...options, scratch];
    oneOf(this.#random, [first, ...others])();
  }

  #call(reach: Reach): void {
    const { call, derivative } = this.#builder;
    const { grow, descend, smooth } = this.#writing.procedures;
    const two = reach.references.find(({ shape }) => isSameShape(shape, [2]));
    const die = this.#random.nextInt(0, 2);
    if (die === 0 && two !== undefined) reach.values.push(...call(grow, two));
    else if (die === 1 && two !== undefined) {
      call(descend, this.#random.nextInt(0, 2), two);
    } else {
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
    const key = [reach.counters[0]?.counter ?? 7, 9] as const;
    const options = [
      ...this.#unlessLeftOut("draw", () => reach.values.push(draw({ kind: "bernoulli", rate: 0.5 }, shape))),
      ...this.#unlessLeftOut("draw", () => reach.values.push(draw({ kind: "uniform" }, shape))),
      ...this.#unlessLeftOut("draw", () =>
        reach.values.push(draw({ kind: "bernoulli", rate: 0.25 }, shape, key)),
      ),
      ...this.#unlessLeftOut("receive", () => reach.values.push(receive("in", [2]))),
      ...this.#unlessLeftOut("send", () => send("out", anyValue(this.#writing, reach))),
    ];
    const [first = () => this.#compute(reach), ...others] = options;
    oneOf(this.#random, [first, ...others])();
  }

  #branch(reach: Reach): void {
    const condition = happens(this.#random, 1, 2)
      ? anyScalar(this.#writing, reach).less(0.5)
      : anyScalar(this.#writing, reach);
    const isLeft = reach.isInLoop && has(this.#writing, "break") && happens(this.#random, 1, 2);
    this.#builder.if_(
      condition,
      () => {
        this.#block(reach);
        if (isLeft) this.#builder.break_();
      },
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
    this.#builder.while_(left, FUEL, () => {
      this.#block(reach, []);
      left.becomes(left.subtract(1));
    });
  }

  /** Returns something of this shape: a location read in place, a value, or a number for all elements. */
  #ofShape({ values, references }: Reach, shape: Shape): ProgramOperand {
    const fitting = [...references, ...references, ...values].filter((one) => isSameShape(one.shape, shape));
    const [first, ...others] = fitting;
    if (first === undefined || happens(this.#random, 1, 8)) return this.#random.nextInt(-8, 8) / 4;
    return oneOf(this.#random, [first, ...others]);
  }
}
