import { loadConfig } from '../../config/load.js'
import type { Command, Surroundings } from '../command.js'
import type { Output } from '../output.js'
import type { Candidate } from './cache.js'
import { offer } from './candidates.js'

/** Documents that have a schema: those of operations, of commands, and of an error. */
export const schemaNames = [
  'tokens',
  'route',
  'sroute',
  'simulate',
  'arbs',
  'arbroute',
  'history',
  'curve',
  'max',
  'execute',
  'journal',
  'tx-show',
  'price',
  'pairs',
  'book',
  'balances',
  'snapshot-show',
  'demo-status',
  'keys-list',
  'keys-show',
  'config-list',
  'doctor',
  'version',
  'problem',
] as const

/**
 * Answers a shell: a candidate a line with its meaning after a tab, or `:files`. Whatever goes wrong,
 * it offers nothing and says nothing.
 */
export async function answerShell(
  argv: readonly string[],
  surroundings: Surroundings,
  commands: readonly Command[],
  faults: () => Promise<readonly Candidate[]>,
  out: Output,
): Promise<void> {
  const at = argv.indexOf('--')
  // A shell that cannot pass an empty word says so by a flag.
  const words = [...argv.slice(at + 1), ...(argv.slice(0, at).includes('--next') ? [''] : [])]
  const { env, cwd, home } = surroundings
  const configured = await loadConfig({ env, cwd, home, flags: {} }).catch(() => undefined)
  const offered = offer(words, {
    surroundings,
    commands,
    network: configured?.network.name ?? 'demo',
    aliases: [...(configured?.aliases.keys() ?? [])],
    book: [...(configured?.book.keys() ?? [])],
    faults: words.includes('fail') ? await faults() : [],
    schemas: schemaNames,
  })
  if (offered === 'files') return out.result(':files')
  return out.result(offered.map(([word, meaning]) => `${word}\t${meaning}`).join('\n'))
}
