import { z } from "zod";
import { isRoutingNumber } from "@/lib/contract/payee";

export class Refused extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

export function found<T>(kept: ReadonlyMap<string, T>, id: string): T {
  const object = kept.get(id);
  if (!object) throw new Refused(404, "not found");
  return object;
}

export const recipientSchema = z.object({
  name: z.string().min(1),
  nickname: z.string().nullish(),
  emails: z.array(z.email()),
  electronicRoutingInfo: z.object({
    accountNumber: z.string().regex(/^[0-9]{4,17}$/),
    routingNumber: z.string().refine(isRoutingNumber),
    electronicAccountType: z.enum([
      "businessChecking",
      "businessSavings",
      "personalChecking",
      "personalSavings",
    ]),
    address: z.object({
      address1: z.string().min(1),
      city: z.string().min(1),
      region: z.string().min(1),
      postalCode: z.string().min(1),
      country: z.string().length(2),
    }),
  }),
});

export const sendSchema = z.object({
  recipientId: z.string(),
  amount: z.string(),
  paymentMethod: z.enum(["ach"]),
  idempotencyKey: z.string().min(1),
  note: z.string().optional(),
  externalMemo: z.string().optional(),
});

/** Marks an amount in JSON, until it is written as a number. */
const AMOUNT = "amount:";
export const amount = (cents: number) => `${AMOUNT}${cents}`;

/** As Haskell's `show` for a double: 0.1 to 9999999 plainly, others with an exponent. */
function numberOf(cents: number): string {
  const size = Math.abs(cents);
  const isPlain = size === 0 || (size >= 10 && size < 1_000_000_000);
  if (isPlain) return String(cents / 100);
  const [digits = "", exponent] = (cents / 100).toExponential().split("e");
  return `${digits.includes(".") ? digits : `${digits}.0`}e${Number(exponent)}`;
}

export function write(object: object): string {
  return JSON.stringify(object).replace(/"amount:(-?[0-9]+)"/g, (_match, cents) => numberOf(Number(cents)));
}
