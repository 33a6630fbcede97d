import type { Instrumentation } from "next";
import { currentPageRequest, isUnreadableAction, noteLogged } from "@/lib/next/page-request";
import { getRuntime } from "@/lib/next/runtime";

/**
 * Logs what broke under the number that its reader sees (app/error.tsx). The route, not the address, which may hold
 * the secret of an invitation.
 */
export const onRequestError: Instrumentation.onRequestError = (error, _request, { routePath, routeType }) => {
  if (isUnreadableAction(error, routeType)) {
    getRuntime().services.log.warn(
      { route: routePath },
      "a server action was called with arguments it cannot read",
    );
    return;
  }
  // The reader sees the digest; the request's own number leads to its other log lines.
  const digest = error instanceof Error && "digest" in error ? error.digest : undefined;
  const requestId = currentPageRequest()?.requestId;
  getRuntime().services.log.error(
    { err: error, digest, requestId, route: routePath, routeType },
    "a page could not be rendered",
  );
  noteLogged(error);
};
