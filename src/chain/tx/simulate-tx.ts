import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { MalformedDocument } from '../../engine/snapshot/json-cursor.js'
import type { TransactionTrial, TrialMessage } from '../../operations/chain-port.js'
import { utf8 } from '../../platform/bytes.js'
import { type Reply, repliesOfEach, replyOf } from '../queries/query-batch.js'
import { type Question, questionsOf } from '../queries/questions.js'
import { wireCoin } from '../queries/wire.js'
import type { Source } from '../rpc/query-source.js'
import { accountInfo, PLACEHOLDER_KEY } from './account.js'
import { sequencesIn } from './refusal.js'
import { coinsIn } from './result.js'

/** Bounds of the gas of a plausible simulation. */
export const GAS_BOUNDS = { least: 50_000n, most: 200_000_000n }

export const isPlausibleGas = (gas: bigint): boolean =>
  gas >= GAS_BOUNDS.least && gas <= GAS_BOUNDS.most

/** The signer's data that a simulation needs. */
type Signer = { readonly sequence: bigint; readonly publicKey?: Uint8Array | undefined }

const NEW_SIGNER: Signer = { sequence: 0n }

/**
 * Simulates a transaction of these messages on the node: as it would be signed, but without a valid signature. A
 * refusal is a result, not an error.
 *
 * @throws NodeFault
 * @throws MalformedDocument for a malformed answer
 */
export async function simulateTx(
  source: Source,
  from: string,
  messages: readonly TrialMessage[],
): Promise<TransactionTrial> {
  const height = await source.newestHeight()
  const signer = await signerOf(source, from, height)
  const simulated = (sequence: bigint) =>
    simulate(source, from, { ...signer, sequence }, messages, height)
  const trial = await simulated(signer.sequence)
  // The node counts transactions of this account in its mempool; the state of a height does not.
  const pending = trial.kind === 'failed' ? sequencesIn(trial.why) : undefined
  return pending === undefined ? trial : simulated(pending.expected)
}

/**
 * Simulates a transaction as of a height for an account that has never signed, such as a contract.
 *
 * @throws NodeFault
 * @throws MalformedDocument for a malformed answer
 */
export const simulateFirstTx = (
  source: Source,
  from: string,
  messages: readonly TrialMessage[],
  height: number,
): Promise<TransactionTrial> => simulate(source, from, NEW_SIGNER, messages, height)

const simulation = questionsOf(SimulateRequest, SimulateResponse)

async function simulate(
  source: Source,
  from: string,
  signer: Signer,
  messages: readonly TrialMessage[],
  height: number,
): Promise<TransactionTrial> {
  const txBytes = unsigned(from, signer, messages)
  const question = simulation(SimulateRequest.fromPartial({ txBytes }), trialOf)
  const reply = await replyTo(source, question, height, isPlausible)
  if (reply.kind === 'refused') return { kind: 'failed', why: reply.why }
  return valueIn(reply)
}

const isPlausible = (trial: TransactionTrial): boolean =>
  trial.kind === 'failed' || isPlausibleGas(trial.gasUsed)

/** The reply of a node or, where it is malformed or its value is not plausible, that of another one if it is better. */
async function replyTo<T>(
  source: Source,
  question: Question<T>,
  height: number,
  isPlausible: (value: T) => boolean = () => true,
): Promise<Reply<T>> {
  const isGood = (reply: Reply<T>): boolean =>
    reply.kind === 'refused' || (reply.kind === 'answered' && isPlausible(reply.value))
  const [answer] = await source.queries([question], height)
  const reply = replyOf(question, answer!)
  if (isGood(reply)) return reply
  const [others] = await repliesOfEach(source, [question], height)
  return others!.find(isGood) ?? reply
}

/** @throws MalformedDocument */
function valueIn<T>(reply: Exclude<Reply<T>, { readonly kind: 'refused' }>): T {
  if (reply.kind === 'answered') return reply.value
  throw new MalformedDocument('', reply.why)
}

function trialOf({ gasInfo, result }: SimulateResponse): TransactionTrial {
  const payments = (result?.events ?? [])
    .filter(({ type }) => type === 'coin_received')
    .flatMap(({ attributes }) => {
      const read = (name: string) => attributes.find(({ key }) => key === name)?.value ?? ''
      return coinsIn(read('amount')).map((coin) => ({ to: read('receiver'), coin }))
    })
  return { kind: 'passed', gasUsed: gasInfo?.gasUsed ?? 0n, payments }
}

async function signerOf(source: Source, address: string, height: number): Promise<Signer> {
  const reply = await replyTo(source, accountInfo(address), height)
  // A missing account cannot pay; the simulation reports that.
  return reply.kind === 'refused' ? NEW_SIGNER : valueIn(reply)
}

function unsigned(
  from: string,
  { sequence, publicKey = PLACEHOLDER_KEY }: Signer,
  messages: readonly TrialMessage[],
): Uint8Array {
  const body = TxBody.fromPartial({
    messages: messages.map(({ contract, message, funds }) => ({
      typeUrl: MsgExecuteContract.typeUrl,
      value: MsgExecuteContract.encode({
        sender: from,
        contract,
        msg: utf8(JSON.stringify(message)),
        funds: funds.map(wireCoin),
      }).finish(),
    })),
  })
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [
      {
        // Simulations do not verify the signature.
        publicKey: {
          typeUrl: PubKey.typeUrl,
          value: PubKey.encode({ key: publicKey }).finish(),
        },
        modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
        sequence,
      },
    ],
    fee: {},
  })
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: [new Uint8Array(64)],
  }).finish()
}
