/** Texts that no field of any operation takes: they deceive a reader, or cannot be stored. */
export const ALWAYS_REFUSED_TEXTS: readonly (readonly [string, string])[] = [
  ["a NUL", "a\u0000b"],
  ["a line break", "a\nb"],
  ["a bidirectional override", "pay \u202e$10"],
  ["a bidirectional isolate", "pay \u2066$10"],
  ["half a surrogate pair", "a\ud800b"],
  ["a byte order mark inside", "a\ufeffb"],
];

/** Texts that attack whoever puts them together with others; harmless in free text, no value of anything else. */
export const INJECTIONS: [string, string][] = [
  ["SQL", "'; drop table transfers; --"],
  ["SQL that is always true", "' or '1'='1"],
  ["HTML", "<script>alert(1)</script>"],
  ["a template", "{{7*7}}"],
  ["a prototype's name", "__proto__"],
  ["a path upwards", "../../etc/passwd"],
];

/** No value of a field that wants a UUID. */
export const NO_UUIDS: readonly string[] = [
  "not-a-uuid",
  "0",
  "null",
  "undefined",
  "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a1",
  "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a111",
  "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a1g",
  "{019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11}",
  "019a9c527a107c3e8d215b7f0c4e9a11",
];
