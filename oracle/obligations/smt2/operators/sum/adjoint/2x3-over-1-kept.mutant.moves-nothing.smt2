; Wrong: sum leaves the cotangents where they stand
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(declare-const dx0.3 Real)
(declare-const dx0.4 Real)
(declare-const dx0.5 Real)
(assert (! (not (= (+ (+ 0.0 (* (+ (+ (+ 0.0 dx0.0) dx0.1) dx0.2) 2.0)) (* (+ (+ (+ 0.0 dx0.3) dx0.4) dx0.5) 4.0)) (+ 0.0 (+ (+ (+ (+ (+ (+ 0.0 (* dx0.0 2.0)) (* dx0.1 4.0)) (* dx0.2 2.0)) (* dx0.3 4.0)) (* dx0.4 2.0)) (* dx0.5 4.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2 dx0.3 dx0.4 dx0.5))
