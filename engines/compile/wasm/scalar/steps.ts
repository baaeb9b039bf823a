import binaryen from "binaryen";
import { at } from "../../../../spec/shapes/index.ts";
import type { Functions } from "../functions.ts";
import type { Code } from "../lanes.ts";

/** Chooses one of several pieces of code by a number; runs none where there is no piece. */
function chosenBy(
  { module }: Functions,
  label: string,
  number: Code,
  pieces: readonly (Code | undefined)[],
): Code {
  const names = pieces.map((_, n) => `${label} ${n}`);
  const end = `${label} end`;
  let code = module.switch(names, end, number);
  for (const [n, piece] of pieces.entries()) {
    const ahead = module.block(at(names, n), [code]);
    code = module.block(null, [ahead, ...(piece === undefined ? [] : [piece]), module.br(end)]);
  }
  return module.block(end, [code]);
}

/** Adds a function `(row, end)` that calls, for each row of three words, one function with two words. */
export function addDriver(
  functions: Functions,
  label: string,
  calleeOf: readonly (string | undefined)[],
): void {
  const { module } = functions;
  const { i32 } = module;
  const get = (parameter: number): Code => module.local.get(parameter, binaryen.i32);
  const word = (n: number): Code => i32.load(4 * n, 4, get(0));
  const calls = calleeOf.map((callee) =>
    callee === undefined ? undefined : module.call(callee, [word(1), word(2)], binaryen.none),
  );
  const loop = module.block("end", [
    module.loop(
      "next",
      module.block(null, [
        module.br_if("end", i32.ge_u(get(0), get(1))),
        chosenBy(functions, "row", word(0), calls),
        module.local.set(0, i32.add(get(0), i32.const(12))),
        module.br("next"),
      ]),
    ),
  ]);
  const parameters = binaryen.createType([binaryen.i32, binaryen.i32]);
  module.addFunction(label, parameters, binaryen.none, [], loop);
  module.addFunctionExport(label, label);
}
