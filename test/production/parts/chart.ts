import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';

import type { Row } from '../report.js';
import { mustRun, runCommand, type Ended } from '../run-command.js';
import { goTool, HELM, KUBECONFORM } from '../tools/go-tools.js';
import { KUBERNETES } from '../tools/packages.js';
import { resourceSchemas } from '../tools/resource-schemas.js';
import { faultsOfPods, type Resource } from './pod-rules.js';
import { ownFolder } from '../own-folder.js';

const PART = 'chart';
const CHART = resolve('deploy/helm/gcore-workflows');

interface Tools {
  helm: string;
  /** Checks resources, as YAML, against the schemas of Kubernetes and of custom resources. */
  validate: (resources: string) => Promise<Ended>;
}

/** Lints and renders the chart with each file of `ci/`, checks what comes out, and that wrong values are refused. */
export async function checkChart(): Promise<Row[]> {
  const tools = await openTools();
  const rows: Row[] = [];
  for (const name of readdirSync(join(CHART, 'ci'))) rows.push(await checkValues(tools, name));
  rows.push(...(await checkRefusals(tools)), await checkValidation(tools));
  return rows;
}

async function openTools(): Promise<Tools> {
  const helm = await goTool(HELM);
  const kubeconform = await goTool(KUBECONFORM);
  const schemas = ['-schema-location', await resourceSchemas()];
  const folder = await ownFolder('chart');
  return {
    helm,
    validate: async (resources) => {
      const file = join(folder, 'resources.yaml');
      await writeFile(file, resources);
      const options = ['-strict', '-summary', '-output', 'text', '-kubernetes-version', KUBERNETES];
      return runCommand([kubeconform, ...options, ...schemas, file]);
    },
  };
}

function render({ helm }: Tools, values: readonly string[]): Promise<Ended> {
  const release = ['--namespace', 'gcore', '--kube-version', KUBERNETES];
  return runCommand([helm, 'template', 'proof', CHART, ...release, ...values]);
}

const resourceSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

function resourcesOf(text: string): Resource[] {
  return parseAllDocuments(text)
    .map((document) => resourceSchema.nullable().parse(document.toJS()))
    .filter((resource) => resource !== null);
}

async function checkValues(tools: Tools, name: string): Promise<Row> {
  const values = ['--values', join(CHART, 'ci', name)];
  const lint = await runCommand([tools.helm, 'lint', '--strict', CHART, ...values]);
  const rendered = await render(tools, values);
  if (lint.code !== 0 || rendered.code !== 0) {
    return { part: PART, what: name, result: `${lint.stdout}${rendered.stderr}`, isSound: false };
  }
  const resources = resourcesOf(rendered.stdout);
  const { code, stdout } = await tools.validate(withTemplates(resources, rendered.stdout));
  const faults = faultsOfPods(resources);
  const result = [...faults, stdout.trim().split('\n').join('; ')].join('; ');
  return { part: PART, what: name, result, isSound: code === 0 && faults.length === 0 };
}

const templateSchema = z.looseObject({
  spec: z.object({ template: z.looseObject({ spec: z.looseObject({}) }) }),
});

/** The Worker Controller makes resources from templates: with a name and a target, they must be valid too. */
function withTemplates(resources: readonly Resource[], text: string): string {
  const made = resources
    .filter(({ kind }) => kind === 'WorkerResourceTemplate')
    .map((resource) => {
      const { template } = templateSchema.parse(resource).spec;
      const spec = { ...template.spec, scaleTargetRef: { name: 'made' } };
      return stringify({ ...template, metadata: { name: 'made' }, spec });
    });
  return [text, ...made].join('\n---\n');
}

const LEAST = ['--values', join(CHART, 'ci', 'one-account.yaml')];

