import fc from 'fast-check'
import type { Draft } from '../../../src/chain/tx/unsigned-tx.js'
import { readJson } from '../../support/vectors.js'

type Claim = {
  readonly [name in
    | 'tx_hash'
    | 'chain_id'
    | 'sender'
    | 'contract'
    | 'memo'
    | 'public_key_base64'
    | 'sequence'
    | 'signature_base64']: string
} & {
  readonly msg: object
  readonly fee: {
    readonly amount: readonly [{ readonly denom: string; readonly amount: string }]
    readonly gas: string
  }
}
export const claim = readJson<Claim>('order_claim_mainnet.json')
export const signature = Uint8Array.from(Buffer.from(claim.signature_base64, 'base64'))
const [fee] = claim.fee.amount
export const draft: Draft = {
  chainId: claim.chain_id,
  // The account's number is not in a transaction.
  accountNumber: 7n,
  sequence: BigInt(claim.sequence),
  sender: claim.sender,
  publicKey: Uint8Array.from(Buffer.from(claim.public_key_base64, 'base64')),
  calls: [{ contract: claim.contract, message: JSON.stringify(claim.msg), funds: [] }],
  memo: claim.memo,
  timeoutHeight: 0n,
  fee: [{ denom: fee.denom, amount: BigInt(fee.amount) }],
  gasLimit: BigInt(claim.fee.gas),
  isAmino: true,
}

const record = ((model: object) =>
  fc.record(model, { noNullPrototype: true })) as unknown as typeof fc.record
const wellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', '<>&', '\u2028\u2029', '"\\\n', 'ü😀', '</script>', '\u0000\u007f'),
  )
  .filter(wellFormed)
const uint128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
const uint53 = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })
const denom = fc.constantFrom('rune', 'btc-btc', 'x/ruji')
const coin = record({ denom, amount: uint128 })

/** The message of a swap through the router, as `messageOf` makes it. */
const swapMessage = fc
  .record({
    stages: fc.array(record({ address: text, denom }), { maxLength: 4 }),
    min: record({ denom, amount: uint128.map(String) }),
    recipient: fc.option(text, { nil: undefined }),
    affiliate: fc.option(text, { nil: undefined }),
  })
  .map(({ stages, min, recipient, affiliate }) => ({
    swap: {
      stages,
      min_return: min,
      ...(recipient !== undefined && { recipient }),
      ...(affiliate !== undefined && { affiliate_code: affiliate }),
    },
  }))
const price = fc.oneof(
  text.map((fixed) => ({ fixed })),
  fc.integer({ min: -32_768, max: 32_767 }).map((oracle) => ({ oracle })),
)
const side = fc.constantFrom('base', 'quote')
const amount = fc.option(uint128.map(String), { nil: null })
const orderMessage = fc
  .array(fc.tuple(side, price, amount), { maxLength: 4 })
  .map((entries) => ({ order: [entries, null] }))

const name = text.filter((key) => !/^\d+$|[\ud800-\udfff]/.test(key) && key !== '__proto__')
/** Any message, with empty members at every level. */
const anyMessage = fc.dictionary(
  name,
  fc.letrec((tie) => ({
    value: fc.oneof(
      text,
      fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  })).value,
  { maxKeys: 4 },
)
export const anyDraft: fc.Arbitrary<Draft> = record({
  chainId: text,
  accountNumber: uint53,
  sequence: uint53,
  sender: fc.constant(draft.sender),
  publicKey: fc.constant(draft.publicKey),
  calls: fc.array(
    record({
      contract: fc.constant(draft.calls[0]!.contract),
      message: fc
        .oneof(swapMessage, orderMessage, anyMessage)
        .map((value) => JSON.stringify(value)),
      funds: fc.array(coin, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  memo: text,
  timeoutHeight: uint53,
  fee: fc.array(coin, { maxLength: 2 }),
  gasLimit: uint53,
  isAmino: fc.constant(true),
})
