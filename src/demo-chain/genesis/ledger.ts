import { touchAccount } from '../auth/account.js'
import { Overlay } from '../store/overlay.js'
import type { Change } from '../store/state.js'
import { Store } from '../store/store.js'
import { balanceOf, setBalance } from '../wasm/bank.js'
import type { Coin } from '../wasm/contract.js'
import { type CodeName, codeIdOf, putContract } from '../wasm/registry.js'

/** Where a chain's first state is written down, coins counted as they are handed out. */
export class Ledger {
  readonly state = new Overlay(new Store(0, 1).at(0))
  readonly #supply = new Map<string, bigint>()
  #created = 0

  constructor(
    readonly height: number,
    readonly deployer: string,
  ) {}

  give(address: string, coins: Iterable<Coin>): void {
    touchAccount(this.state, address)
    for (const { denom, amount } of coins) {
      const held = balanceOf(this.state, address, denom)
      setBalance(this.state, address, { denom, amount: held + amount })
      this.#supply.set(denom, (this.#supply.get(denom) ?? 0n) + amount)
    }
  }

  /** A contract with its storage and its coins. */
  create(
    address: string,
    contract: {
      readonly code: CodeName
      readonly label: string
      readonly message: object
      readonly halted?: string
    },
    storage: Iterable<readonly [key: string, value: unknown]>,
    coins: Iterable<Coin>,
  ): void {
    putContract(this.state, address, {
      code: contract.code,
      codeId: codeIdOf(contract.code),
      label: contract.label,
      creator: this.deployer,
      admin: this.deployer,
      height: this.height,
      txIndex: this.#created++,
      message: JSON.stringify(contract.message),
      ...(contract.halted !== undefined && { halted: contract.halted }),
    })
    for (const [key, value] of storage) this.state.set(`wasm/${address}`, key, value)
    this.give(address, coins)
  }

  /** Everything written, the supply of each denom included. */
  close(): readonly Change[] {
    for (const [denom, amount] of this.#supply) this.state.set('supply', denom, amount)
    return [...this.state.changes()]
  }
}
