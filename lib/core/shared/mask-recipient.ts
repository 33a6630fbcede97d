/** Above this a number has room for four of its digits: of a shorter one two say enough. */
const SHORT_NUMBER = 10;

/** `+1 ••• ••• 0131`, `+49 ••• ••• 2231`: enough to know one's own number by, too little to call it. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/^\+/, "");
  if (digits.length <= SHORT_NUMBER) return `+•• ••• ${digits.slice(-2)}`;
  // Only North America and Russia have a code of one digit; the first two of a code of three name a region.
  const code = /^[17]/.test(digits) ? digits.slice(0, 1) : digits.slice(0, 2);
  return `+${code} ••• ••• ${digits.slice(-4)}`;
}

/** `m•••@northwind.example` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${at > 0 ? email.slice(at) : ""}`;
}

export function maskRecipient(channel: "EMAIL" | "SMS", recipient: string): string {
  return channel === "EMAIL" ? maskEmail(recipient) : maskPhone(recipient);
}

/** What a provider said, without the address that providers like to say again. */
export function maskProblem(problem: string, channel: "EMAIL" | "SMS", recipient: string): string {
  const masked = maskRecipient(channel, recipient);
  const bare = channel === "SMS" ? recipient.replace(/^\+/, "") : recipient;
  const pattern = bare.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return problem.replaceAll(new RegExp(channel === "SMS" ? `\\+?${pattern}` : pattern, "gi"), () => masked);
}
