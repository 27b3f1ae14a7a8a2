import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'vitest'
import { boundConnections } from '../../../src/service/guards/admission.js'
import { connectionsWithin, mostOpenFiles } from '../../../src/service/guards/limits.js'

test('connections leave files to nodes and databases', () => {
  const limits = [100, 1_024, 20_000, Number.POSITIVE_INFINITY].map(connectionsWithin)
  assert.deepEqual(limits, [50, 768, 12_000, 12_000])
  assert.ok(mostOpenFiles() >= 100)
})

test('a connection beyond the total is closed and reported', async () => {
  let refused = 0
  const server = createServer()
  boundConnections(server, () => {
    refused += 1
  })
  server.maxConnections = 1
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const first = connect(port, '127.0.0.1')
  await once(server, 'connection')
  await once(connect(port, '127.0.0.1').resume(), 'close')
  assert.deepEqual([refused, first.destroyed], [1, false])
  first.destroy()
  await once(server.close(), 'close')
})
