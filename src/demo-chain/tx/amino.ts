import type { Coin } from '../wasm/contract.js'
import type { Fee, Tx } from './decode.js'
import type { Party, TxMessage } from './messages.js'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** A text as Go's JSON writes it: halves of characters replaced, some signs escaped. */
const goText = (text: string): string =>
  JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function goNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('number out of range')
  return Object.is(value, -0) ? '-0' : String(value)
}

/** JSON without spaces, keys in the order of their bytes: what both sides of a signature write. */
function canonical(value: Json): string {
  if (typeof value === 'string') return goText(value)
  if (typeof value === 'number') return goNumber(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b))
  return `{${entries.map(([key, each]) => `${goText(key)}:${canonical(each)}`).join(',')}}`
}

const coinsJson = (coins: readonly Coin[]): Json =>
  coins.map(({ denom, amount }) => ({ denom, amount: String(amount) }))

const partyJson = ({ address, coins }: Party): Json => ({ address, coins: coinsJson(coins) })

function messageJson(message: TxMessage): Json {
  if (message.kind === 'send')
    return {
      type: 'cosmos-sdk/MsgSend',
      value: {
        from_address: message.from,
        to_address: message.to,
        amount: coinsJson(message.coins),
      },
    }
  if (message.kind === 'multiSend')
    return {
      type: 'cosmos-sdk/MsgMultiSend',
      value: { inputs: message.inputs.map(partyJson), outputs: message.outputs.map(partyJson) },
    }
  return {
    type: 'wasm/MsgExecuteContract',
    value: {
      sender: message.sender,
      contract: message.contract,
      msg: JSON.parse(message.message) as Json,
      funds: coinsJson(message.funds),
    },
  }
}

const feeJson = ({ coins, gasLimit, payer, granter }: Fee): Json => ({
  amount: coinsJson(coins),
  gas: String(gasLimit),
  ...(payer && { payer }),
  ...(granter && { granter }),
})

/**
 * What a signer signs in SIGN_MODE_LEGACY_AMINO_JSON.
 *
 * @throws RangeError for a number that JSON cannot write again
 */
export function aminoSignBytes(
  tx: Tx,
  fee: Fee,
  chainId: string,
  accountNumber: bigint,
  sequence: bigint,
): Uint8Array {
  return Buffer.from(
    canonical({
      account_number: String(accountNumber),
      chain_id: chainId,
      fee: feeJson(fee),
      memo: tx.memo,
      msgs: tx.messages.map(messageJson),
      sequence: String(sequence),
      ...(tx.timeoutHeight > 0n && { timeout_height: String(tx.timeoutHeight) }),
    }),
  )
}
