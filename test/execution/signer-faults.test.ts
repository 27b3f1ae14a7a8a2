import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Secp256k1 } from '@cosmjs/crypto'
import { describe, test } from 'vitest'
import { demo } from '../../src/chain/networks/demo.js'
import type { Draft } from '../../src/chain/tx/unsigned-tx.js'
import { codecOf } from '../../src/compose/execution/codec.js'
import { SwapError } from '../../src/engine/errors.js'
import { requestSignature } from '../../src/execution/request-signature.js'
import { DEMO } from '../../src/wallet/demo-key.js'
import { parseSigner } from '../../src/wallet/external/command.js'
import { runSigner, type SignerTerms } from '../../src/wallet/external/run-signer.js'
import { readAnswer, type Signer, type SignRequest } from '../../src/wallet/signing/protocol.js'
import { temporaryFolder } from '../support/folder.js'

const codec = codecOf(demo.prefix)
const publicKey = Buffer.from(DEMO.publicKey, 'hex')
const address = codec.addressOf(publicKey)
const draft: Draft = {
  chainId: demo.chainId,
  accountNumber: 107n,
  sequence: 12n,
  sender: address,
  publicKey,
  calls: [
    {
      contract: 'demo16sl82ssg7trpxpler375mlkwcg0dwku6yl08339hqxmk7wjjsmwsfv6q08',
      message: '{"swap":{"stages":[],"min_return":{"denom":"rune","amount":"5"}}}',
      funds: [{ denom: 'btc-btc', amount: 100n }],
    },
  ],
  memo: 'a <memo>',
  timeoutHeight: 520n,
  fee: [{ denom: 'rune', amount: 0n }],
  gasLimit: 9_000_000n,
}
const never = new AbortController().signal
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Signs the SHA-256 of bytes, as a device does. */
function signed(bytes: Uint8Array, secret: string = DEMO.privateKey): Buffer {
  const digest = createHash('sha256').update(bytes).digest()
  const made = Secp256k1.createSignature(digest, Buffer.from(secret, 'hex'))
  return Buffer.from([...made.r(32), ...made.s(32)])
}

const bytesOf = ({ sign_bytes }: SignRequest): Buffer => Buffer.from(sign_bytes, 'base64')
const isAmino = ({ sign_mode }: SignRequest): boolean => sign_mode === 'amino'

type Given = Partial<Record<'public_key' | 'signature' | 'sign_mode' | 'signed', unknown>>

/** A right answer, with other members where they are given. */
const answer = (request: SignRequest, other: Given = {}): string =>
  JSON.stringify({
    public_key: publicKey.toString('base64'),
    signature: signed(bytesOf(request)).toString('base64'),
    ...other,
  })

const sign = (signer: Pick<Signer, 'sign'>, tx: Draft, interrupt = never) => {
  const signDoc = codec.encode(tx)
  const decoded = codec.decode(signDoc, tx.publicKey)
  return requestSignature(
    codec,
    { name: 'exec:device', address, forget: () => {}, ...signer },
    { signDoc, decoded },
    interrupt,
  )
}

/** A signer in this process that answers so. */
const answering = (made: (request: SignRequest) => string | Uint8Array): Pick<Signer, 'sign'> => ({
  sign: async (request) => readAnswer('exec:device', Buffer.from(made(request)), request),
})

const withSignature = (bytes: Uint8Array) => ({ signature: Buffer.from(bytes).toString('base64') })
const bitOf = (at: number) => (request: SignRequest) => {
  const changed = signed(bytesOf(request))
  changed[at] = changed[at]! ^ 1
  return answer(request, withSignature(changed))
}
const scalar = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const s = (signature: Buffer): bigint => BigInt(`0x${signature.toString('hex', 32)}`)
const otherSecret = '11'.repeat(32)
const otherKey = Secp256k1.compressPubkey(
  Secp256k1.makeKeypair(Buffer.from(otherSecret, 'hex')).pubkey,
)
const other = Buffer.from(otherKey).toString('base64')
const der = (signature: Buffer): Uint8Array => {
  const [R, S] = [signature.subarray(0, 32), signature.subarray(32)].map((part) =>
    part[0]! > 0x7f ? Buffer.concat([Buffer.of(0), part]) : part,
  )
  const parts = [Buffer.of(2, R!.length), R!, Buffer.of(2, S!.length), S!]
  return Buffer.concat([Buffer.of(0x30, R!.length + S!.length + 4), ...parts])
}

