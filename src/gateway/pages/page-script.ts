/**
 * Runs in the reader's browser. Without it every page still works: the reader reloads.
 * It shows times in the reader's zone, counts durations, copies ids, and replaces the main part of a page when it has
 * changed, without taking the focus or the place away.
 */
export const SCRIPT = `
'use strict';
const zone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    if (!time.title) time.title = time.dateTime + ' (UTC)';
    time.textContent = zone.format(at);
  }
  const name = document.getElementById('zone');
  if (name !== null) name.textContent = 'Times are in your zone, ' + zone.resolvedOptions().timeZone + '.';
}
function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return seconds + ' s';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + ' min ' + (seconds % 60) + ' s';
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + ' h ' + (minutes % 60) + ' min' : Math.floor(hours / 24) + ' days';
}
function ago(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes + ' min ago';
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + ' h ago' : Math.floor(hours / 24) + ' days ago';
}
function count() {
  for (const part of document.querySelectorAll('[data-since]'))
    part.textContent = duration(Date.now() - Date.parse(part.dataset.since));
  for (const part of document.querySelectorAll('[data-ago]'))
    part.textContent = ago(Date.now() - Date.parse(part.dataset.ago));
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

function replacePart(part, html) {
  const focused = document.activeElement?.id;
  const x = window.scrollX, y = window.scrollY;
  part.innerHTML = html;
  refresh();
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  window.scrollTo(x, y);
}
async function fetchPart(part, name) {
  const answer = await fetch(part.dataset.part, { headers: { Accept: 'text/html' }, redirect: 'manual' });
  if (answer.ok && answer.headers.get('X-Page-Part') === name) return { html: await answer.text() };
  const passes = answer.status === 503 || answer.status === 429;
  return { lost: !passes };
}

const list = document.getElementById('list');
if (list !== null) {
  let last = Date.now();
  let shown = '';
  let busy = false;
  const isReading = () => String(getSelection()).length > 0;
  const look = async () => {
    if (busy || document.hidden || isReading() || Date.now() - last < 1000 * Number(list.dataset.every)) return;
    busy = true;
    last = Date.now();
    try {
      const { html, lost } = await fetchPart(list, 'list');
      if (lost) { clearInterval(timer); say('This page is not live any more. Reload it; you may have to sign in again.'); }
      else if (html !== undefined && html !== shown) { shown = html; say(''); replacePart(list, html); }
    } catch {
      say('Not connected. Trying again.');
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(look, 1000);
  document.addEventListener('visibilitychange', look);
}

const run = document.getElementById('run');
if (run !== null && run.dataset.live) {
  let shown = run.dataset.tag;
  let busy = false;
  let again = false;
  const load = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const { html, lost } = await fetchPart(run, 'run');
      if (html !== undefined) replace(html);
      else if (lost) { source.close(); say('Reload the page: you may have to sign in again.'); }
    } catch {
      say('Not connected. Trying again.');
    } finally {
      busy = false;
      if (again) { again = false; void load(); }
    }
  };
  const replace = (html) => {
    const before = document.getElementById('phase')?.textContent;
    replacePart(run, html);
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
