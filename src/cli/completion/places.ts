import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '../command.js'
import { scripts } from './scripts.js'
import type { Shell } from './shells.js'

/** What installing writes: a file of its own, or a marked line in a file that is there for it. */
export type Place = {
  readonly file: string
  readonly kind: 'file' | 'line'
  readonly text: string
  /** What makes it work in the shell that is open. */
  readonly now: string
}

/** By this the line is found again. */
const MARK = '# swap completion'

const line = (text: string): string => `${text} ${MARK}\n`

/** Whether a line was written by installing. */
export const isMarked = (text: string): boolean => text.trimEnd().endsWith(MARK)

/** Where bash keeps completions that it reads when they are first wanted. */
const bashCompletion = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/share/bash-completion/bash_completion',
  '/etc/profile.d/bash_completion.sh',
]

/** Where the completion of a shell goes. `undefined` without a home folder. */
export function placeOf(shell: Shell, { env, home }: Surroundings): Place | undefined {
  if (home === undefined) return undefined
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share')
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  switch (shell) {
    case 'bash':
      return bashCompletion.some((path) => existsSync(path))
        ? {
            file: join(data, 'bash-completion', 'completions', 'swap'),
            kind: 'file',
            text: scripts.bash,
            now: 'source <(swap completion bash)',
          }
        : {
            file: join(home, '.bashrc'),
            kind: 'line',
            text: line('source <(swap completion bash)'),
            now: 'source ~/.bashrc',
          }
    case 'zsh':
      return {
        file: join(env['ZDOTDIR'] || home, '.zshrc'),
        kind: 'line',
        text: line('autoload -Uz compinit && compinit; source <(swap completion zsh)'),
        now: 'source ~/.zshrc',
      }
    case 'fish':
      return {
        file: join(config, 'fish', 'completions', 'swap.fish'),
        kind: 'file',
        text: scripts.fish,
        now: 'swap completion fish | source',
      }
    case 'powershell': {
      const folder =
        process.platform === 'win32'
          ? join(home, 'Documents', 'PowerShell')
          : join(config, 'powershell')
      return {
        file: join(folder, 'Microsoft.PowerShell_profile.ps1'),
        kind: 'line',
        text: line('swap completion powershell | Out-String | Invoke-Expression'),
        now: '. $PROFILE',
      }
    }
  }
}

/** The shell that this process was started from, as far as the environment says. */
export function shellIn({ env }: Surroundings): Shell | undefined {
  const name = (env['SHELL'] ?? '').split(/[\\/]/).at(-1) ?? ''
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name
  if (name === 'pwsh' || env['PSModulePath'] !== undefined) return 'powershell'
  return undefined
}
