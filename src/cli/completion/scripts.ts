import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '../command.js'
import type { Shell } from '../flags/command-flags.js'

/**
 * What a shell runs to complete `swap`. Each script passes the typed words without evaluating them: pressing
 * tab never runs anything from the line.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for swap
_swap() {
  local IFS=$'\\n' line out
  COMPREPLY=()
  out="$(swap __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" || return 0
  if [[ "$out" == ':files' ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
    return 0
  fi
  while read -r line; do
    line="\${line%%$'\\t'*}"
    [[ -n "$line" ]] && COMPREPLY+=("$line")
  done <<<"$out"
  return 0
}
complete -o nosort -F _swap swap 2>/dev/null || complete -F _swap swap
`,
  zsh: `#compdef swap
# zsh completion for swap
_swap() {
  local -a lines offered
  local line word meaning
  lines=("\${(@f)$(swap __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$lines[1]" == ':files' ]]; then
    compset -P '--*='
    _files
    return
  fi
  for line in "\${lines[@]}"; do
    [[ -z "$line" ]] && continue
    word="\${line%%$'\\t'*}"
    meaning="\${line#*$'\\t'}"
    offered+=("\${word//:/\\\\:}\${meaning:+:}$meaning")
  done
  (( \${#offered} )) && _describe -V 'swap' offered
}
if [[ "\${funcstack[1]}" == '_swap' ]]; then
  _swap "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _swap swap
fi
`,
  fish: `# fish completion for swap
function __swap_offers
    set -l words (commandline -opc) (commandline -ct)
    set -g __swap_offered (swap __complete -- $words[2..-1] 2>/dev/null)
    test "$__swap_offered[1]" != ':files'
end
complete -c swap -e
complete -c swap -f -k -n __swap_offers -a '(string join \\n -- $__swap_offered)'
`,
  powershell: `# PowerShell completion for swap
Register-ArgumentCompleter -Native -CommandName swap -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    # An empty argument is dropped on the way to a program, so a flag says that there is one. npm's script for Windows
    # drops a -- without quotes.
    $next = if ($wordToComplete -eq '') { @('--next') } else { @() }
    swap __complete @next '--' @words 2>$null | ForEach-Object {
        $word, $meaning = $_ -split "\`t", 2
        if ($word -eq ':files') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
        } elseif ($word) {
            $tip = if ($meaning) { $meaning } else { $word }
            [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $tip)
        }
    }
}
`,
}

/** What the installation writes: a file of its own, or a marked line in an existing file. */
export type InstalledFile = {
  readonly file: string
  readonly kind: 'file' | 'line'
  readonly text: string
  /** How to enable it in the current shell. */
  readonly now: string
}

/** The mark that identifies the line. */
const MARK = '# swap completion'

/** A file that holds the whole script. */
function fileOf(file: string, shell: Shell, now: string): InstalledFile {
  return { file, kind: 'file', text: scripts[shell], now }
}

/** A line in a file that the shell reads when it starts. */
function lineIn(file: string, text: string, now: string): InstalledFile {
  return { file, kind: 'line', text: `${text} ${MARK}\n`, now }
}

/** Whether a line was written by the installation. */
export const isMarked = (text: string): boolean => text.trimEnd().endsWith(MARK)

/** The folder from which bash loads completions on demand. */
const bashCompletion = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/share/bash-completion/bash_completion',
  '/etc/profile.d/bash_completion.sh',
]

/** Where the completion of a shell is installed. `undefined` without a home folder. */
export function placeOf(shell: Shell, { env, home }: Surroundings): InstalledFile | undefined {
  if (home === undefined) return undefined
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share')
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  switch (shell) {
    case 'bash': {
      const source = 'source <(swap completion bash)'
      return bashCompletion.some((path) => existsSync(path))
        ? fileOf(join(data, 'bash-completion', 'completions', 'swap'), shell, source)
        : lineIn(join(home, '.bashrc'), source, 'source ~/.bashrc')
    }
    case 'zsh': {
      const source = 'source <(swap completion zsh)'
      return lineIn(join(env['ZDOTDIR'] || home, '.zshrc'), source, 'source ~/.zshrc')
    }
    case 'fish': {
      const file = join(config, 'fish', 'completions', 'swap.fish')
      return fileOf(file, shell, 'swap completion fish | source')
    }
    case 'powershell': {
      const folder =
        process.platform === 'win32'
          ? join(home, 'Documents', 'PowerShell')
          : join(config, 'powershell')
      const source = 'swap completion powershell | Out-String | Invoke-Expression'
      return lineIn(join(folder, 'Microsoft.PowerShell_profile.ps1'), source, '. $PROFILE')
    }
  }
}

/** The shell that started this process, judging by the environment. */
export function shellIn({ env }: Surroundings): Shell | undefined {
  const name = (env['SHELL'] ?? '').split(/[\\/]/).at(-1) ?? ''
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name
  if (name === 'pwsh' || env['PSModulePath'] !== undefined) return 'powershell'
  return undefined
}
