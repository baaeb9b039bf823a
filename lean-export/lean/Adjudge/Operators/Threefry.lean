module

/-!
# The random words of `bernoulli_mask`

`reference/operators/threefry.ts`: Threefry-2x32-20 of a key and a counter, on natural numbers below 2³²
(Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
-/

@[expose] public noncomputable section

namespace Adjudge.Threefry

/-- 2³², the number of words. -/
def words : Nat := 4294967296

/-- The sum of two words. -/
def sum (a b : Nat) : Nat := (a + b) % words

/-- A word whose bits are moved up by so many places, those that leave it coming in below. -/
def rotated (word bits : Nat) : Nat := word * 2 ^ bits % words + word / 2 ^ (32 - bits)

/-- The two words after a round that rotates by so many bits. -/
def mixed (bits : Nat) (pair : Nat × Nat) : Nat × Nat :=
  let first := sum pair.1 pair.2
  (first, Nat.xor (rotated pair.2 bits) first)

/-- The two words after four rounds. -/
def fourRounds (b₁ b₂ b₃ b₄ : Nat) (pair : Nat × Nat) : Nat × Nat :=
  mixed b₄ (mixed b₃ (mixed b₂ (mixed b₁ pair)))

/-- The first four rotations, and those of every other four rounds. -/
def even (pair : Nat × Nat) : Nat × Nat := fourRounds 13 15 26 6 pair

/-- The other four rotations. -/
def odd (pair : Nat × Nat) : Nat × Nat := fourRounds 17 29 16 24 pair

/-- The two words with two of the key's added, the second with how many times that has been done. -/
def injected (first second times : Nat) (pair : Nat × Nat) : Nat × Nat :=
  (sum pair.1 first, sum pair.2 (second + times))

/-- Threefry-2x32 with 20 rounds, of a key of two words and a counter of two. -/
def block (key counter : Nat × Nat) : Nat × Nat :=
  let k₀ := key.1
  let k₁ := key.2
  let k₂ := Nat.xor (Nat.xor k₀ k₁) 0x1bd11bda
  injected k₂ k₀ 5 (even (injected k₁ k₂ 4 (odd (injected k₀ k₁ 3 (even (injected k₂ k₀ 2
    (odd (injected k₁ k₂ 1 (even (injected k₀ k₁ 0 counter))))))))))

/-- The random word of an element: both words of the block of the counter `(0, position)`. -/
def wordAt (key : Nat × Nat) (position : Nat) : Nat :=
  let pair := block key (0, position)
  Nat.xor pair.1 pair.2

/-- 1 where the word of an element, as a fraction of 2³², is at least the rate, a fraction; else 0. -/
def maskAt (key : Nat × Nat) (numerator denominator position : Nat) : Nat :=
  bif Nat.ble (numerator * words) (wordAt key position * denominator) then 1 else 0

/-- The words that the authors publish for this cipher: of zeros, of ones, and of the digits of π. -/
theorem block_published :
    block (0, 0) (0, 0) = (0x6b200159, 0x99ba4efe)
      ∧ block (0xffffffff, 0xffffffff) (0xffffffff, 0xffffffff) = (0x1cb996fc, 0xbb002be7)
      ∧ block (0x13198a2e, 0x03707344) (0x243f6a88, 0x85a308d3) = (0xc4923a9c, 0x483df7a0) := by decide +kernel

end Adjudge.Threefry
