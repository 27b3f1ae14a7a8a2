import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secp256k1Wallet } from '@cosmjs/amino'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { accountOf } from '../../../../src/demo-chain/modules/accounts.js'
import { DEMO as demoKey } from '../../../../src/wallet/demo-key.js'
import { type Executed, watch } from '../../../execution/stage.js'
import { built } from '../../../support/program.js'
import { type Ended, type Network, network } from './stage.js'

const DEMO = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'
let net: Network
let executed: readonly Executed[] = []
let accountNumber = 0n
beforeAll(async () => {
  built()
  net = await network()
  executed = watch(net.real, DEMO)
  accountNumber = accountOf(net.real.stateAt(net.real.height)!, DEMO)!.number
})
afterAll(() => net.close())

const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const
const guarded = [...swap, '--yes', '--slippage', '1%'] as const
const file = (name: string, document: unknown): string => {
  const path = join(net.home, name)
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
  return path
}
const sign = (path: string, ...flags: readonly string[]): Promise<Ended> =>
  net.run('tx', 'sign', path, '--from', 'demo', '--yes', '--slippage', '5%', ...flags)
const problem = ({ stdout }: Ended) =>
  JSON.parse(stdout) as { code: string; [member: string]: unknown }
/** A document of which one member is another; the path has dots. */
function changed(text: string, path: string, value: unknown): unknown {
  const document = JSON.parse(text)
  const names = path.split('.')
  const last = names.pop()!
  names.reduce((at, name) => at[name], document)[last] = value
  return document
}

describe('a transaction that is made, signed and sent apart', () => {
  test('is the same whoever does it, and is executed once however often it is sent', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    assert.equal(made.status, 0, made.stderr)
    const unsigned = file('tx.json', made.stdout)
    const numbers = ['--account-number', `${accountNumber}`, '--sequence', '0']
    const given = await sign(unsigned, ...numbers)
    const asked = await sign(unsigned)
    assert.equal(given.status, 0, given.stdout)
    assert.equal(given.stdout, asked.stdout)
    const signed = file('signed.json', given.stdout)
    const first = await net.run('tx', 'broadcast', signed, '--json')
    assert.equal(first.status, 0, first.stderr)
    const again = await net.run('tx', 'broadcast', signed, '-q')
    const { txs, status } = JSON.parse(first.stdout)
    assert.equal(status, 'confirmed')
    assert.equal(again.stdout.trim(), txs[0].hash)
    assert.deepEqual(
      executed.map(({ hash }) => hash),
      [txs[0].hash],
    )
    const told = await net.run('tx', 'show', txs[0].hash, '--json')
    assert.equal(JSON.parse(told.stdout).state, 'included')
    const sent = await net.run(
      'execute',
      signed,
      '--from',
      'demo',
      '--yes',
      '--slippage',
      '1%',
      '--json',
    )
    assert.equal(problem(sent).code, 'INVALID_REQUEST')
  })

  test('may be signed in Amino JSON, as hardware wallets do, and not be changed then', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    const { body, auth_info: auth } = JSON.parse(made.stdout)
    const account = accountOf(net.real.stateAt(net.real.height)!, DEMO)!
    const wallet = await Secp256k1Wallet.fromKey(Buffer.from(demoKey.privateKey, 'hex'), 'demo')
    const [{ '@type': _, ...value }] = body.messages
    const { signature, pub_key: key } = (
      await wallet.signAmino(DEMO, {
        chain_id: 'demo-1',
        account_number: `${account.number}`,
        sequence: `${account.sequence}`,
        fee: { amount: auth.fee.amount, gas: auth.fee.gas_limit },
        msgs: [{ type: 'wasm/MsgExecuteContract', value }],
        memo: '',
        timeout_height: body.timeout_height,
      })
    ).signature
    const signed = JSON.stringify({
      body,
      auth_info: {
        ...auth,
        signer_infos: [
          {
            public_key: { '@type': '/cosmos.crypto.secp256k1.PubKey', key: key.value },
            mode_info: { single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' } },
            sequence: `${account.sequence}`,
          },
        ],
      },
      signatures: [signature],
    })
    const other = changed(signed, 'body.messages.0.funds.0.amount', '1')
    const refused = await net.run('tx', 'broadcast', file('amino.json', other), '--json')
    assert.equal(problem(refused).code, 'INVALID_REQUEST', refused.stdout)
    const direct = changed(
      signed,
      'auth_info.signer_infos.0.mode_info.single.mode',
      'SIGN_MODE_DIRECT',
    )
    const mistaken = await net.run('tx', 'broadcast', file('amino.json', direct), '--json')
    assert.equal(problem(mistaken).code, 'INVALID_REQUEST', mistaken.stdout)
    const sent = await net.run('tx', 'broadcast', file('amino.json', signed), '--json')
    assert.equal(sent.status, 0, sent.stdout)
    const { txs, status, ...report } = JSON.parse(sent.stdout)
    assert.equal(status, 'confirmed')
    assert.equal(executed.at(-1)?.hash, txs[0].hash)
    assert.deepEqual([report.quoted, report.vs_quote, report.vs_quote_bps], [null, null, null])
    assert.equal(report.legs[0].quoted, null)
    const shown = await net.run('journal', 'show', txs[0].hash)
    assert.ok(shown.status === 0 && !shown.stdout.includes('quoted'), shown.stdout)
  })

  test('that was signed for somebody else to send is never sent by us', async () => {
    const before = executed.length
    const signed = await net.run(...guarded, '--sign-only', '--deadline', '5')
    assert.equal(signed.status, 0, signed.stderr)
    const busy = await net.run(...guarded, '--json')
    assert.equal(busy.status, 13, busy.stdout)
    const resumed = await net.run('tx', 'resume', '--json')
    assert.equal(resumed.status, 10, resumed.stdout)
    assert.equal(problem(resumed)['state'], 'expired')
    assert.equal(executed.length, before)
  })

  test('whose signature was for another account is not sent', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    const wrong = ['--account-number', '9', '--sequence', '1']
    const signed = await sign(file('tx2.json', made.stdout), ...wrong)
    const sent = await net.run('tx', 'broadcast', file('signed2.json', signed.stdout), '--json')
    assert.equal(sent.status, 2)
    assert.equal(problem(sent).code, 'INVALID_REQUEST')
  })
})

