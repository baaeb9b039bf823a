; Wrong: a choice between x and z is x.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(declare-const z Scalar)
(define-fun t0 () Scalar (select y x z))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x y z))
