/** A failure as the chain reports it: code space, code, and text. */
export class ChainFailure extends Error {
  override name = 'ChainFailure'
  constructor(
    readonly codespace: string,
    readonly code: number,
    text: string,
  ) {
    super(text)
  }

  /** The same failure with the operation before its text. */
  during(what: string): ChainFailure {
    return new ChainFailure(this.codespace, this.code, `${what}: ${this.message}`)
  }
}

const sdk = (code: number, name: string) => (text: string) =>
  new ChainFailure('sdk', code, `${text}: ${name}`)

/** The code of wasmd for a contract that panics. */
export const PANIC = 29

/** The root errors that this chain can give: of the SDK (cosmos-sdk types/errors), and of wasmd. */
export const failures = {
  txDecode: (text: string) => new ChainFailure('sdk', 2, text),
  unauthorized: sdk(4, 'unauthorized'),
  insufficientFunds: sdk(5, 'insufficient funds'),
  unknownRequest: sdk(6, 'unknown request'),
  invalidAddress: sdk(7, 'invalid address'),
  invalidPubKey: sdk(8, 'invalid pubkey'),
  unknownAddress: sdk(9, 'unknown address'),
  invalidCoins: sdk(10, 'invalid coins'),
  outOfGas: sdk(11, 'out of gas'),
  memoTooLarge: sdk(12, 'memo too large'),
  insufficientFee: sdk(13, 'insufficient fee'),
  invalidRequest: sdk(18, 'invalid request'),
  keyNotFound: sdk(22, 'key not found'),
  invalidHeight: sdk(26, 'invalid height'),
  txTimeout: sdk(30, 'tx timeout height'),
  unknownExtension: () => new ChainFailure('sdk', 31, 'unknown extension options'),
  wrongSequence: sdk(32, 'incorrect account sequence'),
  notSupported: sdk(37, 'feature not supported'),
  notFound: sdk(38, 'not found'),
  executeFailed: (text: string) =>
    new ChainFailure('wasm', 5, `${text}: execute wasm contract failed`),
  queryFailed: (text: string) => new ChainFailure('wasm', 9, `${text}: query wasm contract failed`),
  noSuchContract: (address: string) =>
    new ChainFailure('wasm', 22, `address ${address}: no such contract`),
  panic: (text: string) =>
    new ChainFailure(
      'wasm',
      PANIC,
      `Error calling the VM: Error executing Wasm: Wasmer runtime error: RuntimeError: Aborted: panicked: ${text}: wasmvm error`,
    ),
} as const
