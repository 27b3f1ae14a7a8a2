/** One leg of a split. */
export type Leg = {
    /** Share of the input, a decimal of at most 18 significant digits, rounded down. */
    readonly fraction: string;
    /** On the books as the legs before it left them. */
    readonly quote: Quote;
};

/** A path with all figures of a quote. Amounts are atomics of their coin's denom. */
type Quote = {
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

/** `amount` counts atomics, the asset's smallest unit; never negative. 1 RUNE is 100_000_000n. */
type Coin = {
    readonly denom: Denom;
    readonly amount: bigint;
};

/** An asset's bank identifier, e.g. `rune` or `btc-btc`. Compared byte for byte. */
type Denom = string;

/** One swap through one pair. */
type Hop = {
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

/** The contract-execute message of the router, in the dialect of that router. */
type RouterMessage = {
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

/** The result of one input. */
export type SizeQuote = {
    readonly input: Coin;
    /** The recipient's amount; `undefined` if nothing takes the whole input. */
    readonly output: bigint | undefined;
    /** In basis points, two decimals, half up; `undefined` without an output or a mid price. */
    readonly impactBps: number | undefined;
    /** Whether both rest on complete knowledge; `undefined` without an output. */
    readonly exact: boolean | undefined;
};

/** Two tokens between which inputs of any size are quoted. Splits are on a grid only if `stepPercent` is given. */
export type SizeRequest = Omit<QuoteTerms, 'slippageBps'> & Omit<SplitOptions, 'grid'> & {
    readonly input: Denom;
    readonly output: Denom;
    /** Divide every input; by default each is quoted by its best single path. */
    readonly split?: boolean | undefined;
};

/** Limits of a search, and terms of its messages. */
type QuoteTerms = {
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

/** Constraints of a split. */
export type SplitOptions = {
    /** Percent of the input of which shares are multiples, 1 to 10; 5 by default. */
    readonly stepPercent?: number | undefined;
    /** False: shares of any size, and `stepPercent` is ignored. */
    readonly grid?: boolean | undefined;
    /** Legs at most, 1 to 10; 6 by default on a grid, without a grid as many as pay. */
    readonly maxLegs?: number | undefined;
};

/** A split of an input into legs that are executed one after the other. Amounts are atomics. */
export type Split = {
    /** The same split has the same id in every run. */
    readonly id: string;
    readonly input: Coin;
    /** The recipient's total of all legs. */
    readonly output: Coin;
    /** Sum of the legs' minimums. */
    readonly minReturn: bigint;
    readonly exact: boolean;
    /** In basis points, two decimals, half up; `undefined` where a leg has no mid price. */
    readonly impactBps: number | undefined;
    /** In the order of execution. */
    readonly legs: readonly Leg[];
};

/** The splits of an input. */
export type Splits = {
    /**
     * The highest output first, less the cost of gas where it has a price, then the best with fewer legs; none where the
     * market cannot take the amount.
     */
    readonly splits: readonly Split[];
    /** The best path for the whole input, where one takes it. */
    readonly single: Quote | undefined;
    /** No split over paths within the limits pays more; `undefined` where none was found. */
    readonly bound: bigint | undefined;
    /** Whether the search ended at its budget of work, so that a better split may exist. */
    readonly isCut: boolean;
};

/**
 * Finds the best splits of an input over several paths: those that `POST /swap/sroute` answers with on
 * the same block, where it needs no contract's own number.
 *
 * @throws SwapError as `findRoutes`
 */
export declare function findSplits(market: Market, request: QuoteRequest & SplitOptions): Splits;

/** The market of one block, as read from a snapshot. Functions need this very object, not a copy. */
type Market = {
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

/** Display data of a token. `decimals` is for display only: the core counts atomics. */
type Token = {
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

/** An open pair of a market. */
type Pair = {
    readonly address: string;
    readonly base: Denom;
    readonly quote: Denom;
};

/** A swap to quote, for an input. Amounts are atomics above zero and below 2^128. */
type QuoteRequest = QuoteTerms & {
    readonly input: Coin;
    readonly output: Denom;
};

/**
 * Computes output and price impact of several inputs, each quoted by itself.
 *
 * @throws SwapError as `findRoutes`
 */
export declare function quoteSizes(market: Market, request: SizeRequest, amounts: readonly bigint[]): readonly SizeQuote[];

export {};
