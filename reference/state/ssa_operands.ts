import type {
  SsaBlock,
  SsaEnd,
  SsaIndex,
  SsaInstruction,
  SsaJump,
  SsaOperand,
  SsaTensor,
  SsaValue,
} from "./ssa.ts";

/** Where control may go from the end of a block. */
export function jumpsOf(end: SsaEnd): readonly SsaJump[] {
  switch (end.kind) {
    case "jump":
      return [end.to];
    case "branch":
      return [end.body, end.otherwise];
    case "turn":
      return [end.body, end.after];
    case "return":
    case "stop":
      return [];
  }
}

/** What an instruction reads. */
export function operandsIn(instruction: SsaInstruction): SsaOperand[] {
  switch (instruction.do) {
    case "apply":
    case "differentiate":
    case "call":
      return [...instruction.operands];
    case "scalar":
    case "retain":
      return [instruction.of];
    case "count":
      return instruction.terms.map(({ of }) => of);
    case "read":
      return [instruction.contents, instruction.view.offset];
    case "write":
      return [instruction.contents, instruction.view.offset, instruction.from];
    case "draw":
      return [...(instruction.key ?? [])];
    case "send":
      return [instruction.from];
    case "receive":
      return [];
  }
}

/** What an instruction assigns. */
export function assignedBy(instruction: SsaInstruction): readonly SsaValue[] {
  if (instruction.do === "call") return instruction.to;
  return "to" in instruction ? [instruction.to] : [];
}

/** What an end reads itself, beside what it passes on. */
export function readByEnd(end: SsaEnd): readonly SsaOperand[] {
  switch (end.kind) {
    case "branch":
      return [end.condition];
    case "turn":
      return [end.turn];
    case "return":
      return end.values;
    case "jump":
    case "stop":
      return [];
  }
}

/** What stands in place of an operand in the end. */
export function resolved(operand: SsaOperand, same: ReadonlyMap<SsaValue, SsaOperand>): SsaOperand {
  let found = operand;
  for (let next: SsaOperand | undefined = found; next !== undefined; ) {
    found = next;
    next = typeof found === "number" ? undefined : same.get(found);
  }
  return found;
}

/** The block with other values in place of some, its parameters among them. */
export function replaced(block: SsaBlock, same: ReadonlyMap<SsaValue, SsaOperand>): SsaBlock {
  const tensor = (value: SsaTensor): SsaTensor => {
    const found = resolved(value, same);
    return typeof found !== "number" && found.kind === "tensor" ? found : value;
  };
  const index = (value: SsaIndex): SsaIndex => {
    const found = resolved(value, same);
    return typeof found === "number" || found.kind === "count" ? found : value;
  };
  const jump = ({ label, operands }: SsaJump): SsaJump => ({
    label,
    operands: operands.map((operand) => resolved(operand, same)),
  });
  const { label, parameters, body, end } = block;
  return {
    label,
    parameters,
    body: body.map((instruction) => replacedIn(instruction, tensor, index, (one) => resolved(one, same))),
    end: endReplaced(end, tensor, index, jump),
  };
}

function replacedIn(
  instruction: SsaInstruction,
  tensor: (value: SsaTensor) => SsaTensor,
  index: (value: SsaIndex) => SsaIndex,
  operand: (value: SsaOperand) => SsaOperand,
): SsaInstruction {
  switch (instruction.do) {
    case "apply":
    case "differentiate":
      return { ...instruction, operands: instruction.operands.map(tensor) };
    case "scalar":
      return { ...instruction, of: index(instruction.of) };
    case "count": {
      const terms = instruction.terms.map(({ of, times }) => ({ of: index(of), times }));
      const known = terms.map(({ of, times }) => (typeof of === "number" ? of * times : 0));
      const start = known.reduce((sum, one) => sum + one, instruction.from);
      const counted = terms.flatMap(({ of, times }) => (typeof of === "number" ? [] : [{ of, times }]));
      return { ...instruction, from: start, terms: counted };
    }
    case "read":
      return {
        ...instruction,
        contents: tensor(instruction.contents),
        view: { ...instruction.view, offset: index(instruction.view.offset) },
      };
    case "write":
      return {
        ...instruction,
        contents: tensor(instruction.contents),
        from: tensor(instruction.from),
        view: { ...instruction.view, offset: index(instruction.view.offset) },
      };
    case "draw": {
      const { key } = instruction;
      return { ...instruction, key: key && [index(key[0]), index(key[1])] };
    }
    case "send":
      return { ...instruction, from: tensor(instruction.from) };
    case "retain":
      return { ...instruction, of: tensor(instruction.of) };
    case "call":
      return { ...instruction, operands: instruction.operands.map(operand) };
    case "receive":
      return instruction;
  }
}

/** The end with other values, and other jumps. */
export function endReplaced(
  end: SsaEnd,
  tensor: (value: SsaTensor) => SsaTensor,
  index: (value: SsaIndex) => SsaIndex,
  jump: (to: SsaJump) => SsaJump,
): SsaEnd {
  switch (end.kind) {
    case "jump":
      return { ...end, to: jump(end.to) };
    case "branch":
      return {
        ...end,
        condition: tensor(end.condition),
        body: jump(end.body),
        otherwise: jump(end.otherwise),
      };
    case "turn":
      return { ...end, turn: index(end.turn), body: jump(end.body), after: jump(end.after) };
    case "return":
      return { ...end, values: end.values.map(tensor) };
    case "stop":
      return end;
  }
}
