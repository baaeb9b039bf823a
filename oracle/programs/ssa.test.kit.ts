import { isDeepStrictEqual } from "node:util";
import {
  assignedBy,
  float64,
  jumpsOf,
  operandsIn,
  readByEnd,
  record,
  replaced,
  type SsaBlock,
  type SsaForm,
  type SsaFunction,
  type SsaInstruction,
  type SsaJump,
  type SsaOperand,
  type SsaTensor,
  type SsaValue,
  type Start,
  toSsa,
  unroll,
} from "../../reference/package.ts";
import { at, InvariantError, isSameShape, type Program } from "../../spec/index.ts";

/** Returns the form of a program, which has one. */
export function formOf(program: Program): SsaForm {
  const form = toSsa(program);
  if (!form.ok) throw new InvariantError(`a program has a form: ${form.error[0]?.message}`);
  return form.value;
}

/** Says what law S for one run misses: what of the recording the form, unrolled, does not have. */
export function breaksLawS(program: Program, start: Start<number>, form: SsaForm): string | undefined {
  const recorded = record(float64, program, start);
  if (!recorded.ok) throw new InvariantError(`a run ends: ${recorded.error[0]?.message}`);
  const { events: _, contents: _contents, statements: _statements, ...rest } = recorded.value;
  const wanted = { ...rest, retained: rest.retained.map(({ id }) => id) };
  const unrolled = unroll(float64, program, form, wanted.decisions, start);
  if (!unrolled.ok) return `${unrolled.error[0]?.code}`;
  // The values of Δ at the point are the point's: the form is told none.
  const environment = new Map([...start.environment, ...unrolled.value.environment]);
  const found: object = { ...unrolled.value, environment };
  return Object.entries(wanted).find(
    ([part, value]) => !isDeepStrictEqual(Reflect.get(found, part), value),
  )?.[0];
}

/** Lists faults of a form: names assigned twice or used unassigned; jumps and calls that do not fit. */
export function faultsOfForm(form: SsaForm): string[] {
  const byName = new Map(form.functions.map((one) => [one.name, one]));
  return [
    ...repeated(form.functions.map(({ name }) => name)).map((name) => `two functions ${name}`),
    ...form.functions.flatMap((one) => faultsOfFunction(one, byName).map((fault) => `${one.name}: ${fault}`)),
  ];
}

function faultsOfFunction(
  { parameters, blocks }: SsaFunction,
  functions: ReadonlyMap<string, SsaFunction>,
): string[] {
  const assigned = blocks.flatMap(({ parameters: own, body }) => [...own, ...body.flatMap(assignedBy)]);
  const byLabel = new Map(blocks.map((block) => [block.label, block]));
  const before = assignedBefore(parameters, blocks);
  return [
    ...repeated([...parameters, ...assigned].map(({ name }) => name)).map((name) => `${name} twice`),
    ...blocks.flatMap((block) => [
      ...unassigned(block, before.get(block.label) ?? new Set()),
      ...jumpsOf(block.end).flatMap((jump) => misfits(jump.operands, byLabel.get(jump.label)?.parameters)),
      ...block.body.flatMap((instruction) => faultsOfCall(instruction, functions)),
    ]),
  ];
}

/** Finds what is assigned when a block begins, however control came there; what no jump leads to has all. */
function assignedBefore(
  parameters: readonly SsaValue[],
  blocks: readonly SsaBlock[],
): ReadonlyMap<string, ReadonlySet<SsaValue>> {
  const before = new Map<string, ReadonlySet<SsaValue>>([[at(blocks, 0).label, new Set(parameters)]]);
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const { label, parameters: own, body, end } of blocks) {
      const known = before.get(label);
      if (known === undefined) continue;
      const after = new Set([...known, ...own, ...body.flatMap(assignedBy)]);
      for (const jump of jumpsOf(end)) {
        const old = before.get(jump.label);
        const both = old === undefined ? after : new Set([...old].filter((value) => after.has(value)));
        if (old?.size === both.size) continue;
        before.set(jump.label, both);
        isSettled = false;
      }
    }
  }
  return before;
}

