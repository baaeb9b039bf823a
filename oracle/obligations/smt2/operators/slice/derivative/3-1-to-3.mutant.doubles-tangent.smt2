; Wrong: slice has twice its tangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.1 Real)
(declare-const x0.2 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(define-fun $1 () Real (* 2.0 (* 2.0 0.0)))
(assert (! (not (and (= (+ (+ (+ x0.1 (* 2.0 dx0.1)) (- x0.1)) (- (* 2.0 (+ dx0.1 dx0.1)))) $1) (= (+ (+ (+ x0.2 (* 2.0 dx0.2)) (- x0.2)) (- (* 2.0 (+ dx0.2 dx0.2)))) $1))) :named negated-goal))
(check-sat)
(get-value (x0.1 x0.2 dx0.1 dx0.2))
