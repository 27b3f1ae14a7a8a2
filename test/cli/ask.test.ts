import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test as it, test } from 'vitest'
import { faucetAddress } from '../../src/demo-chain/genesis/known-accounts.js'
import { type Ended, runSwap } from '../support/cli.js'
import { temporaryFolder } from '../support/folder.js'

const LONG = process.env['SWAP_LONG'] !== undefined
const homes: string[] = []

/** The program with a home and a state folder of its own. */
function fresh() {
  const home = temporaryFolder('cli-ask')
  homes.push(home)
  const env = { SWAP_HOME: home, HOME: home }
  return {
    home,
    run: (...args: readonly string[]): Promise<Ended> => runSwap(args, { env }),
    feed: (input: string, ...args: readonly string[]): Promise<Ended> =>
      runSwap(args, { env, input }),
  }
}

afterAll(async () => {
  for (const home of homes) {
    await runSwap(['demo', 'stop'], { env: { SWAP_HOME: home } })
    rmSync(home, { recursive: true, force: true })
  }
})

const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout)
const wordsOf = ({ stderr }: Ended) => stderr.replace(/\s+/g, ' ')
const faucet = faucetAddress('demo')

/** The same questions to the chain inside the command, and to a process that runs it. */
const doors = [
  ['without a process', () => fresh()],
  [
    'with a process',
    async () => {
      const home = fresh()
      // No block passes between a quote and what is asked about it.
      await home.run('demo', 'start', '--port', '0', '--block-time', '600s', '-qq')
      return home
    },
  ],
] as const

