import { Operation } from '../../../contract/wire/names.js';
import { paths } from '../../../contract/wire/paths.js';
import { createDraft } from '../../../engine/plan/planning.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { planProvisionInstance } from '../../provision-instance/plan/plan-provision-instance.js';
import { checkHolder, readFloatingIp } from '../steps/check-start.js';
import { namedBy, type AskedToReplace } from '../steps/replace-run.js';

/** Plans `replaceInstance`: who has the floating IP, and what the run would do that creates the new instance. */
export async function planReplaceInstance(asked: AskedToReplace): Promise<Plan> {
  const { place, oldId, floatingIpId } = namedBy(asked);
  const { instance } = asked.prepared;
  if (instance === undefined) throw new TypeError('a plan prepares the new instance too');
  const draft = createDraft(Operation.replaceInstance);
  const path = paths.floatingIp(place, floatingIpId);
  draft.calls.push({ method: 'GET', path, purpose: 'look who has the floating IP' });
  const seen = await draft.look(
    `floating IP ${floatingIpId}`,
    () => readFloatingIp(asked),
    'floatingIpId',
  );
  if (seen.is === 'missing') {
    draft.fault({
      path: 'floatingIpId',
      message: `There is no floating IP ${floatingIpId}`,
      advice: 'Check the id: the list of floating IPs has it.',
    });
  }
  if (seen.is === 'there') await checkHolder(asked, { seen: seen.value }, draft);
  const creation = await planProvisionInstance({
    ...asked,
    input: { ...place, instance: asked.input.instance },
    prepared: instance,
  });
  const own = draft.finish();
  const { deleteOld } = asked.input;
  return {
    ...creation,
    operation: Operation.replaceInstance,
    ready: own.ready && creation.ready,
    findings: [...own.findings, ...creation.findings],
    irreversible: [
      ...creation.irreversible,
      ...(deleteOld === undefined ? [] : [`Instance ${oldId} is deleted at the end.`]),
    ],
    calls: [
      ...own.calls,
      ...creation.calls,
      {
        method: 'PATCH',
        path: paths.updateFloatingIp(place, floatingIpId),
        purpose: 'move the floating IP to the new instance',
      },
      ...(deleteOld === undefined
        ? []
        : [
            {
              method: 'DELETE' as const,
              path: paths.instance(place, oldId),
              purpose: 'delete the old instance',
            },
          ]),
    ],
  };
}
