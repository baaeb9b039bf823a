import { sizeOf } from "../../../spec/shapes/index.ts";
import { happens, oneOf } from "../../random/index.ts";
import { writeHooked, writeMarked, writeSaid } from "./custom.ts";
import {
  anyScalar,
  anyValue,
  backwards,
  has,
  pair,
  pairReference,
  type Reach,
  type Writing,
} from "./reach.ts";

/** An idiom is a few statements that stand together in real programs, and where memory matters. */
type Idiom = (writing: Writing, reach: Reach) => void;

const six = { shape: [6], value: 0.75 } as const;

/** A copy is made of a location, and one of the two is overwritten. */
const copied: Idiom = ({ builder }, reach) => {
  const source = reach.references.find(({ shape }) => shape.length > 0) ?? builder.buffer(1);
  const copy = builder.buffer(source);
  source.update("add", 1.5);
  reach.references.push(copy);
};

/** A copy is freed, and what it was a copy of is read. */
const freed: Idiom = (writing, reach) => {
  const source = pairReference(writing, reach);
  writing.builder.buffer(source).release();
  reach.values.push(source.add(1));
};

/** A location is sent, and then overwritten. */
const sent: Idiom = (writing, reach) => {
  const b = pairReference(writing, reach);
  writing.builder.send("out", b);
  b.update("multiply", 0.5);
};

/** A location is overwritten, and then read through a broadcast view. */
const broadcast: Idiom = (writing, reach) => {
  const b = pairReference(writing, reach);
  const rows = b.view({ kind: "broadcast", shape: [2, 2] });
  b.update("add", 0.25);
  reach.values.push(rows.read());
};

/** A location is overwritten through windows side by side, and then read through windows that overlap. */
const windowed: Idiom = ({ builder, random }, reach) => {
  const long = reach.references.find(({ shape }) => sizeOf(shape) >= 4) ?? builder.buffer(builder.full(six));
  const row = long.view({ kind: "reshape", shape: [sizeOf(long.shape)] });
  const step = random.nextInt(2, 3);
  const size = random.nextInt(1, step - 1);
  const beside = row.view({ kind: "unfold", axis: 0, size, step });
  if (happens(random, 1, 2)) beside.update("multiply", 2);
  else beside.update("multiply", beside);
  const over = row.view({ kind: "unfold", axis: 0, size: 3, step: 1 });
  reach.values.push(over.sum({ axes: [1], keepdims: false }));
  reach.references.push(beside);
};

/** A diagonal of three axes is of two of these. */
const batchAxes: readonly [Axes, ...Axes[]] = [
  [0, 1],
  [1, 2],
  [2, 0],
  [2, 1],
];
type Axes = readonly [number, number];

/** A batch of matrices is overwritten along diagonals, some backwards or beside the main ones, and read. */
const slanted: Idiom = (writing, reach) => {
  const { builder, random } = writing;
  const filled = pair(writing, reach).broadcast_to({ shape: [2, random.nextInt(2, 3), 2] });
  const batch = builder.buffer(filled);
  const axes = oneOf(random, batchAxes);
  const diagonals = batch.view({ kind: "diagonal", offset: random.nextInt(-1, 1), axes });
  const seen = happens(random, 1, 2) ? diagonals : diagonals.view(backwards(diagonals.shape));
  const die = random.nextInt(0, 2);
  if (die === 0) seen.write(builder.full({ shape: seen.shape, value: 0.5 }));
  else seen.update("multiply", die === 1 ? seen : 2);
  reach.values.push(batch.sum({ axes: [random.nextInt(0, 2)], keepdims: false }));
  reach.references.push(seen);
};

/** A view of a persistent location is handed back by a procedure, and then overwritten. */
const handedBack: Idiom = (writing, reach) => {
  const { builder, procedures, random } = writing;
  const whole = reach.persistent.find(({ shape }) => sizeOf(shape) >= 2);
  if (whole === undefined) return;
  const size = sizeOf(whole.shape);
  const row = whole.view({ kind: "reshape", shape: [size] });
  const start = random.nextInt(0, 1);
  const stride = size > 2 && start === 0 ? 2 : 1;
  // Strides are counted over the view that they are of, which may begin elsewhere than its location.
  const seen =
    size > 2 ? row.view({ kind: "slice", starts: [start], sizes: [size - start], steps: [1] }) : row;
  const view = size === 2 ? row : seen.view({ kind: "strided", start: 0, shape: [2], strides: [stride] });
  reach.values.push(...builder.call(procedures.same, view));
  view.update("add", view);
};

/** A persistent location is read under one of its names, overwritten under another, and read again. */
const renamed: Idiom = ({ builder, random }, { persistent, values }) => {
  const [first, second] = persistent;
  if (first === undefined) return;
  const other = second ?? first;
  const [read, written] = happens(random, 1, 2) ? [first, other] : [other, first];
  values.push(read.multiply(read));
  if (happens(random, 1, 2)) written.update("multiply", 2);
  else written.write(builder.multiply(written, written));
  values.push(read.read());
};

