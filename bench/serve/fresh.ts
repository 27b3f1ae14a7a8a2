import { get } from 'node:http'
import WebSocket from 'ws'

const QUERY = 'input.denom=btc-btc&input.amount=1000000&output.denom=rune'
const SUBSCRIBE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" },
}

/** Opens a stream of quotes and tells of the height of each. @returns what ends it */
export function stream(url: string, quoted: (height: number) => void): () => void {
  const request = get(`${url}/swap/stream?${QUERY}`, (reply) => {
    reply.on('error', () => {})
    reply.setEncoding('utf8').on('data', (text: string) => {
      for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) quoted(Number(id))
    })
  })
  request.on('error', () => {})
  return () => request.destroy()
}

/** Milliseconds from the moment at which a node told of a block to the first quote of it, for so many blocks. */
export async function fromBlockToQuote(
  url: string,
  rpc: string,
  blocks: number,
): Promise<readonly number[]> {
  const [made, quoted] = [new Map<number, number>(), new Map<number, number>()]
  const socket = new WebSocket(`${rpc.replace(/^http/, 'ws')}/websocket`)
  socket.on('open', () => socket.send(JSON.stringify(SUBSCRIBE)))
  socket.on('message', (data) => {
    const [, height] = /"height":"(\d+)"/.exec(String(data)) ?? []
    if (height !== undefined) made.set(Number(height), performance.now())
  })
  const end = stream(url, (height) => quoted.set(height, performance.now()))
  const took = () =>
    [...made].flatMap(([height, at]) => {
      const then = quoted.get(height)
      return then === undefined ? [] : [then - at]
    })
  while (took().length < blocks) await new Promise((resolve) => setTimeout(resolve, 50))
  end()
  socket.terminate()
  return took()
}
