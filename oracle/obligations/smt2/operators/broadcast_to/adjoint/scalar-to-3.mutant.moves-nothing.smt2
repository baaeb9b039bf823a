; Wrong: broadcast_to leaves the cotangents where they stand
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(define-fun $1 () Real (+ 0.0 (* dx0.0 2.0)))
(assert (! (not (= (+ (+ $1 (* dx0.0 4.0)) (* dx0.0 8.0)) (+ 0.0 $1))) :named negated-goal))
(check-sat)
(get-value (dx0.0))
