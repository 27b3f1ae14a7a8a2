import type { ArbrouteAnswer, ArbrouteRequest, ArbsAnswer, ArbsRequest, HistoryAnswer, HistoryOrdersAnswer, HistoryOrdersRequest, HistoryRequest, OrderPreviewAnswer, OrderPreviewRequest, OrdersAnswer, OrdersRequest, ProblemAnswer, RouteAnswer, RouteRequest, SimulateAnswer, SimulateRequest, SrouteAnswer, SrouteRequest, TokensAnswer } from './documents.js';

export type * from './documents.js';

/** One of the codes of the public contract. */
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Error codes are part of the public contract: printed by `--json`, sent by the service, listed in the
 * README. A code is permanent once released.
 */
declare const errorCodes: readonly ['INVALID_REQUEST', 'INVALID_AMOUNT', 'INVALID_SPLIT_STEP', 'INVALID_SLIPPAGE', 'INVALID_ADDRESS', 'INVALID_AFFILIATE', 'INVALID_SNAPSHOT', 'SAME_TOKEN', 'UNKNOWN_TOKEN', 'AMBIGUOUS_TOKEN', 'NO_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_SMALL', 'PRICE_IMPACT_TOO_HIGH', 'ASSERTION_FAILED', 'ORDER_REFUSED', 'QUOTE_EXPIRED', 'QUOTE_MISMATCH', 'SLIPPAGE_EXCEEDED', 'SIMULATION_MISMATCH', 'INSUFFICIENT_FUNDS', 'KEYFILE_NOT_FOUND', 'KEYFILE_INVALID', 'KEYFILE_PERMISSIONS', 'WRONG_PASSWORD', 'SIGNER_FAILED', 'DECLINED', 'CONFIRMATION_REQUIRED', 'OUTCOME_UNKNOWN', 'TX_FAILED', 'BELOW_MINIMUM', 'PARTIALLY_EXECUTED', 'LIMIT_EXCEEDED', 'TX_NOT_FOUND', 'NOT_FOUND', 'MARKET_HALTED', 'BUSY', 'NOT_READY', 'UPSTREAM_ERROR', 'UPSTREAM_INVALID_DATA', 'UPSTREAM_TIMEOUT', 'UPSTREAM_RATE_LIMITED', 'STALE_DATA', 'OVERLOADED', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'URI_TOO_LONG', 'UNSUPPORTED_MEDIA_TYPE', 'HOST_NOT_ALLOWED', 'HEADERS_TOO_LARGE', 'INTERNAL'];

/** A request that the service refused or did not answer. */
export declare class ServiceError extends Error {
    /** The service's code. `UNREACHABLE`: no response; `INVALID_ANSWER`: the response is not from this service. */
    readonly code: ErrorCode | 'UNREACHABLE' | 'INVALID_ANSWER';
    /** HTTP status; 0 without an answer. */
    readonly status: number;
    /** Whether the same request may succeed later. */
    readonly retryable: boolean;
    /** The whole document of the error, with the members of its code. */
    readonly problem?: (ProblemAnswer & Readonly<Record<string, unknown>>) | undefined;
    readonly name = "ServiceError";
    constructor(
    /** The service's code. `UNREACHABLE`: no response; `INVALID_ANSWER`: the response is not from this service. */
    code: ErrorCode | 'UNREACHABLE' | 'INVALID_ANSWER', message: string, 
    /** HTTP status; 0 without an answer. */
    status: number, 
    /** Whether the same request may succeed later. */
    retryable: boolean, 
    /** The whole document of the error, with the members of its code. */
    problem?: (ProblemAnswer & Readonly<Record<string, unknown>>) | undefined, options?: ErrorOptions);
}

/** Address of the service, and defaults of calls. */
export type ClientOptions = {
    /** Address of the service, such as `http://127.0.0.1:8555`; paths are appended to it. */
    readonly url: string;
    /** Headers of every request, such as an authorization for a proxy in front. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Timeout of an answer in milliseconds; 30,000 by default. Streams have none. */
    readonly timeoutMs?: number | undefined;
    /** Replaces the global `fetch`. */
    readonly fetch?: typeof fetch | undefined;
};

/** Options of one call. */
export type CallOptions = {
    /** Aborts the call, which then throws the signal's reason. */
    readonly signal?: AbortSignal | undefined;
};

