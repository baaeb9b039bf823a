; Wrong: a choice by 1 is the second.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun one () Scalar (fp #b0 #b01111 #b0000000000))
(define-fun select ((a Scalar) (b Scalar) (c Scalar)) Scalar (ite (fp.isZero a) c b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (select one x y))
(assert (! (not (= t0 y)) :named negated-goal))
(check-sat)
(get-value (x y))
