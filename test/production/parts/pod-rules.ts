import { z } from 'zod';

export interface Resource {
  kind: string;
  metadata: { name: string };
}

const containerSchema = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z.array(z.looseObject({ name: z.string() })).default([]),
  livenessProbe: z.looseObject({}).optional(),
  readinessProbe: z.looseObject({}).optional(),
  resources: z.looseObject({
    requests: z.looseObject({ cpu: z.unknown(), memory: z.unknown() }),
    limits: z.looseObject({ memory: z.unknown() }),
  }),
  securityContext: z.looseObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.object({ drop: z.array(z.string()) }),
  }),
});

const podSchema = z.looseObject({
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: z.number().default(30),
  securityContext: z.looseObject({
    runAsNonRoot: z.boolean(),
    runAsUser: z.number(),
    seccompProfile: z.looseObject({ type: z.string() }),
  }),
  containers: z.array(containerSchema).min(1),
});

const ownerSchema = z.looseObject({
  spec: z.looseObject({ template: z.looseObject({ spec: podSchema }) }),
});

/** What a Pod must have, whatever the values. Pod Security calls most of it "restricted". */
export function faultsOfPods(resources: readonly Resource[]): string[] {
  const owners = resources.filter(
    ({ kind }) => kind === 'Deployment' || kind === 'WorkerDeployment',
  );
  const faults = owners.flatMap((resource) => {
    const parsed = ownerSchema.safeParse(resource);
    const found = parsed.success
      ? faultsOfPod(parsed.data.spec.template.spec)
      : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return found.map((fault) => `${resource.metadata.name}: ${fault}`);
  });
  return owners.length === 0 ? ['there is no Pod'] : faults;
}

function faultsOfPod(pod: z.infer<typeof podSchema>): string[] {
  const { securityContext: security, containers } = pod;
  const rules: [string, boolean][] = [
    ['may run as root', security.runAsNonRoot && security.runAsUser > 0],
    ['has no seccomp profile', security.seccompProfile.type === 'RuntimeDefault'],
    ['has a token of Kubernetes', !pod.automountServiceAccountToken],
    ...containers.flatMap(rulesOf),
  ];
  return rules.filter(([, holds]) => !holds).map(([fault]) => fault);
}

function rulesOf(container: z.infer<typeof containerSchema>): [string, boolean][] {
  const { securityContext: security, env, livenessProbe, readinessProbe } = container;
  const names = env.map(({ name }) => name);
  return [
    ['may gain privileges', !security.allowPrivilegeEscalation],
    ['can write to its root', security.readOnlyRootFilesystem],
    ['has capabilities', security.capabilities.drop.join() === 'ALL'],
    ['has no probes', livenessProbe !== undefined && readinessProbe !== undefined],
    ['sets a variable twice', new Set(names).size === names.length],
  ];
}
