import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Serving } from '../../service/serving.js'
import { body } from '../../service/stage.js'
import { ask, type truths, withoutExclusions } from './crew.js'

const LONG = process.env['SWAP_LONG'] !== undefined
/** Requests that are under way with each process. */
const IN_FLIGHT = LONG ? 3 : 1
/** Milliseconds between two requests: changes of the leader are tested, not the load. */
const PAUSE_MS = LONG ? 0 : 100
/** Answers differ by amount; every process is asked for each of these many times. */
const AMOUNTS = LONG ? 20 : 3

/** Results of a load: every distinct answer is recomputed once, and all answers are compared. */
export type Found = { answers: number; compared: number; readonly bytes: Map<string, string> }

export const nothingFound = (): Found => ({ answers: 0, compared: 0, bytes: new Map() })

/** Sends requests to every process of a fleet until it is stopped. */
export const loadAll = (
  processes: readonly Serving[],
  expected: ReturnType<typeof truths>,
  found: Found,
  signal: AbortSignal,
): Promise<void>[] =>
  processes.flatMap((_, place) =>
    Array.from({ length: IN_FLIGHT }, (_each, nth) =>
      load(() => processes[place]!, expected, found, signal, 5 * nth),
    ),
  )

/** Loads one place, whichever process has it. */
async function load(
  current: () => Serving,
  expectedAnswers: ReturnType<typeof truths>,
  found: Found,
  signal: AbortSignal,
  first: number,
): Promise<void> {
  let process = current()
  let highest = 0
  for (let i = first; !signal.aborted; i += 1) {
    // A restarted process may begin at the fleet's height instead of its own last one.
    if (process !== current()) [process, highest] = [current(), 0]
    const request = body(`${1_000_000 + 7_919 * (i % AMOUNTS)}`)
    await wait(PAUSE_MS)
    const answer = await ask(process.url, request)
    if (answer === undefined) {
      await wait(50)
      continue
    }
    assert.ok(answer.height >= highest, `${answer.height} after ${highest}`)
    highest = answer.height
    found.answers += 1
    const key = `${answer.height} ${request.input.amount}`
    const before = found.bytes.get(key)
    if (before === undefined) {
      found.bytes.set(key, answer.text)
      const expected = await expectedAnswers.answer(request, answer.height)
      assert.ok(
        withoutExclusions(answer.text) === expected,
        `${key} was answered otherwise than the chain says`,
      )
    } else {
      found.compared += 1
      assert.ok(answer.text === before, `${key} has two answers`)
    }
  }
}
