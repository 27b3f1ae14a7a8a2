import type { OperationContext } from '../../../operations/context.js'
import type { Context } from '../../command.js'

/** How long calls share one market, in milliseconds: less than a block takes. */
const SHARED_MS = 2_000

type Opened = ReturnType<Context['openAgain']> & { readonly since: number; users: number }

/** Markets for calls that come one after the other: each as new as the call, and read once for calls at the same time. */
export type FreshMarket = {
  use<T>(work: (app: OperationContext) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function freshMarket({
  openAgain,
  config,
}: Pick<Context, 'openAgain' | 'config'>): FreshMarket {
  let current: Opened | undefined
  const isFixed = config.values.snapshot !== undefined
  const retire = async (opened: Opened | undefined) => {
    if (opened === undefined || opened.users > 0 || opened === current) return
    await opened.close()
  }
  const take = (): Opened => {
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
        // A market that could not be read is not kept.
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
