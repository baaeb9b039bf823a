import type { Value } from "../../../../spec/builder/index.ts";
import type { Call, Rule } from "../call.ts";
import { elementTypes } from "../wire/model.ts";
import { cut } from "./movement.ts";

interface Over {
  readonly axes: readonly number[];
  readonly keepdims: boolean;
}

/** Until version 17 axes are an attribute, behind it an operand; sums have had an operand all along. */
function reduction(
  apply: (x: Value, over: Over, call: Call) => Value,
  folds: Rule["folds"],
  operandSince = 18,
): Rule {
  return {
    operands: [1, 2],
    ...(folds === undefined ? {} : { folds }),
    apply(call) {
      const isOperand = call.version >= operandSince;
      const keepdims = call.flag("keepdims", 1);
      const isNoneNone = isOperand && call.flag("noop_with_empty_axes");
      const attribute = isOperand ? undefined : call.ints("axes");
      const given = isOperand && call.hasOperand(1) ? call.integers(1, "axes") : (attribute ?? []);
      const all = call.shape().map((_, axis) => axis);
      if (given.length === 0 && isNoneNone) return apply(call.value(0), { axes: [], keepdims: true }, call);
      return apply(call.value(0), { axes: given.length === 0 ? all : call.axes(given), keepdims }, call);
    },
  };
}

function argument(apply: (x: Value) => Value): Rule {
  return {
    operands: [1, 1],
    folds: "always",
    apply(call) {
      const axis = call.axis(call.int("axis", 0));
      const keepdims = call.flag("keepdims", 1);
      const isLast = call.flag("select_last_index");
      const x = apply(call.value(0));
      const last = (x.shape[axis] ?? 0) - 1;
      const index = isLast
        ? call.builder.subtract(last, x.flip({ axes: [axis] }).argmax({ axis, keepdims }))
        : x.argmax({ axis, keepdims });
      return call.typed(index, elementTypes.int64);
    },
  };
}

/** Puts what is there before anything is counted in front, and drops the last. */
function excluded(call: Call, x: Value, axis: number, start: number): Value {
  const first = call.builder.full({
    shape: x.shape.map((own, other) => (other === axis ? 1 : own)),
    value: start,
  });
  const extent = x.shape[axis] ?? 0;
  return extent === 0 ? x : first.concat(cut(x, axis, 0, extent - 1), { axis });
}

function cumulative(op: "cumulative_sum" | "cumulative_prod", start: number, since: number): Rule {
  return {
    operands: [2, 2],
    folds: "integers",
    since,
    apply(call) {
      const axis = call.axis(call.number(1, "axis"));
      const [isExclusive, isReverse] = [call.flag("exclusive"), call.flag("reverse")];
      const turned = (x: Value): Value => (isReverse ? x.flip({ axes: [axis] }) : x);
      const counted = turned(call.value(0))[op]({ axis });
      return turned(isExclusive ? excluded(call, counted, axis, start) : counted);
    },
  };
}

const topK: Rule = {
  operands: [2, 2],
  apply(call) {
    const axis = call.axis(call.int("axis", -1));
    const k = call.number(1, "k");
    const isLargest = call.flag("largest", 1);
    call.flag("sorted", 1);
    const x = isLargest ? call.value(0) : call.value(0).negative();
    const found = x.top_k({ axis, k });
    const why =
      "the indices of TopK depend on the inputs' numbers, and nothing in a graph reads such indices.";
    return [isLargest ? found : found.negative(), call.absent(why)];
  },
};

/** Operators that reduce or go along axes. */
export const reductions: Readonly<Record<string, Rule>> = {
  ArgMax: argument((x) => x),
  ArgMin: argument((x) => x.negative()),
  CumProd: cumulative("cumulative_prod", 1, 26),
  CumSum: cumulative("cumulative_sum", 0, 11),
  Hardmax: {
    operands: [1, 1],
    apply(call) {
      const axis = call.axis(call.int("axis", -1));
      const x = call.value(0);
      const place = call.builder.iota({ shape: x.shape, axis });
      return place.equal(x.argmax({ axis, keepdims: true }));
    },
  },
  LogSoftmax: {
    operands: [1, 1],
    apply: (call) => call.value(0).log_softmax({ axis: call.axis(call.int("axis", -1)) }),
  },
  ReduceL1: reduction((x, over) => x.abs().sum(over), "integers"),
  ReduceL2: reduction((x, over) => x.norm(over), undefined),
  ReduceLogSum: reduction((x, over) => x.sum(over).log(), undefined),
  ReduceLogSumExp: reduction((x, over) => x.logsumexp(over), undefined),
  ReduceMax: reduction((x, over) => (over.axes.length === 0 ? x : x.max(over)), "always"),
  ReduceMean: reduction((x, over) => x.mean(over), undefined),
  ReduceMin: reduction((x, over) => (over.axes.length === 0 ? x : x.min(over)), "always"),
  ReduceProd: reduction((x, over) => x.prod(over), "integers"),
  ReduceSum: reduction((x, over) => x.sum(over), "integers", 13),
  ReduceSumSquare: reduction((x, over) => x.square().sum(over), "integers"),
  Softmax: {
    operands: [1, 1],
    apply: (call) => call.value(0).softmax({ axis: call.axis(call.int("axis", -1)) }),
  },
  TopK: topK,
};
