import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

/** One connection that is asked again and again, one request at a time. */
export type Wire = {
  /** Whether it can still be asked: a service ends what has been silent for long. */
  open(): boolean
  /** Sends a POST. @returns its status; 0 when the connection ended before */
  post(body: string): Promise<number>
  end(): void
}

/**
 * A connection without a client library: what measures a service of one core must not use up the
 * other one itself, nor make its requests late by collecting its own garbage.
 */
export function wire(url: URL): Wire {
  const socket: Socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true })
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: `
  let answered: (status: number) => void = () => {}
  /** Bytes of the body that are still to come; negative while the head is not whole. */
  let left = -1
  let status = 0
  let before: Buffer = Buffer.alloc(0)
  const take = (part: Buffer): void => {
    if (left < 0) {
      const text = before.length === 0 ? part : Buffer.concat([before, part])
      const end = text.indexOf(HEAD_END)
      if (end < 0) {
        before = text
        return
      }
      before = Buffer.alloc(0)
      const told = text.toString('latin1', 0, end)
      status = Number(told.slice(9, 12))
      left = Number(/content-length: (\d+)/i.exec(told)?.[1] ?? 0) - (text.length - end - 4)
    } else left -= part.length
    if (left > 0) return
    left = -1
    answered(status)
  }
  const gone = () => answered(0)
  socket.on('data', take).on('close', gone).on('error', gone)
  return {
    open: () => !socket.destroyed && !socket.readableEnded,
    post: (body) =>
      new Promise((resolve) => {
        answered = resolve
        if (socket.destroyed) resolve(0)
        else socket.write(`${head}${body.length}\r\n\r\n${body}`)
      }),
    end: () => socket.destroy(),
  }
}
