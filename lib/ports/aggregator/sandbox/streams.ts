import type { FlowDirection } from "@/lib/contract/transactions";

/**
 * How money moves on a fictional account. `CARD` is pending for one to three days and sometimes dropped; `TIPPED`
 * settles for more, `FUEL` for an amount other than the pump's hold; `ACH` settles the next morning; `DIRECT` is posted
 * immediately.
 */
export type Settling = "CARD" | "TIPPED" | "FUEL" | "ACH" | "DIRECT";

export interface Payee {
  /** Normalized; null if a provider recognizes no merchant. */
  name: string | null;
  /** As a statement prints it. */
  raw: string;
  /** Plaid's detailed personal finance category. */
  category: string;
  /** Minimum and maximum, in cents. */
  cents: readonly [number, number];
}

interface StreamBase {
  key: string;
  direction: FlowDirection;
  settling: Settling;
  /** What Sluice pays onto the account instead while it serves it: the same income twice would be wrong. */
  pausesWhileServed?: boolean;
}

export type Stream =
  | (StreamBase & {
      kind: "MONTHLY";
      day: number;
      payee: Payee;
      /** Interval in months; 1 if absent. */
      everyMonths?: number;
      /** The price from the eighth month of the history on. */
      laterCents?: number;
    })
  | (StreamBase & { kind: "EVERY_OTHER_FRIDAY"; payee: Payee })
  | (StreamBase & { kind: "OFTEN"; timesAWeek: number; payees: readonly Payee[] });

const out = { direction: "MONEY_OUT" } as const;

const payee = (name: string | null, raw: string, category: string, least: number, most = least): Payee => ({
  name,
  raw,
  category,
  cents: [least, most],
});

const GROCERS = [
  payee("Juniper Market", "SQ *JUNIPER MARKET 0442 BROOKLYN NY", "FOOD_AND_DRINK_GROCERIES", 2_840, 14_950),
  payee("Corner Pantry", "CORNER PANTRY #118 NEW YORK NY", "FOOD_AND_DRINK_GROCERIES", 1_120, 6_480),
  payee("Fieldhouse Foods", "FIELDHOUSE FOODS 00731", "FOOD_AND_DRINK_GROCERIES", 4_210, 11_870),
];
const RESTAURANTS = [
  payee("Osteria Lume", "TST* OSTERIA LUME BROOKLYN NY", "FOOD_AND_DRINK_RESTAURANT", 3_200, 9_400),
  payee("Little Banyan", "TST* LITTLE BANYAN NEW YORK NY", "FOOD_AND_DRINK_RESTAURANT", 1_850, 5_200),
];
const COFFEE = [
  payee("Second Cup Roasters", "SQ *SECOND CUP ROASTERS", "FOOD_AND_DRINK_COFFEE", 375, 1_140),
  payee("Kiln Coffee", "SQ *KILN COFFEE BROOKLYN", "FOOD_AND_DRINK_COFFEE", 425, 980),
];
const FUEL = [payee("Northline Fuel", "NORTHLINE FUEL 2231 PUMP 04", "TRANSPORTATION_GAS", 2_650, 6_400)];
const TRANSIT = [
  payee("Metro Transit", "MTA*METRO TRANSIT PAYGO", "TRANSPORTATION_PUBLIC_TRANSIT", 290, 1_160),
  payee("Hail Rides", "HAIL RIDES *TRIP HELP.HAIL", "TRANSPORTATION_TAXIS_AND_RIDE_SHARES", 1_150, 4_300),
];
const SHOPS = [
  payee(
    "Palisade Books",
    "PALISADE BOOKS 212-555-0114",
    "GENERAL_MERCHANDISE_BOOKSTORES_AND_NEWSSTANDS",
    1_400,
    6_200,
  ),
  payee(
    "Wren & Thread",
    "WREN AND THREAD ONLINE",
    "GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES",
    3_900,
    14_800,
  ),
  payee("Marketly", "MARKETLY*ORDER 8K2P1 WA", "GENERAL_MERCHANDISE_ONLINE_MARKETPLACES", 1_200, 9_900),
];
const HEALTH = [
  payee("Alder Pharmacy", "ALDER PHARMACY #0092", "MEDICAL_PHARMACIES_AND_SUPPLEMENTS", 900, 5_400),
  payee("Harbor Barbers", "SQ *HARBOR BARBERS", "PERSONAL_CARE_HAIR_AND_BEAUTY", 3_500, 5_500),
];

