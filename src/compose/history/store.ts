import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DECODER, FORMER_DECODER } from '../../chain/trades/block-trades.js'
import type { Surroundings } from '../../cli/command.js'
import { isOwnDemo } from '../../config/configured.js'
import type { Config } from '../../config/load.js'
import { SwapError } from '../../engine/errors.js'
import { isDatabaseUrl } from '../../history/store/database-url.js'
import type { HistoryFigures, HistoryStore } from '../../history/store/history-store.js'
import { openHistory, type StorePlace } from '../../history/store/open.js'
import type { HistoryPort } from '../../operations/history/history-port.js'
import { loadOnce } from '../../platform/memoize.js'
import { dataFolder } from '../../platform/user-folders.js'
import { type FailureFields, failureOf } from '../../service/metrics/log.js'
import { demoPlaces } from '../chain-access.js'

/** A database that is opened on first use. */
export type LazyStore = {
  /** The store, created if missing. @throws SwapError */
  open(): Promise<HistoryStore>
  /** Reads from the store if it exists, never creating a file; else the value of an empty one. @throws SwapError */
  read<T, Empty>(empty: Empty, work: (store: HistoryStore) => Promise<T>): Promise<T | Empty>
  close(): Promise<void>
}

export function lazyStore(place: StorePlace): LazyStore {
  const store = loadOnce(() => openHistory(place))
  const close = async (): Promise<void> => (await store.take())?.close()
  const open = async (): Promise<HistoryStore> => {
    // A reset of the demo chain removes its history.
    if ((await store.get()).isReplaced()) await close()
    return store.get()
  }
  return {
    open,
    close,
    read: async (empty, work) =>
      isDatabaseUrl(place.database) || existsSync(place.database) ? work(await open()) : empty,
  }
}

/** A page of an index that does not exist yet. */
export const NO_PAGE = { total: 0, items: [], indexed: undefined }

/** Reads of an index that may not exist yet, in which case it is empty. */
export const historyPort = ({ read }: LazyStore, prefix: string): HistoryPort => ({
  prefix,
  page: (of, window) => read(NO_PAGE, (store) => store.page(of, window)),
  orders: (of, window) => read({ ...NO_PAGE, without: [] }, (store) => store.orders(of, window)),
  rebuild: () => read({ count: 0, left: 0 }, (store) => store.rebuild()),
  top: (period, window) =>
    read({ from: undefined, to: undefined, items: [], missing: 0 }, (store) =>
      store.top(period, window),
    ),
})

/**
 * The location of the history: as configured, or a file per network. That of the demo chain is stored
 * beside the chain and removed with it.
 *
 * @throws SwapError INVALID_REQUEST if there is no folder for it
 */
export function historyPlace(config: Config, surroundings: Surroundings): StorePlace {
  const { network, values } = config
  return {
    database: values.database ?? defaultFile(config, surroundings),
    chainId: network.chainId,
    decoder: `${DECODER} ${network.router.address ?? ''}`.trimEnd(),
    former: FORMER_DECODER,
  }
}

function defaultFile(config: Config, surroundings: Surroundings): string {
  if (isOwnDemo(config)) return join(demoPlaces(surroundings).folder, 'history.db')
  const folder = dataFolder(surroundings)
  if (folder !== undefined) return join(folder, 'history', `${config.network.chainId}.db`)
  throw new SwapError('INVALID_REQUEST', 'there is no folder for the history', {
    why: 'none of SWAP_HOME, XDG_DATA_HOME and a home folder is known',
    hint: 'say where it is: --database /some/file.db',
  })
}

/** Interval of polls of a database, in milliseconds. */
const POLL_MS = 2_000

/** The figures of a database, or why they cannot be read. */
export type FiguresReport =
  | { readonly is: 'holds'; readonly figures: HistoryFigures }
  | ({ readonly is: 'unreadable' } & FailureFields)

/** Polls the figures of a database; reports nothing until it exists. @returns a function after which nothing is reported */
export function pollFigures(
  read: () => Promise<HistoryFigures | undefined>,
  send: (report: FiguresReport) => void,
): () => void {
  let isOver = false
  const poll = async (): Promise<void> => {
    try {
      const figures = await read()
      if (figures !== undefined && !isOver) send({ is: 'holds', figures })
    } catch (error) {
      // A read that the closing of the database cuts off is no failure.
      if (!isOver) send({ is: 'unreadable', ...failureOf(error) })
    }
  }
  const timer = setInterval(() => void poll(), POLL_MS).unref()
  void poll()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
