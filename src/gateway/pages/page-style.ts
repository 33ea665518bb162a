/** For a phone at night first: large targets, dark by the reader's setting, no fixed widths. */
export const STYLE = `
:root { color-scheme: light dark;
  --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --card: #f6f8fa; --line: #d0d7de;
  --link: #0550ae; --good: #116329; --bad: #a40e26; --busy: #7d4e00; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e6edf3; --soft: #a4adb7; --paper: #0d1117; --card: #161b22; --line: #3d444d;
  --link: #79b8ff; --good: #56d364; --bad: #ff8e86; --busy: #e3b341; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
a { color: var(--link); }
header, main, footer { max-width: 52rem; margin: 0 auto; padding: .75rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; border-bottom: 1px solid var(--line); }
header form { margin-left: auto; }
footer { color: var(--soft); font-size: .875rem; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: .5rem 0; }
h2 { font-size: 1.0625rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; }
code { font: .875em/1.45 ui-monospace, monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.phase { display: inline-block; font-weight: 600; padding: .125rem .625rem; border: 2px solid; border-radius: 1rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .busy { color: var(--busy); } .soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-left-width: .375rem; border-radius: .5rem; padding: .5rem .875rem; margin: .75rem 0; }
.card.bad { border-left-color: var(--bad); } .card.busy { border-left-color: var(--busy); } .card.good { border-left-color: var(--good); }
.card > * { color: var(--ink); } .card > strong:first-child { color: inherit; }
ol.steps, ul.plain { list-style: none; margin: 0; padding: 0; }
ol.steps > li { position: relative; padding: .25rem 0 .75rem 1.75rem; border-left: 2px solid var(--line); margin-left: .625rem; }
ol.steps > li:last-child { border-left-color: transparent; padding-bottom: 0; }
.sign { position: absolute; left: -.8125rem; top: .25rem; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--paper); border: 2px solid; text-align: center; line-height: 1.2rem; font-weight: 700; }
.step-name { font-weight: 600; }
.ids { margin: .25rem 0 0; padding: 0; list-style: none; }
.ids li { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; padding: 0; list-style: none; }
.button, button { display: inline-block; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; color: var(--ink); background: var(--card); border: 2px solid var(--line); border-radius: .5rem; }
.button.bad, button.bad { color: var(--bad); border-color: var(--bad); }
h1 button.small { margin-left: .5rem; vertical-align: middle; }
button.small { min-height: 2rem; padding: 0 .625rem; font-size: .875rem; font-weight: 400; }
label { display: block; font-weight: 600; margin: .75rem 0 .25rem; }
input, select { font: inherit; width: 100%; min-height: 2.75rem; padding: .375rem .625rem; color: var(--ink); background: var(--paper); border: 2px solid var(--soft); border-radius: .5rem; }
.filter { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); align-items: end; }
.filter button { margin-top: .75rem; }
ul.runs > li { border-top: 1px solid var(--line); padding: .625rem 0; }
.live { min-height: 1.5rem; font-size: .875rem; color: var(--soft); }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: no-preference) { .busy .sign-now { animation: beat 2s infinite; } @keyframes beat { 50% { opacity: .35; } } }
`.trim();
