; Wrong: take_along_axis leaves the cotangents where they stand
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(define-fun $1 () Real (* dx0.2 2.0))
(assert (! (not (= (+ (+ 0.0 $1) (* dx0.2 4.0)) (+ 0.0 (+ (+ (+ 0.0 (* dx0.0 2.0)) (* dx0.1 4.0)) $1)))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2))
