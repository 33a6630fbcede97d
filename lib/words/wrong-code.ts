/** Refuses a wrong code that was sent by email or SMS. */
export function wrongCode(triesLeft: number): string {
  if (triesLeft === 0) return "That code is not right, and this was the last try. Send another code.";
  return `That code is not right. ${triesLeft} ${triesLeft === 1 ? "try" : "tries"} left.`;
}

/** Refuses a wrong code of an authenticator app. */
export const WRONG_APP_CODE = "That code is not right, or was already used. Wait for the next one.";
