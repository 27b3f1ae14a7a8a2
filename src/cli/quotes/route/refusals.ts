import type { RefusalReason } from '../../../engine/market/refusal.js'

/** Each reason for which a path is not offered, as one sentence for people. */
export const meanings: Readonly<Record<RefusalReason, string>> = {
  beyond_depth:
    'The book cannot take the whole amount, and the rest would stay in the router, lost to you.',
  abort_window: 'The amount ends so close to emptying an order pool that the contract would abort.',
  overflow: 'The amount leaves the range of numbers that the contract can count with.',
  pool_precision: 'An order pool is so worn that the contract can no longer divide it.',
  empty_maker_message:
    'A market maker would be sent nothing, and the chain refuses such a payment.',
  maker_refuses: 'A market maker would pay less for the whole amount than its levels promise.',
  arb_capital: 'The pair would first trade against its own makers and cannot pay for it.',
  arb_endless: 'The pair would first trade against its own makers without end and run out of gas.',
  zero_total: 'The contract would divide by an order pool that is empty.',
  zero_output: 'The amount is so small that nothing would come out.',
  fees_exceed_output: 'The fees of the router would be more than the whole output.',
  below_min_return: 'The recipient would get less than the message demands.',
  invalid_denom: 'The pair does not trade the token that it would be offered.',
  quarantined: 'The pair was left out of the market: halted or not readable.',
}

/** The sentence of a reason; a reason that is not known explains itself. */
export const meaningOf = (reason: string): string =>
  Object.hasOwn(meanings, reason) ? meanings[reason as RefusalReason] : reason
