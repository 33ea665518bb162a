import type { Check } from '../../contract/check.js';
import { align } from './align.js';
import type { Paint, Style } from './paint.js';

const WORDS: Record<Check['state'], { word: string; style: Style }> = {
  ok: { word: 'ok', style: 'good' },
  fault: { word: 'fault', style: 'bad' },
  unknown: { word: '?', style: 'dim' },
};

/** One line for each check, and one more with what to do. */
export function renderChecks(checks: readonly Check[], paint: Paint): string[] {
  const lines = align(checks.map(({ state, name, text }) => [WORDS[state].word, name, text]));
  return checks.flatMap(({ state, advice }, at) => {
    const { word, style } = WORDS[state];
    const line = (lines[at] ?? '').replace(word, paint(style, word));
    return advice === undefined ? [line] : [line, `       what to do: ${advice}`];
  });
}