/** Bills that a household pays by direct debit. */
export const HOUSEHOLD_BILLS: readonly Stream[] = [
  {
    ...out,
    kind: "MONTHLY",
    key: "rent",
    day: 1,
    settling: "ACH",
    payee: payee("Parkview Residences", "PARKVIEW RESIDENCES WEB PMT", "RENT_AND_UTILITIES_RENT", 145_000),
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "power",
    day: 14,
    settling: "ACH",
    payee: payee(
      "Eastern Light & Power",
      "EASTERN LIGHT PWR BILLPAY",
      "RENT_AND_UTILITIES_GAS_AND_ELECTRICITY",
      5_900,
      14_600,
    ),
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "internet",
    day: 9,
    settling: "ACH",
    payee: payee("Wavelength", "WAVELENGTH FIBER AUTOPAY", "RENT_AND_UTILITIES_INTERNET_AND_CABLE", 6_500),
    laterCents: 7_200,
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "phone",
    day: 21,
    settling: "ACH",
    payee: payee("Carillon Mobile", "CARILLON MOBILE 8005550177", "RENT_AND_UTILITIES_TELEPHONE", 4_500),
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "insurance",
    day: 3,
    settling: "ACH",
    payee: payee("Keystone Mutual", "KEYSTONE MUTUAL INS PREM", "GENERAL_SERVICES_INSURANCE", 11_240),
  },
];

/** Monthly renewals; the price of one of them goes up. */
export const SUBSCRIPTIONS: readonly Stream[] = [
  {
    ...out,
    kind: "MONTHLY",
    key: "music",
    day: 6,
    settling: "CARD",
    payee: payee("Tidepool Music", "TIDEPOOL MUSIC 4Q7H", "ENTERTAINMENT_MUSIC_AND_AUDIO", 1_099),
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "films",
    day: 17,
    settling: "CARD",
    payee: payee("Framewise", "FRAMEWISE.TV SUBSCRIPTION", "ENTERTAINMENT_TV_AND_MOVIES", 1_549),
    laterCents: 1_799,
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "gym",
    day: 2,
    settling: "CARD",
    payee: payee(
      "Ironworks Gym",
      "IRONWORKS GYM MEMBERSHIP",
      "PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS",
      4_900,
    ),
  },
];

export const EVERYDAY: readonly Stream[] = [
  { ...out, kind: "OFTEN", key: "groceries", timesAWeek: 2, settling: "CARD", payees: GROCERS },
  { ...out, kind: "OFTEN", key: "restaurants", timesAWeek: 1.4, settling: "TIPPED", payees: RESTAURANTS },
  { ...out, kind: "OFTEN", key: "coffee", timesAWeek: 2.5, settling: "CARD", payees: COFFEE },
  { ...out, kind: "OFTEN", key: "fuel", timesAWeek: 0.8, settling: "FUEL", payees: FUEL },
  { ...out, kind: "OFTEN", key: "transit", timesAWeek: 1.2, settling: "CARD", payees: TRANSIT },
  { ...out, kind: "OFTEN", key: "shops", timesAWeek: 0.5, settling: "CARD", payees: SHOPS },
  { ...out, kind: "OFTEN", key: "health", timesAWeek: 0.4, settling: "CARD", payees: HEALTH },
];

