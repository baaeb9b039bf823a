; Wrong: the slope of sin is its own derivative
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const sin.0 Real)
(declare-const cos.1 Real)
(define-fun $1 () Real (* cos.1 dx0.0))
(assert (! (not (= (+ (* (* 1.0 sin.0) dx0.0) (* 0.0 $1)) $1)) :named negated-goal))
(check-sat)
(get-value (x0.0 dx0.0 sin.0 cos.1))