/** What a signer may answer wrongly, and what is said of it. */
const ANSWERS: readonly (readonly [
  string,
  (request: SignRequest) => string | Uint8Array,
  RegExp,
])[] = [
  ['a bit of r changed', bitOf(5), /not valid for these bytes/],
  ['a bit of s changed', bitOf(60), /not valid for these bytes/],
  [
    'the key of another account and its signature',
    (request) =>
      answer(request, {
        public_key: other,
        ...withSignature(signed(bytesOf(request), otherSecret)),
      }),
    /its key is that of demo1/,
  ],
  [
    'the signature of another key',
    (request) => answer(request, withSignature(signed(bytesOf(request), otherSecret))),
    /not valid/,
  ],
  ['its document twice', (request) => `${answer(request)}\n${answer(request)}`, /not one JSON/],
  ['nothing', () => '', /answered nothing/],
  ['garbage', () => Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256), /not one JSON/],
  ['bytes that are no UTF-8', () => Buffer.from([0x22, 0xff, 0x22]), /not one JSON/],
  ['a list', (request) => `[${answer(request)}]`, /not one JSON/],
  ['null', () => 'null', /not one JSON/],
  ['half of its document', (request) => answer(request).slice(0, 80), /not one JSON/],
  ['text behind its document', (request) => `${answer(request)} done`, /not one JSON/],
  ['no public key', (request) => answer(request, { public_key: undefined }), /public_key is not/],
  ['no signature', (request) => answer(request, { signature: undefined }), /signature is not/],
  [
    'a number in place of the signature',
    (request) => answer(request, { signature: 7 }),
    /is not r/,
  ],
  [
    'a public key of 65 bytes',
    (request) =>
      answer(request, {
        public_key: Buffer.from(Secp256k1.uncompressPubkey(publicKey)).toString('base64'),
      }),
    /33 bytes/,
  ],
  [
    'a public key in hexadecimal',
    (request) => answer(request, { public_key: DEMO.publicKey }),
    /33 bytes/,
  ],
  [
    'a public key that is no point',
    (request) => answer(request, { public_key: Buffer.alloc(33, 2).toString('base64') }),
    /its key is that of/,
  ],
  [
    'its signature in hexadecimal',
    (request) => answer(request, { signature: signed(bytesOf(request)).toString('hex') }),
    /64 bytes in base64/,
  ],
  [
    'DER in place of r and s',
    (request) => answer(request, withSignature(der(signed(bytesOf(request))))),
    /this one is DER/,
  ],
  [
    'a recovery byte behind r and s',
    (request) =>
      answer(request, withSignature(Buffer.concat([signed(bytesOf(request)), Buffer.of(1)]))),
    /64 bytes/,
  ],
  [
    'a high s',
    (request) => {
      const made = signed(bytesOf(request))
      return answer(
        request,
        withSignature(Buffer.concat([made.subarray(0, 32), scalar(ORDER - s(made))])),
      )
    },
    /high s/,
  ],
  [
    'r of 0',
    (request) =>
      answer(
        request,
        withSignature(Buffer.concat([Buffer.alloc(32), signed(bytesOf(request)).subarray(32)])),
      ),
    /not valid/,
  ],
  [
    's of 0',
    (request) =>
      answer(
        request,
        withSignature(Buffer.concat([signed(bytesOf(request)).subarray(0, 32), Buffer.alloc(32)])),
      ),
    /not valid/,
  ],
  [
    'r of the order',
    (request) =>
      answer(
        request,
        withSignature(Buffer.concat([scalar(ORDER), signed(bytesOf(request)).subarray(32)])),
      ),
    /not valid/,
  ],
  [
    'the signature of the digest of the digest',
    (request) =>
      answer(
        request,
        withSignature(signed(createHash('sha256').update(bytesOf(request)).digest())),
      ),
    /not valid/,
  ],
  [
    'the signature of the base64 text',
    (request) => answer(request, withSignature(signed(Buffer.from(request.sign_bytes)))),
    /not valid/,
  ],
  [
    'the signature of another sequence',
    (request) =>
      answer(
        request,
        withSignature(signed(codec.encode({ ...draft, isAmino: isAmino(request), sequence: 13n }))),
      ),
    /not valid/,
  ],
  [
    'the signature for another chain',
    (request) =>
      answer(
        request,
        withSignature(
          signed(codec.encode({ ...draft, isAmino: isAmino(request), chainId: 'thorchain-1' })),
        ),
      ),
    /not valid/,
  ],
  [
    'the signature of the other sign mode',
    (request) =>
      answer(
        request,
        withSignature(signed(codec.encode({ ...draft, isAmino: !isAmino(request) }))),
      ),
    /not valid/,
  ],
  [
    'another sign mode',
    (request) => answer(request, { sign_mode: isAmino(request) ? 'direct' : 'amino' }),
    /another mode/,
  ],
  [
    'a transaction of its own',
    (request) => answer(request, { signed: { fee: { gas: '1' } } }),
    /a member signed/,
  ],
]

