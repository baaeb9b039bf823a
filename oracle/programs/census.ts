import { type Hazard, hazardsOf, type Recording, readsInPlace } from "../../reference/state/index.ts";
import { entryOf } from "../../spec/documents/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import {
  type Block,
  blocksOf,
  type Program,
  type Statement,
  startsOf,
  statementKinds,
  statementsIn,
  type Transform,
} from "../../spec/programs/index.ts";

const structures = [
  "slice",
  "permute",
  "diagonal",
  "unfold",
  "strided",
  "broadcast",
  "reshape",
  "a diagonal beside the main one",
  "diagonals of a batch",
  "a write beside a main diagonal",
  "a view backwards",
  "a write backwards",
  "windows that overlap",
  "a write through windows",
  "a view of a persistent location handed back and then written",
  "a row written twice at once",
  "an update under a mask",
  "an update by a row under a mask",
  "a persistent location with another name",
  "a persistent location written under one name and read under another",
  "a view of a view",
  "a view by a counter",
  "a write in a loop",
  "a write in a branch",
  "a write under no_grad",
  "a derivative under no_grad",
  "two views of a location written in turn",
  "a location read in place after a write",
  "a saved operand overwritten",
  "a saved operand overwritten through another view",
  "a write beside what was saved",
  "a call by reference",
  "a call with references to one location",
  "a location given away",
  "a recursion",
  "a recursion with work behind the call",
  "a location given as a value",
  "a derivative by the second parameter",
  "a draw under checkpoint",
  "a receipt under checkpoint",
  "a branch not taken",
  "a break within blocks of its loop",
  "a derivative of what may return early",
  "a function that marks what it overwrites",
  "a function that saves what its derivative reads in place",
  "a function with a derivative of its own, differentiated within",
  "a call differentiated by a location",
  "a call differentiated of what it leaves in a location",
  "a call differentiated whose results are not all meant",
  "a call differentiated with references to one location",
  "control flow that depends on an input",
] as const;

/** A structure is a kind of statement, a kind of view, or something that memory makes possible. */
export type ProgramStructure = `statement ${Statement["do"]}` | (typeof structures)[number];

/** These structures are all that is counted. */
export const programStructures: readonly ProgramStructure[] = [
  ...statementKinds.map((kind): ProgramStructure => `statement ${kind}`),
  ...structures,
];

/**
 * Lists the structures of a program and one run of it; `isStatic` if one graph serves all points. Cost:
 * linear in both, and in the pairs of reads and writes of one memory.
 */
export function structuresOf<S>(
  program: Program,
  recording: Recording<S>,
  isStatic: boolean,
): ReadonlySet<ProgramStructure> {
  const found = new Set<ProgramStructure>();
  for (const { body } of program.procedures) countBlock(body, found, new Set());
  countHandedBack(program, found);
  countOtherNames(program, found);
  countRun(recording, found);
  if (!isStatic) found.add("control flow that depends on an input");
  return found;
}

/** A statement stands within these. */
type Around = ReadonlySet<"loop" | "branch" | "no_grad" | "checkpoint">;

function countBlock(block: Block, found: Set<ProgramStructure>, around: Around): void {
  const views = new Map<string, Transform>();
  for (const statement of block) {
    found.add(`statement ${statement.do}`);
    countStatement(statement, found, around, views);
    const own = surroundingOf(statement);
    for (const [, inner] of blocksOf(statement))
      countBlock(inner, found, own === undefined ? around : new Set([...around, own]));
  }
}

function surroundingOf({ do: kind }: Statement): "loop" | "branch" | "no_grad" | "checkpoint" | undefined {
  if (kind === "for" || kind === "while") return "loop";
  if (kind === "if") return "branch";
  return kind === "no_grad" || kind === "checkpoint" ? kind : undefined;
}

function countStatement(
  statement: Statement,
  found: Set<ProgramStructure>,
  around: Around,
  views: Map<string, Transform>,
): void {
  switch (statement.do) {
    case "view":
      if (views.has(statement.of)) found.add("a view of a view");
      views.set(statement.name, statement.how);
      countTransform(statement.how, found);
      return;
    case "write_where":
      if (statement.op !== undefined) found.add("an update under a mask");
      return;
    case "write_scatter":
      if (statement.op !== undefined) found.add("an update by a row under a mask");
      return;
    case "write_rows":
      if (new Set(statement.rows).size < statement.rows.length) found.add("a row written twice at once");
      return;
    case "write":
    case "update":
      countWritten(views.get(statement.to), found);
      if (around.has("loop")) found.add("a write in a loop");
      if (around.has("branch")) found.add("a write in a branch");
      if (around.has("no_grad")) found.add("a write under no_grad");
      return;
    case "call":
      if (statement.procedure === "grow") found.add("a call by reference");
      if (statement.procedure === "blend") found.add("a call with references to one location");
      if (statement.procedure === "consume") found.add("a location given away");
      if (statement.procedure === "descend") found.add("a recursion");
      if (statement.procedure === "ascend") found.add("a recursion with work behind the call");
      if (statement.procedure === "square") found.add("a location given as a value");
      return;
    case "custom":
      if (statement.procedure === "swelled" || statement.procedure === "taken")
        found.add("a function that marks what it overwrites");
      if (statement.derivative === "bowed_in_place")
        found.add("a function that saves what its derivative reads in place");
      return;
    case "differentiate":
      if (statement.procedure === "own")
        found.add("a function with a derivative of its own, differentiated within");
      if (statement.wrt === 1) found.add("a derivative by the second parameter");
      if (around.has("no_grad")) found.add("a derivative under no_grad");
      if (statement.procedure === "bent") found.add("a derivative of what may return early");
      return;
    case "differentiate_call": {
      const { of, wrt, operands } = statement;
      if (wrt.includes(0) || wrt.includes(1)) found.add("a call differentiated by a location");
      if (of.some((place) => place > 0)) found.add("a call differentiated of what it leaves in a location");
      if (!of.includes(0)) found.add("a call differentiated whose results are not all meant");
      if (operands[0] === operands[1]) found.add("a call differentiated with references to one location");
      return;
    }
    case "break":
      if (around.has("branch")) found.add("a break within blocks of its loop");
      return;
    case "draw":
      if (around.has("checkpoint")) found.add("a draw under checkpoint");
      return;
    case "receive":
      if (around.has("checkpoint")) found.add("a receipt under checkpoint");
      return;
    case "if":
      if (statement.otherwise.length === 0) found.add("a branch not taken");
      return;
    default:
      return;
  }
}

