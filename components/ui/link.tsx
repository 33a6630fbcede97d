import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the dashboard. Next would ask ahead for every page that a link in view leads to, and get nothing that it
 * could show: every page is made for who asks, and none has a loading boundary. That were ten requests to the process
 * that moves money for each page that is opened, and work for a phone that it has just begun to use.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
