; What tape/sparse/skipped_product assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_FP)
(declare-const cotangent (_ FloatingPoint 11 53))
(declare-const factor (_ FloatingPoint 11 53))
(declare-const slot (_ FloatingPoint 11 53))
(define-fun after () (_ FloatingPoint 11 53) (fp.add RNE slot (fp.mul RNE factor cotangent)))
(assert (! (fp.isZero cotangent) :named zero-cotangent))
(assert (! (not (or (fp.isInfinite factor) (fp.isNaN factor))) :named finite-factor))
(assert (! (not (and (fp.isZero slot) (fp.isNegative slot))) :named no-negative-zero))
(check-sat)
