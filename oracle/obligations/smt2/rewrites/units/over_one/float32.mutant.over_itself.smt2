; Wrong: x ÷ x is 1.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun one () Scalar (fp #b0 #b01111111 #b00000000000000000000000))
(define-fun divide ((a Scalar) (b Scalar)) Scalar (fp.div RNE a b))
(declare-const x Scalar)
(define-fun t0 () Scalar (divide x x))
(assert (! (not (= t0 one)) :named negated-goal))
(check-sat)
(get-value (x))
