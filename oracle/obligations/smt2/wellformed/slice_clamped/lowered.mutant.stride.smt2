; Wrong: instruction 2 steps one element too far along axis 1.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i2_0 Int)
(declare-const i2_1 Int)
(assert (! (and true (and (<= 0 i2_0) (< i2_0 1)) (and (<= 0 i2_1) (< i2_1 2))) :named within_loops))
(assert (! (not (and (and (<= 0 (+ 0 (* 2 i2_0) (* 2 i2_1))) (< (+ 0 (* 2 i2_0) (* 2 i2_1)) 2)))) :named negated-goal))
(check-sat)
(get-value (i2_0 i2_1))
