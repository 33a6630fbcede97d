interface Parsed {
  issues: readonly { code?: string | undefined; path?: readonly PropertyKey[] | undefined }[];
}

/**
 * `when` of a check over several fields of an object: it runs once these fields are readable. Without it zod leaves the
 * check out when any field is missing or of another type, and the caller learns of the second problem only after fixing
 * the first. A problem that ends the parsing, such as a fraction for an integer, leaves it out even so: `allProblems`
 * checks a second time.
 */
export const onceReadable =
  (...fields: string[]) =>
  ({ issues }: Parsed): boolean =>
    !issues.some(({ code, path = [] }) =>
      path.length === 0 ? code !== "unrecognized_keys" : fields.includes(String(path[0])),
    );
