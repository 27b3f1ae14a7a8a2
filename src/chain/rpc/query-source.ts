/** One query to a node's application, by `abci_query`. */
export type Query = {
  /** A gRPC path: `/cosmwasm.wasm.v1.Query/SmartContractState`. */
  readonly path: string
  /** The protobuf request. */
  readonly data: Uint8Array
}

/** The application's answer: the protobuf response, or the reason of a refusal. */
export type Answer =
  | { readonly ok: true; readonly value: Uint8Array }
  | {
      readonly ok: false
      readonly code: number
      readonly codespace: string
      /** The node's message, for display only. */
      readonly text: string
    }

/** Read access to a chain, over one or several endpoints. */
export type Source = {
  /** The newest height that can be queried: that of the application, not that of `status`. */
  newestHeight(): Promise<number>
  /**
   * Answers in the order of the queries, all as of `height`. An answer as of another height, without a height or
   * incomplete is a fault of the node.
   *
   * @throws NodeFault if no endpoint answers all of them before the deadline
   */
  queries(questions: readonly Query[], height: number): Promise<readonly Answer[]>
  /** The same from every endpoint that answers, where there are several. @throws NodeFault if none does */
  queriesOfEach?(
    questions: readonly Query[],
    height: number,
  ): Promise<readonly (readonly Answer[])[]>
  /** A plain JSON-RPC read, e.g. `block_results`. @throws NodeFault */
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>
  /** A JSON answer of a REST endpoint at a height. @throws NodeFault */
  rest(path: string, height?: number): Promise<unknown>
  /** Closes the connections. */
  close(): void
}
