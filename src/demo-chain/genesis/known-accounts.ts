import { createECDH } from 'node:crypto'
import { sha256 } from '../../platform/encoding.js'
import { addressOfKey, encodeBech32, moduleAddress } from '../modules/addresses.js'

/** An account that acts on the chain. Its key is derived from the seed and is no secret. */
export type Agent = {
  readonly address: string
  /** 32 bytes. */
  readonly privateKey: Uint8Array
}

/** The roles of agents, and how many agents have each. */
const roles = { trader: 12, mover: 4, arbitrageur: 2, lender: 3, orders: 5 } as const
export type Role = keyof typeof roles

type Agents = { readonly [role in Role]: readonly Agent[] }

/** Cache of agents by prefix and seed: deriving their keys takes most of the start time of a chain. */
const agentsByChain = new Map<string, Agents>()

/** The agents of a chain by role, determined by the seed. */
export function agentsOf(prefix: string, seed: number): Agents {
  const agents = agentsByChain.get(`${prefix} ${seed}`) ?? deriveAgents(prefix, seed)
  agentsByChain.set(`${prefix} ${seed}`, agents)
  return agents
}

function deriveAgents(prefix: string, seed: number): Agents {
  const byRole = Object.entries(roles).map(([role, length]) => [
    role,
    Array.from({ length }, (_, at) => agentOf(prefix, seed, `${role} ${at + 1}`)),
  ])
  return Object.fromEntries(byRole)
}

function agentOf(prefix: string, seed: number, name: string): Agent {
  const privateKey = sha256(`swap demo ${seed} ${name}`)
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(privateKey)
  const publicKey = pair.getPublicKey(null, 'compressed')
  return { address: addressOfKey(prefix, publicKey), privateKey }
}

/**
 * The faucet's key, which is public. Both keys follow from the mnemonic at `path`; they are constants because
 * deriving them takes longer than starting a chain.
 */
export const FAUCET = {
  mnemonic: 'rotate poem kick mango vague pull board pizza nice tunnel canal poverty',
  path: "m/44'/118'/0'/0/0",
  privateKey: 'facd294249cdfb90293dc81cce2a5822bfe615e9bc8ba5ea8ee55eb733360715',
  publicKey: '02e9098d031844fcdd98691a45e58ff5df5eed46e9e38acbf5cdc8dc6835f0fb9a',
} as const

export const faucetAddress = (prefix: string): string =>
  addressOfKey(prefix, Buffer.from(FAUCET.publicKey, 'hex'))

/**
 * The public key of the wallet's built-in key `demo`, whose account exists from the start with the balance of an agent.
 */
const GUEST = '03f1dccc16ef59ef8e3b53f3d08a208fc29730ea56ea19f62aebc80625cf25632b'

export const guestAddress = (prefix: string): string =>
  addressOfKey(prefix, Buffer.from(GUEST, 'hex'))

/** Accounts without a key. */
export const moduleAccounts = (prefix: string) => ({
  /** Creator and admin of the contracts. */
  deployer: moduleAddress(prefix, 'swap demo deployer'),
  /** The account that receives the fees of pairs and the profits of their arbitrage step. */
  revenue: moduleAddress(prefix, 'swap demo revenue'),
  /** The account that receives the router's fee. */
  collector: moduleAddress(prefix, 'swap demo collector'),
  /** A third-party contract that calls the router. */
  caller: encodeBech32(prefix, sha256('swap demo contract caller')),
  /** The account of an affiliate of the router. */
  partner: (code: string) => moduleAddress(prefix, `swap demo partner ${code}`),
})
