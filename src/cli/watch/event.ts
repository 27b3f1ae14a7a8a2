import type { Json } from '../../engine/errors.js'
import { hundredths, rational } from '../../engine/math/rational.js'
import type { HookEnd } from './hook.js'

/** Why watching ended. */
export type WatchEnd = {
  readonly reason: 'count' | 'until' | 'interrupted' | 'quit' | 'taken' | 'problem'
  readonly exit: number
}

/** The members of an event beside those that all events have. */
export type EventBody = {
  readonly type: string
  readonly [member: string]: Json | object | undefined
}

/** An event of the watch loop. `time` is in milliseconds since 1970. */
export type WatchEvent<Answer> = { readonly time: number } & (
  | {
      readonly kind: 'answer'
      readonly height: number
      readonly answer: Answer
      /** The events of the answer; `undefined` if it has not changed enough to be reported. */
      readonly reported: readonly EventBody[] | undefined
    }
  | {
      readonly kind: 'problem'
      readonly error: unknown
      /** Only the end event follows. */
      readonly fatal: boolean
      readonly height: number | undefined
    }
  | ({ readonly kind: 'exec'; readonly height: number } & HookEnd)
  | { readonly kind: 'heartbeat'; readonly height: number | undefined }
  | ({ readonly kind: 'end' } & WatchEnd)
)

/** Consumes events one after the other: as lines, values or a screen. */
export type EventSink<Answer> = (event: WatchEvent<Answer>) => Promise<void> | void

/** Whether a watched number has changed by at least `bps` of what it was. */
export const hasMoved = (now: bigint, was: bigint, bps: bigint): boolean =>
  (now > was ? now - was : was - now) * 10_000n >= bps * was

/** The change of a watched number in basis points, as events have it. */
export const changeBps = (now: bigint, was: bigint): number =>
  hundredths(rational(now - was, was), 10_000n)
