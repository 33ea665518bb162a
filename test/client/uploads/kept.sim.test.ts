import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import {
  createGcoreWorkflows,
  type GcoreWorkflows,
  type UploadLimits,
} from '../../../src/client/index.js';
import { UPLOAD_LIMITS } from '../../../src/client/uploads/kept-lists.js';
import { createShelf, type Shelf } from '../../../src/client/uploads/shelf.js';
import { uploadList } from '../../../src/client/uploads/upload-list.js';
import { claimWorkflowId } from '../../../src/contract/wire/uploads.js';
import { DEFAULT_ACCOUNT } from '../../../src/engine/core/names.js';
import { gcoreOf } from '../../support/gateway/gateway-world.js';
import { thrownBy } from '../../support/http/in-activity.js';
import { until } from '../../support/timing/until.js';
import { add, STORE, stateWithStores } from '../../support/worlds/kv-stores.js';
import { toLines } from '../../support/worlds/manifests.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';

const bytes = (text: string) => Readable.from([Buffer.from(text)]);
/** A list that no other test has. */
const list = (length = 100) => toLines([add('a', randomUUID() + 'x'.repeat(length))]);
/** Of two pieces. */
const longList = () => ['a', 'b', 'c'].map(() => list(900_000)).join('');
const DAY_MS = 86_400_000;

/** Every run that keeps something of an account, also those that have ended. */
async function runsOf({ client, account }: Scenario): Promise<string[]> {
  const found: string[] = [];
  const query = `WorkflowType = "keepUpload"`;
  for await (const { workflowId, runId, status } of client.workflow.list({ query })) {
    if (!workflowId.includes(`/${account}/`)) continue;
    found.push(`${workflowId.replace(/[0-9a-f]{64}/, 'sha')} ${status.name} ${runId}`);
  }
  return found.sort();
}

/** The same, as soon as there are so many: the server deletes, and lists, some time later. */
async function untilRuns(scenario: Scenario, count: number): Promise<string[]> {
  let runs: string[] = [];
  await until(`${count} runs are listed`, async () => {
    runs = await runsOf(scenario);
    return runs.length === count;
  });
  return runs;
}

/** One of several gateways. */
function clientOf(
  { client, taskQueue }: Scenario,
  options: { uploadLimits: Partial<UploadLimits>; identity: string },
): ReturnType<typeof createGcoreWorkflows> {
  return createGcoreWorkflows({ client, taskQueue, ...options });
}

function uploadBy(shelf: Shelf, { account }: Pick<Scenario, 'account'>, text: string) {
  return uploadList(
    { shelf, limits: UPLOAD_LIMITS },
    {
      ...({ operation: 'modifyKvStore', account, by: 'anna' } as const),
      ...{ chunks: bytes(text), hold: () => undefined, sendLarge: (send) => send() },
    },
  );
}

function claimOf(pieceId: string): string {
  const [, account = '', sha256 = ''] = pieceId.split('/');
  return claimWorkflowId({ account, sha256 });
}

/** Everything that is kept there was kept so much earlier. */
function olderBy(ms: number, shelf: Shelf): Shelf {
  const find: Shelf['find'] = async (id) => {
    const found = await shelf.find(id);
    return found && { ...found, since: found.since - ms };
  };
  const list: Shelf['list'] = async () =>
    (await shelf.list()).map((part) => ({ ...part, since: part.since - ms }));
  return { ...shelf, find, list };
}

