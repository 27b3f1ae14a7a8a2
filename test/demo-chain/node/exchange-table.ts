/** Recorded files that no request of this suite repeats, with the reason. */
export const excluded: readonly (readonly [files: RegExp, why: string])[] = [
  [
    /^(?:block_times|latency|gas_.*|race_.*|ws_order|stranded_story|book_.*)$/,
    'measurements and notes about a run, not an exchange',
  ],
  [/^golden_(?:simulate|swaps)$/, 'contract results: test/demo-chain/contracts compares them'],
  [/^fin_orders_query$/, 'decoded contract answers without a request'],
  [/^ws_/, 'WebSocket messages: socket.test.ts compares their shapes'],
  [
    /^(?:broadcast_err_fee_(?:bad_denom|none|too_low|wrong_denom|zero_coin)|broadcast_ok_with_fee)$/,
    'a chain that asks for fees; the request is not a whole exchange. test/demo-chain/tx checks the texts',
  ],
  [/^rpc_abci_query_pruned$/, 'no whole request was recorded: endpoints.test.ts sends these'],
  [
    /^tx_(?:fee_|fin_direct_v11|fin_order|mixed|router_(?:beyond|next|other|prebuilt|spoofed|unknown)|v11_)/,
    'committed results without their request: test/demo-chain/contracts compares what they say',
  ],
  [
    /^broadcast_err_(?:account_number|chain_id|fee_funds|garbage|gas_too_low_ante|memo_long|seq_high|seq_low|unknown_account)$/,
    'what the check says of bytes, or of a signer that only the recorded chain knows: test/demo-chain/tx',
  ],
  [
    /^(?:tx_err_unsorted_funds_broadcast|broadcast_tx_sync_get|broadcast_err_duplicate_committed|broadcast_err_already_in_cache)$/,
    'needs the signer, or the broadcast before it: endpoints.test.ts sends such of this chain',
  ],
  [
    /^rpc_simulate_err$/,
    'the failing swap names a price of the recorded chain: endpoints.test.ts tries a failing one of this chain',
  ],
  [
    /^rpc_abci_query_height1$/,
    'this chain begins with its contracts: there is no height before them',
  ],
  [
    /^rpc_abci_query_out_of_gas$/,
    'how many levels use the gas up is the book’s: endpoints.test.ts asks with little gas',
  ],
  [
    /^(?:rest_.*|rpc_(?:all_contract_state_reverse|block_by_hash|check_tx|get_root|net_info)|quirk_empty_body)$/,
    'the demo chain does not answer them: neither this program nor cosmjs asks',
  ],
]

/** Recorded answers about their own chain: ours must have the same shape. All others must be equal. */
export const shapes: readonly RegExp[] = [
  /^tx_/,
  /^broadcast_(?:ok|two|tx|msg)/,
  // Refusals of requests that cannot be read: the codes are the same, the words are not.
  /^quirk_(?:bad_json|get_block_bad_height)$/,
  /^rpc_(?:abci_query_(?:data_base64|data_not_hex|get_noquotes|height_number_type)|tx_get_nohex)$/,
  /^rpc_(?:block_height_number|tx_search_(?:bad2?|custom_event(?:_contract)?|perpage_numbers))$/,
  /^rpc_abci_query_no_contract$/,
  /^quirk_(?:batch|get_block_quoted_height|params_array|unknown_param)$/,
  /^rpc_abci_(?:info|book30_beside)$/,
  /^rpc_abci_query_(?:account|book|get|get_height|height_ok|prove|router_simulate|smart_config)$/,
  /^rpc_all_contract_state/,
  /^rpc_block(?:_get|_latest|_old|_results_empty|_results_old|_results_swap|_search|chain)?$/,
  /^rpc_(?:commit|get_status|header|simulate|status|validators)$/,
  /^rpc_tx(?:_get|_get_prove)?$/,
  /^rpc_tx_search_(?:contract|get|height|height_contract|sender)$/,
]
