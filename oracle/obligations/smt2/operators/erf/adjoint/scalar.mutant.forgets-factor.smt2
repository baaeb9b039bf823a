; Wrong: erf forgets 2/√π
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const acos.0 Real)
(declare-const sqrt.1 Real)
(declare-const reciprocal.2 Real)
(declare-const exp.3 Real)
(assert (! (= (* reciprocal.2 sqrt.1) 1.0) :named given.inverse.2))
(assert (! (not (= (+ 0.0 (* (* (* (* (+ 1.0 1.0) reciprocal.2) exp.3) 3.0) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 exp.3)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 acos.0 sqrt.1 reciprocal.2 exp.3))
