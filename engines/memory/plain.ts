import type { Node } from "../../spec/graph/index.ts";
import type { Let, Statement, StatementOf } from "../../spec/programs/index.ts";
import { floatAt, formatShape, isSameShape, nodeId, quote, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { Access } from "./access.ts";
import { drawnElements, keyOfDraw } from "./draws.ts";
import { ProgramFault } from "./fault.ts";
import type { Operation, Surroundings } from "./operation.ts";
import { limits, type Manner } from "./setting.ts";
import { type Held, type Names, type Reference, valued } from "./value.ts";

/** A run executes so the statements that have no others within; a mutant overrides a method. */
export class Plain extends Access {
  protected bind(name: string, value: Held, names: Names, manner: Manner): void {
    names.bind(name, valued(this.constantWithin(manner, value)));
  }

  protected rebind({ name, to }: StatementOf<"rebind">, names: Names): void {
    names.rebind(name, this.found(to, names));
  }

  protected computed(statement: Let, names: Names): Held {
    const operands = statement.operands.map((name) => this.valueOf(name, names));
    return this.applied(statement, () => nodeOfLet(statement), operands);
  }

  protected updated(statement: StatementOf<"update">, names: Names): Held {
    const operands = [this.valueOf(statement.to, names), this.valueOf(statement.from, names)];
    const { op } = statement;
    return this.applied(statement, () => ({ op, attributes: {}, parents: [nodeId(0), nodeId(1)] }), operands);
  }

  /** Returns the place along an axis that a scalar is. */
  protected placeOf({ data }: Held): number {
    const place = floatAt(data, 0);
    if (Number.isSafeInteger(place) && place >= 0) return place + 0;
    throw new ProgramFault("an index is no whole number from 0.");
  }

  protected applied(statement: Statement, node: () => Node, operands: readonly Held[]): Held {
    const { operations, declared, surroundings } = this.setting;
    const shapes = operands.map(({ shape }) => shape);
    return this.operated(operations.of(statement, node, shapes, declared), operands, surroundings);
  }

  /** Returns the value of an operation, its tangent, and its number. */
  protected operated(operation: Operation, operands: readonly Held[], surroundings: Surroundings): Held {
    const tangents = operands.flatMap(({ shape, tangent }) =>
      tangent === undefined ? [] : [{ shape, data: tangent }],
    );
    return {
      shape: operation.shape,
      data: operation.value(operands, surroundings),
      tangent: this.setting.isForward ? operation.tangent(operands, tangents, surroundings) : undefined,
      slot: this.trace.applied(operation, operands, surroundings),
      seen: undefined,
    };
  }

  /** Says whether a scalar is not 0. */
  protected decides({ data }: Held): boolean {
    return floatAt(data, 0) !== 0;
  }

  protected retain(value: Held): void {
    this.trace.retain(value.slot, value);
  }

  protected release({ place }: Reference): void {
    place.isReleased = true;
  }

  protected send({ channel }: StatementOf<"send">, { shape, data }: Held): void {
    this.setting.progress.sent.push({ channel, value: { shape, data: data.slice() } });
  }

  protected receive({ channel, shape }: StatementOf<"receive">): FlatTensor {
    const { received, progress } = this.setting;
    const count = progress.received.get(channel) ?? 0;
    progress.received.set(channel, count + 1);
    const next = received.get(channel)?.[count];
    if (next === undefined) throw new ProgramFault(`nothing more comes on the channel ${quote(channel)}.`);
    if (isSameShape(next.shape, shape)) return next;
    throw new ProgramFault(
      `what comes on the channel ${quote(channel)} has shape ${formatShape(next.shape)}, and ${formatShape(shape)} is wanted.`,
    );
  }

  protected drawn({ from, shape, key }: StatementOf<"draw">, names: Names): Held {
    const words =
      key === undefined
        ? this.nextKey()
        : ([this.number(key[0], names), this.number(key[1], names)] as const);
    return this.constant({ shape, data: drawnElements(from, sizeOf(shape), words) });
  }

  /** Returns the key of the generator's next draw. */
  protected nextKey(): readonly [number, number] {
    const { key, progress } = this.setting;
    return keyOfDraw(key, progress.drawn++);
  }

  /** Counts a statement, or a turn of a loop. */
  protected step(): void {
    const { progress } = this.setting;
    progress.statements++;
    if (progress.statements <= limits.statements) return;
    throw new ProgramFault(`the run has executed ${limits.statements} statements, and that is the most.`);
  }
}

function nodeOfLet({ do: _, name: _name, operands, ...applied }: Let): Node {
  return { ...applied, parents: operands.map((_operand, place) => nodeId(place)) };
}
