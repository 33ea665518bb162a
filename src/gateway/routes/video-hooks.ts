import { z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';

import { ACCOUNT_NAME } from '../../engine/core/names.js';
import { Scope } from '../../tokens/token-file.js';
import type { GatewayApp, GatewayEnv } from '../gateway-context.js';
import type { AccountHints } from '../video-hints.js';
import { refuseWithoutScope } from '../middleware.js';
import { ProblemError, type Problem } from '../problem.js';
import { readBytes } from '../read-body.js';
import { refuseOther } from '../find-run.js';

/** A hook names one video. Its rest is read by nobody. */
const MAX_HOOK_BYTES = 262_144;

const PATH = '/hooks/videos/:account/:token';

/**
 * Takes the webhooks of the streaming platform, which sends each once, without a signature. So a token stands in the
 * path, any body is accepted, and what it says only lets a run look earlier.
 *
 * @param admit knows the caller by the token in the path
 */
export function addVideoHooks(
  app: GatewayApp,
  hints: AccountHints,
  admit: readonly MiddlewareHandler<GatewayEnv>[],
): void {
  app.use(PATH, async (c, next) => {
    c.set('route', '/hooks/videos/{account}/{token}');
    await next();
  });
  app.use(PATH, ...admit);
  app.post(PATH, async (c) => {
    refuseWithoutScope(c.get('caller'), Scope.hint);
    const videoId = changedVideo(await readBytes(c, MAX_HOOK_BYTES));
    const account = c.req.param('account');
    if (!ACCOUNT_NAME.test(account)) throw new ProblemError(NO_ACCOUNT);
    refuseOther(c.get('caller'), { account });
    if (videoId !== undefined) hints.add(account, videoId);
    return c.json({ isNoted: videoId !== undefined }, 202);
  });
}

const NO_ACCOUNT: Problem = {
  status: 404,
  code: 'NoSuchAccount',
  title: 'The path names no account',
  detail: 'The path is /hooks/videos/{account}/{token}.',
  advice: 'Name the account of the worker (GCORE_ACCOUNT), which is "default" where none is set.',
};

/** `{ "type": "video", "message": { "id": 7001, … } }`; source: the guide on webhooks of the streaming platform. */
const hookSchema = z.object({
  type: z.enum(['video', 'video_delete']),
  message: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
});

/** The video that a hook is about. `undefined` for everything else that somebody may send. */
export function changedVideo(body: Uint8Array): number | undefined {
  const parsed = hookSchema.safeParse(parseJson(body));
  return parsed.success ? parsed.data.message.id : undefined;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Nothing that anybody needs: the platform sends JSON.
    return undefined;
  }
}
