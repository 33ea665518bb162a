import type { CommandWords, Word } from './command-words.js';

/** A `_describe` for each command. */
export function zshScript(all: readonly CommandWords[]): string {
  return `#compdef gcore-workflows
# Completion of gcore-workflows for zsh. Put this into ~/.zshrc:
#   source <(gcore-workflows completion zsh)
_gcore_workflows() {
  local cpath="" word index
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case "\${cpath:+$cpath }$word" in
      (${pathsOf(all)}) cpath="\${cpath:+$cpath }$word" ;;
    esac
  done
  local -a choices
  case "$cpath:\${words[CURRENT-1]}" in
${valueCases(all)}  esac
  case "$cpath" in
${wordCases(all)}  esac
  _describe 'gcore-workflows' choices
  _files
}
compdef _gcore_workflows gcore-workflows
`;
}

function pathsOf(all: readonly CommandWords[]): string {
  const paths = all.map(({ path }) => path).filter((path) => path !== '');
  return paths.map((path) => `"${path}"`).join('|');
}

function valueCases(all: readonly CommandWords[]): string {
  return all
    .flatMap(({ path, values }) =>
      values.map(({ option, words }) => {
        const offer = words.length === 0 ? '_files' : `compadd -- ${words.join(' ')}`;
        return `    ("${path}:${option}") ${offer}; return ;;\n`;
      }),
    )
    .join('');
}

function wordCases(all: readonly CommandWords[]): string {
  return all
    .map(({ path, commands, options, arguments: words }) => {
      const known = words.map((text): Word => ({ text, description: '' }));
      const choices = [...commands, ...known, ...options].map(described);
      return `    ("${path}") choices=(${choices.join(' ')}) ;;\n`;
    })
    .join('');
}

function described({ text, description }: Word): string {
  const escaped = text.replaceAll(':', '\\:');
  return quote(description === '' ? escaped : `${escaped}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
