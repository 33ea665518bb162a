import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { inCache } from '../cache.js';
import { mustRun, runCommand, type Ended } from '../run-command.js';
import { buildah, configOfImage, IMAGE, type ImageConfig } from './image.js';
import { ownFolder } from '../own-folder.js';

export interface Container {
  process: ChildProcess;
  /** What it has written to stdout and stderr. */
  output: () => string;
  /** Runs a command in the container, as its user. */
  exec: (...command: string[]) => Promise<Ended>;
  /** Sends a signal to its first process. */
  signal: (name: string) => Promise<void>;
  exit: Promise<number | null>;
  remove: () => Promise<void>;
}

interface ContainerOptions {
  name: string;
  /** Instead of the image's own command. */
  command?: string[];
  env: Record<string, string>;
  /** Files of this machine, read-only: path in the container by path on this machine. */
  files?: Record<string, string>;
}

const MEMORY_BYTES = 512 * 1_048_576;

/** The parts of runc's template that stay as they are. */
const specSchema = z.looseObject({
  process: z.looseObject({ capabilities: z.record(z.string(), z.array(z.string())) }),
  mounts: z.array(z.looseObject({ destination: z.string() })),
  linux: z.looseObject({ namespaces: z.array(z.looseObject({ type: z.string() })) }),
});

/**
 * Runs the image as a hardened deployment does: its own user, entry point and command, a read-only root, no capabilities, no
 * new privileges, a memory limit. The network is that of this machine.
 */
export async function runContainer(options: ContainerOptions): Promise<Container> {
  const image = await configOfImage();
  const id = (await buildah('from', '--pull-never', IMAGE)).trim();
  const root = (await buildah('mount', id)).trim();
  const bundle = await ownFolder('bundle');
  await mustRun(['runc', 'spec', '--bundle', bundle]);
  const template: unknown = JSON.parse(await mustRun(['cat', join(bundle, 'config.json')]));
  const spec = specOf(specSchema.parse(template), { image, root, options });
  await writeFile(join(bundle, 'config.json'), JSON.stringify(spec));
  const runc = (...args: string[]): [string, ...string[]] => [
    'runc',
    '--root',
    inCache('image', 'runc'),
    ...args,
  ];
  const [file, ...args] = runc('run', '--bundle', bundle, options.name);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()));
  }
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  return {
    process: child,
    output: () => output,
    exec: (...command) => runCommand(runc('exec', options.name, ...command)),
    signal: async (name) => {
      await mustRun(runc('kill', options.name, name));
    },
    exit,
    remove: async () => {
      await runCommand(runc('delete', '--force', options.name));
      await exit;
      await buildah('umount', id);
      await buildah('rm', id);
    },
  };
}

function specOf(
  template: z.infer<typeof specSchema>,
  { image, root, options }: { image: ImageConfig; root: string; options: ContainerOptions },
): object {
  const [uid, gid] = image.User.split(':').map(Number);
  const { capabilities } = template.process;
  const kept = ['pid', 'ipc', 'uts', 'mount'];
  const files = Object.entries(options.files ?? {}).map(([destination, source]) => ({
    destination,
    source,
    type: 'bind',
    options: ['bind', 'ro'],
  }));
  return {
    ...template,
    root: { path: root, readonly: true },
    process: {
      ...template.process,
      terminal: false,
      noNewPrivileges: true,
      cwd: image.WorkingDir,
      user: { uid, gid },
      args: [...image.Entrypoint, ...(options.command ?? image.Cmd)],
      env: [
        ...image.Env,
        ...Object.entries(options.env).map(([name, value]) => `${name}=${value}`),
      ],
      capabilities: Object.fromEntries(Object.keys(capabilities).map((name) => [name, []])),
      rlimits: [],
    },
    mounts: [
      ...template.mounts.filter(({ destination }) => !destination.startsWith('/sys')),
      ...files,
    ],
    linux: {
      ...template.linux,
      namespaces: template.linux.namespaces.filter(({ type }) => kept.includes(type)),
      resources: { memory: { limit: MEMORY_BYTES } },
    },
  };
}
