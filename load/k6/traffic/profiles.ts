/** A part of a shape, during which the rate changes evenly from that of the stage before to `rate`. */
export interface Stage {
  /** 0 for a jump. */
  readonly seconds: number;
  /** Iterations per second at the end of the stage. */
  readonly rate: number;
}

/** How iterations that are due spread: evenly, or at random as those of many independent clients do. */
export const ARRIVALS = ["constant", "poisson"] as const;
export type Arrivals = (typeof ARRIVALS)[number];

/** The shape of a load; `RATE` and `DURATION` scale it. */
export interface Profile {
  /**
   * `open`: iterations start by schedule even if earlier ones still run, so that a slow target is noticed.
   * `closed`: a few virtual users, each waiting for its response; it only shows that everything works.
   */
  readonly model: "open" | "closed";
  /** The highest rate, in iterations per second. */
  readonly rate: number;
  readonly seconds: number;
  /** The shape of the open model; it starts at the rate of its first stage. */
  readonly stages?: readonly Stage[];
  readonly arrivals?: Arrivals;
  /** Between how many seconds after its creation a transfer is looked up; without it, soon after. */
  readonly lookups?: { readonly after: number; readonly until: number };
}

/** An open profile with these stages. */
export const shaped = (stages: readonly Stage[], arrivals: Arrivals = "constant"): Profile => ({
  model: "open",
  rate: Math.max(...stages.map(({ rate }) => rate)),
  seconds: stages.reduce((sum, { seconds }) => sum + seconds, 0),
  stages,
  arrivals,
});

/** 20 requests per second is the most that a remote target gets without LOAD_TARGET, so no profile exceeds it. */
const PEAK = 20;
const MINUTE = 60;
/** On a salary day, payouts come seven times as often as on others; in a flash sale, payments twelve times. */
const SALARY_DAY = PEAK / 7;
const FLASH_SALE = PEAK / 12;

const stage = (seconds: number, rate: number): Stage => ({ seconds, rate });

/** The shapes that have a name. */
export const profiles = {
  smoke: { model: "closed", rate: PEAK, seconds: 6 } as Profile,
  average: shaped([stage(MINUTE, PEAK)]),
  stress: shaped([
    stage(0, PEAK / 4),
    stage(30, PEAK / 2),
    stage(MINUTE, PEAK / 2),
    stage(30, PEAK),
    stage(MINUTE, PEAK),
    stage(30, PEAK / 4),
  ]),
  // Its last part shows whether the target recovers.
  spike: shaped([
    stage(MINUTE, PEAK / 5),
    stage(0, PEAK),
    stage(30, PEAK),
    stage(0, PEAK / 5),
    stage(90, PEAK / 5),
  ]),
  soak: shaped([stage(60 * MINUTE, PEAK / 2)]),
  breakpoint: shaped([stage(0, 1), stage(5 * MINUTE, PEAK)]),
  // A wave of lookups follows that of the transfers.
  "salary-day": {
    ...shaped([stage(0, SALARY_DAY), stage(10 * MINUTE, PEAK), stage(60 * MINUTE, PEAK)]),
    lookups: { after: 60, until: 90 },
  },
  "flash-sale": shaped([
    stage(MINUTE, FLASH_SALE),
    stage(0, PEAK),
    stage(3 * MINUTE, PEAK),
    stage(0, FLASH_SALE),
    stage(MINUTE, FLASH_SALE),
  ]),
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as ProfileName[];

/** The same shape with another highest rate, or with another length. */
export function scale(profile: Profile, rate = profile.rate, seconds = profile.seconds): Profile {
  const longer = seconds / profile.seconds;
  const stages = profile.stages?.map((stage) => ({
    seconds: stage.seconds * longer,
    rate: stage.rate * (rate / profile.rate),
  }));
  const lookups = profile.lookups && {
    after: profile.lookups.after * longer,
    until: profile.lookups.until * longer,
  };
  return { ...profile, rate, seconds, ...(stages && { stages }), ...(lookups && { lookups }) };
}
