import { byGradientDescent, training } from "../../reference/index.ts";
import { at, type Program, type Statement } from "../../spec/index.ts";
import {
  applied,
  copy,
  isLet,
  isUpdate,
  moved,
  number,
  operandOf,
  renamed,
  replaced,
  rewritten,
  spread,
} from "./edits.test.kit.ts";

/** A wrong optimiser: a small edit of the program of a case, by the title of the case, whose comparison must tell it. */
export interface OptimiserMutant {
  readonly name: string;
  readonly fault: string;
  readonly of: string;
  readonly edit: (program: Program) => Program;
}

const shape = [3];

function dropping(isDropped: (statement: Statement) => boolean): OptimiserMutant["edit"] {
  return (program) => replaced(program, (statement) => (isDropped(statement) ? [] : [statement]));
}

/** A step of Adam with roots and ε in another order. */
function aroundRoot(
  made: (root: string, square: string, epsilon: string, result: string) => readonly Statement[],
): OptimiserMutant["edit"] {
  return (program) => {
    let [root, square] = ["", ""];
    return replaced(program, (statement) => {
      if (isLet(statement, "sqrt")) {
        [root, square] = [statement.name, operandOf(statement, 0)];
        return [];
      }
      if (!isLet(statement, "add", root)) return [statement];
      return made(root, square, operandOf(statement, 1), statement.name);
    });
  };
}

