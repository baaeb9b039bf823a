import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { faultsIn, known, size, stepOf, type Tools } from "./operands.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Fault, stepObligation, textOf } from "./step.ts";

const planted = faultsIn("centre/growth");

/** The least and the greatest size in reach of `x`. */
const NEAR = `(ite (< ${size("x")} reach) 0.0 (- ${size("x")} reach))`;
const FAR = `(+ ${size("x")} reach)`;

/** A slope in reach, and how it is attained. */
interface Attained {
  readonly name: string;
  readonly what: string;
  readonly unknowns?: Readonly<Record<string, Sign>>;
  /** All of the reach is within the domain. */
  readonly domain?: string;
  readonly more?: readonly Hypothesis[];
  readonly instead?: (tools: Tools) => Names;
  readonly is: (g: string, bench: Bench) => string;
  readonly faults: readonly Fault[];
  /** That distance and reach are sizes is needed. */
  readonly ofSizes?: true;
}

const at = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  x: "0.5",
  dx: "0.125",
  reach: "0.25",
  ...more,
});

/** Of cosh and sinh nothing is known but that they grow with the size of what they are of. */
const waveOf = ({ growing, host }: Tools, name: string, x: unknown): unknown =>
  growing(name, called(host.math.abs, x));
const hyperbolic = (tools: Tools): Names => ({
  Math: {
    cosh: (x: unknown) => called(tools.host.operators.add, 1, waveOf(tools, "cosh", x)),
    sinh: (x: unknown) => waveOf(tools, "sinh", x),
  },
});
const end = ({ host, unknown }: Bench, way: "add" | "subtract"): unknown =>
  called(host.operators[way], called(host.math.abs, unknown("x")), unknown("reach"));