/** One request of a batch, under the name of its operation. */
export type BatchElement = {
    readonly route: RouteRequest;
} | {
    readonly sroute: SrouteRequest;
};

/** The quote that a stream sends at every block. */
export type StreamRequest = ({
    readonly operation?: 'route';
} & RouteRequest) | ({
    readonly operation: 'sroute';
} & SrouteRequest);

/** The event of one height: a quote, or the problem that prevents one. */
export type StreamEvent<Answer> = {
    readonly event: 'quote';
    readonly height: number;
    readonly quote: Answer;
} | {
    readonly event: 'problem';
    readonly height: number;
    /** With the members of its code. */
    readonly problem: ProblemAnswer & Readonly<Record<string, unknown>>;
};

/**
 * The operations of a service. Documents are those of its API: amounts are strings of atomics. Every call
 * throws a `ServiceError` if the service refuses or does not respond, and the reason of a signal that aborts.
 */
export type Client = {
    readonly tokens: CallWithoutRequest<TokensAnswer>;
    readonly route: Call<RouteRequest, RouteAnswer>;
    readonly sroute: Call<SrouteRequest, SrouteAnswer>;
    readonly simulate: Call<SimulateRequest, SimulateAnswer>;
    readonly arbs: OptionalCall<ArbsRequest, ArbsAnswer>;
    readonly arbroute: Call<ArbrouteRequest, ArbrouteAnswer>;
    readonly orders: Call<OrdersRequest, OrdersAnswer>;
    readonly orderPreview: Call<OrderPreviewRequest, OrderPreviewAnswer>;
    readonly history: OptionalCall<HistoryRequest, HistoryAnswer>;
    readonly historyOrders: OptionalCall<HistoryOrdersRequest, HistoryOrdersAnswer>;
    /**
     * The market as one document, for `readMarket` of the engine. `compact` leaves out what the engine computes
     * from the rest: an eighth of the size, and the same quotes.
     */
    readonly snapshot: (request?: {
        readonly compact?: boolean | undefined;
    }, options?: CallOptions) => Promise<object>;
    readonly version: CallWithoutRequest<{
        readonly version: string;
        readonly commit: string;
        readonly node: string;
    }>;
    /** The readiness of the service, with reasons; does not throw if it is not ready. */
    readonly readyz: CallWithoutRequest<{
        readonly ready: boolean;
        readonly reasons: readonly string[];
        readonly heights: Readonly<Record<'node' | 'served' | 'indexed', number | null>>;
    }>;
    /** Sends many requests at once, all answered from one height, in order. A refused one is a problem. */
    batch<const Elements extends readonly BatchElement[]>(requests: Elements, options?: CallOptions): Promise<{
        readonly height: number;
        readonly results: {
            readonly [At in keyof Elements]: BatchAnswer<Elements[At]> | ProblemAnswer;
        };
    }>;
    /**
     * Quotes at every new block until the loop is left; blocks that arrive during a quote are skipped up to the
     * newest. A connection that is lost, or silent for half a minute, is reopened after half a second to thirty
     * seconds. Throws a `ServiceError` if the service refuses the request itself, and the reason of a signal that
     * aborts.
     */
    stream<Request extends StreamRequest>(request: Request, options?: CallOptions): AsyncIterableIterator<StreamEvent<Request extends {
        readonly operation: 'sroute';
    } ? SrouteAnswer : RouteAnswer>>;
};

type CallWithoutRequest<Answer> = (request?: undefined, options?: CallOptions) => Promise<Answer>;

/** The request of an operation, if it has one. */
type Call<Request, Answer> = (request: Request, options?: CallOptions) => Promise<Answer>;

type OptionalCall<Request, Answer> = (request?: Request, options?: CallOptions) => Promise<Answer>;

/** The answer to an element of a batch. */
type BatchAnswer<Element> = Element extends {
    readonly route: RouteRequest;
} ? RouteAnswer : SrouteAnswer;

/**
 * Opens a client; nothing is sent before the first call.
 *
 * @throws TypeError for a `url` that is invalid, does not begin with `http://` or `https://`, or has a password, a
 * query or a fragment, for `headers` that cannot be sent, and for a `timeoutMs` that is no whole number above 0 and
 * below 2^31
 */
export declare function createClient(options: ClientOptions): Client;

export {};
