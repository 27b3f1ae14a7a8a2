import { readJson } from '../../support/vectors.js'

/** A request and its answer as a real node gave it. */
export type Exchange = {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly response: unknown
}

/** Every recorded file by its name: most are exchanges. */
export const recorded = readJson<Readonly<Record<string, unknown>>>('node_exchanges.json')

export const isExchange = (file: unknown): file is Exchange =>
  typeof file === 'object' &&
  file !== null &&
  'request' in file &&
  'status' in file &&
  typeof (file as Exchange).request.url === 'string'

/** Files of one pattern that are complete exchanges. */
export const exchanges: ReadonlyMap<string, Exchange> = new Map(
  Object.entries(recorded).flatMap(([name, file]) => (isExchange(file) ? [[name, file]] : [])),
)
