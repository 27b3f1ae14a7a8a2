import { demo } from '../../src/chain/networks/demo.js'
import { contractClient } from '../../src/compose/chain-port.js'
import type { OperationContext } from '../../src/operations/context.js'
import { fixedFeed } from '../../src/service/feed/market-feed.js'
import type { ServiceOptions } from '../../src/service/service.js'
import { stage as stageChain } from '../operations/chain/stage.js'
import { grow } from '../support/chain.js'
import { closing } from '../support/closing.js'
import { post, stage } from './stage.js'

export const SMALL = '1000000'

/** A service over a demo chain that it can query, and the same context as the command line has. */
export async function serving(
  options: Partial<ServiceOptions> = {},
  open: (place: Awaited<ReturnType<typeof stageChain>>) => OperationContext = (place) =>
    place.app(),
) {
  const place = await stageChain({ life: false, seed: 3 })
  grow(place.chain, 3)
  const app = open(place)
  const venue = await app.openMarket()
  const network = { ...demo, rpc: [place.node.rpc], rest: [place.node.rest] }
  const contracts = closing(contractClient({ network }, 20_000))
  const service = await stage({ feed: fixedFeed(venue), contracts, ...options })
  closing({ close: () => service.end() })
  const ask = async (path: string, payload: unknown) => {
    const { payload: text, statusCode, headers } = await service.server.inject(post(path, payload))
    return { text, status: statusCode, headers, json: JSON.parse(text) }
  }
  return { place, app, service, ask }
}

export const legsIn = (answer: {
  routes: { legs: { funds: unknown; tx: { swap: { stages: unknown } } }[] }[]
}) => answer.routes[0]!.legs.map(({ funds, tx }) => ({ coin: funds, stages: tx.swap.stages }))
