import { loadConfig } from '../../config/load.js'
import type { Choice, Command, Surroundings } from '../command.js'
import type { Output } from '../output.js'
import { offer } from './candidates.js'

/** Candidates, loaded on demand. */
type LoadedValues = {
  readonly faults: () => Promise<readonly Choice[]>
  readonly schemas: () => Promise<readonly string[]>
}

/**
 * Answers a shell: one candidate a line with its description after a tab, or `:files`. Errors produce no
 * candidates and no output.
 */
export async function answerShell(
  argv: readonly string[],
  surroundings: Surroundings,
  commands: readonly Command[],
  load: LoadedValues,
  out: Output,
): Promise<void> {
  const at = argv.indexOf('--')
  // Shells that cannot pass an empty word use a flag instead.
  const words = [...argv.slice(at + 1), ...(argv.slice(0, at).includes('--next') ? [''] : [])]
  const { env, cwd, home } = surroundings
  const configured = await loadConfig({ env, cwd, home, flags: {} }).catch(() => undefined)
  const offered = offer(words, {
    surroundings,
    commands,
    network: configured?.network.name ?? 'demo',
    aliases: [...(configured?.aliases.keys() ?? [])],
    book: [...(configured?.book.keys() ?? [])],
    faults: words.includes('fail') ? await load.faults() : [],
    schemas: words.includes('schema') ? await load.schemas() : [],
  })
  if (offered === 'files') return out.result(':files')
  return out.result(offered.map(([word, meaning]) => `${word}\t${meaning}`).join('\n'))
}
