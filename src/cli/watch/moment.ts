import type { Json } from '../../engine/errors.js'

/** Why watching ended. */
export type End = {
  readonly reason: 'count' | 'until' | 'interrupted' | 'quit' | 'taken' | 'problem'
  readonly exit: number
}

/** An event's own members; what every event has is added where it is written. */
export type Body = { readonly type: string; readonly [member: string]: Json | object | undefined }

/** One thing that happens while watching. `time` is in milliseconds since 1970. */
export type Moment<Answer> = { readonly time: number } & (
  | {
      readonly kind: 'answer'
      readonly height: number
      readonly answer: Answer
      /** What is told of it; `undefined` where it has not moved enough. */
      readonly told: readonly Body[] | undefined
    }
  | {
      readonly kind: 'problem'
      readonly error: unknown
      /** Nothing follows but the end. */
      readonly fatal: boolean
      readonly height: number | undefined
    }
  | { readonly kind: 'heartbeat'; readonly height: number | undefined }
  | ({ readonly kind: 'end' } & End)
)

/** Where moments go: lines, values or a screen. One after the other. */
export type Sink<Answer> = (moment: Moment<Answer>) => Promise<void> | void
