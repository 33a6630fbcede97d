#!/usr/bin/env node
/**
 * Checks an export of a Sluice audit log, or an archive of its reads (.jsonl.gz). Needs Node 20 or newer and nothing
 * else: no Sluice, no database, no package.
 *
 *   node verify-audit-export.mjs FILE [--head HASH]
 *
 * HASH: a head that was noted earlier. Only that shows that nothing was cut off the end, and that the whole chain was
 * not rewritten: either attacker can also write a matching last line. Exits with 1 when anything is wrong.
 * The algorithm in words: docs/audit.md.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

const HEADER = "format,organizationId,algorithm,genesis";
/** A stretch of the chain, with the entries that left the database; the others are null. */
const ARCHIVE_HEADER = "format,organizationId,algorithm,previousHash";
const ARCHIVE = "sluice-audit-archive-v1";
const LINK = "sequence,sealedAt,entryHash,hash,entry";
const ENTRY =
  "organizationId,id,createdAt,apiKeyId,apiKeyName,method,path,action,reason,requestId,outcome,errorCode";
/** Exports of the first format have no error details. */
const FORMATS = { "sluice-audit-export-v1": ENTRY, "sluice-audit-export-v2": `${ENTRY},errorDetail` };
const TRAILER = "count,head";

/** SHA-256 of texts in order, each as a netstring: `5:hello,`, its length in bytes of UTF-8; null is `-,`. */
function digest(...texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text === null ? "-," : `${Buffer.byteLength(text)}:${text},`);
  return hash.digest("hex");
}

function check(isRight, problem) {
  if (!isRight) throw new Error(problem);
}

const hasFields = (record, fields) => record !== null && Object.keys(record).join() === fields;

function checkHeader(header, where) {
  if (hasFields(header, ARCHIVE_HEADER)) return checkArchiveHeader(header, where);
  const fields = hasFields(header, HEADER) && Object.hasOwn(FORMATS, header.format) && FORMATS[header.format];
  check(fields, `${where}: not an export`);
  check(header.algorithm === "SHA-256", `${where}: unknown algorithm`);
  const genesis = digest("sluice-audit-genesis-v1", header.organizationId);
  check(header.genesis === genesis, `${where}: the genesis is not that of the organization`);
  return { organizationId: header.organizationId, fields, first: 1, count: 0, entries: 0, head: genesis };
}

/** Its chain begins at any seal: compare its previous hash and head with the files before and after it. */
function checkArchiveHeader({ format, organizationId, algorithm, previousHash }, where) {
  check(format === ARCHIVE, `${where}: not an archive`);
  check(algorithm === "SHA-256", `${where}: unknown algorithm`);
  const fields = FORMATS["sluice-audit-export-v2"];
  return { organizationId, fields, first: null, count: 0, entries: 0, head: previousHash, previousHash };
}

function checkLink(link, state, where) {
  check(hasFields(link, LINK), `${where}: neither an entry nor the last line`);
  const { sequence, sealedAt, entryHash, hash, entry } = link;
  const first = state.first ?? sequence;
  const next = first + state.count;
  check(
    Number.isSafeInteger(sequence) && sequence === next,
    `${where}: sequence ${sequence} where ${next} must be`,
  );
  const isElsewhere = entry === null && state.previousHash !== undefined;
  if (!isElsewhere) checkEntry(entry, entryHash, state, where);
  const expected = digest("sluice-audit-seal-v1", state.head, `${sequence}`, `${sealedAt}`, entryHash);
  check(expected === hash, `${where}: the seal does not follow from the one before it`);
  const entries = state.entries + (isElsewhere ? 0 : 1);
  return { ...state, first, count: state.count + 1, entries, head: hash };
}

function checkEntry(entry, entryHash, state, where) {
  check(hasFields(entry, state.fields), `${where}: the entry is missing or not whole`);
  check(entry.organizationId === state.organizationId, `${where}: an entry of another organization`);
  const { errorDetail = null, ...rest } = entry;
  const texts = errorDetail === null ? Object.values(rest) : [...Object.values(rest), errorDetail];
  const version = errorDetail === null ? "v1" : "v2";
  const isText = texts.every((text) => text === null || (typeof text === "string" && text.isWellFormed()));
  check(
    isText && digest(`sluice-audit-entry-${version}`, ...texts) === entryHash,
    `${where}: the entry was altered`,
  );
}

function checkTrailer({ count, head }, state, where) {
  check(count === state.count && head === state.head, `${where}: count or head is not that of the entries`);
  return { ...state, isEnded: true };
}

/** Only a line feed ends a line: texts may contain other characters that JavaScript treats as line ends. */
async function* readLines(file) {
  let rest = "";
  const bytes = createReadStream(file);
  // A failed pipeline ends what is read below with its error.
  const plain = file.endsWith(".gz") ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
  for await (const chunk of plain.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    yield* lines;
  }
  if (rest !== "") yield rest;
}

async function verify(file, knownHead) {
  let state = null;
  let isHeadMet = knownHead === undefined;
  let lines = 0;
  for await (const line of readLines(file)) {
    const where = `line ${++lines}`;
    const record = JSON.parse(line);
    // A duplicate field would show a reader one value and a program another.
    check(JSON.stringify(record) === line, `${where}: not written as Sluice writes it`);
    check(!state?.isEnded, `${where}: comes after the last line`);
    if (state === null) state = checkHeader(record, where);
    else if (hasFields(record, TRAILER)) state = checkTrailer(record, state, where);
    else state = checkLink(record, state, where);
    isHeadMet ||= state.head === knownHead;
  }
  check(state?.isEnded, "the last line is missing: the end was cut off, or the export was interrupted");
  check(isHeadMet, `the known head ${knownHead} is not in this chain`);
  const { organizationId, first, count, entries, head, previousHash } = state;
  const stretch =
    previousHash === undefined
      ? `${count} entries, unaltered and in order`
      : `sequences ${first} to ${first + count - 1} after ${previousHash}: ${entries} entries, unaltered and in order`;
  return `${organizationId}\n${stretch}\nhead ${head}\n`;
}

const [file, option, knownHead, ...more] = process.argv.slice(2);
const isUsed = file && more.length === 0 && (option === undefined || (option === "--head" && knownHead));
try {
  check(isUsed, "node verify-audit-export.mjs FILE [--head HASH]");
  process.stdout.write(await verify(file, knownHead));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
