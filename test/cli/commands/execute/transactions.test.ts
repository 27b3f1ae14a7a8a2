import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Secp256k1Wallet } from '@cosmjs/amino'
import { beforeAll, describe, test } from 'vitest'
import { accountOf } from '../../../../src/demo-chain/modules/accounts.js'
import { journalIn } from '../../../../src/execution/journal/journal.js'
import { DEMO as demoKey } from '../../../../src/wallet/demo-key.js'
import { changed, DEMO, network, problem, sign } from './stage.js'

const net = await network()
const { executed } = net
const accountNumber = accountOf(net.real.stateAt(net.real.height)!, DEMO)!.number

const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const
const guarded = [...swap, '--yes', '--slippage', '1%'] as const
describe('a transaction that is generated, signed and broadcast separately', () => {
  test('has the same bytes with given and queried numbers, and is executed once', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    assert.equal(made.status, 0, made.stderr)
    const unsigned = net.file('tx.json', made.stdout)
    const numbers = ['--account-number', `${accountNumber}`, '--sequence', '0']
    const given = await sign(net, unsigned, ...numbers)
    const asked = await sign(net, unsigned)
    assert.equal(given.status, 0, given.stdout)
    assert.equal(given.stdout, asked.stdout)
    const signed = net.file('signed.json', given.stdout)
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
    const shown = await net.run('tx', 'show', txs[0].hash, '--json')
    assert.equal(JSON.parse(shown.stdout).state, 'included')
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

  test('is neither waited for nor sent where the journal has it for another network', async () => {
    const { stdout } = await net.run(...guarded, '--sign-only', '--deadline', '200')
    const signed = net.file('signed.json', stdout)
    const journal = journalIn(join(net.home, 'state', 'journal'))
    const [intent] = journal.open()
    journal.put({ ...intent!, chain_id: 'other-1', network: 'other' })
    const { hash } = intent!.txs[0]!
    for (const call of [
      ['wait', hash],
      ['wait', intent!.id],
      ['resume', hash],
      ['broadcast', signed],
    ]) {
      const { code, detail, hint } = problem(await net.run('tx', ...call, '--json'))
      assert.equal(code, 'TX_NOT_FOUND')
      assert.match(`${detail} ${hint}`, /is of another network.* say -n other/)
    }
    journal.put(intent!)
    assert.equal((await net.run('tx', 'broadcast', signed)).status, 0)
  })

  test('may be signed in Amino JSON, and is refused if it was changed after that', async () => {
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
    const refused = await net.run('tx', 'broadcast', net.file('amino.json', other), '--json')
    assert.equal(problem(refused).code, 'INVALID_REQUEST', refused.stdout)
    const direct = changed(
      signed,
      'auth_info.signer_infos.0.mode_info.single.mode',
      'SIGN_MODE_DIRECT',
    )
    const mistaken = await net.run('tx', 'broadcast', net.file('amino.json', direct), '--json')
    assert.equal(problem(mistaken).code, 'INVALID_REQUEST', mistaken.stdout)
    const sent = await net.run('tx', 'broadcast', net.file('amino.json', signed), '--json')
    assert.equal(sent.status, 0, sent.stdout)
    const { txs, status, ...report } = JSON.parse(sent.stdout)
    assert.equal(status, 'confirmed')
    assert.equal(executed.at(-1)?.hash, txs[0].hash)
    assert.deepEqual([report.quoted, report.vs_quote, report.vs_quote_bps], [null, null, null])
    assert.equal(report.legs[0].quoted, null)
    const shown = await net.run('journal', 'show', txs[0].hash)
    assert.ok(shown.status === 0 && !shown.stdout.includes('quoted'), shown.stdout)
  })

  test('is signed in Amino JSON with --amino, apart and by execute, and the journal has the mode', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    const signed = await sign(net, net.file('tx-amino.json', made.stdout), '--amino')
    assert.equal(signed.status, 0, signed.stdout)
    const mode = JSON.parse(signed.stdout).auth_info.signer_infos[0].mode_info.single.mode
    assert.equal(mode, 'SIGN_MODE_LEGACY_AMINO_JSON')
    const sent = await net.run(
      'tx',
      'broadcast',
      net.file('own-amino.json', signed.stdout),
      '--json',
    )
    assert.equal(JSON.parse(sent.stdout).status, 'confirmed', sent.stdout)
    const done = await net.run(...guarded, '--amino', '--json')
    assert.equal(JSON.parse(done.stdout).status, 'confirmed', done.stdout)
    const [first, second] = [sent, done].map(({ stdout }) => JSON.parse(stdout).txs[0].hash)
    assert.deepEqual(
      executed.slice(-2).map(({ hash, code }) => [hash, code]),
      [
        [first, 0],
        [second, 0],
      ],
    )
    const modes = journalIn(join(net.home, 'state', 'journal'))
      .recent(2)
      .intents.map(({ txs }) => txs[0]!.sign_mode)
    assert.deepEqual(modes, ['amino', 'amino'])
  })

  test('with --sign-only is never broadcast by resume', async () => {
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

  test('is not signed with --yes for another account number, or with a used sequence', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    for (const [number, sequence, what] of [
      ['9', '1', /account number/],
      [`${accountNumber}`, '0', /sequence/],
    ] as const) {
      const wrong = ['--account-number', number, '--sequence', sequence, '--json']
      const ended = await sign(net, net.file('tx2.json', made.stdout), ...wrong)
      assert.equal(problem(ended).code, 'CONFIRMATION_REQUIRED', ended.stdout)
      assert.match(`${problem(ended).detail}`, what)
    }
  })

  test('is not broadcast with the signature of another transaction', async () => {
    const made = await net.run(...swap, '--generate-only', '--deadline', '200')
    const signed = await sign(net, net.file('tx2.json', made.stdout))
    const altered = net.file('signed2.json', changed(signed.stdout, 'body.memo', 'another'))
    const sent = await net.run('tx', 'broadcast', altered, '--json')
    assert.equal(sent.status, 2)
    assert.equal(problem(sent).code, 'INVALID_REQUEST')
  })
})

describe('a transaction from a file that is signed with --yes', () => {
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
      'a timeout height that has passed',
      () => changed(made, 'body.timeout_height', '1'),
      'QUOTE_EXPIRED',
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
      const ended = await sign(net, net.file('hostile.json', document()), '--json')
      assert.equal(problem(ended).code, code, ended.stdout)
    })

  test('is not executed in place of a signature after its timeout height', async () => {
    const path = net.file('old.json', changed(made, 'body.timeout_height', '1'))
    const flags = ['--from', 'demo', '--yes', '--slippage', '5%', '--json']
    assert.equal(problem(await net.run('execute', path, ...flags)).code, 'QUOTE_EXPIRED')
  })

  test('is refused above the limits, without a price guard and without a network', async () => {
    const path = net.file('made.json', made)
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
    assert.equal((await sign(net, path)).status, 0)
    const numbers = ['--offline', '--account-number', '1', '--sequence', '1']
    const call = ['tx', 'sign', path, '--from', 'demo', '--no-input', '--json', ...numbers]
    assert.match(`${problem(await net.run(...call)).hint}`, /^sign it at a terminal/)
  })
})
