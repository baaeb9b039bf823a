import { everyStatement } from "../programs/specimens.test.data.ts";
import { everyCase, everyOperator, everyVector, type Json, tensor } from "../specimens.test.data.ts";

const hello: { [key: string]: Json } = {
  id: 1,
  kind: "hello",
  protocol: 1,
  name: "an engine",
  version: "1.0",
  language: "C",
  links: ["https://example.org"],
  dtypes: ["float64", "float32"],
  operators: ["add", "sin"],
  modes: ["evaluate", "jvp", "vjp", "backward_dense"],
  conventions: {
    maximumAtTie: "split",
    reluAtZero: "half",
    compositeKinks: "own",
    subnormals: "flushed",
    zeros: "signed",
    maximumAtNaN: "number",
    reluAtNaN: "zero",
    zeroCotangents: "dense",
    singularPoints: "own",
  },
  accuracy: { sin: 2.5 },
  accumulation: { sum: { width: "float32", order: "any" }, matmul: { order: "sequential" } },
  limits: {
    every: { ranks: { greatest: 4 }, extents: { least: 1 } },
    conv: { padding: { form: "symmetric" }, groups: { among: [1, 2] } },
  },
  saved: "float16",
  slopes: "accurate",
  repeatable: true,
  tapes: { lives: ["once", "until released"], releases: true, hooks: true },
  statements: ["let", "write"],
  aliases: true,
  draws: "own",
};

/** The attributes of a `let` are the operator's. Any object passes here, and these are all needed. */
function everyProgram(): { [key: string]: Json } {
  return JSON.parse(JSON.stringify(everyStatement));
}

const point: Json = { inputs: [tensor([2])], environment: { c: { shape: [1], base64: "AAAAAAAA8D8=" } } };
const seeds: Json = [{ id: 1, cotangent: tensor([2]) }];
const description: Json = {
  name: "an engine",
  version: "1",
  language: "C",
  links: [],
  modes: ["evaluate"],
  conventions: { zeros: "signed" },
  accuracy: { sin: 2.5 },
  accumulation: { sum: { order: "sequential" } },
  limits: { conv: { strides: { least: 1, greatest: 2 } } },
  saved: "sym8",
  repeatable: false,
};

const script: { [key: string]: Json } = {
  format: "adjudge.tape-case.v1",
  graphs: [{ format: "adjudge.graph.v1", inputs: [], environment: [], nodes: [] }],
  steps: [
    { do: "record", tape: "a", graph: 0, point, life: "until released", of: [1, 2], hooks: [0, 1] },
    { do: "sweep", tape: "a", seeds, refuse: "never", together: true },
    { do: "release", tape: "a" },
  ],
  note: "a case with every step",
};

const verdict: Json = {
  kind: "disagrees",
  witness: {
    case: everyCase(),
    question: "forward = reverse",
    id: 3,
    element: 0,
    answer: "nan",
    expected: "0x1p+0",
    bound: "0x1p-52",
    blame: { id: 3, op: "add", part: "cotangent", sentence: "add drops its second operand." },
    script: { case: script, step: 1 },
  },
};

const knownDisagreement: Json = {
  kind: "disagrees",
  engine: "PyTorch",
  versions: ">=2.15.0",
  dtype: "float64",
  operator: "det",
  part: "cotangent",
  attributes: "axis=0",
  question: "vjp",
  note: "told upstream",
  link: "https://example.org/1",
};
const knownCrash: Json = {
  kind: "crashed",
  engine: "PyTorch",
  versions: "*",
  dtype: "float32",
  message: "out of memory at #",
  note: "a small machine",
  link: "https://example.org/2",
};

const counts: Json = { agrees: 1, disagrees: 1, undecided: 0, unsupported: 0, crashed: 0 };

const rightDigits: Json = { right: { 15: 3, 17: 1 }, asked: { 0: 1, 14: 3 } };
const law: Json = { holds: 1, follows: 2, undecided: 0, broken: 1 };

const held: { [key: string]: Json } = { says: "2 sin", born: 0, last: 2, elements: 2, bytes: 8, place: 0 };
const peak: Json = { elements: 2, bytes: 8, isProved: true };

const obstruction: Json = {
  says: "x is declared 1, and comes to m.",
  id: 0,
  left: "m",
  right: "1",
  bases: ["m"],
  unknowns: ["x"],
  grounds: [
    {
      says: "x is declared: m",
      reason: "declared",
      id: 0,
      pointer: "/inputs/x",
      times: "-2",
      terms: [
        [1, "1"],
        [0, "-1"],
      ],
    },
  ],
};

