import { List, literalWord, type Machine, type Value } from "../execution/index.ts";
import { type Bits, type Law, plantedIn } from "./law.ts";
import { sized } from "./standard.ts";

const REFERENCE = "reference/operators/threefry";
const ENGINE = "engines/compile/plan/routines/threefry";

const WORD = 32;
const PARITY = 0x1bd11bdan;
const ROUNDS = 20;

/** The rotations of the paper's table 2, for two words of 32 bits. */
const rotations: readonly number[] = [13, 15, 26, 6, 17, 29, 16, 24];

/**
 * Writes the generator as the paper defines it: the words of the key are added before the first round and
 * after every fourth, the second of them together with how often that has been.
 */
function defined(
  key: readonly [string, string],
  counter: readonly [string, string],
): readonly [string, string] {
  const schedule = [...key, `(bvxor ${key[0]} ${key[1]} ${literalWord(PARITY, WORD)})`];
  const keyed = (n: number): string => schedule[n % 3] ?? "";
  let [x, y] = [`(bvadd ${counter[0]} ${keyed(0)})`, `(bvadd ${counter[1]} ${keyed(1)})`];
  const lets: string[] = [];
  const named = (name: string, term: string): string => {
    lets.push(`(let ((${name} ${term}))`);
    return name;
  };
  for (let round = 0; round < ROUNDS; round++) {
    x = named(`x${round}`, `(bvadd ${x} ${y})`);
    y = named(`y${round}`, `(bvxor ((_ rotate_left ${rotations[round % 8]}) ${y}) ${x})`);
    if (round % 4 !== 3) continue;
    const times = (round + 1) / 4;
    x = named(`u${round}`, `(bvadd ${x} ${keyed(times)})`);
    y = named(`v${round}`, `(bvadd ${y} ${keyed(times + 1)} ${literalWord(BigInt(times), WORD)})`);
  }
  const within = (goal: string): string => `${lets.join("")} ${goal}${")".repeat(lets.length)}`;
  return [within(x), within(y)];
}

/** Computes the same with big integers. */
function computed(
  key: readonly [bigint, bigint],
  counter: readonly [bigint, bigint],
): readonly [bigint, bigint] {
  const word = (x: bigint): bigint => BigInt.asUintN(WORD, x);
  const schedule = [...key, key[0] ^ key[1] ^ PARITY];
  const keyed = (n: number): bigint => schedule[n % 3] ?? 0n;
  let [x, y] = [word(counter[0] + keyed(0)), word(counter[1] + keyed(1))];
  for (let round = 0; round < ROUNDS; round++) {
    const by = BigInt(rotations[round % 8] ?? 0);
    x = word(x + y);
    y = word((y << by) | (y >> (32n - by))) ^ x;
    if (round % 4 !== 3) continue;
    const times = (round + 1) / 4;
    x = word(x + keyed(times));
    y = word(y + keyed(times + 1) + BigInt(times));
  }
  return [x, y];
}

const variables: Law["variables"] = ["k0", "k1", "c0", "c1"].map((name) => ({
  name,
  low: 0n,
  high: (1n << BigInt(WORD)) - 1n,
}));

const numbers = (machine: Machine, of: (place?: number) => Value): readonly Value[] =>
  [0, 1, 2, 3].map((place) => machine.operate("Number", of(place)));

const wordOf = (of: Bits): string => `((_ extract 31 0) ${sized(of, WORD + 2)})`;
const definedOf = (of: (place?: number) => Bits): readonly [string, string] =>
  defined([wordOf(of(0)), wordOf(of(1))], [wordOf(of(2)), wordOf(of(3))]);
const computedOf = (of: (place?: number) => bigint): readonly [bigint, bigint] =>
  computed([of(0), of(1)], [of(2), of(3)]);

const shared = {
  clause: "Salmon et al., Parallel random numbers, 2011",
  tier: "everyday",
  rlimit: 3_000_000,
  variables,
  metaArgument: "",
} as const;

const inReference = plantedIn(REFERENCE);
const inEngine = plantedIn(ENGINE);

/** Lists what is proved of the random words of masks. */
export function threefryLaws(): readonly Law[] {
  return [
    {
      ...shared,
      id: "threefry/reference",
      statement:
        "Of every key and every counter the reference makes the two words of Threefry-2x32 with 20 rounds.",
      modules: [REFERENCE, "spec/shapes/at"],
      runs: [
        (machine, of) => {
          const [k0, k1, c0, c1] = numbers(machine, of);
          const made = machine.call(REFERENCE, "threefry2x32", [new List([k0, k1]), new List([c0, c1])]);
          return made instanceof List ? made.items : [];
        },
      ],
      claim: (of, made) =>
        `(and ${definedOf(of)
          .map((word, place) => `(= ${wordOf(made(place))} ${word})`)
          .join(" ")})`,
      holds: (of, made) => computedOf(of).every((word, place) => word === made(place)),
      planted: [
        inReference("rotation", "the fourth rotation is by 7 bits.", "26, 6, 17", "26, 7, 17", {
          k0: [0n, 0n],
          k1: [0n, 0n],
          c0: [0n, 0n],
          c1: [1n, 1n],
        }),
      ],
    },
    {
      ...shared,
      id: "threefry/engine",
      statement:
        "Of every key and every counter the engines make the exclusive or of the two words of Threefry-2x32 with 20 rounds.",
      modules: [ENGINE],
      runs: [(machine, of) => [machine.call(ENGINE, "threefryBits", numbers(machine, of))]],
      claim: (of, made) => {
        const [x, y] = definedOf(of);
        return `(= ${wordOf(made())} (bvxor ${x} ${y}))`;
      },
      holds: (of, made) => {
        const [x, y] = computedOf(of);
        return made() === (x ^ y);
      },
      planted: [
        inEngine(
          "turn",
          "the words of the key come in another order.",
          "turn === 0 ? k1",
          "turn === 0 ? k0",
          { k0: [1n, 1n], k1: [0n, 0n], c0: [0n, 0n], c1: [1n, 1n] },
        ),
      ],
    },
  ];
}
