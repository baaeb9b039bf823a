; Wrong: the loops of instruction 0 run one index too far.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i0_0 Int)
(declare-const i0_1 Int)
(declare-const i0_2 Int)
(assert (! (and true (and (<= 0 i0_0) (< i0_0 3)) (and (<= 0 i0_1) (< i0_1 4)) (and (<= 0 i0_2) (< i0_2 5))) :named within_loops))
(assert (! (not (and (and (<= 0 (+ 0 (* 12 i0_0) (* 4 i0_1) (* 1 i0_2))) (< (+ 0 (* 12 i0_0) (* 4 i0_1) (* 1 i0_2)) 24)))) :named negated-goal))
(check-sat)
(get-value (i0_0 i0_1 i0_2))
