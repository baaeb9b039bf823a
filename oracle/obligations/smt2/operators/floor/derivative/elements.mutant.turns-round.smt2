; Wrong: floor reads its elements last first
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(define-fun $1 () Real (to_real (to_int x0.1)))
(define-fun $2 () Real (to_real (to_int x0.0)))
(define-fun $3 () Bool (= 0.0 0.0))
(assert (! (not (and (= $1 $2) $3 $3 (= $2 $1) $3 $3)) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1))