/** In each turn a number says which place of a location is written, and then changes. */
const placed: Idiom = (writing, reach) => {
  const { builder, random } = writing;
  const long = reach.references.find(({ shape }) => (shape[0] ?? 0) >= 3);
  const row = long ?? builder.buffer(builder.full({ shape: [3], value: 0.5 }));
  const bit = builder.buffer(pairReference(writing, reach).at(0).less(0.25));
  const isOne = happens(random, 1, 2);
  const value = anyScalar(writing, reach);
  builder.for_(2, (turn) => {
    const place = builder.index(bit.add(turn));
    bit.write(0);
    if (isOne) row.at(place).update("multiply", row.at(2));
    else row.writeRows([place, random.nextInt(0, 2), place], value, "add");
  });
};

/** A location decides a branch, and is overwritten so that it would decide otherwise. */
const decided: Idiom = (writing, reach) => {
  const { builder, random } = writing;
  const condition = builder.buffer(anyScalar(writing, reach));
  const target = pairReference(writing, reach);
  builder.if_(
    condition,
    () => target.update("multiply", target),
    () => target.update("multiply", 3),
  );
  condition.write(happens(random, 1, 2) ? 0 : 1);
};

/** A location is passed where a procedure wants a value. */
const given: Idiom = (writing, reach) => {
  const { builder, procedures } = writing;
  reach.values.push(...builder.call(procedures.square, pairReference(writing, reach)));
};

/** A procedure gets two references to one location, which see the same elements, some of them, or others. */
const shared: Idiom = (writing, reach) => {
  const { builder, procedures, random } = writing;
  const whole = builder.buffer(builder.concat(pair(writing, reach), pair(writing, reach), { axis: 0 }));
  const from = (start: number) => whole.view({ kind: "slice", starts: [start], sizes: [2], steps: [1] });
  const second = random.nextInt(0, 2);
  reach.values.push(...builder.call(procedures.blend, from(random.nextInt(0, 1)), from(second)));
  reach.references.push(whole);
};

/** A location whose elements are saved is given away, and overwritten by who gets it. */
const donated: Idiom = (writing, reach) => {
  const { builder, procedures } = writing;
  const own = builder.buffer(pair(writing, reach));
  reach.values.push(own.multiply(own));
  reach.values.push(...builder.call(procedures.consume, own));
};

/** A procedure is differentiated with respect to one of its two parameters. */
const derived: Idiom = (writing, reach) => {
  const { builder, procedures, random } = writing;
  const mode = oneOf(random, ["vjp", "jvp"] as const);
  const operands = [pair(writing, reach), pairReference(writing, reach), pair(writing, reach)];
  const wrt = happens(random, 1, 3) ? 0 : 1;
  reach.values.push(builder.derivative(procedures.product, { mode, of: 0, wrt }, ...operands));
};

/** The places of a call that are differentiated by where two of its references see one location, or else. */
const byOne: readonly [Places, ...Places[]] = [[0], [2], [1, 2]];
const byTwo: readonly [Places, ...Places[]] = [[0, 1], [2, 1], [0]];
/** The places that are differentiated: its result, and behind it what it leaves. */
const ofThese: readonly [Places, ...Places[]] = [[0, 1], [2, 0], [1], [2, 1]];
type Places = readonly number[];

/** A call that overwrites two locations, or one by two names, is differentiated by them and of them. */
const stepped: Idiom = (writing, reach) => {
  const { builder, procedures, random } = writing;
  const w = pairReference(writing, reach);
  const v = happens(random, 1, 2) ? w : builder.buffer(pair(writing, reach));
  const mode = oneOf(random, ["vjp", "jvp"] as const);
  // Two names of one location see its elements both, by which the call is then not differentiated.
  const wrt = v === w ? oneOf(random, byOne) : oneOf(random, byTwo);
  const of = oneOf(random, ofThese);
  const along = (mode === "vjp" ? of : wrt).map((_, i) => (i === 0 ? pair(writing, reach) : w));
  const how = { mode, of, wrt, along };
  reach.values.push(...builder.derivedCall(procedures.advance, how, w, v, pair(writing, reach)));
  reach.references.push(v);
};

/** A checkpointed block multiplies by a drawn or received factor, which the sweep needs again. */
const checkpointed: Idiom = (writing, reach) => {
  const { builder, random } = writing;
  const target = pairReference(writing, reach);
  const isDrawn = happens(random, 1, 2);
  builder.checkpoint(() => {
    const factor = isDrawn ? builder.draw({ kind: "uniform" }, [2]) : builder.receive("in", [2]);
    target.update("multiply", factor);
    target.update("multiply", target);
  });
};

/** A value that is made under no_grad outlives the block. */
const constant: Idiom = (writing, reach) => {
  const { builder, procedures } = writing;
  const source = pairReference(writing, reach);
  const outer = pair(writing, reach).multiply(2);
  builder.noGrad(() => {
    const [copy = outer] = builder.call(procedures.same, builder.buffer(source));
    outer.becomes(copy);
  });
  reach.values.push(outer);
};

