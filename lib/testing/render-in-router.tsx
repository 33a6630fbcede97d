import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import type { ContextType, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const nowhere = () => undefined;

const ROUTER: NonNullable<ContextType<typeof AppRouterContext>> = {
  back: nowhere,
  forward: nowhere,
  refresh: nowhere,
  push: nowhere,
  replace: nowhere,
  prefetch: nowhere,
  bfcacheId: "test",
};

/** The HTML of what uses the router, as the server renders it. */
export function renderInRouter(page: ReactNode): string {
  return renderToStaticMarkup(<AppRouterContext value={ROUTER}>{page}</AppRouterContext>);
}
