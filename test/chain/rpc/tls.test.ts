import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { blockHints } from '../../../src/chain/rpc/block-hints.js'
import { NodeFault } from '../../../src/chain/rpc/faults.js'
import { openNodes } from '../../../src/chain/rpc/nodes.js'
import { bundled } from '../../support/bundle.js'
import { closing } from '../../support/closing.js'
import { certificate, privateKey } from './certificate.js'
import { CHAIN_ID, correctNode, failureOf, noPauses, openSource, sendCorrect } from './stage.js'

/** A node behind TLS that counts the requests it received. */
async function secureNode() {
  const seen = { requests: 0 }
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    seen.requests += 1
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => sendCorrect(response, Buffer.concat(chunks).toString(), 70))
  })
  server.on('upgrade', (_, socket) => {
    seen.requests += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return { port: (server.address() as AddressInfo).port, seen }
}

const heightOf = (url: string): Promise<number> =>
  closing(
    openSource({ chainId: CHAIN_ID, rpc: [url], deadlineMs: 5_000, limits: noPauses }),
  ).newestHeight()

/** Runs a function with Node set to trust any certificate. */
async function trustingAll<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
  }
}

describe('the certificate of a node', () => {
  test('that is not trusted is refused, and nothing is sent', async () => {
    const { port, seen } = await secureNode()
    const error = await failureOf(heightOf(`https://localhost:${port}`))
    assert.ok(error instanceof NodeFault && error.kind === 'tls', error.message)
    assert.match(
      error.message,
      /has a certificate that cannot be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    )
    assert.match(JSON.stringify(error.hint), /NODE_EXTRA_CA_CERTS/)
    assert.equal(seen.requests, 0)
  })

  test('is verified even where the environment disables it', async () => {
    const { port } = await secureNode()
    const error = await trustingAll(() => failureOf(heightOf(`https://localhost:${port}`)))
    assert.ok(error instanceof NodeFault && error.kind === 'tls')
  })

  test('is verified for its WebSocket as well, before the URL is sent', async () => {
    const { port, seen } = await secureNode()
    const rpc = [`https://localhost:${port}/key`]
    const nodes = closing(openNodes({ chainId: CHAIN_ID, rpc, deadlineMs: 5_000 }))
    await trustingAll(
      () =>
        new Promise<void>((resolve) => {
          const lost = () => resolve()
          const close = blockHints(nodes.rpc.endpoints, {
            silenceMs: 60_000,
            pauseMs: 60_000,
            heard: () => {},
            lost,
          })
          closing({ close })
        }),
    )
    assert.equal(seen.requests, 0)
  })

  test('that never arrives is a fault of the node', async () => {
    const { url } = closing(await correctNode(70))
    const error = await failureOf(heightOf(url.replace('http:', 'https:')))
    assert.ok(error instanceof NodeFault && error.kind === 'not_tls', error.message)
    assert.match(error.message, /answers without TLS .*\(EPROTO\)/)
    assert.match(JSON.stringify(error.hint), /http:\/\//)
  })

  test('that the system trusts is accepted for its own name only', async () => {
    const { port } = await secureNode()
    const folder = mkdtempSync(join(tmpdir(), 'swap-tls-'))
    const authority = join(folder, 'authority.pem')
    writeFileSync(authority, certificate)
    const script = `
      import { openSource } from ${JSON.stringify(await bundled('test/chain/rpc/stage.ts'))}
      for (const host of ['localhost', '127.0.0.1']) {
        const rpc = ['https://' + host + ':${port}']
        const source = openSource({ chainId: '${CHAIN_ID}', rpc, deadlineMs: 20_000 })
        console.log(await source.newestHeight().catch((error) => error.message))
        source.close()
      }`
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', script],
        { env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: authority } },
      )
      const [height, refusal] = stdout.trim().split('\n')
      assert.equal(height, '70')
      assert.match(refusal ?? '', /of another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
