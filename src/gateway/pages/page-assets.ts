import { createHash } from 'node:crypto';

/** For a phone at night first: large targets, dark by the reader's setting, no fixed widths. */
const STYLE = `
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

/**
 * Runs in the reader's browser. Without it every page still works: the reader reloads.
 * It shows times in the reader's zone, counts durations, copies ids, and replaces the main part of a run's page when the
 * run changes, without taking the focus away.
 */
const SCRIPT = `
'use strict';
const zone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (!time.title) time.title = time.dateTime + ' (UTC)';
    if (!Number.isNaN(at.getTime())) time.textContent = zone.format(at);
  }
}
function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return seconds + ' s';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + ' min ' + (seconds % 60) + ' s';
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + ' h ' + (minutes % 60) + ' min' : Math.floor(hours / 24) + ' days';
}
function count() {
  for (const part of document.querySelectorAll('[data-since]'))
    part.textContent = duration(Date.now() - Date.parse(part.dataset.since));
  for (const part of document.querySelectorAll('[data-until]')) {
    const left = Date.parse(part.dataset.until) - Date.now();
    part.textContent = left > 0 ? 'in ' + duration(left) : 'now';
  }
}
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-copy]') : null;
  if (button === null) return;
  navigator.clipboard.writeText(button.dataset.copy).then(
    () => say('Copied ' + button.dataset.copy),
    () => say('The browser did not allow copying.'),
  );
});
function offerCopies() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('button[data-copy]')) button.hidden = false;
}
function say(text) {
  const live = document.getElementById('live');
  if (live !== null) live.textContent = text;
}
function refresh() { showTimes(); count(); offerCopies(); }
refresh();
setInterval(count, 1000);

const run = document.getElementById('run');
if (run !== null && run.dataset.live) {
  let shown = run.dataset.tag;
  let busy = false;
  let again = false;
  const load = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(run.dataset.part, { headers: { Accept: 'text/html' }, redirect: 'manual' });
      if (answer.ok && answer.headers.get('X-Page-Part') === 'run') replace(await answer.text());
      else if (answer.status !== 503) { source.close(); say('Reload the page: you may have to sign in again.'); }
    } catch {
      say('Not connected. Trying again.');
    } finally {
      busy = false;
      if (again) { again = false; void load(); }
    }
  };
  const replace = (html) => {
    const focused = document.activeElement?.id;
    const before = document.getElementById('phase')?.textContent;
    run.innerHTML = html;
    refresh();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    const phase = document.getElementById('phase')?.textContent;
    document.title = phase + ': ' + document.title.replace(/^[a-z-]+: /, '');
    if (phase !== before) say('The run is now ' + phase + '.');
  };
  const source = new EventSource(run.dataset.live);
  source.addEventListener('changed', (event) => {
    say('');
    if (event.lastEventId !== shown) { shown = event.lastEventId; void load(); }
  });
  source.addEventListener('end', () => { source.close(); void load(); });
  source.addEventListener('open', () => say(''));
  source.addEventListener('error', () => {
    say(source.readyState === EventSource.CLOSED
      ? 'This page is not live any more. Reload it to see the run.'
      : 'Not connected. Trying again.');
  });
}
`.trim();

interface Asset {
  /** Changes with the content, so a browser may keep the file for ever. */
  path: string;
  type: string;
  text: string;
}

export const STYLE_ASSET = toAsset('page.css', 'text/css; charset=utf-8', STYLE);
export const SCRIPT_ASSET = toAsset('page.js', 'text/javascript; charset=utf-8', SCRIPT);

function toAsset(name: string, type: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/assets/${digest}/${name}`, type, text };
}

/** A page loads its own style and script and talks to its own gateway. Nothing inline runs. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
