module

public import Adjudge.Replay.Accumulate

/-!
# Posits

The posits of the Posit Standard (2022): what a code stands for, and which posit a number is rounded to. Codes
are those of positive posits, natural numbers below `2 ^ (width - 1)`; others are negatives.
-/

@[expose] public noncomputable section

namespace Adjudge

namespace Posit

/-- `significand * 2 ^ exponent` -/
def scaled (significand : Nat) : Int → Rat
  | .ofNat e => mkRat (significand * 2 ^ e) 1
  | .negSucc e => mkRat significand (2 ^ (e + 1))

/-- The bits of a number; none of 0. -/
def lengthOf (n : Nat) : Nat := bif Nat.beq n 0 then 0 else Nat.log2 n + 1

/--
A positive posit (3.3): after a sign `k` equal bits and one that ends them tell `r = k - 1` or `-k`; then two
bits of an exponent `e`, 0 without room; then the fraction `f`. It is `2 ^ (4 r + e) * (1 + f)`.
-/
def value (width code : Nat) : Rat :=
  let bits := width - 1
  let isOnes := Nat.ble (2 ^ (bits - 1)) code
  let run := bits - lengthOf (bif isOnes then 2 ^ bits - 1 - code else code)
  let regime : Int := bif isOnes then run - 1 else -run
  let rest := bits - run - 1
  let low := code % 2 ^ rest
  let fractionBits := rest - 2
  let exponent := bif Nat.ble 2 rest then low / 2 ^ fractionBits else low * 2 ^ (2 - rest)
  scaled (2 ^ fractionBits + low % 2 ^ fractionBits) (4 * regime + exponent - fractionBits)

/-- Whether `2 ^ e ≤ a / b`. -/
def reaches (a b : Nat) : Int → Bool
  | .ofNat e => Nat.ble (b * 2 ^ e) a
  | .negSucc e => Nat.ble b (a * 2 ^ (e + 1))

/-- `⌊log₂ (a / b)⌋` -/
def floorLog2 (a b : Nat) : Int :=
  let estimate : Int := (Nat.log2 a : Int) - Nat.log2 b
  bif reaches a b estimate then estimate else estimate - 1

/-- `⌊a / b * 2 ^ e⌋` -/
def floorScaled (a b : Nat) : Int → Nat
  | .ofNat e => a * 2 ^ e / b
  | .negSucc e => a / (b * 2 ^ (e + 1))

/-- The code of the greatest posit up to `a / b`, from `2 ^ scale` to below `2 ^ (scale + 1)`: bits, cut. -/
def truncated (width a b : Nat) (scale : Int) : Nat :=
  let tail := (scale % 4).toNat * 2 ^ width + (floorScaled a b (width - scale) - 2 ^ width)
  match scale / 4 with
  | .ofNat r => ((2 ^ (r + 2) - 2) * 2 ^ (width + 2) + tail) / 2 ^ (r + 5)
  | .negSucc r => (2 ^ (width + 2) + tail) / 2 ^ (r + 5)

/-- Whether `a / b` is beyond the threshold behind a code, or on it and the code is odd. -/
def passes (width a b code : Nat) : Bool :=
  let threshold := value (width + 1) (2 * code + 1)
  let (x, y) := (a * threshold.den, b * threshold.num.toNat)
  Nat.blt y x || (Nat.beq x y && Nat.beq (code % 2) 1)

/--
The code of a positive `a / b` rounded once (4.1). Beyond the greatest posit it is that, below the least it is
that, never 0. Else it is the neighbour on its side of the threshold, or the even code on it. The threshold is
no mean: it is the posit of a bit more whose code is the lower one's followed by a 1.
-/
def codeOf (width a b : Nat) : Nat :=
  let scale := floorLog2 a b
  let last : Int := 4 * width - 8
  bif decide (last ≤ scale) then 2 ^ (width - 1) - 1
  else bif decide (scale < -last) then 1
  else
    let lower := truncated width a b scale
    bif passes width a b lower then lower + 1 else lower

/-- The posit that a number is rounded to. -/
def rounded (width : Nat) (x : Rat) : Rat :=
  match x.num with
  | .ofNat 0 => 0
  | .ofNat (a + 1) => value width (codeOf width (a + 1) x.den)
  | .negSucc a => -value width (codeOf width (a + 1) x.den)

/-- A posit is rounded to itself: all of eight bits. -/
theorem rounded_value :
    every (fun code => decide (rounded 8 (value 8 code) = value 8 code)) (numbersBetween 1 128) = true := by
  decide +kernel

/-- On the threshold behind a code it is the even one; below, the code; above, the next: of eight bits. -/
theorem rounded_threshold :
    every
      (fun code =>
        let threshold := value 9 (2 * code + 1)
        let nearly := threshold * mkRat 1 (2 ^ 40)
        decide (rounded 8 threshold = value 8 (code + code % 2))
          && decide (rounded 8 (threshold - nearly) = value 8 code)
          && decide (rounded 8 (threshold + nearly) = value 8 (code + 1)))
      (numbersBetween 1 127) = true := by
  decide +kernel

/-- The ends: nothing but 0 is rounded to 0, and nothing beyond the greatest. -/
theorem rounded_ends :
    rounded 8 0 = 0 ∧ rounded 8 (mkRat 1 (2 ^ 100)) = value 8 1 ∧ rounded 8 (-(2 ^ 100 : Rat)) = -value 8 127
      ∧ value 8 1 = mkRat 1 (2 ^ 24) ∧ value 8 127 = 2 ^ 24 ∧ value 16 (2 ^ 14) = 1 := by
  decide +kernel

end Posit

end Adjudge
