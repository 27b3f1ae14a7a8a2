import { fromHex, toBase64, toHex } from '../../platform/encoding.js'
import { type Account, accountOf, setAccount } from '../modules/accounts.js'
import { addressBytes, addressOfKey } from '../modules/addresses.js'
import { ChainFailure, failures } from '../modules/chain-failure.js'
import { type ChainEvent, eventOf } from '../modules/contract.js'
import type { Machine } from '../modules/dispatch.js'
import { GAS, type Gas } from '../modules/gas.js'
import type { Writer } from '../store/state.js'
import { checkFee, deductFee, type TxRules } from './coins.js'
import { type Fee, type Signer, signerOf, type Tx } from './decode.js'
import { isValidSignature, signBytes } from './verify.js'

/** Whether a transaction is checked for the mempool, executed in a block, or simulated. */
export type TxMode = 'check' | 'deliver' | 'simulate'

/** The environment in which a transaction is checked and its messages run. */
export type TxContext = {
  readonly machine: Machine
  readonly state: Writer
  readonly gas: Gas
  readonly mode: TxMode
  readonly rules: TxRules
}

const MAX_MEMO = 256

/**
 * The checks before a transaction's messages run, in the SDK's order: form, memo, fee, key, signature. Deducts the fee
 * and increments the sequence of its one signer.
 *
 * @returns the events that are kept even if a message fails
 * @throws ChainFailure, OutOfGas; then all effects are discarded
 */
export function runAnte(ante: TxContext, tx: Tx, size: number): ChainEvent[] {
  const { machine, state, gas, mode, rules } = ante
  const signed = signedBy(tx)
  const { address, fee, signer, signature } = signed
  checkTimeout(machine, tx)
  const memo = Buffer.byteLength(tx.memo)
  if (memo > MAX_MEMO)
    throw failures.memoTooLarge(
      `maximum number of characters is ${MAX_MEMO} but received ${memo} characters`,
    )
  gas.charge(GAS.account, 'ReadFlat')
  gas.charge(GAS.byte * BigInt(size), 'txSize')
  if (mode === 'check') checkFee(rules, fee.coins, fee.gasLimit)
  const account = accountOf(state, address)
  if (!account)
    // The SDK prints the raw bytes of the address.
    throw failures.unknownAddress(
      `fee payer address: ${Buffer.from(addressBytes(address))} does not exist`,
    )
  const paid = deductFee(state, rules, address, fee.coins)
  const pubKey = keyOf(ante, account, signed)
  gas.charge(GAS.signature, 'ante verify: secp256k1')
  checkSignature(ante, tx, signed, { ...account, pubKey })
  setAccount(state, address, { ...account, pubKey, sequence: account.sequence + 1n })
  return [
    ...paid,
    eventOf('tx', ['acc_seq', `${address}/${signer.sequence}`]),
    eventOf('tx', ['signature', toBase64(signature)]),
  ]
}

/** The one account that signs all messages and pays the fee, and how it has signed. */
type Signed = {
  readonly address: string
  readonly fee: Fee
  readonly signer: Signer
  readonly signature: Uint8Array
}

function signedBy({ messages, fee, signers, signatures, isExtended, isTimed }: Tx): Signed {
  if (isExtended) throw failures.unknownExtension()
  if (!fee) throw new ChainFailure('undefined', 1, 'missing fee')
  if (isTimed)
    throw failures.notSupported('unordered transactions and timeout timestamps are not enabled')
  if (fee.granter) throw failures.invalidRequest('fee grants are not enabled')
  const addresses = [...messages.map(signerOf), ...(fee.payer ? [fee.payer] : [])]
  const [address = '', ...others] = new Set(addresses.map((each) => each.toLowerCase()))
  if (others.length > 0)
    throw failures.notSupported('a transaction of several signers is not supported')
  const [signer, ...moreSigners] = signers
  const [signature, ...moreSignatures] = signatures
  if (!signer || !signature || moreSigners.length + moreSignatures.length > 0)
    throw failures.unauthorized(`wrong number of signers; expected 1, got ${signers.length}`)
  return { address, fee, signer, signature }
}

function checkTimeout({ height }: Machine, tx: Tx): void {
  if (tx.timeoutHeight > 0n && BigInt(height) > tx.timeoutHeight)
    throw failures.txTimeout(`block height: ${height}, timeout height: ${tx.timeoutHeight}`)
}

/** The key of the account: the stored one, otherwise the one that was sent. */
function keyOf(
  { mode, rules }: TxContext,
  { pubKey }: Account,
  { address, signer: { publicKey, foreignKey } }: Signed,
): string | undefined {
  if (mode !== 'simulate' && foreignKey !== undefined)
    throw failures.invalidPubKey(`unrecognized public key type: ${foreignKey}`)
  if (mode !== 'simulate' && publicKey && addressOfKey(rules.prefix, publicKey) !== address)
    throw failures.invalidPubKey(
      `pubKey does not match signer address ${address} with signer index: 0`,
    )
  return pubKey ?? (publicKey && toHex(publicKey))
}

function checkSignature(
  { mode, machine: { chainId } }: TxContext,
  tx: Tx,
  { signer, signature }: Signed,
  { number, sequence, pubKey }: Account,
): void {
  if (mode !== 'simulate' && pubKey === undefined)
    throw failures.invalidPubKey('pubkey on account is not set')
  if (signer.sequence !== sequence)
    throw failures.wrongSequence(
      `account sequence mismatch, expected ${sequence}, got ${signer.sequence}`,
    )
  if (mode === 'simulate') return
  const bytes = signBytes(tx, signer, chainId, number)
  if (bytes && isValidSignature(fromHex(pubKey as string), bytes, signature)) return
  const verify = 'signature verification failed; please verify account number'
  throw failures.unauthorized(
    signer.mode === 'amino'
      ? `${verify} (${number}), sequence (${sequence}) and chain-id (${chainId})`
      : `${verify} (${number}) and chain-id (${chainId}): (unable to verify single signer signature)`,
  )
}
