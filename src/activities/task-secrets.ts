import { cutText } from '../engine/core/text.js';
import { redact } from '../engine/http/secrets.js';

/**
 * What the run of the current activity has sent and no text may repeat; `undefined` when that cannot be
 * read. Asked for a task with an error text only.
 */
export type SecretsOfRun = () => Promise<readonly string[] | undefined>;

const WITHHELD =
  'the text is withheld, because it may repeat a secret of the run: read the task at the API';

/** The task as it leaves an activity: its error text may repeat what the create call sent. */
export async function withoutSecrets<T extends { error: string | undefined }>(
  task: T,
  secretsOfRun: SecretsOfRun,
): Promise<T> {
  if (task.error === undefined) return task;
  const secrets = await secretsOfRun();
  return {
    ...task,
    error: secrets === undefined ? WITHHELD : cutText(redact(task.error, secrets)),
  };
}