/** A document for each schema definition that is a whole file or message, with all optional parts. */
export const documents: readonly (readonly [reference: string, document: { [key: string]: Json }])[] = [
  ["graph.schema.json", everyOperator()],
  [
    "lifetimes.schema.json",
    {
      ...{ format: "adjudge.lifetimes.v1", dtype: "float32", of: [2], wrt: [0], turn: 1 },
      steps: [{ kind: "forward", id: 2 }, { kind: "turn" }, { kind: "reverse", id: 2 }],
      values: [
        { kind: "entry", name: "c", ...held, lastForward: 0, neededBy: [2] },
        { kind: "primal", id: 2, ...held, lastForward: 0, neededBy: [2], isResult: true },
        { kind: "cotangent", id: 2, ...held, isWanted: false },
      ],
      lowerBound: { elements: 2, bytes: 8, step: 1 },
      plan: "best-fit",
      peaks: { "best-fit": peak, size: peak, optimum: peak },
    },
  ],
  [
    "lean-verdict.schema.json",
    {
      ...{ format: "adjudge.lean-verdict.v1", file: "trace.json", kind: "accepted" },
      claims: [{ name: "value_1", statement: "True" }],
      seen: ["proved: True"],
      lean: { name: "Lean", version: "4.0.0", remarks: ["not the authority"] },
    },
  ],
  [
    "lean-verdict.schema.json",
    {
      ...{ format: "adjudge.lean-verdict.v1", file: "trace.json", kind: "rejected" },
      ...{ claim: "value_1", message: "it is false", place: "trace.lean:1:0" },
    },
  ],
  [
    "lean-verdict.schema.json",
    {
      ...{ format: "adjudge.lean-verdict.v1", file: "trace.json", kind: "could-not-run" },
      ...{ reason: "there is no Lean", hint: "install one" },
    },
  ],
  ["tensor.schema.json", tensor([2, 3])],
  ["case.schema.json", everyCase()],
  ["vector.schema.json", everyVector()],
  [
    "trace.schema.json",
    {
      format: "adjudge.trace.v1",
      algebra: "rational",
      graph: everyOperator(),
      point: {
        inputs: [{ shape: [1], data: ["1/3"] }],
        environment: { c: { shape: [], data: ["-2"] } },
      },
      seeds: [{ id: 0, cotangent: { shape: [1], data: ["1"] } }],
      form: "dense",
      values: [{ shape: [1], data: ["1/3"] }],
      cotangents: [{ shape: [1], data: ["1"] }],
    },
  ],
  ["program.schema.json", everyProgram()],
  [
    "program-case.schema.json",
    {
      format: "adjudge.program-case.v1",
      program: everyProgram(),
      parameters: [tensor([2])],
      state: [tensor([2])],
      environment: { c: tensor([2]) },
      generator: { key: [1, 2], drawn: 0 },
      received: { in: [tensor([2])] },
      seeds,
      note: "a program with every kind of statement",
    },
  ],
  [
    "program-vector.schema.json",
    {
      format: "adjudge.program-vector.v1",
      name: "every_statement",
      clause: "10.2",
      note: "a vector with all that one can have",
      defects: ["E01", "N102"],
      links: ["https://example.org"],
      faults: ["view_is_a_copy"],
      refuse: "must",
      why: "the write is beside what the rule reads",
      case: {
        format: "adjudge.program-case.v1",
        program: everyProgram(),
        parameters: [tensor([2])],
        state: [tensor([2])],
        environment: { c: tensor([2]) },
        generator: { key: [1, 2], drawn: 0 },
        received: { in: [tensor([2])] },
        seeds,
      },
      calls: [{ parameters: [tensor([2])], received: { in: [tensor([2])] }, seeds }],
      expected: [
        {
          kind: "left",
          results: [tensor([2])],
          state: [tensor([2])],
          sent: [{ channel: "out", value: tensor([2]) }],
          drawn: 1,
          cotangents: [tensor([2])],
          retained: [tensor([2])],
        },
        { kind: "refused", code: "program/released" },
      ],
    },
  ],
  ["tape-case.schema.json", script],
  [
    "tape-vector.schema.json",
    {
      format: "adjudge.tape-vector.v1",
      name: "every_step",
      clause: "4.10",
      note: "a vector with all that one can have",
      defects: ["A21", "N57"],
      links: ["https://example.org"],
      faults: ["released_tape_answers"],
      case: script,
      expected: [
        {
          step: 1,
          cotangents: [{ id: 0, sets: [{ kind: "exact", value: "1/3" }] }],
          hooks: [{ id: 1, sets: [{ kind: "nan" }] }],
        },
      ],
    },
  ],
  [
    "program-report.schema.json",
    {
      format: "adjudge.program-report.v1",
      adjudge: "0.1.0",
      seed: 1,
      programs: 5,
      first: 0,
      engines: [
        {
          label: "pytorch",
          name: "PyTorch",
          version: "2",
          language: "Python",
          dtype: "float64",
          ended: "all",
          counts: {
            agrees: 0,
            disagrees: 1,
            "refused with need": 1,
            "refused without need": 0,
            undecided: 1,
            unsupported: 1,
            crashed: 1,
          },
          told: [
            { kind: "refused", place: 1, reason: "a saved value was overwritten", isNeeded: true },
            { kind: "undecided", place: 2, cause: "singular" },
            { kind: "unsupported", place: 3, reason: "no draws" },
            { kind: "crashed", place: "a.json", message: "error: out of memory" },
            {
              kind: "disagrees",
              place: 4,
              witness: {
                mode: "vjp",
                isLater: false,
                part: "derivative",
                place: 0,
                element: 1,
                node: 0,
                answer: "0x1p+0",
                expected: "2",
                bound: "0x1p-52",
                case: {
                  format: "adjudge.program-case.v1",
                  program: everyProgram(),
                  parameters: [],
                  state: [tensor([2])],
                  environment: {},
                  generator: { key: [1, 2], drawn: 0 },
                  received: {},
                  seeds: [],
                },
                blame: { pointer: "/procedures/0/body/0", sentence: "it overwrites what the sweep needs." },
              },
            },
          ],
        },
      ],
    },
  ],
  [
    "units.schema.json",
    {
      format: "adjudge.units.v1",
      note: "a mass on a spring",
      bases: ["kg", "m", "s"],
      units: { lb: "0.45359237 kg" },
      inputs: { x: { unit: "m", along: [{ axis: 0, units: ["1", "1/s"] }] } },
      environment: { c: { along: [{ axis: 0, units: ["m"] }] } },
      nodes: { "3": "lb·m/s^2" },
    },
  ],
  [
    "explanation.schema.json",
    {
      format: "adjudge.explanation.v1",
      dimensions: {
        kind: "assigned",
        bases: ["m"],
        free: ["w"],
        inputs: [{ name: "x", blocks: [{ ranges: [[0, 2]], dimension: "m", scale: "10^3" }] }],
        environment: [],
        results: [],
        gradients: [{ of: "node 2", cotangents: [] }],
        scales: obstruction,
      },
      memory: {
        layers: { first: 1, nodes: 2, count: 5, alike: 4 },
        axis: { of: "x", axis: 0, length: 8, isFollowed: true },
        modes: [
          {
            mode: "reverse",
            classes: [{ class: "arena", values: 1, elements: 8 }],
            kept: { now: 8, grows: "B" },
            peak: { now: 16, grows: "2·B", fromLength: 4, fromLayers: 3, toLayers: 9 },
            computedAgain: { now: 0 },
            promotions: [
              {
                value: "node 1 (sin)",
                class: "arena",
                elements: 8,
                from: 0,
                to: 3,
                because: "the pull of node 2 (cos) reads it",
              },
            ],
          },
        ],
      },
      representations: {
        digits: 3,
        seen: { calls: 2, share: 0.5 },
        step: {
          rate: 0.01,
          calls: 2,
          parameters: [
            {
              parameter: "input w",
              target: "neuromorphic",
              format: "sym8",
              moved: 3.5,
              sym: 4,
              asym: 4,
              integer: { shift: 27, off: 0.5 },
            },
          ],
        },
        runs: [
          {
            run: "the graph",
            values: [{ name: "node 1 (sum)", elements: 1, range: [-1, 2], terms: 8, outside: 0.25 }],
            assignments: [
              {
                target: "x86_64",
                isMet: true,
                isNarrowest: true,
                bits: 16,
                formats: ["posit16"],
                results: [{ name: "node 1 (sum)", error: 1e-4, digits: 4.3 }],
                accumulators: [{ value: "node 1 (sum)", terms: 8, accumulator: "quire of 256 bits" }],
                quire: {
                  kind: "software",
                  multiplyAdds: 8,
                  nanoseconds: 1600,
                  figures: [{ says: "200 ns", source: "docs/posits.md" }],
                },
              },
            ],
          },
        ],
      },
      gradients: [
        {
          of: "node 1 (sum)",
          wrt: "input x",
          elements: 8,
          measuredIn: "m⁻¹",
          accumulator: { name: "quire:posit32", codes: "posit32", bits: 512, bytes: 64, roundsTerms: false },
          axisLength: 8,
          modes: [
            {
              mode: "reverse",
              quality: "exact but for rounding",
              isGiven: true,
              sums: [{ name: "node 1 (sum)", terms: 8, bitsNeeded: 484, fits: true }],
              proofs: ["widths/quire_posit32/integers"],
              stages: [{ name: "lowering", kind: "restricts", sums: [] }],
              memory: { now: 1 },
              tape: { now: 0 },
              escapes: 0,
              targets: [
                {
                  target: "x86_64",
                  format: "posit32",
                  bitsEach: 32,
                  quire: {
                    kind: "software",
                    place: { where: "stack", bytes: 64, cacheLines: 1 },
                    multiplyAdd: { cycles: 60, source: "a bench" },
                    figures: [{ says: "200 ns", source: "docs/posits.md" }],
                  },
                  accumulators: [{ accumulator: "int32", sums: 1 }],
                  roundings: 1,
                  classes: [{ class: "stack", bytes: 4 }],
                  bytesAtOnce: 4,
                  digits: 4.3,
                  resultFormat: "posit16",
                },
              ],
            },
          ],
        },
      ],
      signatures: {
        of: ["node 1 (sum)"],
        wrt: ["input x"],
        axisLength: 8,
        modes: [
          {
            mode: "reverse",
            memory: { now: 1 },
            quality: "exact but for rounding",
            tape: { now: 0 },
            escapes: { values: 0, elements: 0 },
          },
        ],
      },
      sheaf: {
        values: [{ name: "x", rank: 1 }],
        constraints: [{ name: "x", rank: 1 }],
        coboundary: ["1"],
        h0: 0,
        h1: 0,
        isMet: true,
      },
    },
  ],
  [
    "explanation.schema.json",
    {
      format: "adjudge.explanation.v1",
      dimensions: { kind: "obstructed", bases: ["m"], obstruction },
    },
  ],
  ["protocol.schema.json#/$defs/hello_request", { id: 1, kind: "hello", protocol: 1 }],
  [
    "protocol.schema.json#/$defs/load_request",
    { id: 2, kind: "load", program: 1, dtype: "float32", graph: everyOperator() },
  ],
  ["protocol.schema.json#/$defs/evaluate_request", { id: 3, kind: "evaluate", program: 1, point }],
  [
    "protocol.schema.json#/$defs/jvp_request",
    { id: 4, kind: "jvp", program: 1, point, tangents: [tensor([2])] },
  ],
  ["protocol.schema.json#/$defs/vjp_request", { id: 5, kind: "vjp", program: 1, point, seeds }],
  [
    "protocol.schema.json#/$defs/backward_dense_request",
    { id: 6, kind: "backward_dense", program: 1, point, seeds },
  ],
  [
    "protocol.schema.json#/$defs/load_program_request",
    { id: 8, kind: "load_program", program: 2, dtype: "float64", source: everyProgram() },
  ],
  [
    "protocol.schema.json#/$defs/run_request",
    {
      id: 9,
      kind: "run",
      program: 2,
      mode: "vjp",
      parameters: [tensor([2])],
      environment: { c: tensor([2]) },
      received: { in: [tensor([2])] },
      session: { state: [tensor([2])], generator: { key: [1, 2], drawn: 0 } },
      tangents: [tensor([2])],
      seeds,
    },
  ],
  ["protocol.schema.json#/$defs/unload_request", { id: 7, kind: "unload", program: 1 }],
  [
    "protocol.schema.json#/$defs/record_request",
    { id: 10, kind: "record", program: 2, tape: 5, point, life: "once", of: [1], hooks: [0] },
  ],
  ["protocol.schema.json#/$defs/sweep_request", { id: 11, kind: "sweep", tape: 5, seeds }],
  [
    "protocol.schema.json#/$defs/forward_gradient_request",
    { id: 12, kind: "forward_gradient", program: 1, point, seeds, along: { law: "given", tangents: [] } },
  ],
  [
    "protocol.schema.json#/$defs/forward_gradient_request",
    { id: 13, kind: "forward_gradient", program: 1, point, seeds, along: { law: "gaussian", seed: 5 } },
  ],
  ["protocol.schema.json#/$defs/release_request", { id: 12, kind: "release", tape: 5 }],
  ["protocol.schema.json#/$defs/hello_reply", hello],
  ["protocol.schema.json#/$defs/done_reply", { id: 2, kind: "done" }],
  [
    "protocol.schema.json#/$defs/tensors_reply",
    { id: 3, kind: "tensors", tensors: [tensor([2])], calls: seeds },
  ],
  [
    "protocol.schema.json#/$defs/ran_reply",
    {
      id: 9,
      kind: "ran",
      results: [tensor([2])],
      state: [tensor([2])],
      sent: [{ channel: "out", value: tensor([2]) }],
      drawn: 1,
      draws: [tensor([2])],
      derivative: [tensor([2])],
      retained: [tensor([2])],
    },
  ],
  [
    "protocol.schema.json#/$defs/refused_reply",
    { id: 9, kind: "refused", reason: "a saved value was overwritten", calls: seeds },
  ],
  [
    "protocol.schema.json#/$defs/unsupported_reply",
    { id: 4, kind: "unsupported", reason: "no second derivative" },
  ],
  ["protocol.schema.json#/$defs/error_reply", { id: 5, kind: "error", message: "out of memory" }],
  ["verdict.schema.json", verdict],
  [
    "ranges.schema.json",
    { format: "adjudge.ranges.v1", note: "n", inputs: { x: [-1, 1] }, environment: { c: [0, 0] } },
  ],
  [
    "ranges.schema.json#/$defs/statistics",
    {
      format: "adjudge.statistics.v1",
      calls: 2,
      seed: 0,
      rate: 0.5,
      environment: { c: [0, 1] },
      runs: [
        {
          run: "the graph",
          values: [{ name: "input x", range: [-1, 1], zeros: 1, unknown: 0, exponents: { "-1": 2, "0": 1 } }],
        },
      ],
    },
  ],
  [
    "target.schema.json",
    {
      format: "adjudge.target.v1",
      name: "t",
      note: "n",
      formats: [{ name: "posit8", source: "s" }],
      quire: {
        kind: "software",
        nanoseconds: 200,
        cycles: { count: 600, of: "posit32", source: "c" },
        figures: [{ says: "a", source: "b" }],
      },
      cacheLine: { bytes: 64, source: "d" },
    },
  ],
  [
    "config.schema.json",
    {
      $schema: "./config.schema.json",
      engines: { mine: "python3 adapter.py", tfjs: "tfjs" },
      dtypes: ["float64"],
      profile: "mix",
      seed: 3,
      cases: 100,
      budgets: { seconds: 5, elements: 1000, work: 1000 },
      exclude: ["sort"],
      known: "known.json",
      reports: ["found.html"],
    },
  ],
  ["known.schema.json", { format: "adjudge.known.v1", failures: [knownDisagreement, knownCrash] }],
  [
    "report.schema.json",
    {
      format: "adjudge.report.v1",
      adjudge: "0.1.0",
      invocation: { command: "adjudge judge", started: "2026-11-27T02:03:04Z", node: "24.2.0" },
      seed: -7,
      cases: 2,
      profile: "mix",
      lawsEvery: 4,
      strict: true,
      shard: { index: 1, count: 2 },
      shares: [{ profile: "tensor", share: 0.75 }],
      dtypes: ["float64"],
      engines: [
        {
          label: "node engine.ts",
          description,
          dtype: "float64",
          outcome: "too little",
          varied: { cases: 2, most: 2e-16 },
          excused: 1,
          extent: { cases: 3, asked: 2, ended: "time", seconds: 15 },
          counts,
          operators: { add: counts },
          promises: {
            add: { asked: 2, declined: { evaluate: 0, jvp: 1, vjp: 1, backward_dense: 1 } },
          },
          together: { vjp: 1 },
          broken: [{ operator: "add", mode: "vjp", asked: 2, declined: 1 }],
          promised: ["add"],
          offered: ["add", "erf"],
          foreign: 0,
          unasked: ["erf"],
          unanswered: ["erf"],
          digits: {
            add: { evaluate: rightDigits, jvp: rightDigits, vjp: rightDigits, backward_dense: rightDigits },
          },
          laws: {
            adjointness: law,
            linearity: law,
            repeatability: law,
            "order independence": law,
            "forward = reverse": law,
          },
          imprecise: {
            add: {
              numbers: 2,
              cases: 1,
              first: { case: 3, mode: "vjp", answer: "0x0p+0", expected: "0x1p-60" },
            },
          },
          verdicts: [
            { case: 1, verdict, isKnown: true },
            {
              case: "suites/fan-out.json",
              verdict: { kind: "undecided", cause: "out of time" },
              isKnown: false,
            },
          ],
          known: [{ failure: knownDisagreement, cases: 1 }],
        },
      ],
    },
  ],
];
