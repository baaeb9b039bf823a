; Wrong: permute_dims has its cotangents last first
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
(assert (! (not (= (+ (+ (+ (+ (+ (+ 0.0 (* dx0.0 2.0)) (* dx0.3 4.0)) (* dx0.1 8.0)) (* dx0.4 14.0)) (* dx0.2 22.0)) (* dx0.5 32.0)) (+ 0.0 (+ (+ (+ (+ (+ (+ 0.0 (* dx0.0 32.0)) (* dx0.1 14.0)) (* dx0.2 4.0)) (* dx0.3 22.0)) (* dx0.4 8.0)) (* dx0.5 2.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1 dx0.2 dx0.3 dx0.4 dx0.5))
