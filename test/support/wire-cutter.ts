import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * When the connection that broadcasts a transaction is cut: before its first byte, within the request,
 * after the node has executed it, or within the answer.
 */
export type Moment = 'before' | 'during' | 'after' | 'within'

/** A proxy before a node's JSON-RPC address that cuts such connections. */
export type WireCutter = {
  readonly url: string
  /** How many of them are cut from now on, and when; `share` is the part of the bytes that gets through. */
  plan(moment: Moment, share: number, times: number): void
  /** Stops cutting. */
  spare(): void
  close(): Promise<void>
}

export async function wireCutter(target: string): Promise<WireCutter> {
  const node = new URL(target)
  let armed: { moment: Moment; share: number; times: number } | undefined
  const sockets = new Set<Socket>()

  function relay(client: Socket, server: Socket): void {
    let head = Buffer.alloc(0)
    let isDecided = false
    const end = () => {
      client.resetAndDestroy()
      server.destroy()
    }
    const through = () => {
      server.on('data', (bytes) => client.write(bytes))
      server.on('end', () => client.end())
      server.write(head)
    }
    client.on('data', (bytes) => {
      if (isDecided) return void server.write(bytes)
      head = Buffer.concat([head, bytes])
      if (!/"method":"[^"]+"[\s\S]*\}\]?$/.test(head.toString('latin1'))) return
      isDecided = true
      if (!armed || armed.times === 0 || !head.includes('"broadcast_tx_sync"')) return through()
      armed.times -= 1
      const { moment, share } = armed
      if (moment === 'before') return end()
      const part = (whole: Buffer) => whole.subarray(0, Math.floor(whole.length * share))
      if (moment === 'during') return void server.write(part(head), end)
      server.once('data', (answer) => {
        if (moment === 'after') end()
        else client.write(part(answer), end)
      })
      server.write(head)
    })
    client.on('end', () => server.end())
  }

  const proxy = createServer((client) => {
    const server = connect(Number(node.port), node.hostname)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    server.on('close', () => client.destroy())
    relay(client, server)
  })
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    plan(moment, share, times) {
      armed = { moment, share, times }
    },
    spare() {
      armed = undefined
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => proxy.close(done))
    },
  }
}
