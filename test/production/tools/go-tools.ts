import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { z } from 'zod';

import { BIN, inCache } from '../cache.js';
import { mustRun } from '../run-command.js';
import { say } from '../report.js';

/** The toolchain of this machine; Go would download another one otherwise. One core, because the build runs beside others. */
const GO = {
  GOTOOLCHAIN: 'local',
  CGO_ENABLED: '0',
  GOFLAGS: '-p=1 -buildvcs=false',
  GOMAXPROCS: '1',
} as const;

const BUILD_TIMEOUT_MS = 1_800_000;

interface GoTool {
  name: string;
  /** Path of the package, without its version. */
  from: string;
  version: string;
  tags?: string;
  about: string;
}

/** Newest versions that Go 1.26.8 builds. */
export const TEMPORAL_SERVER: GoTool = {
  name: 'temporal-server',
  from: 'go.temporal.io/server/cmd/server',
  version: 'v1.32.1',
  tags: 'disable_grpc_modules',
  about: '4 to 7 minutes the first time',
};
export const TEMPORAL_SQL_TOOL: GoTool = {
  name: 'temporal-sql-tool',
  from: 'go.temporal.io/server/cmd/tools/sql',
  version: TEMPORAL_SERVER.version,
  tags: 'disable_grpc_modules',
  about: '2 to 6 minutes the first time',
};
export const HELM: GoTool = {
  name: 'helm',
  from: 'helm.sh/helm/v3/cmd/helm',
  version: 'v3.22.0',
  about: '2 minutes the first time',
};
export const KUBECONFORM: GoTool = {
  name: 'kubeconform',
  from: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.7.0',
  about: 'seconds',
};
export const ACTIONLINT: GoTool = {
  name: 'actionlint',
  from: 'github.com/rhysd/actionlint/cmd/actionlint',
  version: 'v1.7.7',
  about: 'seconds',
};

/** Builds a tool from the Go module proxy if this version is not there yet. Returns its path. */
export async function goTool({ name, from, version, tags, about }: GoTool): Promise<string> {
  const path = inCache('bin', name);
  const stamp = inCache('bin', `${name}.version`);
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return path;
  say(`building ${name} ${version} (${about})`);
  const folder = inCache('bin', '.new', name);
  await mustRun(
    [
      'nice',
      '-n',
      '10',
      'go',
      'install',
      '-trimpath',
      ...tagArguments(tags),
      '-ldflags=-s -w',
      `${from}@${version}`,
    ],
    { env: { ...GO, GOBIN: folder }, timeoutMs: BUILD_TIMEOUT_MS },
  );
  renameSync(join(folder, basename(from)), path);
  writeFileSync(stamp, version);
  return path;
}

function tagArguments(tags: string | undefined): string[] {
  return tags === undefined ? [] : ['-tags', tags];
}

/** Builds a program of this project. Returns its path. */
export async function ownGoTool(name: string, folder: string): Promise<string> {
  const path = join(BIN, name);
  await mustRun(['go', 'build', '-o', path, '.'], {
    cwd: folder,
    env: GO,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  return path;
}

const downloadSchema = z.object({ Dir: z.string() });

/** Folder of a Go module, for the files that it carries. The module proxy's checksums hold for it. */
export async function goModule(module: string): Promise<string> {
  const answer = await mustRun(['go', 'mod', 'download', '-json', module], {
    env: GO,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  return downloadSchema.parse(JSON.parse(answer)).Dir;
}
