import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import {
  createApiActivities,
  createApiClient,
  flattenGroups,
  type ApiActivities,
} from '../../../src/activities/index.js';
import { createSimulator } from '../../../src/simulator/index.js';
import { inActivity } from '../http/in-activity.js';

const API_KEY = 'canary-key$4711';
const PLACE = { projectId: 1, regionId: 1 };
/** Longer than any task takes. */
const LONG_ENOUGH_MS = 10 * 60_000;

type CreateInput = Parameters<ApiActivities['createInstance']>[0];

/** The activities of an account of a simulated cloud, without a port. The clock moves only with `settle`. */
export function createSimulatedAccount() {
  let time = Date.parse('2026-05-23T05:07:31Z');
  const simulator = createSimulator({ apiKey: API_KEY, now: () => time });
  const api = createApiClient({
    baseUrl: 'https://api.simulator.test',
    apiKey: API_KEY,
    fetch: simulator.fetch,
  });
  const secretsOfRun = () => Promise.resolve([]);
  const activities = flattenGroups(
    createApiActivities({ api, poll: DEFAULT_POLL_POLICY, secretsOfRun }),
  );
  const settle = (): void => {
    time += LONG_ENOUGH_MS;
  };
  return {
    simulator,
    activities,
    /** Lets all tasks end. */
    settle,
    /** Creates an instance, waits for it and returns its id. */
    async create(input: Pick<CreateInput, 'marker' | 'instance'>): Promise<string> {
      const { taskIds } = await inActivity(() =>
        activities.createInstance({ ...PLACE, maker: 'maker-1', ...input }),
      );
      settle();
      const created = simulator
        .inventory()
        .instances.find((row) => row.creator_task_id === taskIds[0]);
      if (created === undefined) throw new Error('The instance was not created');
      return created.id;
    },
  };
}
