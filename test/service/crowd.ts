import { connect, type Socket } from 'node:net'

/** One connection of a crowd, and its reply. */
export type Member = {
  readonly socket: Socket
  /** The bytes received so far. */
  reply(): string
  readonly ended: Promise<void>
}

/**
 * Connections that are opened at once: fewer than wait to be accepted. A connection beyond these is open for the
 * client alone, which does not learn of it unless it sends something.
 */
const WAVE = 500

/** Opens this many connections and runs `behave` on each. */
export async function crowd(
  count: number,
  port: number,
  behave: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<readonly Member[]> {
  const members: Member[] = []
  for (let left = count; left > 0; left -= WAVE)
    members.push(...(await wave(Math.min(WAVE, left), port, behave, host)))
  return members
}

async function wave(
  count: number,
  port: number,
  behave: (socket: Socket) => void,
  host: string,
): Promise<readonly Member[]> {
  const members = Array.from({ length: count }, (): Member & { opened: Promise<void> } => {
    const socket = connect(port, host)
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    const opened = new Promise<void>((resolve) => {
      socket.on('connect', () => resolve()).on('close', () => resolve())
    })
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => {})
    return { socket, reply: () => text, opened, ended }
  })
  await Promise.all(members.map(({ opened }) => opened))
  for (const { socket } of members) if (!socket.destroyed) behave(socket)
  return members
}

/** Closes the connections that are still open. */
export const dismiss = (members: readonly Member[]): void => {
  for (const { socket } of members) socket.destroy()
}
