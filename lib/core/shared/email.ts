import { z } from "zod";

/** An address as it is stored and compared: without spaces around it, in lower case. */
export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address"));
