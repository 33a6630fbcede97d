/** Attributes of a span: never an amount, a name, a reason or a credential. */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(): void;
  end(): void;
}

export interface SpanOptions {
  kind: "SERVER" | "CLIENT" | "INTERNAL";
  attributes?: SpanAttributes;
  /** The caller's header `traceparent`: its trace continues here. */
  traceparent?: string | undefined;
}

/** Traces sent to a collector. Undefined if none is configured. */
export interface Tracing {
  /** Begins a span below the current one. */
  begin(name: string, options: SpanOptions): Span;
  /** Spans that `work` begins become children of `span`. */
  within<T>(span: Span, work: () => T): T;
  /** Whether there is a current span or batch. */
  isUnderWay(): boolean;
  /**
   * Runs a batch of due work, reported with its parts if it did something or failed: most polls find nothing and would
   * bury the others.
   * @param work returns how many items it handled
   */
  batch(name: string, work: () => Promise<number>): Promise<number>;
  /** Sends what is left, within a time limit. */
  stop(): Promise<void>;
}

/** Runs a part of a request as a span. */
export async function traced<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing?.isUnderWay()) return await work();
  const span = tracing.begin(name, options);
  try {
    return await tracing.within(span, work);
  } catch (error) {
    span.fail();
    throw error;
  } finally {
    span.end();
  }
}
