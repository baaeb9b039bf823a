; Wrong: an index entry may be the extent of its axis.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i0_0 Int)
(declare-const i0_1 Int)
(declare-const i0_2 Int)
(declare-const j0_0 Int)
(assert (! (and true (and (<= 0 i0_0) (< i0_0 4)) (and (<= 0 i0_1) (< i0_1 2)) (and (<= 0 i0_2) (< i0_2 3))) :named within_loops))
(assert (! (and true (and (<= 0 j0_0) (< j0_0 7))) :named below_limits))
(assert (! (not (and (and (<= 0 (+ 0 (* 1 i0_2) (* 3 j0_0))) (< (+ 0 (* 1 i0_2) (* 3 j0_0)) 18)) (and (<= 0 (+ 0 (* 1 i0_0))) (< (+ 0 (* 1 i0_0)) 4)))) :named negated-goal))
(check-sat)
(get-value (i0_0 i0_1 i0_2 j0_0))
