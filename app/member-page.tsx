import "server-only";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { FocusFrame } from "@/components/shell/focus-frame";
import type { NavigationId } from "@/components/shell/navigation-id";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { getRuntime, type Runtime } from "@/lib/next/runtime";
import type { ShellView } from "@/lib/views/read-shell";
import type { TimedReading } from "@/lib/views/reading";

/** What an address asks for: its query, and the parameters of its path, which win. */
export type Asked = Record<string, string | string[] | undefined>;

interface PageProps {
  params: Promise<Record<string, string>>;
  searchParams: Promise<Asked>;
}

/** What readers take, and who opens the page. */
export interface PageReading extends TimedReading<keyof Runtime["services"]> {
  member: CurrentSession;
}

interface ShownPage<Search, View> extends PageReading {
  view: View;
  search: Search;
  shell: ShellView;
}

interface PlainPage<Search, View> {
  /** Its address, to which signing in returns. */
  at: string | ((search: Search) => string);
  /** Its place in the navigation; null for none. */
  current: NavigationId | null;
  /** Reads beside the shell. Null: not found. */
  load: (reading: PageReading, search: Search) => View | null | Promise<View | null>;
  /** Asks one question without the rail, and leads back there. Null: in the shell. */
  back?: (view: View, search: Search) => { href: string; label: string } | null;
  /** For wide tables. */
  isWide?: (view: View) => boolean;
  show: (page: ShownPage<Search, View>) => ReactNode;
}

interface AskedPage<Search, View> extends PlainPage<Search, View> {
  /** Reads the address. Null: not found. */
  search: (asked: Asked) => Search | null;
}

type Page = (props: PageProps) => Promise<ReactNode>;

/** A page for members: signs them in, reads, and shows it in the organization of their session. */
export function memberPage<Search, View>(page: AskedPage<Search, View>): Page;
export function memberPage<View>(page: PlainPage<undefined, View>): Page;
export function memberPage<Search, View>(
  page: PlainPage<Search | undefined, View> & { search?: AskedPage<Search, View>["search"] },
): Page {
  return async ({ params, searchParams }) => {
    const query = await searchParams;
    const search = page.search?.({ ...query, ...(await params) });
    if (search === null) notFound();
    const at = typeof page.at === "string" ? page.at : page.at(search);
    const member = await requireMember(at);
    const { services } = getRuntime();
    const context = memberContext(services, member);
    const reading = { services, context, time: timeOf(member, context), member };
    const [view, shell] = await Promise.all([page.load(reading, search), shellOf(member, context)]);
    if (view === null) notFound();
    const shown = page.show({ ...reading, view, search, shell });
    const back = page.back?.(view, search);
    return back ? (
      <FocusFrame view={shell} back={{ ...back, waitingCount: 0 }}>
        {shown}
      </FocusFrame>
    ) : (
      <Shell view={shell} current={page.current} wide={page.isWide?.(view) ?? false}>
        {shown}
      </Shell>
    );
  };
}

const uuid = z.uuid().toLowerCase();

/** The `[id]` of a path. */
export function askedId({ id }: Asked): string | null {
  return uuid.safeParse(id).data ?? null;
}