describe('a transaction from a file that is signed without a person', () => {
  let made = ''
  beforeAll(async () => {
    made = (await net.run(...swap, '--generate-only', '--deadline', '200')).stdout
  })
  const message = 'body.messages.0.msg.swap'
  const refused: readonly (readonly [string, () => unknown, string])[] = [
    [
      'a minimum of 0',
      () => changed(made, `${message}.min_return.amount`, '0'),
      'SLIPPAGE_EXCEEDED',
    ],
    [
      'a hundred times the amount',
      () => changed(made, 'body.messages.0.funds.0.amount', '10000000000'),
      'SLIPPAGE_EXCEEDED',
    ],
    ['no timeout height', () => changed(made, 'body.timeout_height', '0'), 'CONFIRMATION_REQUIRED'],
    [
      'a timeout height far away',
      () => changed(made, 'body.timeout_height', '99999999'),
      'CONFIRMATION_REQUIRED',
    ],
    [
      'a fee of 999.99 RUNE',
      () => changed(made, 'auth_info.fee.amount', [{ denom: 'rune', amount: '99999000000' }]),
      'CONFIRMATION_REQUIRED',
    ],
    [
      'an enormous gas limit',
      () => changed(made, 'auth_info.fee.gas_limit', '900000000000'),
      'CONFIRMATION_REQUIRED',
    ],
    ['an affiliate', () => changed(made, `${message}.affiliate_code`, 'evil'), 'INVALID_AFFILIATE'],
    ['a member of its own', () => changed(made, `${message}.more`, '1'), 'CONFIRMATION_REQUIRED'],
    [
      'another recipient',
      () =>
        changed(
          made,
          `${message}.recipient`,
          'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08',
        ),
      'CONFIRMATION_REQUIRED',
    ],
    [
      'a pair that is none',
      () => changed(made, `${message}.stages.0.address`, DEMO),
      'QUOTE_MISMATCH',
    ],
  ]
  for (const [what, document, code] of refused)
    test(`is refused with ${what}`, async () => {
      const ended = await sign(file('hostile.json', document()), '--json')
      assert.equal(problem(ended).code, code, ended.stdout)
    })

  test('is refused above the limits, without a price guard and without a network', async () => {
    const path = file('made.json', made)
    const rows: readonly (readonly [readonly string[], string])[] = [
      [['--yes', '--slippage', '5%', '--limits-per-tx-usd', '0.1'], 'LIMIT_EXCEEDED'],
      [['--yes'], 'INVALID_REQUEST'],
      [['--confirm', 'usdc', '--no-input'], 'INVALID_REQUEST'],
      [
        ['--yes', '--slippage', '5%', '--offline', '--account-number', '1', '--sequence', '1'],
        'CONFIRMATION_REQUIRED',
      ],
    ]
    for (const [flags, code] of rows) {
      const ended = await net.run('tx', 'sign', path, '--from', 'demo', '--json', ...flags)
      assert.equal(problem(ended).code, code, ended.stdout)
    }
    assert.equal((await sign(path)).status, 0)
  })
})

