import type { Instrumentation } from "next";

/**
 * A page that broke shows its digest as request id: here it goes into the log with what happened. The route by its
 * pattern: an address may hold somebody's token.
 */
export const onRequestError: Instrumentation.onRequestError = async (
  error,
  request,
  { routePath, routeType },
) => {
  const digest = error instanceof Error && "digest" in error ? error.digest : null;
  globalThis.sluiceRuntime?.services.log.error(
    { err: error, requestId: digest, method: request.method, routePath, routeType },
    "a page ended unexpectedly",
  );
};
