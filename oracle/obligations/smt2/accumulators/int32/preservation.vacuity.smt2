; What accumulators/int32/preservation assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 16384 k)) sum) (<= sum (* 16384 k))))
(declare-const sum Int)
(declare-const product Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (and (<= (- 16384) product) (<= product 16384)) :named product_width))
(check-sat)
