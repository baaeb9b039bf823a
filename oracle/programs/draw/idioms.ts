import { happens, oneOf } from "../../random/index.ts";
import { anyScalar, anyValue, has, pair, pairReference, type Reach, type Writing } from "./reach.ts";

/** An idiom is a few statements that stand together in real programs, and where memory matters. */
type Idiom = (writing: Writing, reach: Reach) => void;

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

/** A procedure is differentiated with respect to one of its two parameters. */
const derived: Idiom = (writing, reach) => {
  const { builder, procedures, random } = writing;
  const mode = oneOf(random, ["vjp", "jvp"] as const);
  const operands = [pair(writing, reach), pairReference(writing, reach), pair(writing, reach)];
  const wrt = happens(random, 1, 2) ? 0 : 1;
  reach.values.push(builder.derivative(procedures.product, { mode, of: 0, wrt }, ...operands));
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

/** Writes a few statements in which memory matters. */
export function writeIdiom(writing: Writing, reach: Reach): void {
  const idioms: [Idiom, ...Idiom[]] = [
    copied,
    freed,
    sent,
    broadcast,
    decided,
    given,
    derived,
    exhausted,
    returned,
    nearly,
  ];
  if (has(writing, "checkpoint")) idioms.push(checkpointed);
  if (has(writing, "no_grad")) idioms.push(constant);
  oneOf(writing.random, idioms)(writing, reach);
}

/** Ends a program with an error: it reads a freed location, or a loop lacks fuel for its last turn. */
export function writeError(writing: Writing, reach: Reach): void {
  const { builder, random } = writing;
  if (happens(random, 1, 2)) {
    const freedOne = builder.buffer(anyValue(writing, reach));
    freedOne.release();
    reach.values.push(freedOne.read());
    return;
  }
  const turns = random.nextInt(1, 3);
  const left = builder.full({ shape: [], value: turns });
  builder.while_(left, turns - 1, () => left.becomes(left.subtract(1)));
}
