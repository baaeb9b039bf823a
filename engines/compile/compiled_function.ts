import { formatShape, type NodeId, nodeId, present, sizeOf } from "../../spec/core.ts";
import type { Executable, Numbers } from "../plan/executable.ts";
import type { Request, SeedAt } from "../plan/lower/index.ts";
import { type Bindings, bound, noBindings } from "./binding.ts";
import type { Compilation } from "./compilation.ts";
import type { Plan } from "./planner.ts";

/** A value and its derivative in each input. */
export interface ValueAndGradient {
  readonly value: Numbers;
  readonly gradient: readonly Numbers[];
}

/**
 * A graph as a function of its inputs, compiled. Takes one typed array per input, row-major, of the precision it was compiled for; hands out views of
 * its own memory, the same objects at every call, which the next call of the same method overwrites. Nothing is copied but what an engine
 * must have in its own memory. Code for a method is made at its first call.
 * Throws `TypeError` for arrays that do not fit, and `RangeError` where memory does not do.
 */
export class CompiledFunction {
  readonly #compilation: Compilation;
  readonly #output: NodeId;
  /** By id of the graph that was handed in, its id in the compilation. */
  readonly #ids: readonly NodeId[];
  readonly #inputIds: readonly NodeId[];
  #bindings: Bindings = noBindings;
  #gradient: Executable | undefined;
  #value: Executable | undefined;

  /** Use `compile`. */
  constructor(compilation: Compilation, output: NodeId, ids: readonly NodeId[]) {
    this.#compilation = compilation;
    this.#output = output;
    this.#ids = ids;
    this.#inputIds = compilation.graph.inputs.map((_, position) => nodeId(position));
  }

  /** Hands in the entries of Δ, which are read at every call from then on: real ones by reference, not copied. */
  bind(environment: Readonly<Record<string, Numbers | Uint32Array>>): void {
    this.#bindings = bound(this.#compilation, environment);
  }

  /** The output's value. */
  value(...inputs: readonly Numbers[]): Numbers {
    this.#value ??= this.#executable({ values: [this.#output] });
    this.#run(this.#value, inputs, []);
    return present(this.#value.results[0], "a value");
  }

  /** The derivative of the output, which must be one number, in each input. */
  gradient(...inputs: readonly Numbers[]): readonly Numbers[] {
    this.#gradient ??= this.#executable({ values: [], cotangents: this.#fromOne(this.#inputIds) });
    this.#run(this.#gradient, inputs, []);
    return this.#gradient.results;
  }

  /** Both, in one pass. */
  valueAndGradient(...inputs: readonly Numbers[]): ValueAndGradient {
    const executable = this.#executable({
      values: [this.#output],
      cotangents: this.#fromOne(this.#inputIds),
    });
    this.#run(executable, inputs, []);
    const [value, ...gradient] = executable.results;
    return { value: present(value, "a value"), gradient };
  }

  /** What the cotangent `c` of the output is, pulled back to each input. */
  vjp(inputs: readonly Numbers[], c: Numbers): readonly Numbers[] {
    this.#check([c], [this.#sizeAt(this.#output)], "cotangent");
    const executable = this.#executable({
      values: [],
      cotangents: { ids: this.#inputIds, seeds: [{ id: this.#output, from: "source" }] },
    });
    this.#run(executable, inputs, [c]);
    return executable.results;
  }

  /** The cotangents of all ids of the graph, inputs first, for the cotangent `c` of the output, or for 1 if it is one number. */
  backwardDense(inputs: readonly Numbers[], c?: Numbers): readonly Numbers[] {
    if (c !== undefined) this.#check([c], [this.#sizeAt(this.#output)], "cotangent");
    const seeds: readonly SeedAt[] = [{ id: this.#output, from: "source" }];
    const cotangents = c === undefined ? this.#fromOne(this.#ids) : { ids: this.#ids, seeds };
    const executable = this.#executable({ values: [], cotangents });
    this.#run(executable, inputs, c === undefined ? [] : [c]);
    return executable.results;
  }

  /**
   * The tangents of the output along tangents of the inputs. Each array may hold several tangents one after the other, all
   * arrays as many; so does the result.
   */
  jvp(inputs: readonly Numbers[], tangents: readonly Numbers[]): Numbers {
    const { sizes } = this.#compilation;
    const first = sizes.findIndex((size) => size > 0);
    const count =
      first < 0 ? 1 : Math.max(1, Math.floor((tangents[first]?.length ?? 0) / (sizes[first] ?? 1)));
    this.#check(
      tangents,
      sizes.map((size) => size * count),
      "tangent",
    );
    const executable = this.#executable({ values: [], tangents: { ids: [this.#output], count } });
    this.#run(executable, inputs, tangents);
    return present(executable.results[0], "a tangent");
  }

  /** How the gradient is computed: its program, its layout, and what the planner did. */
  plan(): Plan {
    return this.#compilation.compiledFor({ values: [], cotangents: this.#fromOne(this.#inputIds) }).plan;
  }

  #executable(request: Request): Executable {
    return this.#compilation.compiledFor(request).executable;
  }

  #fromOne(ids: readonly NodeId[]): NonNullable<Request["cotangents"]> {
    const shape = present(this.#compilation.shapes[this.#output], "shape of the output");
    if (sizeOf(shape) !== 1) {
      throw new TypeError(
        `the output has shape ${formatShape(shape)}: a gradient is that of one number. Ask vjp, with a cotangent of that shape.`,
      );
    }
    return { ids, seeds: [{ id: this.#output, from: "ones" }] };
  }

  #sizeAt(id: NodeId): number {
    return sizeOf(present(this.#compilation.shapes[id], "shape of an id"));
  }

  #run(executable: Executable, inputs: readonly Numbers[], more: readonly Numbers[]): void {
    this.#check(inputs, this.#compilation.sizes, "input");
    const { real, indices } = this.#bindings;
    if (this.#bindings === noBindings && this.#compilation.graph.environment.length > 0) {
      throw new TypeError("the graph has an environment: call bind first.");
    }
    const isPlain = real.length === 0 && more.length === 0;
    executable.run(isPlain ? inputs : [...inputs, ...real, ...more], indices);
  }

  #check(arrays: readonly Numbers[], sizes: readonly number[], what: string): void {
    if (arrays.length !== sizes.length) {
      throw new TypeError(`${arrays.length} arrays, and the graph has ${sizes.length} ${what}s.`);
    }
    const { Type } = this.#compilation;
    for (let n = 0; n < sizes.length; n++) {
      const array = arrays[n];
      if (!(array instanceof Type)) throw new TypeError(`${what} ${n} is not a ${Type.name}.`);
      if (array.length !== sizes[n]) {
        throw new TypeError(`${what} ${n} has ${array.length} elements; the graph says ${sizes[n]}.`);
      }
    }
  }
}
