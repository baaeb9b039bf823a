; Wrong: divide loses the sign of the second slope
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(declare-const reciprocal.0 Real)
(define-fun $1 () Real (* x0.0 reciprocal.0))
(assert (! (= (* reciprocal.0 x1.0) 1.0) :named given.inverse.0))
(assert (! (not (= (+ 0.0 (* (* (+ 3.0 (- (* $1 6.0))) reciprocal.0) 2.0)) (+ (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 reciprocal.0)))) (+ 0.0 (* 6.0 (* (* 2.0 $1) reciprocal.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x1.0 reciprocal.0))
