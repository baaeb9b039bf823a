; Wrong: constant has tangents in the environment
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const e.e.0 Real)
(declare-const e.e.1 Real)
(declare-const e.e.2 Real)
(declare-const e.e.3 Real)
(declare-const e.e.4 Real)
(declare-const e.e.5 Real)
(assert (! (not (= (+ (+ (+ (+ (+ (+ 0.0 (* e.e.0 2.0)) (* e.e.1 4.0)) (* e.e.2 8.0)) (* e.e.3 14.0)) (* e.e.4 22.0)) (* e.e.5 32.0)) 0.0)) :named negated-goal))
(check-sat)
(get-value (e.e.0 e.e.1 e.e.2 e.e.3 e.e.4 e.e.5))
