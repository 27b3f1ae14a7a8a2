import { connect, createServer, type Socket } from 'node:net'

/**
 * Where a connection to PostgreSQL is cut. `packet`: after this many bytes of the commit packet; `answer`:
 * after this many bytes of its answer; `session`: after this many more bytes from the client.
 */
export type Cut = {
  readonly of: 'packet' | 'answer' | 'session'
  readonly after: number
}

/** A proxy before a server that cuts or silences connections on demand. */
export type CuttingProxy = {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Cuts the first connection that gets there, once. Settles when it has. */
  cut(cut: Cut): Promise<void>
  /** Cancels a cut that has not happened yet. */
  disarm(): void
  /** Drops all bytes of the present connections from now on, without closing them, as a firewall may. New ones work. */
  silence(): void
  close(): Promise<void>
}

/** The packet of a commit: a simple query of that word. */
export const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')
/** Its answer: command complete, and ready for query. */
export const ANSWER_BYTES = 'C....COMMIT.'.length + 'Z....I'.length

type Armed = Cut & { readonly done: () => void; left: number }

export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const real = new URL(target)
  let armed: Armed | undefined
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(real.port), real.hostname)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    relay(client, server)
  })

  /** Makes these bytes the last that the server gets; the client gets none any more. */
  function cutAfter(bytes: Buffer, client: Socket, server: Socket): void {
    const { done } = armed!
    armed = undefined
    server.removeAllListeners('data')
    server.resume()
    server.end(bytes, () => {
      client.destroy()
      done()
    })
  }

  function relay(client: Socket, server: Socket): void {
    // Only the connection that has committed is cut within the answer.
    let isAnswering = false
    client.on('data', (bytes: Buffer) => {
      if (armed?.of === 'session') {
        if (armed.left <= bytes.length)
          return cutAfter(bytes.subarray(0, armed.left), client, server)
        armed.left -= bytes.length
      } else if (armed !== undefined && !isAnswering) {
        const at = bytes.indexOf(COMMIT)
        if (at >= 0 && armed.of === 'packet')
          return cutAfter(bytes.subarray(0, at + armed.after), client, server)
        isAnswering = at >= 0
      }
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (!isAnswering || armed?.of !== 'answer') return void client.write(bytes)
      if (armed.left > bytes.length) {
        armed.left -= bytes.length
        return void client.write(bytes)
      }
      const last = bytes.subarray(0, armed.left)
      const { done } = armed
      armed = undefined
      client.write(last, () => {
        client.destroy()
        server.destroy()
        done()
      })
    })
    client.on('close', () => server.end())
    server.on('close', () => client.destroy())
  }

  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const url = new URL(target)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: url.href,
    cut: (cut) =>
      new Promise((done) => {
        armed = { ...cut, done, left: cut.after }
      }),
    disarm() {
      armed?.done()
      armed = undefined
    },
    silence() {
      for (const socket of sockets) socket.removeAllListeners('data').resume()
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => resolve())
      }),
  }
}
