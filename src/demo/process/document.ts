import type { DemoDocument } from '../market/document.js'
import { demoSnapshot } from '../market/snapshot.js'

/** The market that a chain of a seed begins with. */
export const firstMarket = (seed: number): DemoDocument => demoSnapshot(seed) as DemoDocument
