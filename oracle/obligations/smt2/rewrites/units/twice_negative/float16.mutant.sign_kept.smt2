; Wrong: −(−x) is −x.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(define-sort Scalar () (_ FloatingPoint 5 11))
(define-fun negative ((a Scalar)) Scalar (fp.neg a))
(declare-const x Scalar)
(define-fun t0 () Scalar (negative x))
(define-fun t1 () Scalar (negative t0))
(assert (! (not (= t1 t0)) :named negated-goal))
(check-sat)
(get-value (x))
