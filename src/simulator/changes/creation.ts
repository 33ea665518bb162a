import type { SentInstanceBody } from '../../contract/api/create-instance-body.js';
import type { Port } from '../state/cloud-entities.js';
import type { Mutation } from '../state/start-task.js';

/** A create call of an instance: its parsed body, and the ids that its rows share. */
export interface Creation {
  body: SentInstanceBody;
  mutation: Mutation;
  taskId: string;
  instanceId: string;
  name: string;
  ports: Port[];
}
