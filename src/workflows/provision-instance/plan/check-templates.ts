import type { TemplateParameter } from '../../../activities/lookups.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import { cutText } from '../../../engine/core/text.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { lookForPart } from '../../shared/plan/plan-parts.js';
import { firstOfRegions, type Target } from '../targets.js';
import type { ProvisionPlanRun } from './provision-plan-run.js';

/** Checks what is only for application templates, against those that the body names in each region. */
export async function checkTemplates(
  { input: { instance }, reads }: Pick<ProvisionPlanRun, 'input' | 'reads'>,
  draft: Pick<Draft, 'look' | 'fault' | 'warn'>,
  targets: readonly Target[],
): Promise<void> {
  const named = instance.volumes.flatMap((volume, index) =>
    volume.source === 'apptemplate'
      ? [{ id: volume.apptemplate_id, path: `instance.volumes[${index}].apptemplate_id` }]
      : [],
  );
  if (named.length === 0) warnOfNoTemplate(draft, instance);
  for (const { place } of firstOfRegions(targets)) {
    const parameters: TemplateParameter[] = [];
    let seen = 0;
    for (const { id, path } of named) {
      const part = { place, kind: 'application template', id, path };
      const template = await lookForPart(draft, part, () =>
        reads.listTemplateParameters({ ...place, id }),
      );
      if (template.is !== 'there') continue;
      parameters.push(...template.value);
      seen += 1;
    }
    if (seen > 0 && seen === named.length) checkConfiguration(draft, instance, parameters);
  }
}

function warnOfNoTemplate(
  { warn }: Pick<Draft, 'warn'>,
  { configuration, allow_app_ports: opensPorts }: CreateInstanceBody,
): void {
  const finding = {
    message: 'is for a volume from an application template, and there is none',
    advice: 'Leave it out, or add a volume with the source "apptemplate".',
  };
  if (opensPorts === true) warn({ path: 'instance.allow_app_ports', ...finding });
  if (Object.keys(configuration ?? {}).length > 0) {
    warn({ path: 'instance.configuration', ...finding });
  }
}

/** The API documents what a parameter is called and whether it is required. Its type is free text. */
function checkConfiguration(
  { fault, warn }: Pick<Draft, 'fault' | 'warn'>,
  { configuration }: CreateInstanceBody,
  parameters: readonly TemplateParameter[],
): void {
  const path = 'instance.configuration';
  const given = new Set(Object.keys(configuration ?? {}));
  const known = new Set(parameters.map(({ name }) => name));
  const takes = known.size === 0 ? 'takes none' : `takes ${listed([...known])}`;
  const missing = parameters.filter(({ name, isNeeded }) => isNeeded && !given.has(name));
  if (missing.length > 0) {
    const names = listed(missing.map(({ name }) => name));
    fault({ path, message: `lacks what the template needs: ${names}`, advice: 'Add it.' });
  }
  const unknown = [...given].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  warn({
    path,
    message: `has what the template does not know: ${listed(unknown)}`,
    advice: `Check the names: the template ${takes}.`,
  });
}

const MAX_NAMED = 20;
const MAX_NAME_BYTES = 60;

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ', …' : '';
  const shown = names.slice(0, MAX_NAMED).map((name) => `"${cutText(name, MAX_NAME_BYTES)}"`);
  return `${shown.join(', ')}${more}`;
}
