import { type Key, Machine, type MachineOf, type Memory, type Tensor } from "../../reference/package.ts";
import type { Node, Shape, View } from "../../spec/index.ts";

class Floats extends Machine<number, boolean> {}

/** Machines with a fault each, as engines have had them. */
export const plantedMachines: Readonly<Record<string, MachineOf<number, boolean>>> = {
  "a buffer shares the elements of what it copies": class extends Floats {
    override allocate({ data }: Tensor<number>): Memory<number> {
      return Array.isArray(data) ? data : [...data];
    }
  },
  "a write forgets where its view begins": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      super.write(memory, { ...view, offset: 0 }, value);
    }
  },
  "a write forgets the strides of its view": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      value.data.forEach((x, i) => {
        if (view.offset + i < memory.length) memory[view.offset + i] = x;
      });
    }
  },
  "a read forgets the strides of its view": class extends Floats {
    override read(memory: Memory<number>, view: View): Tensor<number> {
      const value = super.read(memory, view);
      return { ...value, data: value.data.map((x, i) => memory[view.offset + i] ?? x) };
    }
  },
  "a write leaves out the last element": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      const before = super.read(memory, view).data.at(-1);
      super.write(memory, view, { ...value, data: [...value.data.slice(0, -1), before ?? 0] });
    }
  },
  "a write through a view of lower rank goes nowhere": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      if (view.shape.length > 0 || memory.length === 1) super.write(memory, view, value);
    }
  },
  "a read is looked at when it is used": class extends Floats {
    override read(memory: Memory<number>, view: View): Tensor<number> {
      const read = (): readonly number[] => super.read(memory, view).data;
      return {
        shape: view.shape,
        get data() {
          return read();
        },
      };
    }
  },
  "a mask is drawn from the same key again": class extends Floats {
    override mask(_: Key, rate: number, shape: Shape): Tensor<number> {
      return super.mask([0, 0], rate, shape);
    }
  },
  "a mask keeps with the rate": class extends Floats {
    override mask(key: Key, rate: number, shape: Shape): Tensor<number> {
      return super.mask(key, 1 - rate, shape);
    }
  },
  "a condition holds at 0": class extends Floats {
    override condition({ shape, data }: Tensor<number>): Tensor<number> {
      return { shape, data: data.map((x) => (x === 0 ? 1 : 0)) };
    }
  },
  "a counter counts from 1": class extends Floats {
    override constant(tensor: Tensor<number>): Tensor<number> {
      return tensor.shape.length === 0 ? { shape: [], data: tensor.data.map((x) => x + 1) } : tensor;
    }
  },
  "an operator in place reads its second operand first": class extends Floats {
    override apply(node: Node, operands: readonly Tensor<number>[]): Tensor<number> {
      return super.apply(node, node.op === "subtract" ? operands.toReversed() : operands);
    }
  },
  "adding in place writes through to the operand": class extends Floats {
    override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
      super.write(memory, view, { ...value, data: value.data.map((x) => (x === 0 ? 0.25 : x)) });
    }
  },
};
