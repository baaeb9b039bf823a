; Wrong: pad forgets the gaps between elements
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(define-fun $1 () Real (+ 0.0 (* dx0.0 2.0)))
(assert (! (not (= (+ (+ (+ (+ (+ (+ (+ $1 (* 0.0 4.0)) (* 0.0 8.0)) (* dx0.1 14.0)) (* 0.0 22.0)) (* 0.0 32.0)) (* dx0.2 44.0)) (* 0.0 58.0)) (+ 0.0 (+ (+ $1 (* dx0.1 4.0)) (* dx0.2 8.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2))
