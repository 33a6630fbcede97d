import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountNameSchema, newBeneficiarySchema } from "@/lib/contract/account";
import { newKeySchema } from "@/lib/contract/api-key";
import { issueCardSchema } from "@/lib/contract/card";
import { plainTextSource, TEXT_CLASSES } from "@/lib/contract/input/text-grammar";
import { firstPodsSchema, identityInputSchema } from "@/lib/contract/onboarding";
import { organizationNameSchema } from "@/lib/contract/organization";
import {
  accountHolderSchema,
  changePayeeSchema,
  newPayeeSchema,
  proposePayeeBodySchema,
} from "@/lib/contract/payee";
import { plainText } from "@/lib/contract/plain-text";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { filterNameSchema } from "@/lib/contract/search/saved-filters";

/** One rule for every name: it shows something, and nothing invisible tells two of them apart. */
const NAMES: Record<string, z.ZodType> = {
  account: accountNameSchema,
  beneficiary: newBeneficiarySchema.shape.name,
  key: newKeySchema.shape.name,
  card: issueCardSchema.shape.name,
  "first pod": firstPodsSchema.element.shape.name,
  "identified business": z.object({ business: identityInputSchema.shape.business.unwrap() }).shape.business
    .shape.name,
  "identified person": identityInputSchema.shape.people.element.shape.name,
  organization: organizationNameSchema,
  "account holder": accountHolderSchema,
  "changed payee": changePayeeSchema.shape.name,
  "new payee": newPayeeSchema.shape.name,
  "proposed payee": proposePayeeBodySchema.shape.name,
  rule: ruleDefinitionSchema.shape.name,
  filter: filterNameSchema,
};

describe.each(Object.entries(NAMES))("the name of a %s", (_, schema) => {
  it.each([
    "",
    " ",
    "\t",
    "\u3000",
    "\u00a0",
    "\u0301",
    " \u0301\u20dd ",
    "\u2003\u2003",
    "\u200b",
    "\u2800",
  ])("is not %j, which shows nothing", (text) => expect(schema.safeParse(text).success).toBe(false));

  it("loses the spaces around it, and nothing else", () => {
    for (const name of ["Taxes", "税金", "e\u0301te\u0301", "👩🏽‍🚀", "$", "می‌خواهم", "a  b"]) {
      expect(schema.parse(` \u3000${name}\u00a0 `)).toBe(name);
    }
  });

  it("is counted in characters, as JSON Schema counts", () => {
    expect(schema.safeParse("😀".repeat(60)).success).toBe(true);
    expect(schema.safeParse("x".repeat(1_000)).success).toBe(false);
  });
});

/** The same rule by look-around, written apart from the grammar. */
const JOINING = `[${TEXT_CLASSES.joining}]`;
const PICTURED = "\\p{Extended_Pictographic}";
const NEEDED = [
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
  `(?<=[${PICTURED}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=${PICTURED})`,
  `(?<=${PICTURED})\\ufe0f`,
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");
const REFUSED = new RegExp(`(?!${NEEDED})[${TEXT_CLASSES.unseen}]`, "u");

it("the grammar of texts refuses exactly the characters that are invisible in their place", () => {
  const grammar = new RegExp(plainTextSource(TEXT_CLASSES), "u");
  const character = fc.oneof(
    fc.constantFrom(
      "a",
      "1",
      "#",
      "\u200c",
      "\u200d",
      "\ufe0f",
      "\u20e3",
      "❤",
      "👩",
      "🏽",
      "م",
      "क",
      "\u094d",
      "\u202e",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 8 }), (characters) => {
      const text = characters.join("");
      expect(grammar.test(text)).toBe(!REFUSED.test(text));
      expect(plainText(100).safeParse(text).success).toBe(!REFUSED.test(text));
    }),
    { numRuns: 5_000 },
  );
});
