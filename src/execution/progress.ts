/** What happens while something is executed, in order. */
export type Step =
  | { readonly stage: 'quoted'; readonly height: number }
  /** Only one of so many nodes could be asked about the swap. */
  | { readonly stage: 'uncompared'; readonly of: number }
  | { readonly stage: 'built'; readonly sequence: string }
  | { readonly stage: 'simulated'; readonly gas: string }
  | { readonly stage: 'confirmed_by_user' }
  | { readonly stage: 'unlocked'; readonly name: string }
  | {
      readonly stage: 'signed'
      readonly hash: string
      readonly sequence: string
      readonly until: number
    }
  | { readonly stage: 'accepted'; readonly hash: string; readonly by: string }
  | { readonly stage: 'again'; readonly hash: string; readonly why: string }
  | {
      readonly stage: 'waiting'
      readonly hash: string
      readonly height: number
      readonly until: number
    }
  | { readonly stage: 'included'; readonly hash: string; readonly height: number }
  | { readonly stage: 'verified'; readonly hash: string }

/** Is told of every step. */
export type Progress = (step: Step) => void
