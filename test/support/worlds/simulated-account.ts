import type { ApiActivities } from '../../../src/activities/index.js';
import { inActivity } from '../http/in-activity.js';
import { API_KEY, createScriptedApi } from '../http/scripted-api.js';
import { createCloud } from './simulated-cloud.js';

const PLACE = { projectId: 1, regionId: 1 };

type CreateInput = Parameters<ApiActivities['createInstance']>[0];

/** The activities of an account of a simulated cloud, without a port. The clock moves only with `settle`. */
export function createSimulatedAccount() {
  const cloud = createCloud({ apiKey: API_KEY });
  const { simulator } = cloud;
  const { activities } = createScriptedApi((request) => simulator.fetch(request));
  return {
    simulator,
    activities,
    /** Lets all tasks end. */
    settle: () => {
      cloud.settle();
    },
    /** Creates an instance, waits for it and returns its id. */
    async create(input: Pick<CreateInput, 'marker' | 'instance'>): Promise<string> {
      const { taskIds } = await inActivity(() =>
        activities.createInstance({ ...PLACE, maker: 'maker-1', ...input }),
      );
      cloud.settle();
      const created = simulator
        .inventory()
        .instances.find((row) => row.creator_task_id === taskIds[0]);
      if (created === undefined) throw new Error('The instance was not created');
      return created.id;
    },
  };
}
