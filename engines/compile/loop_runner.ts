import { type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { Bindings } from "./binding.ts";
import type { Compilation } from "./compilation.ts";
import type { Executable, Numbers } from "./plan/index.ts";
import type { Request, SeedAt } from "./plan/lower/index.ts";
import type { Both, Form, Plain, Report, Runner, ValueAndGradient } from "./runner.ts";

/** Computes by loop programs; each question has its own, made when it is first asked. */
export class LoopRunner implements Runner {
  readonly #compilation: Compilation;
  readonly #output: NodeId;
  /** The compilation's ids, by id of the original graph. */
  readonly #ids: readonly NodeId[];
  readonly #inputs: readonly NodeId[];
  #gradient: Executable | undefined;
  #both: Both | undefined;
  #value: Executable | undefined;
  #packed: Numbers | undefined;

  constructor(compilation: Compilation, output: NodeId, ids: readonly NodeId[]) {
    this.#compilation = compilation;
    this.#output = output;
    this.#ids = ids;
    this.#inputs = compilation.graph.inputs.map((_, position) => nodeId(position));
  }

  value(inputs: readonly Numbers[], form: Form, bindings: Bindings): Numbers {
    this.#value ??= this.#executable({ values: [this.#output] });
    this.#run(this.#value, inputs, form, bindings, none);
    return present(this.#value.results[0], "a value");
  }

  gradient(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[] {
    if (c !== undefined) return this.#pulled(inputs, form, bindings, c, this.#inputs);
    this.#gradient ??= this.#executable({ values: [], cotangents: this.#fromOne(this.#inputs) });
    this.#run(this.#gradient, inputs, form, bindings, none);
    return this.#alike(form, this.#gradient.results);
  }

  valueAndGradient(inputs: readonly Numbers[], form: Form, bindings: Bindings): ValueAndGradient {
    this.#both ??= this.#makeBoth();
    const { executable, answer } = this.#both;
    this.#run(executable, inputs, form, bindings, none);
    if (form === "each") return answer;
    return { value: answer.value, gradient: this.#alike(form, answer.gradient) };
  }

  #makeBoth(): Both {
    const cotangents = this.#fromOne(this.#inputs);
    const executable = this.#executable({ values: [this.#output], cotangents });
    const [value, ...gradient] = executable.results;
    return { executable, answer: { value: present(value, "a value"), gradient } };
  }

  get plain(): Plain {
    if (this.#compilation.graph.environment.length > 0) return {};
    return { gradient: this.#gradient, both: this.#both };
  }

  backwardDense(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[] {
    if (c !== undefined) return this.#pulled(inputs, form, bindings, c, this.#ids);
    const executable = this.#executable({ values: [], cotangents: this.#fromOne(this.#ids) });
    this.#run(executable, inputs, form, bindings, none);
    return executable.results;
  }

  jvp(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    tangents: readonly Numbers[],
    count: number,
  ): Numbers {
    const executable = this.#executable({ values: [], tangents: { ids: [this.#output], count } });
    this.#run(executable, inputs, form, bindings, tangents);
    return present(executable.results[0], "a tangent");
  }

  get report(): Report {
    const cotangents = this.#fromOne(this.#inputs);
    const { executable, plan } = this.#compilation.compiledFor({ values: [], cotangents });
    return { kind: "loops", bytes: executable.bytes, plan: plan.report };
  }

  #pulled(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers,
    ids: readonly NodeId[],
  ): readonly Numbers[] {
    const seeds: readonly SeedAt[] = [{ id: this.#output, from: "source" }];
    const executable = this.#executable({ values: [], cotangents: { ids, seeds } });
    this.#run(executable, inputs, form, bindings, [c]);
    return ids === this.#inputs ? this.#alike(form, executable.results) : executable.results;
  }

  #fromOne(ids: readonly NodeId[]): NonNullable<Request["cotangents"]> {
    return { ids, seeds: [{ id: this.#output, from: "ones" }] };
  }

  #executable(request: Request): Executable {
    return this.#compilation.compiledFor(request).executable;
  }

  #run(
    executable: Executable,
    inputs: readonly Numbers[],
    form: Form,
    { real, indices }: Bindings,
    more: readonly Numbers[],
  ): void {
    const arrays = form === "each" ? inputs : this.#unpacked(inputs);
    const isPlain = real.length === 0 && more.length === 0;
    executable.run(isPlain ? arrays : [...arrays, ...real, ...more], indices);
  }

  #unpacked([array]: readonly Numbers[]): readonly Numbers[] {
    let offset = 0;
    return this.#compilation.sizes.map((size) => {
      offset += size;
      return present(array, "the packed inputs").subarray(offset - size, offset);
    });
  }

  /** Returns results for inputs in the form in which the inputs came. */
  #alike(form: Form, results: readonly Numbers[]): readonly Numbers[] {
    if (form === "each") return results;
    const packed =
      this.#packed ?? new this.#compilation.Type(results.reduce((sum, { length }) => sum + length, 0));
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
