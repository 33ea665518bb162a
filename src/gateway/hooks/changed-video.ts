import { z } from '@hono/zod-openapi';

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