/** What a small studio buys with its card, about $2,200 a month. */
export const STUDIO_PURCHASES: readonly Stream[] = [
  {
    ...out,
    kind: "MONTHLY",
    key: "design-tools",
    day: 4,
    settling: "CARD",
    payee: payee("Contour", "CONTOUR DESIGN TOOLS 2 SEATS", "GENERAL_SERVICES_OTHER_GENERAL_SERVICES", 9_000),
    laterCents: 10_800,
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "hosting",
    day: 12,
    settling: "CARD",
    payee: payee(
      "Cloudhaven",
      "CLOUDHAVEN HOSTING",
      "GENERAL_SERVICES_OTHER_GENERAL_SERVICES",
      14_200,
      19_800,
    ),
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "desks",
    day: 1,
    settling: "CARD",
    payee: payee("Commonroom", "COMMONROOM COWORKING", "RENT_AND_UTILITIES_RENT", 65_000),
  },
  {
    ...out,
    kind: "OFTEN",
    key: "print",
    timesAWeek: 0.5,
    settling: "CARD",
    payees: [
      payee(
        "Quoin Print",
        "QUOIN PRINT CO 718-555-0160",
        "GENERAL_MERCHANDISE_OFFICE_SUPPLIES",
        4_200,
        21_000,
      ),
    ],
  },
  {
    ...out,
    kind: "OFTEN",
    key: "travel",
    timesAWeek: 0.25,
    settling: "CARD",
    payees: [
      payee("Coastline Rail", "COASTLINE RAIL TKT", "TRAVEL_OTHER_TRAVEL", 6_400, 18_900),
      payee("The Alcove Hotel", "THE ALCOVE HOTEL BOSTON MA", "TRAVEL_LODGING", 18_500, 34_000),
    ],
  },
  { ...out, kind: "OFTEN", key: "lunches", timesAWeek: 1.6, settling: "TIPPED", payees: RESTAURANTS },
  { ...out, kind: "OFTEN", key: "coffee", timesAWeek: 2, settling: "CARD", payees: COFFEE },
  { ...out, kind: "OFTEN", key: "rides", timesAWeek: 1, settling: "CARD", payees: TRANSIT },
];

/** Income of a household; through Sluice once it serves the account. */
export const INCOME: readonly Stream[] = [
  {
    kind: "EVERY_OTHER_FRIDAY",
    key: "payroll",
    direction: "MONEY_IN",
    settling: "DIRECT",
    pausesWhileServed: true,
    payee: payee("Halden Health", "HALDEN HEALTH PAYROLL PPD", "INCOME_WAGES", 152_000),
  },
  {
    kind: "OFTEN",
    key: "clients",
    direction: "MONEY_IN",
    settling: "DIRECT",
    pausesWhileServed: true,
    timesAWeek: 0.1,
    payees: [
      payee("Orbit Maps", "ORBIT MAPS INC ACH PMT INV", "INCOME_OTHER_INCOME", 15_000, 60_000),
      payee("Finch & Co", "FINCH AND CO VENDOR PMT", "INCOME_OTHER_INCOME", 20_000, 45_000),
    ],
  },
];

export const CHECKING_FEES: readonly Stream[] = [
  {
    ...out,
    kind: "MONTHLY",
    key: "service-fee",
    day: 28,
    settling: "DIRECT",
    payee: payee(null, "MONTHLY SERVICE FEE", "BANK_FEES_OTHER_BANK_FEES", 1_200),
  },
  {
    ...out,
    kind: "OFTEN",
    key: "cash-machine-fee",
    timesAWeek: 0.15,
    settling: "DIRECT",
    payees: [payee(null, "NON-NETWORK ATM FEE", "BANK_FEES_ATM_FEES", 300, 350)],
  },
];

export const SAVINGS_INTEREST: readonly Stream[] = [
  {
    kind: "MONTHLY",
    key: "interest",
    day: 28,
    direction: "MONEY_IN",
    settling: "DIRECT",
    payee: payee(null, "INTEREST PAYMENT", "INCOME_INTEREST_EARNED", 2_900, 3_600),
  },
];

export const INVESTING: readonly Stream[] = [
  {
    kind: "MONTHLY",
    key: "contribution",
    day: 15,
    direction: "MONEY_IN",
    settling: "ACH",
    payee: payee(null, "AUTOMATIC INVESTMENT", "TRANSFER_IN_INVESTMENT_AND_RETIREMENT_FUNDS", 25_000),
  },
  {
    kind: "MONTHLY",
    key: "dividends",
    day: 27,
    everyMonths: 3,
    direction: "MONEY_IN",
    settling: "DIRECT",
    payee: payee(null, "DIVIDEND REINVESTED TOTAL MARKET FUND", "INCOME_DIVIDENDS", 18_000, 26_000),
  },
  {
    ...out,
    kind: "MONTHLY",
    key: "advisory-fee",
    day: 30,
    everyMonths: 3,
    settling: "DIRECT",
    payee: payee(null, "ADVISORY FEE", "BANK_FEES_OTHER_BANK_FEES", 1_900),
  },
];
