; Wrong: stop_gradient reads its elements last first
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(define-fun $1 () Bool (= 0.0 0.0))
(assert (! (not (and (= x0.1 x0.0) $1 $1 (= x0.0 x0.1) $1 $1)) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1))
