; Wrong: instruction 2 steps one element too far along axis 0.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i2_0 Int)
(declare-const i2_1 Int)
(declare-const i2_2 Int)
(assert (! (and true (and (<= 0 i2_0) (< i2_0 3)) (and (<= 0 i2_1) (< i2_1 5)) (and (<= 0 i2_2) (< i2_2 2))) :named within_loops))
(assert (! (and true ) :named below_limits))
(assert (! (not (and (and (<= 0 (+ 0 (* 11 i2_0) (* 2 i2_1) (* 1 i2_2))) (< (+ 0 (* 11 i2_0) (* 2 i2_1) (* 1 i2_2)) 30)))) :named negated-goal))
(check-sat)
(get-value (i2_0 i2_1 i2_2))
