/** One question to a node's application, as `abci_query` takes it. */
export type Query = {
  /** A gRPC path: `/cosmwasm.wasm.v1.Query/SmartContractState`. */
  readonly path: string
  /** The protobuf request. */
  readonly data: Uint8Array
}

/** What the application answered: the protobuf response, or why it refused. */
export type Answer =
  | { readonly ok: true; readonly value: Uint8Array }
  | {
      readonly ok: false
      readonly code: number
      readonly codespace: string
      /** The node's own words: for people, never for decisions. */
      readonly text: string
    }

/** A chain that can be read: one or several endpoints of one network behind one face. */
export type Source = {
  /** The height that a read should pin now, from the application itself, never from `status`. */
  newestHeight(): Promise<number>
  /**
   * Answers in the order of the questions, every one as of `height`. A node that answers another
   * height, no height, or not every question is a fault of the node, not an answer.
   *
   * @throws NodeFault when no endpoint answers all of them before the deadline.
   */
  queries(questions: readonly Query[], height: number): Promise<readonly Answer[]>
  /** A plain JSON-RPC read, e.g. `block_results`. @throws NodeFault */
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>
  /** A JSON answer of the REST door at a height, where the network has one. @throws NodeFault */
  rest(path: string, height?: number): Promise<unknown>
  /** Lets go of sockets. */
  close(): void
}
