/** For a phone at night first: large targets, dark by the reader's setting, no fixed widths. */
export const STYLE = `
:root { color-scheme: light dark;
  --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --card: #f6f8fa; --line: #d0d7de; --track: #e4e8ec;
  --link: #0550ae; --good: #116329; --bad: #a40e26; --busy: #7d4e00; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e6edf3; --soft: #a4adb7; --paper: #0d1117; --card: #161b22; --line: #3d444d; --track: #262c34;
  --link: #79b8ff; --good: #56d364; --bad: #ff8e86; --busy: #e3b341; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
a { color: var(--link); }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: .75rem 1rem; }
main { padding-bottom: 2rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; border-bottom: 1px solid var(--line); }
header form { margin-left: auto; }
header nav a { font-weight: 600; }
footer { color: var(--soft); font-size: .875rem; border-top: 1px solid var(--line); }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: .75rem 0 .5rem; }
h2 { font-size: 1.0625rem; margin: 1.75rem 0 .5rem; }
p { margin: .5rem 0; }
code { font: .875em/1.45 ui-monospace, monospace; }
.small { font-size: .875rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.phase { display: inline-block; font-weight: 600; padding: .125rem .625rem; border: 2px solid; border-radius: 1rem; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .busy { color: var(--busy); } .soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-left-width: .375rem; border-radius: .5rem; padding: .625rem .875rem; margin: .75rem 0; }
.card.bad { border-left-color: var(--bad); } .card.busy { border-left-color: var(--busy); } .card.good { border-left-color: var(--good); }
.card > * { color: var(--ink); } .card > strong:first-child { color: inherit; font-size: 1.0625rem; } .card > .soft { color: var(--soft); }
@media (min-width: 64rem) { .columns { display: grid; grid-template-columns: minmax(0, 1fr) 23rem; gap: 0 2.5rem; }
  .columns > * > :first-child { margin-top: .5rem; } }
ol.steps, ul.plain, ul.runs { list-style: none; margin: 0; padding: 0; }
ol.steps > li { position: relative; padding: .25rem 0 1rem 1.75rem; border-left: 2px solid var(--line); margin-left: .75rem; }
ol.steps > li:last-child { border-left-color: transparent; padding-bottom: 0; }
ol.steps p { margin: .25rem 0; }
.sign { position: absolute; left: -.8125rem; top: .25rem; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--paper); border: 2px solid; text-align: center; line-height: 1.2rem; font-weight: 700; }
.step-head { display: flex; justify-content: space-between; gap: .25rem 1rem; }
.took { white-space: nowrap; font-variant-numeric: tabular-nums; }
.step-name { font-weight: 600; }
.bar { display: block; width: 100%; height: .5rem; border-radius: .25rem; margin: .25rem 0; }
.waits .bar { height: .25rem; }
.track { fill: var(--track); } .fill-good { fill: var(--good); } .fill-bad { fill: var(--bad); } .fill-busy { fill: var(--busy); } .fill-soft { fill: var(--soft); }
.waits { list-style: none; margin: .375rem 0; padding: 0 0 0 .75rem; font-size: .875rem; border-left: 2px solid var(--track); }
.ids { margin: .25rem 0 0; padding: 0; list-style: none; }
.ids li { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; }
.facts { margin: 0; display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: .25rem 1rem; }
.facts > div { display: contents; } .facts dt { color: var(--soft); } .facts dd { margin: 0; }
.progress { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin: .75rem 0; }
progress { appearance: none; -webkit-appearance: none; flex: 1 1 12rem; height: .625rem; border: 0; border-radius: .3125rem; background: var(--track); color: var(--busy); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--track); } progress::-webkit-progress-value { background: var(--busy); } progress::-moz-progress-bar { background: var(--busy); }
.actions { display: grid; gap: .625rem 1.5rem; margin: 1rem 0; padding: 0; list-style: none; }
.actions > li { display: grid; grid-template-columns: 10.5rem minmax(0, 1fr); gap: .75rem; align-items: center; }
.actions .button, .actions button { white-space: nowrap; padding: .5rem; }
.actions > li > :only-child { grid-column: 1 / -1; justify-self: start; min-width: 10.5rem; }
.actions.short { display: flex; flex-wrap: wrap; }
.button, button { display: inline-block; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; color: var(--ink); background: var(--card); border: 2px solid var(--line); border-radius: .5rem; }
.button:hover, button:hover { border-color: currentcolor; }
.button.bad, button.bad { color: var(--bad); border-color: var(--bad); }
h1 button.small { margin-left: .5rem; vertical-align: middle; }
button.small { min-height: 2rem; padding: 0 .625rem; font-size: .875rem; font-weight: 400; }
dd button.small, .ids button.small { margin-left: .375rem; min-height: 1.75rem; padding: 0 .5rem; }
label { display: block; font-weight: 600; margin: .5rem 0 .25rem; }
input, select { font: inherit; width: 100%; min-height: 2.75rem; padding: .375rem .625rem; color: var(--ink); background: var(--paper); border: 2px solid var(--soft); border-radius: .5rem; }
input[type="checkbox"] { width: 1.5rem; min-height: 1.5rem; vertical-align: middle; margin-right: .5rem; }
.filter { display: grid; gap: 0 .75rem; grid-template-columns: minmax(0, 1fr) auto; align-items: end; }
.filter .wide { grid-column: 1 / -1; } .filter .more { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 1rem 0; padding: 0; }
.count { display: inline-block; padding: .375rem .75rem; border: 2px solid var(--line); border-radius: 1.25rem; text-decoration: none; background: var(--card); }
.count[aria-current] { border-color: currentcolor; } .count:hover { border-color: currentcolor; }
ul.runs > li { border-top: 1px solid var(--line); padding: .625rem 0; display: grid; gap: .125rem 1rem; grid-template-columns: auto minmax(0, 1fr); }
ul.runs .row-time { text-align: right; grid-row: 1; grid-column: 2; } ul.runs .row-id, ul.runs .row-reason { grid-column: 1 / -1; }
ul.runs .row-phase { font-weight: 600; } ul.runs .row-reason { color: var(--soft); font-size: .9375rem; } ul.runs a b { font-weight: 700; }
@media (min-width: 48rem) { ul.runs > li { grid-template-columns: 8rem minmax(0, 1fr) 16rem; } ul.runs .row-id, ul.runs .row-reason { grid-column: 2; } ul.runs .row-time { grid-row: 1; grid-column: 3; } ul.runs .row-id { grid-row: 1; } }
.scroll { overflow-x: auto; max-width: 100%; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .5rem 0; max-height: 32rem; overflow: auto; overflow-wrap: normal; }
#input { margin-top: 1.5rem; }
summary { cursor: pointer; font-weight: 600; padding: .625rem 0; }
table { border-collapse: collapse; min-width: 100%; font-size: .9375rem; } th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); overflow-wrap: normal; } thead th { border-top: 0; color: var(--soft); font-weight: 400; } .number { text-align: right; font-variant-numeric: tabular-nums; } td { min-width: 6rem; } td code { overflow-wrap: anywhere; }
.live { min-height: 1.5rem; font-size: .875rem; color: var(--soft); }
[hidden] { display: none !important; }
`.trim();
