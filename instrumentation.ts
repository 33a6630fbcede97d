import type { Instrumentation } from "next";
import { getRuntime } from "@/lib/core/runtime";

/**
 * Notes what broke under the number that its reader is shown (app/error.tsx). The route and not the address: that may
 * hold the secret of an invitation.
 */
export const onRequestError: Instrumentation.onRequestError = (error, _request, { routePath, routeType }) => {
  const requestId = error instanceof Error && "digest" in error ? error.digest : undefined;
  getRuntime().services.log.error(
    { err: error, requestId, route: routePath, routeType },
    "a page could not be rendered",
  );
};
