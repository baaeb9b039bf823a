; Wrong: x − y and y − x are computed once
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun subtract ((a Scalar) (b Scalar)) Scalar (fp.sub RNE a b))
(declare-const x Scalar)
(declare-const y Scalar)
(define-fun t0 () Scalar (subtract x y))
(define-fun t1 () Scalar (subtract y x))
(assert (! (not (and (= t0 t0) (= t1 t0))) :named negated-goal))
(check-sat)
(get-value (x y))
