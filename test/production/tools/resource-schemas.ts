import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { inCache } from '../cache.js';
import { goModule } from './go-tools.js';
import { kubernetesSchemas } from './packages.js';

/** Definitions of custom resources, out of the Go modules of their operators. */
const DEFINITIONS = [
  {
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    folder: 'config/crd/bases',
    files: ['keda.sh_scaledobjects.yaml', 'keda.sh_triggerauthentications.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
    files: ['monitoring.coreos.com_servicemonitors.yaml'],
  },
];

const definitionSchema = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.record(z.string(), z.unknown()) }),
      }),
    ),
  }),
});

/** Kinds of Kubernetes in the chart. */
const KINDS = [
  'deployment-apps-v1',
  'ingress-networking-v1',
  'networkpolicy-networking-v1',
  'poddisruptionbudget-policy-v1',
  'service-v1',
  'serviceaccount-v1',
];

/** Where kubeconform finds schemas: of Kubernetes, of custom resources, and those of `test/production/schemas`. */
export async function resourceSchemas(): Promise<string> {
  const kubernetes = await kubernetesSchemas();
  const custom = inCache('schemas');
  mkdirSync(custom, { recursive: true });
  const definitions = readDefinitions(join(kubernetes, DEFINITIONS_FILE));
  const write = (name: string, text: string): void => {
    const schema = recordSchema.parse(JSON.parse(text.replaceAll(REFERENCE, '"#')));
    writeFileSync(join(custom, name), JSON.stringify({ ...schema, $defs: definitions }));
  };
  for (const kind of KINDS) {
    write(`${kind}.json`, readFileSync(join(kubernetes, `${kind}.json`), 'utf8'));
  }
  for (const { module, folder, files } of DEFINITIONS) {
    const root = join(await goModule(module), folder);
    for (const file of files) writeDefinition(readFileSync(join(root, file), 'utf8'), custom);
  }
  const own = resolve('test/production/schemas');
  for (const name of readdirSync(own)) {
    write(name, readFileSync(join(own, name), 'utf8'));
  }
  return `${custom}/{{.ResourceKind}}{{.KindSuffix}}.json`;
}

/** What all schemas of Kubernetes refer to. Kubeconform follows no reference to another file, so each gets a copy. */
const DEFINITIONS_FILE = '_definitions.json';
const REFERENCE = `"/api/${DEFINITIONS_FILE}#`;
const recordSchema = z.record(z.string(), z.unknown());

function readDefinitions(file: string): Record<string, unknown> {
  return z.object({ $defs: recordSchema }).parse(JSON.parse(readFileSync(file, 'utf8'))).$defs;
}

/** Under the name that kubeconform asks for. */
function writeDefinition(text: string, folder: string): void {
  const { group, names, versions } = definitionSchema.parse(parse(text)).spec;
  for (const { name, schema } of versions) {
    const file = `${names.kind.toLowerCase()}-${group.split('.', 1).join('')}-${name}.json`;
    writeFileSync(join(folder, file), JSON.stringify(strict(schema.openAPIV3Schema)));
  }
}

/** As the API server sees it: a field that the definition does not name is dropped, so here it is a fault. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const fields = new Map(Object.entries(value).map(([name, field]) => [name, strict(field)]));
  if (fields.get('x-kubernetes-int-or-string') === true) return { type: ['integer', 'string'] };
  const isOpen =
    fields.has('additionalProperties') ||
    fields.get('x-kubernetes-preserve-unknown-fields') === true;
  if (fields.get('type') === 'object' && fields.has('properties') && !isOpen) {
    fields.set('additionalProperties', false);
  }
  return Object.fromEntries(fields);
}
