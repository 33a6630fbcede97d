/** Areas of IANA names whose rules follow what clocks there do. `Etc/GMT+5` and the like know no summer. */
const AREA =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Za-z0-9_+-]+){1,2}$/i;

/** Abbreviations and old names that zone databases still know, and the area that people mean by them. */
const MEANT: Readonly<Record<string, string>> = {
  EST: "America/New_York",
  EST5EDT: "America/New_York",
  EDT: "America/New_York",
  CST: "America/Chicago",
  CST6CDT: "America/Chicago",
  CDT: "America/Chicago",
  MST: "America/Denver",
  MST7MDT: "America/Denver",
  MDT: "America/Denver",
  PST: "America/Los_Angeles",
  PST8PDT: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  HST: "Pacific/Honolulu",
  BST: "Europe/London",
  WET: "Europe/Lisbon",
  CET: "Europe/Berlin",
  CEST: "Europe/Berlin",
  MET: "Europe/Berlin",
  EET: "Europe/Athens",
  IST: "Asia/Kolkata",
  JST: "Asia/Tokyo",
};

/**
 * What is wrong with a time zone that somebody writes, to follow the name of its field: "must …"; null where nothing is.
 * `EST` is a zone to every database, and an hour off all summer, so only areas and UTC are taken.
 */
export function timeZoneProblem(name: string): string | null {
  if (/^(?:Etc\/)?UTC$/i.test(name)) return null;
  const known = intlName(name);
  if (AREA.test(name) && known !== null) return null;
  const meant = MEANT[name.toUpperCase()] ?? (known !== null && AREA.test(known) ? known : null);
  const example = "the IANA name of an area, like America/New_York, or UTC";
  if (meant !== null) return `must be the IANA name of an area: write ${meant} for ${name}`;
  return `must be ${example}`;
}

function intlName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // Intl says so by throwing.
    return null;
  }
}