describe('an uploaded list', () => {
  it('is touched by no repeat, and is kept by three kinds of runs', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const gcore = gcoreOf(scenario);
      const text = longList();
      const first = await gcore.upload('modifyKvStore', bytes(text), { account });
      const before = await untilRuns(scenario, 4);

      const again = await gcore.upload('modifyKvStore', bytes(text), { account });
      await delay(100);

      expect(before.map((run) => run.split(' ').slice(0, 2).join(' '))).toEqual([
        `gcore-upload-piece/${account}/sha/0 RUNNING`,
        `gcore-upload-piece/${account}/sha/1 RUNNING`,
        `gcore-upload/${account}/sha RUNNING`,
        `gcore-upload/${account}/sha/claim RUNNING`,
      ]);
      expect(await runsOf(scenario)).toEqual(before);
      expect(again).toEqual(first);
    }));

  it('leaves nothing behind when its last line is refused', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const text = `${longList()}7`;

      const error = await thrownBy(() =>
        gcoreOf(scenario).upload('modifyKvStore', bytes(text), { account }),
      );
      await delay(100);

      expect(error).toMatchObject({ faults: [{ path: expect.stringContaining('line 4') }] });
      expect(await runsOf(scenario)).toEqual([]);
    }));

  it('is one for two uploads at once', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const text = longList();
      const upload = () => gcoreOf(scenario).upload('modifyKvStore', bytes(text), { account });

      const [first, second] = await Promise.all([upload(), upload()]);

      expect(first.manifest).toEqual(second.manifest);
      expect(await untilRuns(scenario, 4)).toHaveLength(4);
    }));

  it('is kept by no upload that was deleted meanwhile, and leaves nothing then', () =>
    inScenario({}, async (scenario) => {
      const shelf = createShelf(scenario);
      const deletes: Shelf['keep'] = async (id, content) => {
        const isNew = await shelf.keep(id, content);
        if (id.includes('-piece/')) await shelf.remove(claimOf(id));
        return isNew;
      };

      const error = await thrownBy(() => uploadBy({ ...shelf, keep: deletes }, scenario, list()));

      expect(error).toMatchObject({ name: 'UploadUnsettledError' });
      expect(await untilRuns(scenario, 0)).toEqual([]);
    }));

  it('stays when another upload of it is refused', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const shelf = createShelf(scenario);
      const text = list();
      const seen = { calls: 0 };
      const late: Shelf['keep'] = async (id, content) => {
        seen.calls += 1;
        if (seen.calls === 1) return shelf.keep(id, content);
        await gcoreOf(scenario).upload('modifyKvStore', bytes(text), { account });
        throw new Error('the server is away');
      };

      const error = await thrownBy(() => uploadBy({ ...shelf, keep: late }, scenario, text));

      expect(error).toMatchObject({ message: 'the server is away' });
      expect(await untilRuns(scenario, 3)).toHaveLength(3);
      await delay(1_000);
      expect(await untilRuns(scenario, 3)).toHaveLength(3);
    }));

  it('is kept anew in the second half of its time, and the first runs are deleted', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const gcore = gcoreOf(scenario);
      const text = longList();
      await gcore.upload('modifyKvStore', bytes(text), { account });
      const first = await untilRuns(scenario, 4);

      await uploadBy(olderBy(16 * DAY_MS, createShelf(scenario)), scenario, text);
      const second = await untilRuns(scenario, 4);
      expect(second.map((run) => run.split(' ')[0])).toEqual(first.map((run) => run.split(' ')[0]));
      expect(second.filter((run) => first.includes(run))).toEqual([]);
      expect((await gcore.uploads(account)).usage.account).toMatchObject({
        ...{ lists: 1, bytes: text.length },
      });
    }));

  it('is read by no run of another account', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const { manifest } = await gcore.upload('modifyKvStore', bytes(list()));
      const input = { account: scenario.account, storeId: STORE, manifest };

      const error = await thrownBy(() =>
        gcore.start('modifyKvStore', { requestId: 'a', input, urgency: 'normal' }),
      );

      expect(error).toMatchObject({
        faults: [{ path: 'manifest.url', message: expect.stringContaining('another account') }],
      });
    }));
});