for (const [sentence, open] of doors)
  describe(`asking the demo chain ${sentence}`, () => {
    /** With a process the long run asks everything, the short one what every command goes through. */
    const test = (name: string, work: () => Promise<void>, isAlwaysAsked = false) => {
      if (LONG || isAlwaysAsked || sentence === 'without a process') it(name, work)
    }
    let home: ReturnType<typeof fresh>
    beforeAll(async () => {
      home = await open()
    })

    test('route --verify: the contracts give our numbers', async () => {
      const { verify, routes, height } = jsonOf(
        await home.run('route', '0.1', 'btc', 'rune', '--verify', '--json'),
      )
      assert.deepEqual([verify.height, verify.routes.length], [height, routes.length])
      assert.equal(verify.routes[0].agrees, true)
      assert.equal(verify.routes[0].router.difference, '0')
      const human = (await home.run('route', '0.1', 'btc', 'rune', '--verify', '-o', 'human'))
        .stdout
      assert.match(human, /Asked the contracts at block \d+/)
      assert.match(human, /router .* 0 {2}same/)
    })

    test('sroute --verify: the contracts give our numbers, leg by leg', async () => {
      const { verify, routes, height } = jsonOf(
        await home.run('sroute', '0.1', 'btc', 'rune', '--verify', '--json'),
      )
      assert.deepEqual([verify.height, verify.agrees], [height, true])
      assert.equal(verify.routes[0].legs.length, routes[0].legs.length)
      const call = ['sroute', '0.1', 'btc', 'rune', '--verify']
      const human = (await home.run(...call, '-o', 'human')).stdout
      assert.match(human, /Asked the contracts at block \d+/)
      assert.match(human, /L1 .* router .* 0 {2}same/)
      assert.match((await home.run(...call)).stdout, /^verify\.1\.leg\.1\.router\.difference\t0$/m)
    })

    test('simulate: legs that share a book are paid together what their transaction brings', async () => {
      const legs = ['--legs', '0.06:rune/btc', '--legs', '0.04:rune/btc']
      const quote = await home.run('sroute', '0.1', 'btc', 'rune', ...legs, '--json')
      const file = join(home.home, 'quote.json')
      writeFileSync(file, quote.stdout)
      const { legs: asked, transaction } = jsonOf(
        await home.run('simulate', file, '--from', faucet, '--json'),
      )
      assert.deepEqual(
        asked.map(({ difference }: { difference: string }) => difference),
        ['0', '0'],
      )
      const [{ expected_output }] = jsonOf(quote).routes
      assert.equal(transaction.received.amount, expected_output)
      const missing = await home.run('simulate', join(home.home, 'nothing.json'))
      assert.deepEqual([missing.status, /no such file/.test(missing.stderr)], [2, true])
    })

    test(
      'simulate: a new quote, one that was kept, and one on standard input',
      async () => {
        const first = jsonOf(await home.run('simulate', '0.1', 'btc', 'rune', '--json'))
        assert.deepEqual([first.within, first.legs[0].difference], [true, '0'])
        const quote = await home.run('route', '0.1', 'btc', 'rune', '--json')
        const id = /quote (q_[0-9a-f]{8})/.exec(quote.stderr)?.[1] ?? ''
        const kept = jsonOf(await home.run('simulate', id, '--json'))
        assert.deepEqual(
          [kept.height, kept.legs[0].returned],
          [jsonOf(quote).height, jsonOf(quote).routes[0].simulated_output],
        )
        assert.deepEqual(jsonOf(await home.feed(quote.stdout, 'simulate', '-', '--json')), kept)
        assert.equal((await home.run('simulate', id, '-q')).stdout, `${kept.legs[0].returned}\n`)
      },
      true,
    )

    test('simulate --from: the transaction would pass, and nothing is sent', async () => {
      const { transaction } = jsonOf(
        await home.run('simulate', '0.1', 'btc', 'rune', '--from', faucet, '--json'),
      )
      assert.deepEqual([transaction.succeeds, transaction.min_return_met], [true, true])
      const text = (
        await home.run('simulate', '0.1', 'btc', 'rune', '--from', faucet, '-o', 'human')
      ).stdout
      assert.match(text, /Transaction would succeed · gas \d+/)
      assert.match(text, /met with .* RUNE to spare/)
    })

    test(
      'book and balances',
      async () => {
        const asked = await home.run('book', 'btc/usdc', '--levels', '3', '--json')
        const answer = jsonOf(asked)
        assert.deepEqual([answer.asks.levels.length, answer.bids.levels.length], [3, 3])
        assert.equal(
          jsonOf(await home.run('book', 'usdc', 'btc', '--json')).pair.address,
          answer.pair.address,
        )
        assert.equal(
          (await home.run('book', 'btc/usdc', '--levels', '3')).stdout.trim().split('\n').length,
          6,
        )
        assert.match(
          (await home.run('book', 'btc/usdc', '--csv')).stdout,
          /^network,height,pair,side,/,
        )
        const { balances } = jsonOf(await home.run('balances', faucet, '--json'))
        assert.ok(balances.some(({ denom }: { denom: string }) => denom === 'rune'))
        assert.match((await home.run('balances', faucet)).stdout, /^\S+\t\S+\t\d+\t/)
      },
      true,
    )

    test('doctor finds nothing wrong', async () => {
      const { status, stdout } = await home.run('doctor', '--json')
      const { failed, checks } = JSON.parse(stdout)
      assert.deepEqual([status, failed], [0, 0], stdout)
      assert.ok(checks.some(({ name }: { name: string }) => name === 'contract'))
      assert.match(
        (await home.run('doctor', '-o', 'human')).stdout,
        /✓ node .* answers in \d+ ms, height/,
      )
    })

    test('--height answers as of a block, or says which blocks there are', async () => {
      const { height } = jsonOf(await home.run('tokens', '--json'))
      for (const command of [['tokens'], ['book', 'btc/usdc'], ['route', '1', 'btc', 'rune']]) {
        const answer = await home.run(...command, '--height', `${height}`, '--json')
        assert.equal(jsonOf(answer).height, height, answer.stderr)
        const pruned = await home.run(...command, '--height', '3', '--json')
        assert.deepEqual([pruned.status, jsonOf(pruned).code], [2, 'NOT_FOUND'])
        assert.equal(jsonOf(pruned).earliest, 120)
      }
      assert.match(wordsOf(await home.run('tokens', '--height', '999999999')), /not there yet/)
    })
  })

