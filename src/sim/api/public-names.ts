// Names of the public DNS, as far as the simulation pretends to have one

const TOP_LEVEL = new Set("com org net io dev ch de uk edu gov cloud app co ai eu fr me info us jp nl se sh xyz".split(" "));
/** The blocks of RFC 5737 that stand for addresses outside. */
const BLOCKS = ["198.51.100", "203.0.113"] as const;
const MADE_UP = /non-?exist|does-?not-?exist|no-?such|not-?found|invalid|typo/;

/** The address of a name outside the cluster; undefined where the public DNS would say NXDOMAIN. Names under example domains' own words exist too. */
export function publicAddress(name: string): string | undefined {
  const labels = name.toLowerCase().replace(/\.$/, "").split(".");
  if (labels.length < 2 || !TOP_LEVEL.has(labels.at(-1) ?? "") || MADE_UP.test(name) || labels.some((label) => !/^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?$/.test(label))) return undefined;
  let hash = 7;
  for (const char of labels.join(".")) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 508;
  return `${BLOCKS[hash % 2] ?? BLOCKS[0]}.${1 + (hash >> 1)}`;
}

/** Whether an address is one of those that names outside get. */
export const isPublicAddress = (address: string): boolean => BLOCKS.some((block) => address.startsWith(`${block}.`));
