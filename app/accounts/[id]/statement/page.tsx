import type { Metadata } from "next";
import { z } from "zod";
import { Statement } from "@/app/accounts/[id]/statement/_components/statement";
import { askedId, memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { accountHref } from "@/lib/contract/hrefs";
import { getRuntime } from "@/lib/next/runtime";
import { readStatement } from "@/lib/views/accounts/read-statement";

export const metadata: Metadata = { title: "Statement" };

/** Four-digit years that the books can contain. */
const day = z.iso.date().regex(/^20/).nullable().catch(null);

const searchSchema = z.object({
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
    .nullable()
    .catch(null),
  from: day,
  to: day,
  /** `all` shows every movement. */
  rows: z.literal("all").nullable().catch(null),
});

/** The statement of an account for a month or a date range. */
export default memberPage({
  search: (asked) => {
    const id = askedId(asked);
    const { rows, ...period } = searchSchema.parse(asked);
    return id === null ? null : { id, period: { ...period, isWhole: rows === "all" } };
  },
  at: ({ id }) => `${accountHref(id)}/statement`,
  current: "ACCOUNTS",
  load: ({ member, ...reading }, { id, period }) =>
    readStatement(
      // In the organization's zone, so that a statement is the same for every reader.
      { ...reading, time: organizationTimeOf(member, reading.context) },
      id,
      period,
      { organizationName: member.organization.name, isSandbox: getRuntime().isSandbox },
    ),
  show: ({ view }) => <Statement view={view} />,
});
