import { readFileSync } from 'node:fs'
import type { DemoDocument } from './document.js'

/**
 * The document of the demo market that the build wrote next to the bundle, as parsed JSON; `undefined` if the program
 * runs from source.
 */
export function shippedMarket(): DemoDocument | undefined {
  // The bundle keeps its chunks one folder below the document.
  for (const place of ['../demo-market.json', './demo-market.json']) {
    const text = readIfPresent(new URL(place, import.meta.url))
    if (text !== undefined) return JSON.parse(text)
  }
  return undefined
}

function readIfPresent(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return undefined
  }
}
