import type { Instrumentation } from "next";
import { currentPageRequest, isUnreadableAction } from "@/lib/next/page-request";
import { getRuntime } from "@/lib/next/runtime";

/**
 * Notes what broke under the number that its reader is shown (app/error.tsx). The route and not the address: that may
 * hold the secret of an invitation.
 */
export const onRequestError: Instrumentation.onRequestError = (error, _request, { routePath, routeType }) => {
  if (isUnreadableAction(error, routeType)) {
    getRuntime().services.log.warn(
      { route: routePath },
      "a server action was called with what it cannot read",
    );
    return;
  }
  // Its reader sees the digest; the request's own number leads to the other lines about it.
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  const requestId = currentPageRequest()?.requestId;
  getRuntime().services.log.error(
    { err: error, digest, requestId, route: routePath, routeType },
    "a page could not be rendered",
  );
};
