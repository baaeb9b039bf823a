import { type Sweeps, scalarBackend, type WriteSweeps } from "../../javascript/scalar/index.ts";
import { allows } from "../../plan/index.ts";
import type { ScalarBackend } from "../../plan/scalar/index.ts";
import type { CCompiler } from "../compiler.ts";
import { loaded } from "../foreign.ts";
import type { Fault } from "../source.ts";
import { shortestRun, sweepsText, tables } from "./source.ts";

/**
 * Executes scalar plans by a C compiler's code. Plans of the same variants have the same text, so that a
 * compiler is called once for all of them. A test may plant a fault in the text.
 */
export function cScalars(compiler: CCompiler, fault: Pick<Fault, "text"> = {}): ScalarBackend {
  const spoilt: CCompiler = { compile: (text) => compiler.compile(fault.text?.(text) ?? text) };
  return scalarBackend("c", shortestRun, (order, memory) => sweepsOf(spoilt, order, memory));
}

function sweepsOf(compiler: CCompiler, ...[order, memory]: Parameters<WriteSweeps>): Sweeps {
  const { plan, precision, regime, tracks } = order;
  const { operands, staging, schedule, variantOf, slots } = plan;
  const functions = allows(regime, "own_functions") ? "own" : "host";
  const sweeps = ["forward", "reverse", "tangent"] as const;
  const { text, called } = sweepsText(plan, { precision, regime, functions, tracks, sweeps, storage: "" });
  const clearText = "void clear(T *c, I count) { for (I i = 0; i < count; i++) c[i] = -0.0; }";
  const library = loaded(compiler.compile(`${text}\n\n${clearText}\n`), called);
  const clear = library.func("clear", "void", ["void *", "int64_t"]);
  const types = [...tables, "k", "reached", "v", "c", "d"].map(() => "void *");
  const isRuns = schedule.kind === "runs";
  const last = isRuns ? ["void *", "int64_t"] : ["int64_t", "int64_t"];
  const [forward, reverse, tangent] = sweeps.map((name) => library.func(name, "void", [...types, ...last]));
  const { x, y, z, xBar, yBar, zBar, sums } = { ...operands, ...staging };
  const given = [
    x,
    y,
    z,
    xBar,
    yBar,
    zBar,
    sums,
    variantOf,
    memory.reached,
    memory.values,
    memory.cotangents,
  ];
  const upwards = isRuns ? [schedule.forward, schedule.forward.length] : [0, slots];
  const downwards = isRuns ? [schedule.reverse, schedule.reverse.length] : [0, slots];
  return {
    clear: () => clear(memory.cotangents, memory.cotangents.length),
    forward: () => forward?.(...given, none, ...upwards),
    reverse: () => reverse?.(...given, none, ...downwards),
    bind: (tangents) => () => tangent?.(...given, tangents, ...upwards),
  };
}

/** Stands for tangents where there are none. */
const none = new Float64Array(1);
