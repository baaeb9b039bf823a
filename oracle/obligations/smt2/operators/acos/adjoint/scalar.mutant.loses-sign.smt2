; Wrong: acos loses its sign
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const sqrt.0 Real)
(declare-const reciprocal.1 Real)
(assert (! (= (* reciprocal.1 sqrt.0) 1.0) :named given.inverse.1))
(assert (! (not (= (+ 0.0 (* (- (* 3.0 reciprocal.1)) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 reciprocal.1)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 sqrt.0 reciprocal.1))