const adams: readonly OptimiserMutant[] = [
  {
    name: "adam-moments-swapped",
    fault: "Each of Adam's moments takes up what is the other's.",
    of: "Adam",
    edit: (program) =>
      replaced(program, (statement) => {
        const isOne = isUpdate(statement, "w.m", "add") || isUpdate(statement, "w.v", "add");
        return [
          isOne
            ? renamed(
                statement,
                new Map([
                  ["w.m", "w.v"],
                  ["w.v", "w.m"],
                ]),
              )
            : statement,
        ];
      }),
  },
  {
    name: "adam-correction-multiplied",
    fault: "The bias correction is multiplied in.",
    of: "Adam",
    edit: (program) =>
      replaced(program, (statement) => {
        const isOne = isLet(statement, "divide", "w.m") || isLet(statement, "divide", "w.v");
        return [isOne ? applied(statement.name, "multiply", ...statement.operands) : statement];
      }),
  },
  {
    name: "adam-one-step-late",
    fault: "The powers of the bias correction are those of the step before.",
    of: "Adam",
    edit: (program) =>
      moved(
        program,
        (statement) => isUpdate(statement, "w.p1", "multiply") || isUpdate(statement, "w.p2", "multiply"),
        "end",
      ),
  },
  {
    name: "adam-one-power-for-both",
    fault: "The second moment is corrected with the power of the first.",
    of: "Adam",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "subtract") ? renamed(statement, new Map([["w.p2", "w.p1"]])) : statement,
      ]),
  },
  {
    name: "adam-epsilon-inside",
    fault: "Epsilon stands inside the root instead of outside.",
    of: "Adam",
    edit: aroundRoot((root, square, epsilon, result) => [
      applied(root, "add", square, epsilon),
      applied(result, "sqrt", root),
    ]),
  },
  {
    name: "adam-epsilon-outside",
    fault: "Epsilon stands outside the root instead of inside.",
    of: "Adam with ε inside",
    edit: (program) => {
      let [sum, square, epsilon] = ["", "", ""];
      return replaced(program, (statement) => {
        if (isLet(statement, "add") && statement.operands.length === 2 && isAtEpsilon(program, statement)) {
          [sum, square, epsilon] = [statement.name, operandOf(statement, 0), operandOf(statement, 1)];
          return [];
        }
        if (!isLet(statement, "sqrt", sum)) return [statement];
        return [applied(sum, "sqrt", square), applied(statement.name, "add", sum, epsilon)];
      });
    },
  },
  {
    name: "adam-epsilon-uncorrected",
    fault: "Epsilon is added before the second moment is corrected.",
    of: "Adam",
    edit: (program) => {
      let correction = "";
      const raw = replaced(program, (statement) => {
        if (!isLet(statement, "divide", "w.v")) return [statement];
        correction = operandOf(statement, 1);
        return [copy(statement.name, "w.v", shape)];
      });
      return aroundRoot((root, square, epsilon, result) => [
        applied(root, "sqrt", square),
        applied("planted sum", "add", root, epsilon),
        applied("planted root", "sqrt", correction),
        applied(result, "divide", "planted sum", "planted root"),
      ])(raw);
    },
  },
  {
    name: "adam-first-call-whole",
    fault: "The first call makes the gradient the moments, and corrects them all the same.",
    of: "Adam",
    edit: (program) => {
      const begins = (statement: Statement, moment: string, whole: string): readonly Statement[] => {
        const names = ["one", "first", "where", "taken"].map((name) => `planted ${name} ${moment}`);
        const [one, first, where, taken] = [at(names, 0), at(names, 1), at(names, 2), at(names, 3)];
        const from = statement.do === "update" ? statement.from : "";
        const pick = [number(one, 1), applied(first, "equal", "w.p1", one), spread(where, first, shape)];
        return [
          ...pick,
          applied(taken, "where", where, whole, from),
          { do: "update", to: moment, op: "add", from: taken },
        ];
      };
      let square = "";
      return replaced(program, (statement) => {
        if (isLet(statement, "multiply", "w.gradient")) square = statement.name;
        if (isUpdate(statement, "w.m", "add")) return begins(statement, "w.m", "w.gradient");
        return isUpdate(statement, "w.v", "add") ? begins(statement, "w.v", square) : [statement];
      });
    },
  },
  {
    name: "adam-no-square",
    fault: "The second moment is that of the gradient's size, not of its square.",
    of: "Adam",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "multiply", "w.gradient") ? applied(statement.name, "abs", "w.gradient") : statement,
      ]),
  },
  {
    name: "adam-no-root",
    fault: "Nobody takes the root of the second moment.",
    of: "Adam",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "sqrt") ? copy(statement.name, operandOf(statement, 0), shape) : statement,
      ]),
  },
  {
    name: "adamw-decay-coupled",
    fault: "AdamW's decay goes into the gradient.",
    of: "AdamW",
    edit: (program) => {
      let isFirst = true;
      return replaced(program, (statement) => {
        if (isLet(statement, "multiply", "all.rate")) return [copy(statement.name, "all.decay", [])];
        if (isFirst && statement.do === "update") {
          isFirst = false;
          return [applied("planted gradient", "add", "w.gradient", statement.from)];
        }
        return [renamed(statement, new Map([["w.gradient", "planted gradient"]]))];
      });
    },
  },
  {
    name: "adam-decay-decoupled",
    fault: "Adam's decay passes the gradient by.",
    of: "Adam with coupled decay",
    edit: (program) => {
      let coupled = "";
      return replaced(program, (statement) => {
        if (!isLet(statement, "add", "w.gradient"))
          return [renamed(statement, new Map([[coupled, "w.gradient"]]))];
        coupled = statement.name;
        return [
          spread("planted rate", "all.rate", shape),
          applied("planted decay", "multiply", "planted rate", operandOf(statement, 1)),
          { do: "update", to: "w", op: "subtract", from: "planted decay" },
        ];
      });
    },
  },
  {
    name: "adamw-rate-twice",
    fault: "The decay of AdamW is multiplied by the rate twice.",
    of: "AdamW",
    edit: (program) =>
      replaced(program, (statement) =>
        isLet(statement, "multiply", "all.rate")
          ? [
              applied("planted decay", "multiply", ...statement.operands),
              applied(statement.name, "multiply", "all.rate", "planted decay"),
            ]
          : [statement],
      ),
  },
  {
    name: "amsgrad-forgets",
    fault: "AMSGrad's greatest moment is the last one.",
    of: "AMSGrad of the moment",
    edit: (program) =>
      replaced(program, (statement) => [
        statement.do === "update" && statement.op === "maximum"
          ? { do: "write", to: statement.to, from: statement.from }
          : statement,
      ]),
  },
];

