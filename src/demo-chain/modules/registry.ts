import { createHash } from 'node:crypto'
import type { Reader, Writer } from '../store/state.js'

/** The codes that the chain knows, in the order of their ids, which start at 1. */
const names = [
  'fin-1.0',
  'fin-1.1',
  'bow-1.0',
  'bow',
  'router-forward',
  'router-stack',
  'caller',
  'router-forward-published',
  'router-stack-published',
] as const
export type CodeName = (typeof names)[number]

export type CodeInfo = {
  readonly id: number
  readonly name: CodeName
  /** SHA-256, upper-case hex. The code is part of the program, so its name is hashed. */
  readonly checksum: string
}

const list: readonly CodeInfo[] = names.map((name, at) => ({
  id: at + 1,
  name,
  checksum: createHash('sha256').update(`swap demo code ${name}`).digest('hex').toUpperCase(),
}))

export const codes = (): readonly CodeInfo[] => list
export const codeInfo = (id: number): CodeInfo | undefined => list[id - 1]
export const codeIdOf = (name: CodeName): number => names.indexOf(name) + 1

/** The chain's record of a contract. */
export type ContractRecord = {
  readonly code: CodeName
  readonly codeId: number
  readonly label: string
  readonly creator: string
  /** Empty when the contract cannot be changed. */
  readonly admin: string
  /** Where it was created. */
  readonly height: number
  readonly txIndex: number
  /** The message that it was created with, JSON text. */
  readonly message: string
  /** The error of every call, for a contract that does not work. */
  readonly halted?: string
}

const SPACE = 'contract'

export const contractInfo = (state: Reader, address: string): ContractRecord | undefined =>
  state.get<ContractRecord>(SPACE, address)

export function putContract(state: Writer, address: string, record: ContractRecord): void {
  state.set(SPACE, address, record)
  state.set(`contract/${record.codeId}`, address, true)
}

/** Addresses of a code's contracts, by address. */
export const contractsByCode = (state: Reader, codeId: number): readonly string[] => [
  ...state.keys(`contract/${codeId}`),
]

/** All contracts, by address. */
export const contracts = (state: Reader): readonly string[] => [...state.keys(SPACE)]
