import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { PositCode } from "./arithmetic.ts";

/**
 * Draws codes of a width where rounding is hard: any; of few fraction bits; of many; near each other; at the
 * ends; of either sign; and a few NaR.
 */
export function* drawnPairs(
  width: number,
  seed: number,
  count: number,
): Generator<readonly [PositCode, PositCode]> {
  const random = new Random(xoroshiro128plus(seed));
  const whole = 2 ** (width - 1);
  const wrapped = (x: number): PositCode => ((x << (32 - width)) | 0) >> (32 - width);
  const any = (): PositCode => random.nextInt(-whole, whole - 1);
  const code = (): PositCode => {
    const x = any();
    switch (random.nextInt(0, 4)) {
      case 0:
        return x;
      case 1:
        return wrapped((x >> random.nextInt(0, width - 1)) << random.nextInt(0, width - 1));
      case 2:
        return x >> random.nextInt(0, width - 1);
      case 3:
        return wrapped((x < 0 ? -whole : whole - 1) - (x >> random.nextInt(0, width - 1)));
      default:
        return wrapped(2 ** (width - 2) + (x >> random.nextInt(width >> 1, width - 1)));
    }
  };
  for (let n = 0; n < count; n++) {
    const x = code();
    const isNear = random.nextInt(0, 3) === 0;
    yield [x, isNear ? wrapped((random.nextInt(0, 1) === 0 ? x : -x) + random.nextInt(-3, 3)) : code()];
  }
}
