; Wrong: 2147483648 products fit too.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 26959946667150639794667015087019630673637144422540572481103610249216 k)) sum) (<= sum (* 26959946667150639794667015087019630673637144422540572481103610249216 k))))
(declare-const sum Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (<= k 2147483648) :named count))
(assert (! (not (and (< (- 57896044618658097711785492504343953926634992332820282019728792003956564819968) sum) (< sum 57896044618658097711785492504343953926634992332820282019728792003956564819968))) :named negated-goal))
(check-sat)
(get-value (sum k))
