/** A turn of phrase that keeps coming back and reads as translated, misleads, or competes with the field's term. */
export interface BannedTurn {
  turn: RegExp;
  /** What it looked like here. */
  example: string;
  because: string;
  instead: string;
}

const AT_START = "(?:^|[.;:!?] )";

/**
 * Only turns that are wrong nearly every time: each false alarm teaches people to ignore the list. Patterns see one
 * comment, string or paragraph at a time, with single spaces and without code spans.
 */
export const BANNED_TURNS: readonly BannedTurn[] = [
  // One term for one thing.
  {
    turn: /\bkeepers?\b/i,
    example: "its keeper ends the server",
    because: "the process is a supervisor",
    instead: "supervisor",
  },
  {
    turn: /\bverbs?\b/i,
    example: "the verb behind the form",
    because: "a function that changes something is a command",
    instead: "command",
  },
  {
    turn: /\bdoors?\b/i,
    example: "every door answers",
    because: "HTTP, MCP and OAuth are transports",
    instead: "transport, API",
  },
  {
    turn: /\btellers?\b/i,
    example: "the tellers of results",
    because: "what serves a call is a handler",
    instead: "handler",
  },
  {
    turn: /\btall(?:y|ies)\b/i,
    example: "a tally of attempts",
    because: "a running number is a counter",
    instead: "counter, count",
  },
  {
    turn: /\baskers?\b/i,
    example: "the asker approves nothing",
    because: "the one who proposes is a requester",
    instead: "requester",
  },
  {
    turn: /\btold together\b/i,
    example: "five of a kind are combined, told together at noon",
    because: "several notices in one message are a digest",
    instead: "combined into a digest",
  },
  {
    turn: /\btold apart\b/i,
    example: "live ones are told apart from dry ones",
    because: "a literal translation",
    instead: "distinguished, identified",
  },
  {
    turn: /\bmend(?:s|ed|ing)?\b/i,
    example: "this mends the order",
    because: "clothes are mended, defects are fixed",
    instead: "fix, repair",
  },
  {
    turn: /\bunder ?way\b/i,
    example: "work that is under way",
    because: "the field's term is shorter",
    instead: "in progress, running, pending",
  },
  {
    turn: /\bset(?:s|ting)? (?:\w+ )?off\b/i,
    example: "what sets off a rule",
    because: "rules and events have triggers",
    instead: "trigger",
  },
  {
    turn: /\bwork(?:s|ed|ing)? off\b/i,
    example: "notices are worked off",
    because: "a literal translation",
    instead: "process, finish",
  },
  {
    turn: /\bfaults? of (?:ours|theirs)\b/i,
    example: "a fault of ours",
    because: "the term is internal error",
    instead: "internal error, server error",
  },
  {
    turn: /\bthe house\b/i,
    example: "the house is kept by a test",
    because: "a metaphor that a newcomer must decode",
    instead: "the project, the architecture",
  },

  // The reader wants to know who acts.
  {
    turn: /\bwhoever\b/i,
    example: "whoever holds the link",
    because: "hides the actor behind a clause",
    instead: "anyone who, the caller, members who",
  },
  {
    turn: /\b(?:is|are|was|were|be|been|being) told\b/i,
    example: "owners are told",
    because: "passive, and about people only in stories",
    instead: "learns, is notified, gets, reads",
  },
  {
    turn: /\b(?:is|are|was|were|be) said\b/i,
    example: "nothing is said of it",
    because: "hides who says it",
    instead: "the page says, the log shows",
  },
  {
    turn: /\blets? nobody\b/i,
    example: "its link lets nobody in",
    because: "a riddle for a plain negative",
    instead: "blocks, does not admit, is useless",
  },
  {
    turn: /(?<!\b(?:another|other|this|that|each) )\bone['’]s\b/i,
    example: "ending one's sessions",
    because: "the pronoun sounds ceremonial",
    instead: "your, their, a member's",
  },
  {
    turn: /\bask(?:s|ed) of\b/i,
    example: "a second factor is asked of members",
    because: "a literal translation",
    instead: "required of, required from",
  },
  {
    turn: /\b(?:some|any|every)body\b/i,
    example: "somebody approves",
    because: "two words for the same are one too many",
    instead: "someone, anyone, everyone",
  },

  // Literal translations.
  {
    turn: /\bstands?\b(?!-| for\b| in for\b| out\b)/i,
    example: "the sum stands above the list",
    because: "things are somewhere, they do not stand",
    instead: "is, remains, applies",
  },
  {
    turn: /\blies? (?:in|beside|ready|there)\b/i,
    example: "the file lies in the data folder",
    because: "data is somewhere, it does not lie",
    instead: "is, is stored",
  },
  {
    turn: new RegExp(`${AT_START}That were\\b`),
    example: "Kept. That were ten requests",
    because: "a foreign conditional",
    instead: "This would be",
  },
  {
    turn: new RegExp(`${AT_START}Of (?:it|them|each|what|such)\\b`),
    example: "Short. Of it the first line is shown",
    because: "inverts the sentence",
    instead: "start with the subject",
  },
  {
    turn: /, for (?:it|they|he|she|we|there|nobody|what|that) \w+/,
    example: "it waits, for it has no key",
    because: "a literary conjunction",
    instead: "because, since",
  },
  {
    turn: /(?<!\bthere |\bThere )\b(?:is|are) no (?!longer\b|more\b|less\b|fewer\b|other\b|later\b|older\b|different\b)[a-z]/,
    example: "a lost answer is no theft",
    because: "a negated noun where English negates the verb",
    instead: "is not a, does not",
  },
  {
    turn: /\bworks? no longer\b/i,
    example: "the link works no longer",
    because: "foreign word order",
    instead: "no longer works, is revoked",
  },
  {
    turn: /\bno longer[.;:]/i,
    example: "it is needed no longer.",
    because: "foreign word order",
    instead: "no longer before the verb",
  },
  {
    turn: /\b(?:goes|went) by\b/i,
    example: "a rule goes by its name",
    because: "a literal translation",
    instead: "uses, follows, is called",
  },
  {
    turn: /\bwhat passed\b/i,
    example: "what passed while it was closed",
    because: "a literal translation",
    instead: "missed runs, past events",
  },
  {
    turn: /\bcomes? to be\b/i,
    example: "an account comes to be here",
    because: "a literal translation",
    instead: "is created",
  },
  {
    turn: /\bat the (?:least|most)\b/i,
    example: "at the least one",
    because: "a literal translation",
    instead: "at least, at most, lowest",
  },
  { turn: /\banew\b/i, example: "it begins anew", because: "archaic", instead: "again" },
  {
    turn: /\bto the letter\b/i,
    example: "compared to the letter",
    because: "a figure of speech",
    instead: "exactly, identical",
  },
  {
    turn: /\bthe very (?!same|first|last|end|beginning|start)\w+/i,
    example: "in the very transaction",
    because: "emphasis without content",
    instead: "the, that, exactly the",
  },
  {
    turn: /\bworth nothing\b/i,
    example: "the code is worth nothing",
    because: "a figure of speech",
    instead: "invalid, useless",
  },
  {
    turn: /\ball the same\b/i,
    example: "it is booked all the same",
    because: "a literal translation",
    instead: "anyway, still",
  },
  {
    turn: /\bto and fro\b/i,
    example: "money goes to and fro",
    because: "archaic",
    instead: "back and forth",
  },
  {
    turn: /\bway round\b/i,
    example: "the other way round",
    because: "British",
    instead: "the other way around, reversed",
  },
  {
    turn: /\bever (?:less|more|longer|rarer)\b/i,
    example: "it asks ever less often",
    because: "a literal translation",
    instead: "increasingly, at growing intervals",
  },
  {
    turn: /\bhang(?:s|ing)? up\b/i,
    example: "the client hangs up",
    because: "people hang up, clients disconnect",
    instead: "disconnect",
  },
  {
    turn: /\b(?:is|are|not|be|been|was|were) made up\b/i,
    example: "missed runs are not made up",
    because: "reads as invented",
    instead: "repeated, caught up",
  },
  {
    turn: /\bh(?:eld|olds?) (?:[\w-]+ ){0,4}against\b/i,
    example: "each line is held against the code",
    because: "a literal translation",
    instead: "compared with, checked against",
  },
  {
    turn: /\bbut for\b/i,
    example: "nothing but for the first",
    because: "archaic",
    instead: "except, except for",
  },
  {
    turn: /\bfor want of\b/i,
    example: "it fails for want of money",
    because: "archaic",
    instead: "for lack of, without",
  },
  { turn: /\bin the midst of\b/i, example: "in the midst of a run", because: "archaic", instead: "during" },
  {
    turn: /\bwithout fail\b/i,
    example: "it arrives without fail",
    because: "a figure of speech",
    instead: "always",
  },
  {
    turn: /\bat hand\b/i,
    example: "a backup at hand",
    because: "a literal translation",
    instead: "available",
  },
  {
    turn: /\bwritten down\b/i,
    example: "it is written down there",
    because: "a literal translation",
    instead: "recorded, logged, documented",
  },
  {
    turn: /\bg(?:i|a)v(?:en|es?|e|ing) (?:\w+ )?back\b/i,
    example: "the hold is given back",
    because: "holds are released, money is returned",
    instead: "release, return, restore",
  },
  {
    turn: /\bgiv(?:en|es|ing) up\b/i,
    example: "a delivery that is given up",
    because: "people give up, deliveries fail",
    instead: "fails, failed, stops retrying",
  },
  {
    turn: /\b(?:is|are|was|were) to be \w+(?:ed|en|t)\b/i,
    example: "money that is to be moved",
    because: "a foreign future",
    instead: "must be, will be",
  },
  {
    turn: /\b(?:is|are) meant to\b/i,
    example: "it is meant to be read",
    because: "states intent instead of behavior",
    instead: "what it does",
  },
  {
    turn: /\bmeanwhile[.;:)]/i,
    example: "others wait meanwhile.",
    because: "an afterthought that hides the time meant",
    instead: "during that time, concurrently",
  },
  {
    turn: /\bbesides[.;:]/i,
    example: "and the log besides.",
    because: "an afterthought",
    instead: "also, in addition",
  },

  // Form.
  {
    turn: /\b(?:cancell(?:ed|ing)|behaviours?|colours?|favours?|honours?|licen[c]e|defence|judgement|catalogue|grey|enrolments?|signalling|labelled|travelled|modelled|towards|whilst|amongst|(?:organ|recogn|author|normal|serial|initial|minim|optim|summar)is(?:e[ds]?|ing|ation))\b/,
    example: "it was cancelled",
    because: "the project writes American English",
    instead: "canceled, behavior, license, toward, organize …",
  },
];

/** The same in names of code, as words: `toldCount` is "told count". Past forms of telling say neither who nor what. */
export const BANNED_IN_NAMES: readonly BannedTurn[] = [
  {
    turn: /\btold\b/,
    example: "told count",
    because: "people are notified, values reported, texts written",
    instead: "reported, notified, listed",
  },
  {
    turn: /\bsaid\b/,
    example: "said by",
    because: "a value is named after what it is",
    instead: "message, text, stated",
  },
  { turn: /\bcans\b/, example: "cans", because: "no noun", instead: "powers, permissions" },
  {
    turn: /\blook at\b/,
    example: "look at version",
    because: "a function is named by a verb of its field",
    instead: "inspect, check, read",
  },
  { turn: /\bkeepers?\b/, example: "keeper", because: "the process is a supervisor", instead: "supervisor" },
  { turn: /\btellers?\b/, example: "teller", because: "what serves a call is a handler", instead: "handler" },
  {
    turn: /\btall(?:y|ies)\b/,
    example: "tally",
    because: "a running number is a counter",
    instead: "counter",
  },
  {
    turn: /\baskers?\b/,
    example: "asker",
    because: "the one who proposes is a requester",
    instead: "requester",
  },
];