function unassigned({ parameters, body, end }: SsaBlock, before: ReadonlySet<SsaValue>): string[] {
  const known = new Set([...before, ...parameters]);
  const faults: string[] = [];
  const look = (operands: readonly SsaOperand[]): void => {
    for (const operand of operands)
      if (typeof operand !== "number" && !known.has(operand)) faults.push(`${operand.name} is not assigned`);
  };
  for (const instruction of body) {
    look(operandsIn(instruction));
    for (const value of assignedBy(instruction)) known.add(value);
  }
  look([...readByEnd(end), ...jumpsOf(end).flatMap(({ operands }) => operands)]);
  return faults;
}

function misfits(operands: readonly SsaOperand[], parameters: readonly SsaValue[] | undefined): string[] {
  if (parameters === undefined) return ["a jump to nowhere"];
  const isFit = (operand: SsaOperand, place: number): boolean => {
    const parameter = parameters[place];
    if (typeof operand === "number" || operand.kind === "count") return parameter?.kind === "count";
    return parameter?.kind === "tensor" && isSameShape(parameter.shape, operand.shape);
  };
  return operands.length === parameters.length && operands.every(isFit)
    ? []
    : ["what is passed does not fit"];
}

function faultsOfCall(instruction: SsaInstruction, functions: ReadonlyMap<string, SsaFunction>): string[] {
  if (instruction.do !== "call" && instruction.do !== "differentiate") return [];
  const called = functions.get(instruction.callee);
  const passed = instruction.operands;
  if (called === undefined) return [`no function ${instruction.callee}`];
  const returned = called.blocks.flatMap(({ end }) => (end.kind === "return" ? [end.values] : []));
  const wanted = instruction.do === "call" ? instruction.to : undefined;
  return [
    ...misfits(passed, called.parameters),
    ...returned.flatMap((values) => (wanted === undefined ? [] : misfits(values, wanted))),
  ];
}

/** Parameters of blocks that need not be: only one other value is passed, or nobody reads them. */
export function idleParameters({ functions }: SsaForm): string[] {
  return functions.flatMap(({ name, blocks }) => {
    const read = new Set(
      blocks.flatMap(({ body, end }) => [
        ...body.flatMap(operandsIn),
        ...readByEnd(end),
        ...jumpsOf(end).flatMap(({ operands }) => operands),
      ]),
    );
    return blocks.flatMap(({ label, parameters }) =>
      parameters.flatMap((parameter, place) => {
        const passed = new Set(jumpsTo(blocks, label).map(({ operands }) => at(operands, place)));
        passed.delete(parameter);
        return passed.size > 1 && read.has(parameter) ? [] : [`${name}: ${parameter.name}`];
      }),
    );
  });
}

function jumpsTo(blocks: readonly SsaBlock[], label: string): SsaJump[] {
  return blocks.flatMap(({ end }) => jumpsOf(end)).filter((jump) => jump.label === label);
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, place) => names.indexOf(name) !== place);
}

/** A wrong conversion: what it makes of a form. */
type Wrong = (form: SsaForm) => SsaForm;

