; Wrong: a choice by 0 is the first.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 8 24))
(define-fun zero () Scalar (fp #b0 #b00000000 #b00000000000000000000000))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (select zero x y))
(assert (! (not (= t0 x)) :named negated-goal))
(check-sat)
(get-value (x y))
