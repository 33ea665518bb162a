import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

import type { Conditions } from './document/figure.js';

const GIB = 1024 ** 3;
/** What a measurement does not depend on. */
const WITHOUT_DOCUMENTS = ['--', '.', ':(exclude)docs', ':(exclude,glob)*.md'];
const UNKNOWN = 'an unknown commit';

/** The last commit that changed more than documents, with `+` when files differ from it. */
export function measuredCommit(): string {
  try {
    const commit = git(['log', '-1', '--format=%h', ...WITHOUT_DOCUMENTS]);
    return git(['status', '--porcelain', ...WITHOUT_DOCUMENTS]) === '' ? commit : `${commit}+`;
  } catch {
    return UNKNOWN;
  }
}

/** False where files differ from the commit: then two measurements may be of different code. */
export function isExact(commit: string): boolean {
  return commit !== UNKNOWN && !commit.endsWith('+');
}

export type Before = Pick<Conditions, 'loadBefore'> & { startedAt: number };

/** Call it before the measurement, which is load itself. */
export function conditionsBefore(): Before {
  return { loadBefore: loadavg()[0] ?? Number.NaN, startedAt: Date.now() };
}

export function conditionsAfter({ loadBefore, startedAt }: Before, commit: string): Conditions {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    commit,
    node: process.version,
    cores: all.length,
    cpu: all[0]?.model.trim() ?? 'unknown',
    memoryGib: Math.round(totalmem() / GIB),
    loadBefore,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  };
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
