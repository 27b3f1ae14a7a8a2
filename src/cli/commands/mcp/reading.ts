import type { Reading } from '../../../mcp/reading-tools.js'
import type { Resource, ResourceTemplate } from '../../../mcp/tool.js'
import { type OperationContext, onlyMarket } from '../../../operations/context.js'
import type { Operation } from '../../../operations/operation.js'
import type { Context } from '../../command.js'
import { keepQuote } from '../../quotes/quote-store.js'

/** How long calls share one market, in milliseconds: less than a block. */
const SHARED_MS = 2_000

type SharedMarket = ReturnType<Context['openAgain']> & { readonly since: number; users: number }

/** Shares one reading of the market among the calls of two seconds; a saved market among all. */
export type FreshMarket = {
  use<T>(work: (app: OperationContext) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function freshMarket({
  openAgain,
  config,
}: Pick<Context, 'openAgain' | 'config'>): FreshMarket {
  let current: SharedMarket | undefined
  const isFixed = config.values.snapshot !== undefined
  const retire = async (opened: SharedMarket | undefined) => {
    if (opened === undefined || opened.users > 0 || opened === current) return
    await opened.close()
  }
  const take = (): SharedMarket => {
    const now = performance.now()
    if (current !== undefined && (isFixed || now - current.since < SHARED_MS)) return current
    const before = current
    current = { ...openAgain(), since: now, users: 0 }
    void retire(before)
    return current
  }
  return {
    async use(work) {
      const opened = take()
      opened.users += 1
      try {
        return await work(opened.app)
      } catch (error) {
        // A failed reading is not kept.
        if (opened === current && !isFixed) current = undefined
        throw error
      } finally {
        opened.users -= 1
        await retire(opened)
      }
    },
    async close() {
      const last = current
      current = undefined
      await retire(last)
    },
  }
}

/** Operations whose answers are stored as quotes. */
const QUOTES = new Set(['route', 'sroute', 'arbroute'])

/** The tools' data sources as configured by the command line; answers are those of `--json`. */
export const readingOf = (context: Context, market: FreshMarket): Reading => ({
  async answer(operation, request, { answersAt }) {
    const prepared = operation.prepare(
      withAffiliate(operation, request, context.config.values.affiliate),
    )
    const answer = await market.use(async (app) => {
      answersAt((await app.openMarket()).market.height)
      return prepared.run(app)
    })
    return QUOTES.has(operation.name)
      ? keepQuote(context.surroundings, answer).document
      : JSON.stringify(answer)
  },
  // The view stays the same when the market is read again.
  market: ({ answersAt }) =>
    market.use(async (app) => {
      const view = await app.openMarket()
      answersAt(view.market.height)
      return { openMarket: () => Promise.resolve(view) }
    }),
  async history(work) {
    if (context.config.values.snapshot !== undefined) throw onlyMarket('the history')
    const [access, { catchUp }] = await Promise.all([
      context.history(),
      import('../history/fill.js'),
    ])
    try {
      await catchUp(context, access)
      return await work(access)
    } finally {
      await access.close()
    }
  },
})

/** Adds the configured affiliate to a request without one, since a preview pays it too. */
function withAffiliate(
  operation: Operation,
  request: unknown,
  affiliate: string | undefined,
): unknown {
  if (affiliate === undefined || typeof request !== 'object' || request === null) return request
  const { properties = {} } = operation.request as { readonly properties?: object }
  return 'affiliate' in properties && !('affiliate' in request)
    ? { ...request, affiliate }
    : request
}

export const helpResources = async ({ helpTopics }: Context): Promise<readonly Resource[]> =>
  (await helpTopics()).map(({ name, summary, text }) => ({
    uri: `swap://help/${name}`,
    name: `help ${name}`,
    description: summary,
    mimeType: 'text/plain',
    read: async () => text(),
  }))

/** The quotes that were made on this machine, by their ids. */
export const quoteTemplate = ({ surroundings }: Context): ResourceTemplate => ({
  uriTemplate: 'swap://quote/{id}',
  name: 'quote',
  description: 'A quote that was made here, by its quote_id',
  mimeType: 'application/json',
  async read(uri) {
    const [, id] = /^swap:\/\/quote\/(q_[0-9a-f]{8})$/.exec(uri) ?? []
    if (id === undefined) return undefined
    const { quoteText } = await import('../../quotes/quote-store.js')
    return quoteText(id, surroundings)
  },
})
