/**
 * The key that the demo network funds in its first block. It is public: the demo chain has no value. Its
 * mnemonic is `thumb emerge spike abandon attend grace loop window lunch note idea guard` at
 * `path`; the derived key is a constant because deriving takes longer than signing.
 */
export const DEMO = {
  name: 'demo',
  path: "m/44'/118'/0'/0/0",
  privateKey: '61e8a3b69913438785fa6eb979567205ef8755f6af8909a2106390e41e87a221',
  publicKey: '03f1dccc16ef59ef8e3b53f3d08a208fc29730ea56ea19f62aebc80625cf25632b',
} as const