describe('what comes from outside is not taken on trust', () => {
  let quote = ''
  beforeAll(async () => {
    quote = (await net.run('sroute', '1', 'rune', 'usdc', '--json')).stdout
  })
  const refused: readonly (readonly [string, () => unknown, number, string])[] = [
    ['another network', () => changed(quote, 'chain_id', 'other-1'), 5, 'QUOTE_MISMATCH'],
    [
      'a foreign contract',
      () => changed(quote, 'routes.0.legs.0.tx.swap.stages.0.address', DEMO),
      5,
      'QUOTE_MISMATCH',
    ],
    [
      'a recipient',
      () => changed(quote, 'routes.0.legs.0.tx.swap.recipient', `${DEMO}x`),
      5,
      'QUOTE_MISMATCH',
    ],
    [
      'an affiliate',
      () => changed(quote, 'routes.0.legs.0.tx.swap.affiliate_code', 'evil'),
      2,
      'INVALID_AFFILIATE',
    ],
    [
      'another output',
      () => changed(quote, 'routes.0.legs.0.tx.swap.min_return.denom', 'btc-btc'),
      5,
      'QUOTE_MISMATCH',
    ],
    [
      'an amount with an exponent',
      () => changed(quote, 'routes.0.legs.0.funds.amount', '1e8'),
      2,
      'INVALID_REQUEST',
    ],
    ['a problem', () => ({ code: 'NO_ROUTE', status: 422, detail: 'none' }), 3, 'NO_ROUTE'],
    ['nothing', () => '{}', 2, 'INVALID_REQUEST'],
    ['no JSON', () => 'hello', 2, 'INVALID_REQUEST'],
  ]
  for (const [what, document, status, code] of refused)
    test(`a quote with ${what} is exit ${status}`, async () => {
      const before = executed.length
      const path = file('quote.json', document())
      const ended = await net.run(
        'execute',
        path,
        '--from',
        'demo',
        '--yes',
        '--slippage',
        '1%',
        '--json',
      )
      assert.equal(ended.status, status, ended.stdout)
      assert.equal(problem(ended).code, code)
      assert.equal(executed.length, before)
    })
})

