import { at, type Program, type Statement } from "../../../spec/index.ts";
import {
  applied,
  copy,
  isLet,
  isUpdate,
  moved,
  number,
  type OptimiserMutant,
  operandOf,
  renamed,
  replaced,
  spread,
} from "./edits.test.kit.ts";

const shape = [3];

/** Returns a step of Adam with roots and ε in another order. */
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

/** Tells whether an addition is that of ε: what it adds is spread from there. */
function isAtEpsilon({ procedures }: Program, statement: Statement): boolean {
  const spreads = procedures[0]?.body.filter((one) => isLet(one, "broadcast_to", "all.epsilon")) ?? [];
  return spreads.some(
    (one) => isLet(one, "broadcast_to") && isLet(statement, "add") && statement.operands[1] === one.name,
  );
}

/** Wrong ways of Adam, with either decay, and of AMSGrad. */
export const adamMutants: readonly OptimiserMutant[] = [
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
