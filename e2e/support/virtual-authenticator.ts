import type { BrowserContext, CDPSession, Page } from "@playwright/test";

export interface VirtualAuthenticator {
  /** Whether its user is present and verified: false simulates closing the prompt. */
  setPresent(isPresent: boolean): Promise<void>;
  /** Base64url ids of the passkeys it holds. */
  credentialIds(): Promise<string[]>;
  /** Resets every counter, as a clone would have it. */
  rewindCounters(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A platform authenticator with discoverable passkeys in Chromium, through its DevTools protocol: prompts are answered
 * at once. It belongs to one page and outlives its navigations.
 */
export async function addVirtualAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<VirtualAuthenticator> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async setPresent(isPresent) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: isPresent });
    },
    async credentialIds() {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      return credentials.map(({ credentialId }) => Buffer.from(credentialId, "base64").toString("base64url"));
    },
    rewindCounters: () => rewindCounters(session, authenticatorId),
    async remove() {
      await session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
      await session.detach();
    },
  };
}

async function rewindCounters(session: CDPSession, authenticatorId: string): Promise<void> {
  const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
  for (const credential of credentials) {
    await session.send("WebAuthn.removeCredential", {
      authenticatorId,
      credentialId: credential.credentialId,
    });
    await session.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
  }
}
