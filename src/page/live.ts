import { type ComparedAnswer, serviceSide } from './agreement.js'
import type { NumberedQuestion } from './messages.js'
import { streamPath } from './question.js'

/** The document of `/readyz`. */
export type Readiness = {
  readonly ready: boolean
  readonly reasons: readonly string[]
  readonly heights: {
    readonly node: number | null
    readonly served: number | null
    readonly indexed: number | null
  }
}

/** Callbacks for data of the service. */
type LiveListeners = {
  /** The market document of a new block. */
  market(text: string): void
  /** The service's answer to a question. */
  answered(id: number, side: ComparedAnswer): void
  readiness(document: Readiness | undefined): void
}

/** Interval between two polls of the readiness. */
const POLL_MS = 2_000
/** Patience with a document: a service that is stuck cannot be reached. A market takes longer on a slow line. */
const PATIENCE_MS = 8_000
const MARKET_MS = 60_000
/** Delay before a refused stream is reopened. */
const REOPEN_MS = 3_000
/** Polls with another height than that of the last event after which a stream counts as lost: half a minute. */
const SILENT_POLLS = 15

/**
 * Follows the service while the page is visible: the stream of the question, the market of each block, and whether
 * it is ready.
 *
 * @returns a function that changes the question
 */
export function follow(listeners: LiveListeners): (asked: NumberedQuestion | undefined) => void {
  let asked: NumberedQuestion | undefined
  let stream: EventSource | undefined
  let height: number | undefined
  let streamed: number | undefined
  let silentPolls = 0
  let isFetching = false
  let pollTimer: ReturnType<typeof setTimeout> | undefined
  let reopenTimer: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    clearTimeout(reopenTimer)
    stream?.close()
    stream = undefined
  }
  const open = (): void => {
    close()
    silentPolls = 0
    if (asked === undefined || document.hidden) return
    const { id, question } = asked
    const opened = new EventSource(streamPath(question))
    stream = opened
    for (const kind of ['quote', 'problem'] as const)
      opened.addEventListener(kind, ({ lastEventId, data }: MessageEvent<string>) => {
        const at = Number(lastEventId)
        streamed = at
        silentPolls = 0
        const side = serviceSide(at, kind, data)
        if (side !== undefined) listeners.answered(id, side)
        if (at !== height) void fetchMarket()
      })
    opened.addEventListener('error', () => {
      // The browser reopens an interrupted stream by itself, but not a refused one.
      if (opened.readyState === EventSource.CLOSED && stream === opened)
        reopenTimer = setTimeout(open, REOPEN_MS)
    })
  }
  const fetchMarket = async (): Promise<void> => {
    if (isFetching) return
    isFetching = true
    try {
      // The browser revalidates with the entity tag of its cached document.
      const response = await load('swap/snapshot?compact=true', MARKET_MS)
      if (!response.ok) return
      const text = await response.text()
      const fetched = Number(/"height":(\d+)/.exec(text)?.[1])
      if (fetched !== height) listeners.market(text)
      height = fetched
    } catch {
      // The next poll reports that the service is unreachable.
    } finally {
      isFetching = false
    }
  }
  const poll = async (): Promise<void> => {
    clearTimeout(pollTimer)
    if (document.hidden) return
    const answer = await readJson<Readiness>('readyz')
    // A proxy in front of a service that is away answers with documents of its own.
    const readiness = answer?.heights && answer
    listeners.readiness(readiness)
    const served = readiness?.heights.served
    if (served !== undefined && served !== (height ?? null)) void fetchMarket()
    // A connection that was lost without being closed has no error.
    if (served !== undefined && served !== streamed && ++silentPolls >= SILENT_POLLS) open()
    clearTimeout(pollTimer)
    pollTimer = setTimeout(poll, POLL_MS)
  }
  document.addEventListener('visibilitychange', () => {
    open()
    void poll()
  })
  void poll()
  return (next) => {
    asked = next
    open()
  }
}

const load = (path: string, ms: number): Promise<Response> =>
  fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(ms) })

/** A JSON document of the service with any status; `undefined` if the service is unreachable or slow. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return (await (await load(path, PATIENCE_MS)).json()) as T
  } catch {
    return undefined
  }
}
