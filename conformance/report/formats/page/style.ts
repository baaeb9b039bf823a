/** Styles the page, in light or dark as the reader's system asks, and on paper. Law: it holds no `<`. */
export const pageStyle = `
:root{color-scheme:light dark;
--page:light-dark(#f7f8fa,#14161a);--panel:light-dark(#fff,#1c1f25);--ink:light-dark(#1b1e24,#e7e9ee);
--soft:light-dark(#565d6a,#a6adba);--rule:light-dark(#dfe3e8,#363b45);--link:light-dark(#0b57b0,#8cbcff);
--bad:light-dark(#b3201c,#ff938c);--bad-back:light-dark(#fdeceb,#3d1d1c);
--good:light-dark(#18692f,#7fd495);--good-back:light-dark(#eaf6ed,#1a3022);
--unsure:light-dark(#7a5000,#f0c05a);--unsure-back:light-dark(#fdf3dc,#36290f);--chosen:light-dark(#e3eefc,#26364d);--shade:light-dark(#2f6fb5,#5f9fe6);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
body{margin:0 auto;max-width:90rem;padding:1rem 1.5rem 4rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.75rem;line-height:1.25;margin:0;overflow-wrap:anywhere}h2{font-size:1.25rem;margin:2rem 0 .5rem}
h3{font-size:1.15rem;margin:0;overflow-wrap:anywhere}h4{font-size:.8rem;margin:1.1rem 0 .25rem;color:var(--soft)}
section{scroll-margin-top:.5rem}
.note,caption,.facts,dt{color:var(--soft)}.note{font-size:.875rem;max-width:75ch}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
[hidden]{display:none!important}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;background:var(--panel);padding:.5rem}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.verdict{background:var(--panel);border:1px solid var(--rule);border-left:6px solid var(--soft);border-radius:8px;padding:1rem 1.25rem}
.verdict.good{border-left-color:var(--good)}.verdict.bad{border-left-color:var(--bad)}.verdict.unsure{border-left-color:var(--unsure)}
.good .sign{color:var(--good)}.bad .sign{color:var(--bad)}.unsure .sign{color:var(--unsure)}
.verdict p{margin:.1rem 0 0;font-size:1.05rem}
.run{display:flex;flex-wrap:wrap;gap:.3rem 2rem;margin:.7rem 0 0;font-size:.875rem}.run div{min-width:0}
.run dt{font-size:.75rem}.run dd{margin:0;overflow-wrap:anywhere}
.verdict pre{margin:.7rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere;max-height:7rem}
.scrolls{overflow:auto;max-height:75vh;position:relative;border:1px solid var(--rule);border-radius:8px;background:var(--panel)}
table{border-collapse:separate;border-spacing:0;font-size:.875rem}
caption{text-align:left;padding:.4rem .75rem;font-size:.8rem}
th,td{padding:.25rem .75rem;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap;
font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--soft)}
th[scope=row]{text-align:left;color:var(--ink);position:sticky;left:0;background:var(--panel);z-index:1}
thead tr:first-child th:first-child{text-align:left}
.matrix thead{position:sticky;top:0;z-index:2}.matrix thead th{background:var(--panel)}
.matrix thead tr:first-child th:first-child{position:sticky;left:0;z-index:3}
#operators:has(input:checked) tr.fine{display:none}
th[scope=colgroup]{text-align:center;border-left:1px solid var(--rule)}
.good{color:var(--good);background:var(--good-back)}.bad{color:var(--bad);background:var(--bad-back);font-weight:600}
.unsure{color:var(--unsure);background:var(--unsure-back)}.none{color:var(--soft)}.bad a{color:inherit}
.verdict.good,.verdict.bad,.verdict.unsure{color:var(--ink);background:var(--panel);font-weight:400}
td.some{color:var(--bad);font-weight:600}
td.remark{text-align:left;white-space:normal;color:var(--unsure);padding-left:1.75rem}
.toggle{display:inline-flex;gap:.4rem;align-items:center;font-size:.875rem;margin:.3rem 0 .5rem;cursor:pointer}
form.choices{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin-bottom:.75rem}
form.choices label{font-size:.8rem;color:var(--soft);display:grid}#told,#digits-told{margin:0;padding:.3rem 0}
input,select,button{font:inherit;font-size:.9rem;color:var(--ink);background:var(--panel);border:1px solid var(--soft);
border-radius:6px;padding:.25rem .6rem;max-width:13rem}
form.choices :is(input,select,button){height:2.1rem}
button{cursor:pointer}
.columns{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr);align-items:start}
#list{position:relative;overflow:auto;max-height:15rem;border:1px solid var(--rule);border-radius:8px;background:var(--panel)}
#detail{scroll-margin-top:.5rem}
@media(min-width:60rem){.columns{grid-template-columns:minmax(0,1fr) minmax(0,2fr)}
#list,#detail{max-height:max(30rem,calc(100vh - 8rem))}#detail{overflow:auto}}
.sizer{position:relative}
.group{position:absolute;left:0;right:0;height:30px;padding:.3rem .75rem 0;font:600 .8rem/1.5 var(--mono);color:var(--soft);
background:var(--page);border-bottom:1px solid var(--rule);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
[role=option]{position:absolute;left:0;right:0;height:52px;padding:.35rem .75rem;display:grid;
grid-template-columns:minmax(0,1fr) auto;gap:0 .6rem;align-content:center;border-bottom:1px solid var(--rule);cursor:pointer;
font-size:.875rem;line-height:1.35}
[role=option]:hover,[role=option][aria-selected=true]{background:var(--chosen)}
[role=option][aria-selected=true]{box-shadow:inset 4px 0 var(--link)}
.row-title{font-weight:600}.row-engine,.row-cases{color:var(--soft);font-size:.8rem}.row-cases{text-align:right}
.row-title,.row-engine{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.chip{font-size:.75rem;padding:.05rem .5rem;border-radius:1rem;color:var(--bad);background:var(--bad-back);margin-right:.3rem}
.chip.known,.chip.unasked,.chip.same{color:var(--unsure);background:var(--unsure-back)}.chip.mended{color:var(--good);background:var(--good-back)}
#detail,#printed article{border:1px solid var(--rule);border-radius:8px;background:var(--panel);padding:1rem 1.25rem;min-width:0}
.facts{margin:.3rem 0;font-size:.875rem}.sentence{margin:.3rem 0;overflow-wrap:anywhere;max-width:85ch}
pre,code{font:.8125rem/1.5 var(--mono)}
pre{margin:.3rem 0;padding:.5rem .8rem;background:var(--page);border:1px solid var(--rule);border-radius:6px;overflow:auto;max-height:24rem}
.facts+h4,.number-line+.note{margin-top:.6rem}article .note{margin:.2rem 0}article ul{margin:.2rem 0}
article pre{white-space:pre-wrap;overflow-wrap:anywhere}
.command{display:flex;gap:.5rem;align-items:center}.command pre{flex:1;min-width:0}
.files ul{font-size:.875rem;padding-left:1.2rem}details p{margin:.3rem 0;font-size:.875rem}
summary{cursor:pointer;color:var(--link);margin:.4rem 0}
.numbers{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.1rem 1rem;margin:.2rem 0;align-items:baseline}
.numbers dd{margin:0;font:1.15rem/1.4 var(--mono);overflow-wrap:anywhere}.got{color:var(--bad)}.want{color:var(--good)}
svg text{fill:var(--ink);font:12px var(--mono);text-anchor:middle}
svg .edge{fill:none;stroke:var(--soft);stroke-width:1.3}svg .head{fill:var(--soft)}svg .grid{stroke:var(--rule)}
table.words td,table.words th{text-align:left;white-space:normal}.grounds li{overflow-wrap:anywhere;margin:.2rem 0}
.plot{max-width:100%;display:block;margin:1rem auto}.scrolls+.scrolls{margin-top:1rem}
.graph{display:block;margin:.5rem auto}
.box rect{fill:var(--page);stroke:var(--soft)}.box.input rect{stroke-dasharray:4 3}
svg .line-name{font-weight:600}svg .line-about{fill:var(--soft);font-size:11px}svg .line-given{fill:var(--link);font-size:11px}
.box.blamed rect{fill:var(--bad-back);stroke:var(--bad);stroke-width:2.5}.box.blamed .line-name{fill:var(--bad)}
svg .line-got{fill:var(--bad);font-weight:600}svg .line-want{fill:var(--good);font-weight:600}
.number-line{width:100%;max-width:40rem;display:block}.certified{fill:var(--good-back);stroke:var(--good)}
.expected,.bound{stroke:var(--good);stroke-width:2.5}svg .answer{fill:var(--bad)}svg .answer-name{fill:var(--bad);font-weight:600}
.digits{display:block}.digits .answer{fill-opacity:.8}
.shade-1{fill:var(--shade);fill-opacity:.15}.shade-2{fill:var(--shade);fill-opacity:.35}.shade-3{fill:var(--shade);fill-opacity:.55}
.shade-4{fill:var(--shade);fill-opacity:.75}.shade-5{fill:var(--shade)}.digits .bound{stroke:var(--ink);stroke-width:2}
svg .name{text-anchor:end}
#printed{display:none}
@media(max-width:40rem){body{padding:.75rem .75rem 3rem}h1{font-size:1.4rem}
form.choices{display:grid;grid-template-columns:1fr 1fr}form.choices label,form.choices input,form.choices select{min-width:0;width:100%}
.stacked,.stacked tbody,.stacked caption{display:block}.stacked thead{display:none}
.stacked tr{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));border-bottom:1px solid var(--rule);padding:.4rem .5rem}
.stacked th,.stacked td{border:0;padding:.1rem .25rem;white-space:normal;text-align:left}
.stacked td.remark{grid-column:1/-1}.stacked th[scope=row]{grid-column:1/3;position:static}
.scrolls:has(.stacked){max-height:none}
.stacked td[data-head]::before{content:attr(data-head);display:block;font-size:.7rem;font-weight:400;color:var(--soft)}
.stacked td[data-head]{background:none}.stacked td[data-head=outcome]{text-align:right;grid-column:3/5}.stacked td[data-head=outcome]::before{content:none}
.stacked.words tr{grid-template-columns:repeat(2,minmax(0,1fr))}.stacked.words th[scope=row]{grid-column:1/-1}
.matrix th[scope=row]{min-width:7.5rem;max-width:9rem;overflow-wrap:anywhere;white-space:normal}
.command{display:block}#detail,.verdict{padding:.75rem}}
@page{margin:12mm}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:10pt;background:none}
form,button,#list,#detail,.toggle,.skip,.files,article details,.facts a{display:none!important}
#printed{display:block}#printed article{margin:0 0 1rem;break-inside:auto}
.scrolls,pre{max-height:none;overflow:visible}.graph,.digits{max-width:100%;height:auto}.graph{max-height:14cm}
h2,h3,h4,caption{break-after:avoid}tr,svg,.numbers{break-inside:avoid}
th,td{padding:.1rem .3rem;font-size:8pt;white-space:normal}.matrix th,.matrix td{padding:.05rem .15rem;font-size:6pt}
.matrix th[scope=col]:not([rowspan]){writing-mode:vertical-rl;text-align:left}.matrix thead,th[scope=row]{position:static!important}
*{print-color-adjust:exact}}
`;
