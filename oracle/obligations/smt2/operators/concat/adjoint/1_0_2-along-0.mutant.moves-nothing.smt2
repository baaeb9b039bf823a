; Wrong: concat leaves the cotangents where they stand
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx2.0 Real)
(declare-const dx2.1 Real)
(define-fun $1 () Real (+ 0.0 (* dx0.0 2.0)))
(assert (! (not (= (+ (+ $1 (* dx2.0 4.0)) (* dx2.1 8.0)) (+ (+ (+ 0.0 $1) 0.0) (+ (+ 0.0 (* dx2.0 2.0)) (* dx2.1 4.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx2.0 dx2.1))
