; Wrong: a choice by −0 is the first.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 11 53))
(define-fun minus_zero () Scalar (fp #b1 #b00000000000 #b0000000000000000000000000000000000000000000000000000))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (select minus_zero x y))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x y))