/** These conversions to the form are wrong, each as somebody could have written it. */
export const wrongForms: Readonly<Record<string, Wrong>> = {
  "a join forgets a parameter, and keeps what was there before the branch": withoutParameters("after"),
  "the head of a loop keeps the first value": withoutParameters("loop"),
  "a write makes contents of another location": inBlocks((block) =>
    inBody(block, (instruction, before) => {
      if (instruction.do !== "write") return [instruction];
      const { contents } = instruction;
      const other = before.find((value) => value !== contents && isSameShape(value.shape, contents.shape));
      return [other === undefined ? instruction : { ...instruction, contents: other }];
    }),
  ),
  "a write forgets where its view begins": inBlocks((block) =>
    inBody(block, (instruction) =>
      instruction.do === "write"
        ? [{ ...instruction, view: { ...instruction.view, offset: 0 } }]
        : [instruction],
    ),
  ),
  "what is written is not seen afterwards": replacing((instruction) =>
    instruction.do === "write" ? [[instruction.to, instruction.contents]] : [],
  ),
  "detach and no_grad are forgotten": replacing((instruction) =>
    instruction.do === "apply" && instruction.node.op === "stop_gradient"
      ? instruction.operands.map((operand) => [instruction.to, operand])
      : [],
  ),
  "behind a call the old contents are read": replacing((instruction) => {
    if (instruction.do !== "call") return [];
    const { to, operands } = instruction;
    // The contents are the last operands, and the last results.
    const count = Math.min(to.length, operands.length);
    const old = operands.slice(operands.length - count);
    return to.slice(to.length - count).flatMap((value, place): [SsaTensor, SsaOperand][] => {
      const operand = at(old, place);
      const isContents = typeof operand !== "number" && operand.kind === "tensor";
      return isContents && isSameShape(operand.shape, value.shape) ? [[value, operand]] : [];
    });
  }),
  "a branch goes the other way": inBlocks(({ end, ...block }) =>
    end.kind === "branch"
      ? { ...block, end: { ...end, body: end.otherwise, otherwise: end.body } }
      : { ...block, end },
  ),
  "a loop has a turn too few": inBlocks(({ end, ...block }) =>
    end.kind === "turn" ? { ...block, end: { ...end, times: end.times - 1 } } : { ...block, end },
  ),
  "a view by a counter stays where it began": inBlocks((block) =>
    inBody(block, (instruction) =>
      instruction.do === "read" && typeof instruction.view.offset !== "number"
        ? [{ ...instruction, view: { ...instruction.view, offset: 0 } }]
        : [instruction],
    ),
  ),
};

function inBlocks(change: (block: SsaBlock) => SsaBlock): Wrong {
  return ({ functions }) => ({
    functions: functions.map((one) => ({ ...one, blocks: one.blocks.map(change) })),
  });
}

/** Each instruction made into others, knowing the tensors that the block assigned before. */
function inBody(
  block: SsaBlock,
  change: (instruction: SsaInstruction, before: readonly SsaTensor[]) => readonly SsaInstruction[],
): SsaBlock {
  const before: SsaTensor[] = [];
  const body = block.body.flatMap((instruction) => {
    const changed = change(instruction, before);
    for (const value of assignedBy(instruction)) if (value.kind === "tensor") before.unshift(value);
    return changed;
  });
  return { ...block, body };
}

/** Returns other values in place of some that instructions assign. */
function replacing(
  pairs: (instruction: SsaInstruction) => readonly (readonly [SsaValue, SsaOperand])[],
): Wrong {
  return ({ functions }) => ({
    functions: functions.map((one) => {
      const same = new Map(one.blocks.flatMap(({ body }) => body.flatMap(pairs)));
      const isGone = (instruction: SsaInstruction): boolean =>
        instruction.do === "apply" && same.has(instruction.to);
      return {
        ...one,
        blocks: one.blocks.map((block) => {
          const { body, ...rest } = replaced(block, same);
          return { ...rest, body: body.filter((instruction) => !isGone(instruction)) };
        }),
      };
    }),
  });
}

/** Blocks of one kind lose the parameters that are tensors: each is what is passed to it first. */
function withoutParameters(kind: string): Wrong {
  return ({ functions }) => ({
    functions: functions.map((one) => {
      const order = new Map<SsaOperand, number>();
      for (const value of one.parameters) order.set(value, order.size);
      for (const { parameters, body } of one.blocks)
        for (const value of [...parameters, ...body.flatMap(assignedBy)]) order.set(value, order.size);
      const same = new Map<SsaValue, SsaOperand>();
      for (const { label, parameters } of one.blocks) {
        if (!label.startsWith(kind)) continue;
        for (const [place, parameter] of parameters.entries()) {
          const passed = jumpsTo(one.blocks, label).map(({ operands }) => at(operands, place));
          const [first] = passed.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
          if (parameter.kind === "tensor" && first !== undefined && first !== parameter)
            same.set(parameter, first);
        }
      }
      return { ...one, blocks: one.blocks.map((block) => replaced(block, same)) };
    }),
  });
}