describe('nobody looks on', () => {
  test('then a price guard has to be said', async () => {
    for (const answer of [['--yes'], ['--confirm', 'usdc', '--no-input']]) {
      const ended = await net.run(...swap, ...answer, '--json')
      assert.equal(ended.status, 2)
      assert.equal(problem(ended).code, 'INVALID_REQUEST')
    }
  })

  test('without --yes nothing is signed', async () => {
    const ended = await net.run(...swap, '--json')
    assert.equal(ended.status, 2)
    assert.equal(problem(ended).code, 'CONFIRMATION_REQUIRED')
  })

  test('--confirm answers with the symbol that is received, and with no other', async () => {
    const wrong = await net.run(...swap, '--confirm', 'RUNE', '--slippage', '1%', '--json')
    assert.equal(wrong.status, 8)
    const right = await net.run(...swap, '--confirm', 'usdc', '--slippage', '1%', '-q')
    assert.equal(right.status, 0, right.stderr)
    assert.match(right.stdout, /^[0-9A-F]{64}\n$/)
  })

  test('limits hold', async () => {
    const path = join(net.home, 'limited-tx')
    writeFileSync(path, 'limits: { per_tx_usd: 0.1, per_day_usd: 500 }\n')
    const limited = ['--config', path, '--json']
    for (const call of [
      guarded,
      [...swap, '--confirm', 'usdc', '--slippage', '1%', '--no-input'],
    ]) {
      const ended = await net.run(...call, ...limited)
      assert.equal(ended.status, 14)
      assert.equal(problem(ended).code, 'LIMIT_EXCEEDED')
    }
  })

  test('a limit of the file is not raised by a flag', async () => {
    const path = join(net.home, 'limited')
    writeFileSync(path, 'limits: { per_tx_usd: 500, per_day_usd: 0.1 }\n')
    const call = [...guarded, '--config', path, '--json']
    const raised = await net.run(...call, '--limits-per-day-usd', '500')
    assert.equal(problem(raised).code, 'LIMIT_EXCEEDED')
    assert.match(raised.stdout, /which needs a person/)
  })

  test('somebody else is paid only when that is said twice', async () => {
    const other = 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08'
    const ended = await net.run(...guarded, '--to', other, '--json')
    assert.equal(ended.status, 2)
    assert.equal(problem(ended).code, 'CONFIRMATION_REQUIRED')
  })

  test('the same key is executed once, also by two processes at the same moment', async () => {
    const before = executed.length
    const both = await Promise.all(
      [1, 2].map(() => net.run(...guarded, '--once', 'twice', '--lock-wait', '60s', '--json')),
    )
    assert.deepEqual(
      both.map(({ status }) => status),
      [0, 0],
      both.map(({ stderr }) => stderr).join(),
    )
    const reports = both.map(({ stdout }) => JSON.parse(stdout))
    assert.deepEqual(reports.map(({ replayed }) => replayed).sort(), [false, true])
    assert.equal(reports[0].id, reports[1].id)
    assert.equal(executed.length, before + 1)
  })
})

describe('a share of what the account holds', () => {
  test('is the amount that it means', async () => {
    const half = await net.run(
      'execute',
      '0.01%',
      'rune',
      'usdc',
      '--from',
      'demo',
      '--dry-run',
      '--json',
      '--max-impact',
      '50%',
    )
    assert.equal(half.status, 0, half.stderr)
    const held = JSON.parse((await net.run('balances', DEMO, '--json')).stdout) as {
      balances: { denom: string; amount: string }[]
    }
    const rune = BigInt(held.balances.find(({ denom }) => denom === 'rune')!.amount)
    assert.equal(JSON.parse(half.stdout).amount_in.amount, `${rune / 10_000n}`)
  })
})

