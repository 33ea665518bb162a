import type { CommandWords } from './command-words.js';

/** `complete -F` for bash 3.2 and later. */
export function bashScript(all: readonly CommandWords[]): string {
  return `# Completion of gcore-workflows for bash. Put this into ~/.bashrc:
#   source <(gcore-workflows completion bash)
_gcore_workflows() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${path:+$path }$word" in
      ${pathsOf(all)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path:$prev" in
${valueCases(all)}  esac
  local words=""
  case "$path" in
${wordCases(all)}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _gcore_workflows gcore-workflows
`;
}

function pathsOf(all: readonly CommandWords[]): string {
  const paths = all.map(({ path }) => path).filter((path) => path !== '');
  return paths.map((path) => `"${path}"`).join('|');
}

/** After an option with known words these; after another one files, which `-o default` offers. */
function valueCases(all: readonly CommandWords[]): string {
  return all
    .flatMap(({ path, values }) =>
      values.map(
        ({ option, words }) =>
          `    "${path}:${option}") COMPREPLY=(${words.length === 0 ? '' : `$(compgen -W "${words.join(' ')}" -- "$cur")`}); return ;;\n`,
      ),
    )
    .join('');
}

function wordCases(all: readonly CommandWords[]): string {
  return all
    .map(({ path, commands, options, arguments: words }) => {
      const texts = [...[...commands, ...options].map(({ text }) => text), ...words];
      return `    "${path}") words="${texts.join(' ')}" ;;\n`;
    })
    .join('');
}
