import { shippedDocument } from '../embedded.js'
import type { DemoDocument } from '../market/document.js'
import { DEMO_SEED, demoSnapshot } from '../market/snapshot.js'

/** The market that a chain of a seed begins with: the shipped one is read, others are drawn. */
export const firstMarket = (seed: number): DemoDocument =>
  ((seed === DEMO_SEED && shippedDocument()) || demoSnapshot(seed)) as DemoDocument
