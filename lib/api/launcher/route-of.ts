import type { DoorName } from "@/lib/api/launcher/doors";
import type { PageRoute } from "@/lib/api/launcher/page-routes";
import { OAUTH_PATHS } from "@/lib/api/oauth/addresses";
import { STATIC_FILES_PATH } from "@/lib/api/static/create-static-files";

/** What nobody has given a pattern. An address is never its own: it may hold a secret, and there are endlessly many. */
const NO_ROUTE = "(none)";

/**
 * The pattern of an address whose door told none.
 * @param pageRoute unset in development, where pages are made when they are asked for
 */
export function routeOf(door: DoorName, path: string, pageRoute: PageRoute | undefined): string {
  switch (door) {
    case "web":
      return pageRouteOf(path, pageRoute);
    case "oauth":
      return oauthRouteOf(path);
    case "health":
    case "metrics":
      return path;
    case "sandbox":
      return "/sandbox/receivers/:token";
    default:
      return NO_ROUTE;
  }
}

function pageRouteOf(path: string, pageRoute: PageRoute | undefined): string {
  if (path.startsWith(STATIC_FILES_PATH)) return `${STATIC_FILES_PATH}:file`;
  return pageRoute?.(path) ?? NO_ROUTE;
}

function oauthRouteOf(path: string): string {
  if (Object.values(OAUTH_PATHS).some((known) => known === path)) return path;
  if (path.startsWith(`${OAUTH_PATHS.authorize}/`)) return `${OAUTH_PATHS.authorize}/:uid`;
  return path.startsWith("/.well-known/") ? "/.well-known/:document" : NO_ROUTE;
}