/** Looks for a call by reference with a view of a persistent location, which a later statement writes. */
function countHandedBack(program: Program, found: Set<ProgramStructure>): void {
  const persistent = new Set(program.state.map(({ name }) => name));
  const handed = new Set<string>();
  for (const statement of statementsIn(entryOf(program).body)) {
    if (statement.do === "view" && persistent.has(statement.of)) persistent.add(statement.name);
    if (statement.do === "call" && statement.procedure === "same")
      for (const name of statement.operands) if (persistent.has(name)) handed.add(name);
    if ((statement.do === "write" || statement.do === "update") && handed.has(statement.to))
      found.add("a view of a persistent location handed back and then written");
  }
}

/** Looks for what is written under one name of a persistent location, and then read under another. */
function countOtherNames(program: Program, found: Set<ProgramStructure>): void {
  const { aliases = [] } = program;
  if (aliases.length > 0) found.add("a persistent location with another name");
  const roots = new Map(program.state.map(({ name }) => [name, name]));
  for (const { name, of } of aliases) roots.set(name, roots.get(of) ?? of);
  const written = new Map<string, Set<string>>();
  for (const statement of statementsIn(entryOf(program).body)) {
    const read = statement.do === "let" ? statement.operands : "from" in statement ? [statement.from] : [];
    for (const name of read) {
      if (typeof name !== "string") continue;
      const names = written.get(roots.get(name) ?? "");
      if (names !== undefined && (names.size > 1 || !names.has(name)))
        found.add("a persistent location written under one name and read under another");
    }
    const root = "to" in statement && statement.do !== "rebind" ? roots.get(statement.to) : undefined;
    if (root !== undefined && "to" in statement)
      written.set(root, new Set([...(written.get(root) ?? []), statement.to]));
  }
}

function countWritten(how: Transform | undefined, found: Set<ProgramStructure>): void {
  if (how?.kind === "unfold") found.add("a write through windows");
  if (how !== undefined && isBesideMain(how)) found.add("a write beside a main diagonal");
  if (how !== undefined && isBackwards(how)) found.add("a write backwards");
}

function isBesideMain(how: Transform): boolean {
  return how.kind === "diagonal" && how.offset !== undefined && how.offset !== 0;
}

function isBackwards(how: Transform): boolean {
  return how.kind === "slice" && how.steps.some((step) => step < 0);
}

function countTransform(how: Transform, found: Set<ProgramStructure>): void {
  found.add(how.kind);
  if (startsOf(how).some((start) => typeof start === "string")) found.add("a view by a counter");
  if (isBackwards(how)) found.add("a view backwards");
  if (how.kind === "unfold" && how.size > how.step) found.add("windows that overlap");
  if (isBesideMain(how)) found.add("a diagonal beside the main one");
  // Only a batch has a third axis.
  if (how.kind === "diagonal" && how.axes?.some((axis) => axis > 1) === true)
    found.add("diagonals of a batch");
}

function countRun<S>(recording: Recording<S>, found: Set<ProgramStructure>): void {
  const { events } = recording;
  const written = new Map<number, Set<string>>();
  for (const event of events) {
    const views = written.get(event.memory);
    const own = `${event.view.offset} ${event.view.shape} ${event.view.strides}`;
    if (event.kind === "read") {
      if (views !== undefined) found.add("a location read in place after a write");
      continue;
    }
    if (views !== undefined && !views.has(own)) found.add("two views of a location written in turn");
    written.set(event.memory, new Set([...(views ?? []), own]));
  }
  const reads = readsInPlace(recording, expand(recording.graph));
  if (!reads.ok) return;
  const hazards = hazardsOf(recording, reads.value);
  if (hazards.length > 0) found.add("a saved operand overwritten");
  if (hazards.some((hazard) => isThroughAnother(recording, hazard)))
    found.add("a saved operand overwritten through another view");
  const isBeside = reads.value.some(
    (read) =>
      read.isSaved &&
      !hazards.some((hazard) => hazard.read === read) &&
      events.some(
        (event, time) => event.kind === "write" && event.memory === read.memory && time > read.time,
      ),
  );
  if (isBeside) found.add("a write beside what was saved");
}

function isThroughAnother<S>({ events }: Recording<S>, { read, time }: Hazard): boolean {
  const write = events[time];
  return write?.kind === "write" && JSON.stringify(write.view) !== JSON.stringify(read.view);
}
