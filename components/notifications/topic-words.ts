import type { MessageKind, NotificationTopic } from "@/lib/contract/notifications";

interface TopicWords {
  /** After "When": what happens. */
  when: string;
  about: string | null;
}

const FOR_DECIDERS: Record<NotificationTopic, TopicWords> = {
  APPROVALS: { when: "Something waits for approval", about: "And again 2 hours before it closes" },
  DECISIONS: { when: "Somebody else decided it", about: "So that you know that nothing is left to do" },
  RETURNS: { when: "A transfer failed or came back", about: null },
  RULE_RUNS: { when: "A rule failed", about: "When a run of it could not do what it should" },
  ENDPOINTS: { when: "A webhook endpoint was switched off", about: "After five days without one success" },
  SECURITY: {
    when: "A key was made, an assistant connected, or you signed in from a new browser",
    about:
      "And when somebody joined, left or got another role, or your number or how you sign in was changed",
  },
  GATES: { when: "Gates closed or opened", about: "Whether anything moves at all" },
  WEEK: { when: "Your week in five lines", about: "Monday, 08:00" },
  UNUSUAL_USE: {
    when: "A key or an assistant is used unusually",
    about:
      "From a new network, after a long silence, refused often, far more than usual, or at its daily cap",
  },
};

/** Keys and other people's sign-ins are told to those who decide. */
const OWN_SECURITY: TopicWords = {
  when: "You signed in from a new browser",
  about: "And when your number or how you sign in was changed",
};

export function topicWords(topic: NotificationTopic, isDecider: boolean): TopicWords {
  return topic === "SECURITY" && !isDecider ? OWN_SECURITY : FOR_DECIDERS[topic];
}

/** What a message in the log was about, where it has no subject that says it. */
export const MESSAGE_WORDS: Record<MessageKind, string> = {
  APPROVAL_ASKED: "Waits for approval",
  APPROVAL_REMINDER: "Closes soon",
  APPROVAL_DECIDED: "Was decided",
  RULE_RUN_FAILED: "A rule failed",
  TRANSFER_RETURNED: "A transfer came back",
  TRANSFER_REFUSED: "A transfer failed",
  ENDPOINT_DISABLED: "A webhook endpoint was switched off",
  KEY_CREATED: "A key was made",
  ASSISTANT_CONNECTED: "An assistant was connected",
  NEW_DEVICE: "Sign-in from a new browser",
  MEMBER_JOINED: "Somebody joined",
  GATES_CLOSED: "All gates were closed",
  GATES_OPENED: "The gates were opened",
  IDENTITY_CHECK: "Identity check",
  MEMBER_RESET: "How a member signs in was reset",
  PHONE_CHANGED: "A number was changed",
  PHONE_CODE: "Code to verify a number",
  INVITATION: "An invitation",
  SIGN_IN_CHANGED: "How you sign in was changed",
  MEMBER_CHANGED: "A member was changed or removed",
  WEEK: "Your week in five lines",
  KEY_UNUSUAL: "Unusual use of a key",
};
