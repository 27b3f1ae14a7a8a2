import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { execute } from '../../src/execution/execute.js'
import { newIntentId } from '../../src/execution/journal/journal.js'
import { slippageFlag, stage } from './stage.js'

describe('a swap with an affiliate and no slippage', () => {
  for (const routerBuild of ['source', 'published'] as const)
    test(`is paid what was quoted by the ${routerBuild} build of the router`, async () => {
      const at = await stage({ routerBuild })
      const order = await at.order({ ...slippageFlag(0), affiliate: 'acme' }, 1_000_003n)
      const legs = order.requested.legs.map((leg) => ({ ...leg, least: 1n, quoted: undefined }))
      const asked = { ...order, requested: { ...order.requested, legs } }
      const { report, error } = await execute(at.session(), asked, newIntentId)
      assert.equal(error, undefined)
      assert.equal(report.status, 'confirmed')
      assert.ok(report.legs.length > 0)
      for (const { received, quoted } of report.legs) assert.equal(received, quoted)
    })
})
