/** Where the standard's variables say that traces go somewhere. */
export function isTracingConfigured(environment: Record<string, string | undefined>): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  if (environment.OTEL_TRACES_EXPORTER === "none") return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}
