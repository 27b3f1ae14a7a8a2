import type { AffiliateRounding } from '../../engine/market/market.js'

/** What is known of a router's builds, by the checksum of their code: SHA-256, upper-case hex. */
export type RouterBuilds = ReadonlyMap<string, AffiliateRounding>

/** Builds that any network may run (docs/venues.md#router-builds). */
export const routerBuilds: RouterBuilds = new Map([
  // The published artefact of 2025-09-25.
  ['DB717B562E3DB71A0B8D5A2A725A53D07290F384683E301316162EF0948597E7', 'up'],
])