describe('the limits of uploaded lists', () => {
  const LENGTH = 1_000;
  const sizeOf = list(LENGTH).length;

  it('are told before one is reached, and what would pass one leaves nothing', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const uploadLimits = { callerBytes: 2.5 * sizeOf };
      const gcore = clientOf(scenario, { uploadLimits, identity: account });
      const upload = () => gcore.upload('modifyKvStore', bytes(list(LENGTH)), { account });

      const first = await upload();
      const second = await upload();
      const third = await thrownBy(upload);

      expect(first.usage.caller).toEqual({ bytes: sizeOf, mostBytes: 2.5 * sizeOf });
      expect(second.usage.caller.bytes).toBe(2 * sizeOf);
      expect(third).toMatchObject({ name: 'UploadLimitError', limit: 'caller' });
      expect(await untilRuns(scenario, 6)).toHaveLength(6);
      const kept = await gcore.uploads(account);
      expect(kept.usage).toEqual(second.usage);
      expect(kept.uploads.map(({ manifest }) => manifest)).toEqual([
        second.manifest,
        first.manifest,
      ]);
    }));

  it.each([
    ['bytes of the account', { accountBytes: 2.5 * sizeOf }],
    ['lists of the account', { accountLists: 2 }],
  ])('count the %s, whoever uploads', (...[, uploadLimits]) =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const upload = (identity: string) =>
        clientOf(scenario, { uploadLimits, identity }).upload(
          'modifyKvStore',
          bytes(list(LENGTH)),
          { account },
        );

      await upload('anna');
      await upload('ben');

      expect(await thrownBy(() => upload('carla'))).toMatchObject({
        ...{ name: 'UploadLimitError', limit: 'account' },
        message: expect.stringContaining(account),
      });
      expect((await upload('anna').catch(() => undefined)) ?? 'refused').toBe('refused');
    }),
  );

  it.each([0, 10, 3_000])(
    'are passed by no ten uploads at once at ten gateways, when lists are %i ms behind',
    (visibilityLagMs) =>
      inScenario({ visibilityLagMs }, async (scenario) => {
        const { account } = scenario;
        const uploadLimits = { accountBytes: 4.5 * sizeOf };
        const uploads = Array.from({ length: 10 }, (_, at) =>
          clientOf(scenario, { uploadLimits, identity: `gateway-${at}` })
            .upload('modifyKvStore', bytes(list(LENGTH)), { account })
            .then(
              () => 'kept',
              (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
            ),
        );

        const outcomes = await Promise.all(uploads);

        const kept = outcomes.filter((one) => one === 'kept').length;
        expect(outcomes.filter((one) => one !== 'kept')).toEqual(
          Array.from({ length: 10 - kept }, () => 'UploadLimitError'),
        );
        expect(kept).toBeLessThanOrEqual(4);
        expect(await untilRuns(scenario, 3 * kept)).toHaveLength(3 * kept);
      }),
  );
});

describe('a gateway that dies while it keeps a list', () => {
  /** From the call of this number on, nothing reaches the server any more. */
  function dyingShelf(shelf: Shelf, atCall: number): Shelf {
    const seen = { calls: 0 };
    const live =
      <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        seen.calls += 1;
        if (seen.calls >= atCall) throw new Error('the gateway is dead');
        return call(...args);
      };
    return { ...shelf, keep: live(shelf.keep), remove: (id) => live(shelf.remove)(id) };
  }

  const dying = (scenario: Scenario, text: string, atCall: number) =>
    thrownBy(() => uploadBy(dyingShelf(createShelf(scenario), atCall), scenario, text));

  it.each([2, 3, 4])('at call %i: the next upload clears away what it has left', (atCall) =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const gcore = gcoreOf(scenario);
      await dying(scenario, longList(), atCall);
      const left = await untilRuns(scenario, atCall - 1);
      const listed = await gcore.uploads(account);

      await uploadBy(
        olderBy(16 * 60_000, createShelf(scenario)),
        { account: DEFAULT_ACCOUNT },
        list(),
      );

      expect(left).toHaveLength(atCall - 1);
      expect(listed.uploads).toMatchObject([{ isWhole: false }]);
      expect(await untilRuns(scenario, 0)).toEqual([]);
    }),
  );

  it('is no hindrance to the same list, which completes what it has left', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const text = longList();
      await dying(scenario, text, 3);

      await gcoreOf(scenario).upload('modifyKvStore', bytes(text), { account });
      await untilRuns(scenario, 4);
      await uploadBy(olderBy(16 * 60_000, createShelf(scenario)), scenario, list());

      // Of two pieces, a claim and an index; and of the other list.
      expect(await untilRuns(scenario, 4 + 3)).toHaveLength(4 + 3);
    }));
});

