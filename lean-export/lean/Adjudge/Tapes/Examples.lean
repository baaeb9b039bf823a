module

public import Adjudge.Tapes.Binomial

/-!
# Binomial schedules, written out

What `binomialSchedule` of `reference/tapes/checkpoints/binomial.ts` makes of a few chains, as Lean's makes
it: a test compares the actions of the one with this file.
-/

@[expose] public noncomputable section

namespace Adjudge.Tapes

/-- Ten steps with three slots: 15 extra steps. -/
theorem binomialSchedule_ten :
    binomialSchedule 10 2 = [
      .store 0 0, .advance 0 4, .store 1 4, .advance 4 7, .store 2 7, .advance 7 9, .reverse 9, .restore 2 7,
      .advance 7 8, .reverse 8, .restore 2 7, .reverse 7, .restore 1 4, .advance 4 5, .store 2 5, .advance 5 6,
      .reverse 6, .restore 2 5, .reverse 5, .restore 1 4, .reverse 4, .restore 0 0, .advance 0 1, .store 1 1,
      .advance 1 2, .store 2 2, .advance 2 3, .reverse 3, .restore 2 2, .reverse 2, .restore 1 1, .reverse 1,
      .restore 0 0, .reverse 0]
      ∧ binomialCost 10 3 = 15 := by decide +kernel

/-- Six steps with the beginning's slot alone: 15 extra steps. -/
theorem binomialSchedule_six :
    binomialSchedule 6 0 = [
      .store 0 0, .advance 0 5, .reverse 5, .restore 0 0, .advance 0 4, .reverse 4, .restore 0 0, .advance 0 3,
      .reverse 3, .restore 0 0, .advance 0 2, .reverse 2, .restore 0 0, .advance 0 1, .reverse 1, .restore 0 0,
      .reverse 0]
      ∧ binomialCost 6 1 = 15 := by decide +kernel

/-- One step: 0 extra steps. -/
theorem binomialSchedule_single :
    binomialSchedule 1 1 = [
      .store 0 0, .reverse 0]
      ∧ binomialCost 1 2 = 0 := by decide +kernel

end Adjudge.Tapes
