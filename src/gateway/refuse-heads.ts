import type { HttpBindings } from '@hono/node-server';

import type { Middleware } from './middleware.js';
import { ProblemError, type Problem, type ProblemFault } from './problem.js';

/** A browser and its proxies send fewer. As values, short ones take three times their bytes. */
export const MOST_HEADERS = 100;

/**
 * Two readers of a request that names two hosts could take it for requests to two, and of one with many headers the server
 * lets the last ones go, which a proxy may have added.
 */
export const refuseHeads: Middleware = async (c, next) => {
  // There are none in a call without a port.
  const { incoming }: Partial<HttpBindings> = { ...c.env };
  const names = (incoming?.rawHeaders ?? []).filter((_, at) => at % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) throw refusalOf(TWO_HOSTS);
  if (names.length > MOST_HEADERS) throw refusalOf(MANY_HEADERS);
  await next();
};

type Refused = Pick<Problem, 'title' | 'detail' | 'advice'> & { faults?: ProblemFault[] };

function refusalOf({ detail, ...refused }: Refused): ProblemError {
  const problem = { status: 400, code: 'BadRequest', ...refused };
  return new ProblemError({ ...problem, detail: `${detail} Nothing was started or changed.` });
}

const TWO_HOSTS: Refused = {
  title: 'The request names two hosts',
  detail: 'The header Host is there twice.',
  advice: 'Send one Host header.',
  faults: [{ parameter: 'Host', message: 'is there twice' }],
};

const MANY_HEADERS: Refused = {
  title: 'The request has too many headers',
  detail: `The request has more than ${MOST_HEADERS} headers.`,
  advice: 'Send fewer headers.',
};
