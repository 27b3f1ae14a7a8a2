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
  [
    /^(?:rest_node_config_with_min_gas|rest_options|rest_smart_headers|rest_smart_pruned|rpc_abci_query_pruned)$/,
    'no whole request was recorded: endpoints.test.ts sends these',
  ],
  [
    /^tx_(?:fee_|fin_direct_v11|fin_order|mixed|router_(?:beyond|next|other|prebuilt|spoofed|unknown)|v11_)/,
    'committed results without their request: test/demo-chain/contracts compares what they say',
  ],
  [
    /^broadcast_err_(?:account_number|chain_id|fee_funds|garbage|gas_too_low_ante|memo_long|seq_high|seq_low|unknown_account)$/,
    'what the check says of bytes, or of a signer that only the recorded chain knows: test/demo-chain/tx',
  ],
  [
    /^(?:tx_err_unsorted_funds_broadcast|broadcast_tx_sync_get|rest_broadcast_err_seq|broadcast_err_duplicate_committed|broadcast_err_already_in_cache)$/,
    'needs the signer, or the broadcast before it: endpoints.test.ts sends such of this chain',
  ],
  [
    /^(?:rpc_simulate_err|rest_simulate_err)$/,
    'the failing swap names a price of the recorded chain: endpoints.test.ts tries a failing one of this chain',
  ],
  [
    /^rpc_abci_query_height1$/,
    'this chain begins with its contracts: there is no height before them',
  ],
  [
    /^(?:rpc_abci_query_out_of_gas|rest_smart_out_of_gas|rest_smart_gas_limit_param)$/,
    'how many levels use the gas up is the book’s: endpoints.test.ts asks with little gas',
  ],
  [
    /^(?:rest_(?:denom_metadata_qs|node_status|syncing|txs_block|wasm_params)|rpc_(?:block_by_hash|check_tx|get_root|net_info)|quirk_empty_body)$/,
    'the demo chain does not answer them: neither this program nor cosmjs asks',
  ],
  [
    /^rest_smart_simulate_(?:big|negative|number)$/,
    'words of a contract’s parser about an amount, which no client compares',
  ],
]

/** Recorded answers about their own chain: ours must have the same shape. All others must be equal. */
export const shapes: readonly RegExp[] = [
  /^tx_/,
  /^broadcast_(?:ok|two|tx|msg)/,
  // Refusals of requests that cannot be read: the codes are the same, the words are not.
  /^(?:quirk_(?:bad_json|get_block_bad_height)|rest_smart_(?:b64url|bad_b64|bad_height))$/,
  /^rpc_(?:abci_query_(?:data_base64|data_not_hex|get_noquotes|height_number_type)|tx_get_nohex)$/,
  /^rpc_(?:block_height_number|tx_search_(?:bad2?|custom_event(?:_contract)?|perpage_numbers))$/,
  /^rest_(?:account_missing|balances_unknown|smart_no_contract|wasm_build_address)$/,
  /^rpc_abci_query_no_contract$/,
  /^quirk_(?:batch|get_block_quoted_height|params_array|unknown_param)$/,
  /^rest_account(?:_feeonly_never_signed|_unused)?$/,
  /^rest_balance(?:s|_by_denom)$/,
  /^rest_(?:block|latest_block|broadcast|code_info|codes|contract_history|contract_info|simulate)$/,
  /^rest_contracts_by_(?:code|code_page2|creator)$/,
  /^rest_denom/,
  /^rest_node_(?:config|info)$/,
  /^rest_(?:raw_contract_info|smart_book|smart_config|smart_height|spendable|state)$/,
  /^rest_(?:supply_by_denom|tx|txs_query)$/,
  /^rest_smart_router_simulate_empty$/,
  /^rpc_abci_(?:info|book30_beside)$/,
  /^rpc_abci_query_(?:account|book|get|get_height|height_ok|prove|router_simulate|smart_config)$/,
  /^rpc_all_contract_state/,
  /^rpc_block(?:_get|_latest|_old|_results_empty|_results_old|_results_swap|_search|chain)?$/,
  /^rpc_(?:commit|get_status|header|simulate|status|validators)$/,
  /^rpc_tx(?:_get|_get_prove)?$/,
  /^rpc_tx_search_(?:contract|get|height|height_contract|sender)$/,
]
