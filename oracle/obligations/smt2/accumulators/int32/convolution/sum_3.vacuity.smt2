; What accumulators/int32/convolution/sum_3 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 16384 k)) sum) (<= sum (* 16384 k))))
(declare-const sum Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (<= k 2048) :named terms))
(check-sat)
