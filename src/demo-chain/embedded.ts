import { readFileSync } from 'node:fs'
import type { Market } from '../engine/market/market.js'
import { decodeSnapshot } from '../engine/snapshot/decode.js'

/**
 * The market that ships with the program, as of one made-up block. The build writes the document
 * beside the bundle; run from source it is drawn anew, which gives the same document.
 */
export async function embeddedMarket(): Promise<Market> {
  return decodeSnapshot(shippedDocument() ?? (await drawnDocument()), 'the demo market')
}

/** The document that the build wrote, or `undefined` when run from source. */
export function shippedDocument(): unknown {
  // The bundle keeps its chunks one folder below the document.
  for (const place of ['../demo-market.json', './demo-market.json']) {
    const text = readIfThere(new URL(place, import.meta.url))
    if (text !== undefined) return JSON.parse(text)
  }
  return undefined
}

async function drawnDocument(): Promise<unknown> {
  const { demoSnapshot, DEMO_SEED } = await import('./market/snapshot.js')
  return demoSnapshot(DEMO_SEED)
}

function readIfThere(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return undefined
  }
}
