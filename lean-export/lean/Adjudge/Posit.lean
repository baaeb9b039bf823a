module

public import Adjudge.Replay.Accumulate

/-!
# Posits

The posits of the Posit Standard (2022), and those with regimes of bounded length (Jonnalagadda, Thotli and
Gustafson 2026): what a code stands for, and which posit a number is rounded to. Codes are those of positive
posits, natural numbers below `2 ^ (width - 1)`; others are negatives.
-/

@[expose] public noncomputable section

namespace Adjudge

namespace Posit

/-- Bits, the bits that a regime has at most, bits of the exponent: the standard's are `⟨n, n - 1, 2⟩`. -/
structure Format where
  width : Nat
  regimeBits : Nat
  exponentBits : Nat

namespace Format

/-- Whether a regime may be ended by its length, before the word ends. -/
def isBounded (format : Format) : Bool := Nat.blt format.regimeBits (format.width - 1)

/-- Positive posits lie from `2 ^ (-reach)` to `2 ^ reach`. -/
def reach (format : Format) : Nat :=
  (bif format.isBounded then format.regimeBits else format.width - 2) * 2 ^ format.exponentBits

/-- The format of the thresholds: it has a bit more. -/
def oneBitMore (format : Format) : Format :=
  ⟨format.width + 1, format.regimeBits + (bif format.isBounded then 0 else 1), format.exponentBits⟩

/-- Bits that end a run of this length: none if it is as long as one may be. -/
def endBits (format : Format) (run : Nat) : Nat := bif Nat.blt run format.regimeBits then 1 else 0

end Format

/-- `f n`. The kernel computes `n` once; a `let` stands unevaluated wherever its name is. -/
def computed {α : Type} (n : Nat) (f : Nat → α) : α := Nat.rec (f 0) (fun m _ => f (Nat.succ m)) n

theorem computed_eq {α : Type} (n : Nat) (f : Nat → α) : computed n f = f n := by cases n <;> rfl

/-- `significand * 2 ^ exponent` -/
def scaled (significand : Nat) : Int → Rat
  | .ofNat e => computed (significand * 2 ^ e) fun numerator => mkRat numerator 1
  | .negSucc e =>
    computed significand fun numerator => computed (2 ^ (e + 1)) fun denominator => mkRat numerator denominator

/-- The bits of a number; none of 0. -/
def lengthOf (n : Nat) : Nat := bif Nat.beq n 0 then 0 else Nat.log2 n + 1

/--
A positive posit (3.3): after a sign `k` equal bits and one that ends them, unless there are as many as may be,
tell `r = k - 1` or `-k`; then the bits of an exponent `e`, 0 without room; then the fraction `f`. It is
`2 ^ (2 ^ eS r + e) * (1 + f)`.
-/
def value (format : Format) (code : Nat) : Rat :=
  computed (format.width - 1) fun bits =>
  let isOnes := Nat.ble (2 ^ (bits - 1)) code
  computed (bits - lengthOf (bif isOnes then 2 ^ bits - 1 - code else code)) fun equal =>
  computed (bif Nat.ble equal format.regimeBits then equal else format.regimeBits) fun run =>
  let regime : Int := bif isOnes then run - 1 else -run
  computed (bits - run - format.endBits run) fun rest =>
  computed (code % 2 ^ rest) fun low =>
  computed (rest - format.exponentBits) fun fractionBits =>
  let missing := format.exponentBits - rest
  let exponent := low / 2 ^ fractionBits * 2 ^ missing
  scaled (2 ^ fractionBits + low % 2 ^ fractionBits) (2 ^ format.exponentBits * regime + exponent - fractionBits)

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
def truncated (format : Format) (a b : Nat) (scale : Int) : Nat :=
  let ⟨width, _, exponentBits⟩ := format
  let tail := (scale % 2 ^ exponentBits).toNat * 2 ^ width + (floorScaled a b (width - scale) - 2 ^ width)
  let cut (field run : Nat) : Nat :=
    (field * 2 ^ (width + exponentBits) + tail) / 2 ^ (run + format.endBits run + exponentBits + 1)
  match scale / 2 ^ exponentBits with
  | .ofNat r => cut ((2 ^ (r + 1) - 1) * 2 ^ format.endBits (r + 1)) (r + 1)
  | .negSucc r => cut (format.endBits (r + 1)) (r + 1)

