import { fromHex, toBase64, toHex } from '../../platform/encoding.js'
import { accountOf, setAccount } from '../modules/accounts.js'
import { addressBytes, addressOfKey, invalidAddress } from '../modules/addresses.js'
import { ChainFailure, failures } from '../modules/chain-failure.js'
import { type ChainEvent, eventOf } from '../modules/contract.js'
import type { Machine } from '../modules/dispatch.js'
import { GAS, type Gas } from '../modules/gas.js'
import type { Reader, Writer } from '../store/state.js'
import { checkFee, deductFee, type TxRules } from './coins.js'
import { type Signer, signerOf, type Tx } from './decode.js'
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

/** Addresses that have to sign, each once, in the order of the messages; a fee payer comes last. */
function signerAddresses(tx: Tx): readonly string[] {
  const addresses = tx.messages.map(signerOf)
  if (tx.fee?.payer) addresses.push(tx.fee.payer)
  return [...new Set(addresses.map((address) => address.toLowerCase()))]
}

/**
 * The checks before a transaction's messages run, in the SDK's order: form, memo, fee, keys, signatures. Deducts the fee
 * and increments the sequences.
 *
 * @returns the events that are kept even if a message fails
 * @throws ChainFailure, OutOfGas; then all effects are discarded
 */
export function runAnte(ante: TxContext, tx: Tx, size: number): ChainEvent[] {
  const addresses = signerAddresses(tx)
  checkForm(ante.rules.prefix, tx, addresses)
  checkTimeout(ante.machine, tx)
  const memo = Buffer.byteLength(tx.memo)
  if (memo > MAX_MEMO)
    throw failures.memoTooLarge(
      `maximum number of characters is ${MAX_MEMO} but received ${memo} characters`,
    )
  ante.gas.charge(GAS.account, 'ReadFlat')
  ante.gas.charge(GAS.byte * BigInt(size), 'txSize')
  const events = payFee(ante, tx, addresses)
  events.push(...setKeys(ante, tx, addresses))
  checkSignatures(ante, tx, addresses)
  for (const address of addresses) {
    const account = existing(ante.state, address)
    setAccount(ante.state, address, { ...account, sequence: account.sequence + 1n })
  }
  return events
}

function checkForm(prefix: string, tx: Tx, addresses: readonly string[]): void {
  if (tx.isExtended) throw failures.unknownExtension()
  if (!tx.fee) throw new ChainFailure('undefined', 1, 'missing fee')
  const payer = tx.fee.payer && invalidAddress(prefix, tx.fee.payer)
  if (payer) throw failures.invalidAddress(`invalid fee payer address (${payer})`)
  if (tx.isTimed)
    throw failures.notSupported('unordered transactions and timeout timestamps are not enabled')
  if ([tx.signers, tx.signatures].some(({ length }) => length !== addresses.length))
    throw failures.unauthorized(
      `wrong number of signers; expected ${addresses.length}, got ${tx.signatures.length}`,
    )
}

function checkTimeout({ height }: Machine, tx: Tx): void {
  if (tx.timeoutHeight > 0n && BigInt(height) > tx.timeoutHeight)
    throw failures.txTimeout(`block height: ${height}, timeout height: ${tx.timeoutHeight}`)
}

function payFee(
  { state, mode, rules }: TxContext,
  tx: Tx,
  addresses: readonly string[],
): ChainEvent[] {
  const fee = tx.fee as NonNullable<Tx['fee']>
  if (mode === 'check') checkFee(rules, fee.coins, fee.gasLimit)
  if (fee.granter) throw failures.invalidRequest('fee grants are not enabled')
  const payer = fee.payer.toLowerCase() || (addresses[0] as string)
  if (!accountOf(state, payer))
    // The SDK prints the raw bytes of the address.
    throw failures.unknownAddress(
      `fee payer address: ${Buffer.from(addressBytes(payer))} does not exist`,
    )
  return deductFee(state, rules, payer, fee.coins)
}

function existing(state: Reader, address: string): NonNullable<ReturnType<typeof accountOf>> {
  const account = accountOf(state, address)
  if (!account) throw failures.unknownAddress(`account ${address} does not exist`)
  return account
}

/** Stores new public keys; returns the signature events. */
function setKeys(ante: TxContext, tx: Tx, addresses: readonly string[]): ChainEvent[] {
  const events: ChainEvent[] = []
  for (const [index, signer] of tx.signers.entries()) {
    const address = addresses[index] as string
    setKey(ante, signer, address, index)
    const signature = toBase64(tx.signatures[index] as Uint8Array)
    events.push(eventOf('tx', ['acc_seq', `${address}/${signer.sequence}`]))
    events.push(eventOf('tx', ['signature', signature]))
  }
  return events
}

function setKey(
  { state, mode, rules }: TxContext,
  signer: Signer,
  address: string,
  index: number,
): void {
  if (signer.foreignKey !== undefined && mode !== 'simulate')
    throw failures.invalidPubKey(`unrecognized public key type: ${signer.foreignKey}`)
  if (!signer.publicKey) return
  if (mode !== 'simulate' && addressOfKey(rules.prefix, signer.publicKey) !== address)
    throw failures.invalidPubKey(
      `pubKey does not match signer address ${address} with signer index: ${index}`,
    )
  const account = existing(state, address)
  if (account.pubKey === undefined)
    setAccount(state, address, {
      ...account,
      pubKey: toHex(signer.publicKey),
    })
}

function checkSignatures(ante: TxContext, tx: Tx, addresses: readonly string[]): void {
  const { state, gas, mode, machine } = ante
  for (const _ of tx.signers) gas.charge(GAS.signature, 'ante verify: secp256k1')
  for (const [index, signer] of tx.signers.entries()) {
    const account = existing(state, addresses[index] as string)
    if (mode !== 'simulate' && account.pubKey === undefined)
      throw failures.invalidPubKey('pubkey on account is not set')
    if (signer.sequence !== account.sequence)
      throw failures.wrongSequence(
        `account sequence mismatch, expected ${account.sequence}, got ${signer.sequence}`,
      )
    if (mode === 'simulate') continue
    const signed = signBytes(tx, signer, machine.chainId, account.number)
    const key = fromHex(account.pubKey as string)
    if (!signed || !isValidSignature(key, signed, tx.signatures[index] as Uint8Array))
      throw badSignature(signer, machine.chainId, account)
  }
}

function badSignature(
  { mode }: Signer,
  chainId: string,
  { number, sequence }: { number: bigint; sequence: bigint },
): ChainFailure {
  const verify = 'signature verification failed; please verify account number'
  return failures.unauthorized(
    mode === 'amino'
      ? `${verify} (${number}), sequence (${sequence}) and chain-id (${chainId})`
      : `${verify} (${number}) and chain-id (${chainId}): (unable to verify single signer signature)`,
  )
}
