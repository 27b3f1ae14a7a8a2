import { connect, createServer, type Socket } from 'node:net'

/**
 * Where a connection to PostgreSQL is cut. `packet`: so many bytes of the packet that commits get
 * through; `answer`: all of that does, and so many bytes of what is answered to it; `session`: so many
 * bytes of whatever the client sends from now on.
 */
export type Cut = {
  readonly of: 'packet' | 'answer' | 'session'
  readonly after: number
}

/** A proxy before a server, that cuts the connection where it is told to. */
export type CuttingProxy = {
  /** The server's URL by way of the proxy. */
  readonly url: string
  /** Cuts once, the connection that gets there first. Settles when it has. */
  cut(cut: Cut): Promise<void>
  /** Takes back what has not been cut yet. */
  disarm(): void
  close(): Promise<void>
}

/** What commits: a simple query of that word. */
export const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1')
/** What is answered: that it was done, and that the server is ready. */
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

  /** Lets these bytes be the last that the server gets; the client gets none any more. */
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
    // Only the connection that has committed is cut in the answer to that.
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
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        proxy.close(() => resolve())
      }),
  }
}
