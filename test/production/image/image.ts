import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

import { inCache } from '../cache.js';
import { mustRun } from '../run-command.js';
import { say } from '../report.js';

export const NODE_BASE = 'localhost/node:22-bookworm-slim';
export const IMAGE = 'localhost/gcore-workflows:production-test';
const NODE_VERSION = '22.23.3';
const BUILD_TIMEOUT_MS = 1_800_000;

/** Runs buildah with a store of its own. */
export function buildah(...args: string[]): Promise<string> {
  const folder = inCache('image');
  const store = [
    '--root',
    `${folder}/root`,
    '--runroot',
    `${folder}/run`,
    '--storage-driver',
    'overlay',
  ];
  return mustRun(['buildah', ...store, ...args], { timeoutMs: BUILD_TIMEOUT_MS });
}

/** Makes the stand-in for the base image when it is missing or its script has changed. */
async function makeBase(): Promise<void> {
  const script = resolve('test/production/image/base.sh');
  const made = inCache('image', 'base.sh');
  const isThere = (await buildah('images', '--format', '{{.Name}}:{{.Tag}}')).includes(NODE_BASE);
  const isSame = existsSync(made) && readFileSync(made, 'utf8') === readFileSync(script, 'utf8');
  if (isThere && isSame) return;
  say('making the base image (a minute the first time)');
  const folder = inCache('image');
  await mustRun([script, folder, NODE_BASE, NODE_VERSION], { timeoutMs: BUILD_TIMEOUT_MS });
  copyFileSync(script, made);
}

/** Builds the Dockerfile as it is. Returns how long that took. */
export async function buildImage(): Promise<number> {
  await makeBase();
  writeFileSync(inCache('image', 'aliases.conf'), '[aliases]\n"node" = "localhost/node"\n');
  const startedAt = Date.now();
  say('building the image');
  await buildah(
    ...[
      'build',
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--pull-never',
      '--format',
      'docker',
    ],
    ...['--short-name-alias-conf', inCache('image', 'aliases.conf'), '--tag', IMAGE, '.'],
  );
  return Date.now() - startedAt;
}

const configSchema = z.object({
  config: z.object({
    User: z.string(),
    Env: z.array(z.string()),
    Entrypoint: z.array(z.string()),
    Cmd: z.array(z.string()),
    WorkingDir: z.string(),
    StopSignal: z.string(),
    Labels: z.record(z.string(), z.string()),
    Healthcheck: z.object({ Test: z.array(z.string()) }),
  }),
});

export type ImageConfig = z.infer<typeof configSchema>['config'];

export async function configOfImage(): Promise<ImageConfig> {
  const inspected = z
    .object({ Docker: configSchema })
    .parse(JSON.parse(await buildah('inspect', '--type', 'image', IMAGE)));
  return inspected.Docker.config;
}

/** Size on disk, unpacked, in MB. */
export async function sizeOf(image: string): Promise<number> {
  const bytes = await buildah('inspect', '--type', 'image', '--format', '{{.OCIv1.RootFS}}', image);
  if (bytes === '') throw new Error(`There is no image ${image}`);
  const container = (await buildah('from', '--pull-never', image)).trim();
  try {
    const folder = (await buildah('mount', container)).trim();
    const [megabytes = ''] = (await mustRun(['du', '-sm', folder])).split('\t');
    return Number(megabytes);
  } finally {
    await buildah('rm', container);
  }
}