describe('a chain that fails', () => {
  const { run } = fresh()
  /** A fault of each code, and the others. */
  const rows: readonly (readonly [kind: string, code: string])[] = [
    ['refuse', 'UPSTREAM_ERROR'],
    ['hang', 'UPSTREAM_TIMEOUT'],
    ['429', 'UPSTREAM_RATE_LIMITED'],
    ['not-json', 'UPSTREAM_INVALID_DATA'],
  ]
  const others: typeof rows = [
    ['reset', 'UPSTREAM_ERROR'],
    ['drip', 'UPSTREAM_TIMEOUT'],
    ['huge', 'UPSTREAM_INVALID_DATA'],
    ['502', 'UPSTREAM_ERROR'],
    ['partial-batch', 'UPSTREAM_INVALID_DATA'],
    ['wrong-id', 'UPSTREAM_INVALID_DATA'],
  ]
  for (const [kind, code] of [...rows, ...(LONG ? others : [])])
    test(`${kind}: the node is named and its fault is, in time, and nothing is called a missing route`, async () => {
      await run('demo', 'fail', kind, '-qq')
      const began = performance.now()
      const ended = await run('route', '0.1', 'btc', 'rune', '--timeout', '1s', '--json')
      assert.ok(performance.now() - began < 10_000)
      await run('demo', 'fail', 'off', '-qq')
      const problem = jsonOf(ended)
      assert.deepEqual([ended.status, problem.code], [4, code])
      assert.equal(problem.upstream, 'the demo chain')
      assert.equal(problem.upstreams.length, 1)
    })

  test('a node that is slow, odd or partly pruned, but answers, is read all the same', async () => {
    const plain = (await run('route', '0.1', 'btc', 'rune', '-q')).stdout
    for (const kind of ['shuffled-batch', 'batch-cap', 'old-encoding']) {
      await run('demo', 'fail', kind, '-qq')
      assert.equal((await run('route', '0.1', 'btc', 'rune', '-q')).stdout, plain, kind)
      await run('demo', 'fail', 'off', '-qq')
    }
  })

  test('the doctor says what is switched on, and exits with 1', async () => {
    await run('demo', 'fail', '502', '-qq')
    const { status, stdout } = await run('doctor')
    await run('demo', 'fail', 'off', '-qq')
    assert.equal(status, 1)
    assert.match(stdout, /^fail\tnode\tthe demo chain answered with HTTP status 502/m)
    assert.match(stdout, /^note\tdemo\t.*switched on: 502/m)
  })
})

