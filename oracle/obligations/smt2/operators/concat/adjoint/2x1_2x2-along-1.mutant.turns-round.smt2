; Wrong: concat has its cotangents last first
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx1.0 Real)
(declare-const dx1.1 Real)
(declare-const dx1.2 Real)
(declare-const dx1.3 Real)
(assert (! (not (= (+ (+ (+ (+ (+ (+ 0.0 (* dx0.0 2.0)) (* dx1.0 4.0)) (* dx1.1 8.0)) (* dx0.1 14.0)) (* dx1.2 22.0)) (* dx1.3 32.0)) (+ (+ 0.0 (+ (+ 0.0 (* dx0.0 14.0)) (* dx0.1 2.0))) (+ (+ (+ (+ 0.0 (* dx1.0 32.0)) (* dx1.1 22.0)) (* dx1.2 8.0)) (* dx1.3 4.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx1.0 dx1.1 dx1.2 dx1.3))
