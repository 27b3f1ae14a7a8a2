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

/**
 * Why a venue or the router refuses a swap. `simulate` sees some of these, an execution all
 * (docs/venues.md#refusal-reasons).
 */
export type RefusalReason = 
/** The book cannot take the whole offer: the rest would stay in the router. */
'beyond_depth'
/** The offer ends within one bid unit below draining a pool: the contract subtracts below zero. */
 | 'abort_window'
/** 128-bit arithmetic or the tick leaves its range: VM abort. */
 | 'overflow'
/** A pool has used up the precision of its running product: `DistributionError`. */
 | 'pool_precision'
/** A maker was reached and would be sent, or would have to send, nothing. */
 | 'empty_maker_message'
/** A maker would pay less for the whole offer than its levels promised. */
 | 'maker_refuses'
/** The pair cannot pay the makers of its own arbitrage step. */
 | 'arb_capital'
/** The pair's arbitrage step never ends: every swap of it runs out of gas. */
 | 'arb_endless'
/** A group's total is zero where the contract divides by it. */
 | 'zero_total'
/** A hop, or the whole path, pays nothing. */
 | 'zero_output'
/** The router's fees exceed the output. */
 | 'fees_exceed_output'
/** The recipient would get less than the message demands. */
 | 'below_min_return'
/** The offered denom is not one of the pair's two. */
 | 'invalid_denom'
/** The pair was left out of the market. */
 | 'quarantined';

/** `amount` counts atomics, the asset's smallest unit; never negative. 1 RUNE is 100_000_000n. */
export type Coin = {
    readonly denom: Denom;
    readonly amount: bigint;
};

/** An asset's bank identifier, e.g. `rune` or `btc-btc`. Compared byte for byte. */
export type Denom = string;

/** Display data of a token. `decimals` is for display only: the core counts atomics. */
export type Token = {
    readonly denom: Denom;
    /** Digits between atomics and a displayed unit, 0 to 38. */
    readonly decimals: number;
    /** The typed and displayed name; not unique. */
    readonly symbol: string;
    readonly name: string;
    /** The chain the asset comes from, upper case: `BTC`, `ETH`, `THOR`. */
    readonly chain: string;
    readonly kind: TokenKind;
    readonly contract: string | null;
    readonly logoUri: string | null;
};

/** How a token came to the chain. */
type TokenKind = 'native' | 'secured' | 'factory';

/** The contract-execute message of the router, in the dialect of that router. */
export type RouterMessage = {
    readonly swap: {
        readonly stages: readonly Stage[];
        readonly min_return: {
            readonly denom: string;
            readonly amount: string;
        };
        readonly recipient?: string;
        readonly affiliate_code?: string;
    };
};

/** One stage as the router takes it. */
type Stage = {
    readonly address: string;
    readonly denom: string;
};

/** The market of one block, as read from a snapshot. Functions need this very object, not a copy. */
export type Market = {
    readonly network: string;
    readonly chainId: string;
    readonly height: number;
    /** Block time, RFC 3339 UTC. */
    readonly time: string;
    /** Address of the router: the contract that messages are sent to. */
    readonly router: string;
    readonly tokens: ReadonlyMap<Denom, Token>;
    /** Open pairs, in the order of the snapshot. */
    readonly pairs: readonly Pair[];
    /** Excluded pairs with reasons: halted, malformed or unreadable ones. */
    readonly excluded: readonly {
        readonly address: string;
        readonly reason: string;
    }[];
};

/** An open pair of a market. */
export type Pair = {
    readonly address: string;
    readonly base: Denom;
    readonly quote: Denom;
};

/** A swap to quote, for an input. Amounts are atomics above zero and below 2^128. */
export type QuoteRequest = QuoteTerms & {
    readonly input: Coin;
    readonly output: Denom;
};

/** Limits of a search, and terms of its messages. */
export type QuoteTerms = {
    /** Hops of a path at most, 1 to 6; 4 by default. */
    readonly maxHops?: number | undefined;
    /** `minReturn` is this much below the expected output, in bps, rounded down, at least 1 atomic; 0 to 9999, 50 by default. */
    readonly slippageBps?: number | undefined;
    /** Denoms and pair addresses that every path must use. */
    readonly via?: readonly string[] | undefined;
    /** Denoms and pair addresses that no path may use. */
    readonly exclude?: readonly string[] | undefined;
    /** A code that is registered with the router. */
    readonly affiliate?: string | undefined;
};

/**
 * Reads a snapshot document: what `GET /swap/snapshot` and `swap snapshot save` answer with, parsed as
 * JSON. A malformed pair is left out, with its reason in `excluded`.
 *
 * @throws SwapError INVALID_SNAPSHOT for anything malformed outside the pairs, with the JSON pointer
 */
export declare function readMarket(snapshot: unknown): Market;

/** One swap through one pair. */
export type Hop = {
    /** Address of the pair. */
    readonly pair: string;
    readonly input: Coin;
    /** After the pair's fee. */
    readonly output: Coin;
    /** The pair's fee, in the denom of the output. */
    readonly fee: bigint;
    /** In basis points, two decimals, half up; `undefined` without a mid price. */
    readonly impactBps: number | undefined;
    readonly exact: boolean;
};

