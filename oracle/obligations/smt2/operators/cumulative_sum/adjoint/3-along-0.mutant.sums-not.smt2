; Wrong: cumulative_sum does not sum
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(define-fun $1 () Real (+ 0.0 dx0.0))
(define-fun $2 () Real (+ $1 dx0.1))
(assert (! (not (= (+ (+ (+ 0.0 (* $1 2.0)) (* $2 4.0)) (* (+ $2 dx0.2) 8.0)) (+ 0.0 (+ (+ (+ 0.0 (* dx0.0 2.0)) (* dx0.1 4.0)) (* dx0.2 8.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2))
