import { z } from "zod";

/** A number in E.164, e.g. `+14155550100`; spaces and dashes that people write in it are taken out. */
export const phoneSchema = z
  .string()
  .max(40, "must be a number like +14155550100")
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\+[1-9][0-9]{6,14}$/, "must be a number like +14155550100"));

/** The six digits that an SMS brought. */
export const phoneCodeSchema = z
  .string()
  .max(20)
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^[0-9]{6}$/));