/** A path with all figures of a quote. Amounts are atomics of their coin's denom. */
export type Quote = {
    /** The same path has the same id in every run and on every market. */
    readonly id: string;
    readonly input: Coin;
    /** The recipient's amount. */
    readonly output: Coin;
    /** The message's minimum: the contract refuses to pay less. */
    readonly minReturn: bigint;
    /** The router's `simulate` answer; `undefined` if it fails. */
    readonly simulated: bigint | undefined;
    /** Whether all numbers rest on complete knowledge of everything touched. */
    readonly exact: boolean;
    /** Denoms from the input to the output. */
    readonly path: readonly Denom[];
    readonly hops: readonly Hop[];
    /** Fees of the router, in the denom of the output; the referral is part of the protocol's. */
    readonly fees: {
        readonly protocol: bigint;
        readonly referral: bigint;
        readonly affiliate: bigint;
    };
    /** In basis points, two decimals, half up; `undefined` without a mid price. */
    readonly impactBps: number | undefined;
    /** Estimated gas of a transaction with this message alone. No gas limit: an execution may use a third more. */
    readonly gas: bigint;
    /**
     * The contract-execute message of the router; send it with exactly `input` as funds. It pays the sender
     * where no recipient is given.
     *
     * @throws SwapError INVALID_ADDRESS for a recipient with another prefix than the router's, the router, or a pair
     */
    message(options?: {
        readonly recipient?: string | undefined;
    }): RouterMessage;
};

/** The best single paths of a swap. */
export type Routes = {
    /**
     * Best first: the highest output, or the smallest input for a given output, where gas has a price together with its
     * cost.
     */
    readonly routes: readonly Quote[];
    /** Why paths were refused and how often, the most frequent first; only where no route was found. */
    readonly refusals: readonly (readonly [RefusalReason, number])[];
    /** Whether the search ended at its budget of work, so that a better path may exist. */
    readonly isCut: boolean;
};

/**
 * Finds the best single paths for an input, ranked by their exact outputs: the routes that
 * `POST /swap/route` answers with on the same block, where it needs no contract's own number. None if no open
 * pair trades one of the tokens.
 *
 * @throws SwapError UNKNOWN_TOKEN (also in `via` and `exclude`), SAME_TOKEN, INVALID_AMOUNT, INVALID_AFFILIATE,
 * INVALID_REQUEST; TypeError for a market that `readMarket` did not return
 */
export declare function findRoutes(market: Market, request: QuoteRequest & {
    /** Routes at most, 1 to 25; 5 by default. */
    readonly limit?: number | undefined;
}): Routes;

/** A path that cannot be executed, and the reason. */
export type RefusedPath = {
    readonly refused: RefusalReason;
    readonly why: string;
};

/**
 * Quotes exactly one path.
 *
 * @param pairs addresses of the pairs, in order of execution
 * @throws SwapError MARKET_HALTED for a halted pair, NOT_FOUND for any other that is not open, INVALID_REQUEST
 * for pairs that do not connect; otherwise as `findRoutes`
 */
export declare function quotePath(market: Market, pairs: readonly string[], input: Coin, terms?: Pick<QuoteTerms, 'slippageBps' | 'affiliate'>): Quote | RefusedPath;

/** A profitable circular path. Amounts are atomics of its first and last denom. */
export type ArbitrageLoop = {
    /** `minReturn` is at least the input: it never executes at a loss. */
    readonly quote: Quote;
    readonly profit: bigint;
    /** Of the input, two decimals, half up. */
    readonly profitPercent: number;
};

/** The profitable loops of a market. */
export type ArbitrageLoops = {
    /** The greatest share of profit first. */
    readonly loops: readonly ArbitrageLoop[];
    /** Whether the search ended at its budget of work, so that further loops may be profitable. */
    readonly isCut: boolean;
};

/**
 * Finds the loops that are profitable after all fees, from the network's listed denoms and amounts. The most promising
 * are searched first.
 *
 * @param terms `maxHops` is 2 to 6
 * @throws SwapError INVALID_REQUEST
 */
export declare function findArbitrageLoops(market: Market, terms?: Pick<QuoteTerms, 'maxHops' | 'slippageBps'>): ArbitrageLoops;

/**
 * Reads an amount in whole units: digits, at most `decimals` of them after a point, and `_` between digits.
 *
 * @example parseAmount('1.5', 8) === 150_000_000n
 * @throws SwapError INVALID_AMOUNT; INVALID_REQUEST for decimals that are no whole number up to 38
 */
export declare function parseAmount(text: string, decimals: number): bigint;

/**
 * Atomics in whole units, with every digit and without trailing zeros.
 *
 * @example formatAmount(150_000_000n, 8) === '1.5'
 * @throws SwapError INVALID_AMOUNT for anything but a bigint; INVALID_REQUEST for decimals that are no whole
 * number up to 38
 */
export declare function formatAmount(amount: bigint, decimals: number): string;

export {};
