import type { OpportunityDocument } from '../operations/arbitrage/arbitrage-documents.js'
import type { SizeDocument } from '../operations/split/size-documents.js'
import type { Question } from './question.js'
import type { EngineAnswer, PageMarket } from './quoter.js'

/** A question with its number, which identifies late answers to an older one. */
export type NumberedQuestion = { readonly id: number; readonly question: Question }

/** From the page to its worker: a market document, or another question. */
export type ToWorker =
  | { readonly kind: 'market'; readonly text: string }
  | { readonly kind: 'question'; readonly asked: NumberedQuestion | undefined }

export type FromWorker =
  | ({ readonly kind: 'market' } & Omit<PageMarket, 'context'>)
  | { readonly kind: 'quote'; readonly id: number; readonly quoted: EngineAnswer }
  | { readonly kind: 'prices'; readonly id: number; readonly points: readonly SizeDocument[] }
  | { readonly kind: 'loops'; readonly loops: readonly OpportunityDocument[] }
  | { readonly kind: 'failed'; readonly message: string }
