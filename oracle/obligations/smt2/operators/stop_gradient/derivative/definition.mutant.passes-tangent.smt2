; Wrong: stop_gradient passes the tangent on
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const h Real)
(define-fun $1 () Real (* h dx0.0))
(assert (! (not (and (= dx0.0 0.0) (= 0.0 0.0) (= (+ (+ x0.0 $1) (- x0.0)) $1))) :named negated-goal))
(check-sat)
(get-value (x0.0 dx0.0 h))
