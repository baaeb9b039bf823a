import { at } from "../../spec/shapes/index.ts";
import type { SsaBlock, SsaFunction, SsaJump, SsaOperand, SsaValue } from "./ssa.ts";
import { endReplaced, jumpsOf, operandsIn, readByEnd, replaced, resolved } from "./ssa_operands.ts";

/**
 * The function without the parameters of blocks that are always the same, and without those, and the counts, that nobody reads. **Law**: it computes what
 * it did, instruction for instruction but for those counts. Source: Braun et al., "Simple and efficient construction of static single assignment form"
 * (2013): a parameter to which only one other value is passed is that value.
 */
export function withoutIdleParameters(given: SsaFunction): SsaFunction {
  const same = onlyPassed(given.blocks);
  const settled = { ...given, blocks: given.blocks.map((block) => replaced(block, same)) };
  const read = whatIsRead(settled.blocks);
  const byLabel = new Map(given.blocks.map(({ label, parameters }) => [label, parameters]));
  return { ...settled, blocks: settled.blocks.map((block) => without(block, byLabel, read)) };
}

/** By parameter, the one other value that is passed to it. */
function onlyPassed(blocks: readonly SsaBlock[]): ReadonlyMap<SsaValue, SsaOperand> {
  const jumps = jumpsByLabel(blocks);
  const same = new Map<SsaValue, SsaOperand>();
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const { label, parameters } of blocks) {
      for (const [place, parameter] of parameters.entries()) {
        if (same.has(parameter)) continue;
        const passed = (jumps.get(label) ?? []).map(({ operands }) => resolved(at(operands, place), same));
        const [other, ...more] = new Set(passed.filter((operand) => operand !== parameter));
        if (other === undefined || more.length > 0) continue;
        same.set(parameter, other);
        isSettled = false;
      }
    }
  }
  return same;
}

function jumpsByLabel(blocks: readonly SsaBlock[]): ReadonlyMap<string, readonly SsaJump[]> {
  const jumps = new Map<string, SsaJump[]>();
  for (const { end } of blocks)
    for (const jump of jumpsOf(end)) {
      const known = jumps.get(jump.label);
      if (known === undefined) jumps.set(jump.label, [jump]);
      else known.push(jump);
    }
  return jumps;
}

/** What is read: by an instruction but a count, by an end, and so on through parameters and counts that are read. */
function whatIsRead(blocks: readonly SsaBlock[]): ReadonlySet<SsaValue> {
  const read = new Set<SsaValue>();
  const sources = new Map<SsaValue, SsaOperand[]>();
  const waiting: SsaOperand[] = [];
  const jumps = jumpsByLabel(blocks);
  for (const { label, parameters, body, end } of blocks) {
    for (const [place, parameter] of parameters.entries())
      sources.set(
        parameter,
        (jumps.get(label) ?? []).map(({ operands }) => at(operands, place)),
      );
    for (const instruction of body) {
      if (instruction.do === "count") sources.set(instruction.to, operandsIn(instruction));
      else waiting.push(...operandsIn(instruction));
    }
    waiting.push(...readByEnd(end));
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "number" || read.has(next)) continue;
    read.add(next);
    waiting.push(...(sources.get(next) ?? []));
  }
  return read;
}

function without(
  { label, parameters, body, end }: SsaBlock,
  byLabel: ReadonlyMap<string, readonly SsaValue[]>,
  read: ReadonlySet<SsaValue>,
): SsaBlock {
  const jump = ({ label: to, operands }: SsaJump): SsaJump => {
    const target = byLabel.get(to) ?? [];
    return { label: to, operands: operands.filter((_, place) => read.has(at(target, place))) };
  };
  return {
    label,
    parameters: parameters.filter((parameter) => read.has(parameter)),
    body: body.filter((instruction) => instruction.do !== "count" || read.has(instruction.to)),
    end: endReplaced(
      end,
      (value) => value,
      (value) => value,
      jump,
    ),
  };
}
