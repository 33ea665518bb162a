import { Client, type WorkflowClientInterceptor } from '@temporalio/client';

/** A client of the same server. What somebody else does meanwhile happens once, right before its first such query is sent. */
export function beforeQuery(
  client: Client,
  name: string,
  meanwhile: () => Promise<unknown>,
): Client {
  const once = firstTime(meanwhile);
  return withInterceptor(client, {
    async query(asked, next) {
      if (asked.queryType === name) await once();
      return next(asked);
    },
  });
}

/** The same right before its first update. */
export function beforeUpdate(client: Client, meanwhile: () => Promise<unknown>): Client {
  const once = firstTime(meanwhile);
  return withInterceptor(client, {
    async startUpdate(sent, next) {
      await once();
      return next(sent);
    },
  });
}

function firstTime(act: () => Promise<unknown>): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) return;
    isFirst = false;
    await act();
  };
}

function withInterceptor(
  { connection, options: { namespace } }: Client,
  interceptor: WorkflowClientInterceptor,
): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [interceptor] } });
}
