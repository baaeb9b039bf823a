; Wrong: a product is of any size.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 16384 k)) sum) (<= sum (* 16384 k))))
(declare-const sum Int)
(declare-const product Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (not (within (+ sum product) (+ k 1))) :named negated-goal))
(check-sat)
(get-value (sum product k))
