import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the dashboard, without prefetching: pages are rendered per request, so prefetching would cost about ten
 * wasted requests per page.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