describe('legs, one transaction each', () => {
  test('are not printed as one transaction', async () => {
    const legs = ['--legs', '1:rune/usdc', '--legs', '1:rune/usdc', '--mode', 'legs', '--json']
    for (const only of ['--generate-only', '--sign-only']) {
      const { status, stdout } = await net.run(
        ...[
          'execute',
          '2',
          'rune',
          'usdc',
          '--from',
          'demo',
          '--slippage',
          '1%',
          '--confirm',
          'usdc',
          only,
        ],
        ...legs,
      )
      assert.equal(status, 2)
      assert.match(stdout, /--mode legs cannot be printed/)
    }
  })

  test('that were stopped between two are told as such, and how to go on', async () => {
    const legs = ['--legs', '1:rune/usdc', '--legs', '1:rune/usdc', '--mode', 'legs', '--json']
    const yes = ['--from', 'demo', '--yes', '--slippage', '1%', ...legs]
    const process = net.begin('execute', '2', 'rune', 'usdc', ...yes)
    net.hook = async (request, next) => {
      const reply = await next()
      if (request.body.includes('broadcast_tx_sync')) process.kill()
      return reply
    }
    await process.ended
    net.hook = (_request, next) => next()
    const resumed = await net.run('tx', 'resume', '--json')
    assert.equal(resumed.status, 12, resumed.stdout)
    assert.match(String(problem(resumed)['hint']), /swap tx resume x_/)
    const { id } = problem(resumed)
    const answer = ['--confirm', 'usdc', '--slippage', '1%', '--json']
    const rest = await net.run('execute', '--resume', String(id), ...answer)
    assert.equal(rest.status, 0, rest.stdout)
    assert.equal(JSON.parse(rest.stdout).status, 'confirmed')
  })

  test('stop at the first that fails, say what was done, and go on when that is asked for', async () => {
    const legs = ['--legs', '1:rune/usdc', '--legs', '1:rune/usdc', '--mode', 'legs']
    const call = [
      'execute',
      '2',
      'rune',
      'usdc',
      '--from',
      'demo',
      '--yes',
      '--slippage',
      '1%',
      ...legs,
    ]
    let broadcasts = 0
    net.hook = (request, next) => {
      // The market moves against the second one.
      if (request.body.includes('broadcast_tx_sync') && ++broadcasts === 2)
        net.board.add({ kind: 'slippage', once: true }, net.real.height)
      return next()
    }
    const before = executed.length
    const stopped = await net.run(...call, '--json')
    net.hook = (_request, next) => next()
    net.heal()
    assert.equal(stopped.status, 12, stopped.stdout + stopped.stderr)
    const { id, legs: told } = problem(stopped) as unknown as {
      id: string
      legs: { received: string | null }[]
    }
    assert.deepEqual(
      told.map(({ received }) => received !== null),
      [true, false],
    )
    assert.deepEqual(
      executed.slice(before).map(({ code }) => code),
      [0, 5],
    )
    const resumed = await net.run('execute', '--resume', id, '--yes', '--slippage', '50%', '--json')
    assert.equal(resumed.status, 0, resumed.stdout + resumed.stderr)
    assert.equal(JSON.parse(resumed.stdout).status, 'confirmed')
    assert.deepEqual(
      executed.slice(before).map(({ code }) => code),
      [0, 5, 0],
    )
  })
})

describe('the journal', () => {
  test('shows what came of a swap that was not waited for, and so does resume', async () => {
    const sent = await net.run(...guarded, '--wait', 'accepted', '--json')
    assert.equal(sent.status, 0, sent.stdout)
    const { id, status } = JSON.parse(sent.stdout)
    assert.equal(status, 'accepted')
    const { height } = net.real
    while (net.real.height < height + 2) await new Promise((done) => setTimeout(done, 50))
    const { report, open } = JSON.parse((await net.run('tx', 'show', id, '--json')).stdout)
    assert.equal(open, false)
    assert.equal(report.status, 'confirmed')
    assert.ok(BigInt(report.legs[0].received) > 0n)
    assert.equal(report.evidence, 'block')
    const resumed = JSON.parse((await net.run('tx', 'resume', id, '--json')).stdout)
    assert.deepEqual(resumed, report)
  })

  test('has everything that was signed here, the quote beside the fill', async () => {
    const { intents } = JSON.parse((await net.run('journal', '--json')).stdout)
    const hashes = intents.flatMap(({ txs }: { txs: { hash: string }[] }) =>
      txs.map(({ hash }) => hash),
    )
    for (const { hash } of executed) assert.ok(hashes.includes(hash))
    assert.ok(!JSON.stringify(intents).includes('"bytes":'))
    const csv = (await net.run('journal', '--csv')).stdout.split('\r\n')
    assert.match(csv[0]!, /^time,id,network/)
    const { status, stdout } = await net.run('tx', 'resume', '-o', 'human')
    assert.equal(status, 0)
    assert.match(stdout, /Nothing is open/)
  })
})
