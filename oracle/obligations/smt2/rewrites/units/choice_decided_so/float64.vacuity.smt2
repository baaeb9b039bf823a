; What rewrites/units/choice_decided_so/float64 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun one () Scalar (fp #b0 #b01111111111 #b0000000000000000000000000000000000000000000000000000))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (select one x y))
(check-sat)
