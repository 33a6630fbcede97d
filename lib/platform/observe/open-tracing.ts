import { AsyncLocalStorage } from "node:async_hooks";
import type { Context } from "@opentelemetry/api";
import type { ExportResult } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Log } from "@/lib/platform/log";
import type { Span, SpanAttributes, SpanOptions, Tracing } from "@/lib/platform/observe/tracing";

/** A part of a batch that may turn out not to be worth reporting. */
interface Part {
  name: string;
  options: SpanOptions;
  startTime: number;
  endTime: number;
  hasFailed: boolean;
}

/** The current span, or a batch whose parts are buffered until it is known whether it did something. */
type UnderWay = { context: Context } | { parts: Part[] };

/** A batch of five hundred has no thousand statements; one that had would fill the memory. */
const MAXIMUM_PARTS = 200;
/** How long shutting down waits for a collector. */
const STOP_TIMEOUT_MS = 3_000;

/**
 * Opens traces over OTLP/HTTP, configured by the standard variables (`OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME` …; docs/operating.md). Its packages are
 * loaded only here.
 *
 * Nothing is registered globally: Next would pick up a global tracer and report whole addresses, some of which hold
 * secrets.
 */
export async function openTracing(version: string, log: Pick<Log, "info" | "warn">): Promise<Tracing> {
  const [
    api,
    { parseTraceParent },
    resources,
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
  ] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const provider = new BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ "service.name": "sluice", "service.version": version }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportOutages(new OTLPTraceExporter(), log))],
  });
  const tracer = provider.getTracer("sluice", version);
  const storage = new AsyncLocalStorage<UnderWay>();
  /** The context in which a span's children begin. */
  const contexts = new WeakMap<Span, Context>();

  function parentOf({ traceparent }: SpanOptions): Context {
    const underWay = storage.getStore();
    if (underWay && "context" in underWay) return underWay.context;
    const remote = traceparent === undefined ? null : parseTraceParent(traceparent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
  }

  function beginSpan(name: string, options: SpanOptions, parent: Context, startTime?: number) {
    const { kind, attributes } = options;
    return tracer.startSpan(name, { kind: SpanKind[kind], attributes, startTime }, parent);
  }

  function begin(name: string, options: SpanOptions): Span {
    const underWay = storage.getStore();
    if (underWay && "parts" in underWay) return keepPart(underWay.parts, name, options);
    const parent = parentOf(options);
    const span = beginSpan(name, options, parent);
    const reported: Span = {
      rename: (newName) => span.updateName(newName),
      set: (attributes) => span.setAttributes(attributes),
      fail: () => span.setStatus({ code: SpanStatusCode.ERROR }),
      end: () => span.end(),
    };
    contexts.set(reported, trace.setSpan(parent, span));
    return reported;
  }

  function recordBatch(
    name: string,
    parts: readonly Part[],
    attributes: SpanAttributes,
    startTime: number,
  ): void {
    const span = beginSpan(name, { kind: "INTERNAL", attributes }, ROOT_CONTEXT, startTime);
    if (attributes["sluice.failed"] === true) span.setStatus({ code: SpanStatusCode.ERROR });
    const context = trace.setSpan(ROOT_CONTEXT, span);
    for (const part of parts) {
      const child = beginSpan(part.name, part.options, context, part.startTime);
      if (part.hasFailed) child.setStatus({ code: SpanStatusCode.ERROR });
      child.end(part.endTime);
    }
    span.end();
  }

  return {
    begin,
    within: (span, work) => {
      const context = contexts.get(span);
      return context ? storage.run({ context }, work) : work();
    },
    isUnderWay: () => storage.getStore() !== undefined,
    batch: async (work, runBatch) => {
      const parts: Part[] = [];
      const startTime = wallTime();
      const record = (attributes: SpanAttributes) =>
        recordBatch(`work ${work}`, parts, { "sluice.work": work, ...attributes }, startTime);
      try {
        const items = await storage.run({ parts }, runBatch);
        if (items > 0) record({ "sluice.items": items });
        return items;
      } catch (error) {
        record({ "sluice.failed": true });
        throw error;
      }
    },
    stop: async () => {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_TIMEOUT_MS);
      });
      // Spans that an unreachable collector does not take are lost: nothing waits for it.
      await Promise.race([provider.shutdown().catch(() => {}), tooLong]);
      clearTimeout(timer);
    },
  };
}

/**
 * One line when the collector stops accepting spans, one when it accepts them again: otherwise every batch would log.
 */
function reportOutages(exporter: SpanExporter, log: Pick<Log, "info" | "warn">): SpanExporter {
  let isDown = false;
  const note = ({ code, error }: ExportResult) => {
    const hasFailed = code !== 0;
    if (hasFailed && !isDown)
      log.warn({ err: error }, "the collector accepts no traces; they are lost until it does");
    if (!hasFailed && isDown) log.info("the collector accepts traces again");
    isDown = hasFailed;
  };
  return {
    export: (spans, whenReported) =>
      exporter.export(spans, (result) => {
        note(result);
        whenReported(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

function keepPart(parts: Part[], name: string, options: SpanOptions): Span {
  const part: Part = { name, options, startTime: wallTime(), endTime: 0, hasFailed: false };
  return {
    rename: (newName) => {
      part.name = newName;
    },
    set: (attributes) => {
      part.options = { ...part.options, attributes: { ...part.options.attributes, ...attributes } };
    },
    fail: () => {
      part.hasFailed = true;
    },
    end: () => {
      part.endTime = wallTime();
      if (parts.length < MAXIMUM_PARTS) parts.push(part);
    },
  };
}

/** Milliseconds since 1970, with fractions: statements take less than one. */
function wallTime(): number {
  return performance.timeOrigin + performance.now();
}
