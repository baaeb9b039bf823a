; Wrong: the slope of exp multiplies by x
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const exp.0 Real)
(define-fun $1 () Real (* exp.0 dx0.0))
(assert (! (not (= (+ (* (* 1.0 x0.0) dx0.0) (* 0.0 $1)) $1)) :named negated-goal))
(check-sat)
(get-value (x0.0 dx0.0 exp.0))
