import { z } from "zod";
import type { MemberRole } from "@/lib/contract/views/people";

/** A role as the database holds it. */
export const memberRoleSchema: z.ZodType<MemberRole> = z.enum(["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"]);