describe('what a signer answers', () => {
  test('has thirty ways to be wrong, and more', () => assert.ok(ANSWERS.length >= 30))

  for (const mode of [false, true]) {
    const tx = { ...draft, isAmino: mode }
    test(`is taken where it is right, ${mode ? 'in Amino JSON' : 'over the bytes'}`, async () => {
      const made = await sign(
        answering((request) => answer(request, { sign_mode: request.sign_mode })),
        tx,
      )
      const { isAmino: _, ...direct } = tx
      const { signature, ...content } = made
      assert.deepEqual(
        { ...content, publicKey: Buffer.from(content.publicKey) },
        mode ? { ...tx, calls: content.calls } : direct,
      )
      assert.ok(codec.verifies(publicKey, codec.encode(tx), signature))
    })
    for (const [what, made, why] of ANSWERS)
      test(`is refused with ${what}, ${mode ? 'in Amino JSON' : 'over the bytes'}`, () =>
        assert.rejects(sign(answering(made), tx), failed(why)))
  }
})

const failed = (why: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SwapError)
  assert.equal(error.code, 'SIGNER_FAILED')
  assert.match(error.why ?? '', why)
  return true
}

const script = resolve('test/execution/faulty-signer.mjs')

/** A signer in a process of its own with one of the script's faults. */
function program(fault: string, terms: Partial<SignerTerms> = {}, cwd = '.') {
  const lines: string[] = []
  const text = `exec:'${process.execPath}' '${script}' '${fault}' ${DEMO.privateKey} ${DEMO.publicKey}`
  const own = { env: process.env, timeoutMs: 20_000, line: (line: string) => void lines.push(line) }
  const signer: Pick<Signer, 'sign'> = {
    async sign(request, interrupt) {
      const bytes = await runSigner(
        parseSigner(text, cwd),
        request,
        { ...own, ...terms },
        interrupt,
      )
      return readAnswer('exec:device', bytes, request)
    },
  }
  return { signer, lines }
}

/** What the process of a signer may do wrongly, and what is said of it. */
const PROCESSES: readonly (readonly [string, RegExp, number?])[] = [
  ['says no', /status 3: declined on the device/],
  ['answers and fails', /status 1/],
  ['killed', /ended by SIGTERM/],
  ['late', /longer than 0.5 s/, 500],
  ['answers and stays', /longer than 1 s/, 1_000],
  ['leaves a child with its output', /longer than 1.5 s/, 1_500],
  ['huge', /more than 65536 bytes/],
  ['does not read', /answered nothing/],
  ['answers before it reads', /not valid for these bytes/],
]

