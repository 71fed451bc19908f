/** Faults of the caller's own, which are told at once: no call could mend them, and no secret is repeated. */

/** The URL, which begins with http or https. Throws `TypeError`. */
export function checkedUrl(url: string): string {
  let protocol = "";
  try {
    ({ protocol } = new URL(url));
  } catch {
    // It is none, as the protocol shows.
  }
  if (protocol === "http:" || protocol === "https:") return url;
  throw new TypeError(`Not a URL that begins with http:// or https://: ${url}`);
}

/** The longest that a timer can wait: 24 days. What is longer it takes for no time at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** For how long to wait: the longest time for any more, infinity included. Throws `TypeError` where it is no number. */
export function checkedMs(ms: number): number {
  if (Number.isNaN(ms)) throw new TypeError("A time is a number of milliseconds.");
  return Math.min(ms, LONGEST_MS);
}

/** An operator's `id:secret`, which may be sent in a header. Throws `TypeError`, which does not tell it. */
export function checkedKey(key: string): string {
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError(
    "An operator's key has two parts with a colon between them, of characters that keys have. Is it whole, and without " +
      "spaces and line breaks?",
  );
}

/** The token, which may be sent in a header. Throws `TypeError`, which does not tell it. */
export function checkedToken(token: string): string {
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  throw new TypeError(
    "A token has characters that tokens don't have; is it whole, and without spaces and line breaks?",
  );
}