describe('deleting an uploaded list', () => {
  const untilListed = (gcore: GcoreWorkflows, workflowId: string, isOpen = true) =>
    until(`the list ${isOpen ? 'has' : 'lacks'} the open run`, async () => {
      const open = await gcore.list({ open: true, limit: 1_000 });
      return open.some((run) => run.workflowId === workflowId) === isOpen;
    });

  it('is refused while an open run reads it, unless forced, and frees its room', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { account } = scenario;
      const gcore = gcoreOf(scenario);
      const { manifest } = await gcore.upload('modifyKvStore', bytes(list()), { account });
      const name = { account, sha256: manifest.sha256 };
      await scenario.setListening(false);
      const run = await scenario.start('modifyKvStore', { storeId: STORE, manifest });
      await untilListed(gcore, run.workflowId);

      const refused = await thrownBy(() => gcore.deleteUpload(name));
      const kept = await runsOf(scenario);
      await scenario.setListening(true);
      await run.result();
      await untilListed(gcore, run.workflowId, false);
      await gcore.deleteUpload(name);
      const left = await untilRuns(scenario, 0);

      expect(refused).toMatchObject({
        name: 'UploadInUseError',
        message: expect.stringContaining(run.workflowId),
      });
      expect(kept).toHaveLength(3);
      expect(left).toEqual([]);
      expect((await gcore.uploads(account)).usage.account).toMatchObject({ lists: 0, bytes: 0 });
      expect(await thrownBy(() => gcore.deleteUpload(name))).toMatchObject({
        name: 'UploadNotFoundError',
      });
    }));

  it.each([
    ['an item', (manifest: object) => ({ items: [{ storeId: STORE, manifest }] })],
    [
      'the defaults',
      (manifest: object) => ({ items: [{ storeId: STORE }], defaults: { manifest } }),
    ],
    [
      'an item of a long list',
      (manifest: object) => ({
        items: [{ storeId: STORE, manifest }],
        labels: { team: 'media' },
        defaults: { webhooks: [{ url: `https://example.com/${'x'.repeat(140_000)}` }] },
      }),
    ],
    ['a line of another list', () => ({ manifest: { url: 'file:stores.jsonl' } })],
  ])('is refused while %s of an open batch may name it', (_, inputOf) =>
    inScenario({ state: stateWithStores(), replays: false }, async (scenario) => {
      const { account, client } = scenario;
      const gcore = gcoreOf(scenario);
      const { manifest } = await gcore.upload('modifyKvStore', bytes(list()), { account });
      const name = { account, sha256: manifest.sha256 };
      const workflowId = `run-batch/${account}/stores`;
      const input = { operation: 'modifyKvStore', account, ...inputOf(manifest) };
      const its = { workflowId, taskQueue: 'nobody-polls' };
      const run = await client.workflow.start('runBatch', { ...its, args: [input] });
      await untilListed(gcore, workflowId);

      const refused = await thrownBy(() => gcore.deleteUpload(name));

      expect(refused).toMatchObject({
        name: 'UploadInUseError',
        message: expect.stringContaining(workflowId),
      });
      await run.terminate();
    }),
  );

  it('is not held up by a batch of what reads no list', () =>
    inScenario({ state: stateWithStores(), replays: false }, async (scenario) => {
      const { account, client } = scenario;
      const gcore = gcoreOf(scenario);
      const { manifest } = await gcore.upload('modifyKvStore', bytes(list()), { account });
      const workflowId = `run-batch/${account}/power`;
      const input = { operation: 'setInstancePower', account, manifest: { url: 'file:a.jsonl' } };
      const its = { workflowId, taskQueue: 'nobody-polls' };
      const run = await client.workflow.start('runBatch', { ...its, args: [input] });
      await untilListed(gcore, workflowId);

      await gcore.deleteUpload({ account, sha256: manifest.sha256 });

      expect(await untilRuns(scenario, 0)).toEqual([]);
      await run.terminate();
    }));

  it('can be forced', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { account } = scenario;
      const gcore = gcoreOf(scenario);
      const { manifest } = await gcore.upload('modifyKvStore', bytes(list()), { account });
      await scenario.setListening(false);
      const run = await scenario.start('modifyKvStore', { storeId: STORE, manifest });
      await untilListed(gcore, run.workflowId);

      await gcore.deleteUpload({ account, sha256: manifest.sha256 }, { force: true });

      expect(await untilRuns(scenario, 0)).toEqual([]);
      await gcore.abort(run.workflowId, {});
      await scenario.setListening(true);
    }));
});
