/** Bech32 (BIP 173) without its limit of 90 characters: how age writes keys. */

const CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_LENGTH = 6;

/** @param prefix in lower case */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const words = regroup(bytes, 8, 5, true) ?? [];
  const sum = polymod([...expand(prefix), ...words, ...Array<number>(CHECKSUM_LENGTH).fill(0)]) ^ 1;
  const checksum = Array.from({ length: CHECKSUM_LENGTH }, (_, at) => (sum >>> (5 * (5 - at))) & 31);
  return `${prefix}1${[...words, ...checksum].map((word) => CHARACTERS[word]).join("")}`;
}

/** @returns null unless the text is valid, with this prefix */
export function decodeBech32(prefix: string, text: string): Buffer | null {
  // Mixed case is invalid.
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const lower = text.toLowerCase();
  if (!lower.startsWith(`${prefix}1`)) return null;
  const words = [...lower.slice(prefix.length + 1)].map((character) => CHARACTERS.indexOf(character));
  if (words.length < CHECKSUM_LENGTH || words.includes(-1)) return null;
  if (polymod([...expand(prefix), ...words]) !== 1) return null;
  const bytes = regroup(words.slice(0, -CHECKSUM_LENGTH), 5, 8, false);
  return bytes && Buffer.from(bytes);
}

function expand(prefix: string): number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [bit, generator] of GENERATORS.entries()) if ((top >>> bit) & 1) sum ^= generator;
  }
  return sum;
}

/** @returns null if bits are left over that no group of the source explains */
function regroup(values: Iterable<number>, from: number, to: number, isPadded: boolean): number[] | null {
  const groups: number[] = [];
  let held = 0;
  let bits = 0;
  for (const value of values) {
    held = (held << from) | value;
    bits += from;
    while (bits >= to) {
      bits -= to;
      groups.push((held >>> bits) & ((1 << to) - 1));
    }
    held &= (1 << bits) - 1;
  }
  if (isPadded) {
    if (bits > 0) groups.push((held << (to - bits)) & ((1 << to) - 1));
  } else if (bits >= from || held !== 0) return null;
  return groups;
}