describe('the process of a signer', () => {
  test('signs with its answer', async () => {
    const { signature } = await sign(program('good').signer, draft)
    assert.ok(codec.verifies(publicKey, codec.encode(draft), signature))
  })
  for (const [what, why, timeoutMs = 20_000] of PROCESSES)
    test(`that ${what} is refused`, () =>
      assert.rejects(sign(program(what, { timeoutMs }).signer, draft), failed(why)))

  test('that does not exist, or cannot be run, is refused', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'plain'), 'no program', { mode: 0o600 })
    for (const [name, why] of [
      ['none', /ENOENT/],
      ['plain', /EACCES/],
    ] as const) {
      const command = parseSigner(`exec:'${join(folder, name)}'`, folder)
      const terms = { env: {}, timeoutMs: 1_000, line: () => {} }
      await assert.rejects(runSigner(command, {} as SignRequest, terms, never), failed(why))
    }
  })

  test('that writes lines without end is shown 64 of them', async () => {
    const { signer, lines } = program('talkative')
    await sign(signer, draft)
    assert.equal(lines.length, 64)
    assert.ok(lines.every((line) => line.length <= 500))
  })

  test('is killed where the command is stopped', async () => {
    const stop = new AbortController()
    const signing = sign(program('late').signer, draft, stop.signal)
    setTimeout(() => stop.abort(), 100)
    await assert.rejects(signing, failed(/was stopped/))
    await assert.rejects(sign(program('late').signer, draft, stop.signal), failed(/was stopped/))
  })
})

describe('the request of a signature', () => {
  test('says what the bytes say', async () => {
    const seen: SignRequest[] = []
    const watched = answering((request) => {
      seen.push(request)
      return answer(request)
    })
    await sign(watched, draft)
    await sign(watched, { ...draft, isAmino: true })
    const [direct, amino] = seen
    const { sign_bytes: _, sign_bytes_sha256: digest, sign_mode, ...same } = direct!
    assert.deepEqual([sign_mode, amino!.sign_mode], ['direct', 'amino'])
    assert.equal(digest, createHash('sha256').update(codec.encode(draft)).digest('hex'))
    assert.equal(JSON.parse(bytesOf(amino!).toString()).memo, draft.memo)
    assert.deepEqual(same, {
      format: 'swap.sign/1',
      chain_id: 'demo-1',
      address,
      public_key: publicKey.toString('base64'),
      account_number: '107',
      sequence: '12',
      content: {
        messages: [
          {
            contract: draft.calls[0]!.contract,
            msg: JSON.parse(draft.calls[0]!.message),
            funds: [{ denom: 'btc-btc', amount: '100' }],
          },
        ],
        memo: draft.memo,
        timeout_height: '520',
        fee: [{ denom: 'rune', amount: '0' }],
        gas_limit: '9000000',
      },
      text: [
        'demo-1: account 107, sequence 12',
        `from ${address}`,
        `message 1 of 1 calls ${draft.calls[0]!.contract} and sends 100 btc-btc`,
        draft.calls[0]!.message,
        'fee 0 rune, gas limit 9000000',
        'valid until block 520',
        'memo "a <memo>"',
      ],
    })
  })

  test('needs the public key in its bytes, and not in Amino JSON', async () => {
    const unknown = { ...draft, publicKey: otherKey }
    await assert.rejects(sign(answering(answer), unknown), { code: 'INVALID_REQUEST' })
    let asked: SignRequest | undefined
    const made = await sign(
      answering((request) => answer((asked = request))),
      { ...unknown, isAmino: true },
    )
    assert.equal(asked!.public_key, null)
    assert.deepEqual(Buffer.from(made.publicKey), publicKey)
  })
})
