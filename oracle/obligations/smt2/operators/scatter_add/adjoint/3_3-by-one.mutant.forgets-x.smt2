; Wrong: scatter_add forgets x
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(declare-const dx1.0 Real)
(declare-const dx1.1 Real)
(declare-const dx1.2 Real)
(assert (! (not (= (+ (+ (+ 0.0 (* (+ dx0.0 dx1.1) 2.0)) (* dx0.1 4.0)) (* (+ (+ dx0.2 dx1.0) dx1.2) 8.0)) (+ (+ 0.0 0.0) (+ (+ (+ 0.0 (* dx1.0 8.0)) (* dx1.1 2.0)) (* dx1.2 8.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2 dx1.0 dx1.1 dx1.2))
