import type { NotificationTopic } from "@/lib/contract/notifications";

interface TopicWords {
  when: string;
  about: string | null;
}

const FOR_DECIDERS: Record<NotificationTopic, TopicWords> = {
  APPROVALS: { when: "Something waits for approval", about: "And again 2 hours before it expires" },
  DECISIONS: { when: "Someone else decided it", about: "So that you know it is done" },
  RULE_PROPOSALS: {
    when: "A key or an assistant proposed a rule",
    about: "It runs only once someone activates it",
  },
  RETURNS: { when: "A transfer failed or came back", about: null },
  RULE_RUNS: { when: "A rule failed", about: "When a run could not do all it should" },
  ENDPOINTS: { when: "A webhook endpoint was switched off", about: "After five days without a success" },
  SECURITY: {
    when: "A key was created, an assistant connected, or you signed in from a new browser",
    about:
      "And when someone joined, left or changed roles, your number or sign-in changed, or the yearly review is due",
  },
  GATES: {
    when: "Gates closed or opened",
    about: "Whether money can move, how much may leave, and what keys may do by themselves",
  },
  PAYEES: {
    when: "A payee was added or changed",
    about: "And whenever an account is registered at the bank",
  },
  RECONCILIATION: {
    when: "The bank’s statement and the books differ",
    about: "For longer than settlement explains",
  },
  WEEK: { when: "Your week in five lines", about: "On Monday morning" },
  UNUSUAL_USE: {
    when: "A key or an assistant is used unusually",
    about:
      "From a new network, after a long silence, refused often, far more than usual, or at its daily cap",
  },
};

/** Only owners and co-owners hear about keys and other members. */
const OWN_SECURITY: TopicWords = {
  when: "You signed in from a new browser",
  about: "And when your number or sign-in changed",
};

export function topicWords(topic: NotificationTopic, isDecider: boolean): TopicWords {
  return topic === "SECURITY" && !isDecider ? OWN_SECURITY : FOR_DECIDERS[topic];
}