describe('networks on the command line', () => {
  test('every endpoint is named with its fault, and no secret of it', async () => {
    const { run } = fresh()
    const ended = await run(
      ...['route', '1', 'btc', 'rune', '-n', 'mainnet', '--timeout', '3s', '--json'],
      ...['--rpc', 'http://me:hunter22@127.0.0.1:1/9f86d081884c7d65'],
      ...['--rpc', 'http://127.0.0.1:2?key=abcdef01'],
    )
    const problem = jsonOf(ended)
    assert.deepEqual([ended.status, problem.code], [4, 'UPSTREAM_ERROR'])
    assert.deepEqual(
      problem.upstreams.map(({ upstream, fault }: Record<string, string>) => [upstream, fault]),
      [
        ['http://***@127.0.0.1:1/***', 'refused'],
        ['http://127.0.0.1:2?key=***', 'refused'],
      ],
    )
    assert.doesNotMatch(ended.stdout + ended.stderr, /hunter22|9f86|abcdef01/)
    const list = (await run('config', 'list', '--rpc', 'http://me:hunter22@127.0.0.1:1')).stdout
    assert.match(list, /rpc\thttp:\/\/\*\*\*@127\.0\.0\.1:1/)
  })

  test('a node of another chain is a fault, not a market', async () => {
    const { run } = fresh()
    const { rpc } = jsonOf(await run('demo', 'start', '--port', '0', '--json'))
    const ended = await run('tokens', '-n', 'mainnet', '--rpc', rpc, '--json')
    assert.deepEqual([ended.status, jsonOf(ended).fault], [4, 'wrong_chain'])
    assert.match(jsonOf(ended).detail, /is of the chain "demo-1"/)
    const own = await run(
      'route',
      '0.1',
      'btc',
      'rune',
      '--rpc',
      'http://127.0.0.1:1',
      '--rpc',
      rpc,
      '--json',
    )
    assert.equal(jsonOf(own).chain_id, 'demo-1')
    await run('demo', 'stop')
  })

  test('one of your own is used, and titles call it by its name in capitals', async () => {
    const { run, home } = fresh()
    const { rpc, router } = jsonOf(await run('demo', 'start', '--port', '0', '--json'))
    const entry = { chain_id: 'demo-1', prefix: 'demo', rpc, code_ids: [1, 2] }
    const more = { label: 'rujira-fin:', router: { address: router }, chain: 'thor' }
    writeFileSync(
      join(home, '.swaprc'),
      JSON.stringify({ network: 'mine', networks: { mine: { ...entry, ...more } } }),
    )
    const answer = jsonOf(await run('tokens', '--json'))
    assert.deepEqual([answer.network, answer.chain_id], ['mine', 'demo-1'])
    assert.match(
      (await run('route', '0.1', 'btc-btc', 'rune', '-o', 'human')).stdout,
      / MINE · block/,
    )
    const red = (await run('route', '0.1', 'btc-btc', 'rune', '-o', 'human', '--color', 'always'))
      .stdout
    assert.ok(red.includes('\u001b[91mMINE'))
    await run('demo', 'stop')
  })

  test('what cannot be meant is refused with its reason', async () => {
    const { run } = fresh()
    const rows: readonly (readonly [readonly string[], string, RegExp])[] = [
      [['tokens', '-n', 'mainet'], 'INVALID_REQUEST', /did you mean mainnet/],
      [['tokens', '--rpc', 'localhost:26657'], 'INVALID_REQUEST', /http:\/\/ or https:\/\//],
      [['tokens', '--timeout', '20'], 'INVALID_REQUEST', /ms, s or m/],
      [['tokens', '--height', '1.5'], 'INVALID_REQUEST', /is no block/],
      [['book'], 'INVALID_REQUEST', /the pair is missing/],
      [['book', 'btc'], 'NOT_FOUND', /two tokens with a slash/],
      [['book', 'btc/btc'], 'NOT_FOUND', /no book trades these two/],
      [['book', 'btc/runr'], 'UNKNOWN_TOKEN', /did you mean/],
      [['book', 'btc/usdc', '--levels', '0'], 'INVALID_REQUEST', /from 1 to 1000/],
      [['balances', 'mian'], 'INVALID_ADDRESS', /neither an address nor a name/],
      [['balances', 'thor1xyz'], 'INVALID_ADDRESS', /checksum/],
      [['simulate'], 'INVALID_REQUEST', /the quote is missing/],
      [['simulate', 'q_00000000'], 'NOT_FOUND', /no quote q_00000000 is kept/],
      [['simulate', '1', 'btc', 'rune', '--from', 'demo1x'], 'INVALID_ADDRESS', /checksum/],
      [['simulate', '1', 'btc', 'rune', '--tolerance', '5'], 'INVALID_REQUEST', /unit is missing/],
      [['doctor', 'nod'], 'INVALID_REQUEST', /did you mean node/],
    ]
    for (const [args, code, text] of rows) {
      const ended = await run(...args)
      assert.equal(ended.status, 2, args.join(' '))
      assert.ok(wordsOf(ended).includes(`code ${code}`), `${args.join(' ')}: ${wordsOf(ended)}`)
      assert.match(wordsOf(ended), text, args.join(' '))
      assert.equal(jsonOf(await run(...args, '--json')).code, code)
    }
  })

  test('from a saved market there is nobody to ask', async () => {
    const { run, home } = fresh()
    const file = join(home, 'market.json')
    await run('snapshot', 'save', file)
    for (const args of [
      ['balances', faucet],
      ['simulate', '1', 'btc', 'rune'],
      ['route', '1', 'btc', 'rune', '--verify'],
    ])
      assert.match(
        wordsOf(await run(...args, '--snapshot', file)),
        /needs a chain that can be asked/,
      )
    assert.equal(jsonOf(await run('book', 'btc/usdc', '--snapshot', file, '--json')).height, 120)
    assert.equal((await run('tokens', '--snapshot', file, '--height', '119')).status, 2)
  })
})

describe('simulate as a judge', () => {
  test('a quote that is off ends with 5: one document, or the table and four lines', async () => {
    const { run, feed } = fresh()
    const answer = jsonOf(await run('route', '0.1', 'btc', 'rune', '--json'))
    const ours = BigInt(answer.routes[0].simulated_output)
    answer.routes[0].simulated_output = `${ours + 7n}`
    const text = JSON.stringify(answer)
    const json = await feed(text, 'simulate', '-', '--json')
    assert.deepEqual([json.status, jsonOf(json).code], [5, 'SIMULATION_MISMATCH'])
    assert.equal(jsonOf(json).legs[0].difference, '-7')
    const human = await feed(text, 'simulate', '-', '-o', 'human')
    assert.match(human.stdout, /-0\.00000007 [A-Z]+ {2}differs/)
    assert.match(wordsOf(human), /code SIMULATION_MISMATCH \(exit 5\)/)
    assert.equal((await feed(text, 'simulate', '-', '--tolerance', '1bps')).status, 0)
  })

  test('a problem on standard input is passed on with its own exit code', async () => {
    const { run, feed } = fresh()
    const problem = await run(
      'route',
      '1',
      'btc',
      'rune',
      '--via',
      'btc',
      '--max-impact',
      '0bps',
      '--json',
    )
    const passed = await feed(problem.stdout, 'simulate', '-', '--json')
    assert.deepEqual([passed.status, jsonOf(passed).code], [problem.status, jsonOf(problem).code])
    assert.equal((await feed('', 'simulate', '-')).status, 2)
    assert.equal((await feed('nonsense', 'simulate', '-')).status, 2)
  })

  test('an account without money ends with 6', async () => {
    const { run } = fresh()
    const answer = jsonOf(await run('balances', faucet, '--json'))
    const router = jsonOf(await run('snapshot', 'show', '--json')).router.address
    assert.ok(answer.balances.length > 0)
    const ended = await run('simulate', '0.1', 'btc', 'rune', '--from', router, '--json')
    assert.deepEqual([ended.status, jsonOf(ended).code], [6, 'INSUFFICIENT_FUNDS'])
  })
})

test('a bundle holds what was found, with addresses shortened and no secret', async () => {
  const { run, home } = fresh()
  const file = join(home, 'report.json')
  const ended = await run(
    ...['doctor', '--bundle', file, '--timeout', '3s'],
    ...['--rpc', 'http://me:hunter22@127.0.0.1:1', '--router-address', faucet],
  )
  assert.equal(ended.status, 1)
  const text = readFileSync(file, 'utf8')
  assert.equal(JSON.parse(text).doctor.failed, 1)
  assert.doesNotMatch(text, /hunter22/)
  assert.ok(!text.includes(faucet) && !text.includes(home))
})