/** Whether an addition is that of ε: what it adds is spread from there. */
function isAtEpsilon({ procedures }: Program, statement: Statement): boolean {
  const spreads = procedures[0]?.body.filter((one) => isLet(one, "broadcast_to", "all.epsilon")) ?? [];
  return spreads.some(
    (one) => isLet(one, "broadcast_to") && isLet(statement, "add") && statement.operands[1] === one.name,
  );
}

const others: readonly OptimiserMutant[] = [
  {
    name: "momentum-dampened",
    fault: "The velocity takes up the gradient times one minus the momentum.",
    of: "momentum",
    edit: (program) =>
      replaced(program, (statement) =>
        isUpdate(statement, "w.v", "add")
          ? [
              number("planted one", 1),
              applied("planted share", "subtract", "planted one", "all.momentum"),
              spread("planted shares", "planted share", shape),
              applied("planted pull", "multiply", "planted shares", "w.gradient"),
              { do: "update", to: "w.v", op: "add", from: "planted pull" },
            ]
          : [statement],
      ),
  },
  {
    name: "momentum-first-step-damped",
    fault: "The first gradient is damped like the others.",
    of: "momentum damped after the first step",
    edit: (program) =>
      replaced(program, (statement) => {
        if (!isLet(statement, "where")) return [statement];
        const [begun, kept] = [operandOf(statement, 0), operandOf(statement, 1)];
        return [applied(statement.name, "where", begun, kept, kept)];
      }),
  },
  {
    name: "momentum-not-kept",
    fault: "The velocity begins anew at each call.",
    of: "momentum",
    edit: (program) =>
      replaced(program, (statement) =>
        isUpdate(statement, "w.v", "multiply")
          ? [number("planted zero", 0, shape), { do: "write", to: "w.v", from: "planted zero" }]
          : [statement],
      ),
  },
  {
    name: "momentum-rate-twice",
    fault: "A velocity that has the rate in it is multiplied by the rate again.",
    of: "scaled momentum",
    edit: (program) =>
      replaced(program, (statement) =>
        statement.do === "update" && statement.to === "w"
          ? [
              spread("planted rate", "all.rate", shape),
              applied("planted move", "multiply", "planted rate", statement.from),
              { ...statement, from: "planted move" },
            ]
          : [statement],
      ),
  },
  {
    name: "nesterov-looks-back",
    fault: "Nesterov's step looks at the velocity of before.",
    of: "Nesterov",
    edit: (program) => {
      const old = spread("planted momentum", "all.momentum", shape);
      const ahead = applied("planted ahead", "multiply", "planted momentum", "w.v");
      return rewritten(program, (body) => [
        old,
        ahead,
        ...body.map((statement) =>
          isLet(statement, "add", "w.gradient")
            ? applied(statement.name, "add", "w.gradient", "planted ahead")
            : statement,
        ),
      ]);
    },
  },
  {
    name: "adagrad-not-kept",
    fault: "Adagrad's sum is that of one call.",
    of: "Adagrad",
    edit: (program) =>
      replaced(program, (statement) => [
        statement.do === "update" && statement.to === "w.s"
          ? { do: "write", to: "w.s", from: statement.from }
          : statement,
      ]),
  },
  {
    name: "rmsprop-not-centred",
    fault: "Centred RMSProp forgets the mean.",
    of: "centred RMSProp",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "subtract") ? copy(statement.name, operandOf(statement, 0), shape) : statement,
      ]),
  },
  {
    name: "lamb-ratio-inverted",
    fault: "The trust ratio is that of the step to the parameter.",
    of: "LAMB",
    edit: (program) => {
      const roots = new Set<string>();
      return replaced(program, (statement) => {
        if (isLet(statement, "sqrt")) roots.add(statement.name);
        const isRatio = isLet(statement, "divide") && statement.operands.every((name) => roots.has(name));
        return [isRatio ? applied(statement.name, "divide", ...statement.operands.toReversed()) : statement];
      });
    },
  },
  {
    name: "lamb-stuck-at-zero",
    fault: "The trust ratio of a parameter that is 0 is 0.",
    of: "LAMB from 0",
    edit: (program) =>
      rewritten(program, (body) => {
        const ratio = body.findLast((statement) => isLet(statement, "multiply", "all.rate"));
        const name = ratio !== undefined && isLet(ratio, "multiply") ? operandOf(ratio, 1) : "";
        return body.map((statement) =>
          isLet(statement, "full") && statement.name === name ? number(name, 0) : statement,
        );
      }),
  },
  {
    name: "decay-one-step-late",
    fault: "The rate falls a step late.",
    of: "a step decay",
    edit: (program) =>
      rewritten(program, (body) => {
        const fall = body.findIndex((statement) => statement.do === "if");
        const counted = body.findIndex((statement) => isUpdate(statement, "all.turn", "add"));
        const condition = body.slice(counted + 1, fall + 1);
        return [...body.slice(0, counted), ...condition, at([...body], counted), ...body.slice(fall + 1)];
      }),
  },
  {
    name: "cosine-off-by-one",
    fault: "The cosine counts the step before it gives the rate.",
    of: "a cosine that holds",
    edit: (program) => {
      const isCount = (statement: Statement): boolean => isUpdate(statement, "all.cosineStep", "add");
      const counted = rewritten(program, (body) => [
        number("planted one", 1),
        { do: "update", to: "all.cosineStep", op: "add", from: "planted one" },
        ...body.filter((statement) => !isCount(statement)),
      ]);
      return counted;
    },
  },
  {
    name: "warm-up-divides-by-zero",
    fault: "The warm-up is computed where there are no steps of it.",
    of: "no steps of warming up",
    edit: (program) =>
      replaced(program, (statement) => (statement.do === "if" ? statement.body : [statement])),
  },
  {
    name: "warm-up-off-by-one",
    fault: "The warm-up begins one step up instead of at 0.",
    of: "a warm-up from 0",
    edit: (program) =>
      replaced(program, (statement) =>
        isLet(statement, "reshape", "all.warmStep")
          ? [number("planted one", 1), applied(statement.name, "add", "all.warmStep", "planted one")]
          : [statement],
      ),
  },
];

