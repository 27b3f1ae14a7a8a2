import type { Board, Standing } from '../../../history/fleet/board.js'
import { StoreFault } from '../../../history/store/fault.js'

/** A standing with the moment of a monotonic clock at which the newest snapshot was published. */
export type Known = {
  readonly newest: { readonly height: number; readonly at: number } | undefined
  readonly epoch: Standing['epoch']
}

/** A board that is opened again when its database was gone. */
export type Connection = {
  /** What the board says; nothing while it cannot be asked. Waits for the first connection only. */
  known(): Promise<Known | undefined>
  /** Runs a use of the board. @throws what it fails with, `StoreFault` where there is no board */
  use<T>(act: (board: Board) => Promise<T>): Promise<T>
  /** Why the board cannot be asked, where that is so. */
  fault(): unknown
  close(): void
}

export type ConnectionOptions = {
  open(woken: () => void): Promise<Board>
  /** Called back when something may have been published, and when there is a connection again. */
  woken(): void
  now(): number
}

/** Milliseconds after which the board is asked though nobody has called, and opened again. */
const POLL_MS = 1_000

/** Keeps a board open. It is asked once a second, or when it calls. */
export function connectionOf({ open, woken, now }: ConnectionOptions): Connection {
  let board: Board | undefined
  let opening = false
  let closed = false
  let isFirst = true
  let fault: unknown
  let known: Known | undefined
  let [tried, asked, isStale] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, true]

  const call = () => {
    isStale = true
    woken()
  }
  const drop = (from: Board, why: unknown) => {
    if (board !== from) return
    fault = why
    ;[board, known] = [undefined, undefined]
    from.close()
  }
  const connect = async (): Promise<void> => {
    if (opening || closed || now() - tried < POLL_MS) return
    ;[opening, tried] = [true, now()]
    try {
      const opened = await open(call)
      if (closed) return opened.close()
      ;[board, fault] = [opened, undefined]
      opened.lost.addEventListener('abort', () => drop(opened, connectionLost()))
      call()
    } catch (error) {
      fault = error
    } finally {
      opening = false
    }
  }
  const use: Connection['use'] = async (act) => {
    const used = board
    if (used === undefined) throw fault ?? connectionLost()
    try {
      return await act(used)
    } catch (error) {
      // Who has lost the lead is told so by a board that is in order.
      if (!(error instanceof StoreFault && error.kind === 'lost')) drop(used, error)
      isStale = true
      throw error
    }
  }
  return {
    use,
    async known() {
      if (board === undefined) {
        const connecting = connect()
        if (!isFirst) return undefined
        isFirst = false
        await connecting
        if (board === undefined) return undefined
      }
      if (!isStale && now() - asked < POLL_MS) return known
      ;[isStale, asked] = [false, now()]
      try {
        known = knownOf(await use((from) => from.standing()), asked)
      } catch {
        known = undefined
      }
      return known
    },
    fault: () => (board === undefined ? fault : undefined),
    close() {
      closed = true
      board?.close()
      board = undefined
    },
  }
}

/** Aged from before it was asked for: never younger than it is. */
const knownOf = ({ newest, epoch }: Standing, asked: number): Known => ({
  newest: newest && { height: newest.height, at: asked - newest.ageMs },
  epoch,
})

const connectionLost = (): StoreFault =>
  new StoreFault('down', 'the database of the fleet cannot be used', {
    why: 'the connection was lost',
    hint: 'it is tried again every second',
  })
