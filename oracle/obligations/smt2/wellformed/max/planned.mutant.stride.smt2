; Wrong: instruction 0 steps one element too far along axis 0.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i0_0 Int)
(declare-const i0_1 Int)
(assert (! (and true (and (<= 0 i0_0) (< i0_0 3)) (and (<= 0 i0_1) (< i0_1 4))) :named within_loops))
(assert (! (not (and (and (<= 0 (+ 0 (* 5 i0_0) (* 1 i0_1))) (< (+ 0 (* 5 i0_0) (* 1 i0_1)) 12)))) :named negated-goal))
(check-sat)
(get-value (i0_0 i0_1))
