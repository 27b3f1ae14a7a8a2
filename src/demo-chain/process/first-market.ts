import type { DemoDocument } from '../market/document.js'
import { shippedMarket } from '../market/shipped.js'
import { DEMO_SEED, demoSnapshot } from '../market/snapshot.js'

/** The market that a chain of a seed begins with: the shipped one is read, others are generated. */
export const firstMarket = (seed: number): DemoDocument =>
  (seed === DEMO_SEED && shippedMarket()) || demoSnapshot(seed)
