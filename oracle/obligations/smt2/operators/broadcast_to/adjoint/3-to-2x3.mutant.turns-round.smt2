; Wrong: broadcast_to has its cotangents last first
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(assert (! (not (= (+ (+ (+ (+ (+ (+ 0.0 (* dx0.0 2.0)) (* dx0.1 4.0)) (* dx0.2 8.0)) (* dx0.0 14.0)) (* dx0.1 22.0)) (* dx0.2 32.0)) (+ 0.0 (+ (+ (+ 0.0 (* dx0.0 (+ (+ 0.0 8.0) 32.0))) (* dx0.1 (+ (+ 0.0 4.0) 22.0))) (* dx0.2 (+ (+ 0.0 2.0) 14.0)))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2))
