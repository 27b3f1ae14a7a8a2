// A server for the bench, alone in its process: says where it listens, ends with its standard input.
import { fastify } from 'fastify'
import { demo } from '../../src/chain/networks/demo.js'
import { feedOf, fixedFeedOf, fixedParts } from '../../src/compose/serve.js'
import { DEMO_SEED, demoSnapshot } from '../../src/demo-chain/market/snapshot.js'
import { filesIn } from '../../src/demo-chain/process/files.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import { operationOf } from '../../src/operations/operations.js'
import { setUpForService } from '../../src/platform/v8-settings.js'
import { createService } from '../../src/service/service.js'
import { type Pool, poolOf } from '../../src/service/workers/worker-pool.js'

setUpForService()
const [kind = '', where = 'threads', state = ''] = process.argv.slice(2)
const market = decodeSnapshot(demoSnapshot(DEMO_SEED), 'the demo market')

/** What the service would be without threads: everything on the one that serves. */
const inline: Pool = {
  async run({ operation, request, served }) {
    return JSON.stringify(await operationOf(operation).prepare(request).run(served.patient))
  },
  waiting: () => 0,
  busy: () => 0,
  close: () => Promise.resolve(),
}

/** Fastify with nothing around it, sending a body of so many bytes. */
async function trivial(bytes: number): Promise<string> {
  const server = fastify()
  const body = JSON.stringify({ text: 'x'.repeat(bytes) })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) =>
    done(null, text),
  )
  server.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: (_, reply) => reply.header('content-type', 'application/json').send(body),
  })
  return server.listen({ port: 0 })
}

async function service(): Promise<string> {
  const { spawn } = fixedParts(market)
  const { server } = await createService({
    version: 'bench',
    commit: 'bench',
    feed:
      state === ''
        ? fixedFeedOf(market)
        : feedOf(
            {
              network: demo,
              places: filesIn(state),
              timeoutMs: 20_000,
              blockTimeMs: 500,
            },
            {},
          ),
    pool: where === 'inline' ? inline : poolOf({ threads: 1, queue: 64, spawn }),
    streamPool: inline,
    log: { request: () => {}, event: () => {} },
    hosts: [],
    cors: [],
    rate: undefined,
    keepAlive: 5_000,
  })
  return server.listen({ host: '127.0.0.1', port: 0 })
}

process.stdin.on('end', () => process.exit()).resume()
console.log(kind === 'trivial' ? await trivial(Number(where)) : await service())
