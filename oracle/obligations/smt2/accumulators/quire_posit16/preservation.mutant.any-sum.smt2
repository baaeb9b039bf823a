; Wrong: the sum before is anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 26959946667150639794667015087019630673637144422540572481103610249216 k)) sum) (<= sum (* 26959946667150639794667015087019630673637144422540572481103610249216 k))))
(declare-const sum Int)
(declare-const product Int)
(declare-const k Int)
(assert (! (and (<= (- 26959946667150639794667015087019630673637144422540572481103610249216) product) (<= product 26959946667150639794667015087019630673637144422540572481103610249216)) :named product_width))
(assert (! (not (within (+ sum product) (+ k 1))) :named negated-goal))
(check-sat)
(get-value (sum product k))
