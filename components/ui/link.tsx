"use client";

import NextLink from "next/link";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { INTENT_MS } from "@/components/ui/intent";

type OwnProps =
  | "prefetch"
  | "onMouseEnter"
  | "onMouseLeave"
  | "onFocus"
  | "onBlur"
  | "onTouchStart"
  | "onNavigate";

interface LinkProps extends Omit<ComponentProps<typeof NextLink>, OwnProps> {
  /** Never loaded ahead: what happens on this page before the press changes the other one. */
  isFresh?: boolean;
}

/**
 * A link within the dashboard. It loads its page on intent: when the pointer or the focus rests on it, or a finger
 * touches it. Loading every link in view would cost about ten wasted requests per page, since pages are rendered per
 * request. A loaded page is used for at most 30 s (next.config.mjs), and then refreshed like every open page.
 */
export function Link({ isFresh = false, ...props }: LinkProps) {
  const [isIntended, setIntended] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const rest = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIntended(true), INTENT_MS);
  };
  const leave = () => {
    clearTimeout(timer.current);
    setIntended(false);
  };
  return (
    <NextLink
      {...props}
      prefetch={isIntended && !isFresh}
      onMouseEnter={rest}
      onMouseLeave={leave}
      onFocus={rest}
      onBlur={leave}
      onTouchStart={() => setIntended(true)}
      // Next loads again after each refresh what stays intended.
      onNavigate={leave}
    />
  );
}
