import { sizeOf, sliceAxis, stridesOf } from "../../../spec/index.ts";
import { pad as padSignature } from "../../../spec/operators/pad.ts";
import { integerIn } from "../accumulators/width.ts";
import type { Execution, Hypothesis, Model, Obligation } from "../obligation.ts";

/** A statement about all extents; its mutant leaves a hypothesis out. */
interface Lemma {
  readonly name: string;
  readonly statement: string;
  readonly symbols: readonly string[];
  readonly definitions?: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  readonly metaArgument: string;
  readonly mutants: readonly {
    readonly name: string;
    readonly fault: string;
    readonly without: string;
    readonly execute: (numbers: Readonly<Record<string, number>>) => Execution;
  }[];
}

const within = (term: string, extent: string): string => `(and (<= 0 ${term}) (< ${term} ${extent}))`;

function outside(position: number, size: number, right: boolean, told: string): Execution {
  return {
    showsFault: right && (position < 0 || position >= size),
    told: `${told}: position ${position} of ${size}`,
  };
}

/** Whether the last index of two loops is within their tensor, and no further. */
function isTight(m: number, n: number): boolean {
  const [outer = 0, inner = 0] = stridesOf([m, n]);
  return (m - 1) * outer + (n - 1) * inner === sizeOf([m, n]) - 1;
}

function rowMajor({ i = 0, inner = 0, m = 0, n = 0 }: Readonly<Record<string, number>>): Execution {
  const [step = 0] = stridesOf([m, n]);
  return outside(
    i * step + inner,
    sizeOf([m, n]),
    m < 1 || n < 1 || isTight(m, n),
    `index ${i}, then position ${inner}, in [${m},${n}]`,
  );
}

function sliced({
  i = 0,
  extent = 0,
  start = 0,
  stop = 0,
  step = 1,
  count = 0,
}: Readonly<Record<string, number>>): Execution {
  const real = sliceAxis(extent, start, stop, step);
  const last = real.first + (real.count - 1) * step;
  const right = real.count === 0 || (last >= 0 && last < extent);
  const first = Math.min(Math.max(start < 0 ? start + extent : start, 0), extent);
  return outside(
    first + i * step,
    extent,
    right,
    `index ${i} of ${count}, really ${real.count}, from ${first} by ${step}`,
  );
}

function padded({
  i = 0,
  x = 0,
  low = 0,
  interior = 0,
  high = 0,
}: Readonly<Record<string, number>>): Execution {
  const shape = padSignature.shape({ low: [low], high: [high], interior: [interior] }, [[x]], []);
  const size = shape.ok ? sizeOf(shape.value) : 0;
  const last = low + (x - 1) * (1 + interior);
  return outside(low + i * (1 + interior), size, x < 1 || last < size, `element ${i} of ${x}`);
}

const lemmas: readonly Lemma[] = [
  {
    name: "row_major",
    statement: "A row-major position is below the size, if each index is below its extent",
    symbols: ["i", "inner", "m", "n"],
    hypotheses: [
      { name: "index", formula: within("i", "m") },
      { name: "inner_position", formula: within("inner", "n") },
    ],
    goal: within("(+ (* i n) inner)", "(* m n)"),
    metaArgument:
      "Induction over the axes: `inner` is a position in the block of `n` elements that an index of the outermost axis names.",
    mutants: [
      { name: "any-index", fault: "the outer index is anything.", without: "index", execute: rowMajor },
      {
        name: "any-position",
        fault: "the inner position is anything.",
        without: "inner_position",
        execute: rowMajor,
      },
    ],
  },
  {
    name: "slice_axis",
    statement:
      "Every index that a slice with a positive step keeps of an axis is below its extent, whatever start, stop and extent are",
    symbols: ["i", "extent", "start", "stop", "step", "count"],
    definitions: [
      "(define-fun clamped ((a Int)) Int (let ((b (ite (< a 0) (+ a extent) a))) (ite (< b 0) 0 (ite (> b extent) extent b))))",
      "(define-fun first () Int (clamped start))",
    ].join("\n"),
    hypotheses: [
      { name: "extent_counts", formula: "(>= extent 0)" },
      { name: "forward", formula: "(> step 0)" },
      { name: "kept", formula: within("i", "count") },
      { name: "ceiling", formula: "(=> (> count 0) (< (* (- count 1) step) (- (clamped stop) first)))" },
    ],
    goal: within("(+ first (* i step))", "extent"),
    metaArgument:
      "`ceiling` is what a count says that is the quotient rounded up: one less does not reach the stop.",
    mutants: [
      { name: "any-count", fault: "the count is anything.", without: "ceiling", execute: sliced },
      { name: "beyond-count", fault: "the index is anything.", without: "kept", execute: sliced },
    ],
  },
  {
    name: "pad_axis",
    statement: "Every element of an axis goes to a place below the padded extent, whatever the padding is",
    symbols: ["i", "x", "low", "interior", "high"],
    hypotheses: [
      { name: "index", formula: within("i", "x") },
      { name: "low_counts", formula: "(>= low 0)" },
      { name: "high_counts", formula: "(>= high 0)" },
      { name: "interior_counts", formula: "(>= interior 0)" },
    ],
    goal: within("(+ low (* i (+ 1 interior)))", "(+ x (* (- x 1) interior) low high)"),
    metaArgument: "An axis of extent 0 has no index, so that its extent need not be told apart.",
    mutants: [{ name: "any-index", fault: "the index is anything.", without: "index", execute: padded }],
  },
];

/** What holds of the shape rules at all extents, axis by axis. */
export function extentObligations(): readonly Obligation[] {
  return lemmas.map(
    ({ name, statement, symbols, definitions = "", hypotheses, goal, mutants, metaArgument }) => ({
      id: `wellformed/extents/${name}`,
      statement: `${statement}.`,
      clause: "SEMANTICS §1",
      logic: "QF_NIA",
      scope: { kind: "operator", operator: name, shapes: "all" },
      tier: "everyday",
      declarations: [...symbols.map((symbol) => `(declare-const ${symbol} Int)`), definitions].join("\n"),
      hypotheses,
      goal,
      rlimit: 20_000_000,
      requiredCore: mutants.map(({ without }) => without),
      mutants: mutants.map(({ name: mutant, fault, without, execute }) => ({
        name: mutant,
        fault,
        without: [without],
        ask: symbols,
        execute: (model: Model) => execute(numbersIn(model, symbols)),
      })),
      dependsOn: name === "row_major" ? [] : ["wellformed/extents/row_major"],
      metaArgument,
    }),
  );
}

function numbersIn(model: Model, symbols: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(symbols.map((symbol) => [symbol, Number(integerIn(model, symbol))]));
}
