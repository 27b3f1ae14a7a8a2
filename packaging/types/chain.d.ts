/** One of the codes of the public contract. */
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Part of the public contract: printed by `--json`, sent by the service, listed in the README. A
 * code is permanent once released.
 */
declare const errorCodes: readonly ['INVALID_REQUEST', 'INVALID_AMOUNT', 'INVALID_SPLIT_STEP', 'INVALID_SLIPPAGE', 'INVALID_ADDRESS', 'INVALID_AFFILIATE', 'INVALID_SNAPSHOT', 'SAME_TOKEN', 'UNKNOWN_TOKEN', 'AMBIGUOUS_TOKEN', 'NO_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_SMALL', 'PRICE_IMPACT_TOO_HIGH', 'ASSERTION_FAILED', 'ORDER_REFUSED', 'QUOTE_EXPIRED', 'QUOTE_MISMATCH', 'SLIPPAGE_EXCEEDED', 'SIMULATION_MISMATCH', 'INSUFFICIENT_FUNDS', 'KEYFILE_NOT_FOUND', 'KEYFILE_INVALID', 'KEYFILE_PERMISSIONS', 'WRONG_PASSWORD', 'SIGNER_FAILED', 'DECLINED', 'CONFIRMATION_REQUIRED', 'OUTCOME_UNKNOWN', 'TX_FAILED', 'BELOW_MINIMUM', 'PARTIALLY_EXECUTED', 'LIMIT_EXCEEDED', 'TX_NOT_FOUND', 'NOT_FOUND', 'MARKET_HALTED', 'BUSY', 'NOT_READY', 'UPSTREAM_ERROR', 'UPSTREAM_INVALID_DATA', 'UPSTREAM_TIMEOUT', 'UPSTREAM_RATE_LIMITED', 'STALE_DATA', 'OVERLOADED', 'RATE_LIMITED', 'METHOD_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'URI_TOO_LONG', 'UNSUPPORTED_MEDIA_TYPE', 'HOST_NOT_ALLOWED', 'HEADERS_TOO_LARGE', 'INTERNAL'];

/**
 * Base of every failure a user can cause or must hear about; anything else is a bug and keeps its
 * stack trace. The command line and the service decide what a code means as an exit or an HTTP status.
 * Subclasses live beside the code that throws them.
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
    /** The same error with other facts; those that are left out stay. */
    with(facts: ErrorFacts): SwapError;
}

/** A value that JSON can hold. Amounts are decimal strings, never numbers. */
type Json = null | boolean | number | string | readonly Json[] | {
    readonly [key: string]: Json;
};

/** What an error adds to its message. */
type ErrorFacts = {
    /** Why it happened, one sentence with the amounts in it. */
    readonly why?: string;
    readonly hint?: Hint;
    /** Members of the problem document that belong to the code (docs/api.md#codes), in snake_case. */
    readonly members?: {
        readonly [key: string]: Json;
    };
    readonly cause?: unknown;
};

/**
 * The user's next step, imperative: one text where it names neither a flag nor a command, else one for each
 * interface. `http` names members and endpoints; it is `undefined` where only the operator can act.
 */
type Hint = string | {
    readonly cli: string | undefined;
    readonly http: string | undefined;
};

/** Where a chain is read from, with `fetch`. */
export type FetchOptions = {
    /** URLs of CometBFT's JSON-RPC, the preferred one first. */
    readonly rpc: readonly string[];
    /** Milliseconds that one request may take; 10,000 by default. */
    readonly timeoutMs?: number;
    /** In place of the global `fetch`. */
    readonly fetch?: typeof fetch;
};

/** A chain whose market is read, again and again. */
export type Chain = {
    /**
     * Reads the whole market as of one block, by default the newest, as a snapshot document: for
     * `readMarket` of the engine, or for a file. What does not change is read once.
     *
     * @throws SwapError UPSTREAM_ERROR, UPSTREAM_INVALID_DATA, UPSTREAM_TIMEOUT, UPSTREAM_RATE_LIMITED;
     *   INVALID_REQUEST for a height that is no block's
     */
    readSnapshot(height?: number): Promise<object>;
};

/**
 * Opens a chain; nothing is read before the first call.
 *
 * @param options.network `mainnet`, `stagenet` or `demo`, whose nodes are used where `rpc` is left out
 * @throws SwapError INVALID_REQUEST for a network that is not known, and for a node that is no URL
 */
export declare function openChain(options: {
    readonly network: string;
} & Partial<FetchOptions>): Chain;

export {};
