import {
  movementPlaceSchema,
  movementSearchSchema,
  refusedAmountOf,
} from "@/lib/contract/search/search-schemas";
import "server-only";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf, timeOf } from "@/app/page-setting";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { MovementPage, MovementsPage } from "@/app/transfers/_components/movements-page";
import { Shell } from "@/components/shell/shell";
import {
  type MovementTab,
  movementHref,
  movementsHref,
  movementsPath,
} from "@/lib/contract/search/movement-search";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listMemberMovements } from "@/lib/views/movements/list-member-movements";
import { readMovementDetail } from "@/lib/views/movements/read-movement-detail";

export interface ListProps {
  searchParams: Promise<Record<string, string | string[]>>;
}

export interface DetailProps {
  params: Promise<{ id: string }>;
}

/** One of the three lists; filters, page and open drawer live in the URL. */
export async function renderMovements(tab: MovementTab, { searchParams }: ListProps) {
  const query = await searchParams;
  dropEmptyParameters(movementsPath(tab), query);
  const search = movementSearchSchema.parse(query);
  const place = movementPlaceSchema.parse(query);
  const member = await requireMember(movementsHref(tab, search, place));
  const context = memberContext(getRuntime().services, member);
  const [view, shell, saved] = await Promise.all([
    listMemberMovements(
      { services: getRuntime().services, context, time: timeOf(member, context) },
      tab,
      search,
      place,
    ),
    shellOf(member, context),
    renderSavedFilters(context, tab, movementsHref(tab, search)),
  ]);
  return (
    <Shell view={shell} current="MOVEMENTS" wide={view.open !== null}>
      <MovementsPage view={view} refusedAmount={refusedAmountOf(query.amount)} saved={saved} />
    </Shell>
  );
}

/** The page of one movement: the drawer's content on its own page. */
export async function renderMovement(tab: MovementTab, { params }: DetailProps) {
  const id = z
    .uuid()
    .toLowerCase()
    .safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(movementHref(tab, id.data));
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readMovementDetail(
      { services: getRuntime().services, context, time: timeOf(member, context) },
      tab,
      id.data,
    ),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="MOVEMENTS">
      <MovementPage view={view} />
    </Shell>
  );
}
