/** One of the codes of the public contract. */
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Error codes are part of the public contract: printed by `--json`, sent by the service, listed in the
 * README. A code is permanent once released.
 */
declare const errorCodes: readonly ['INVALID_REQUEST', 'INVALID_AMOUNT', 'INVALID_SPLIT_STEP', 'INVALID_SLIPPAGE', 'INVALID_ADDRESS', 'INVALID_AFFILIATE', 'INVALID_SNAPSHOT', 'SAME_TOKEN', 'UNKNOWN_TOKEN', 'AMBIGUOUS_TOKEN', 'NO_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_SMALL', 'PRICE_IMPACT_TOO_HIGH', 'ASSERTION_FAILED', 'ORDER_REFUSED', 'QUOTE_EXPIRED', 'QUOTE_MISMATCH', 'SLIPPAGE_EXCEEDED', 'SIMULATION_MISMATCH', 'INSUFFICIENT_FUNDS', 'KEYFILE_NOT_FOUND', 'KEYFILE_INVALID', 'KEYFILE_PERMISSIONS', 'WRONG_PASSWORD', 'SIGNER_FAILED', 'DECLINED', 'CONFIRMATION_REQUIRED', 'OUTCOME_UNKNOWN', 'TX_FAILED', 'BELOW_MINIMUM', 'PARTIALLY_EXECUTED', 'LIMIT_EXCEEDED', 'TX_NOT_FOUND', 'NOT_FOUND', 'MARKET_HALTED', 'BUSY', 'NOT_READY', 'UPSTREAM_ERROR', 'UPSTREAM_INVALID_DATA', 'UPSTREAM_TIMEOUT', 'UPSTREAM_RATE_LIMITED', 'STALE_DATA', 'OVERLOADED', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'URI_TOO_LONG', 'UNSUPPORTED_MEDIA_TYPE', 'HOST_NOT_ALLOWED', 'HEADERS_TOO_LARGE', 'INTERNAL'];

/**
 * Base of every failure that a user can cause or needs to know; anything else is a bug and keeps its stack
 * trace. The command line and the service map codes to exit and HTTP statuses. Subclasses are defined beside
 * the code that throws them.
 */
export declare class SwapError extends Error {
    readonly code: ErrorCode;
    readonly why: string | undefined;
    /** The hint of the command line. */
    readonly hint: string | undefined;
    /** The hint of the service; names no flag and no command. */
    readonly httpHint: string | undefined;
    readonly members: {
        readonly [key: string]: Json;
    };
    constructor(code: ErrorCode, message: string, facts?: ErrorFacts);
    /** The same error with other members; omitted ones are kept. */
    with(facts: ErrorFacts): SwapError;
}

/** A value that JSON can hold. Amounts are decimal strings, never numbers. */
type Json = null | boolean | number | string | readonly Json[] | {
    readonly [key: string]: Json;
};

/** Additional members of an error. */
type ErrorFacts = {
    /** The cause, one sentence with its amounts. */
    readonly why?: string;
    readonly hint?: Hint;
    /** Members of the problem document that belong to the code (docs/api.md#codes), in snake_case. */
    readonly members?: {
        readonly [key: string]: Json;
    };
    readonly cause?: unknown;
};

/**
 * The user's next step, imperative: one text, which the service leaves out if it names a flag or a command, or one
 * for each interface. `http` names members and endpoints; it is `undefined` if only the operator can act.
 */
type Hint = string | {
    readonly cli: string | undefined;
    readonly http: string | undefined;
};

/** Endpoints of a chain, read with `fetch`. */
export type FetchOptions = {
    /** URLs of CometBFT's JSON-RPC, the preferred one first. */
    readonly rpc: readonly string[];
    /** Timeout of one request in milliseconds; 10,000 by default. */
    readonly timeoutMs?: number | undefined;
    /** Replaces the global `fetch`. */
    readonly fetch?: typeof fetch | undefined;
};

/** A chain whose market is read, again and again. */
export type Chain = {
    /**
     * Reads the whole market at one block, by default the newest, as a snapshot document: for `readMarket` of
     * the engine, or for a file. Immutable data is read once.
     *
     * @throws SwapError UPSTREAM_ERROR (also for a height that no endpoint has), UPSTREAM_INVALID_DATA,
     * UPSTREAM_TIMEOUT, UPSTREAM_RATE_LIMITED; INVALID_REQUEST for an invalid height
     */
    readSnapshot(height?: number): Promise<object>;
};

/**
 * Opens a chain; nothing is read before the first call.
 *
 * @param options.network `mainnet` or `demo`, whose nodes are the default of `rpc`. The router of `stagenet` is not
 * known: its readings throw UPSTREAM_INVALID_DATA
 * @throws SwapError INVALID_REQUEST for an unknown network, and for `rpc` that is not a list of URLs; TypeError for a
 * `timeoutMs` that is no whole number above 0 and below 2^31
 */
export declare function openChain(options: {
    readonly network: string;
} & Partial<FetchOptions>): Chain;

export {};
