; Wrong: tanh does not square tanh x
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const tanh.0 Real)
(declare-const tanh.1 Real)
(assert (! (=> (= x0.0 x0.1) (= tanh.0 tanh.1)) :named given.function.tanh.0.tanh.1))
(assert (! (not (= (+ (+ 0.0 (* (* (+ 1.0 (- (* tanh.0 tanh.0))) 3.0) 2.0)) (* (* (+ 1.0 (- (* tanh.1 tanh.1))) 5.0) 4.0)) (+ 0.0 (+ (+ 0.0 (* 3.0 (* 2.0 (+ 1.0 (- tanh.0))))) (* 5.0 (* 4.0 (+ 1.0 (- tanh.1)))))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 tanh.0 tanh.1))
