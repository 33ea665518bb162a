import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const OLDER = '.cache/older';

/** Builds the project as it was at a commit, once. Returns its folder. It uses the packages of this version. */
export function buildOlder(commit: string): string {
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`).trim();
  const folder = resolve(OLDER, hash);
  if (existsSync(join(folder, 'dist/workflow-bundle.js'))) return folder;
  process.stderr.write(`Building ${git('log', '-1', '--format=%h %s', hash).trim()} ...\n`);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', hash], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  hideName(join(folder, 'package.json'));
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) symlinkSync(resolve('node_modules'), packages);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  run('dist/worker/build-bundle.js');
  return folder;
}

/** Jest warns about two packages of one name in one folder. */
function hideName(path: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/^\s*"name":.*\n/m, ''));
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}
