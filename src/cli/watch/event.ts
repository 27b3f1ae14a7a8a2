import type { Json } from '../../engine/errors.js'

/** Why watching ended. */
export type End = {
  readonly reason: 'count' | 'until' | 'interrupted' | 'quit' | 'taken' | 'problem'
  readonly exit: number
}

/** The members of an event beside those that all events have. */
export type Body = { readonly type: string; readonly [member: string]: Json | object | undefined }

/** An event of the watch loop. `time` is in milliseconds since 1970. */
export type WatchEvent<Answer> = { readonly time: number } & (
  | {
      readonly kind: 'answer'
      readonly height: number
      readonly answer: Answer
      /** The reported events; `undefined` if the answer has not changed enough. */
      readonly told: readonly Body[] | undefined
    }
  | {
      readonly kind: 'problem'
      readonly error: unknown
      /** Only the end event follows. */
      readonly fatal: boolean
      readonly height: number | undefined
    }
  | { readonly kind: 'heartbeat'; readonly height: number | undefined }
  | ({ readonly kind: 'end' } & End)
)

/** Consumes events one after the other: as lines, values or a screen. */
export type Sink<Answer> = (moment: WatchEvent<Answer>) => Promise<void> | void
