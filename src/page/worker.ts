import { errorText } from '../engine/errors.js'
import type { FromWorker, NumberedQuestion, ToWorker } from './messages.js'
import {
  type EngineAnswer,
  openMarket,
  type PageMarket,
  pricesBySize,
  profitableLoops,
  quote,
} from './quoter.js'

// The engine computes here, so that typing and scrolling are never blocked.

let market: PageMarket | undefined
let asked: NumberedQuestion | undefined
/** Counts messages: work for older ones is abandoned. */
let version = 0

const post = (message: FromWorker): void => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  version += 1
  const mine = version
  if (data.kind === 'question') asked = data.asked
  const opened = data.kind === 'market' ? openDocument(data.text) : Promise.resolve()
  opened
    // Pending messages are handled first.
    .then(pause)
    .then(() => compute(mine, data.kind === 'market'))
    .catch((error: unknown) => post({ kind: 'failed', message: errorText(error) }))
})

async function openDocument(text: string): Promise<void> {
  market = await openMarket(text)
  const { network, height, tokens, open, excluded } = market
  post({ kind: 'market', network, height, tokens, open, excluded })
}

/** The quote first, then the prices, each only if nothing newer has arrived; then the loops of the newest market. */
async function compute(mine: number, isNewMarket: boolean): Promise<void> {
  const [from, numbered] = [market, asked]
  if (from === undefined) return
  const isCurrent = () => version === mine
  if (numbered !== undefined && isCurrent()) {
    const { id, question } = numbered
    const quoted: EngineAnswer = await quote(from, question)
    post({ kind: 'quote', id, quoted })
    await pause()
    if (isCurrent() && quoted.answer.kind !== 'refused')
      post({ kind: 'prices', id, points: await pricesBySize(from, question) })
    await pause()
  }
  if (isNewMarket && market === from) post({ kind: 'loops', loops: await profitableLoops(from) })
}

const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 0))
