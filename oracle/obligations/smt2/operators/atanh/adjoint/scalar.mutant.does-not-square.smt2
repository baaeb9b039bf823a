; Wrong: atanh does not square x
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const reciprocal.0 Real)
(declare-const reciprocal.1 Real)
(define-fun $1 () Real (+ 1.0 (- x0.0)))
(assert (! (= (* reciprocal.0 (* $1 (+ 1.0 x0.0))) 1.0) :named given.inverse.0))
(assert (! (= (* reciprocal.1 $1) 1.0) :named given.inverse.1))
(assert (! (not (= (+ 0.0 (* (* 3.0 reciprocal.0) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 reciprocal.1)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 reciprocal.0 reciprocal.1))
