import type { Agent } from 'node:http'
import { SwapError } from '../../../engine/errors.js'
import type { Clock } from '../clock.js'
import type { Ending } from '../ending.js'
import type { Limits } from '../limits.js'
import { agentFor } from './agent.js'
import { maskedUrl, secretsOf } from './mask.js'

/** What every exchange of a source goes by. */
export type Surroundings = {
  readonly limits: Limits
  readonly clock: Clock
  /** From 0 up to but without 1. */
  readonly random: () => number
  /** Aborted when answers are no longer wanted. */
  readonly ending: Ending
}

/** One URL that can be asked, and the connections to it. */
export type Target = Surroundings & {
  readonly url: URL
  /** The URL as texts may show it. */
  readonly shown: string
  readonly secrets: readonly string[]
  readonly agent: Agent
}

/**
 * Reads an endpoint from configuration. `tcp://` is what Cosmos programs write for `http://`.
 *
 * @throws SwapError INVALID_REQUEST, in which the text is not repeated: it may hold a key
 */
export function targetOf(text: string, surroundings: Surroundings): Target {
  const url = urlOf(text)
  return {
    ...surroundings,
    url,
    shown: maskedUrl(url),
    secrets: secretsOf(url),
    agent: agentFor(url, surroundings.limits, surroundings.clock),
  }
}

function urlOf(text: string): URL {
  const url = parsed(text.replace(/^tcp:/, 'http:'))
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new SwapError('INVALID_REQUEST', 'the address of a node cannot be used', {
    why: 'it is no URL that begins with http:// or https://',
    hint: 'write it like https://rpc.example.com:443',
    members: { errors: [{ pointer: '/rpc', detail: 'not an http or https URL' }] },
  })
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
