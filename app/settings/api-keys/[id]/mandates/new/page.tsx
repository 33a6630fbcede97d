import type { Metadata } from "next";
import { z } from "zod";
import { askedId, memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { NewMandate } from "@/app/settings/api-keys/[id]/mandates/new/_components/new-mandate";
import { newMandateHref } from "@/lib/contract/hrefs";
import { MAXIMUM_TRANSFER_IN_CENTS, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { readNewMandate } from "@/lib/views/mandates/read-mandate-form";

export const metadata: Metadata = { title: "New mandate" };

const id = z.uuid().toLowerCase().nullable().catch(null);
const cents = z.coerce
  .number()
  .int()
  .min(MINIMUM_TRANSFER_IN_CENTS)
  .max(MAXIMUM_TRANSFER_IN_CENTS)
  .nullable()
  .catch(null);
/** Invalid parameters are ignored: the URL only fills in fields; opening it changes nothing. */
const prefillSchema = z.object({
  source: id,
  destination: id,
  maximumInCents: cents,
  monthInCents: cents,
  from: id,
});

export default memberPage({
  search: (asked) => {
    const keyId = askedId(asked);
    return keyId === null ? null : { keyId, prefill: prefillSchema.parse(asked) };
  },
  at: ({ keyId, prefill }) => newMandateHref(keyId, prefill),
  current: "API_KEYS",
  load: ({ member, ...reading }, { keyId, prefill }) =>
    readNewMandate({ ...reading, time: organizationTimeOf(member, reading.context) }, keyId, prefill),
  show: ({ view }) => <NewMandate view={view} />,
});
