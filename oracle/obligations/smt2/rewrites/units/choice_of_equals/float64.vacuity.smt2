; What rewrites/units/choice_of_equals/float64 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (select y x x))
(check-sat)
