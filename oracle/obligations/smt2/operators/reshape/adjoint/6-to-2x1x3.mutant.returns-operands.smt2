; Wrong: reshape returns its operands for cotangents
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x0.2 Real)
(declare-const x0.3 Real)
(declare-const x0.4 Real)
(declare-const x0.5 Real)
(assert (! (not (= (+ (+ (+ (+ (+ (+ 0.0 (* 3.0 2.0)) (* 5.0 4.0)) (* 9.0 8.0)) (* 15.0 14.0)) (* 23.0 22.0)) (* 33.0 32.0)) (+ 0.0 (+ (+ (+ (+ (+ (+ 0.0 (* 3.0 x0.0)) (* 5.0 x0.1)) (* 9.0 x0.2)) (* 15.0 x0.3)) (* 23.0 x0.4)) (* 33.0 x0.5))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 x0.2 x0.3 x0.4 x0.5))
