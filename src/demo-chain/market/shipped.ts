import { readFileSync } from 'node:fs'
import { attempt } from '../../platform/attempt.js'
import type { DemoDocument } from './document.js'

/**
 * The document of the demo market that the build wrote next to the bundle, as parsed JSON; `undefined` if the program
 * runs from source.
 */
export function shippedMarket(): DemoDocument | undefined {
  // The bundle keeps its chunks one folder below the document.
  for (const place of ['../demo-market.json', './demo-market.json']) {
    const text = attempt(() => readFileSync(new URL(place, import.meta.url), 'utf8'))
    if (text !== undefined) return JSON.parse(text)
  }
  return undefined
}