/** Values that must not be taken, and a word of the answer. */
const REFUSED: readonly (readonly [what: string, values: readonly string[], answer: string])[] = [
  ['no values', [], 'temporal'],
  ['a value that is misspelt', [...LEAST, '--set', 'worker.replica=3'], 'replica'],
  ['a text for a number', [...LEAST, '--set-string', 'worker.replicas=three'], 'replicas'],
  [
    'a grace period below that of the worker',
    [...LEAST, '--set', 'worker.shutdownSeconds=30'],
    'shutdownSeconds',
  ],
  ['an address without a port', [...LEAST, '--set', 'temporal.address=temporal'], 'address'],
  ['a gateway without tokens', [...LEAST, '--set', 'gateway.tokens.existingSecret='], 'tokens'],
  ['no account', [...LEAST, '--set', 'accounts=null'], 'account'],
  ['accounts twice', [...LEAST, '--set', 'accountsFile.existingSecret=x'], 'not both'],
  [
    'an account twice',
    [...LEAST, '--set', 'accounts[1].name=default,accounts[1].existingSecret=x'],
    'there twice',
  ],
  ['a variable that the chart sets', [...LEAST, '--set', 'env.GCORE_API_KEY=x'], 'GCORE_API_KEY'],
  ['plain text to Temporal', [...LEAST, '--set', 'temporal.allowPlain=false'], 'unencrypted'],
  [
    'a project of one account among several',
    [
      ...LEAST,
      '--set',
      'accounts[1].name=b,accounts[1].existingSecret=x,accounts[1].env.GCORE_CLOUD_REGION_ID=1',
    ],
    'accountsFile.separate',
  ],
  [
    'a codec server without keys',
    [...LEAST, '--set', 'codecServer.enabled=true'],
    'codec.existingSecret',
  ],
  [
    'two accounts with the Worker Controller',
    ['--values', join(CHART, 'ci', 'everything.yaml'), '--set', 'worker.controller.enabled=true'],
    'accountsFile',
  ],
];

async function checkRefusals(tools: Tools): Promise<Row[]> {
  const taken: string[] = [];
  for (const [what, values, answer] of REFUSED) {
    const { code, stderr } = await render(tools, values);
    if (code === 0 || !stderr.includes(answer)) taken.push(`${what}: ${stderr.trim() || 'taken'}`);
  }
  const result =
    taken.length === 0 ? `${REFUSED.length} refused, each by its name` : taken.join('; ');
  return [{ part: PART, what: 'wrong values', result, isSound: taken.length === 0 }];
}

/** Faults that the validation must see; otherwise its silence says nothing. */
const FAULTS: readonly (readonly [from: string, to: string])[] = [
  ['terminationGracePeriodSeconds:', 'terminationGracePeriodSecond:'],
  ['readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: "yes"'],
  ['pollingInterval: 15', 'pollingInterval: often'],
  ['endpoints:', 'endpoint:'],
  ['scaledownDelay: 1h', 'scaledownDelay: soon'],
  ['rampPercentage: 50', 'rampPercentage: 500'],
  ['hostPort:', 'hostport:'],
  ["workerDeploymentName: ''", 'workerDeploymentName: gcore_worker'],
];

async function checkValidation(tools: Tools): Promise<Row> {
  const files = ['everything.yaml', 'worker-controller.yaml'];
  const texts = await Promise.all(
    files.map((name) =>
      mustRun([
        tools.helm,
        'template',
        'proof',
        CHART,
        '--kube-version',
        KUBERNETES,
        '--values',
        join(CHART, 'ci', name),
      ]),
    ),
  );
  const missed: string[] = [];
  for (const [from, to] of FAULTS) {
    const text = texts.find((each) => each.includes(from));
    const { code } = await tools.validate((text ?? '').replace(from, to));
    if (text === undefined || code === 0) missed.push(to);
  }
  const result =
    missed.length === 0
      ? `${FAULTS.length} of ${FAULTS.length} seen`
      : `not seen: ${missed.join(', ')}`;
  return {
    part: PART,
    what: 'faults put into rendered resources',
    result,
    isSound: missed.length === 0,
  };
}
