import { at, type Statement } from "../../../spec/index.ts";
import {
  applied,
  copy,
  isLet,
  isUpdate,
  number,
  type OptimiserMutant,
  operandOf,
  replaced,
  rewritten,
  spread,
} from "./edits.test.kit.ts";

const shape = [3];

/** Wrong ways of velocities, Adagrad, RMSProp, LAMB and schedules. */
export const ruleMutants: readonly OptimiserMutant[] = [
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
