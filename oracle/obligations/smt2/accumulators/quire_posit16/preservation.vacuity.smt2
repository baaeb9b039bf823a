; What accumulators/quire_posit16/preservation assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 26959946667150639794667015087019630673637144422540572481103610249216 k)) sum) (<= sum (* 26959946667150639794667015087019630673637144422540572481103610249216 k))))
(declare-const sum Int)
(declare-const product Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (and (<= (- 26959946667150639794667015087019630673637144422540572481103610249216) product) (<= product 26959946667150639794667015087019630673637144422540572481103610249216)) :named product_width))
(check-sat)
