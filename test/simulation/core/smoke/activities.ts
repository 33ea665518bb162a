import { Context, heartbeat, sleep } from '@temporalio/activity';

export interface SmokeActivities {
  greet(name: string): Promise<string>;
  failTwice(name: string): Promise<string>;
  wait(name: string): Promise<string>;
  work(): Promise<string>;
}

export function smokeActivities(worker = ''): SmokeActivities {
  return {
    async greet(name) {
      await sleep(100);
      return `hello ${name}`;
    },
    failTwice(name) {
      const { attempt } = Context.current().info;
      if (attempt < 3) return Promise.reject(new Error(`attempt ${attempt}`));
      return Promise.resolve(`${name} after ${attempt}`);
    },
    async work() {
      const { info, cancellationSignal } = Context.current();
      for (let second = 0; second < 60; second += 1) {
        heartbeat(second);
        await sleep('1 second').catch(() => undefined);
        if (cancellationSignal.aborted) throw new Error(String(cancellationSignal.reason));
      }
      return `${worker}, attempt ${info.attempt}`;
    },
    async wait(name) {
      for (;;) {
        heartbeat(name);
        await sleep('1 second');
      }
    },
  };
}
