import { type NodeId, nodeId, present } from "../../spec/core.ts";
import type { Executable, Numbers } from "../plan/executable.ts";
import type { Request, SeedAt } from "../plan/lower/index.ts";
import type { Bindings } from "./binding.ts";
import type { Compilation } from "./compilation.ts";
import type { Inputs, Report, Runner, ValueAndGradient } from "./runner.ts";

/** A compiled function by loop programs; each question has a program of its own, made when it is first asked. */
export class LoopRunner implements Runner {
  readonly #compilation: Compilation;
  readonly #output: NodeId;
  /** By id of the graph that was handed in, its id in the compilation. */
  readonly #ids: readonly NodeId[];
  readonly #inputs: readonly NodeId[];
  #gradient: Executable | undefined;
  #value: Executable | undefined;
  #packed: Numbers | undefined;

  constructor(compilation: Compilation, output: NodeId, ids: readonly NodeId[]) {
    this.#compilation = compilation;
    this.#output = output;
    this.#ids = ids;
    this.#inputs = compilation.graph.inputs.map((_, position) => nodeId(position));
  }

  value(inputs: Inputs, bindings: Bindings): Numbers {
    this.#value ??= this.#executable({ values: [this.#output] });
    this.#run(this.#value, inputs, bindings, none);
    return present(this.#value.results[0], "a value");
  }

  gradient(inputs: Inputs, bindings: Bindings, c: Numbers | undefined): readonly Numbers[] {
    if (c !== undefined) return this.#pulled(inputs, bindings, c, this.#inputs);
    this.#gradient ??= this.#executable({ values: [], cotangents: this.#fromOne(this.#inputs) });
    this.#run(this.#gradient, inputs, bindings, none);
    return this.#alike(inputs, this.#gradient.results);
  }

  valueAndGradient(inputs: Inputs, bindings: Bindings): ValueAndGradient {
    const cotangents = this.#fromOne(this.#inputs);
    const executable = this.#executable({ values: [this.#output], cotangents });
    this.#run(executable, inputs, bindings, none);
    const [value, ...gradient] = executable.results;
    return { value: present(value, "a value"), gradient: this.#alike(inputs, gradient) };
  }

  backwardDense(inputs: Inputs, bindings: Bindings, c: Numbers | undefined): readonly Numbers[] {
    if (c !== undefined) return this.#pulled({ ...inputs }, bindings, c, this.#ids);
    const executable = this.#executable({ values: [], cotangents: this.#fromOne(this.#ids) });
    this.#run(executable, inputs, bindings, none);
    return executable.results;
  }

  jvp(inputs: Inputs, bindings: Bindings, tangents: readonly Numbers[], count: number): Numbers {
    const executable = this.#executable({ values: [], tangents: { ids: [this.#output], count } });
    this.#run(executable, inputs, bindings, tangents);
    return present(executable.results[0], "a tangent");
  }

  get report(): Report {
    const cotangents = this.#fromOne(this.#inputs);
    const { executable, plan } = this.#compilation.compiledFor({ values: [], cotangents });
    return { kind: "loops", bytes: executable.bytes, plan: plan.report };
  }

  #pulled(inputs: Inputs, bindings: Bindings, c: Numbers, ids: readonly NodeId[]): readonly Numbers[] {
    const seeds: readonly SeedAt[] = [{ id: this.#output, from: "source" }];
    const executable = this.#executable({ values: [], cotangents: { ids, seeds } });
    this.#run(executable, inputs, bindings, [c]);
    return ids === this.#inputs ? this.#alike(inputs, executable.results) : executable.results;
  }

  #fromOne(ids: readonly NodeId[]): NonNullable<Request["cotangents"]> {
    return { ids, seeds: [{ id: this.#output, from: "ones" }] };
  }

  #executable(request: Request): Executable {
    return this.#compilation.compiledFor(request).executable;
  }

  #run(executable: Executable, inputs: Inputs, { real, indices }: Bindings, more: readonly Numbers[]): void {
    const arrays = inputs.kind === "each" ? inputs.arrays : this.#unpacked(inputs.array);
    const isPlain = real.length === 0 && more.length === 0;
    executable.run(isPlain ? arrays : [...arrays, ...real, ...more], indices);
  }

  #unpacked(array: Numbers): readonly Numbers[] {
    let offset = 0;
    return this.#compilation.sizes.map((size) => {
      offset += size;
      return array.subarray(offset - size, offset);
    });
  }

  /** Results for inputs, as the inputs came. */
  #alike(inputs: Inputs, results: readonly Numbers[]): readonly Numbers[] {
    if (inputs.kind === "each") return results;
    const packed = this.#packed ?? new this.#compilation.Type(inputs.array.length);
    this.#packed = packed;
    let offset = 0;
    for (const result of results) {
      packed.set(result, offset);
      offset += result.length;
    }
    return [packed];
  }
}

const none: readonly Numbers[] = [];
