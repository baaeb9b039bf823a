/** Styles the page, in light or dark as the reader's system asks. Law: it holds no `<`. */
export const pageStyle = `
:root{color-scheme:light dark;
--page:light-dark(#fbfbfd,#14161a);--panel:light-dark(#fff,#1c1f25);--ink:light-dark(#1b1e24,#e7e9ee);
--soft:light-dark(#565d6a,#a6adba);--rule:light-dark(#d5d9e0,#363b45);--link:light-dark(#0b57b0,#8cbcff);
--bad:light-dark(#b3201c,#ff938c);--bad-back:light-dark(#fdeceb,#3d1d1c);
--good:light-dark(#18692f,#7fd495);--good-back:light-dark(#eaf6ed,#1a3022);
--unsure:light-dark(#7a5000,#f0c05a);--unsure-back:light-dark(#fdf3dc,#36290f);--chosen:light-dark(#e3eefc,#26364d);--shade:light-dark(#2f6fb5,#5f9fe6)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:88rem;padding:1rem 1.5rem 4rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:.5rem 0 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}
h3{font-size:1.1rem;margin:0;overflow-wrap:anywhere}h4{font-size:.95rem;margin:1.2rem 0 .3rem}
header p,.note,caption,.facts{color:var(--soft)}header p{margin:0}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
[hidden]{display:none!important}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;background:var(--panel);padding:.5rem}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.scrolls{overflow:auto;max-height:75vh;position:relative;border:1px solid var(--rule);border-radius:8px;background:var(--panel)}
table{border-collapse:separate;border-spacing:0;font-size:.875rem}
caption{text-align:left;padding:.4rem .75rem;font-size:.8rem}
th,td{padding:.25rem .75rem;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap;
font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--soft)}
th[scope=row]{text-align:left;color:var(--ink);position:sticky;left:0;background:var(--panel);z-index:1}
thead tr:first-child th:first-child{text-align:left}
@media(max-width:40rem){th[scope=row]{position:static}}
th[scope=colgroup]{text-align:center;border-left:1px solid var(--rule)}
.good{color:var(--good);background:var(--good-back)}.bad{color:var(--bad);background:var(--bad-back);font-weight:600}
.unsure{color:var(--unsure);background:var(--unsure-back)}.none{color:var(--soft)}.bad a{color:inherit}
form.choices{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin-bottom:.75rem}
form.choices label{font-size:.8rem;color:var(--soft);display:grid}#digits-form select{max-width:24rem}#told,#digits-told{margin:0;padding:.3rem 0}
input,select,button{font:inherit;font-size:.9rem;color:var(--ink);background:var(--panel);border:1px solid var(--soft);
border-radius:6px;padding:.25rem .6rem;max-width:16rem}
button{cursor:pointer}
.columns{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr);align-items:start}
@media(min-width:60rem){.columns{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}}
#list{position:relative;overflow:auto;max-height:min(70vh,40rem);border:1px solid var(--rule);border-radius:8px;
background:var(--panel)}
.sizer{position:relative}
[role=option]{position:absolute;left:0;right:0;height:46px;padding:0 .75rem;display:flex;gap:.6rem;align-items:center;
border-bottom:1px solid var(--rule);cursor:pointer;font-size:.875rem}
[role=option]:hover,[role=option][aria-selected=true]{background:var(--chosen)}
[role=option][aria-selected=true]{box-shadow:inset 4px 0 var(--link)}
.row-title{flex:1;font-weight:600}.row-engine,.row-cases{color:var(--soft);font-size:.8rem}
.row-title,.row-engine{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.row-engine{max-width:40%}
.chip{font-size:.75rem;padding:.05rem .5rem;border-radius:1rem;color:var(--bad);background:var(--bad-back);flex:none}
.chip.known{color:var(--unsure);background:var(--unsure-back)}
#detail{border:1px solid var(--rule);border-radius:8px;background:var(--panel);padding:1rem 1.25rem;min-width:0}
.facts{margin:.3rem 0;font-size:.875rem}.sentence{margin:.6rem 0;overflow-wrap:anywhere}
pre{margin:.4rem 0;padding:.6rem .8rem;background:var(--page);border:1px solid var(--rule);border-radius:6px;
overflow:auto;max-height:24rem;font:.8125rem/1.45 ui-monospace,monospace}
.command{display:flex;gap:.5rem;align-items:center}.command pre{flex:1;min-width:0;white-space:pre-wrap;overflow-wrap:anywhere}
summary{cursor:pointer;color:var(--link);margin:.4rem 0}
.numbers td{text-align:left;font-family:ui-monospace,monospace;white-space:normal;overflow-wrap:anywhere}
svg text{fill:var(--ink);font:12px ui-monospace,monospace;text-anchor:middle}
svg .edge{fill:none;stroke:var(--soft);stroke-width:1.3}svg .head{fill:var(--soft)}svg .grid{stroke:var(--rule)}
table.words td,table.words th{text-align:left;white-space:normal}.grounds li{overflow-wrap:anywhere;margin:.2rem 0}
.plot{max-width:100%;display:block;margin:1rem auto}.scrolls+.scrolls{margin-top:1rem}
.graph{display:block;margin:.5rem auto}
.box rect{fill:var(--page);stroke:var(--soft)}.box.input rect{stroke-dasharray:4 3}
.box .line-1{fill:var(--soft);font-size:11px}
.box.blamed rect{fill:var(--bad-back);stroke:var(--bad);stroke-width:2.5}.box.blamed text{fill:var(--bad);font-weight:600}
.number-line{width:100%;max-width:40rem;display:block}.certified{fill:var(--good-back);stroke:var(--good)}
.expected,.bound{stroke:var(--good);stroke-width:2.5}svg .answer{fill:var(--bad)}svg .answer-name{fill:var(--bad);font-weight:600}
.digits{display:block}.digits .answer{fill-opacity:.8}
.shade-1{fill:var(--shade);fill-opacity:.15}.shade-2{fill:var(--shade);fill-opacity:.35}.shade-3{fill:var(--shade);fill-opacity:.55}
.shade-4{fill:var(--shade);fill-opacity:.75}.shade-5{fill:var(--shade)}.digits .bound{stroke:var(--ink);stroke-width:2}
svg .name{text-anchor:end}
`;