const attained: readonly Attained[] = [
  {
    name: "log",
    what: "1/t at the end near 0",
    domain: "(< reach x)",
    is: (g) => `(= (* ${g} (- x reach)) dx)`,
    faults: [
      planted(
        "twice",
        "the reach counts twice.",
        "log: (x, dx, reach) => dx / above(0, x, reach)",
        "log: (x, dx, reach) => dx / above(0, x, 2 * reach)",
        at({ x: "1.0" }),
      ),
    ],
  },
  {
    name: "log1p",
    what: "1/(1 + t) at the end near −1",
    domain: "(< reach (+ x 1.0))",
    is: (g) => `(= (* ${g} (- (+ x 1.0) reach)) dx)`,
    faults: [
      planted(
        "at-zero",
        "the domain is that of log.",
        "log1p: (x, dx, reach) => dx / above(-1, x, reach)",
        "log1p: (x, dx, reach) => dx / above(0, x, reach)",
        at(),
      ),
    ],
  },
  {
    name: "log2",
    what: "log₂ e / t at the end near 0",
    unknowns: { log2e: "any" },
    domain: "(< reach x)",
    instead: ({ unknown }) => ({ Math: { LOG2E: unknown("log2e") } }),
    is: (g) => `(= (* ${g} (- x reach)) (* dx log2e))`,
    faults: [
      planted(
        "twice",
        "the factor counts twice.",
        "above(0, x, reach)) * Math.LOG2E",
        "above(0, x, reach)) * 2 * Math.LOG2E",
        at({ log2e: "1.5" }),
      ),
    ],
  },
  {
    name: "atan",
    what: "1/(1 + t²) at the end near 0, or at 0",
    is: (g) => `(= (* ${g} (+ 1.0 (* ${NEAR} ${NEAR}))) dx)`,
    faults: [
      planted(
        "at-zero",
        "the slope is taken at 0.",
        "atan: (x, dx, reach) => dx / (1 + least(x, reach) ** 2)",
        "atan: (_x, dx, _reach) => dx",
        at(),
      ),
    ],
  },
  ...(["asin", "acos"] as const).map(
    (name): Attained => ({
      name,
      what: "1/√(1 − t²) with each factor at its least",
      ofSizes: true,
      domain: `(< ${FAR} 1.0)`,
      is: (g) => `(and (<= 0.0 ${g}) (= (* ${g} ${g} (- 1.0 ${FAR}) (+ 1.0 ${NEAR})) (* dx dx)))`,
      faults: [
        planted(
          "one-factor",
          "1 + t is left out.",
          "Math.sqrt(room(x, reach) * (1 + least(x, reach)))",
          "Math.sqrt(room(x, reach))",
          { x: "(/ 27.0 50.0)", dx: "1.0", reach: "(/ 1.0 10.0)" },
        ),
      ],
    }),
  ),
  {
    name: "atanh",
    what: "1/(1 − t²) with each factor at its least",
    ofSizes: true,
    domain: `(< ${FAR} 1.0)`,
    is: (g) => `(= (* ${g} (- 1.0 ${FAR}) (+ 1.0 ${NEAR})) dx)`,
    faults: [
      planted(
        "one-factor",
        "1 + t is left out.",
        "dx / (room(x, reach) * (1 + least(x, reach)))",
        "dx / room(x, reach)",
        at(),
      ),
    ],
  },
  {
    name: "asinh",
    what: "1/√(1 + t²) at the end near 0, or at 0",
    ofSizes: true,
    is: (g) => `(and (<= 0.0 ${g}) (= (* ${g} ${g} (+ 1.0 (* ${NEAR} ${NEAR}))) (* dx dx)))`,
    faults: [
      planted(
        "at-zero",
        "the slope is taken at 0.",
        "dx / Math.hypot(1, least(x, reach))",
        "dx",
        at({ x: "1.0" }),
      ),
    ],
  },
  {
    name: "acosh",
    what: "1/√(t² − 1) with each factor at its least",
    ofSizes: true,
    domain: "(< (+ 1.0 reach) x)",
    is: (g) => `(and (<= 0.0 ${g}) (= (* ${g} ${g} (- x reach 1.0) (+ 1.0 (- x reach))) (* dx dx)))`,
    faults: [
      planted(
        "at-one",
        "1 + t is taken at 1.",
        "above(1, x, reach) * (1 + Math.max(1, x - reach))",
        "above(1, x, reach) * 2",
        { x: "(/ 19.0 8.0)", dx: "1.0", reach: "0.25" },
      ),
    ],
  },
  {
    name: "sqrt",
    what: "(a − b)/(√a + √b) at the ends near 0",
    ofSizes: true,
    unknowns: { p: "positive", q: "positive" },
    more: [{ name: "roots", formula: "(and (= (* p p) (+ (- x reach) dx)) (= (* q q) (- x reach)))" }],
    is: (g) => `(= (* ${g} (+ p q)) dx)`,
    faults: [
      planted("near", "both roots are the lesser one.", "above(0, x, reach - dx)", "above(0, x, reach)", {
        x: "2.0",
        dx: "3.0",
        reach: "1.0",
        p: "2.0",
        q: "1.0",
      }),
    ],
  },
  {
    name: "tan",
    what: "1/cos² where the cosine is the least",
    unknowns: { wave: "any", computed: "any" },
    domain: `(< (+ wave reach) ${size("computed")})`,
    instead: ({ unknown }) => ({ Math: { cos: () => unknown("computed") }, WAVE_ERROR: unknown("wave") }),
    is: (g) => `(= (* ${g} (- ${size("computed")} wave reach) (- ${size("computed")} wave reach)) dx)`,
    faults: [
      planted(
        "cubed",
        "it is cubed.",
        "WAVE_ERROR, reach) ** 2",
        "WAVE_ERROR, reach) ** 3",
        at({ computed: "1.0", wave: "0.0" }),
      ),
    ],
  },
  ...(
    [
      ["sin", "cos"],
      ["cos", "sin"],
    ] as const
  ).map(
    ([name, slope]): Attained => ({
      name,
      what: "the other wave, which moves as much as its argument, where that is at most 1 and all of it at most 2",
      ofSizes: true,
      unknowns: { wave: "size", computed: "any" },
      instead: ({ unknown }) => ({
        Math: { [slope]: () => unknown("computed") },
        WAVE_ERROR: unknown("wave"),
      }),
      is: (g) => {
        const steep = `(+ ${size("computed")} wave reach)`;
        const move = `(* dx (ite (< ${steep} 1.0) ${steep} 1.0))`;
        return `(= ${g} (ite (< ${move} 2.0) ${move} 2.0))`;
      },
      faults: [
        planted(
          "two",
          "it moves by 3 at most.",
          "WAVE_ERROR + reach), 2)",
          "WAVE_ERROR + reach), 3)",
          at({ dx: "4.0", computed: "1.0", wave: "0.0" }),
        ),
        planted(
          "steeper",
          "the slope is at most 2.",
          "dx * Math.min(1, Math.abs(slope(x))",
          "dx * Math.min(2, Math.abs(slope(x))",
          at({ computed: "1.0", wave: "0.0" }),
        ),
      ],
    }),
  ),
  ...(
    [
      ["sinh", "cosh"],
      ["cosh", "sinh"],
    ] as const
  ).map(
    ([name, slope]): Attained => ({
      name,
      what: `${slope} t at the far end`,
      instead: hyperbolic,
      is: (g, bench) => {
        const steep = textOf(waveOf(bench, slope, end(bench, "add")));
        return `(= ${g} (* dx ${slope === "cosh" ? `(+ 1.0 ${steep})` : steep}))`;
      },
      faults: [
        planted(
          "farther",
          "the reach counts twice.",
          `dx * Math.${slope}(most(x, reach))`,
          `dx * Math.${slope}(most(x, 2 * reach))`,
          at({ x: "1.0", reach: "2.0" }),
        ),
      ],
    }),
  ),
  {
    name: "tanh",
    what: "1/cosh² t at the end near 0",
    domain: `(< reach ${size("x")})`,
    instead: hyperbolic,
    is: (g, bench) => {
      const steep = `(+ 1.0 ${textOf(waveOf(bench, "cosh", end(bench, "subtract")))})`;
      return `(= (* ${g} ${steep} ${steep}) dx)`;
    },
    faults: [
      planted(
        "once",
        "it is divided once.",
        "dx / Math.cosh(least(x, reach)) / Math.cosh(least(x, reach))",
        "dx / Math.cosh(least(x, reach))",
        at({ x: "2.0" }),
      ),
    ],
  },
];

function law({
  name,
  what,
  unknowns,
  domain,
  more = [],
  instead,
  is,
  faults,
  ofSizes,
}: Attained): Obligation {
  const sign = ofSizes === true ? "size" : "any";
  return stepObligation(
    stepOf({
      id: `tight/growth/${name}`,
      statement: `The growth of ${name} is what it moves over the distance with the steepest slope in reach: ${what}.`,
      metaArgument:
        "The mean value theorem says that no function moves more; a growth that is no steeper than this is not wider than the slopes in reach ask for.",
      rlimit: 1_000_000,
      unknowns: { x: "any", dx: sign, reach: sign, ...unknowns },
      hypotheses: [...(domain === undefined ? [] : [{ name: "domain", formula: domain }]), ...more],
      ...(instead === undefined ? {} : { instead }),
      claim: (bench) =>
        known(
          called(
            got(bench.ideal.module("centre/growth").growths, name),
            ...["x", "dx", "reach"].map((operand) => bench.unknown(operand)),
          ),
          (g) => is(g, bench),
        ),
      faults,
    }),
  );
}

/** States that growths are no steeper than slopes in reach. */
export function tightGrowthObligations(): readonly Obligation[] {
  return attained.map(law);
}
