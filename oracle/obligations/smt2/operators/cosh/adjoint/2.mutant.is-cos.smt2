; Wrong: cosh changes the sign, as cos does
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const sinh.0 Real)
(declare-const sinh.1 Real)
(assert (! (=> (= x0.0 x0.1) (= sinh.0 sinh.1)) :named given.function.sinh.0.sinh.1))
(assert (! (not (= (+ (+ 0.0 (* (* sinh.0 3.0) 2.0)) (* (* sinh.1 5.0) 4.0)) (+ 0.0 (+ (+ 0.0 (* 3.0 (- (* 2.0 sinh.0)))) (* 5.0 (- (* 4.0 sinh.1))))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 sinh.0 sinh.1))
