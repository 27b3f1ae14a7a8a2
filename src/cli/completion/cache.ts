import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/load.js'
import type { OperationContext } from '../../operations/context.js'
import { tokens } from '../../operations/tokens/tokens.js'
import { replaceFile } from '../../platform/atomic-file.js'
import { attempt } from '../../platform/attempt.js'
import { regularText } from '../../platform/file-stream.js'
import { printable } from '../../platform/printable.js'
import { cacheFolder } from '../../platform/user-folders.js'
import { formatTablePrice } from '../../render/amount.js'
import { namesOf } from '../../render/names.js'
import { plainStyle } from '../../render/style.js'
import type { Choice, Surroundings } from '../command.js'
import { marketNaming } from '../print-answer.js'

/** Names of a network's market, from the last command that read it. */
type Names = {
  readonly tokens: readonly Choice[]
  readonly pairs: readonly (readonly [name: string, meaning: string, address?: string])[]
}

/** Minimum milliseconds between two writes of the names. */
const FRESH_MS = 600_000

const fileOf = (surroundings: Surroundings, network: string): string | undefined => {
  const folder = cacheFolder(surroundings)
  return folder && join(folder, `names-${network.replace(/[^\w-]/g, '_')}.json`)
}

/** Caches the names of a market for completion, which queries no node. A failure to write is ignored. */
export async function rememberNames(
  surroundings: Surroundings,
  { network, aliases }: Pick<Config, 'network' | 'aliases'>,
  app: OperationContext,
): Promise<void> {
  const file = fileOf(surroundings, network.name)
  if (file === undefined || isFresh(file)) return
  try {
    const text = JSON.stringify(await namesIn(app, aliases))
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    replaceFile(file, text)
  } catch {
    // The cache is optional: the command continues without it.
  }
}

/** The cached names; empty without a cache. */
export function keptNames(surroundings: Surroundings, network: string): Names {
  const file = fileOf(surroundings, network)
  const names = attempt(() => JSON.parse(regularText(file ?? '')) as Names)
  return names ?? { tokens: [], pairs: [] }
}

const isFresh = (file: string): boolean =>
  attempt(() => Date.now() - statSync(file).mtimeMs < FRESH_MS) ?? false

async function namesIn(
  app: OperationContext,
  aliases: ReadonlyMap<string, string>,
): Promise<Names> {
  const { market } = await app.openMarket()
  const listed = await tokens(app)
  const names = namesOf(marketNaming(market, { aliases }), plainStyle)
  const price = (usd: string | null) =>
    usd === null ? '' : `, $${formatTablePrice(usd, { tty: false })} at block ${market.height}`
  return {
    tokens: listed.tokens.map(({ denom, name, price_usd }) => [
      printable(names.typed(denom)),
      printable(name) + price(price_usd),
    ]),
    pairs: [...market.books.keys()].map((address) => [printable(names.pair(address)), '', address]),
  }
}
