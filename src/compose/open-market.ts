import type { Context, FlagValues } from '../cli/command.js'
import { heightOf } from '../cli/flags/quote-flags.js'
import type { Config } from '../config/load.js'
import { SwapError } from '../engine/errors.js'
import type { Market } from '../engine/market/market.js'
import type { ChainPort } from '../operations/chain-port.js'
import { type OperationContext, openOnce } from '../operations/context.js'
import type { Evidence } from '../operations/slippage/choose-slippage.js'
import { MOST_APART_S } from '../platform/clock.js'
import type { OpenAccess } from './chain-access.js'
import { quickMarket, snapshotMarket } from './read-market.js'
import type { ShowWaiting } from './waiting.js'

/** The parts of a command's context that its market depends on. */
type MarketContext = Pick<Context, 'config' | 'surroundings' | 'out'> & {
  readonly showWaiting: ShowWaiting
}

/**
 * The operation context of one command, and its cleanup. Opens nothing yet: nodes and the embedded chain are loaded on
 * first use.
 */
export function openApp(
  { config, surroundings, out, showWaiting }: MarketContext,
  flags: FlagValues,
) {
  // Market and evidence may come from one tape.
  const noted = new Set<string>()
  const note = (text: string) => {
    if (!noted.has(text)) out.note(text)
    noted.add(text)
  }
  let access: Promise<OpenAccess> | undefined
  let port: Promise<ChainPort> | undefined
  const open = async (): Promise<ChainPort> => {
    const [{ openAccess }, { chainPort }, { withWaiting }] = await Promise.all([
      import('./chain-access.js'),
      import('./chain-port.js'),
      import('./waiting.js'),
    ])
    access = openAccess(config, surroundings)
    const chainAccess = await access
    return withWaiting(chainPort(chainAccess), chainAccess, config.values.timeout, showWaiting)
  }
  const chain = () => (port ??= open())
  let settleSource = (_areNodesRead: boolean) => {}
  const areNodesRead = new Promise<boolean>((resolve) => {
    settleSource = resolve
  })
  const read = async (): Promise<Market> => {
    const height = heightOf(flags)
    const { snapshot, maxAge } = config.values
    const quickAnswer =
      snapshot === undefined && height === undefined
        ? await quickMarket(config, surroundings)
        : undefined
    settleSource(snapshot === undefined && quickAnswer === undefined)
    if (snapshot !== undefined) {
      const block = { height, isRecorded: flags['at'] !== undefined }
      return snapshotMarket(config, surroundings, snapshot, block, note)
    }
    if (quickAnswer !== undefined) return quickAnswer
    const startedAt = performance.now()
    const market = await (await chain()).market(height)
    requireFresh(performance.now() - startedAt, height === undefined ? maxAge : undefined)
    if (config.network.real && height === undefined) noteApart(market, note)
    return market
  }
  const app: OperationContext = {
    ...openOnce(read),
    ...(config.values.snapshot === undefined && { chain }),
    ...(typeof flags['tape'] === 'string' && { evidence: evidenceOf(flags['tape'], config, note) }),
  }
  return {
    app,
    besideMarket: async <T>(query: (chain: ChainPort) => Promise<T>) =>
      (await areNodesRead) ? query(await chain()) : undefined,
    async renewTimeout() {
      ;(await access)?.renewTimeout()
    },
    async close() {
      await (await access?.catch(() => undefined))?.close()
    },
  }
}

/** The last recorded blocks up to a height, up to the configured number. */
const evidenceOf =
  (path: string, { values }: Config, note: (text: string) => void) =>
  async (height: number): Promise<Evidence> => {
    const { lastMarkets, readTape } = await import('../tape/tape.js')
    const { autoSlippageBlocks, autoSlippageQuantile: quantileBps } = values
    return { markets: lastMarkets(readTape(path, note), height, autoSlippageBlocks), quantileBps }
  }

/** A market is at least as old as its reading took. The clock is monotonic. */
function requireFresh(ms: number, maxAge: number | undefined): void {
  if (maxAge === undefined || ms <= maxAge) return
  const age = Math.round(ms)
  throw new SwapError('STALE_DATA', 'the market is too old to quote from', {
    why: `reading it took ${age} ms, and max_age is ${maxAge} ms`,
    hint: 'try again, name a faster node, or raise --max-age',
    members: { age_ms: age },
  })
}

/** A node that is stuck, or whose chain is halted, answers as before: only the time of its newest block shows it. */
function noteApart({ height, time }: Market, note: (text: string) => void): void {
  if (Math.abs(Date.now() - Date.parse(time)) <= MOST_APART_S * 1_000) return
  const clock = new Date().toISOString()
  note(
    `the newest block ${height} is of ${time}, and this clock shows ${clock}: the chain or its nodes are halted, or the clock is wrong; see swap doctor`,
  )
}
