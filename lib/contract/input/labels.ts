import { z } from "zod";
import { plainText } from "@/lib/contract/plain-text";

/** A program's own words on a transfer or a payee: returned and searchable, and never trusted. */

const MAXIMUM_EXTERNAL_ID_LENGTH = 64;
const MAXIMUM_METADATA_PAIRS = 20;
const MAXIMUM_METADATA_VALUE_LENGTH = 200;
const METADATA_KEY = "[A-Za-z0-9_.-]{1,40}";
const FEW_PAIRS = `must have at most ${MAXIMUM_METADATA_PAIRS} pairs`;

/** Printable ASCII without spaces around it: two that look the same are the same. */
const externalIdSchema = z
  .string()
  .regex(
    new RegExp(`^[!-~]([ -~]{0,${MAXIMUM_EXTERNAL_ID_LENGTH - 2}}[!-~])?$`),
    `must be 1 to ${MAXIMUM_EXTERNAL_ID_LENGTH} ASCII characters, without spaces around them`,
  );

const metadataPairSchema = z
  .strictObject({
    key: z.string().regex(new RegExp(`^${METADATA_KEY}$`), "must be 1 to 40 letters, digits and _ . -"),
    value: plainText(MAXIMUM_METADATA_VALUE_LENGTH),
  })
  .meta({ id: "MetadataPair", description: "One pair of a program's own data." });
export type MetadataPair = z.infer<typeof metadataPairSchema>;

/** A list of pairs and not a map, which strict schemas of tools and several generators cannot express. */
const metadataSchema = z
  .array(metadataPairSchema)
  .max(MAXIMUM_METADATA_PAIRS, FEW_PAIRS)
  // Of two with one key the last counts, as in a JSON object.
  .transform((pairs) => [...new Map(pairs.map((pair) => [pair.key, pair])).values()]);

/** What a body may carry. */
export const labelsInputShape = {
  externalId: externalIdSchema.optional().describe("Your own id for it. A repeated one is only a check."),
  metadata: metadataSchema.optional().describe("Your own data."),
};

/** What an answer carries. */
export const labelsOutputShape = {
  externalId: z.string().nullable().describe("The caller's own id for it."),
  metadata: z.array(metadataPairSchema).describe("The caller's own data."),
};

export interface Labels {
  externalId: string | null;
  metadata: MetadataPair[];
}

/** Filters of a list. */
export const labelFiltersShape = {
  externalId: externalIdSchema.optional().describe("Only with this id of the caller's own."),
  metadata: z
    .string()
    .regex(
      new RegExp(`^${METADATA_KEY}:[^\\u0000-\\u001f]{0,${MAXIMUM_METADATA_VALUE_LENGTH}}$`, "u"),
      "must be a key, a colon and a value, like order:1042",
    )
    .optional()
    .describe("`key:value`. Only with this pair of metadata."),
};

/** `order:1042` as a pair. */
export function readMetadataFilter(text: string): MetadataPair {
  const colon = text.indexOf(":");
  return { key: text.slice(0, colon), value: text.slice(colon + 1) };
}
