/** Values of a span: never an amount, a name, a reason or what could open a door. */
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
  /** The caller's header `traceparent`: its trace goes on here. */
  traceparent?: string | undefined;
}

/** Traces of what happens, sent to a collector. Where none is configured there is no such object. */
export interface Tracing {
  /** Begins a span beneath the one that is under way. */
  begin(name: string, options: SpanOptions): Span;
  /** What `work` begins lies beneath `span`. */
  within<T>(span: Span, work: () => T): T;
  /** Whether something is under way that a part of could be told. */
  isUnderWay(): boolean;
  /**
   * Runs a batch of due work, told of with its parts when it did something or failed: most looks find nothing, and would
   * bury the others.
   * @param work answers how many things it did
   */
  batch(name: string, work: () => Promise<number>): Promise<number>;
  /** Sends what is left, for as long as that may take. */
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
