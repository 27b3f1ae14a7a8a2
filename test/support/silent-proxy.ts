import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy before a server whose connections can fall silent, as behind a firewall that drops their packets. */
export type SilentProxy = {
  /** The server's URL through the proxy. */
  readonly url: string
  /** Drops all bytes of the present connections from now on, without closing them. New ones work. */
  silence(): void
  close(): Promise<void>
}

export async function silentProxy(target: string): Promise<SilentProxy> {
  const server = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  const proxy = createServer((client) => {
    const pair = [client, connect(Number(server.port), server.hostname)] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [pair[1], pair[0]]] as const)
      from
        .on('data', (bytes) => to.write(bytes))
        .on('error', () => {})
        .on('close', () => to.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    silence() {
      for (const socket of [...pairs].flat()) socket.removeAllListeners('data').resume()
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of [...pairs].flat()) socket.destroy()
        proxy.close(() => resolve())
      }),
  }
}
