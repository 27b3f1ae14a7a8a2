import { tokens } from '../../../src/chain/networks/tokens.js'
import { styleOf } from '../../../src/render/style.js'

export const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const address = 'demo1kz3l6tyw3cp8rpdynt3psrgvmqkaj4ffc20hmn'

export const context = {
  tokens: new Map([...tokens]),
  aliases: new Map([['usdc', usdc]]),
  pairs: new Map([['demo1pair', { base: 'rune', quote: usdc }]]),
  accounts: new Map([['demo1ofthebook', 'alice']]),
  routerOrigin: 'of the built-in list',
  blockMs: 2_000,
  allowance: undefined,
}
export const style = (width: number, ascii = false) =>
  styleOf({ width, color: false, ascii, tty: true })
