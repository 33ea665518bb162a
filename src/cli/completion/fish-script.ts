import type { CommandWords, Word } from './command-words.js';

/** One `complete` for each word, where its command has been typed. */
export function fishScript(all: readonly CommandWords[]): string {
  const paths = all.map(({ path }) => path).filter((path) => path !== '');
  return `# Completion of gcore-workflows for fish. Put this into ~/.config/fish/config.fish:
#   gcore-workflows completion fish | source
function __gcore_workflows_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    contains -- $next ${paths.map(quote).join(' ')}; and set path $next
  end
  test "$path" = "$argv[1]"
end
complete -c gcore-workflows -e
${all.map(linesOf).join('')}`;
}

function linesOf(words: CommandWords): string {
  const at = `complete -c gcore-workflows -n ${quote(`__gcore_workflows_at ${quote(words.path)}`)}`;
  const plain = words.arguments.map((text): Word => ({ text, description: '' }));
  return [
    ...[...words.commands, ...plain].map(
      ({ text, description }) => `${at} -f -a ${quote(text)} -d ${quote(description)}\n`,
    ),
    ...words.options.map(
      ({ text, description }) =>
        `${at} ${nameOf(text)}${valueOf(words, text)} -d ${quote(description)}\n`,
    ),
  ].join('');
}

/** `-l phase` for `--phase`, `-s o` for `-o` */
function nameOf(option: string): string {
  return option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`;
}

function valueOf({ values }: CommandWords, option: string): string {
  const value = values.find((one) => one.option === option);
  if (value === undefined) return '';
  return value.words.length === 0 ? ' -r' : ` -x -a ${quote(value.words.join(' '))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
