; Wrong: log multiplies by x
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const reciprocal.0 Real)
(assert (! (= (* reciprocal.0 x0.0) 1.0) :named given.inverse.0))
(assert (! (not (= (+ 0.0 (* (* 3.0 reciprocal.0) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 x0.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 reciprocal.0))