/-- Whether `a / b` is beyond the threshold behind a code, or on it and the code is odd. -/
def passes (format : Format) (a b code : Nat) : Bool :=
  let threshold := value format.oneBitMore (2 * code + 1)
  computed (a * threshold.den) fun x =>
  computed (b * threshold.num.toNat) fun y =>
  Nat.blt y x || (Nat.beq x y && Nat.beq (code % 2) 1)

/--
The code of a positive `a / b` rounded once (4.1). Beyond the greatest posit it is that, below the least it is
that, never 0. Else it is the neighbour on its side of the threshold, or the even code on it. The threshold is
no mean: it is the posit of a bit more whose code is the lower one's followed by a 1.
-/
def codeOf (format : Format) (a b : Nat) : Nat :=
  let scale := floorLog2 a b
  let last : Int := format.reach
  let greatest := 2 ^ (format.width - 1) - 1
  bif decide (last ≤ scale) then greatest
  else bif decide (scale < -last) then 1
  else
    computed (truncated format a b scale) fun lower =>
    bif Nat.beq lower 0 then 1
    else bif Nat.beq lower greatest then greatest
    else bif passes format a b lower then lower + 1 else lower

/-- The posit that a number is rounded to. -/
def rounded (format : Format) (x : Rat) : Rat :=
  match x.num with
  | .ofNat 0 => 0
  | .ofNat (a + 1) => computed x.den fun b => computed (codeOf format (a + 1) b) fun code => value format code
  | .negSucc a => computed x.den fun b => computed (codeOf format (a + 1) b) fun code => -value format code

/-- posit8, and two formats of eight bits with bounded regimes: one with fractions at the ends, one without. -/
def ofEightBits : List Format := [⟨8, 7, 2⟩, ⟨8, 3, 1⟩, ⟨8, 5, 3⟩]

/-- A posit is rounded to itself: all of eight bits. -/
theorem rounded_value :
    every
      (fun f => every (fun code => decide (rounded f (value f code) = value f code)) (numbersBetween 1 128))
      ofEightBits = true := by
  decide +kernel

/-- On the threshold behind a code it is the even one; below, the code; above, the next: of eight bits. -/
theorem rounded_threshold :
    every
      (fun f => every
        (fun code =>
          let threshold := value f.oneBitMore (2 * code + 1)
          let nearly := threshold * mkRat 1 (2 ^ 40)
          decide (rounded f threshold = value f (code + code % 2))
            && decide (rounded f (threshold - nearly) = value f code)
            && decide (rounded f (threshold + nearly) = value f (code + 1)))
        (numbersBetween 1 127))
      ofEightBits = true := by
  decide +kernel

/-- The ends: nothing but 0 is rounded to 0, and nothing beyond the greatest. -/
theorem rounded_ends :
    let posit8 : Format := ⟨8, 7, 2⟩
    rounded posit8 0 = 0 ∧ rounded posit8 (mkRat 1 (2 ^ 100)) = value posit8 1
      ∧ rounded posit8 (-(2 ^ 100 : Rat)) = -value posit8 127
      ∧ value posit8 1 = mkRat 1 (2 ^ 24) ∧ value posit8 127 = 2 ^ 24 ∧ value ⟨16, 15, 2⟩ (2 ^ 14) = 1 := by
  decide +kernel

/-- The ends of bposit16, between which `2 ^ (-192)` and `2 ^ 192` are not: `17 / 16` and `31 / 32` of them. -/
theorem bounded_ends :
    let bposit16 : Format := ⟨16, 6, 5⟩
    value bposit16 1 = mkRat 17 (2 ^ 196) ∧ value bposit16 (2 ^ 15 - 1) = 31 * 2 ^ 187
      ∧ rounded bposit16 (2 ^ 192) = value bposit16 (2 ^ 15 - 1) ∧ rounded bposit16 (mkRat 1 (2 ^ 192)) = value bposit16 1 := by
  decide +kernel

end Posit

end Adjudge