/** A step of descent: under no_grad, a procedure's derivative at a location overwrites it. */
const descended: Idiom = (writing, reach) => {
  const { builder, procedures } = writing;
  const [target, along] = [pairReference(writing, reach), pair(writing, reach)];
  builder.noGrad(() => {
    target.write(builder.derivative(procedures.smooth, { mode: "vjp", of: 0, wrt: 0 }, target, along));
  });
};

/** A saved operand is overwritten through a detached reference, as PyTorch's users do by `x.data`. */
const unseen: Idiom = (writing, reach) => {
  const b = pairReference(writing, reach);
  reach.values.push(b.multiply(b));
  b.detached().update("add", 0.5);
};

/** A loop gathers the entries of a location, each read by the counter, until one is small. */
const gathered: Idiom = (writing, reach) => {
  const { builder } = writing;
  const [source, total] = [pairReference(writing, reach), builder.buffer(0.5)];
  builder.for_(2, (turn) => {
    const entry = source.at(turn);
    total.update("multiply", entry);
    if (has(writing, "break")) builder.if_(entry.less(0.25), () => builder.break_());
  });
  reach.references.push(total);
};

/** A procedure may return from within a loop, and from within a branch where it is differentiated. */
const leaving: Idiom = (writing, reach) => {
  const { builder, procedures } = writing;
  const [target, along] = [pairReference(writing, reach), pair(writing, reach)];
  reach.values.push(...builder.call(procedures.seek, target));
  const asked = { mode: "vjp", of: 0, wrt: 0 } as const;
  reach.values.push(builder.derivative(procedures.bent, asked, target, along));
};

/** A loop ends by its condition with the last of its fuel. */
const exhausted: Idiom = (writing, reach) => {
  const { builder, random } = writing;
  const turns = random.nextInt(1, 3);
  const left = builder.full({ shape: [], value: turns });
  const target = pairReference(writing, reach);
  builder.while_(left, turns, () => {
    target.update("add", target.at(0));
    left.becomes(left.subtract(1));
  });
};

/** A procedure goes on after it has called itself. */
const returned: Idiom = (writing, reach) => {
  const { builder, procedures, random } = writing;
  builder.call(procedures.ascend, random.nextInt(0, 3), pairReference(writing, reach));
};

/** A number near 0, or 0 itself, decides a branch. */
const nearly: Idiom = (writing, reach) => {
  const { builder, random } = writing;
  const condition = builder.full({ shape: [], value: oneOf(random, [0.5, -0.25, 0, -1] as const) });
  const target = pairReference(writing, reach);
  builder.if_(
    condition,
    () => target.update("multiply", 2),
    () => target.update("multiply", target),
  );
};

/** A value is retained in each turn of a loop, and weighs differently in each. */
const retained: Idiom = (writing, reach) => {
  const { builder } = writing;
  const target = pairReference(writing, reach);
  builder.for_(2, () => {
    const product = target.multiply(target);
    product.retain();
    target.update("add", product);
  });
};

/** Writes a few statements in which memory matters. */
export function writeIdiom(writing: Writing, reach: Reach): void {
  const idioms: [Idiom, ...Idiom[]] = [
    copied,
    freed,
    ...(has(writing, "send") ? [sent] : []),
    broadcast,
    windowed,
    slanted,
    handedBack,
    renamed,
    placed,
    decided,
    given,
    shared,
    donated,
    derived,
    gathered,
    leaving,
    exhausted,
    returned,
    nearly,
  ];
  if (has(writing, "custom")) idioms.push(writeSaid, writeMarked);
  if (has(writing, "hook")) idioms.push(writeHooked);
  if (has(writing, "checkpoint")) idioms.push(checkpointed);
  if (has(writing, "differentiate_call")) idioms.push(stepped);
  if (has(writing, "detach")) idioms.push(unseen);
  if (has(writing, "retain")) idioms.push(retained);
  if (has(writing, "no_grad")) idioms.push(constant, descended);
  oneOf(writing.random, idioms)(writing, reach);
}

/**
 * Ends a program with an error: it reads a location that was freed or given away, writes through windows that
 * overlap, or a loop lacks fuel for its last turn.
 */
export function writeError(writing: Writing, reach: Reach): void {
  const { builder, random, procedures } = writing;
  const die = random.nextInt(0, 2);
  if (die === 0) {
    const row = builder.buffer(builder.full({ shape: [3], value: 0.5 }));
    builder.call(procedures.double, row.view({ kind: "unfold", axis: 0, size: 2, step: 1 }));
    return;
  }
  if (die === 1) {
    const isGiven = happens(random, 1, 2);
    const gone = builder.buffer(isGiven ? pair(writing, reach) : anyValue(writing, reach));
    if (isGiven) builder.call(procedures.consume, gone);
    else gone.release();
    reach.values.push(gone.read());
    return;
  }
  const turns = random.nextInt(1, 3);
  const left = builder.full({ shape: [], value: turns });
  builder.while_(left, turns - 1, () => left.becomes(left.subtract(1)));
}