const wholeSteps: readonly OptimiserMutant[] = [
  {
    name: "groups-share-a-count",
    fault: "Two groups advance one count of steps.",
    of: "groups",
    edit: (program) => {
      const shared = new Map([
        ["b.p1", "w.p1"],
        ["b.p2", "w.p2"],
      ]);
      return replaced(program, (statement) => [renamed(statement, shared)]);
    },
  },
  {
    name: "absent-is-stepped",
    fault: "A parameter without a gradient is stepped with what lies there.",
    of: "groups, and gradients that are absent",
    edit: (program) =>
      replaced(program, (statement) => (statement.do === "if" ? statement.body : [statement])),
  },
  {
    name: "tied-twice",
    fault: "A tied parameter is updated for each of its uses.",
    of: "a tied parameter",
    edit: (program) =>
      rewritten(program, ([sum, ...body]) => {
        if (sum?.do !== "let") return body;
        const end = body.findIndex((statement) => statement.do === "update" && statement.to === "w") + 1;
        const own = body.slice(0, end);
        const first = own.map((statement) => renamed(statement, new Map([[sum.name, "w.gradient1"]])));
        const names = own.flatMap((statement) => (statement.do === "let" ? [statement.name] : []));
        const again = new Map([
          ...names.map((name) => [name, `${name} again`] as const),
          [sum.name, "w.gradient2"],
        ]);
        return [...first, ...own.map((statement) => renamed(statement, again, true)), ...body.slice(end)];
      }),
  },
  {
    name: "mean-of-means",
    fault: "Micro-batches of unequal sizes are averaged as if they were equal.",
    of: "micro-batches of unequal sizes",
    edit: (program) => {
      const sizes = new Set<string>();
      return replaced(program, (statement) => {
        if (isUpdate(statement, "seen", "add"))
          return [number("planted one", 1), { do: "update", to: "seen", op: "add", from: "planted one" }];
        if (!isLet(statement, "broadcast_to", "size")) return [statement];
        sizes.add(statement.name);
        return [number(statement.name, 1, statement.attributes.shape)];
      });
    },
  },
  {
    name: "sum-for-mean",
    fault: "The sum over micro-batches is taken for their mean.",
    of: "micro-batches that are averaged",
    edit: (program) =>
      replaced(program, (statement) =>
        isLet(statement, "broadcast_to", "seen")
          ? [number(statement.name, 1, statement.attributes.shape)]
          : [statement],
      ),
  },
  {
    name: "sums-not-zeroed",
    fault: "What was gathered stays after the step.",
    of: "micro-batches that are summed",
    edit: dropping((statement) => statement.do === "write" && statement.to.endsWith(".sum")),
  },
  {
    name: "count-not-zeroed",
    fault: "The count of micro-batches goes on after the step.",
    of: "micro-batches that are averaged",
    edit: dropping((statement) => statement.do === "write" && statement.to === "seen"),
  },
  {
    name: "clip-per-tensor",
    fault: "Each gradient is clipped to the limit by itself.",
    of: "clipping by the global norm",
    edit: () => {
      const parameters = [
        { name: "w", shape: [3] },
        { name: "b", shape: [2] },
      ];
      return training([{ name: "all", rule: byGradientDescent(), parameters }], { clipping: "ownNorm" });
    },
  },
  {
    name: "clip-by-the-square",
    fault: "The limit is compared with the square of the norm.",
    of: "clipping by the global norm",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "sqrt") ? copy(statement.name, operandOf(statement, 0), []) : statement,
      ]),
  },
  {
    name: "clip-lengthens",
    fault: "Gradients below the limit are lengthened to it.",
    of: "clipping by the padded norm",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "minimum") ? copy(statement.name, operandOf(statement, 0), []) : statement,
      ]),
  },
  {
    name: "clip-above-alone",
    fault: "Elements are clipped from above alone.",
    of: "clipping by value",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "maximum")
          ? applied(statement.name, "minimum", operandOf(statement, 0), operandOf(statement, 0))
          : statement,
      ]),
  },
  {
    name: "clip-before-unscale",
    fault: "Gradients are clipped while the loss scale is still in them.",
    of: "a scaled loss that is clipped",
    edit: (program) => {
      const scaled = new Map<string, readonly [string, string]>();
      return replaced(program, (statement) => {
        if (isLet(statement, "divide")) {
          scaled.set(statement.name, [operandOf(statement, 0), operandOf(statement, 1)]);
          return [];
        }
        const first = statement.do === "let" ? scaled.get(statement.operands[0] ?? "") : undefined;
        if (first === undefined) return [statement];
        const [gradient, scale] = first;
        if (isLet(statement, "minimum")) {
          scaled.set(statement.name, [statement.name, scale]);
          return [applied(statement.name, "minimum", gradient, operandOf(statement, 1))];
        }
        if (!isLet(statement, "maximum")) return [statement];
        const clipped = `${statement.name} scaled`;
        return [
          applied(clipped, "maximum", ...statement.operands),
          applied(statement.name, "divide", clipped, scale),
        ];
      });
    },
  },
  {
    name: "scale-not-undone",
    fault: "The loss scale stays in the gradients.",
    of: "a scaled loss that is clipped",
    edit: (program) =>
      replaced(program, (statement) =>
        isLet(statement, "broadcast_to", "scale")
          ? [number(statement.name, 1, statement.attributes.shape)]
          : [statement],
      ),
  },
];

/** Every wrong optimiser. */
export const optimiserMutants: readonly OptimiserMutant[] = [...adams, ...others, ...wholeSteps];
