"use client";

import { useLinkStatus } from "next/link";
import { useEffect } from "react";
import { setPendingPage } from "@/components/shell/pending-page";

/** Inside a link: says where it leads from the click until the page is there, so that the click answers at once. */
export function PendingMark({ href }: { href: string }) {
  const { pending } = useLinkStatus();
  useEffect(() => {
    if (!pending) return;
    setPendingPage(href);
    return () => setPendingPage(null);
  }, [pending, href]);
  return pending ? <span className="pend" /> : null;
}
